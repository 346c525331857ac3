/**
 * boardmill against straightforward, well-tuned C++ (bench/peers), whole processes on one core each, in turn.
 * The peer gets a prefix of the same recipe, so that neither runs for too long; times are a case.
 *
 *   npm run build && node bench/peers.mjs [runs] [scale]
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RECIPES, writeInput } from './inputs.mjs';

const RUNS = Number(process.argv[2] ?? 5);
const SCALE = Number(process.argv[3] ?? 1);
const here = fileURLToPath(new URL('.', import.meta.url));
const boardmill = join(here, '..', 'dist', 'src', 'cli', 'main.js');

/** Cases for boardmill (about five seconds of work) and for the peer (about two), and the ratio to reach. */
const ROWS = {
  'bacterial-tactics-mixed': { cases: 400_000, peerCases: 12_000, goal: 12 },
  'bacterial-tactics-sparse': { cases: 400_000, peerCases: 6_000, goal: 22 },
  darkraft: { cases: 12_000, peerCases: 200, goal: 16 },
  'river-pawn': { cases: 300_000, peerCases: 600, goal: 40 },
  'link-and-pop': { cases: 6_000, peerCases: 60, goal: 16 },
};

const folder = mkdtempSync(join(tmpdir(), 'boardmill-'));
const table = [];
for (const name of Object.keys(ROWS)) table.push(await compare(name));
rmSync(folder, { recursive: true });
report();

async function compare(name) {
  const { problem, what } = RECIPES[name];
  const { cases, peerCases, goal } = ROWS[name];
  const input = join(folder, 'boardmill.in');
  const peerInput = join(folder, 'peer.in');
  const count = Math.max(1, Math.round(cases * SCALE));
  const peerCount = Math.max(1, Math.round(peerCases * SCALE));
  await writeInput(name, count, input);
  await writeInput(name, peerCount, peerInput);
  const peer = compile(problem);
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

/** Path of the compiled peer, null without a C++ compiler. */
function compile(problem) {
  const bin = join(here, 'peers', 'bin');
  const program = join(bin, problem);
  if (existsSync(program)) return program;
  mkdirSync(bin, { recursive: true });
  const flags = ['-O3', '-march=native', '-std=c++17', '-o', program, join(here, 'peers', `${problem}.cpp`)];
  const { error, status } = spawnSync(process.env.CXX ?? 'g++', flags, { stdio: 'inherit' });
  if (error !== undefined) console.error('no C++ compiler: peers are skipped');
  return error === undefined && status === 0 ? program : null;
}

/** Milliseconds a whole process takes. */
function time(command, args, stdinPath) {
  const stdin = stdinPath === null ? 'ignore' : openSync(stdinPath, 'r');
  const begin = performance.now();
  const { status } = spawnSync(command, args, { stdio: [stdin, 'ignore', 'inherit'] });
  const ms = performance.now() - begin;
  if (stdinPath !== null) closeSync(stdin);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}`);
  return ms;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function us(values) {
  const format = (ms) => (ms * 1000).toPrecision(3);
  return `${format(median(values))} (${format(Math.min(...values))}-${format(Math.max(...values))})`;
}

function report() {
  const lines = [
    `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, ${RUNS} rounds in turn, median (least-most), us a case, whole processes`,
    '',
    '| input | cases | boardmill -j 1 | -j 2 | C++ peer | peer / -j 1 | goal | -j 1 / -j 2 |',
    '|---|---|---|---|---|---|---|---|',
    ...table.map(
      ({ name, what, count, times, ratio, goal, scaling }) =>
        `| ${name}: ${what} | ${count} | ${us(times.one)} | ${us(times.two)} | ${times.peer ? us(times.peer) : 'no compiler'} ` +
        `| ${ratio === null ? '-' : ratio.toFixed(1)} | ${goal} | ${scaling.toFixed(2)} |`,
    ),
  ];
  console.log(lines.join('\n'));
  if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, JSON.stringify(table, null, 2));
}
