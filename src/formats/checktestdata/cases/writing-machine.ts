/** A machine that writes the text of a grammar's commands, and knows which loops are running. */
import type { AssertCommand, GrammarPlace, LoopCommand } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import type { GrammarVariables } from '../language/variables.js';
import { GrammarMachine } from '../reading/machine.js';

/** The largest size of a case, and of the text that a machine writes, in bytes. */
export const MAX_CASE_BYTES = 1 << 26;

/** Thrown when the chosen values break a rule of the grammar. Other values may be possible. */
export class GrammarChoiceFailure {
  constructor(
    readonly at: GrammarPlace,
    readonly expected: string,
    /** The number of attempts that have failed in this way. */
    readonly attempts = 1,
  ) {}
}

/** A loop that is running. */
export interface RunningLoop {
  readonly loop: LoopCommand;
  /** The number of iterations; infinite for a WHILE. */
  readonly times: number;
  iteration: number;
  /** Whether the machine is evaluating the condition of this WHILE. */
  isInCondition: boolean;
}

/** The common part of all machines that write text. */
export abstract class TextWritingMachine extends GrammarMachine {
  /** The text written so far. */
  written = '';
  /** The loops that are running, the innermost one last. */
  readonly loops: RunningLoop[] = [];

  protected override get progress(): number {
    return this.written.length;
  }

  /** Starts a new text. The run begins with these variables. */
  protected restart(variables: GrammarVariables): void {
    this.begin(variables);
    this.written = '';
    this.loops.length = 0;
  }

  protected append(text: string, at: GrammarPlace): void {
    this.written += text;
    if (this.written.length > MAX_CASE_BYTES)
      throw new RuntimeFailure(at, `text of at most ${MAX_CASE_BYTES} bytes`, 'more');
  }

  override space(at: GrammarPlace): void {
    this.text(' ', at);
  }

  override newline(at: GrammarPlace): void {
    this.text('\n', at);
  }

  override refuse(expected: string, _got: string, command: AssertCommand | null, at: GrammarPlace): never {
    throw new GrammarChoiceFailure(command?.at ?? at, expected);
  }

  override enterLoop(loop: LoopCommand, count: number | null): void {
    this.loops.push({ loop, times: count ?? Number.POSITIVE_INFINITY, iteration: 0, isInCondition: false });
  }

  override beforeCondition(_iteration: number): void {
    this.loops.at(-1)!.isInCondition = true;
  }

  override beforeIteration(iteration: number): void {
    const loop = this.loops.at(-1)!;
    loop.isInCondition = false;
    loop.iteration = iteration;
  }

  override leaveLoop(): void {
    this.loops.pop();
  }
}
