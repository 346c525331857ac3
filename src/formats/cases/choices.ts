/**
 * Counts and lists everything that a sequence of choices can make. After each choice, the next one may depend on the
 * choices before it. A choice whose alternatives all leave the same choices open is counted once, and so are two choices with
 * the same key. So boardmill counts most things without listing them, and finds the one at any index directly.
 */
import { BoardmillError } from '../../core/errors.js';

/** What comes next: a choice, the end with what the choices have made, or no way to go on. */
export type Step<Made> = Choice<Made> | End<Made> | DeadEnd;

export interface Choice<Made> {
  readonly kind: 'choice';
  /** Two choices with the same key have the same numbers of alternatives, and the same choices follow them. */
  readonly key: string;
  /** What messages call the choice, such as a field. */
  readonly name: string;
  /** Number of alternatives. */
  readonly size: bigint;
  /** Whether what follows depends on which alternative is taken. */
  readonly isDeciding: boolean;
  /** Takes the alternative with this index, which is below `size`. */
  take(index: bigint): Step<Made>;
}

interface End<Made> {
  readonly kind: 'end';
  /** Makes what has been chosen. Counting does not call it. */
  make(): Made;
}

interface DeadEnd {
  readonly kind: 'dead-end';
}

export const DEAD_END: DeadEnd = { kind: 'dead-end' };

/** Fails because there is no end to the cases, or because they are too many to count. */
export class EnumerationError extends BoardmillError {
  constructor(reason: string) {
    super('usage', `cannot list every case: ${reason}`);
  }
}

/** The choices are too many to count. Less would have to be counted if fewer of them decided what follows. */
export class TooManyChoices extends EnumerationError {}

/** The most choices in a row. Counting calls itself for each of them. */
const MAX_DEPTH = 1000;
/** The most alternatives that are looked at one by one. */
const MAX_ALTERNATIVES = 100_000;
/** The largest number of bits of a count, and of all counts together. */
const MAX_COUNT_BITS = 100_000;
const MAX_BITS = 1 << 28;
/** What a count takes in memory apart from its bits and its key, in bits. */
const ENTRY_BITS = 1000;

export class ChoiceTree<Made> {
  readonly count: bigint;
  readonly #start: Step<Made>;
  /** The numbers of ways to go on, by the keys of choices. */
  readonly #counts = new Map<string, bigint>();
  #alternatives = 0;
  #bits = 0;

  /** Fails with `TooManyChoices` if what can be made cannot be counted. */
  constructor(start: Step<Made>) {
    this.#start = start;
    this.count = this.#countFrom(start, 0);
  }

  /** Yields what the choices make, in the order of their alternatives, from this index on. */
  *madeFrom(index: bigint): Generator<Made> {
    if (index >= this.count) return;
    const taken: { readonly choice: Choice<Made>; index: bigint }[] = [];
    let step: Step<Made> | null = this.#start;
    let skipped = index;
    while (step !== null) {
      while (step.kind === 'choice') {
        const entry: { choice: Choice<Made>; index: bigint } = { choice: step, index: 0n };
        taken.push(entry);
        [entry.index, skipped] = this.#find(step, skipped);
        step = step.take(entry.index);
      }
      if (step.kind === 'end') yield step.make();
      step = this.#nextStep(taken);
    }
  }

  /** Returns the alternative to which this index leads, and the index among what follows it. */
  #find(choice: Choice<Made>, index: bigint): [bigint, bigint] {
    if (!choice.isDeciding) {
      const each = this.#countFrom(choice.take(0n), 0);
      return [index / each, index % each];
    }
    let skipped = index;
    for (let alternative = 0n; ; alternative++) {
      const count = this.#countFrom(choice.take(alternative), 0);
      if (skipped < count) return [alternative, skipped];
      skipped -= count;
    }
  }

  /** Takes the next alternative of the last choice that has one. Returns null if none has. */
  #nextStep(taken: { readonly choice: Choice<Made>; index: bigint }[]): Step<Made> | null {
    for (let last = taken.at(-1); last !== undefined; last = taken.at(-1)) {
      while (++last.index < last.choice.size) {
        const step = last.choice.take(last.index);
        if (this.#countFrom(step, 0) > 0n) return step;
      }
      taken.pop();
    }
    return null;
  }

  #countFrom(step: Step<Made>, depth: number): bigint {
    if (step.kind !== 'choice') return step.kind === 'end' ? 1n : 0n;
    const known = this.#counts.get(step.key);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) throw new TooManyChoices(`a case has more than ${MAX_DEPTH} values`);
    const count = step.isDeciding ? this.#countAll(step, depth) : this.#countEqual(step, depth);
    this.#remember(step, count);
    return count;
  }

  #countEqual(choice: Choice<Made>, depth: number): bigint {
    if (choice.size === 0n) return 0n;
    this.#lookAt(choice);
    return choice.size * this.#countFrom(choice.take(0n), depth + 1);
  }

  #countAll(choice: Choice<Made>, depth: number): bigint {
    let count = 0n;
    for (let index = 0n; index < choice.size; index++) {
      this.#lookAt(choice);
      count += this.#countFrom(choice.take(index), depth + 1);
    }
    return count;
  }

  #lookAt({ name }: Choice<Made>): void {
    if (++this.#alternatives > MAX_ALTERNATIVES) {
      throw new TooManyChoices(`${name} has too many values on which the rest of a case depends`);
    }
  }

  #remember({ key, name }: Choice<Made>, count: bigint): void {
    const bits = bitsOf(count);
    this.#bits += bits + 16 * key.length + ENTRY_BITS;
    if (bits > MAX_COUNT_BITS || this.#bits > MAX_BITS) {
      throw new TooManyChoices(`the values from ${name} on are too many to count`);
    }
    this.#counts.set(key, count);
  }
}

function bitsOf(count: bigint): number {
  return count.toString(16).length * 4;
}

/** Returns the digits of the index in the base `size`, the most significant first: the elements of an array by index. */
export function digitsOf(index: bigint, size: bigint, length: number): bigint[] {
  const digits = new Array<bigint>(length).fill(0n);
  for (let at = length - 1, rest = index; at >= 0 && rest > 0n; at--, rest /= size) digits[at] = rest % size;
  return digits;
}

/** The number of arrays of this length whose elements have `size` values. Fails if it is too large. */
export function countArrays(name: string, size: bigint, length: number): bigint {
  if (length > MAX_ELEMENTS || (size > 1n && bitsOf(size - 1n) * length > 4 * MAX_COUNT_BITS)) {
    throw new TooManyChoices(`the values of ${name} are too many to count`);
  }
  return size ** BigInt(length);
}

/** The most elements of an array in a listed case. */
const MAX_ELEMENTS = 1_000_000;
