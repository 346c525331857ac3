/**
 * Runs of the engine in this process, whose processor time is known for the coordinator and for the workers apart.
 * bench/machine.mjs uses them. Only Linux says how much processor time each thread has used.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSource } from '../build/src/engine/input/read.js';
import { LocalPool } from '../build/src/engine/local-pool.js';
import { openSink } from '../build/src/engine/output/open-sink.js';
import { PLAIN_SETTINGS } from '../build/src/engine/output-settings.js';
import { solveInput } from '../build/src/engine/run.js';
import { RunTally } from '../build/src/engine/tally.js';

/** Linux adds the last moments of a thread to its processor time when the thread goes to sleep. */
const REST_MS = 10;

/**
 * Opens a pool whose threads all run, and have solved the input once: what they compile and allocate only once is not a part
 * of later measurements. `kind` says whether the workers `solve`, or `skip` the cases.
 */
export async function openWarmPool(problem, { jobs, kind, input, output }) {
  const before = new Set(threadIds());
  const job = kind === 'skip' ? { job: { kind } } : {};
  const pool = new LocalPool(
    { problem: problem.reference, solver: 'auto', ...job },
    { jobs, inputBytes: Number.POSITIVE_INFINITY },
  );
  const opened = { problem, pool, jobs, threads: [], tasks: new TaskLog(pool) };
  await measureRun(opened, { input, output, chunkBytes: null });
  const threads = threadIds().filter((id) => !before.has(id));
  if (threads.length !== jobs)
    throw new Error(`expected ${jobs} new threads, got ${threads.length}: whose time is whose?`);
  return { ...opened, threads };
}

/**
 * Runs the engine on an input as `solve` does, and returns what the run took, in seconds: by the clock (`seconds`), and of
 * processors (`cpu`): the coordinator's thread, the threads of the workers, and all others, which read files and collect
 * garbage. `takenByOthers` is the number of processors that other programs used meanwhile. Opening and finishing the output is no
 * part of the run.
 */
export async function measureRun({ problem, pool, jobs, threads, tasks }, { input, output, chunkBytes }) {
  const source = await openSource(input);
  const sink = await openAnswers(output);
  const tally = new RunTally();
  tasks.clear();
  const options = {
    problem,
    settings: PLAIN_SETTINGS,
    chunkBytes,
    jobs,
    retries: 0,
    warn: () => {},
    note: () => {},
  };
  await sleep(REST_MS);
  const busyBefore = busySeconds();
  const cpuBefore = cpuSeconds(threads);
  const begin = performance.now();
  await solveInput(source, sink, pool, options, tally);
  const seconds = (performance.now() - begin) / 1000;
  await sleep(REST_MS);
  const cpu = subtract(cpuSeconds(threads), cpuBefore);
  const ownSeconds = cpu.coordinator + cpu.workers + cpu.others;
  const takenByOthers = Math.max(0, (busySeconds() - busyBefore - ownSeconds) / seconds);
  await sink.finish();
  await source.close();
  return {
    seconds,
    cpu,
    takenByOthers,
    cases: tally.cases,
    chunks: tasks.count,
    kindOfChunks: tasks.commonKind,
    casesPerFullChunk: tasks.casesPerFullTask,
    answerBytes: statSync(output).size,
  };
}

/** Opens the file with the answers, with its checkpoints, as `solve -o` does. */
export function openAnswers(output) {
  return openSink(output, {
    force: true,
    resume: false,
    settingsFingerprint: {},
    isRepeatable: false,
    inputStamp: null,
    isOneOfMany: false,
    note: () => {},
  });
}

/**
 * Remembers the kind and the size of what a pool gives to its workers: chunks that the coordinator has scanned, or parts of the
 * input that the workers scan (`solveByteRange`). For the model both are chunks: something that costs the coordinator a fixed time.
 */
class TaskLog {
  #tasks = [];

  constructor(pool) {
    for (const kind of ['solve', 'solveByteRange']) if (pool[kind] !== null) this.#watch(pool, kind);
  }

  #watch(pool, kind) {
    const solve = pool[kind].bind(pool);
    pool[kind] = async (task) => {
      const result = await solve(task);
      this.#tasks.push({ kind, cases: countAnswers(result) });
      return result;
    };
  }

  clear() {
    this.#tasks = [];
  }

  get count() {
    return this.#tasks.length;
  }

  /**
   * The size of the tasks in the middle of a long run: half of all cases are in tasks of at least this size. The mean would be
   * smaller, because the first and the last tasks of an input are small.
   */
  get casesPerFullTask() {
    return this.#middle().cases;
  }

  /** The kind of these tasks. */
  get commonKind() {
    return this.#middle().kind;
  }

  #middle() {
    const all = this.#tasks.reduce((sum, { cases }) => sum + cases, 0);
    let cases = 0;
    const sorted = this.#tasks.toSorted((a, b) => b.cases - a.cases);
    return sorted.find((task) => {
      cases += task.cases;
      return cases >= all / 2;
    });
  }
}

/**
 * @typedef {import('../build/src/engine/messages.js').ChunkResult} ChunkResult
 * @typedef {import('../build/src/engine/parallel-scan/range-messages.js').RangeResult} RangeResult
 */

/** Returns the number of cases that a worker has answered in a chunk or in a range. */
function countAnswers(/** @type {ChunkResult | RangeResult} */ result) {
  const results = 'chunks' in result ? result.chunks.map((chunk) => chunk.result) : [result];
  return results.reduce((sum, { answeredCases }) => sum + answeredCases, 0);
}

/** Returns the processor time of this process so far, in seconds. `workers` are the ids of the workers' threads. */
function cpuSeconds(workers) {
  const { user, system } = process.cpuUsage();
  const coordinator = cpuSecondsOf(process.pid);
  const worker = workers.reduce((sum, id) => sum + cpuSecondsOf(id), 0);
  return { coordinator, workers: worker, others: (user + system) / 1e6 - coordinator - worker };
}

function cpuSecondsOf(thread) {
  return Number.parseInt(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1'), 10) / 1e9;
}

/** Returns how long all processors together have been busy since the machine started, in seconds, also for other machines on its host. */
function busySeconds() {
  const TICKS_PER_SECOND = 100;
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'latin1')
    .split('\n')[0]
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}

function threadIds() {
  return readdirSync('/proc/self/task').map(Number);
}

function subtract(after, before) {
  return Object.fromEntries(Object.entries(after).map(([who, seconds]) => [who, seconds - before[who]]));
}
