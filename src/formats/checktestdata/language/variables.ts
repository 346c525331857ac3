/** The variables of a running grammar. Each name has a value without index, and one value for each list of indices. */
import { type GrammarValue, keyOfValue } from './values.js';

/** The key of an array element: a number, or a text for several indices or for a large index. */
export type ElementKey = number | string;

/** The key under which a variable's value without index is listed among its elements. */
const NO_INDEX = '';

/** The elements of a variable that has indices. */
class ArrayVariable {
  /** The elements with the indices 0, 1, 2, ... without a gap. */
  readonly #dense: GrammarValue[];
  readonly #sparse: Map<ElementKey, GrammarValue>;
  /** The number of elements with each value, by the key of the value. Null until `countOf` is called for the first time. */
  #counts: Map<string | number, number> | null = null;
  /** Whether the elements belong to the head. If so, a case copies them before it changes them. */
  isShared = false;

  constructor(dense: GrammarValue[] = [], sparse = new Map<ElementKey, GrammarValue>()) {
    this.#dense = dense;
    this.#sparse = sparse;
  }

  get size(): number {
    return this.#dense.length + this.#sparse.size;
  }

  get(key: ElementKey): GrammarValue | undefined {
    return typeof key === 'number' && key >= 0 && key < this.#dense.length
      ? this.#dense[key]
      : this.#sparse.get(key);
  }

  /** Sets an element. Returns whether the element is new. */
  set(key: ElementKey, value: GrammarValue): boolean {
    const isDense = typeof key === 'number' && key >= 0 && key < this.#dense.length;
    const isNew = !isDense && !this.#sparse.has(key);
    if (this.#counts !== null) this.#recount(this.#counts, isNew ? undefined : this.get(key), value);
    if (isDense) this.#dense[key] = value;
    else if (isNew && key === this.#dense.length) this.#dense.push(value);
    else this.#sparse.set(key, value);
    return isNew;
  }

  *entries(): Generator<[ElementKey, GrammarValue]> {
    yield* this.#dense.entries();
    yield* this.#sparse;
  }

  /** Returns the number of elements that have this value. */
  countOf(value: GrammarValue): number {
    if (this.#counts === null) {
      this.#counts = new Map();
      for (const [, element] of this.entries()) this.#recount(this.#counts, undefined, element);
    }
    return this.#counts.get(keyOfValue(value)) ?? 0;
  }

  copy(): ArrayVariable {
    return new ArrayVariable([...this.#dense], new Map(this.#sparse));
  }

  #recount(
    counts: Map<string | number, number>,
    before: GrammarValue | undefined,
    after: GrammarValue,
  ): void {
    if (before !== undefined) counts.set(keyOfValue(before), counts.get(keyOfValue(before))! - 1);
    counts.set(keyOfValue(after), (counts.get(keyOfValue(after)) ?? 0) + 1);
  }
}

/** The values of one variable at one time. */
export interface VariableValues {
  readonly scalar: GrammarValue | undefined;
  readonly array: ArrayVariable | undefined;
}

/** All variables of a grammar. Each name has a number, called its slot. */
export class GrammarVariables {
  readonly scalars: (GrammarValue | undefined)[];
  readonly arrays: (ArrayVariable | undefined)[];

  constructor(slots: number) {
    this.scalars = new Array<GrammarValue | undefined>(slots).fill(undefined);
    this.arrays = new Array<ArrayVariable | undefined>(slots).fill(undefined);
  }

  /** Copies the values of `others`. `others` must not change as long as this object is used. */
  restore(others: GrammarVariables): void {
    for (let slot = 0; slot < this.scalars.length; slot++) {
      this.scalars[slot] = others.scalars[slot];
      const array = others.arrays[slot];
      if (array !== undefined) array.isShared = true;
      this.arrays[slot] = array;
    }
  }

  exists(slot: number): boolean {
    return this.scalars[slot] !== undefined || this.arrays[slot] !== undefined;
  }

  size(slot: number): number {
    return (this.scalars[slot] === undefined ? 0 : 1) + (this.arrays[slot]?.size ?? 0);
  }

  /** Yields all values of a name. The value without index has the key `NO_INDEX`. */
  *entries(slot: number): Generator<[ElementKey, GrammarValue]> {
    const scalar = this.scalars[slot];
    if (scalar !== undefined) yield [NO_INDEX, scalar];
    const array = this.arrays[slot];
    if (array !== undefined) yield* array.entries();
  }

  get(slot: number, key: ElementKey): GrammarValue | undefined {
    return key === NO_INDEX ? this.scalars[slot] : this.arrays[slot]?.get(key);
  }

  contains(slot: number, value: GrammarValue): boolean {
    const scalar = this.scalars[slot];
    if (scalar !== undefined && keyOfValue(scalar) === keyOfValue(value)) return true;
    return (this.arrays[slot]?.countOf(value) ?? 0) > 0;
  }

  /** Sets an element. Returns the number of elements that were added to arrays or copied for this. */
  setElement(slot: number, key: ElementKey, value: GrammarValue): number {
    let growth = 0;
    let array = this.arrays[slot];
    if (array === undefined) this.arrays[slot] = array = new ArrayVariable();
    else if (array.isShared) {
      this.arrays[slot] = array = array.copy();
      growth = array.size;
    }
    return growth + (array.set(key, value) ? 1 : 0);
  }

  /** Returns the values of a variable, which stay the same when the variable changes. */
  valuesOf(slot: number): VariableValues {
    const array = this.arrays[slot];
    if (array !== undefined) array.isShared = true;
    return { scalar: this.scalars[slot], array };
  }

  setValues(slot: number, { scalar, array }: VariableValues): void {
    this.scalars[slot] = scalar;
    this.arrays[slot] = array;
  }

  unset(slot: number): void {
    this.scalars[slot] = undefined;
    this.arrays[slot] = undefined;
  }
}
