/**
 * Counts and lists all cases that a function can make from choices. The function asks for its choices one by one, and each
 * choice may depend on the choices before it. If the same choices follow every alternative of a choice, the cases after it are
 * counted once and multiplied by the number of alternatives. Cases after choices with the same key are counted once, too. So
 * boardmill counts most cases without making them, and finds the case at any index directly.
 *
 * Only the choices of one case are kept in memory. To make the next case, boardmill repeats these choices up to the last one
 * that has another alternative.
 */
import { BoardmillError } from '../../core/errors.js';

/** What the list of cases knows about a choice. */
export interface ChoiceDescription {
  /** The name of the choice in messages, such as the name of a field. */
  readonly name: string;
  /** Whether the choices that follow depend on which alternative is taken. */
  readonly isDeciding: boolean;
  /** Choices with the same key have the same number of alternatives, and the same choices follow them. */
  readonly key: string;
}

/** Takes the choices of one case. */
export interface ChoiceReceiver {
  /** Whether cases are only counted. If so, a choice that is not deciding may return any alternative. */
  readonly isCounting: boolean;
  /** Returns the index of one of `size` alternatives. The code that makes the case must not catch what `choose` throws. */
  choose(size: bigint, describe: () => ChoiceDescription): bigint;
}

/** Returned in place of a case if the choices do not lead to a case. */
export const NO_CASE_FROM_CHOICES = Symbol('dead end');

/** Fails because there are infinitely many cases, or too many to count. */
export class EnumerationError extends BoardmillError {
  constructor(reason: string) {
    super('usage', `cannot list every case: ${reason}`);
  }
}

/** Fails because there are too many choices to count. Counting would be possible if fewer of the choices were deciding. */
export class TooManyChoicesError extends EnumerationError {}

/** The largest number of choices in a case. */
const MAX_DEPTH = 1000;
/** The largest number of alternatives that are tried one by one while cases are counted. */
const MAX_ALTERNATIVES = 100_000;
/** The largest number of bits of one count, and of all counts in memory together. */
const MAX_COUNT_BITS = 100_000;
const MAX_BITS = 1 << 28;
/** The memory that a count takes in addition to its bits and its key, in bits. */
const ENTRY_BITS = 1000;

/** The number of cases that begin with the same choices. */
interface Count {
  readonly all: bigint;
  /** The counts of cases for each alternative of the next choice; a single count if it is the same for all alternatives. */
  readonly next: readonly Count[];
}

const END: Count = { all: 1n, next: [] };
const NO_CASE: Count = { all: 0n, next: [] };

/** All cases that choices can make, in the order of the alternatives. */
export class EnumeratedCases<Made> {
  readonly count: bigint;
  readonly #make: (choices: ChoiceReceiver) => Made | typeof NO_CASE_FROM_CHOICES;
  readonly #start: Count;
  /** The counts of cases that are known already, by the keys of choices. */
  readonly #counts = new Map<string, Count>();
  #alternatives = 0;
  #bits = 0;

  /** Fails with `TooManyChoicesError` if the cases cannot be counted. */
  constructor(make: (choices: ChoiceReceiver) => Made | typeof NO_CASE_FROM_CHOICES) {
    this.#make = make;
    this.#start = this.#countAfter([]);
    this.count = this.#start.all;
  }

  /** Yields the cases in the order of their alternatives, beginning with the case at this index. */
  *madeFrom(index: bigint): Generator<Made> {
    if (index >= this.count) return;
    const choices = new ListedChoices(this.#start, index);
    do {
      const made = this.#make(choices);
      if (made !== NO_CASE_FROM_CHOICES) yield made;
    } while (choices.advance());
  }

  /**
   * Counts the cases that begin with these choices. Makes one case, then one for each other alternative of a deciding choice.
   */
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

  /** Makes a case, and returns how many cases have its choices: 1, or 0 at a dead end, or the count that `Reached` holds. */
  #tryToMake(choices: CountedChoices): Count {
    try {
      return this.#make(choices) === NO_CASE_FROM_CHOICES ? NO_CASE : END;
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

  #lookAt({ name }: ChoiceDescription): void {
    if (++this.#alternatives > MAX_ALTERNATIVES) {
      throw new TooManyChoicesError(`${name} has too many values on which the rest of a case depends`);
    }
  }

  #remember({ name, key }: ChoiceDescription, count: Count): void {
    const bits = bitsOf(count.all);
    this.#bits += bits + 16 * key.length + ENTRY_BITS;
    if (bits > MAX_COUNT_BITS || this.#bits > MAX_BITS) {
      throw new TooManyChoicesError(`the values from ${name} on are too many to count`);
    }
    this.#counts.set(key, count);
  }
}

interface CountedChoice extends ChoiceDescription {
  readonly size: bigint;
}

/** Thrown to stop making a case at a choice after which the number of cases is known already. */
class Reached {
  constructor(readonly count: Count) {}
}

/** Repeats choices, and then takes the first alternative of each later choice up to a choice with a known count. */
class CountedChoices implements ChoiceReceiver {
  readonly isCounting = true;
  /** The choices that came after the repeated ones. */
  readonly added: CountedChoice[] = [];
  readonly #counts: ReadonlyMap<string, Count>;
  readonly #taken: readonly bigint[];
  #at = 0;

  constructor(counts: ReadonlyMap<string, Count>, taken: readonly bigint[]) {
    this.#counts = counts;
    this.#taken = taken;
  }

  choose(size: bigint, describe: () => ChoiceDescription): bigint {
    if (this.#at < this.#taken.length) return this.#taken[this.#at++];
    const choice = describe();
    const known = this.#counts.get(choice.key);
    if (known !== undefined) throw new Reached(known);
    if (this.#taken.length + this.added.length > MAX_DEPTH) {
      throw new TooManyChoicesError(`a case has more than ${MAX_DEPTH} values`);
    }
    this.added.push({ ...choice, size });
    return 0n;
  }
}

/** A choice in the case that is being made, and the alternative that was taken. */
interface Taken {
  index: bigint;
  readonly size: bigint;
  readonly count: Count;
}

/** The choices of cases that are made one after another. */
class ListedChoices implements ChoiceReceiver {
  readonly isCounting = false;
  readonly #start: Count;
  readonly #taken: Taken[] = [];
  #at = 0;
  /** Number of cases that come before the wanted case, among those with the same choices so far. */
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

  /** Returns the index of the alternative that has to be chosen for the wanted case. */
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
   * Takes the next alternative of the last choice that has one, and forgets all later choices. Returns false if no choice has
   * another alternative.
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

/** Returns the count of the cases that follow this alternative of a choice. */
function countAfter({ count: { next } }: Taken, index: bigint): Count {
  return next.length === 1 ? next[0] : next[Number(index)];
}

function bitsOf(count: bigint): number {
  return count.toString(16).length * 4;
}

/** Returns the digits of an index in the base `size`, which are the elements of the array with this index. */
export function digitsInBase(index: bigint, size: bigint, length: number): bigint[] {
  const digits = new Array<bigint>(length).fill(0n);
  for (let at = length - 1, rest = index; at >= 0 && rest > 0n; at--, rest /= size) digits[at] = rest % size;
  return digits;
}

/** The number of arrays of this length whose elements can have `size` values. Fails if that number is too large. */
export function countArrays(name: string, size: bigint, length: number): bigint {
  if (length > MAX_ELEMENTS || (size > 1n && bitsOf(size - 1n) * length > 4 * MAX_COUNT_BITS)) {
    throw new TooManyChoicesError(`the values of ${name} are too many to count`);
  }
  return size ** BigInt(length);
}

/** The largest number of elements of an array in a listed case. */
const MAX_ELEMENTS = 1_000_000;
