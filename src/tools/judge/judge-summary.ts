/** Adds up how programs did on many cases, and suggests a time limit from it. */
import { VERDICTS, type Verdict } from '../../engine/verdict.js';
import type { JudgedRow } from './judge.js';

/** The case on which a program took longest. */
interface SlowestCase {
  readonly seconds: number;
  readonly input: string;
  readonly caseNumber: number;
}

/** How a program did on all cases. */
export interface ProgramTotals {
  readonly name: string;
  readonly counts: Record<Verdict, number>;
  slowest: SlowestCase | null;
  /** Seconds of all cases together. */
  seconds: number;
  /** Seconds of processor time of all cases together; null if it is not known for a case. */
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

  /** Whether every program was right on every case. */
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

/** How many times the time of the slowest right program the limit is, and how far too slow programs must exceed it. */
const LIMIT_PER_RIGHT_TIME = 2;
const SLOW_TIME_PER_LIMIT = 1.5;

/** A suggested time limit, and the programs from which it follows. */
interface SuggestedLimit {
  readonly seconds: number;
  readonly slowestRight: { readonly name: string; readonly slowest: SlowestCase };
  /** Whether programs that were too slow needed so much time that they are too slow for the suggested limit, too. */
  readonly isSafe: boolean;
  /** Seconds after which too slow programs must still run to be too slow for sure. */
  readonly neededSeconds: number;
}

/**
 * Suggests a time limit in whole seconds as problemtools does: twice the time of the slowest right program, and too slow
 * programs need at least one and a half times the limit (ac_to_time_limit and time_limit_to_tle of the problem package
 * format). Returns null unless some program is right on all cases. Programs ran for at most `timeoutSeconds`.
 */
export function suggestLimit(
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
