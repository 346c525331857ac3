/** Decides which verdict a failed run of a program deserves. */
import { readFileSync } from 'node:fs';
import type { CaseFailure } from '../verdict.js';
import type { ProgramOutcome, ProgramUsage } from './program-shell.js';

/** The limits of a run that decide on its verdict. */
interface JudgingLimits {
  readonly timeoutSeconds: number;
  /** Null if memory is not limited. */
  readonly memoryBytes: number | null;
}

/** From this share of its limit on, a program that fails is said to have failed for lack of memory. */
const FULL_MEMORY_SHARE = 0.9;

/** How programs in various languages say on standard error that they got no memory. */
const NO_MEMORY =
  /bad_alloc|MemoryError|OutOfMemoryError|out of memory|cannot allocate memory|memory allocation of \d+ bytes failed/i;

/** Returns the failure of a run of a program, or null if the run ended well and in time. */
export function failureOfRun(
  outcome: ProgramOutcome,
  limits: JudgingLimits,
  kills: MemoryKills,
): CaseFailure | null {
  const { failure, usage } = outcome;
  const { timeoutSeconds } = limits;
  if (failure?.kind === 'timeout' || (failure === null && (usage?.seconds ?? 0) > timeoutSeconds))
    return { verdict: 'TLE', reason: `no answer within ${timeoutSeconds} s` };
  if (failure === null) return null;
  const isMemory = kills.explain(failure.reason) || lacksMemory(outcome, failure.reason, limits);
  const verdict = isMemory ? 'MLE' : 'RTE';
  return { verdict, reason: `the program ${failure.reason}` };
}

function lacksMemory({ usage }: ProgramOutcome, reason: string, { memoryBytes }: JudgingLimits): boolean {
  if (memoryBytes === null) return false;
  return hasFilledMemory(usage, memoryBytes) || NO_MEMORY.test(reason);
}

/** Whether the address space of a program came so close to its limit that a failure is put down to it. */
export function hasFilledMemory(usage: ProgramUsage | null, memoryBytes: number): boolean {
  return (usage?.peakBytes ?? 0) >= FULL_MEMORY_SHARE * memoryBytes;
}

/** Finds out whether Linux has killed processes because the machine had no memory left. */
export class MemoryKills {
  #seen = countKills();

  /** Whether a program failed for this reason because Linux has killed it for lack of memory. */
  explain(reason: string): boolean {
    return reason.includes('SIGKILL') && this.#hasNew();
  }

  /** Whether a process was killed since the last call. */
  #hasNew(): boolean {
    const before = this.#seen;
    this.#seen = countKills();
    return this.#seen > before;
  }
}

/** Returns how many processes Linux has killed for lack of memory since it started; 0 if it does not say. */
function countKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
