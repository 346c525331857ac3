/**
 * Shrinks a list of cases on which a program fails to a smaller list on which the program still fails: fewer cases, and
 * simpler cases. The method is greedy: it removes halves first, and then single elements (A. Zeller, R. Hildebrandt,
 * "Simplifying and isolating failure-inducing input", 2002). The program fails on the resulting list, and, unless the
 * time ran out, it fails on no list that is one step smaller.
 */
import { ByteWriter } from '../../core/bytes.js';
import { rangesByHalving } from '../../core/range.js';
import { awaitAllThenThrow } from '../../core/settle-all.js';
import type { Problem } from '../../problems/problem.js';

/** Cases as bytes, in canonical layout. */
export type CasesAsBytes = readonly Uint8Array[];

interface ShrinkOptions {
  readonly problem: Problem;
  /** The head of the input to which the cases belong. */
  readonly head: Uint8Array | null;
  /** Whether the program still fails on the given cases. Runs no program after the time is up, and then returns false. */
  readonly isFailing: (cases: CasesAsBytes) => Promise<boolean>;
  /** Number of candidates that are tried at the same time. */
  readonly jobs: number;
  /** Whether the time is up. Called between groups of candidates; if it is, the smallest list so far is the result. */
  readonly isTimeUp: () => boolean;
}

/** Shrinks a failing list of cases. */
export async function shrinkCases(cases: CasesAsBytes, options: ShrinkOptions): Promise<CasesAsBytes> {
  const simplifier = new Simplifier(options);
  let smallest = cases;
  for (;;) {
    const smaller = await firstFailing(smallerCandidates(smallest, simplifier), options);
    if (smaller === null) return smallest;
    smallest = smaller;
  }
}

/** The first candidate in order that fails; null if no candidate fails or the time is up. */
async function firstFailing(
  candidates: Iterable<CasesAsBytes>,
  options: ShrinkOptions,
): Promise<CasesAsBytes | null> {
  for (const group of groupsOf(candidates, options.jobs)) {
    if (options.isTimeUp()) return null;
    const verdicts = await awaitAllThenThrow(group.map((cases) => options.isFailing(cases)));
    const index = verdicts.indexOf(true);
    if (index >= 0) return group[index];
  }
  return null;
}

/** Yields the lists of cases that are one step smaller. The lists from which most was removed come first. */
function* smallerCandidates(cases: CasesAsBytes, simplifier: Simplifier): Generator<CasesAsBytes> {
  for (const { from, count } of rangesByHalving(cases.length)) {
    if (count < cases.length) yield [...cases.slice(0, from), ...cases.slice(from + count)];
  }
  for (const [i, bytes] of cases.entries()) {
    for (const simpler of simplifier.simplerCases(bytes, i)) yield cases.with(i, simpler);
  }
}

/** Makes simpler cases from the bytes of a case. */
class Simplifier {
  readonly #problem: Problem;
  readonly #head: Uint8Array | null;
  readonly #parser;
  readonly #out = new ByteWriter(1024);

  constructor({ problem, head }: ShrinkOptions) {
    this.#problem = problem;
    this.#head = head;
    this.#parser = problem.inputFormat.createParser();
    this.#parser.useHead(head);
  }

  /** Yields the valid cases that are one step simpler. */
  *simplerCases(bytes: Uint8Array, index: number): Generator<Uint8Array> {
    this.#parser.useIndex?.(index);
    const value = this.#parser.parse(bytes, 0, bytes.length, null);
    if (value === null) throw new Error('a case to simplify is not valid');
    const head = { bytes: this.#head, value: this.#parser.headValue };
    for (const simpler of this.#problem.cases.simpler(value, head)) {
      this.#problem.inputFormat.printCase(simpler, this.#out);
      const printed = this.#out.take();
      if (this.#parser.parse(printed, 0, printed.length, null) !== null) yield printed;
    }
  }
}

function* groupsOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let group: T[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length === size) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
