/**
 * Makes random cases of a layout. Case i depends on the seed, on i and on the options, but not on the cases drawn before. So a
 * longer input begins with the cases of a shorter one, unless the layout limits a sum over all cases.
 */
import { BoardmillError } from '../../core/errors.js';
import { type Random, Seed } from '../../core/random.js';
import { evaluateExpression, fieldNamesInExpression } from '../language/expression.js';
import type { NameScope } from '../language/expression-values.js';
import { collectNamesInExpressions } from '../language/size-names.js';
import type { Layout, RecordValue } from '../language/tree.js';
import { ChoiceFailure } from './chooser.js';
import type { RandomCaseProfile } from './draw-numbers.js';
import { MAX_DRAWN_BYTES, type RandomCaseSettings, RandomChooser } from './random-chooser.js';
import { LayoutCaseMaker } from './tree-maker.js';

export interface DrawRequest {
  readonly seed: string;
  readonly profile: RandomCaseProfile;
  /** The number of cases of the input. */
  readonly cases: number;
  /** The largest value that may be drawn for a size whose own lower bound is not larger; null if there is no such limit. */
  readonly maxSize: number | null;
  /** The names of the sizes that the user has chosen. Neither the profile nor `maxSize` limits these sizes. */
  readonly chosenSizes?: readonly string[];
}

/** Prints a head in canonical layout, for an input with this number of cases. */
export type HeadPrinter = (head: RecordValue, cases: number) => Uint8Array;

/** Fails because no case can be drawn. The message names the field that prevents it. */
export class CaseGenerationError extends BoardmillError {
  constructor(reason: string) {
    super('usage', `cannot draw a case: ${reason}`);
  }
}

/** How often a draw is repeated before an error is reported. */
const MAX_DRAWS = 1000;
/** Repeated draws stop when they have taken this many bytes together. */
const MAX_REPEATED_BYTES = 256 << 20;
/** The indices of the random sequences from which the head and the trial case are drawn. No case has these indices. */
const HEAD_INDEX = Number.MAX_SAFE_INTEGER;
const TRIAL_INDEX = HEAD_INDEX - 1;

interface Drawn {
  readonly value: RecordValue;
  /** The largest value that is drawn for a size, unless the lower bound of the size is larger. */
  readonly sizeCap: number;
  readonly largestSize: number;
}

/** A head for which a case could be drawn, and the cap on sizes under which that case was drawn. */
interface TriedHead {
  readonly head: RecordValue;
  readonly sizeCap: number;
}

/** Draws the random cases of one seed. */
export class TreeCaseSource {
  readonly headValue: RecordValue;
  /** The head of the input in canonical layout; null if the layout has no head. */
  readonly head: Uint8Array | null;
  readonly #layout: Layout;
  readonly #plan: RandomCaseSettings;
  readonly #cases: number;
  readonly #seed: Seed;
  readonly #maker: LayoutCaseMaker;
  /** The largest size with which a trial case could be drawn. With this cap, few draws make cases that are too large. */
  readonly #sizeCap: number;

  /** Fails with a `CaseGenerationError` if no trial case can be drawn. */
  constructor(layout: Layout, request: DrawRequest, printHead: HeadPrinter) {
    this.#layout = layout;
    this.#cases = request.cases;
    this.#seed = new Seed(request.seed);
    this.#maker = new LayoutCaseMaker(layout);
    this.#plan = planOf(layout, request);
    const { head, sizeCap } = layout.head === null ? this.#tryHead({}) : this.#drawHead();
    this.headValue = head;
    this.#sizeCap = sizeCap;
    this.head = layout.head === null ? null : printHead(this.headValue, request.cases);
  }

  /** Returns the case with this index, counted from 0. Fails with a `CaseGenerationError` if that case cannot be drawn. */
  caseAt(index: number, given: RecordValue = {}): RecordValue {
    return this.#drawCase(index, this.headValue, this.#sizeCap, given).value;
  }

  /** Draws a head for which cases can be drawn. If its sizes are too large for a trial case, they are halved. */
  #drawHead(): TriedHead {
    for (let headCap = Number.POSITIVE_INFINITY; ; ) {
      const { value, largestSize } = this.#drawHeadWithin(headCap);
      try {
        return this.#tryHead(value);
      } catch (error) {
        if (!(error instanceof CaseGenerationError) || largestSize === 0 || headCap === 0) throw error;
        headCap = Math.floor(Math.min(headCap, largestSize) / 2);
      }
    }
  }

  #tryHead(head: RecordValue): TriedHead {
    return { head, sizeCap: this.#drawCase(TRIAL_INDEX, head, Number.POSITIVE_INFINITY).sizeCap };
  }

  #drawHeadWithin(headCap: number): Drawn {
    const { ending } = this.#layout;
    const countName = ending.kind === 'counted' ? ending.name : null;
    const given = countName === null ? {} : { [countName]: this.#countOf(countName) };
    return repeatDraw(this.#plan, this.#seed.random(HEAD_INDEX), headCap, (chooser) =>
      this.#maker.makeHead(chooser, given),
    );
  }

  /** Returns the number of cases as the value of the field of the head that has this name. */
  #countOf(name: string): number | bigint {
    const fields = this.#layout.head!.records.flatMap((record) => record.fields);
    const field = fields.find((named) => named.name === name)?.field;
    return field?.kind === 'scalar' && field.of === 'bigint' ? BigInt(this.#cases) : this.#cases;
  }

  #drawCase(index: number, head: RecordValue, largestCap: number, given: RecordValue = {}): Drawn {
    return repeatDraw(this.#plan, this.#seed.random(index), largestCap, (chooser) => {
      const value = this.#maker.makeCase(chooser, head, given);
      if (this.#maker.isTerminator(value, head)) {
        throw new ChoiceFailure('terminator', 'every case that was drawn is the terminator of the input');
      }
      this.#checkTotals(chooser, this.#maker.scopeOf(value, head));
      return value;
    });
  }

  /** Fails if the case takes more than its share of a sum over all cases that is limited, while smaller cases can be drawn. */
  #checkTotals({ sizeCap, largestSize }: RandomChooser, scope: NameScope): void {
    for (const { expression, max, text } of this.#layout.total) {
      const value = evaluateExpression(expression, scope);
      if (value !== null && value > max / this.#cases && sizeCap > 0 && largestSize > 0) {
        throw new ChoiceFailure('too-large', `the total of "${text}" is above ${max}`);
      }
    }
  }
}

function planOf(layout: Layout, { profile, maxSize, chosenSizes, cases }: DrawRequest): RandomCaseSettings {
  const shares = new Map<string, number>();
  for (const { expression, max } of layout.total) {
    const share = Math.floor(max / Math.max(1, cases));
    for (const name of fieldNamesInExpression(expression))
      shares.set(name, Math.min(share, shares.get(name) ?? share));
  }
  return {
    profile,
    maxSize,
    chosenSizes: new Set(chosenSizes),
    namedNames: collectNamesInExpressions(layout),
    shares,
  };
}

/** Calls a function that draws until it succeeds. After a draw that was too large, the sizes are lowered. */
function repeatDraw(
  plan: RandomCaseSettings,
  random: Random,
  largestCap: number,
  drawOnce: (chooser: RandomChooser) => RecordValue,
): Drawn {
  let sizeCap = largestCap;
  let repeatedBytes = 0;
  for (let draws = 1; ; draws++) {
    const chooser = new RandomChooser(plan, random, sizeCap);
    try {
      return { value: drawOnce(chooser), sizeCap, largestSize: chooser.largestSize };
    } catch (failure) {
      if (!(failure instanceof ChoiceFailure)) throw failure;
      repeatedBytes += chooser.drawnBytes;
      const isSmallest = failure.kind === 'too-large' && (sizeCap === 0 || chooser.largestSize === 0);
      if (isSmallest || draws === MAX_DRAWS || repeatedBytes > MAX_REPEATED_BYTES) {
        throw new CaseGenerationError(failure.reason);
      }
      if (failure.kind === 'too-large') sizeCap = lowerCap(sizeCap, chooser);
    }
  }
}

/** Returns the cap on sizes after a draw that was too large. Draws that took long are not repeated often. */
function lowerCap(sizeCap: number, { largestSize, drawnBytes }: RandomChooser): number {
  return Math.floor(Math.min(sizeCap, largestSize) / (drawnBytes > MAX_DRAWN_BYTES / 4 ? 4 : 2));
}
