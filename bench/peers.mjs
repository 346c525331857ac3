/**
 * Compares boardmill with well-tuned C++ programs that use the usual algorithms (bench/peers). Whole processes are
 * measured, and take turns. The C++ program is called the peer. It is slower, so it gets only the first cases of the
 * input, and all times are given per case.
 *
 *   npm run bench [-- runs [scale]]
 *
 * `runs` is the number of measured rounds. `scale` multiplies the number of cases. Writes peers.md and peers.json to
 * runs/<date-machine>/. With scale 1, it also updates the plot, the table in bench/README.md, and the rows of it that README.md shows.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestAnswers } from '../build/src/tools/bench/answers.js';
import { formatSignificant } from '../build/src/tools/bench/numbers.js';
import { median } from '../build/src/tools/bench/statistics.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { RECIPES, writeInput } from './inputs.mjs';
import { plotSpeeds } from './plots.mjs';
import { describeMachine, openRunFolder, replaceSection } from './run-folder.mjs';

const MEASURED_ROUNDS = Number(process.argv[2] ?? 3);
const SCALE = Number(process.argv[3] ?? 1);
/** The inputs whose rows README.md shows. */
const README_INPUTS = ['bacterial-tactics-mixed', 'darkraft'];
/** Where pages of the package find pictures. */
const PICTURES = 'https://github.com/boardmill/boardmill/blob/main/docs/';
const benchFolder = fileURLToPath(new URL('.', import.meta.url));
const root = join(benchFolder, '..');
const boardmill = join(root, 'dist', 'src', 'cli', 'main.js');

const { about, writeResult } = openRunFolder();
const folder = mkdtempSync(join(tmpdir(), 'boardmill-'));
const table = [];
for (const name of Object.keys(RECIPES)) {
  console.error(`${name} ...`);
  table.push(await compare(name));
}
rmSync(folder, { recursive: true });
const text = [...formatSummary(table), ''].join('\n');
console.log(text);
writeResult('peers.md', `${text}\n\`${about.command}\`\n`);
writeResult('peers.json', `${JSON.stringify({ about, table }, null, 2)}\n`);
if (SCALE === 1) updatePages();

async function compare(name) {
  const { problem, what, cases, peerCases, goal } = RECIPES[name];
  const input = join(folder, 'boardmill.in');
  const peerInput = join(folder, 'peer.in');
  const count = Math.max(1, Math.round(cases * SCALE));
  const peerCount = Math.max(1, Math.round(peerCases * SCALE));
  await writeInput(name, count, input);
  await writeInput(name, peerCount, peerInput);
  const peer = compilePeer(problem);
  if (peer !== null) await assertSameAnswers(problem, peer, peerInput);
  const solve = (jobs) => () =>
    timeProcess(
      process.execPath,
      [boardmill, 'solve', problem, input, '-o', join(folder, 'out'), '-f', '-j', jobs],
      null,
    ) / count;
  const columns = { one: solve('1'), two: solve('2') };
  if (peer !== null) columns.peer = () => timeProcess(peer, [], peerInput) / peerCount;
  const times = measureInTurn(columns);
  const ratio = peer === null ? null : median(times.peer.map((ms, i) => ms / times.one[i]));
  const scaling = median(times.one.map((ms, i) => ms / times.two[i]));
  return { name, what, count, peerCount, goal, times, ratio, scaling };
}

/** Measures each column of the table in turn, round after round. Returns the milliseconds per case of each column. */
function measureInTurn(columns) {
  const times = Object.fromEntries(Object.keys(columns).map((key) => [key, []]));
  for (let round = -1; round < MEASURED_ROUNDS; round++) {
    for (const [key, measure] of Object.entries(columns)) {
      const ms = measure();
      // Round -1 only fills the caches, and its time is not counted.
      if (round >= 0) times[key].push(ms);
    }
  }
  return times;
}

/** Throws an error if the peer and boardmill give different answers for the same input. */
async function assertSameAnswers(problem, peer, input) {
  const digests = [];
  for (const [command, ...args] of [[peer], [process.execPath, boardmill, 'solve', problem]]) {
    const output = join(folder, 'answers');
    run(command, args, input, output);
    digests.push(await digestAnswers(output));
  }
  if (digests[0] !== digests[1]) throw new Error(`${problem}: the peer and boardmill answer differently`);
}

/** Compiles the peer if its source has changed. Returns the path of the program, or null if the compiler failed. */
function compilePeer(problem) {
  const bin = join(benchFolder, 'peers', 'bin');
  const program = join(bin, problem);
  const source = join(benchFolder, 'peers', `${problem}.cpp`);
  if (modificationTimeOf(program) > modificationTimeOf(source)) return program;
  mkdirSync(bin, { recursive: true });
  const flags = ['-O3', '-march=native', '-std=c++17', '-o', program, source];
  const { error, status } = spawnSync(process.env.CXX ?? 'g++', flags, { stdio: 'inherit' });
  if (error !== undefined)
    console.error('there is no C++ compiler: boardmill is measured without the C++ programs');
  return error === undefined && status === 0 ? program : null;
}

/** Returns the time at which a file was last changed. Returns 0 if the file does not exist. */
function modificationTimeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs a program and returns the milliseconds that the whole process takes. */
function timeProcess(command, args, stdinPath) {
  const begin = performance.now();
  run(command, args, stdinPath, '/dev/null');
  return performance.now() - begin;
}

function run(command, args, stdinPath, stdoutPath) {
  const stdin = openSync(stdinPath ?? '/dev/null', 'r');
  const stdout = openSync(stdoutPath, 'w');
  const { status } = spawnSync(command, args, { stdio: [stdin, stdout, 'inherit'] });
  closeSync(stdout);
  closeSync(stdin);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${status}`);
}

/** Formats times in milliseconds as microseconds: the median, and the range in parentheses. */
function formatMicroseconds(values) {
  const format = (ms) => formatSignificant(ms * 1000);
  return `${format(median(values))} (${format(Math.min(...values))}-${format(Math.max(...values))})`;
}

/** Returns the lines of a table with these results, after a line that says how they were measured. */
function formatSummary(results) {
  const headings = ['input', 'cases', 'boardmill -j 1', '-j 2', 'C++ peer', 'peer / -j 1', '-j 1 / -j 2'];
  const rows = results.map(({ name, what, count, times, ratio, scaling }) => [
    `${name}: ${what}`,
    count.toLocaleString('en-US'),
    formatMicroseconds(times.one),
    formatMicroseconds(times.two),
    times.peer ? formatMicroseconds(times.peer) : 'no compiler',
    ratio === null ? '-' : ratio.toFixed(1),
    scaling.toFixed(2),
  ]);
  return [
    `Microseconds per case of whole processes: the median of ${MEASURED_ROUNDS} rounds in turn, with the range in parentheses. ${describeMachine(about)}.`,
    '',
    markdownTable(headings, rows).trimEnd(),
  ];
}

/** Replaces the table of bench/README.md, and that of README.md, which has only the rows of some inputs. */
function updatePages() {
  const picture = (url) => `\n![How many times the throughput of C++ on one core](${url})`;
  const inMainReadme = table.filter(({ name }) => README_INPUTS.includes(name));
  const full = [...formatSummary(table), picture('../docs/throughput.svg')].join('\n');
  const short = [...formatSummary(inMainReadme), picture(`${PICTURES}throughput.svg?raw=true`)].join('\n');
  replaceSection(join(benchFolder, 'README.md'), 'bench:peers', full);
  replaceSection(join(root, 'README.md'), 'bench:peers', short);
  if (table.some(({ ratio }) => ratio === null)) return;
  const bars = table.flatMap(({ name, times }) =>
    [
      ['boardmill -j 1', times.one],
      ['boardmill -j 2', times.two],
    ].map(([series, boardmillTimes]) => ({
      input: name,
      series,
      ratio: median(times.peer.map((ms, i) => ms / boardmillTimes[i])),
    })),
  );
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(
    join(root, 'docs', 'throughput.svg'),
    plotSpeeds(bars, 'throughput relative to C++ on one core'),
  );
}
