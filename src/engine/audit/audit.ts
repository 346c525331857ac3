/**
 * Checks a secret sample of the answers of a run: solves a twin of each case, which is another case with the same answer, such
 * as the board turned, and compares the answers. Hardware that computes wrongly now and then is unlikely to make the same
 * mistake twice. Motive: Hochschild et al., "Cores that don't count", HotOS 2021.
 */
import { formatCount, formatQuantity } from '../../core/format-count.js';
import type { Problem } from '../../problems/problem.js';
import type { AuditStats } from '../tally.js';

/** The two cases whose answers differ, as they are saved. */
export interface AuditDifference {
  /** The name of the input, and the number of the case in it. */
  readonly input: string;
  readonly caseNumber: number;
  /** The bytes of the case and of its twin. */
  readonly bytes: Uint8Array;
  readonly twin: Uint8Array;
  /** The bytes of the head of the input; null if it has none. */
  readonly head: Uint8Array | null;
}

export interface AuditOptions {
  readonly problem: Problem;
  /** The share of the cases that are audited, from 0 to 1. */
  readonly share: number;
  /** Returns a random number from 0 to 1 that no worker can know. */
  readonly random: () => number;
  /** Saves the two cases of a difference. Returns the end of the message, which says where. */
  readonly save: (difference: AuditDifference) => Promise<string>;
}

/** How likely it is that a bound holds. */
const CONFIDENCE = 0.95;

/** Counts what is audited. All inputs of a run share one audit. */
export class Audit {
  readonly options: AuditOptions;
  #pairs = 0;
  #differences = 0;
  #uncompared = 0;

  constructor(options: AuditOptions) {
    this.options = options;
  }

  addPair(isEqual: boolean): void {
    this.#pairs++;
    if (!isEqual) this.#differences++;
  }

  /** Counts cases whose twins have no answers, because the solver failed on them. */
  addUncompared(count: number): void {
    this.#uncompared += count;
  }

  get stats(): AuditStats {
    const [pairs, differences, uncompared] = [this.#pairs, this.#differences, this.#uncompared];
    // If a larger share were wrong, so many pairs without a difference would have a probability below 1 - CONFIDENCE.
    const bound = pairs === 0 || differences > 0 ? null : 1 - (1 - CONFIDENCE) ** (1 / pairs);
    return { pairs, differences, uncompared, bound };
  }

  /** Says what was found; null if answers differed, which the error of the run says. */
  describe(): string | null {
    const { pairs, differences, uncompared, bound } = this.stats;
    if (differences > 0) return null;
    const compared = `${formatQuantity(pairs, 'answer')} ${pairs === 1 ? 'was' : 'were'} compared with those to symmetric twins`;
    const failed =
      uncompared === 0
        ? ''
        : `; ${formatQuantity(uncompared, 'twin')} could not be solved, and so not compared`;
    const oneIn = bound === null ? 0 : Math.floor(1 / bound);
    if (oneIn < 2) return `${compared}, too few to say how rare wrong ones are${failed}`;
    return `fewer than 1 wrong in ${formatCount(oneIn)} at ${100 * CONFIDENCE} %: ${compared}${failed}`;
  }
}
