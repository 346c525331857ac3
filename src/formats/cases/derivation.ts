/** How a case was made: the answers to the questions that making it asks, in their order. */
import type { WholeNumber } from '../language/exact.js';
import type { Purpose, TextRule } from './chooser.js';
import type { NumberRange } from './number-range.js';

/** A single number, or how many elements there are. */
export interface NumberItem {
  readonly kind: 'number';
  /** What was asked for. Items are found by their names again. */
  readonly name: string;
  readonly purpose: Purpose;
  readonly value: WholeNumber;
  readonly range: NumberRange;
}

/** All numbers of an array, a grid or a table. */
export interface NumbersItem {
  readonly kind: 'numbers';
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  /** The number with index i is in the range `ranges[i % ranges.length]`. */
  readonly ranges: readonly NumberRange[];
  readonly values: readonly WholeNumber[];
}

/** A word, a line, or what a command of a grammar has read as text. */
export interface TextItem {
  readonly kind: 'text';
  readonly name: string;
  readonly text: string;
  readonly rule: TextRule | { readonly kind: 'regex' | 'float' };
}

/** The answer of a test that looks at text which is not written yet. */
export interface DecisionItem {
  readonly kind: 'decision';
  readonly name: string;
  readonly isTrue: boolean;
}

/** The elements of a list, or the iterations of a loop. */
export interface ElementsItem {
  readonly kind: 'elements';
  readonly name: string;
  readonly elements: Item[][];
  /**
   * What was answered before each element, and after the last one, to find out whether there is another; null: a number said
   * so.
   */
  readonly conditions: Item[][] | null;
}

/** An answer. */
export type Item = NumberItem | NumbersItem | TextItem | DecisionItem | ElementsItem;

/** Records items while something else answers the questions. */
export class Recorder {
  /** The items so far of the case, or of the element of a list that is being made. */
  items: Item[] = [];
  readonly #outer: { readonly item: ElementsItem; readonly items: Item[] }[] = [];

  enter(name: string, isConditional = false): void {
    const item: ElementsItem = {
      kind: 'elements',
      name,
      elements: [],
      conditions: isConditional ? [] : null,
    };
    this.items.push(item);
    this.#outer.push({ item, items: this.items });
  }

  beforeCondition(): void {
    this.items = [];
    this.#outer.at(-1)!.item.conditions!.push(this.items);
  }

  beforeElement(): void {
    this.items = [];
    this.#outer.at(-1)!.item.elements.push(this.items);
  }

  leave(): void {
    this.items = this.#outer.pop()!.items;
  }
}
