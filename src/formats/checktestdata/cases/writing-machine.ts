/** A machine that writes text, and knows which loops are running. */
import type { AssertCommand, LoopCommand, Place } from '../language/syntax.js';
import { RuntimeFailure } from '../language/values.js';
import type { Variables } from '../language/variables.js';
import { Machine } from '../reading/machine.js';

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

/** A loop that is running. */
export interface RunningLoop {
  readonly loop: LoopCommand;
  /** How many iterations there are; infinite for a WHILE. */
  readonly times: number;
  iteration: number;
  /** Whether the condition of the WHILE is being evaluated. */
  isInCondition: boolean;
}

/** What machines that write have in common. */
export abstract class WritingMachine extends Machine {
  /** What has been written. */
  written = '';
  /** The loops that are running, the innermost one last. */
  readonly loops: RunningLoop[] = [];

  protected override get progress(): number {
    return this.written.length;
  }

  /** Starts a new text with these variables. */
  protected restart(variables: Variables): void {
    this.begin(variables);
    this.written = '';
    this.loops.length = 0;
  }

  protected append(text: string, at: Place): void {
    this.written += text;
    if (this.written.length > MAX_CASE_BYTES)
      throw new RuntimeFailure(at, `text of at most ${MAX_CASE_BYTES} bytes`, 'more');
  }

  override space(at: Place): void {
    this.text(' ', at);
  }

  override newline(at: Place): void {
    this.text('\n', at);
  }

  override refuse(expected: string, _got: string, command: AssertCommand | null, at: Place): never {
    throw new DrawFailure(command?.at ?? at, expected);
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
