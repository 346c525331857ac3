/** How programs do on cases: what `judge` learns from running a program, and the verdicts that it reports. */
import type { ByteRange } from './comparators.js';
import type { AnsweredCases } from './sink.js';

/**
 * The verdicts of contests: accepted, wrong answer, time limit exceeded, run-time error, memory limit exceeded.
 */
export const VERDICTS = ['AC', 'WA', 'TLE', 'RTE', 'MLE'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a program did on a case, before anybody has compared its answer. */
export interface CaseOutcome {
  /** The answer that the program printed, labelled with the number of the case; null if it printed none. */
  readonly answer: ByteRange | null;
  /** Why the case has no answer to compare; null if it has one. */
  readonly failure: CaseFailure | null;
  /** Seconds that the case took. In a run with several cases, it is the share of one case. */
  readonly seconds: number;
  /** Seconds of processor time, shared in the same way; null if they are not known. */
  readonly cpuSeconds: number | null;
}

export interface CaseFailure {
  readonly verdict: Exclude<Verdict, 'AC'>;
  /** The reason as a message shows it, such as "the program was killed by SIGSEGV". */
  readonly reason: string;
}

/** A program that `judge` runs on the cases of an input. */
export interface JudgedProgram {
  /** The program as the user named it. */
  readonly name: string;
  /**
   * Runs the program on consecutive cases, of which the first has the number `firstCase`. Returns an outcome for each case.
   * Several calls may run at the same time.
   */
  run(cases: AnsweredCases, firstCase: number): Promise<readonly CaseOutcome[]>;
  close(): void;
}
