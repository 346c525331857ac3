/** Chooses what was chosen for another case, with a change. What does not fit any more is moved into its bounds. */
import type { WholeNumber } from '../language/exact.js';
import { type Change, simplestNumber } from './changes.js';
import { type Chooser, emptyRange, MakeFailure, type Question, type TextRule } from './chooser.js';
import type { ElementsItem, Item, NumberItem, NumbersItem, TextItem } from './derivation.js';
import type { NumberRange } from './number-range.js';

/** The elements of a list that are made again. */
interface ReplayedElements {
  readonly item: ElementsItem;
  /** Which recorded element each is. */
  readonly indexOf: (index: number) => number;
  readonly outer: readonly Item[];
}

export class ReplayChooser implements Chooser {
  readonly #change: Change;
  /** The items that are left of the element that is being made, or of the case. */
  #items: readonly Item[];
  readonly #lists: ReplayedElements[] = [];

  constructor(items: readonly Item[], change: Change) {
    this.#items = items;
    this.#change = change;
  }

  number(range: NumberRange, { name }: Question): WholeNumber {
    const item = this.#take<NumberItem>('number', name);
    return this.#clamp((this.#change.answers?.get(item) as WholeNumber) ?? item.value, range, name);
  }

  numbers(
    { rows, cols }: { readonly rows: number; readonly cols: number },
    ranges: readonly NumberRange[],
    { name }: Question,
  ): readonly WholeNumber[] {
    const item = this.#take<NumbersItem>('numbers', name);
    const values = (this.#change.answers?.get(item) as readonly WholeNumber[]) ?? item.values;
    const [rowAt, colAt] = [this.#kept(item.rows, rows, name), this.#kept(item.cols, cols, name)];
    const width = cols * ranges.length;
    return Array.from({ length: rows * width }, (_, at) => {
      const part = at % ranges.length;
      const cell =
        rowAt(Math.floor(at / width)) * item.cols + colAt(Math.floor((at % width) / ranges.length));
      return this.#clamp(values[cell * ranges.length + part], ranges[part], name);
    });
  }

  text(_rule: TextRule, { name }: Question): string {
    const item = this.#take<TextItem>('text', name);
    return (this.#change.answers?.get(item) as string) ?? item.text;
  }

  enter(name: string, count: number): void {
    const item = this.#take<ElementsItem>('elements', name);
    this.#lists.push({ item, indexOf: this.#kept(item.elements.length, count, name), outer: this.#items });
  }

  beforeElement(index: number): void {
    const { item, indexOf } = this.#lists.at(-1)!;
    this.#items = item.elements[indexOf(index)];
  }

  leave(): void {
    this.#items = this.#lists.pop()!.outer;
  }

  /** Takes the next item of this name. A case does not become larger, so there has to be one. */
  #take<Taken extends Item>(kind: Taken['kind'], name: string): Taken {
    const at = this.#items.findIndex((item) => item.kind === kind && item.name === name);
    if (at < 0) throw new MakeFailure('no-element', `"${name}" was not there before`);
    const item = this.#items[at] as Taken;
    this.#items = this.#items.slice(at + 1);
    return item;
  }

  /** Returns where each of `count` elements was among `length` ones: all in front of the surplus ones, and all after them. */
  #kept(length: number, count: number, name: string): (index: number) => number {
    const surplus = length - count;
    if (surplus < 0) throw new MakeFailure('no-element', `"${name}" had fewer elements before`);
    const from = Math.min(count, Math.round((this.#change.position ?? 1) * length));
    return (index) => (index < from ? index : index + surplus);
  }

  /** Moves a number into the bounds. */
  #clamp(value: WholeNumber, range: NumberRange, name: string): WholeNumber {
    const { low, high } = range;
    if (low > high) throw emptyRange(name, low, high);
    if (this.#change.isSimplest === true) return simplestNumber(value, range);
    if (value >= low && value <= high) return value;
    const end = value < low ? low : high;
    return typeof value === 'bigint' ? BigInt(end) : Number(end);
  }
}
