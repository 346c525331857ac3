/** Draws the cases of random inputs of a grammar. The same options give the same bytes on every machine. */
import { ByteWriter } from '../../../core/bytes.js';
import { Seed } from '../../../core/random.js';
import type { Grammar } from '../language/syntax.js';
import { GrammarVariables } from '../language/variables.js';
import { type CaseOfGrammar, GrammarInputFormat, integersOf } from '../reading/grammar-format.js';
import type { GrammarOptions } from './cases.js';
import {
  type DrawOptions,
  type GrammarCaseProfile,
  GrammarInputGenerator,
  MAX_DRAW_ATTEMPTS,
  type RandomInputPart,
} from './draw.js';
import { GrammarChoiceFailure } from './writing-machine.js';

interface CaseSourceOptions {
  readonly seed: string;
  readonly profile: GrammarCaseProfile;
  /** The number of cases of the input. */
  readonly cases: number;
  /** The largest number of iterations that is drawn for a loop; null if only the bounds of the grammar limit it. */
  readonly maxSize: number | null;
}

/** The largest number of bytes drawn in search of cases that form a valid input together. */
const MAX_DRAWN_BYTES = 1 << 26;

/** How many bytes a failed draw of a case that depends on earlier cases counts as, and how often such a case is drawn. */
const COST_OF_FAILED_CASE = 1 << 12;
const ATTEMPTS_OF_JOINT_CASE = 100;
const NO_INPUT = new GrammarChoiceFailure({ line: 1, column: 1 }, 'cases that are an input together');

export class GrammarCaseSource {
  readonly #format: GrammarInputFormat;
  readonly #drawer: GrammarInputGenerator;
  readonly #seed: Seed;
  readonly #options: DrawOptions;
  readonly #cases: number;
  readonly #head: RandomInputPart;
  /** The cases of the input that was drawn last, and the index of this input. Null if cases do not depend on each other. */
  #whole: { readonly input: number; readonly cases: readonly CaseOfGrammar[] } | null = null;
  /** The head of the input, in the form that `GrammarInputFormat.printHead` accepts; null if the grammar has no head. */
  readonly head: Uint8Array | null;
  /** The smallest and the largest number of cases that the grammar allows; null if the grammar has no such bounds. */
  readonly casesBounds: { readonly min: number; readonly max: number } | null;

  /** Throws a `GrammarError` if it cannot draw a head. */
  constructor(grammar: Grammar, options: CaseSourceOptions, layout: GrammarOptions = {}) {
    this.#format = new GrammarInputFormat(grammar, layout);
    const { division } = this.#format;
    this.#drawer = new GrammarInputGenerator(division);
    this.#seed = new Seed(options.seed);
    this.#cases = options.cases;
    const { profile, maxSize, cases } = options;
    const { caseCount } = division;
    this.#options = {
      profile,
      maxSize,
      caseCount: caseCount === null ? null : { command: caseCount, value: cases },
    };
    const first = this.#drawer.drawHead(this.#seed.random(0), this.#options);
    this.casesBounds = first.caseBounds ?? this.#constantBounds(first.variables);
    this.#head = first;
    if (this.#isWholeDrawn && this.#allowsCases) {
      const drawn = this.#drawInput(0, null);
      this.#head = drawn.head;
      this.#whole = { input: 0, cases: drawn.cases };
    }
    this.head = this.#head.bytes.length === 0 ? null : this.#head.bytes;
  }

  #constantBounds(head: GrammarVariables): { min: number; max: number } | null {
    const { ending } = this.#format;
    if (ending === 'single') return { min: 1, max: 1 };
    if (ending !== 'counted') return null;
    const count = this.#drawer.countCases(head);
    return { min: count, max: count };
  }

  /** Whether the cases of an input are drawn together. Not needed if the input is one case, which was checked when drawn. */
  get #isWholeDrawn(): boolean {
    return this.#format.ending !== 'single' && this.#format.joint.needsWhole;
  }

  get #allowsCases(): boolean {
    const { min, max } = this.casesBounds ?? { min: 0, max: Number.POSITIVE_INFINITY };
    return this.#cases >= min && this.#cases <= max;
  }

  /**
   * Returns the case with this index. Cases beyond the first input belong to further inputs. Throws a `GrammarError` on
   * failure.
   */
  caseAt(index: number): CaseOfGrammar {
    if (!this.#isWholeDrawn || this.#cases === 0) return this.#drawCase(index);
    const input = Math.floor(index / this.#cases);
    if (this.#whole?.input !== input)
      this.#whole = { input, cases: this.#drawInput(input, this.#head).cases };
    return this.#whole.cases[index % this.#cases];
  }

  #drawCase(index: number): CaseOfGrammar {
    const start = this.#startOf(index, this.#head.variables);
    return this.#toCase(this.#drawer.drawCase(this.#seed.random(index + 1), this.#options, start));
  }

  #startOf(index: number, variables: GrammarVariables): GrammarVariables {
    const { compiler, indexSlot } = this.#format.division;
    const start = new GrammarVariables(compiler.slotCount);
    start.restore(variables);
    if (indexSlot >= 0) start.scalars[indexSlot] = index;
    return start;
  }

  #toCase({ bytes, variables }: RandomInputPart): CaseOfGrammar {
    return { bytes, variables: integersOf(variables, this.#format.division.compiler.names) };
  }

  /** Draws cases, and a head unless one is given, until they form a valid input together. */
  #drawInput(
    input: number,
    given: RandomInputPart | null,
  ): { head: RandomInputPart; cases: readonly CaseOfGrammar[] } {
    let failure = NO_INPUT;
    let attempts = 0;
    const before = this.#drawer.failedWork;
    const isWorthTrying = () => attempts < MAX_DRAW_ATTEMPTS && this.#drawer.isWorthTrying(before);
    for (let bytes = 0; bytes < MAX_DRAWN_BYTES && isWorthTrying(); attempts++) {
      const seed = attempts === 0 ? this.#seed : new Seed(`${this.#seed.text}/attempt ${attempts}`);
      const head = given ?? this.#drawer.drawHead(seed.random(0), this.#options);
      const cases = this.#drawCases(seed, head, input);
      if (cases instanceof GrammarChoiceFailure) {
        failure = cases;
        bytes += COST_OF_FAILED_CASE;
        continue;
      }
      const drawn = this.#join(head, cases);
      const tail = this.#format.joint.drawTail(drawn.bytes, drawn.starts);
      if ('bytes' in tail) return { head, cases };
      failure = tail.failure ?? failure;
      bytes += drawn.bytes.length;
    }
    throw this.#drawer.failedAfter(failure, attempts);
  }

  /** Draws the cases of an input one by one. Each case starts with the variables that the cases before it have set. */
  #drawCases(seed: Seed, head: RandomInputPart, input: number): CaseOfGrammar[] | GrammarChoiceFailure {
    const cases: CaseOfGrammar[] = [];
    let { variables } = head;
    for (let index = 0; index < this.#cases; index++) {
      const start = this.#startOf(index, variables);
      const random = seed.random(input * this.#cases + index + 1);
      const drawn = this.#drawer.tryDrawCase(random, this.#options, start, ATTEMPTS_OF_JOINT_CASE);
      if (drawn instanceof GrammarChoiceFailure) return drawn;
      // Each case must also be valid alone, because a solver reads it with only the variables of the head.
      const alone = this.#startOf(index, head.variables);
      if (!this.#drawer.accepts(drawn.bytes, alone)) return NO_INPUT;
      cases.push(this.#toCase(drawn));
      variables = drawn.variables;
    }
    return cases;
  }

  #join(head: RandomInputPart, cases: readonly CaseOfGrammar[]): { bytes: Uint8Array; starts: number[] } {
    const out = new ByteWriter();
    out.append(head.bytes);
    const starts: number[] = [];
    for (const { bytes } of cases) {
      if (starts.length > 0) this.#format.printSeparator(out);
      starts.push(out.length);
      out.append(bytes);
    }
    if (this.#format.ending === 'until-terminator' && starts.length > 0) this.#format.printSeparator(out);
    return { bytes: out.take(), starts };
  }
}
