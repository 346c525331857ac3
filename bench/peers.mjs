/**
 * Compares boardmill with well-tuned C++ programs that use the usual algorithms (bench/peers). Whole processes are
 * measured, and take turns. The C++ program is called the peer. It is slower, so it gets only the first cases of the
 * input, and all times are given per case.
 *
 *   npm run bench [-- runs [scale]]
 *
 * `runs` is the number of measured rounds. `scale` multiplies the number of cases, and is for trials: only with scale 1, and with a
 * C++ compiler, are the results written to peers.json in runs/<date-machine>/, and to the pages that show them (speeds.mjs).
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestAnswers } from '../build/src/tools/bench/answers.js';
import { median } from '../build/src/tools/bench/statistics.js';
import { RECIPES, writeInput } from './inputs.mjs';
import { openRunFolder } from './run-folder.mjs';
import { SPEEDS_FILE, speedPages, speedTable } from './speeds.mjs';

const MEASURED_ROUNDS = Number(process.argv[2] ?? 5);
const SCALE = Number(process.argv[3] ?? 1);
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
const speeds = { about, table };
console.log(speedTable(speeds).join('\n'));
if (table.some(({ ratio }) => ratio === null))
  console.error('nothing is written, because there are no times of C++ programs');
else if (SCALE === 1) {
  writeResult(SPEEDS_FILE, `${JSON.stringify(speeds, null, 2)}\n`);
  for (const { path, content } of speedPages(speeds)) writeFileSync(path, content);
}

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
