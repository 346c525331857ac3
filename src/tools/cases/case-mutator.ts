/** Changes cases at random, so that they stay valid. */
import { ByteWriter } from '../../core/bytes.js';
import type { Random } from '../../core/random.js';
import type { CaseParser } from '../../formats/input-format.js';
import type { Problem } from '../../problems/problem.js';
import { mutateCaseText } from './mutate.js';

/** Limits of the attempts to change a case so that it stays valid: their number, and the bytes that all of them parse. */
const MUTATION_TRIES = 200;
const MUTATION_BYTES = 2e7;
/** A case gets up to 2^MAX_STEP_BITS changes at a time. */
const MAX_STEP_BITS = 6;

export class CaseMutator {
  readonly #problem: Pick<Problem, 'inputFormat'>;
  readonly #parser: CaseParser<unknown>;
  readonly #out = new ByteWriter();

  constructor(problem: Pick<Problem, 'inputFormat'>) {
    this.#problem = problem;
    this.#parser = problem.inputFormat.createParser();
  }

  /**
   * Returns a case that differs from the given one and obeys the input format; null if none was found. `donors` are other cases
   * of the same input, from which text may be taken.
   */
  mutate(
    head: Uint8Array | null,
    bytes: Uint8Array,
    donors: readonly Uint8Array[],
    random: Random,
  ): Uint8Array | null {
    let changed = bytes;
    let wanted = 1 << random.below(MAX_STEP_BITS + 1);
    this.#parser.useHead(head);
    const mostTries = Math.min(MUTATION_TRIES, MUTATION_BYTES / bytes.length);
    for (let tries = 0; tries < mostTries && wanted > 0; tries++) {
      const donor = donors.length === 0 ? bytes : random.pick(donors);
      const next = this.#asCase(mutateCaseText(changed, donor, random));
      if (next === null) continue;
      changed = next;
      wanted--;
    }
    return Buffer.compare(changed, bytes) === 0 ? null : changed;
  }

  /** Returns the case that a text begins with, in canonical layout; null if it is not valid. */
  #asCase(text: Uint8Array): Uint8Array | null {
    const value = this.#parser.parse(text, 0, text.length, null);
    if (value === null) return null;
    this.#problem.inputFormat.printCase(value, this.#out);
    const printed = this.#out.take();
    return this.#parser.parse(printed, 0, printed.length, null) === null ? null : printed;
  }
}
