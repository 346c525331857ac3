/** How a case was made: the answers to the questions that making it asks, in their order. */
import type { WholeNumber } from '../language/exact.js';
import type { Purpose, TextRule } from './chooser.js';
import type { NumberRange } from './number-range.js';

export interface NumberItem {
  readonly kind: 'number';
  /** What was asked for. Items are found by their names again. */
  readonly name: string;
  readonly purpose: Purpose;
  readonly value: WholeNumber;
  readonly range: NumberRange;
}

export interface NumbersItem {
  readonly kind: 'numbers';
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  /** The number with index i is in the range `ranges[i % ranges.length]`. */
  readonly ranges: readonly NumberRange[];
  readonly values: readonly WholeNumber[];
}

export interface TextItem {
  readonly kind: 'text';
  readonly name: string;
  readonly text: string;
  readonly rule: TextRule;
}

export interface ElementsItem {
  readonly kind: 'elements';
  readonly name: string;
  readonly elements: Item[][];
}

export type Item = NumberItem | NumbersItem | TextItem | ElementsItem;

/** Records items while something else answers the questions. */
export class Recorder {
  /** The items so far of the case, or of the element of a list that is being made. */
  items: Item[] = [];
  readonly #outer: { readonly item: ElementsItem; readonly items: Item[] }[] = [];

  enter(name: string): void {
    const item: ElementsItem = { kind: 'elements', name, elements: [] };
    this.items.push(item);
    this.#outer.push({ item, items: this.items });
  }

  beforeElement(): void {
    this.items = [];
    this.#outer.at(-1)!.item.elements.push(this.items);
  }

  leave(): void {
    this.items = this.#outer.pop()!.items;
  }
}
