/** Makes cases simpler, to find the simplest case on which a program fails. */
import { isDeepStrictEqual } from 'node:util';
import type { ExactInteger } from '../language/exact.js';
import type { Layout, RecordValue } from '../language/tree.js';
import { simplifyingChanges } from './changes.js';
import {
  ChoiceFailure,
  type Chooser,
  type GridSize,
  type NumberPurpose,
  type NumberQuestion,
  type TextRule,
} from './chooser.js';
import { DerivationRecorder } from './derivation.js';
import type { NumberRange } from './number-range.js';
import { ReplayChooser } from './replay.js';
import { LayoutCaseMaker } from './tree-maker.js';

/**
 * Yields the cases that are one step simpler than `value`, the biggest steps first. They differ from `value`, and their values
 * are within the bounds of their fields.
 */
export function* simplerTreeCases(
  layout: Layout,
  value: RecordValue,
  head: RecordValue,
): Generator<RecordValue> {
  const maker = new LayoutCaseMaker(layout);
  const given = new ValueChooser(value);
  maker.makeCase(given, head);
  const { items } = given.recorder;
  for (const change of simplifyingChanges(items)) {
    const simpler = remake(maker, new ReplayChooser(items, change), head);
    if (simpler === null || isDeepStrictEqual(simpler, value)) continue;
    if (!maker.isTerminator(simpler, head)) yield simpler;
  }
}

function remake(maker: LayoutCaseMaker, chooser: ReplayChooser, head: RecordValue): RecordValue | null {
  try {
    return maker.makeCase(chooser, head);
  } catch (thrown) {
    if (thrown instanceof ChoiceFailure) return null;
    throw thrown;
  }
}

/** The cells of a grid or a table, or the elements of an array. */
type Cells = { readonly rows: number; readonly cols: number; readonly cells: ArrayLike<ExactInteger> };

/** Chooses the values that a case already has, and records them as a derivation. */
class ValueChooser implements Chooser {
  readonly recorder = new DerivationRecorder();
  /** The record whose fields are chosen, or the text of one element of an array of texts. */
  #current: unknown;
  readonly #lists: { readonly elements: readonly unknown[]; readonly outer: unknown }[] = [];

  constructor(value: RecordValue) {
    this.#current = value;
  }

  #valueOf(name: string): unknown {
    return (this.#current as RecordValue)[name];
  }

  number(range: NumberRange, { name, purpose, tags }: NumberQuestion): ExactInteger {
    const held = this.#valueOf(name);
    const value = purpose === 'tag' ? tags!.indexOf(held as string) : numberOf(held, purpose);
    this.recorder.items.push({ kind: 'number', name, purpose, value, range });
    return value;
  }

  numbers(size: GridSize, ranges: readonly NumberRange[], { name }: NumberQuestion): readonly ExactInteger[] {
    const held = this.#valueOf(name) as Cells | ArrayLike<ExactInteger>;
    const values = Array.from('cells' in held ? held.cells : held);
    this.recorder.items.push({ kind: 'numbers', name, ...size, ranges, values });
    return values;
  }

  text(rule: TextRule, { name }: NumberQuestion): string {
    const text = typeof this.#current === 'string' ? this.#current : (this.#valueOf(name) as string);
    this.recorder.items.push({ kind: 'text', name, text, rule });
    return text;
  }

  enter(name: string): void {
    const held = this.#valueOf(name);
    this.#lists.push({ elements: Array.isArray(held) ? held : [held], outer: this.#current });
    this.recorder.enter(name);
  }

  beforeElement(index: number): void {
    this.#current = this.#lists.at(-1)!.elements[index];
    this.recorder.beforeElement();
  }

  leave(): void {
    this.#current = this.#lists.pop()!.outer;
    this.recorder.leave();
  }
}

/** Returns a number, or the number of elements, rows or columns of a value. */
function numberOf(held: unknown, purpose: NumberPurpose): ExactInteger {
  if (purpose === 'width') return (held as Cells).cols;
  if (purpose !== 'length') return held as ExactInteger;
  return Array.isArray(held) || ArrayBuffer.isView(held)
    ? (held as unknown as ArrayLike<unknown>).length
    : (held as Cells).rows;
}
