/** The outcomes of judged programs: what `judge` learns by running a program on cases, and the verdicts that it reports. */
import type { ByteRange } from './comparators.js';
import type { CasesWithoutAnswers } from './sink.js';

/**
 * The verdicts of contests: accepted, wrong answer, time limit exceeded, run-time error, memory limit exceeded.
 */
export const VERDICTS = ['AC', 'WA', 'TLE', 'RTE', 'MLE'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The outcome of a program on a case, before its answer is compared with the right one. */
export interface CaseOutcome {
  /** The answer that the program printed, labelled with the number of the case; null if it printed none. */
  readonly answer: ByteRange | null;
  /** The reason why the program has no answer to the case; null if it has an answer. */
  readonly failure: JudgedFailure | null;
  /** Seconds that the program took for the case; in a run with several cases, an equal share of the run's time. */
  readonly seconds: number;
  /** Processor seconds that the program took for the case, or its equal share of them; null if not known. */
  readonly cpuSeconds: number | null;
}

export interface JudgedFailure {
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
  run(cases: CasesWithoutAnswers, firstCase: number): Promise<readonly CaseOutcome[]>;
  close(): void;
}
