/** How a case follows from a grammar: which values its commands took, and which iterations its loops made. */

import { countAccesses } from '../language/names.js';
import type { Regex } from '../language/regex.js';
import type {
  FloatCommand,
  IntCommand,
  LoopCommand,
  Place,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import type { Value } from '../language/values.js';
import type { FloatRange } from '../reading/machine.js';
import { Reader } from '../reading/reader.js';

export interface IntItem {
  readonly kind: 'int';
  readonly value: number | bigint;
  readonly min: number | bigint;
  readonly max: number | bigint;
}

export interface TextItem {
  readonly kind: 'float' | 'regex';
  readonly text: string;
}

export interface DecisionItem {
  readonly kind: 'decision';
  readonly value: boolean;
}

export interface LoopItem {
  readonly kind: 'loop';
  /** Whether the loop is a WHILE. */
  readonly isConditional: boolean;
  /** The integers that the count of the loop names. */
  readonly counters: readonly IntItem[];
  /** What the condition read before each iteration, and once more after the last one. */
  readonly conditions: Item[][];
  readonly iterations: Item[][];
}

export type Item = IntItem | TextItem | DecisionItem | LoopItem;

/** A reader that records the derivation of what it reads. */
export class RecordingReader extends Reader {
  /** The items of the block that is running. */
  #items: Item[] = [];
  /** The loops that are running, and the items of the blocks that they stand in. */
  readonly #outer: { readonly loop: LoopItem; readonly items: Item[] }[] = [];
  /** The item that each variable was read by. */
  readonly #readers = new Map<string, IntItem>();

  /** The items of the case, after it was read. */
  get items(): readonly Item[] {
    return this.#items;
  }

  override integer(min: Value, max: Value, command: IntCommand): number | bigint {
    const value = super.integer(min, max, command);
    const item: IntItem = { kind: 'int', value, min: min as number | bigint, max: max as number | bigint };
    this.#items.push(item);
    this.#note(command.variable, item);
    return value;
  }

  #note(variable: VariableExpression | null, item: IntItem): void {
    if (variable !== null) this.#readers.set(variable.name, item);
  }

  override float(range: FloatRange, command: FloatCommand): Value {
    const from = this.at;
    const value = super.float(range, command);
    this.#items.push({ kind: 'float', text: this.textBetween(from, this.at) });
    return value;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = super.regex(regex, command);
    this.#items.push({ kind: 'regex', text });
    return text;
  }

  override matches(letters: string, at: Place): boolean {
    return this.#decided(super.matches(letters, at));
  }

  override isAtEnd(at: Place): boolean {
    return this.#decided(super.isAtEnd(at));
  }

  #decided(value: boolean): boolean {
    this.#items.push({ kind: 'decision', value });
    return value;
  }

  override enterLoop({ count }: LoopCommand, _times: number | null): void {
    const names = new Set(countAccesses(count).map(({ name }) => name));
    const counters = [...names].flatMap((name) => this.#readers.get(name) ?? []);
    const loop: LoopItem = {
      kind: 'loop',
      isConditional: count === null,
      counters,
      conditions: [],
      iterations: [],
    };
    this.#items.push(loop);
    this.#outer.push({ loop, items: this.#items });
  }

  override beforeCondition(_iteration: number): void {
    this.#items = [];
    this.#outer.at(-1)!.loop.conditions.push(this.#items);
  }

  override beforeIteration(_iteration: number): void {
    this.#items = [];
    this.#outer.at(-1)!.loop.iterations.push(this.#items);
  }

  override leaveLoop(): void {
    this.#items = this.#outer.pop()!.items;
  }
}
