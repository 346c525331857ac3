/**
 * Measures what the queue to other machines costs, with a Redis server and worker processes on this machine.
 *
 *     npm run build && node bench/queue.mjs [--rounds N] [--scale X]
 *
 * 1. For each load: the time of a local run with two workers, and of a run with two worker processes of one worker each, in turn.
 * 2. The processor time that a chunk and a megabyte cost the coordinator, Redis and a worker process, from runs with chunks that
 *    take long, each of which is a job of its own, and with large chunks. bench/queue-chunks.mjs has more about single chunks.
 * 3. How many bytes are sent, with gzip's and zstd's fastest levels.
 *
 * Writes queue.md and queue.json to runs/<date-machine>/. With a scale of at least 0.5, it also updates the tables and the plot
 * of docs/scaling.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as zlib from 'node:zlib';
import { median } from '../build/src/tools/bench/statistics.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { RECIPES, writeInput } from './inputs.mjs';
import { plotRatios } from './plots.mjs';
import { costOfChunk, QueueCluster, ROOT, SLOW_CHUNK } from './queue-cluster.mjs';
import { predict, tableOfPredictions } from './queue-model.mjs';
import { describeMachine, openRunFolder, replaceSection } from './run-folder.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, scale: { type: 'string', default: '1' } },
});
const ROUNDS = Number(values.rounds);
const SCALE = Number(values.scale);
const cluster = new QueueCluster();

/**
 * A recipe of bench/inputs.mjs with its number of cases, or with the seconds that its cases should take, and the options of `solve`.
 * @typedef {{ name: string, recipe: string, cases?: number, seconds?: number, options?: string[] }} Load
 */

/** @type {Load[]} */
const LOADS = [
  { name: 'bacterial-tactics', recipe: 'bacterial-tactics-mixed', cases: 600_000, options: [] },
  { name: 'darkraft', recipe: 'darkraft', cases: 12_000, options: [] },
  { name: 'link-and-pop', recipe: 'link-and-pop', cases: 20_000, options: [] },
  { name: 'river-pawn', recipe: 'river-pawn', cases: 400_000, options: [] },
  {
    name: 'link-and-pop, portable',
    recipe: 'link-and-pop',
    cases: 12_000,
    options: ['--solver', 'portable'],
  },
  { name: '--exec, 30 s of work', recipe: 'link-and-pop', seconds: 30 },
];

/** The chunk size of the runs from which the costs of a megabyte are computed. */
const LARGE_CHUNK = 4 * 1024 * 1024;

/** Number of chunks of the runs from which the costs of a chunk are computed. */
const CHUNKS = 250;

/** Size of the pieces that are compressed alone, as chunks are. */
const PIECE_BYTES = 1 << 20;

/** With a smaller scale, runs are so short that the start of processes is a large part of them. */
const MIN_SCALE_OF_PAGE = 0.5;

/** Who pays the costs, as the table calls them. */
const COST_NAMES = {
  coordinator: 'the main thread of the coordinator',
  coordinatorThreads: 'other threads of the coordinator',
  redis: 'Redis',
  workerProcess: 'a worker process, besides solving',
};

const { about, writeResult } = openRunFolder();
try {
  const peer = compilePeer('link-and-pop');
  const loads = [];
  for (const load of LOADS) {
    console.error(`${load.name} ...`);
    loads.push(await measureLoad(load, peer));
  }
  console.error('costs ...');
  const costs = await measureCosts();
  report(loads, costs);
} finally {
  cluster.close();
}

/** Compiles a C++ program of bench/peers, which stands for the program of a user. */
function compilePeer(problem) {
  const program = join(cluster.folder, problem);
  const source = join(ROOT, 'bench', 'peers', `${problem}.cpp`);
  const { status } = spawnSync(process.env.CXX ?? 'g++', [
    '-O3',
    '-march=native',
    '-std=c++17',
    '-o',
    program,
    source,
  ]);
  if (status !== 0) throw new Error('this measurement needs a C++ compiler');
  return program;
}

/** Measures a load: local runs with two workers, and runs with two worker processes of one worker, in turn, and one local worker alone. */
async function measureLoad(/** @type {Load} */ { name, recipe, cases, seconds, options }, peer) {
  const { problem } = RECIPES[recipe];
  const isExec = seconds !== undefined;
  const input = join(cluster.folder, 'load.in');
  const solving = isExec ? ['--exec', peer] : options;
  const count = Math.round((isExec ? await casesFor(seconds, recipe, problem, peer, input) : cases) * SCALE);
  await writeInput(recipe, count, input);
  const solve = (...others) => cluster.solve([problem, input, ...solving, ...others]);
  const workMs = solve('-j', '1').ms / count;
  const times = { local: [], queue: [] };
  await cluster.startWorkerProcesses(2, isExec ? ['--exec', peer] : []);
  let chunks = 0;
  for (let round = -1; round < ROUNDS; round++) {
    const local = solve('-j', '2');
    const queue = solve('--queue', cluster.url);
    if (queue.digest !== local.digest) throw new Error(`${name}: the queue gives other answers`);
    chunks = queue.stats.chunks;
    // Round -1 only fills the caches, and its time is not counted.
    if (round >= 0) {
      times.local.push(local.ms);
      times.queue.push(queue.ms);
    }
  }
  await cluster.stopWorkerProcesses();
  const output = readFileSync(join(cluster.folder, 'out'));
  const inputBytes = readFileSync(input);
  return {
    name,
    cases: count,
    chunks,
    workMs,
    bytes: inputBytes.length / count,
    answerBytes: output.length / count,
    sentBytes: (sentSize(inputBytes, deflate) + sentSize(output, deflate)) / count,
    ...compareCompression(inputBytes),
    times,
    ratio: median(times.local.map((ms, i) => ms / times.queue[i])),
  };
}

/** Returns the number of cases that take the program so many seconds. */
async function casesFor(seconds, recipe, problem, peer, input) {
  const sample = 200;
  await writeInput(recipe, sample, input);
  const { ms } = cluster.solve([problem, input, '--exec', peer, '-j', '1']);
  return (seconds * 1000 * sample) / ms;
}

function deflate(bytes) {
  return zlib.deflateSync(bytes, { level: zlib.constants.Z_BEST_SPEED });
}

/** Returns the number of bytes that are sent for a text, in pieces as large as chunks. */
function sentSize(bytes, compress) {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    sum += compress(bytes.subarray(at, at + PIECE_BYTES)).length;
  return sum;
}

/** Measures the fastest levels of deflate and zstd on the first pieces of an input: share of the size, and MB/s. */
function compareCompression(bytes) {
  const sample = bytes.subarray(0, 8 * PIECE_BYTES);
  const measure = (compress) => {
    const begin = process.cpuUsage();
    const size = sentSize(sample, compress);
    const { user, system } = process.cpuUsage(begin);
    return { share: size / sample.length, megabytesPerSecond: sample.length / (user + system) };
  };
  // zstd is a part of Node since version 22.15.
  const zstd = 'zstdCompressSync' in zlib ? zlib.zstdCompressSync : null;
  return {
    deflate: measure(deflate),
    zstd: typeof zstd === 'function' ? measure((piece) => zstd(piece)) : null,
  };
}

/**
 * Computes what a chunk and a megabyte of input cost: the coordinator's main thread, its other threads (which deflate), Redis and
 * a worker process. A chunk is measured with cases that sleep. For a megabyte, what a run with one case costs and what its
 * chunks cost is subtracted from a run with large chunks.
 */
async function measureCosts() {
  const { problem } = RECIPES['bacterial-tactics-mixed'];
  const [input, tiny] = ['costs.in', 'tiny.in'].map((name) => join(cluster.folder, name));
  await writeInput('bacterial-tactics-mixed', Math.round(300_000 * SCALE), input);
  await writeInput('bacterial-tactics-mixed', 1, tiny);
  const chunk = await costOfChunk(cluster, SLOW_CHUNK, CHUNKS, ROUNDS);
  await cluster.startWorkerProcesses(1);
  const measure = (file) => cluster.solveOverQueue([problem, file, '--chunk', `${LARGE_CHUNK}`]);
  measure(input);
  const rounds = Array.from({ length: ROUNDS }, () => ({ empty: measure(tiny), large: measure(input) }));
  await cluster.stopWorkerProcesses();
  const megabytes = statSync(input).size / 1e6;
  const local = (file) => cluster.solve([problem, file, '-j', '1']).cpuMs;
  const solvingMs = local(input) - local(tiny);
  return Object.fromEntries(
    Object.keys(COST_NAMES).map((part) => {
      const perChunkMs = Math.max(0, chunk[part]);
      const rest = rounds.map(
        ({ empty, large }) => large.cpu[part] - empty.cpu[part] - perChunkMs * large.chunks,
      );
      const own = median(rest) - (part === 'workerProcess' ? solvingMs : 0);
      return [part, { perChunkMs, perMegabyteMs: Math.max(0, own / megabytes) }];
    }),
  );
}

function report(loads, costs) {
  const efficiency = markdownTable(
    ['load', 'cases', 'chunks', 'local, -j 2', 'two worker processes, -j 1', 'ratio'],
    loads.map(({ name, cases, chunks, times, ratio }) => [
      name,
      cases.toLocaleString('en-US'),
      String(chunks),
      `${(median(times.local) / 1000).toFixed(2)} s`,
      `${(median(times.queue) / 1000).toFixed(2)} s`,
      ratio.toFixed(2),
    ]),
  );
  const costTable = markdownTable(
    ['who', 'ms per chunk', 'ms per megabyte of input'],
    Object.entries(costs).map(([who, { perChunkMs, perMegabyteMs }]) => [
      COST_NAMES[who],
      perChunkMs.toFixed(2),
      perMegabyteMs.toFixed(2),
    ]),
  );
  const compression = markdownTable(
    ['load', 'deflate', 'MB/s', 'zstd', 'MB/s'],
    loads.map(({ name, deflate, zstd }) => [
      name,
      percent(deflate.share),
      deflate.megabytesPerSecond.toFixed(0),
      zstd === null ? '-' : percent(zstd.share),
      zstd === null ? '-' : zstd.megabytesPerSecond.toFixed(0),
    ]),
  );
  const text = [
    `Medians of ${ROUNDS} rounds, whole processes, coordinator, Redis and worker processes on one machine. ${describeMachine(about)}.`,
    '',
    'A run with two worker processes of one worker each, compared with a local run with two workers:',
    '',
    efficiency,
    'Processor time of the queue:',
    '',
    costTable,
    'Number of busy cores at which something is exhausted, computed from these figures:',
    '',
    tableOfPredictions(loads, costs, 1),
  ].join('\n');
  console.log(
    `${text}\nShare of the bytes that are sent, fastest levels, and MB/s of one core:\n\n${compression}`,
  );
  writeResult('queue.md', `${text}\n\`${about.command}\`\n`);
  writeResult('queue.json', `${JSON.stringify({ about, loads, costs }, null, 2)}\n`);
  if (SCALE >= MIN_SCALE_OF_PAGE) updatePage(text, loads, costs);
}

/** Replaces the tables between the two `bench:queue` comments of docs/scaling.md, and the plot after them. */
function updatePage(text, loads, costs) {
  const plot =
    '![Number of cores at which the coordinator, Redis and a network of 1 Gbit/s are exhausted](scaling.svg)';
  replaceSection(join(ROOT, 'docs', 'scaling.md'), 'bench:queue', [text, plot, ''].join('\n'));
  const bars = loads.flatMap((load) =>
    Object.entries(predict(load, costs, 1).cores).map(([series, ratio]) => ({
      input: load.name,
      series,
      ratio,
    })),
  );
  writeFileSync(join(ROOT, 'docs', 'scaling.svg'), plotRatios(bars, 'busy cores at which it is exhausted'));
}

function percent(share) {
  return `${(100 * share).toFixed(0)} %`;
}
