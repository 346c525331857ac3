/**
 * boardmill against straightforward, well-tuned C++ (bench/peers), whole processes on one core each, in turn.
 * The peer gets a prefix of the same recipe, so that neither runs for too long; times are a case.
 *
 *   npm run bench [-- runs [scale]]
 *
 * Writes runs/<date-machine>/peers.md and .json; at full scale also the README's table and its picture.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestAnswers } from '../dist/src/bench/answers.js';
import { median } from '../dist/src/bench/statistics.js';
import { markdownTable, significant } from '../dist/src/bench/tables.js';
import { RECIPES, writeInput } from './inputs.mjs';
import { plotSpeeds } from './plots.mjs';
import { describeRun, openRunFolder } from './run-folder.mjs';

const RUNS = Number(process.argv[2] ?? 3);
const SCALE = Number(process.argv[3] ?? 1);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const boardmill = join(root, 'dist', 'src', 'cli', 'main.js');

const { about, keep } = openRunFolder();
const folder = mkdtempSync(join(tmpdir(), 'boardmill-'));
const table = [];
for (const name of Object.keys(RECIPES)) {
  console.error(`${name} ...`);
  table.push(await compare(name));
}
rmSync(folder, { recursive: true });
const lines = [...summary(), ''].join('\n');
console.log(lines);
keep('peers.md', `${lines}\n\`${about.command}\`\n`);
keep('peers.json', `${JSON.stringify({ about, table }, null, 2)}\n`);
if (SCALE === 1) updateReadme();

async function compare(name) {
  const { problem, what, cases, peerCases, goal } = RECIPES[name];
  const input = join(folder, 'boardmill.in');
  const peerInput = join(folder, 'peer.in');
  const count = Math.max(1, Math.round(cases * SCALE));
  const peerCount = Math.max(1, Math.round(peerCases * SCALE));
  await writeInput(name, count, input);
  await writeInput(name, peerCount, peerInput);
  const peer = compile(problem);
  if (peer !== null) await checkAnswers(problem, peer, peerInput);
  const solve = (jobs) => () =>
    time(
      process.execPath,
      [boardmill, 'solve', problem, input, '-o', join(folder, 'out'), '-j', jobs],
      null,
    ) / count;
  const columns = { one: solve('1'), two: solve('2') };
  if (peer !== null) columns.peer = () => time(peer, [], peerInput) / peerCount;
  const times = interleave(columns);
  const ratio = peer === null ? null : median(times.peer.map((ms, i) => ms / times.one[i]));
  const scaling = median(times.one.map((ms, i) => ms / times.two[i]));
  return { name, what, count, peerCount, goal, times, ratio, scaling };
}

function interleave(columns) {
  const times = Object.fromEntries(Object.keys(columns).map((key) => [key, []]));
  for (let run = -1; run < RUNS; run++) {
    for (const [key, measure] of Object.entries(columns)) {
      const ms = measure();
      // The first round warms the caches and is not counted.
      if (run >= 0) times[key].push(ms);
    }
  }
  return times;
}

/** A peer that answers differently is no peer. */
async function checkAnswers(problem, peer, input) {
  const digests = [];
  for (const [command, ...args] of [[peer], [process.execPath, boardmill, 'solve', problem]]) {
    const output = join(folder, 'answers');
    run(command, args, input, output);
    digests.push(await digestAnswers(output));
  }
  if (digests[0] !== digests[1]) throw new Error(`${problem}: the peer and boardmill answer differently`);
}

/** Path of the compiled peer, null without a C++ compiler. */
function compile(problem) {
  const bin = join(here, 'peers', 'bin');
  const program = join(bin, problem);
  const source = join(here, 'peers', `${problem}.cpp`);
  if (changedAt(program) > changedAt(source)) return program;
  mkdirSync(bin, { recursive: true });
  const flags = ['-O3', '-march=native', '-std=c++17', '-o', program, source];
  const { error, status } = spawnSync(process.env.CXX ?? 'g++', flags, { stdio: 'inherit' });
  if (error !== undefined) console.error('no C++ compiler: peers are skipped');
  return error === undefined && status === 0 ? program : null;
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Milliseconds a whole process takes. */
function time(command, args, stdinPath) {
  const begin = performance.now();
  run(command, args, stdinPath, '/dev/null');
  return performance.now() - begin;
}

function run(command, args, stdinPath, stdoutPath) {
  const stdin = stdinPath === null ? 'ignore' : openSync(stdinPath, 'r');
  const stdout = openSync(stdoutPath, 'w');
  const { status } = spawnSync(command, args, { stdio: [stdin, stdout, 'inherit'] });
  closeSync(stdout);
  if (stdinPath !== null) closeSync(stdin);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}`);
}

function us(values) {
  const format = (ms) => significant(ms * 1000);
  return `${format(median(values))} (${format(Math.min(...values))}-${format(Math.max(...values))})`;
}

function summary() {
  const headings = ['input', 'cases', 'boardmill -j 1', '-j 2', 'C++ peer', 'peer / -j 1', '-j 1 / -j 2'];
  const rows = table.map(({ name, what, count, times, ratio, scaling }) => [
    `${name}: ${what}`,
    count.toLocaleString('en-US'),
    us(times.one),
    us(times.two),
    times.peer ? us(times.peer) : 'no compiler',
    ratio === null ? '-' : ratio.toFixed(1),
    scaling.toFixed(2),
  ]);
  return [
    `Microseconds a case, whole processes, ${RUNS} rounds in turn, median (least-most). ${describeRun(about)}.`,
    '',
    markdownTable(headings, rows).trimEnd(),
  ];
}

/** The table between the README's marks, and the picture beside it. */
function updateReadme() {
  const path = join(root, 'README.md');
  const readme = readFileSync(path, 'utf8');
  const marks = /<!-- bench:peers -->[\s\S]*<!-- \/bench:peers -->/;
  if (!marks.test(readme)) throw new Error('README.md has no <!-- bench:peers --> ... <!-- /bench:peers -->');
  const picture = '![How many times the throughput of C++ on one core](docs/throughput.svg)';
  const content = ['<!-- bench:peers -->', ...summary(), '', picture, '', '<!-- /bench:peers -->'].join('\n');
  writeFileSync(
    path,
    readme.replace(marks, () => content),
  );
  if (table.some(({ ratio }) => ratio === null)) return;
  const bars = table.flatMap(({ name, times }) =>
    [
      ['boardmill -j 1', times.one],
      ['boardmill -j 2', times.two],
    ].map(([series, own]) => ({
      input: name,
      series,
      ratio: median(times.peer.map((ms, i) => ms / own[i])),
    })),
  );
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs', 'throughput.svg'), plotSpeeds(bars, 'times the C++ peer on one core'));
}
