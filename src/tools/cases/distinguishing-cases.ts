/**
 * Chooses a small input on which all programs fail that have failed on any case. The choice is greedy: the case on which most
 * of the remaining programs fail comes first, and among such cases the smallest. A smaller input may exist.
 */
import type { InputHeadOfTask } from '../../engine/messages.js';
import { copyAnswer, type PrintedAnswer } from '../../engine/printed-answer.js';
import { assembleInput, UnfitCasesError } from '../../formats/assemble-input.js';
import type { InputFormat } from '../../formats/input-format.js';
import type { JudgedRow } from '../judge/judge.js';

/** A case on which some programs fail. */
interface FailingCase {
  readonly bytes: Uint8Array;
  /** The right answer; null if it is not needed. */
  readonly expected: PrintedAnswer | null;
  /** The indices of the programs that fail. */
  readonly programs: ReadonlySet<number>;
}

/** Cases of one input, and the programs that fail on one of them. */
export interface DistinguishingInput {
  readonly head: InputHeadOfTask;
  readonly cases: readonly FailingCase[];
  readonly programs: ReadonlySet<number>;
  /** The input itself. */
  readonly bytes: Uint8Array;
}

/** An input before its bytes are put together. */
type ChosenCases = Omit<DistinguishingInput, 'bytes'>;

/** Largest number of cases that are kept to choose from. */
const MAX_CANDIDATES = 10_000;

/**
 * The failing cases with the same head, judged with the same options: for each set of programs, the smallest case on which
 * exactly these programs fail.
 */
interface Candidates {
  readonly head: InputHeadOfTask;
  readonly failing: Map<string, FailingCase>;
}

export class DistinguishingCases {
  readonly #candidates = new Map<string, Candidates>();
  #count = 0;

  /** Takes note of the programs that fail on a case. */
  add({ bytes, head, results, expected }: JudgedRow): void {
    const programs = new Set(results.flatMap(({ verdict }, index) => (verdict === 'AC' ? [] : [index])));
    this.addFailing({ head, bytes, expected, programs });
  }

  /** Takes note of a case of an input with this head, which was judged with these options of the programs. */
  addFailing(
    { head, bytes, expected, programs }: FailingCase & { readonly head: InputHeadOfTask },
    options: readonly string[] = [],
  ): void {
    if (programs.size === 0) return;
    const key = [...programs].join();
    const { failing } = this.#candidatesOf(head, options);
    const known = failing.get(key);
    if (known === undefined ? this.#count >= MAX_CANDIDATES : known.bytes.length <= bytes.length) return;
    if (known === undefined) this.#count++;
    failing.set(key, { bytes: bytes.slice(), expected: expected && copyAnswer(expected), programs });
  }

  /**
   * Returns the input that was chosen; null if no program has failed. Its cases all come from inputs with the same head, which
   * were judged with the same options. If the format does not allow the cases together, the input has only the best one, and
   * some programs may not fail on it.
   */
  choose(format: InputFormat): DistinguishingInput | null {
    try {
      return this.#chooseCases(format, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof UnfitCasesError)) throw error;
      return this.#chooseCases(format, 1);
    }
  }

  /** Chooses at most `maxCases` cases. Fails with an `UnfitCasesError` if the format does not allow them together. */
  #chooseCases(format: InputFormat, maxCases: number): DistinguishingInput | null {
    const [chosen] = [...this.#candidates.values()]
      .filter(({ failing }) => failing.size > 0)
      .map(({ head, failing }) => cover(head, [...failing.values()], maxCases))
      .toSorted(compareInputs);
    if (chosen === undefined) return null;
    const cases = chosen.cases.map(({ bytes }) => bytes);
    return { ...chosen, bytes: assembleInput(format, cases, chosen.head.bytes) };
  }

  #candidatesOf(head: InputHeadOfTask, options: readonly string[]): Candidates {
    const key = JSON.stringify([head.bytes && Buffer.from(head.bytes).toString('latin1'), ...options]);
    const candidates = this.#candidates.get(key) ?? { head, failing: new Map() };
    this.#candidates.set(key, candidates);
    return candidates;
  }
}

/**
 * Adds the best case to the input until every program that fails on one of the cases fails on one of the chosen cases, or until
 * the input has `maxCases` cases.
 */
function cover(head: InputHeadOfTask, candidates: readonly FailingCase[], maxCases: number): ChosenCases {
  const programs = new Set<number>();
  const cases: FailingCase[] = [];
  const gainOf = (failing: FailingCase) =>
    [...failing.programs].filter((index) => !programs.has(index)).length;
  for (;;) {
    const best = candidates
      .filter((failing) => gainOf(failing) > 0)
      .toSorted((a, b) => gainOf(b) - gainOf(a) || a.bytes.length - b.bytes.length)[0];
    if (best === undefined || cases.length === maxCases) return { head, cases, programs };
    cases.push(best);
    for (const index of best.programs) programs.add(index);
  }
}

/** Orders inputs: more failing programs first, then fewer cases, then fewer bytes. */
function compareInputs(a: ChosenCases, b: ChosenCases): number {
  return b.programs.size - a.programs.size || a.cases.length - b.cases.length || bytesOf(a) - bytesOf(b);
}

function bytesOf({ cases }: ChosenCases): number {
  return cases.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
