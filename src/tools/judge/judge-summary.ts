/** Adds up the verdicts and times of programs on many cases, and suggests a time limit. */
import { VERDICTS, type Verdict } from '../../engine/verdict.js';
import type { JudgedRow } from './judge.js';

/** The case on which a program took longest. */
interface SlowestCase {
  readonly seconds: number;
  readonly input: string;
  readonly caseNumber: number;
}

/** The verdicts and times of one program, added up over all cases. */
export interface ProgramTotals {
  readonly name: string;
  readonly counts: Record<Verdict, number>;
  slowest: SlowestCase | null;
  /** Seconds that the program took for all cases together. */
  seconds: number;
  /** Seconds of processor time for all cases together; null if the time of any case is not known. */
  cpuSeconds: number | null;
}

export class JudgeSummary {
  readonly programs: readonly ProgramTotals[];
  cases = 0;

  constructor(names: readonly string[]) {
    this.programs = names.map((name) => ({
      name,
      counts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>,
      slowest: null,
      seconds: 0,
      cpuSeconds: 0,
    }));
  }

  /** Whether every program has answered every case correctly. */
  get isAllAccepted(): boolean {
    return this.programs.every(({ counts }) => counts.AC === this.cases);
  }

  add(input: string, { caseNumber, results }: JudgedRow): void {
    this.cases++;
    for (const [index, { verdict, seconds, cpuSeconds }] of results.entries()) {
      const totals = this.programs[index];
      totals.counts[verdict]++;
      totals.seconds += seconds;
      if (totals.cpuSeconds !== null)
        totals.cpuSeconds = cpuSeconds === null ? null : totals.cpuSeconds + cpuSeconds;
      if (seconds > (totals.slowest?.seconds ?? -1)) totals.slowest = { seconds, input, caseNumber };
    }
  }
}

/** Ratios: the suggested limit to the slowest correct program's time, and a too slow program's least time to the limit. */
const LIMIT_PER_RIGHT_TIME = 2;
const SLOW_TIME_PER_LIMIT = 1.5;

/** A suggested time limit, and the programs from which it follows. */
interface SuggestedLimit {
  readonly seconds: number;
  readonly slowestRight: { readonly name: string; readonly slowest: SlowestCase };
  /** Whether the programs that were too slow would be too slow under the suggested limit, too, by a wide margin. */
  readonly isSafe: boolean;
  /** Seconds that a program must take at least to be too slow under the limit by a wide margin. */
  readonly neededSeconds: number;
}

/**
 * Suggests a time limit in whole seconds as problemtools does: twice the time of the slowest correct program. Programs that are
 * meant to be too slow must take at least one and a half times the limit (ac_to_time_limit and time_limit_to_tle of the problem
 * package format). Returns null unless some program is correct on all cases. Programs ran for at most `timeoutSeconds`.
 */
export function suggestTimeLimit(
  { programs, cases }: JudgeSummary,
  timeoutSeconds: number,
): SuggestedLimit | null {
  const right = programs.filter(({ counts, slowest }) => slowest !== null && counts.AC === cases);
  const [slowestRight] = right.toSorted((a, b) => b.slowest!.seconds - a.slowest!.seconds);
  if (slowestRight === undefined) return null;
  const { name, slowest } = slowestRight;
  const seconds = Math.max(1, Math.ceil(slowest!.seconds * LIMIT_PER_RIGHT_TIME));
  const neededSeconds = seconds * SLOW_TIME_PER_LIMIT;
  const isSafe = timeoutSeconds >= neededSeconds || programs.every(({ counts }) => counts.TLE === 0);
  return { seconds, slowestRight: { name, slowest: slowest! }, isSafe, neededSeconds };
}
