/**
 * The state of a running grammar, and the operations that its commands use. A reading machine compares the commands with an
 * input; a drawing machine writes an input. compile.ts makes the functions that drive a machine.
 */
import { Regex } from '../language/regex.js';
import type {
  AssertCommand,
  FloatCommand,
  FloatNotation,
  GrammarPlace,
  IntCommand,
  LoopCommand,
  RegexCommand,
} from '../language/syntax.js';
import { type AddSteps, type GrammarValue, RuntimeFailure } from '../language/values.js';
import { type ElementKey, GrammarVariables } from '../language/variables.js';

/** The number of steps that any run may take, and the number of further steps for each byte of its input. */
const BASE_STEPS = 5_000_000;
const STEPS_PER_BYTE = 200;
/** The largest number of elements in the arrays of one run. Text counts as elements, too. */
const MAX_ELEMENTS = 1 << 21;
/** The number of steps that it takes to add an element to an array. */
const ELEMENT_COST = 20;
const CHARACTERS_PER_ELEMENT = 16;
const MAX_CACHED_REGEXES = 64;

interface DecimalRange {
  readonly min: number;
  readonly max: number;
}

export interface FloatRange {
  readonly min: GrammarValue;
  readonly max: GrammarValue;
  readonly decimals: DecimalRange | null;
  readonly notation: FloatNotation;
}

export abstract class GrammarMachine {
  readonly variables: GrammarVariables;
  #steps = 0;
  readonly #baseSteps: number;
  #maxSteps: number;
  #elements = 0;
  /** Work that does not count against the limit on steps. */
  extraWork = 0;
  readonly #regexes = new Map<string, Regex>();
  /** `chargeSteps`, for functions that are not methods. */
  readonly charge: AddSteps = (cost) => {
    this.#steps += cost;
    if (this.#steps > this.#maxSteps) this.#checkSteps();
  };

  constructor(slots: number, baseSteps = BASE_STEPS) {
    this.#baseSteps = this.#maxSteps = baseSteps;
    this.variables = new GrammarVariables(slots);
  }

  /** The work of the run so far, in steps. */
  get work(): number {
    return this.#steps + this.extraWork;
  }

  abstract space(at: GrammarPlace): void;
  abstract newline(at: GrammarPlace): void;
  abstract endOfInput(at: GrammarPlace): void;
  abstract integer(min: GrammarValue, max: GrammarValue, command: IntCommand): number | bigint;
  abstract float(range: FloatRange, command: FloatCommand): GrammarValue;
  abstract text(text: string, at: GrammarPlace): void;
  abstract regex(regex: Regex, command: RegexCommand): string;
  /** Whether the next byte is one of these letters. */
  abstract matches(letters: string, at: GrammarPlace): boolean;
  abstract isAtEnd(at: GrammarPlace): boolean;
  /** Refuses the input because it breaks a rule of the grammar, such as an ASSERT. */
  abstract refuse(expected: string, got: string, command: AssertCommand | null, at: GrammarPlace): never;
  /** The number of bytes that the run has read or written. */
  protected abstract get progress(): number;

  /** Whether iterations of loops run through `runIteration`, which may repeat an iteration. */
  readonly retriesIterations: boolean = false;
  runIteration(run: () => void): void {
    run();
  }

  /** Called before a loop begins; `count` is null for WHILE. */
  enterLoop(_loop: LoopCommand, _count: number | null): void {}
  /** Called before the condition of a WHILE is evaluated. */
  beforeCondition(_iteration: number): void {}
  /** Called before each iteration of a loop. */
  beforeIteration(_iteration: number): void {}
  leaveLoop(): void {}

  /** Starts a new run. The run begins with these variables. */
  protected begin(variables: GrammarVariables): void {
    this.variables.restore(variables);
    this.#steps = 0;
    this.extraWork = 0;
    this.#maxSteps = this.#baseSteps;
    this.#elements = 0;
  }

  /** Counts elements that were added to an array, the last of them with this key and value. */
  addElements(count: number, key: ElementKey, value: GrammarValue, at: GrammarPlace): void {
    this.#elements += count + elementsOfText(key) + elementsOfText(value);
    if (this.#elements > MAX_ELEMENTS)
      throw new RuntimeFailure(at, `at most ${MAX_ELEMENTS} elements in arrays`, 'more');
    this.charge(count * ELEMENT_COST);
  }

  /** Removes all values of a variable. */
  unset(slot: number): void {
    let count = 0;
    for (const [key, value] of this.variables.arrays[slot]?.entries() ?? [])
      count += 1 + elementsOfText(key) + elementsOfText(value);
    this.charge(count);
    this.#elements = Math.max(0, this.#elements - count);
    this.variables.unset(slot);
  }

  /** Returns the compiled regular expression. Used for an expression that is the value of a variable. */
  regexOf(pattern: string): Regex {
    let regex = this.#regexes.get(pattern);
    if (regex === undefined) {
      this.charge(pattern.length);
      regex = new Regex(pattern);
      if (this.#regexes.size >= MAX_CACHED_REGEXES) this.#regexes.clear();
      this.#regexes.set(pattern, regex);
    }
    return regex;
  }

  #checkSteps(): void {
    this.#maxSteps = this.#baseSteps + STEPS_PER_BYTE * this.progress;
    if (this.#steps > this.#maxSteps) throw new StepLimitError();
  }
}

/** Returns as how many elements a text counts in addition, because of its characters. */
function elementsOfText(value: GrammarValue): number {
  return typeof value === 'string' ? value.length / CHARACTERS_PER_ELEMENT : 0;
}

/** Thrown when a run takes more steps than its input allows. */
export class StepLimitError extends Error {}
