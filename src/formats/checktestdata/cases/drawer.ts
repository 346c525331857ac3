/** A machine that writes an input which the grammar accepts. A chooser chooses the values that the machine writes. */

import type { Regex } from '../language/regex.js';
import type {
  FloatCommand,
  GrammarCondition,
  GrammarPlace,
  IntCommand,
  LoopCommand,
  RegexCommand,
} from '../language/syntax.js';
import { type GrammarValue, parseFraction, RuntimeFailure } from '../language/values.js';
import type { GrammarVariables } from '../language/variables.js';
import type { FloatRange } from '../reading/machine.js';
import { GrammarChoiceFailure, TextWritingMachine } from './writing-machine.js';

/** How often one iteration of a loop is drawn again, and how often all iterations of a draw together. */
const ITERATION_ATTEMPTS = 100;
const MAX_RETRIES = 100_000;
/** When failed attempts have taken this much work (some seconds), no further attempt is made. */
export const MAX_FAILED_WORK = 100_000_000;
/** The work of writing a byte, in steps. */
const BYTE_WORK = 5;

/** Chooses the values that a drawer writes. The drawer shows the values of variables and the loops that are running. */
export interface GrammarChooser {
  /** Whether the choices may differ the next time. If not, it is no use to draw an iteration again. */
  readonly isRandom: boolean;
  integer(
    min: number | bigint,
    max: number | bigint,
    command: IntCommand,
    drawer: ChosenValueWriter,
  ): number | bigint;
  float(range: FloatRange, command: FloatCommand, drawer: ChosenValueWriter): string;
  regex(regex: Regex, command: RegexCommand, drawer: ChosenValueWriter): string;
  /** Decides whether a MATCH or an ISEOF is true. */
  decide(kind: 'match' | 'is-eof', drawer: ChosenValueWriter): boolean;
  /** Called before each condition of a WHILE. */
  beforeCondition(iteration: number, drawer: ChosenValueWriter): void;
  /** Called when a loop begins. `count` is null if the loop is a WHILE. */
  enter?(name: string, count: number | null): void;
  beforeElement?(iteration: number): void;
  leave?(): void;
}

/** What a MATCH or an ISEOF requires of the next byte. */
interface Expectation {
  /** The letters that the next byte must be one of, or must not be; null if the test is about the end of the input. */
  readonly letters: string | null;
  readonly isTrue: boolean;
}

/** Writes the values that a chooser chooses. */
export class ChosenValueWriter extends TextWritingMachine {
  readonly #chooser: GrammarChooser;
  #expectations: Expectation[] = [];
  #retries = 0;
  #failedWork = 0;
  readonly #maxFailedWork: number;
  override readonly retriesIterations: boolean;

  constructor(slots: number, chooser: GrammarChooser, maxFailedWork = MAX_FAILED_WORK) {
    super(slots);
    this.#chooser = chooser;
    this.#maxFailedWork = maxFailedWork;
    this.retriesIterations = chooser.isRandom;
  }

  /** Draws an iteration again if the grammar refuses its values. To draw the whole case again would take much longer. */
  override runIteration(run: () => void): void {
    const scalars = [...this.variables.scalars];
    const { written } = this;
    const depth = this.loops.length;
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
          this.#failedWork > this.#maxFailedWork;
        const isOfValues = error instanceof GrammarChoiceFailure || error instanceof RuntimeFailure;
        if (!isOfValues || isHopeless) throw error;
      }
      for (const [slot, value] of scalars.entries()) this.variables.scalars[slot] = value;
      this.written = written;
      this.loops.length = depth;
      this.#expectations = [...expectations];
    }
  }

  /** Runs a part of the grammar, which starts with these variables, and returns the bytes that it has written. */
  draw(part: () => void, variables: GrammarVariables): Uint8Array {
    this.restart(variables);
    this.#expectations = [];
    part();
    return new Uint8Array(Buffer.from(this.written, 'latin1'));
  }

  override text(text: string, at: GrammarPlace): void {
    if (text === '') return;
    for (const { letters, isTrue } of this.#expectations) {
      const isKept = letters === null ? !isTrue : letters.includes(text[0]) === isTrue;
      if (!isKept) throw new GrammarChoiceFailure(at, 'text that agrees with the MATCH or ISEOF before it');
    }
    this.#expectations = [];
    this.extraWork += BYTE_WORK * text.length;
    this.append(text, at);
  }

  override endOfInput(_at: GrammarPlace): void {
    this.#expectations.push({ letters: null, isTrue: true });
  }

  override integer(min: GrammarValue, max: GrammarValue, command: IntCommand): number | bigint {
    const value = this.#chooser.integer(min as number | bigint, max as number | bigint, command, this);
    this.text(value.toString(), command.at);
    return value;
  }

  override float(range: FloatRange, command: FloatCommand): GrammarValue {
    const text = this.#chooser.float(range, command, this);
    this.text(text, command.at);
    return parseFraction(text);
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const text = this.#chooser.regex(regex, command, this);
    this.text(text, command.at);
    return text;
  }

  override matches(letters: string, _at: GrammarPlace): boolean {
    const isTrue = this.#chooser.decide('match', this);
    this.#expectations.push({ letters, isTrue });
    return isTrue;
  }

  override isAtEnd(_at: GrammarPlace): boolean {
    const isTrue = this.#chooser.decide('is-eof', this);
    this.#expectations.push({ letters: null, isTrue });
    return isTrue;
  }

  override enterLoop(loop: LoopCommand, count: number | null): void {
    super.enterLoop(loop, count);
    this.#chooser.enter?.('', count);
  }

  override beforeCondition(iteration: number): void {
    super.beforeCondition(iteration);
    this.#chooser.beforeCondition(iteration, this);
  }

  override beforeIteration(iteration: number): void {
    super.beforeIteration(iteration);
    this.#chooser.beforeElement?.(iteration);
  }

  override leaveLoop(): void {
    super.leaveLoop();
    this.#chooser.leave?.();
  }
}

/** Returns the value of MATCH or ISEOF with which the condition of a loop is most likely to be true. */
export function continuingDecision(test: GrammarCondition | null): boolean {
  if (test === null) return true;
  if (test.kind === 'not') return !continuingDecision(test.operand);
  return test.kind === 'and' || test.kind === 'or' ? continuingDecision(test.left) : true;
}
