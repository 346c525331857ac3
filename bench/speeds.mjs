/**
 * Writes the speeds that `npm run bench` has measured last to all places that show them: the sentence and the table of
 * README.md, the table of bench/README.md, and the plot docs/throughput.svg. All of them are made from one file of results, so
 * they cannot disagree.
 *
 *   node bench/speeds.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSignificant } from '../build/src/tools/bench/numbers.js';
import { median } from '../build/src/tools/bench/statistics.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { plotRatios } from './plots.mjs';
import { describeMachine, lastResult, withSection } from './run-folder.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The inputs whose rows README.md shows. Its sentence is about the first of them. */
const README_INPUTS = ['bacterial-tactics-mixed', 'darkraft'];
/** Where pages of the package find pictures and other pages. */
const REPOSITORY = 'https://github.com/boardmill/boardmill/blob/main/';

/** The name of the file of results in bench/runs/<date-machine>/. */
export const SPEEDS_FILE = 'peers.json';

/** Returns what the last complete `npm run bench` has measured. */
export function lastSpeeds() {
  return lastResult(SPEEDS_FILE, 'npm run bench');
}

/** Returns the files that show these speeds, each with its path and its new content. All inputs have a ratio to C++. */
export function speedPages(speeds) {
  return [
    pageWith('README.md', [
      speedSentence(speeds),
      '',
      ...shortTable(speeds),
      picture(`${REPOSITORY}docs/throughput.svg?raw=true`),
    ]),
    pageWith('bench/README.md', [...speedTable(speeds), picture('../docs/throughput.svg')]),
    { path: join(ROOT, 'docs', 'throughput.svg'), content: speedPlot(speeds) },
  ];
}

function pageWith(file, lines) {
  const path = join(ROOT, file);
  return { path, content: withSection(readFileSync(path, 'utf8'), 'bench:peers', lines.join('\n')) };
}

function picture(url) {
  return `\n![How many times the throughput of C++ on one core](${url})`;
}

/** Returns the sentence of README.md: the speed on the first input, and the ratios on all inputs, rounded down. */
function speedSentence({ table }) {
  const first = table.find(({ name }) => name === README_INPUTS[0]);
  const perSecond = Number((1000 / median(first.times.one)).toPrecision(2)).toLocaleString('en-US');
  const ratios = table.map(({ ratio }) => Math.floor(ratio));
  return `One processor solves ${perSecond} boards of Bacterial Tactics a second, ${Math.floor(first.ratio)} times as many as a well-tuned C++ program on one. Over all inputs, it is ${Math.min(...ratios)} to ${Math.max(...ratios)} times as many. [bench/README.md](${REPOSITORY}bench/README.md#compared-with-c) says how this was measured.`;
}

function shortTable({ about, table }) {
  return speedTable({ about, table: table.filter(({ name }) => README_INPUTS.includes(name)) });
}

/** Returns the lines of a table with these speeds, after a line that says how they were measured. */
export function speedTable({ about, table }) {
  const headings = ['input', 'cases', 'boardmill -j 1', '-j 2', 'C++ peer', 'peer / -j 1', '-j 1 / -j 2'];
  const rows = table.map(({ name, what, count, times, ratio, scaling }) => [
    `${name}: ${what}`,
    count.toLocaleString('en-US'),
    formatMicroseconds(times.one),
    formatMicroseconds(times.two),
    times.peer ? formatMicroseconds(times.peer) : 'no compiler',
    ratio === null ? '-' : ratio.toFixed(1),
    scaling.toFixed(2),
  ]);
  return [
    `Microseconds per case of whole processes: the median of ${table[0].times.one.length} rounds in turn, with the range in parentheses. The C++ program gets only the first cases. ${describeMachine(about)}.`,
    '',
    markdownTable(headings, rows).trimEnd(),
  ];
}

/** Formats times in milliseconds as microseconds: the median, and the range in parentheses. */
function formatMicroseconds(values) {
  const format = (ms) => formatSignificant(ms * 1000);
  return `${format(median(values))} (${format(Math.min(...values))}-${format(Math.max(...values))})`;
}

function speedPlot({ table }) {
  const bars = table.flatMap(({ name, times }) =>
    [
      ['-j 1', times.one],
      ['-j 2', times.two],
    ].map(([series, boardmillTimes]) => ({
      input: name,
      series,
      ratio: median(times.peer.map((ms, i) => ms / boardmillTimes[i])),
    })),
  );
  return plotRatios(bars, 'times the throughput of C++', 'x');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { path, content } of speedPages(lastSpeeds())) writeFileSync(path, content);
