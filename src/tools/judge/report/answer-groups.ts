/** Finds wrong programs that print the same: they probably have the same mistake, or the same author. */
import type { Hash } from 'node:crypto';
import { createDigest } from '../../../core/digest.js';
import type { Verdict } from '../../../engine/verdict.js';

/** What was seen of one program. */
interface SeenProgram {
  readonly digest: Hash;
  hasWrongAnswer: boolean;
}

export class AnswerGroups {
  readonly #programs = new Map<string, SeenProgram>();

  /**
   * Takes note of what a program printed on a test, in the order of the tests. `answer` is null if a run has failed: how much
   * it has printed by then may be chance.
   */
  add(program: string, test: string, verdict: Verdict, answer: string | null): void {
    const seen = this.#programs.get(program) ?? { digest: createDigest(), hasWrongAnswer: false };
    this.#programs.set(program, seen);
    if (verdict === 'WA') seen.hasWrongAnswer = true;
    seen.digest.update(JSON.stringify([test, answer ?? verdict]));
  }

  /** Returns the groups of at least two programs with wrong answers that have printed the same on the same tests. */
  find(): string[][] {
    const byDigest = new Map<string, string[]>();
    for (const [program, { digest, hasWrongAnswer }] of this.#programs) {
      if (!hasWrongAnswer) continue;
      const key = digest.copy().digest('hex');
      byDigest.set(key, [...(byDigest.get(key) ?? []), program]);
    }
    return [...byDigest.values()].filter(({ length }) => length > 1);
  }
}

/** Describes a group: "these 3 print the same on all files: a, b, c". */
export function describeGroup(programs: readonly string[], tests: 'files' | 'cases'): string {
  return `these ${programs.length} print the same on all ${tests}: ${programs.join(', ')}`;
}
