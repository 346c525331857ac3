/**
 * Starts the first worker thread of `solve` before the command line is parsed. A thread takes about as long to start as the
 * rest of the program takes to load, and the two use different processors. If the thread turns out not to be needed, only its
 * time is lost.
 */
import { availableParallelism } from 'node:os';
import { findProblem } from '../catalog/registry.js';
import { LocalPool } from '../engine/local-pool.js';
import type { WorkerSettings } from '../engine/output-settings.js';

interface EarlyPool {
  readonly problem: string;
  readonly jobs: number;
  readonly pool: LocalPool;
}

let earlyPool: EarlyPool | null = null;

/** Matches the options with which a run needs a pool with other settings, or no pool. */
const OPTIONS_OF_OTHER_POOLS = /^--(exec|solver|timeout|queue|help|version)|^-[a-zA-Z]*[hV]/;

/** Starts a pool if these arguments of `solve` will probably need one. */
export function startPoolEarly([problem, ...others]: readonly string[]): void {
  const entry = problem === undefined ? undefined : findProblem(problem);
  const jobs = jobsIn(others);
  if (entry === undefined || jobs === null || others.some((arg) => OPTIONS_OF_OTHER_POOLS.test(arg))) return;
  const { name } = entry;
  const pool = new LocalPool({ problem: { kind: 'built-in', name }, solver: 'auto' }, { jobs });
  earlyPool = { problem: name, jobs, pool };
}

/** Returns the number of workers that the arguments ask for; null if that is only clear after parsing them. */
function jobsIn(args: readonly string[]): number | null {
  const index = args.findIndex((arg) => /^(--jobs|-[a-zA-Z]*j)/.test(arg));
  if (index < 0) return availableParallelism();
  const value = /^(?:--jobs=|-j)(.+)$/.exec(args[index])?.[1] ?? args[index + 1];
  return /^[1-9]\d?$/.test(value ?? '') ? Number(value) : null;
}

/** Returns the early pool if it has these settings; null otherwise. The caller closes the pool. */
export function takeEarlyPool({ problem, solver }: WorkerSettings, jobs: number): LocalPool | null {
  if (earlyPool === null || problem.kind !== 'built-in' || solver !== 'auto') return null;
  if (earlyPool.problem !== problem.name || earlyPool.jobs !== jobs) return null;
  const { pool } = earlyPool;
  earlyPool = null;
  return pool;
}

/** Closes the early pool unless a run has taken it. */
export async function closeEarlyPool(): Promise<void> {
  await earlyPool?.pool.close();
  earlyPool = null;
}
