/**
 * Starts threads before the command line is parsed: the first worker thread of `solve`, which also describes the module of
 * a run, or a thread that only does that. A thread takes about as long to start as the rest of the program takes to load,
 * and the two use different processors. If a thread turns out not to be needed, only its time is lost. No thread runs code
 * of a module before it is told to.
 */
import { availableParallelism } from 'node:os';
import { findProblem } from '../catalog/registry.js';
import { LocalPool } from '../engine/local-pool.js';
import type { WorkerSettings } from '../engine/output-settings.js';
import {
  lendDescribingThread,
  startDescribingThreadEarly,
  stopUnusedDescribingThread,
} from '../problems/modules/describe-module.js';
import { isModulePath, referenceToModule } from '../problems/modules/module-path.js';
import type { ProblemReference } from '../problems/problem-reference.js';

interface EarlyPool {
  readonly problem: ProblemReference;
  readonly jobs: number;
  readonly pool: LocalPool;
}

let earlyPool: EarlyPool | null = null;

/** Matches the options with which a run needs a pool with other settings, or no pool. */
const OPTIONS_OF_OTHER_POOLS = /^--(exec|solver|timeout|queue)/;
/** Matches the options with which a command only prints a text. */
const OPTIONS_OF_TEXTS = /^--(help|version)|^-[a-zA-Z]*[hV]/;

/** Starts the threads that the command with these arguments will probably need. */
export function startThreadsEarly(command: string, [problem = '', ...others]: readonly string[]): void {
  if (others.some((arg) => OPTIONS_OF_TEXTS.test(arg))) return;
  const reference = referenceOf(problem);
  const pool = reference !== null && command === 'solve' ? startPool(reference, others) : null;
  if (reference?.kind !== 'module') return;
  if (pool === null) startDescribingThreadEarly();
  else lendDescribingThread((request) => pool.describeModule(request));
}

/** Returns the reference to a game or a module; null if the text names another problem, or none. */
function referenceOf(problem: string): ProblemReference | null {
  const entry = findProblem(problem);
  if (entry !== undefined) return { kind: 'built-in', name: entry.name };
  try {
    return isModulePath(problem) ? referenceToModule(problem) : null;
  } catch {
    // The command will report what is wrong with the path.
    return null;
  }
}

/** Starts the pool of a run with these arguments. Returns null if the run needs another pool, or none. */
function startPool(problem: ProblemReference, args: readonly string[]): LocalPool | null {
  const jobs = jobsIn(args);
  if (jobs === null || args.some((arg) => OPTIONS_OF_OTHER_POOLS.test(arg))) return null;
  earlyPool = { problem, jobs, pool: new LocalPool({ problem, solver: 'auto' }, { jobs }) };
  return earlyPool.pool;
}

/** Returns the number of workers that the arguments ask for; null if that is only clear after parsing them. */
function jobsIn(args: readonly string[]): number | null {
  const index = args.findIndex((arg) => /^(--jobs|-[a-zA-Z]*j)/.test(arg));
  if (index < 0) return availableParallelism();
  const value = /^(?:--jobs=|-j)(.+)$/.exec(args[index])?.[1] ?? args[index + 1];
  return /^[1-9]\d?$/.test(value ?? '') ? Number(value) : null;
}

/** Returns the early pool if it has these settings; null otherwise. The caller closes the pool. */
export function takePoolStartedEarly({ problem, solver }: WorkerSettings, jobs: number): LocalPool | null {
  if (earlyPool === null || earlyPool.jobs !== jobs || solver !== 'auto') return null;
  if (JSON.stringify(earlyPool.problem) !== JSON.stringify(problem)) return null;
  const { pool } = earlyPool;
  earlyPool = null;
  return pool;
}

/** Ends the threads that were started early, unless something uses them. */
export async function endEarlyThreads(): Promise<void> {
  stopUnusedDescribingThread();
  await earlyPool?.pool.closeWithProcess();
  earlyPool = null;
}
