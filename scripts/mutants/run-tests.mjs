/** Runs test files of the copy with vitest, with or without an active mutant, and says how they ended. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { killRun, killUsersOf } from './processes.mjs';
import { ACTIVE } from './schemata.mjs';

/** How often a run is looked at, in milliseconds. */
const LOOK_MS = 500;
/** A test file counts as endless if it takes this many times as long as in the recording, and `graceMs` longer. */
const SLOWER = 5;
const GRACE_MS = 30_000;
/** How long vitest may take to start or to end, or to go on with other files after a failure. */
const IDLE_MS = 120_000;
const END_MS = 10_000;
/** A mutant may write without end. A run ends when less space than this is left on its disk; it needs twice as much to start. */
const MIN_FREE_BYTES = 2 ** 30;

/**
 * @typedef {object} RunResult
 * @property {boolean} passed
 * @property {{ file: string | null, test: string | null, message: string, isEndless: boolean } | null} failure the first one
 * @property {{ file: string, passed: boolean, ms: number }[]} files those that ended
 */

/**
 * Runs test files in their order.
 * @param {object} run
 * @param {string} run.copy
 * @param {string} run.folder an own folder of this run; it is removed
 * @param {readonly string[]} run.files
 * @param {number} run.workers how many files run at a time
 * @param {readonly number[]} [run.mutants] the numbers of the active mutants
 * @param {string} [run.record] the folder for what test files reach
 * @param {number} [run.seed] of random tests
 * @param {(file: string) => number} [run.usualMs] how long a file took in the recording; with it, the run ends at the first
 * failure, or when it takes far longer
 * @param {number} [run.graceMs]
 * @param {AbortSignal} [run.signal]
 * @param {(ended: { file: string, passed: boolean, ms: number }) => void} [run.onFileEnd]
 * @returns {Promise<RunResult>}
 */
export async function runTests(run) {
  const { copy, folder, files, workers, mutants, record, seed, usualMs, signal } = run;
  const temporary = join(folder, 't');
  // A run of the same folder may have been left behind.
  killUsersOf(folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  // Else tests would fail for want of space, and their mutants would count as killed.
  if (freeBytes(temporary) < 2 * MIN_FREE_BYTES)
    throw new Error(
      `a run of the tests needs ${(2 * MIN_FREE_BYTES) / 2 ** 30} GiB of free space in ${folder}`,
    );
  const events = join(folder, 'events');
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ files, workers, bail: usualMs !== undefined }));
  const environment = environmentOf({ folder, temporary, events, mutants, record, seed });
  const log = openSync(join(folder, 'log'), 'w');
  const vitest = spawn(process.execPath, vitestCommand(), {
    cwd: copy,
    env: environment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const watch = new Watch(events, run);
  try {
    const code = await endOf(vitest, watch, temporary, signal);
    return watch.result(code, readFileSync(join(folder, 'log'), 'utf8'));
  } finally {
    killRun(vitest.pid, folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function vitestCommand() {
  return ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutants/vitest.config.mjs'];
}

/** Tests of this script run in vitest, whose variables the inner vitest must not see. */
function environmentOf({ folder, temporary, events, mutants, record, seed }) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    TMPDIR: temporary,
    BOARDMILL_MUTANTS_RUN: join(folder, 'run.json'),
    BOARDMILL_MUTANTS_EVENTS: events,
    ...(mutants === undefined ? {} : { [ACTIVE]: mutants.join(',') }),
    ...(record === undefined ? {} : { BOARDMILL_MUTANTS_RECORD: record }),
    ...(seed === undefined ? {} : { BOARDMILL_TEST_SEED: `${seed}` }),
  };
}

/** Resolves with vitest's exit code, or with null if it must not go on. */
async function endOf(vitest, watch, temporary, signal) {
  let code = null;
  const ended = new Promise((resolve) => {
    vitest.once('error', resolve);
    vitest.once('exit', (status) => {
      code = status ?? 1;
      resolve(null);
    });
  });
  while (code === null) {
    await Promise.race([ended, after(LOOK_MS)]);
    signal?.throwIfAborted();
    watch.look();
    if (code === null && (watch.isOver() || freeBytes(temporary) < MIN_FREE_BYTES)) return null;
  }
  watch.look();
  return code;
}

function freeBytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** What is known of a run from the events that its reporter has written. */
class Watch {
  #events;
  #usualMs;
  #graceMs;
  #onFileEnd;
  #read = 0;
  #lastEvent = Date.now();
  #failure = null;
  #failedAt = Infinity;
  /** The files that have started, with the time. */
  #running = new Map();
  #ended = [];

  constructor(events, { usualMs = undefined, graceMs = GRACE_MS, onFileEnd = undefined }) {
    this.#events = events;
    this.#usualMs = usualMs;
    this.#graceMs = graceMs;
    this.#onFileEnd = onFileEnd;
  }

  /** Reads the events that are new. */
  look() {
    if (!existsSync(this.#events)) return;
    const lines = readFileSync(this.#events, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.#read)) this.#take(JSON.parse(line));
    this.#read = lines.length;
  }

  #take(event) {
    this.#lastEvent = Date.now();
    if (event.kind === 'start') this.#running.set(event.file, event.at);
    else if (event.kind === 'failure') this.#fail(event);
    else this.#end(event);
  }

  #fail({ file, test, message }) {
    this.#failure ??= { file, test, message, isEndless: false };
    this.#failedAt = Math.min(this.#failedAt, Date.now());
  }

  #end({ file, passed, at }) {
    const ended = { file, passed, ms: at - (this.#running.get(file) ?? at) };
    this.#running.delete(file);
    this.#ended.push(ended);
    this.#onFileEnd?.(ended);
  }

  /** Whether the run must not go on: because it has failed, or takes far too long. */
  isOver() {
    const now = Date.now();
    if (this.#usualMs === undefined) return false;
    if (now > this.#failedAt + END_MS) return true;
    if (this.#running.size === 0 && now > this.#lastEvent + IDLE_MS) this.#endless(null);
    for (const [file, at] of this.#running) {
      if (now > at + SLOWER * this.#usualMs(file) + this.#graceMs) this.#endless(file);
    }
    return this.#failure?.isEndless === true;
  }

  #endless(file) {
    this.#failure ??= { file, test: null, message: 'the tests took too long', isEndless: true };
  }

  /** @returns {RunResult} */
  result(code, log) {
    const files = this.#ended;
    if (code === 0) return { passed: true, failure: null, files };
    const why =
      code === null
        ? 'the disk became full'
        : `vitest ended with exit code ${code}: ${log.trim().slice(-500)}`;
    const failure = this.#failure ?? { file: null, test: null, message: why, isEndless: false };
    return { passed: false, failure, files };
  }
}

/** @param {NonNullable<RunResult['failure']>} failure */
export function describeFailure({ file, test, message }) {
  return [file, test, message].filter(Boolean).join(' > ');
}
