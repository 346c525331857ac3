/** Decides which verdict, such as TLE or RTE, a failed run of a judged program gets. */
import { readFileSync } from 'node:fs';
import { formatMebibytes } from '../../core/format-count.js';
import type { JudgedFailure } from '../verdict.js';
import type { ProgramOutcome, ResourceUsage } from './program-shell.js';

/** The limits of a run that decide on its verdict. */
interface JudgingLimits {
  readonly timeoutSeconds: number;
  /** Largest address space of the program, in bytes; null if memory is not limited. */
  readonly memoryBytes: number | null;
}

/** If a program fails and has used at least this share of its memory limit, the verdict is that it lacked memory. */
const FULL_MEMORY_SHARE = 0.9;

/** Matches the messages with which programs of various languages say on standard error that they got no more memory. */
const NO_MEMORY =
  /bad_alloc|MemoryError|OutOfMemoryError|out of memory|cannot allocate memory|memory allocation of \d+ bytes failed/i;

/** Returns the failure of a run of a program, or null if the run ended well and in time. */
export function failureOfProgramRun(
  outcome: ProgramOutcome,
  limits: JudgingLimits,
  kills: OutOfMemoryKills,
): JudgedFailure | null {
  const { failure, usage } = outcome;
  const { timeoutSeconds } = limits;
  if (failure?.kind === 'timeout' || (failure === null && (usage?.seconds ?? 0) > timeoutSeconds))
    return { verdict: 'TLE', reason: `no answer within ${timeoutSeconds} s` };
  if (failure === null) return null;
  const isMemory = kills.explain(failure.reason) || lacksMemory(outcome, failure.reason, limits);
  const verdict = isMemory ? 'MLE' : 'RTE';
  return {
    verdict,
    reason: `the program ${failure.reason}${isMemory ? '' : hintAtLimit(failure.reason, limits)}`,
  };
}

/** A program that does not check whether it got memory fails at its first access to it, with little memory in use. */
function hintAtLimit(reason: string, { memoryBytes }: JudgingLimits): string {
  if (memoryBytes === null || !reason.includes('SIGSEGV')) return '';
  return ` (it may use ${formatMebibytes(memoryBytes)} of address space)`;
}

function lacksMemory({ usage }: ProgramOutcome, reason: string, { memoryBytes }: JudgingLimits): boolean {
  if (memoryBytes === null) return false;
  return hasFilledMemoryLimit(usage, memoryBytes) || NO_MEMORY.test(reason);
}

/** Whether the program's address space came so close to the limit that a failure counts as lack of memory. */
export function hasFilledMemoryLimit(usage: ResourceUsage | null, memoryBytes: number): boolean {
  return (usage?.peakBytes ?? 0) >= FULL_MEMORY_SHARE * memoryBytes;
}

/** Finds out whether Linux has killed processes because the machine had no memory left. */
export class OutOfMemoryKills {
  #seen = countKills();

  /** Whether the reason of a program's failure means that Linux has killed the program for lack of memory. */
  explain(reason: string): boolean {
    return reason.includes('SIGKILL') && this.#hasNew();
  }

  /** Whether Linux has killed a process for lack of memory since the last call. */
  #hasNew(): boolean {
    const before = this.#seen;
    this.#seen = countKills();
    return this.#seen > before;
  }
}

/** Returns how many processes Linux has killed for lack of memory since the machine started; 0 if Linux does not report it. */
function countKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
