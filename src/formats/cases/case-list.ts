/**
 * Counts and lists everything that a sequence of choices can make. Whoever makes a case asks for its choices one by one, and
 * each may depend on the choices before it. A choice whose alternatives all leave the same choices open is counted once, and
 * so are two choices with the same key. So boardmill counts most things without listing them, and finds the one at any index
 * directly.
 *
 * Nothing of a case is kept but its choices: the next case is made anew, with the choices of the one before it up to the
 * last that has another alternative.
 */
import { BoardmillError } from '../../core/errors.js';

/** What is known of a choice. */
export interface Choice {
  /** What messages call the choice, such as a field. */
  readonly name: string;
  /** Whether what follows depends on which alternative is taken. */
  readonly isDeciding: boolean;
  /** Two choices with the same key have the same numbers of alternatives, and the same choices follow them. */
  readonly key: string;
}

/** Answers the choices of one case. */
export interface Choices {
  /** Whether cases are only counted. Then it does not matter what a choice that does not decide makes. */
  readonly isCounting: boolean;
  /** Returns the index of one of `size` alternatives, at least 1. Throws what whoever makes the case lets through. */
  choose(size: bigint, describe: () => Choice): bigint;
}

/** Returned in place of a case if the choices lead to none. */
export const DEAD_END = Symbol('dead end');

/** Fails because there is no end to the cases, or because they are too many to count. */
export class EnumerationError extends BoardmillError {
  constructor(reason: string) {
    super('usage', `cannot list every case: ${reason}`);
  }
}

/** The choices are too many to count. Less would have to be counted if fewer of them decided what follows. */
export class TooManyChoices extends EnumerationError {}

/** The most choices of a case. */
const MAX_DEPTH = 1000;
/** The most alternatives that are looked at one by one. */
const MAX_ALTERNATIVES = 100_000;
/** The largest number of bits of a count, and of all counts together. */
const MAX_COUNT_BITS = 100_000;
const MAX_BITS = 1 << 28;
/** What a count takes in memory apart from its bits and its key, in bits. */
const ENTRY_BITS = 1000;

/** How many ways there are to go on from a choice, or from the end of a case. */
interface Count {
  readonly all: bigint;
  /** What follows each alternative of the choice; a single count if it is the same for all. */
  readonly next: readonly Count[];
}

const END: Count = { all: 1n, next: [] };
const NO_CASE: Count = { all: 0n, next: [] };

/** All that can be made, in order. */
export class CaseList<Made> {
  readonly count: bigint;
  readonly #make: (choices: Choices) => Made | typeof DEAD_END;
  readonly #start: Count;
  /** The counts by the keys of choices. */
  readonly #counts = new Map<string, Count>();
  #alternatives = 0;
  #bits = 0;

  /** Fails with `TooManyChoices` if what can be made cannot be counted. */
  constructor(make: (choices: Choices) => Made | typeof DEAD_END) {
    this.#make = make;
    this.#start = this.#countAfter([]);
    this.count = this.#start.all;
  }

  /** Yields what the choices make, in the order of their alternatives, from this index on. */
  *madeFrom(index: bigint): Generator<Made> {
    if (index >= this.count) return;
    const choices = new ListedChoices(this.#start, index);
    do {
      const made = this.#make(choices);
      if (made !== DEAD_END) yield made;
    } while (choices.advance());
  }

  /** Counts the ways to go on after these choices: makes one case, and then those with its other deciding alternatives. */
  #countAfter(taken: readonly bigint[]): Count {
    const choices = new CountedChoices(this.#counts, taken);
    let count = this.#tryToMake(choices);
    for (const [at, choice] of [...choices.added.entries()].reverse()) {
      this.#lookAt(choice);
      const before = [...taken, ...new Array<bigint>(at).fill(0n)];
      count = choice.isDeciding
        ? this.#countEach(choice, count, before)
        : { all: choice.size * count.all, next: [count] };
      this.#remember(choice, count);
    }
    return count;
  }

  /** Returns how many ways there are to go on from where making a case has ended. */
  #tryToMake(choices: CountedChoices): Count {
    try {
      return this.#make(choices) === DEAD_END ? NO_CASE : END;
    } catch (thrown) {
      if (thrown instanceof Reached) return thrown.count;
      throw thrown;
    }
  }

  #countEach(choice: CountedChoice, first: Count, before: readonly bigint[]): Count {
    const next = [first];
    for (let index = 1n; index < choice.size; index++) {
      this.#lookAt(choice);
      next.push(this.#countAfter([...before, index]));
    }
    return { all: next.reduce((sum, { all }) => sum + all, 0n), next };
  }

  #lookAt({ name }: Choice): void {
    if (++this.#alternatives > MAX_ALTERNATIVES) {
      throw new TooManyChoices(`${name} has too many values on which the rest of a case depends`);
    }
  }

  #remember({ name, key }: Choice, count: Count): void {
    const bits = bitsOf(count.all);
    this.#bits += bits + 16 * key.length + ENTRY_BITS;
    if (bits > MAX_COUNT_BITS || this.#bits > MAX_BITS) {
      throw new TooManyChoices(`the values from ${name} on are too many to count`);
    }
    this.#counts.set(key, count);
  }
}

interface CountedChoice extends Choice {
  readonly size: bigint;
}

/** Thrown where a choice is reached from which the ways to go on are known. */
class Reached {
  constructor(readonly count: Count) {}
}

/** Repeats choices, and then takes the first alternatives up to a choice that was counted before. */
class CountedChoices implements Choices {
  readonly isCounting = true;
  /** The choices after the repeated ones. */
  readonly added: CountedChoice[] = [];
  readonly #counts: ReadonlyMap<string, Count>;
  readonly #taken: readonly bigint[];
  #at = 0;

  constructor(counts: ReadonlyMap<string, Count>, taken: readonly bigint[]) {
    this.#counts = counts;
    this.#taken = taken;
  }

  choose(size: bigint, describe: () => Choice): bigint {
    if (this.#at < this.#taken.length) return this.#taken[this.#at++];
    const choice = describe();
    const known = this.#counts.get(choice.key);
    if (known !== undefined) throw new Reached(known);
    if (this.#taken.length + this.added.length > MAX_DEPTH) {
      throw new TooManyChoices(`a case has more than ${MAX_DEPTH} values`);
    }
    this.added.push({ ...choice, size });
    return 0n;
  }
}

/** A choice of the case that is made. */
interface Taken {
  index: bigint;
  readonly size: bigint;
  readonly count: Count;
}

/** The choices of one case after the other. */
class ListedChoices implements Choices {
  readonly isCounting = false;
  readonly #start: Count;
  readonly #taken: Taken[] = [];
  #at = 0;
  /** How many cases come before the one that is made, among those with the choices so far. */
  #skipped: bigint;

  constructor(start: Count, skipped: bigint) {
    this.#start = start;
    this.#skipped = skipped;
  }

  choose(size: bigint): bigint {
    if (this.#at === this.#taken.length) {
      const last = this.#taken.at(-1);
      const count = last === undefined ? this.#start : countAfter(last, last.index);
      this.#taken.push({ index: this.#find(count), size, count });
    }
    return this.#taken[this.#at++].index;
  }

  /** Finds the alternative that leads to the case. */
  #find({ next }: Count): bigint {
    let index = 0;
    for (; index + 1 < next.length && this.#skipped >= next[index].all; index++) {
      this.#skipped -= next[index].all;
    }
    if (next.length > 1 || this.#skipped === 0n) return BigInt(index);
    const equal = this.#skipped / next[0].all;
    this.#skipped %= next[0].all;
    return equal;
  }

  /**
   * Takes the next alternative of the last choice that has one, and leaves those after it open. Returns whether there is one.
   */
  advance(): boolean {
    this.#at = 0;
    for (let last = this.#taken.at(-1); last !== undefined; last = this.#taken.at(-1)) {
      do last.index++;
      while (last.index < last.size && countAfter(last, last.index).all === 0n);
      if (last.index < last.size) return true;
      this.#taken.pop();
    }
    return false;
  }
}

/** What follows this alternative of a choice. */
function countAfter({ count: { next } }: Taken, index: bigint): Count {
  return next.length === 1 ? next[0] : next[Number(index)];
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
