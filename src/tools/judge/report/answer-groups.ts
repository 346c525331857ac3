/** Finds wrong programs that print the same: they probably have the same mistake, or the same author. */
import type { Hash } from 'node:crypto';
import { createDigest } from '../../../core/digest.js';
import { formatQuantity } from '../../../core/format-count.js';
import type { Verdict } from '../../../engine/verdict.js';

/** What was seen of one program. */
interface SeenProgram {
  readonly digest: Hash;
  hasWrongAnswer: boolean;
  tests: number;
}

/** Programs with wrong answers that have printed the same. */
export interface AnswerGroup {
  readonly programs: readonly string[];
  /** Number of tests on which each of them was run. */
  readonly tests: number;
}

export class AnswerGroups {
  readonly #programs = new Map<string, SeenProgram>();

  /**
   * Takes note of what a program printed on a test, in the order of the tests. `answer` is null if a run has failed: how much
   * it has printed by then may be chance.
   */
  add(program: string, test: string, verdict: Verdict, answer: string | null): void {
    const seen = this.#programs.get(program) ?? { digest: createDigest(), hasWrongAnswer: false, tests: 0 };
    this.#programs.set(program, seen);
    if (verdict === 'WA') seen.hasWrongAnswer = true;
    seen.tests++;
    seen.digest.update(JSON.stringify([test, answer ?? verdict]));
  }

  /** Returns the groups of at least two programs with wrong answers that have printed the same on the same tests. */
  find(): AnswerGroup[] {
    const byDigest = new Map<string, AnswerGroup>();
    for (const [program, { digest, hasWrongAnswer, tests }] of this.#programs) {
      if (!hasWrongAnswer) continue;
      const key = digest.copy().digest('hex');
      byDigest.set(key, { programs: [...(byDigest.get(key)?.programs ?? []), program], tests });
    }
    return [...byDigest.values()].filter(({ programs }) => programs.length > 1);
  }
}

/**
 * Describes a group: "these 3 print the same on all files: a, b, c". `all` is the number of tests that there are; programs that
 * ended early may print something else on those on which they were not run.
 */
export function describeAnswerGroup(
  { programs, tests }: AnswerGroup,
  noun: 'file' | 'case',
  all: number = tests,
): string {
  const first = tests === 1 ? `the first ${noun}` : `the first ${formatQuantity(tests, noun)}`;
  const where = tests === all ? `all ${noun}s` : `${first}, where they ended`;
  return `these ${programs.length} print the same on ${where}: ${programs.join(', ')}`;
}
