/** A machine that writes an input which the grammar accepts. Something else chooses the values that it writes. */

import type { Regex } from '../language/regex.js';
import type {
  AssertCommand,
  FloatCommand,
  IntCommand,
  LoopCommand,
  Place,
  RegexCommand,
  Test,
} from '../language/syntax.js';
import { parseFraction, RuntimeFailure, type Value } from '../language/values.js';
import type { Variables } from '../language/variables.js';
import { type FloatRange, Machine } from '../reading/machine.js';

/** Largest size of a case, and of what a machine writes. */
export const MAX_CASE_BYTES = 1 << 26;

/** Thrown when the chosen values break the grammar. Other values may not. */
export class DrawFailure {
  constructor(
    readonly at: Place,
    readonly expected: string,
    /** How many attempts have ended like this. */
    readonly attempts = 1,
  ) {}
}

/** How often an iteration of a loop is drawn again, and all iterations of one draw together. */
const ITERATION_ATTEMPTS = 100;
const MAX_RETRIES = 100_000;
/** After so much work on what has failed, which takes some seconds, nothing is drawn again. */
export const MAX_FAILED_WORK = 100_000_000;
/** The work of writing a byte, in steps. */
const BYTE_WORK = 5;

/** Chooses what a drawer writes. */
export interface Choices {
  /** Whether the choices may be different the next time, so that it helps to draw an iteration again. */
  readonly isRandom: boolean;
  /** The number of loops that are running; an iteration that is drawn again begins with the same number. */
  depth: number;
  /** Each of these three gets the machine that writes, for the values of its variables. */
  integer(min: number | bigint, max: number | bigint, command: IntCommand, machine: Machine): number | bigint;
  float(range: FloatRange, command: FloatCommand, machine: Machine): string;
  regex(regex: Regex, command: RegexCommand, machine: Machine): string;
  /** Whether a MATCH or an ISEOF is true. */
  decide(kind: 'match' | 'is-eof'): boolean;
  enterLoop(loop: LoopCommand, count: number | null): void;
  beforeCondition(iteration: number): void;
  beforeIteration(iteration: number): void;
  leaveLoop(): void;
}

/** What a MATCH or an ISEOF has said of the next byte. */
interface Expectation {
  /** The letters that the next byte is one of, or not; null if it is about the end of the input. */
  readonly letters: string | null;
  readonly isTrue: boolean;
}

export class Drawer extends Machine {
  readonly #choices: Choices;
  readonly #parts: string[] = [];
  #length = 0;
  #expectations: Expectation[] = [];
  #retries = 0;
  #failedWork = 0;
  override readonly retriesIterations: boolean;

  constructor(slots: number, choices: Choices) {
    super(slots);
    this.#choices = choices;
    this.retriesIterations = choices.isRandom;
  }

  /** Draws an iteration again if an ASSERT in it fails, because it would take long until a whole case succeeds. */
  override runIteration(run: () => void): void {
    const scalars = [...this.variables.scalars];
    const { depth } = this.#choices;
    const parts = this.#parts.length;
    const length = this.#length;
    const expectations = [...this.#expectations];
    for (let attempt = 1; ; attempt++) {
      const before = this.work;
      try {
        run();
        return;
      } catch (error) {
        this.#failedWork += this.work - before;
        const isHopeless =
          attempt === ITERATION_ATTEMPTS ||
          ++this.#retries > MAX_RETRIES ||
          this.#failedWork > MAX_FAILED_WORK;
        if (!(error instanceof DrawFailure) || isHopeless) throw error;
      }
      for (const [slot, value] of scalars.entries()) this.variables.scalars[slot] = value;
      this.#choices.depth = depth;
      this.#parts.length = parts;
      this.#length = length;
      this.#expectations = [...expectations];
    }
  }

  /** Runs a part of the grammar with these variables and returns the bytes that it has written. */
  draw(part: () => void, variables: Variables): Uint8Array {
    this.begin(variables);
    this.#parts.length = 0;
    this.#length = 0;
    this.#expectations = [];
    part();
    return new Uint8Array(Buffer.from(this.#parts.join(''), 'latin1'));
  }

  protected override get progress(): number {
    return this.#length;
  }

  #write(text: string, at: Place): void {
    if (text === '') return;
    for (const { letters, isTrue } of this.#expectations) {
      const isKept = letters === null ? !isTrue : letters.includes(text[0]) === isTrue;
      if (!isKept) throw new DrawFailure(at, 'text that agrees with the MATCH or ISEOF before it');
    }
    this.#expectations = [];
    this.#parts.push(text);
    this.#length += text.length;
    this.extraWork += BYTE_WORK * text.length;
    if (this.#length > MAX_CASE_BYTES)
      throw new RuntimeFailure(at, `text of at most ${MAX_CASE_BYTES} bytes`, 'more');
  }

  override space(at: Place): void {
    this.#write(' ', at);
  }

  override newline(at: Place): void {
    this.#write('\n', at);
  }

  override endOfInput(_at: Place): void {
    this.#expectations.push({ letters: null, isTrue: true });
  }

  override integer(min: Value, max: Value, command: IntCommand): number | bigint {
    const value = this.#choices.integer(min as number | bigint, max as number | bigint, command, this);
    this.#write(value.toString(), command.at);
    return value;
  }

  override float(range: FloatRange, command: FloatCommand): Value {
    const text = this.#choices.float(range, command, this);
    this.#write(text, command.at);
    return parseFraction(text);
  }

  override text(text: string, at: Place): void {
    this.#write(text, at);
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = this.#choices.regex(regex, command, this);
    this.#write(text, command.at);
    return text;
  }

  override matches(letters: string, _at: Place): boolean {
    const isTrue = this.#choices.decide('match');
    this.#expectations.push({ letters, isTrue });
    return isTrue;
  }

  override isAtEnd(_at: Place): boolean {
    const isTrue = this.#choices.decide('is-eof');
    this.#expectations.push({ letters: null, isTrue });
    return isTrue;
  }

  override refuse(expected: string, _got: string, command: AssertCommand | null, at: Place): never {
    throw new DrawFailure(command?.at ?? at, expected);
  }

  override enterLoop(loop: LoopCommand, count: number | null): void {
    this.#choices.enterLoop(loop, count);
  }

  override beforeCondition(iteration: number): void {
    this.#choices.beforeCondition(iteration);
  }

  override beforeIteration(iteration: number): void {
    this.#choices.beforeIteration(iteration);
  }

  override leaveLoop(): void {
    this.#choices.leaveLoop();
  }
}

/** The value of MATCH or ISEOF with which the condition of a loop is most likely to be true. */
export function continuingDecision(test: Test | null): boolean {
  if (test === null) return true;
  if (test.kind === 'not') return !continuingDecision(test.operand);
  return test.kind === 'and' || test.kind === 'or' ? continuingDecision(test.left) : true;
}
