/** Decides whether a whole file matches a grammar, as checktestdata does. */
import type { Fault } from '../../../core/errors.js';
import { type CompiledGrammarCommands, GrammarCompiler } from '../language/compile.js';
import type { Grammar } from '../language/syntax.js';
import { GrammarVariables } from '../language/variables.js';
import { GrammarInputReader } from './reader.js';

/** The number of steps that a grammar may take for a whole file, in addition to the steps for each byte. */
export const WHOLE_FILE_STEPS = 100_000_000;
const START = { line: 1, column: 1 };

/** Compares whole files with a grammar. */
export class WholeFileChecker {
  readonly #reader: GrammarInputReader;
  readonly #slots: number;
  readonly #run: CompiledGrammarCommands;

  constructor(grammar: Grammar) {
    const compiler = new GrammarCompiler();
    const options = { isLenient: false, baseSteps: WHOLE_FILE_STEPS };
    this.#run = compiler.block([...grammar.commands, { kind: 'eof', at: START }]);
    this.#slots = compiler.slotCount;
    this.#reader = new GrammarInputReader(this.#slots, grammar.fileName, options);
  }

  /** Runs the whole grammar on a whole file. Returns null if the file matches, else its first fault. */
  findFault(bytes: Uint8Array): Fault | null {
    return this.#reader.readAll(bytes, new GrammarVariables(this.#slots), this.#run);
  }
}

export function checkWholeFile(grammar: Grammar, bytes: Uint8Array): Fault | null {
  return new WholeFileChecker(grammar).findFault(bytes);
}
