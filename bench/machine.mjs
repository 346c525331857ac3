/**
 * Measures what bench/machine-model.mjs needs to predict the throughput of a larger machine.
 *
 *     npm run build && node bench/machine.mjs [--rounds N] [--scale X]
 *
 * 1. For each load: runs with one and two workers, and runs with workers that solve nothing, with several sizes of chunks.
 * 2. Of the machine: how fast one and two threads compute and copy memory; how fast answers are written; what the merge costs.
 *
 * `rounds` is the number of repetitions, which take turns. `scale` multiplies the number of cases. Writes machine.json to
 * runs/<date-machine>/. Needs Linux.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { loadProblem } from '../build/src/catalog/registry.js';
import { ReorderBuffer } from '../build/src/engine/merge.js';
import { streamSink } from '../build/src/engine/output/open-sink.js';
import { RECIPES, writeRepeatedInput } from './inputs.mjs';
import { measureRun, openAnswers, openWarmPool } from './machine-runs.mjs';
import { openRunFolder } from './run-folder.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, scale: { type: 'string', default: '1' } },
});
const ROUNDS = Number(values.rounds);
const SCALE = Number(values.scale);

/**
 * The loads: a recipe of bench/inputs.mjs, how many of its cases are drawn, and how often these cases are repeated in the input
 * that is solved, and in the input of the runs that solve nothing.
 */
const LOADS = [
  { name: 'bacterial-tactics-mixed', drawn: 40_000, solved: 8, skipped: 12 },
  { name: 'bacterial-tactics-sparse', drawn: 40_000, solved: 4, skipped: 12 },
  { name: 'darkraft', drawn: 1500, solved: 2, skipped: 100 },
  { name: 'river-pawn', drawn: 20_000, solved: 3, skipped: 50 },
  { name: 'link-and-pop', drawn: 1500, solved: 4, skipped: 20 },
];

const KIB = 1024;
/**
 * The costs of a case and of a chunk are computed from runs with chunks of these sizes. The unit is the size that boardmill chooses
 * when it solves the load.
 */
const CHUNK_FACTORS = [1 / 4, 1 / 2, 1, 2, 4];
/** The sizes of chunks for which the prediction is checked with two workers that solve nothing. */
const CHECKED_FACTORS = [1 / 4, 1];
/** What a further worker adds to the cost of a chunk is measured with this number of workers and small chunks. */
const CROWD = 64;
const CROWD_CHUNK_BYTES = 256 * KIB;

/**
 * Returns the runs of a round. `workers` says whether they solve or skip. Chunks of `null` bytes are as large as boardmill makes
 * them, which is `usualBytes` in a long run. The run with one case measures what any run costs.
 */
function runsOf(usualBytes) {
  const sizesOf = (factors) => factors.map((factor) => Math.round(usualBytes * factor));
  return [
    ...[1, 2].map((jobs) => ({ kind: 'solve', workers: 'solve', jobs, chunkBytes: null })),
    { kind: 'empty', workers: 'skip', jobs: 1, chunkBytes: null },
    ...sizesOf(CHUNK_FACTORS).map((chunkBytes) => ({ kind: 'skip', workers: 'skip', jobs: 1, chunkBytes })),
    ...sizesOf(CHECKED_FACTORS).map((chunkBytes) => ({ kind: 'skip', workers: 'skip', jobs: 2, chunkBytes })),
    ...[1, CROWD].map((jobs) => ({ kind: 'crowd', workers: 'skip', jobs, chunkBytes: CROWD_CHUNK_BYTES })),
  ];
}

/** The tests of the machine are repeated so often after each load. */
const TESTS_PER_LOAD = Math.min(2, ROUNDS);
/** Duration of each test of computing and of copying. */
const THREAD_TEST_MS = 300;
/** Size of the writes that are tested, and how many there are. */
const WRITE_BYTES = 256 * KIB;
const WRITES = 400;
/** Number of chunks that are merged, and of chunks that are in the merge at the same time. */
const MERGED_CHUNKS = 50_000;
const CHUNKS_IN_MERGE = [2, 512];

const { about, writeResult } = openRunFolder();
const folder = mkdtempSync(join(tmpdir(), 'boardmill-machine-'));
const output = join(folder, 'answers');
process.env.XDG_STATE_HOME = join(folder, 'state');
try {
  const loads = [];
  const tests = [];
  for (const load of LOADS) {
    console.error(`${load.name} ...`);
    loads.push(await measureLoad(load));
    tests.push(...(await measureMachine()));
  }
  writeResult('machine.json', `${JSON.stringify({ about, rounds: ROUNDS, tests, loads }, roundNumber, 1)}\n`);
  console.error('now: node bench/machine-model.mjs');
} finally {
  rmSync(folder, { recursive: true });
}

/** Rounds fractions to six digits, which are more than a measurement has. */
function roundNumber(_key, value) {
  return typeof value !== 'number' || Number.isInteger(value) ? value : Number(value.toPrecision(6));
}

/** Measures all runs of a load, `ROUNDS` times in turn. */
async function measureLoad({ name, drawn, solved, skipped }) {
  const problem = await loadProblem(RECIPES[name].problem);
  const cases = Math.ceil(drawn * SCALE);
  const skip = join(folder, 'skip.in');
  const inputs = { solve: join(folder, 'solve.in'), skip, crowd: skip, empty: join(folder, 'empty.in') };
  await writeRepeatedInput(name, cases, solved, inputs.solve);
  await writeRepeatedInput(name, cases, skipped, inputs.skip);
  await writeRepeatedInput(name, 1, 1, inputs.empty);
  const pools = await openPools(problem, inputs);
  const bytesPerCase = statSync(inputs.solve).size / (cases * solved);
  const usual = await measureRun(pools.solve[1], { input: inputs.solve, output, chunkBytes: null });
  const planned = runsOf(usual.casesPerFullChunk * bytesPerCase);
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { kind, workers, jobs, chunkBytes } of inTurn(planned, round)) {
      const measured = await measureRun(pools[workers][jobs], { input: inputs[kind], output, chunkBytes });
      runs.push({ kind, jobs, chunkBytes, round, ...measured });
    }
  }
  await Promise.all(
    Object.values(pools).flatMap((byJobs) => Object.values(byJobs).map(({ pool }) => pool.close())),
  );
  return { name, what: RECIPES[name].what, bytesPerCase, runs };
}

/** Opens the pools of all runs, by kind and number of workers. */
async function openPools(problem, inputs) {
  const pools = { solve: {}, skip: {} };
  for (const { workers, jobs } of runsOf(1)) {
    pools[workers][jobs] ??= await openWarmPool(problem, {
      jobs,
      kind: workers,
      input: inputs[workers],
      output,
    });
  }
  return pools;
}

/** Every second round goes through the list backwards, so that a slow phase of the machine disturbs all runs alike. */
function inTurn(list, round) {
  return round % 2 === 0 ? list : list.toReversed();
}

/** Measures the machine and the parts of the coordinator that can be measured alone. */
async function measureMachine() {
  const results = [];
  for (let round = 0; round < TESTS_PER_LOAD; round++) {
    for (const task of ['compute', 'copy']) {
      for (const threads of inTurn([1, 2], round))
        results.push({ test: task, threads, perSecond: await runThreads(task, threads) });
    }
    for (const target of [output, null])
      results.push({
        test: 'write',
        target: target === null ? 'nothing' : 'file',
        ...(await measureWrites(target)),
      });
    for (const running of CHUNKS_IN_MERGE)
      results.push({ test: 'merge', running, secondsPerChunk: await measureMerge(running) });
  }
  return results;
}

/** Runs a task in so many threads at once, and returns the rate of each. */
async function runThreads(task, count) {
  const file = new URL('machine-thread.mjs', import.meta.url);
  const workers = Array.from(
    { length: count },
    () => new Worker(file, { workerData: { task, ms: THREAD_TEST_MS } }),
  );
  await Promise.all(workers.map(nextMessage));
  for (const worker of workers) worker.postMessage('begin');
  const rates = await Promise.all(workers.map(nextMessage));
  await Promise.all(workers.map((worker) => worker.terminate()));
  return rates;
}

function nextMessage(worker) {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Writes answers to a file as a run does, or to nothing. Returns the bytes per second. */
async function measureWrites(target) {
  const sink = target === null ? nothing() : await openAnswers(target);
  const bytes = Buffer.alloc(WRITE_BYTES, 'Case #1: 0\n');
  const begin = performance.now();
  for (let i = 0; i < WRITES; i++) await sink.write(bytes, null);
  const seconds = (performance.now() - begin) / 1000;
  await sink.finish();
  return { bytesPerSecond: (WRITES * WRITE_BYTES) / seconds };
}

/** Opens a sink that drops what it gets. */
function nothing() {
  return streamSink(new Writable({ write: (_bytes, _encoding, done) => done() }));
}

/** Merges chunks, of which so many are running at a time and finish in reverse order. Returns the seconds per chunk. */
async function measureMerge(running) {
  const merge = new ReorderBuffer({
    maxRunning: () => running,
    maxWaitingBytes: Number.POSITIVE_INFINITY,
    bytesOf: () => 0,
    write: async () => {},
  });
  const begin = performance.now();
  for (let given = 0; given < MERGED_CHUNKS; given += running) {
    const finishers = [];
    for (let i = 0; i < running; i++) {
      await merge.waitForRoom();
      merge.add(new Promise((finish) => finishers.push(finish)));
    }
    for (const finish of finishers.toReversed()) finish();
    await merge.drain();
  }
  return (performance.now() - begin) / 1000 / MERGED_CHUNKS;
}
