/** Draws random inputs from a grammar. Each value is drawn within its bounds, and drawn again if an ASSERT fails. */
import { type Random, Seed } from '../../../core/random.js';
import { normalizeExactInteger } from '../../language/exact.js';
import { GrammarError } from '../language/grammar-error.js';
import { namesInLoopCounts, readsInput } from '../language/names.js';
import type { Regex } from '../language/regex.js';
import type { FloatCommand, GrammarPlace, IntCommand, RegexCommand } from '../language/syntax.js';
import { parseFraction, RuntimeFailure } from '../language/values.js';
import { GrammarVariables } from '../language/variables.js';
import { type FloatRange, StepLimitError } from '../reading/machine.js';
import { GrammarInputReader } from '../reading/reader.js';
import type { CompiledGrammar } from './cases.js';
import { GrammarDemands, type ReadingCommand, type ValueDemand } from './demands.js';
import {
  alignDown,
  compareBounds,
  domainBetween,
  integerDomainBetween,
  type NumberDomain,
  valuesOfSmallDomain,
} from './domain.js';
import {
  drawFloat,
  drawInteger,
  drawMatchOfLength,
  drawTextOfRegex,
  isWholeMatch,
  matchLengthBounds,
} from './draw-number.js';
import { ChosenValueWriter, continuingDecision, type GrammarChooser, MAX_FAILED_WORK } from './drawer.js';
import { GrammarChoiceFailure } from './writing-machine.js';

export type GrammarCaseProfile = 'tiny' | 'random' | 'contest-max';

export interface DrawOptions {
  /** The profile of the values. `smallest` tries the smallest values first and, if these fail, other values near 0. */
  readonly profile: GrammarCaseProfile | 'smallest';
  /** The largest count of a loop that is drawn; null if only the bounds of the grammar limit it. */
  readonly maxSize: number | null;
  /** The value of the command that reads the number of cases; null if its value is drawn like any other. */
  readonly caseCount: { readonly command: IntCommand; readonly value: number } | null;
}

export const MAX_DRAW_ATTEMPTS = 1000;
/** The number of typical values, and then of any values, that are tried until the ASSERTs allow one. */
const PROPOSALS = 10;
const MAX_FRUITLESS_SEARCHES = 1000;
/** The work, in steps, of drawing a value, and of checking whether a value meets one condition. */
const VALUE_WORK = 20;
const CONDITION_WORK = 100;
/** If the length of a text has no upper bound, the text is at most this much longer than necessary. */
const LONGER = 10;
const NEAR = 9;
const NEAR_COUNT = 3;
/** After this many iterations of a WHILE, values that are likely to end it are drawn. After MAX_ITERATIONS, the draw fails. */
const PATIENCE = { smallest: 1, tiny: 3, random: 20, 'contest-max': 200 };
const MAX_ITERATIONS = 10_000;
/** The probability that a loop goes on that a MATCH or ISEOF controls. */
const CONTINUE = { smallest: 0.1, tiny: 0.5, random: 0.85, 'contest-max': 0.97 };
const MOST_DECIMALS = { smallest: 0, tiny: 1, random: 6, 'contest-max': 15 };
const START: GrammarPlace = { line: 1, column: 1 };
const SMALLEST: DrawOptions = { profile: 'smallest', maxSize: null, caseCount: null };

/** Chooses the values that ASSERTs demand, and all other values at random. */
class RandomChooser implements GrammarChooser {
  readonly #random: Random;
  readonly #options: DrawOptions;
  /** The names of the variables that give the number of iterations of a loop. */
  readonly #counts: ReadonlySet<string>;
  readonly #demands: GrammarDemands;
  readonly isRandom = true;
  /** Whether the smallest values are chosen. They are tried only once. */
  readonly #isSmallest: boolean;
  /** The bounds of the number of cases, which are known when the head was drawn. */
  caseBounds: { min: number; max: number } | null = null;

  readonly #searches: SearchBudget;

  constructor(
    random: Random,
    options: DrawOptions,
    { counts, demands }: GrammarFacts,
    searches: SearchBudget,
    attempt: number,
  ) {
    this.#random = random;
    this.#searches = searches;
    this.#options = options;
    this.#counts = counts;
    this.#demands = demands;
    this.#isSmallest = options.profile === 'smallest' && attempt === 0;
  }

  integer(
    min: number | bigint,
    max: number | bigint,
    command: IntCommand,
    drawer: ChosenValueWriter,
  ): number | bigint {
    drawer.extraWork += VALUE_WORK;
    const { caseCount } = this.#options;
    if (command === caseCount?.command) {
      this.caseBounds = { min: Number(min), max: Number(max) };
      return caseCount.value;
    }
    if (min > max)
      throw new GrammarChoiceFailure(command.at, `a range that is not empty, got ${min} to ${max}`);
    const propose = (least: number | bigint, most: number | bigint) =>
      this.#proposal(least, most, command, drawer);
    const proposed = propose(min, max);
    const demand = this.#demandOf(command, integerDomainBetween(min, max), drawer);
    if (demand === null || demand.allows(proposed)) return proposed;
    const most = this.#mostOf(command, min, max);
    const limited = most === max ? null : this.#demandOf(command, integerDomainBetween(min, most), drawer);
    const find = (narrowed: ValueDemand) => this.#allowedInteger(narrowed, propose);
    return this.#search(limited, drawer, find) ?? this.#search(demand, drawer, find) ?? proposed;
  }

  #demandOf(command: ReadingCommand, own: NumberDomain, drawer: ChosenValueWriter): ValueDemand | null {
    if (this.#searches.left === 0) return null;
    const demand = this.#demands.demandOf(command, own, drawer);
    drawer.extraWork += CONDITION_WORK * (demand?.size ?? 0);
    return demand;
  }

  /** Finds a value that meets the demand; null if none was found. */
  #search<T>(
    demand: ValueDemand | null,
    drawer: ChosenValueWriter,
    find: (narrowed: ValueDemand) => T | null,
  ): T | null {
    if (demand === null) return null;
    drawer.extraWork += CONDITION_WORK * PROPOSALS * demand.size;
    const found = demand.narrow() ? find(demand) : null;
    if (found === null && this.#searches.left > 0) this.#searches.left--;
    return found;
  }

  #proposal(
    min: number | bigint,
    max: number | bigint,
    command: IntCommand,
    drawer: ChosenValueWriter,
  ): number | bigint {
    if (this.#isSmallest) return min;
    if (this.#mustEndLoop(drawer)) return this.#endingInteger(min, max);
    return this.#isCount(command) ? this.#count(min, max) : this.#value(min, max);
  }

  #isCount({ variable }: IntCommand): boolean {
    return variable !== null && this.#counts.has(variable.name);
  }

  /** Returns the largest value that is drawn for a command as long as ASSERTs allow a smaller one, too. */
  #mostOf(command: IntCommand, min: number | bigint, max: number | bigint): number | bigint {
    const { maxSize } = this.#options;
    return maxSize !== null && this.#isCount(command) ? clamp(maxSize, min, max) : max;
  }

  /** Tries proposed values until one is allowed, then any values, and finally all values if they are few. */
  #allowedInteger(
    demand: ValueDemand,
    propose: (min: number | bigint, max: number | bigint) => number | bigint,
  ): number | bigint | null {
    const domain = demand.value as NumberDomain;
    const draw = (min: number | bigint, max: number | bigint) => drawInteger(this.#random, min, max);
    for (let attempt = 0; attempt < 2 * PROPOSALS; attempt++) {
      const value = proposeFrom(domain, attempt < PROPOSALS ? propose : draw);
      if (demand.allows(value)) return value;
    }
    const allowed = valuesOfSmallDomain(domain)?.filter((value) => demand.allows(value)) ?? [];
    if (allowed.length === 0) return null;
    return this.#isSmallest ? allowed[0] : this.#random.pick(allowed);
  }

  #value(min: number | bigint, max: number | bigint): number | bigint {
    const { profile } = this.#options;
    if (profile === 'random' || profile === 'contest-max') return drawInteger(this.#random, min, max);
    const near = clamp(0, min, max);
    return drawInteger(this.#random, clamp(add(near, -NEAR), min, max), clamp(add(near, NEAR), min, max));
  }

  #count(min: number | bigint, max: number | bigint): number | bigint {
    const { profile, maxSize } = this.#options;
    const most = maxSize === null ? max : clamp(maxSize, min, max);
    if (profile === 'contest-max') return most;
    if (profile !== 'random') return drawInteger(this.#random, min, clamp(add(min, NEAR_COUNT), min, most));
    // Small and large counts are equally probable: first the number of bits of the largest count is drawn.
    const bits = (BigInt(most) - BigInt(min)).toString(2).length;
    const spread = 2n ** BigInt(1 + this.#random.below(bits));
    return drawInteger(this.#random, min, clamp(BigInt(min) + spread, min, most));
  }

  /** Whether the innermost WHILE has run for so long that it should end. */
  #mustEndLoop({ loops }: ChosenValueWriter): boolean {
    const loop = loops.findLast((entry) => entry.loop.condition !== null);
    return loop !== undefined && loop.iteration >= PATIENCE[this.#options.profile];
  }

  #endingInteger(min: number | bigint, max: number | bigint): number | bigint {
    return this.#random.chance(0.5)
      ? clamp(this.#random.pick([0, 1, -1]), min, max)
      : this.#random.pick([min, max]);
  }

  float(range: FloatRange, command: FloatCommand, drawer: ChosenValueWriter): string {
    drawer.extraWork += VALUE_WORK;
    const text =
      this.#demandedFloat(range, command, drawer) ??
      drawFloat(this.#random, range, MOST_DECIMALS[this.#options.profile]);
    if (text === null) throw new GrammarChoiceFailure(command.at, 'bounds with a number between them');
    return text;
  }

  #demandedFloat(range: FloatRange, command: FloatCommand, drawer: ChosenValueWriter): string | null {
    const { min, max } = range;
    if (typeof min === 'string' || typeof max === 'string') return null;
    const demand = this.#demandOf(command, domainBetween(min, max), drawer);
    return this.#search(demand, drawer, (narrowed) => this.#allowedFloat(range, narrowed));
  }

  #allowedFloat(range: FloatRange, demand: ValueDemand): string | null {
    const domain = demand.value as NumberDomain;
    const decimals = compareBounds(domain.low, domain.high) === 0 ? 0 : MOST_DECIMALS[this.#options.profile];
    for (let attempt = 0; attempt < PROPOSALS; attempt++) {
      const text = drawFloat(this.#random, { ...range, ...this.#boundsIn(domain) }, decimals);
      if (text !== null && demand.allows(parseFraction(text))) return text;
    }
    return null;
  }

  /** Returns the bounds between which a number of the domain is drawn. If only whole numbers are left, both are the same. */
  #boundsIn(domain: NumberDomain): Pick<FloatRange, 'min' | 'max'> {
    if (domain.step === null) return { min: domain.low, max: domain.high };
    const value = proposeFrom(domain, (min, max) => drawInteger(this.#random, min, max));
    return { min: value, max: value };
  }

  regex(regex: Regex, command: RegexCommand, drawer: ChosenValueWriter): string {
    drawer.extraWork += VALUE_WORK;
    const { min, max } = matchLengthBounds(regex);
    const demand = this.#demandOf(command, integerDomainBetween(min, max), drawer);
    const proposed = drawTextOfRegex(this.#random, regex, (least, most) => this.#repetitions(least, most));
    const isFine = proposed !== null && (demand === null || demand.allows(proposed));
    const text = isFine
      ? proposed
      : (this.#search(demand, drawer, (narrowed) => this.#allowedText(regex, narrowed)) ?? proposed);
    if (text === null)
      throw new GrammarChoiceFailure(command.at, 'a regular expression that matches a whole text');
    return text;
  }

  #allowedText(regex: Regex, demand: ValueDemand): string | null {
    if (typeof demand.value === 'string') return isWholeMatch(regex, demand.value) ? demand.value : null;
    for (let attempt = 0; attempt < PROPOSALS; attempt++) {
      const text = this.#matchOfLength(regex, demand.length);
      if (text !== null && demand.allows(text)) return text;
    }
    return null;
  }

  #matchOfLength(regex: Regex, lengths: NumberDomain): string | null {
    const length = proposeFrom(lengths, (min, max) => {
      const [least, most] = [Number(min), Number(max)];
      return this.#repetitions(least, Number.isFinite(most) ? most : least + LONGER);
    });
    return drawMatchOfLength(this.#random, regex, Number(length));
  }

  #repetitions(min: number, max: number): number {
    const { profile } = this.#options;
    if (profile === 'smallest') return min;
    if (profile === 'contest-max') return max;
    return Number(drawInteger(this.#random, min, profile === 'tiny' ? Math.min(max, min + NEAR_COUNT) : max));
  }

  decide(kind: 'match' | 'is-eof', { loops }: ChosenValueWriter): boolean {
    const { profile } = this.#options;
    const current = loops.at(-1);
    if (current?.isInCondition !== true) return this.#random.chance(kind === 'match' ? 0.5 : 0.3);
    const goesOn = this.#random.chance(this.#isSmallest ? 0 : CONTINUE[profile]);
    return continuingDecision(current.loop.condition) === goesOn;
  }

  beforeCondition(iteration: number, { loops }: ChosenValueWriter): void {
    if (iteration > MAX_ITERATIONS)
      throw new GrammarChoiceFailure(loops.at(-1)!.loop.at, 'a WHILE that ends');
  }
}

/** Returns a value of the domain near a proposed value. */
function proposeFrom(
  { low, high, step, rest }: NumberDomain,
  propose: (min: number | bigint, max: number | bigint) => number | bigint,
): number | bigint {
  if (!step) return rest;
  const [least, most] = [low as number | bigint, high as number | bigint];
  if (step === 1) return propose(least, most);
  // Each value of the domain stands for `step` proposed numbers.
  const last =
    most === Number.POSITIVE_INFINITY ? most : normalizeExactInteger(BigInt(most) + BigInt(step) - 1n);
  return alignDown(propose(least, last), step, rest);
}

function clamp(value: number | bigint, min: number | bigint, max: number | bigint): number | bigint {
  return value < min ? min : value > max ? max : value;
}

function add(value: number | bigint, delta: number): number | bigint {
  return typeof value === 'number' ? value + delta : value + BigInt(delta);
}

/** A part of an input that was drawn, and the values of the variables after it. */
export interface RandomInputPart {
  readonly bytes: Uint8Array;
  readonly variables: GrammarVariables;
  readonly caseBounds: { min: number; max: number } | null;
}

/** The number of fruitless searches for demanded values that are still allowed. After them, values are drawn only at random. */
interface SearchBudget {
  left: number;
}

/** Facts about a whole grammar that drawing needs. */
interface GrammarFacts {
  /** The names of the variables that give the number of iterations of a loop. */
  readonly counts: ReadonlySet<string>;
  readonly demands: GrammarDemands;
}

/** Draws the parts of inputs of one grammar. */
export class GrammarInputGenerator {
  readonly #division: CompiledGrammar;
  readonly #maxFailedWork: number;
  readonly #facts: GrammarFacts;
  readonly #strictReader: GrammarInputReader;
  /** The work of all failed attempts, in steps. */
  failedWork = 0;

  /** Draws cases. The work of attempts that fail may be up to `maxFailedWork`, which tests make smaller. */
  constructor(division: CompiledGrammar, maxFailedWork = MAX_FAILED_WORK) {
    this.#division = division;
    this.#maxFailedWork = maxFailedWork;
    this.#facts = {
      counts: namesInLoopCounts([...division.head, ...division.body, ...division.tail]),
      demands: new GrammarDemands(division.grammar.commands, division.compiler),
    };
    this.#strictReader = new GrammarInputReader(this.#slots, division.grammar.fileName, { isLenient: false });
  }

  drawHead(random: Random, options: DrawOptions): RandomInputPart {
    return this.#draw(this.#division.runHead, new GrammarVariables(this.#slots), random, options, () => true);
  }

  /** Draws a case that starts with the variables of the head. A reader checks the case. */
  drawCase(random: Random, options: DrawOptions, head: GrammarVariables): RandomInputPart {
    return this.#orThrow(this.tryDrawCase(random, options, head, MAX_DRAW_ATTEMPTS));
  }

  /** Draws a case as `drawCase` does. If too many attempts fail, returns the command that made them fail. */
  tryDrawCase(
    random: Random,
    options: DrawOptions,
    variables: GrammarVariables,
    attempts: number,
  ): RandomInputPart | GrammarChoiceFailure {
    const { ending, runBody, continues } = this.#division;
    const isGood: IsGood = (drawer, bytes) => {
      // After the terminator, which is the last iteration and not a case, the condition of the loop is false.
      if (ending === 'until-terminator' && !continues!(drawer)) return false;
      return this.accepts(bytes, variables);
    };
    return this.#tryDraw(runBody, variables, random, options, isGood, attempts);
  }

  /** Whether the bytes are a valid case if the variables have these values before the case. */
  accepts(bytes: Uint8Array, variables: GrammarVariables): boolean {
    return this.#strictReader.accepts(bytes, variables, this.#division.runBody);
  }

  smallestHead(count: number): Uint8Array {
    const { caseCount } = this.#division;
    return this.drawHead(fixedRandom(), {
      profile: 'smallest',
      maxSize: null,
      caseCount: caseCount === null ? null : { command: caseCount, value: count },
    }).bytes;
  }

  /** Returns the number of cases of a REP whose count is not one number that the head reads. */
  countCases(head: GrammarVariables): number {
    let count = 0;
    const { countCases } = this.#division;
    this.#drawSmallest(
      (drawer) => {
        count = countCases!(drawer);
      },
      head,
      () => true,
    );
    return count;
  }

  /** Returns the text after the last case: the terminator, and the text of the commands after the loop. */
  smallestTail(head: GrammarVariables): Uint8Array {
    const { ending, runTail, tail } = this.#division;
    const terminator = ending === 'until-terminator' ? this.#terminator(head) : new Uint8Array(0);
    const rest = readsInput(tail) ? this.#drawSmallest(runTail, head, () => true).bytes : new Uint8Array(0);
    return new Uint8Array(Buffer.concat([terminator, rest]));
  }

  /** Returns the text after cases that have left these variables, or the command because of which no text can follow. */
  tailAfter(variables: GrammarVariables): Uint8Array | GrammarChoiceFailure {
    const { ending, runBody, runTailWithAsserts, continues, tail } = this.#division;
    const run = (drawer: ChosenValueWriter) => {
      if (ending === 'until-terminator') {
        runBody(drawer);
        if (continues!(drawer)) throw new GrammarChoiceFailure(this.#division.loop!.at, 'a terminator');
      }
      runTailWithAsserts(drawer);
    };
    const isFixed = ending !== 'until-terminator' && !readsInput(tail);
    const drawn = this.#tryDraw(
      run,
      variables,
      fixedRandom(),
      SMALLEST,
      () => true,
      isFixed ? 1 : MAX_DRAW_ATTEMPTS,
    );
    return drawn instanceof GrammarChoiceFailure ? drawn : drawn.bytes;
  }

  #terminator(head: GrammarVariables): Uint8Array {
    const { runBody, continues } = this.#division;
    return this.#drawSmallest(runBody, head, (drawer) => !continues!(drawer)).bytes;
  }

  #drawSmallest(
    part: (drawer: ChosenValueWriter) => void,
    head: GrammarVariables,
    isGood: IsGood,
  ): RandomInputPart {
    return this.#draw(part, head, fixedRandom(), SMALLEST, isGood);
  }

  get #slots(): number {
    return this.#division.compiler.slotCount;
  }

  /** Repeats a draw until it succeeds, at most `MAX_DRAW_ATTEMPTS` times, and only as long as `isWorthTrying` returns true. */
  #draw(
    part: (drawer: ChosenValueWriter) => void,
    head: GrammarVariables,
    random: Random,
    options: DrawOptions,
    isGood: IsGood,
  ): RandomInputPart {
    return this.#orThrow(this.#tryDraw(part, head, random, options, isGood, MAX_DRAW_ATTEMPTS));
  }

  #orThrow(drawn: RandomInputPart | GrammarChoiceFailure): RandomInputPart {
    if (drawn instanceof GrammarChoiceFailure) throw this.failedAfter(drawn, drawn.attempts);
    return drawn;
  }

  /** Returns the error that names the command because of which all these attempts failed. */
  failedAfter({ at, expected }: GrammarChoiceFailure, attempts: number): GrammarError {
    return this.#error(
      at,
      `expected ${expected}, got none in ${attempts} attempt${attempts === 1 ? '' : 's'}`,
    );
  }

  #tryDraw(
    part: (drawer: ChosenValueWriter) => void,
    head: GrammarVariables,
    random: Random,
    options: DrawOptions,
    isGood: IsGood,
    attempts: number,
  ): RandomInputPart | GrammarChoiceFailure {
    let failure: GrammarChoiceFailure | null = null;
    const searches = { left: MAX_FRUITLESS_SEARCHES };
    const before = this.failedWork;
    let attempt = 0;
    for (; attempt < attempts && this.isWorthTrying(before); attempt++) {
      const chooser = new RandomChooser(random, options, this.#facts, searches, attempt);
      const drawer = new ChosenValueWriter(this.#slots, chooser, this.#maxFailedWork);
      try {
        const bytes = drawer.draw(() => part(drawer), head);
        if (isGood(drawer, bytes))
          return { bytes, variables: drawer.variables, caseBounds: chooser.caseBounds };
      } catch (error) {
        failure = this.#failureOf(error);
      }
      this.failedWork += drawer.work;
    }
    const { at, expected } = failure ?? { at: START, expected: 'a case that can be drawn' };
    return new GrammarChoiceFailure(at, expected, attempt);
  }

  /** Whether another attempt may be made, if `failedWork` was `before` when the first attempt began. */
  isWorthTrying(before: number): boolean {
    return this.failedWork - before < this.#maxFailedWork;
  }

  #failureOf(error: unknown): GrammarChoiceFailure {
    if (error instanceof GrammarChoiceFailure) return error;
    // A reader refuses such an input. Other values may be possible: an array may have no element only in this draw.
    if (error instanceof RuntimeFailure) return new GrammarChoiceFailure(error.at, error.expected);
    if (error instanceof StepLimitError)
      throw this.#error(START, 'expected loops that end, got too many steps while drawing a case');
    throw error;
  }

  #error(at: GrammarPlace, message: string): GrammarError {
    return new GrammarError(this.#division.grammar.fileName, at, message);
  }
}

type IsGood = (drawer: ChosenValueWriter, bytes: Uint8Array) => boolean;

/** Returns the random numbers for the smallest texts. Their seed is fixed, so the texts are always the same. */
function fixedRandom(): Random {
  return new Seed('the smallest input').random(0);
}
