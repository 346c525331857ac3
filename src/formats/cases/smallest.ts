/** Makes the smallest value of a shape: with small numbers, first letters and first tags. */
import type { ExactInteger } from '../language/exact.js';
import type { RecordValue, Shape } from '../language/tree.js';
import { ChoiceFailure, type Chooser, type GridSize, type NumberQuestion, type TextRule } from './chooser.js';
import { CaseGenerationError } from './draw.js';
import type { NumberRange } from './number-range.js';
import { LayoutCaseMaker } from './tree-maker.js';

/** The largest number of elements in an array of a smallest head. A head with more elements would not be small. */
const MAX_ELEMENTS = 1 << 16;

/** Returns the smallest value of a shape. Fails with a `CaseGenerationError` if the smallest values do not form one. */
export function smallestValueOf(shape: Shape): RecordValue {
  const maker = new LayoutCaseMaker({ ending: { kind: 'single' }, head: null, shape, total: [] });
  try {
    return maker.makeCase(new SmallestChooser(), {});
  } catch (failure) {
    throw failure instanceof ChoiceFailure ? new CaseGenerationError(failure.reason) : failure;
  }
}

/** Chooses the simplest alternative of each choice. */
class SmallestChooser implements Chooser {
  /** Returns the smallest number; for a size, or without a lower bound, the number next to 0; for a length of its own, 1. */
  number({ low, high, kind }: NumberRange, { purpose }: NumberQuestion): ExactInteger {
    if (purpose === 'length' || purpose === 'width') return 1;
    const isNextToZero = low === Number.NEGATIVE_INFINITY || (purpose === 'size' && low < 0);
    const smallest = isNextToZero ? (high < 0 ? high : 0) : low;
    return kind === 'bigint' || kind === 'int64' ? BigInt(smallest) : Number(smallest);
  }

  numbers(
    { rows, cols }: GridSize,
    ranges: readonly NumberRange[],
    question: NumberQuestion,
  ): readonly ExactInteger[] {
    this.enter(question.name, rows * cols);
    const smallest = ranges.map((range) => this.number(range, question));
    return Array.from({ length: rows * cols * ranges.length }, (_, at) => smallest[at % ranges.length]);
  }

  text(rule: TextRule): string {
    if (rule.kind === 'line') return rule.mayBeEmpty ? '' : 'a';
    return rule.letters === null ? 'a' : [...rule.letters][0];
  }

  enter(name: string, count: number): void {
    if (count > MAX_ELEMENTS)
      throw new ChoiceFailure('too-large', `"${name}" has at least ${count} elements`);
  }

  beforeElement(): void {}

  leave(): void {}
}
