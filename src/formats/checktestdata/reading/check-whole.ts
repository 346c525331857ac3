/** Decides whether a whole file matches a grammar, as checktestdata does. */
import type { Fault } from '../../../core/errors.js';
import { type CompiledGrammarCommands, GrammarCompiler } from '../language/compile.js';
import type { Grammar, LoopCommand } from '../language/syntax.js';
import { GrammarVariables } from '../language/variables.js';
import { GrammarInputReader } from './reader.js';

/** The number of steps that a grammar may take for a whole file, in addition to the steps for each byte. */
export const WHOLE_FILE_STEPS = 100_000_000;
const START = { line: 1, column: 1 };

/** Compares whole files with a grammar. */
export class WholeFileChecker {
  readonly #reader: LoopReader;
  readonly #slots: number;
  readonly #run: CompiledGrammarCommands;

  /** `loop` is the loop at the top level of which the checker notes the iterations; null for none. */
  constructor(grammar: Grammar, loop: LoopCommand | null = null) {
    const compiler = new GrammarCompiler();
    this.#run = compiler.block([...grammar.commands, { kind: 'eof', at: START }]);
    this.#slots = compiler.slotCount;
    this.#reader = new LoopReader(this.#slots, grammar.fileName, loop);
  }

  /** Runs the whole grammar on a whole file. Returns null if the file matches, else its first fault. */
  findFault(bytes: Uint8Array): Fault | null {
    this.#reader.forgetLoop();
    return this.#reader.readAll(bytes, new GrammarVariables(this.#slots), this.#run);
  }

  /** The places at which the iterations of the loop began in the last file. */
  get iterations(): readonly number[] {
    return this.#reader.iterations;
  }

  /** Whether the loop has ended in the last file. */
  get hasLoopEnded(): boolean {
    return this.#reader.hasLoopEnded;
  }
}

/** Notes where the iterations of one loop begin. */
class LoopReader extends GrammarInputReader {
  readonly #loop: LoopCommand | null;
  /** The loops that run now, the outermost one first. */
  #running: LoopCommand[] = [];
  iterations: number[] = [];
  hasLoopEnded = false;

  constructor(slots: number, fileName: string, loop: LoopCommand | null) {
    super(slots, fileName, { isLenient: false, baseSteps: WHOLE_FILE_STEPS });
    this.#loop = loop;
  }

  forgetLoop(): void {
    this.#running = [];
    this.iterations = [];
    this.hasLoopEnded = false;
  }

  override enterLoop(loop: LoopCommand): void {
    this.#running.push(loop);
  }

  override beforeIteration(): void {
    if (this.#running.at(-1) === this.#loop) this.iterations.push(this.at);
  }

  override leaveLoop(): void {
    if (this.#running.pop() === this.#loop) this.hasLoopEnded = true;
  }
}

export function checkWholeFile(grammar: Grammar, bytes: Uint8Array): Fault | null {
  return new WholeFileChecker(grammar).findFault(bytes);
}
