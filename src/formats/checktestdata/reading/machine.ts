/**
 * The state of a running grammar, and what its commands do to their surroundings. A machine that reads compares the
 * commands with an input; a machine that draws writes an input. compile.ts makes the functions that drive a machine.
 */
import { Regex } from '../language/regex.js';
import type {
  AssertCommand,
  FloatCommand,
  IntCommand,
  LoopCommand,
  Notation,
  Place,
  RegexCommand,
} from '../language/syntax.js';
import { type Charge, RuntimeFailure, type Value } from '../language/values.js';
import { Variables } from '../language/variables.js';

/** How many steps a run may take in any case, and how many more for each byte of its input. */
const BASE_STEPS = 5_000_000;
const STEPS_PER_BYTE = 200;
/** How many elements the arrays of one run may have. Text counts as elements too. */
const MAX_ELEMENTS = 1 << 21;
/** How many steps it takes to add an element. */
const ELEMENT_COST = 20;
const CHARACTERS_PER_ELEMENT = 16;
const MAX_CACHED_REGEXES = 64;

interface DecimalRange {
  readonly min: number;
  readonly max: number;
}

export interface FloatRange {
  readonly min: Value;
  readonly max: Value;
  readonly decimals: DecimalRange | null;
  readonly notation: Notation;
}

export abstract class Machine {
  readonly variables: Variables;
  #steps = 0;
  readonly #baseSteps: number;
  #maxSteps: number;
  #elements = 0;
  /** Work that is not a reason to end the run, in steps. */
  extraWork = 0;
  readonly #regexes = new Map<string, Regex>();
  /** `chargeSteps`, for functions that are not methods. */
  readonly charge: Charge = (cost) => {
    this.#steps += cost;
    if (this.#steps > this.#maxSteps) this.#checkSteps();
  };

  constructor(slots: number, baseSteps = BASE_STEPS) {
    this.#baseSteps = this.#maxSteps = baseSteps;
    this.variables = new Variables(slots);
  }

  /** The work of the run, in steps. */
  get work(): number {
    return this.#steps + this.extraWork;
  }

  abstract space(at: Place): void;
  abstract newline(at: Place): void;
  abstract endOfInput(at: Place): void;
  abstract integer(min: Value, max: Value, command: IntCommand): number | bigint;
  abstract float(range: FloatRange, command: FloatCommand): Value;
  abstract text(text: string, at: Place): void;
  abstract regex(regex: Regex, command: RegexCommand): string;
  /** Whether the next byte is one of the letters. */
  abstract matches(letters: string, at: Place): boolean;
  abstract isAtEnd(at: Place): boolean;
  /** The input breaks a rule of the grammar that is not a command that reads. */
  abstract refuse(expected: string, got: string, command: AssertCommand | null, at: Place): never;
  /** The number of bytes that the run has read or written. */
  protected abstract get progress(): number;

  /** Whether iterations of loops run through `runIteration`, which may run them again. */
  readonly retriesIterations: boolean = false;
  runIteration(run: () => void): void {
    run();
  }

  /** Called before the first condition of a loop; `count` is null for WHILE. */
  enterLoop(_loop: LoopCommand, _count: number | null): void {}
  /** Called before each evaluation of the condition of a WHILE. */
  beforeCondition(_iteration: number): void {}
  /** Called before each iteration. */
  beforeIteration(_iteration: number): void {}
  leaveLoop(): void {}

  /** Starts a new run with these variables. */
  protected begin(variables: Variables): void {
    this.variables.restore(variables);
    this.#steps = 0;
    this.extraWork = 0;
    this.#maxSteps = this.#baseSteps;
    this.#elements = 0;
  }

  addElements(count: number, value: Value, at: Place): void {
    this.#elements += count;
    if (typeof value === 'string') this.#elements += value.length / CHARACTERS_PER_ELEMENT;
    if (this.#elements > MAX_ELEMENTS)
      throw new RuntimeFailure(at, `at most ${MAX_ELEMENTS} elements in arrays`, 'more');
    this.charge(count * ELEMENT_COST);
  }

  /** Removes all values of a variable. */
  unset(slot: number): void {
    let count = 0;
    for (const [, value] of this.variables.arrays[slot]?.entries() ?? [])
      count += typeof value === 'string' ? 1 + value.length / CHARACTERS_PER_ELEMENT : 1;
    this.charge(count);
    this.#elements = Math.max(0, this.#elements - count);
    this.variables.unset(slot);
  }

  /** Compiles an expression that stands in a variable. */
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

/** The run has taken more steps than its input allows. */
export class StepLimitError extends Error {}
