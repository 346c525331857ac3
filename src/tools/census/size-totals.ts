/** The counts of all cases of one size, to which the counts of slices are added. */
import type { LargestCaseWithBoard, SliceCounts } from '../../engine/census-slice.js';
import { type CensusSize, MAX_CENSUS_ANSWERS } from '../../problems/census.js';

/** Totals as JSON. */
export interface StoredTotals extends CensusSize {
  readonly classes: number | null;
  readonly cases: number;
  readonly values: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>> | null;
  readonly largest: LargestCaseWithBoard | null;
}

export class SizeTotals {
  readonly size: CensusSize;
  /** Number of cases up to symmetries; null if boardmill cannot say. */
  readonly classes: number | null;
  #cases = 0;
  readonly #values = new Map<string, number>();
  #answers: Map<string, number> | null = new Map();
  #largest: LargestCaseWithBoard | null = null;

  constructor(size: CensusSize, classes: number | null) {
    this.size = size;
    this.classes = classes;
  }

  static fromStored({ rows, cols, classes, cases, values, answers, largest }: StoredTotals): SizeTotals {
    const totals = new SizeTotals({ rows, cols }, classes);
    totals.add({ cases, values: mapOf(values), answers: answers && mapOf(answers), largest });
    return totals;
  }

  get cases(): number {
    return this.#cases;
  }

  get counts(): SliceCounts {
    return {
      cases: this.#cases,
      values: sorted(this.#values),
      answers: this.#answers && sorted(this.#answers),
      largest: this.#largest,
    };
  }

  /** Adds the counts of other cases of the same size. The result does not depend on the order of the additions. */
  add({ cases, values, answers, largest }: SliceCounts): void {
    this.#cases += cases;
    addTo(this.#values, values);
    if (this.#answers === null || answers === null) this.#answers = null;
    else {
      addTo(this.#answers, answers);
      if (this.#answers.size > MAX_CENSUS_ANSWERS) this.#answers = null;
    }
    if (largest !== null && (this.#largest === null || isLarger(largest, this.#largest)))
      this.#largest = largest;
  }

  toStored(): StoredTotals {
    const { cases, values, answers, largest } = this.counts;
    const plain = (counts: ReadonlyMap<string, number>) => Object.fromEntries(counts);
    return {
      ...this.size,
      classes: this.classes,
      cases,
      values: plain(values),
      answers: answers && plain(answers),
      largest,
    };
  }
}

/** Whether the first case is larger, or of the same size and earlier. */
function isLarger(one: LargestCaseWithBoard, other: LargestCaseWithBoard): boolean {
  return one.size === other.size ? one.index < other.index : one.size > other.size;
}

function addTo(totals: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [label, count] of counts) totals.set(label, (totals.get(label) ?? 0) + count);
}

/** Sorts by label, so that the order does not depend on which slice came first. */
function sorted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...counts].sort(([one], [other]) => compareLabels(one, other)));
}

/** Orders labels by their text, and labels that differ only in a number at their end by this number. */
function compareLabels(one: string, other: string): number {
  const [before, number] = splitLabel(one);
  const [otherBefore, otherNumber] = splitLabel(other);
  if (before !== otherBefore) return before < otherBefore ? -1 : 1;
  return number - otherNumber || (one < other ? -1 : 1);
}

function splitLabel(label: string): [before: string, number: number] {
  const digits = /\d*$/.exec(label)![0];
  return [label.slice(0, label.length - digits.length), Number(digits || -1)];
}

function mapOf(counts: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(Object.entries(counts));
}
