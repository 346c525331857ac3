/** A derivation of a case: the answers to the questions that boardmill asked to make it, in order. */
import type { ExactInteger } from '../language/exact.js';
import type { NumberPurpose, TextRule } from './chooser.js';
import type { NumberRange } from './number-range.js';

/** The answer to a question for a single number, which may be a number of elements. */
export interface NumberItem {
  readonly kind: 'number';
  /** The name of the field in the question. A replay finds items by this name. */
  readonly name: string;
  readonly purpose: NumberPurpose;
  readonly value: ExactInteger;
  readonly range: NumberRange;
}

/** The answer to a question for all numbers of an array, a grid or a table. */
export interface NumbersItem {
  readonly kind: 'numbers';
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  /** The number with index i is in the range `ranges[i % ranges.length]`. */
  readonly ranges: readonly NumberRange[];
  readonly values: readonly ExactInteger[];
}

/** The answer to a question for text: a word, a line, or the text that a command of a grammar reads. */
export interface TextItem {
  readonly kind: 'text';
  readonly name: string;
  readonly text: string;
  readonly rule: TextRule | { readonly kind: 'regex' | 'float' };
}

/** The answer to a test of a grammar that looks at text which is not written yet. */
export interface DecisionItem {
  readonly kind: 'decision';
  readonly name: string;
  readonly isTrue: boolean;
}

/** The answers for the elements of a list, or for the iterations of a loop. */
export interface ElementsItem {
  readonly kind: 'elements';
  readonly name: string;
  readonly elements: DerivationItem[][];
  /**
   * The answers to the questions whether another element follows: those before each element, and those after the last one. Null
   * if a number gives the length.
   */
  readonly conditions: DerivationItem[][] | null;
}

/** An answer. */
export type DerivationItem = NumberItem | NumbersItem | TextItem | DecisionItem | ElementsItem;

/** Records the answers of a chooser as items. */
export class DerivationRecorder {
  /** The items recorded so far for the case, or for the element of a list that is being made. */
  items: DerivationItem[] = [];
  readonly #outer: { readonly item: ElementsItem; readonly items: DerivationItem[] }[] = [];

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
