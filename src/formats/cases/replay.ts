/** Makes a case again with the choices of an earlier one and a change. A value that no longer fits is moved into its bounds. */
import type { ExactInteger } from '../language/exact.js';
import { type CaseChange, simplestNumber } from './changes.js';
import {
  ChoiceFailure,
  type Chooser,
  emptyRangeFailure,
  type GridSize,
  type NumberQuestion,
  type TextRule,
} from './chooser.js';
import type {
  DecisionItem,
  DerivationItem,
  ElementsItem,
  NumberItem,
  NumbersItem,
  TextItem,
} from './derivation.js';
import type { NumberRange } from './number-range.js';

/** A list that becomes longer gets at most this many elements that it did not have before. */
const MAX_NEW_ELEMENTS = 1000;

/** A list that is made again. */
interface ReplayedList {
  /** The elements that the list had in the earlier case; null if the earlier case did not have the list. */
  readonly item: ElementsItem | null;
  /** Returns the index that an element had in the earlier case; for a new element, an index after the last one. */
  readonly indexOf: (index: number) => number;
  readonly outer: readonly DerivationItem[];
}

/** Answers the questions of a new case with the answers in the derivation of an earlier case. */
export class ReplayChooser implements Chooser {
  readonly #change: CaseChange;
  /** Whether questions are allowed to which the earlier case has no answer. They get the simplest answer. */
  readonly #mayGrow: boolean;
  /** The items of the earlier case, or of one of its elements, that are not used yet. */
  #items: readonly DerivationItem[];
  readonly #lists: ReplayedList[] = [];

  constructor(items: readonly DerivationItem[], change: CaseChange, mayGrow = false) {
    this.#items = items;
    this.#change = change;
    this.#mayGrow = mayGrow;
  }

  number(range: NumberRange, { name }: Pick<NumberQuestion, 'name'>): ExactInteger {
    const item = this.#take<NumberItem>('number', name);
    const value = item === null ? 0n : ((this.#change.answers?.get(item) as ExactInteger) ?? item.value);
    return this.#clamp(value, range, name);
  }

  numbers(
    { rows, cols }: GridSize,
    ranges: readonly NumberRange[],
    { name }: NumberQuestion,
  ): readonly ExactInteger[] {
    const item = this.#take<NumbersItem>('numbers', name)!;
    const values = (this.#change.answers?.get(item) as readonly ExactInteger[]) ?? item.values;
    const [rowAt, colAt] = [this.#kept(item.rows, rows, name), this.#kept(item.cols, cols, name)];
    const width = cols * ranges.length;
    return Array.from({ length: rows * width }, (_, at) => {
      const part = at % ranges.length;
      const cell =
        rowAt(Math.floor(at / width)) * item.cols + colAt(Math.floor((at % width) / ranges.length));
      return this.#clamp(values[cell * ranges.length + part], ranges[part], name);
    });
  }

  text(_rule: TextRule, { name }: NumberQuestion): string {
    return this.textOf(name)!;
  }

  /** Returns the next text with this name; null if the earlier case has none. */
  textOf(name: string): string | null {
    const item = this.#take<TextItem>('text', name);
    return item === null ? null : ((this.#change.answers?.get(item) as string) ?? item.text);
  }

  /** Returns the next answer of a test with this name; null if the earlier case has none. */
  decision(name: string): boolean | null {
    return this.#take<DecisionItem>('decision', name)?.isTrue ?? null;
  }

  /** If `count` is null, later questions decide how many elements there are. */
  enter(name: string, count: number | null): void {
    const item = this.#take<ElementsItem>('elements', name);
    const length = item?.elements.length ?? 0;
    const { leftOut } = this.#change;
    const indexOf =
      leftOut !== undefined && leftOut.item === item
        ? skipping(leftOut.range.from, leftOut.range.count, length)
        : this.#kept(length, count ?? length, name);
    this.#lists.push({ item, indexOf, outer: this.#items });
  }

  beforeCondition(index: number): void {
    const { item, indexOf } = this.#lists.at(-1)!;
    this.#items = item?.conditions?.[indexOf(index)] ?? [];
  }

  beforeElement(index: number): void {
    const { item, indexOf } = this.#lists.at(-1)!;
    const length = item?.elements.length ?? 0;
    if (index > length + MAX_NEW_ELEMENTS) throw new ChoiceFailure('too-large', 'a list does not end');
    this.#items = item?.elements[indexOf(index)] ?? [];
  }

  leave(): void {
    this.#items = this.#lists.pop()!.outer;
  }

  /** Takes the next item with this name; null if there is none. Fails in place of null if the case must not become larger. */
  #take<Taken extends DerivationItem>(kind: Taken['kind'], name: string): Taken | null {
    const at = this.#items.findIndex((item) => item.kind === kind && item.name === name);
    if (at >= 0) {
      const item = this.#items[at] as Taken;
      this.#items = this.#items.slice(at + 1);
      return item;
    }
    if (this.#mayGrow) return null;
    throw new ChoiceFailure('no-element', `"${name}" was not there before`);
  }

  /** Returns a function from the index of each of `count` elements to its earlier index. Surplus elements are left out. */
  #kept(length: number, count: number, name: string): (index: number) => number {
    const surplus = Math.max(0, length - count);
    if (count > length && !this.#mayGrow) {
      throw new ChoiceFailure('no-element', `"${name}" had fewer elements before`);
    }
    const from = Math.min(length - surplus, Math.round((this.#change.position ?? 1) * length));
    return skipping(from, surplus, length);
  }

  /** Moves a number into its bounds. */
  #clamp(value: ExactInteger, range: NumberRange, name: string): ExactInteger {
    const { low, high } = range;
    if (low > high) throw emptyRangeFailure(name, low, high);
    if (this.#change.isSimplest === true) return simplestNumber(value, range);
    if (value >= low && value <= high) return value;
    const end = value < low ? low : high;
    return typeof value === 'bigint' ? BigInt(end) : Number(end);
  }
}

/** Returns a function from the index of an element to its earlier index, if `count` elements at `from` are left out. */
function skipping(from: number, count: number, length: number): (index: number) => number {
  return (index) => Math.min(index < from ? index : index + count, length);
}
