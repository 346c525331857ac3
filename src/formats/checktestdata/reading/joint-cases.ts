/** Decides whether cases of a grammar form a valid input together, as `validate` would, and draws the tail of that input. */
import type { Fault } from '../../../core/errors.js';
import type { JointCasesCheck } from '../../input-format.js';
import type { CompiledGrammar } from '../cases/cases.js';
import { GrammarInputGenerator } from '../cases/draw.js';
import { GrammarChoiceFailure } from '../cases/writing-machine.js';
import type { CompiledGrammarCommands } from '../language/compile.js';
import { areCasesIndependent } from '../language/independence.js';
import { GrammarVariables } from '../language/variables.js';
import { WHOLE_FILE_STEPS, WholeFileChecker } from './check-whole.js';
import { GrammarInputReader } from './reader.js';

/** The text after the last case. If no text can follow, the fault and, if known, the command that prevents it. */
type DrawnTail =
  | { readonly bytes: Uint8Array }
  | { readonly fault: Fault; readonly failure?: GrammarChoiceFailure };

export class GrammarJointCasesCheck implements JointCasesCheck {
  readonly needsWhole: boolean;
  readonly #division: CompiledGrammar;
  readonly #reader: GrammarInputReader;
  #check: WholeFileChecker | null = null;

  constructor(division: CompiledGrammar) {
    const { compiler, grammar } = division;
    this.#division = division;
    this.needsWhole = !areCasesIndependent(division);
    this.#reader = new GrammarInputReader(compiler.slotCount, grammar.fileName, {
      isLenient: false,
      baseSteps: WHOLE_FILE_STEPS,
    });
  }

  findHeadFault(head: Uint8Array): Fault | null {
    // A test at the end of the head may see the first case, or the end of the input. Both are tried.
    return this.#reader.tryBothEnds(() => this.#readAll(head, this.#division.runHead));
  }

  findTail(bytes: Uint8Array, starts: readonly number[]): { readonly bytes: Uint8Array } | Fault {
    const drawn = this.drawTail(bytes, starts);
    return 'fault' in drawn ? drawn.fault : drawn;
  }

  /** Draws the tail with the variables that the cases have left, and compares the whole input with the grammar. */
  drawTail(bytes: Uint8Array, starts: readonly number[]): DrawnTail {
    if (this.#division.loop === null) return this.#checked(bytes, NO_BYTES);
    let drawn: DrawnTail | null = null;
    // A test at the end of the last case may see the tail, or the end of the input. Both are tried.
    this.#reader.tryBothEnds(() => {
      const fault = this.#readAll(bytes, () => this.#readCases(starts));
      const next: DrawnTail = fault === null ? this.#completed(bytes) : { fault };
      if (drawn === null || 'bytes' in next) drawn = next;
      return 'fault' in next ? next.fault : null;
    });
    return drawn!;
  }

  #completed(bytes: Uint8Array): DrawnTail {
    const tail = this.#smallestTail();
    if (tail instanceof GrammarChoiceFailure) {
      const { line, column } = tail.at;
      const place = `${this.#division.grammar.fileName}:${line}:${column}`;
      const got = tail.expected.endsWith('to be true') ? 'false' : 'none';
      const fault = { offset: bytes.length, expected: `${tail.expected} (${place})`, got };
      return { fault, failure: tail };
    }
    return this.#checked(bytes, tail);
  }

  #checked(bytes: Uint8Array, tail: Uint8Array): DrawnTail {
    this.#check ??= new WholeFileChecker(this.#division.grammar);
    const fault = this.#check.findFault(new Uint8Array(Buffer.concat([bytes, tail])));
    return fault === null ? { bytes: tail } : { fault };
  }

  #smallestTail(): Uint8Array | GrammarChoiceFailure {
    const variables = new GrammarVariables(this.#division.compiler.slotCount);
    variables.restore(this.#reader.variables);
    return new GrammarInputGenerator(this.#division).tailAfter(variables);
  }

  #readAll(bytes: Uint8Array, part: CompiledGrammarCommands): Fault | null {
    return this.#reader.readAll(bytes, new GrammarVariables(this.#division.compiler.slotCount), part);
  }

  /** Reads the head and the cases in order. Each case starts with the variables that the cases before it have set. */
  #readCases(starts: readonly number[]): void {
    const { runHead, runBody, runSeparator, indexSlot, ending } = this.#division;
    const reader = this.#reader;
    runHead(reader);
    for (const [index, start] of starts.entries()) {
      if (index > 0) runSeparator(reader);
      if (reader.at !== start) reader.refuse('each case where it begins', 'another place', null, START);
      if (indexSlot >= 0) reader.variables.scalars[indexSlot] = index;
      runBody(reader);
    }
    if (ending === 'until-terminator' && starts.length > 0) runSeparator(reader);
    if (indexSlot >= 0) reader.variables.scalars[indexSlot] = starts.length;
  }
}

const START = { line: 1, column: 1 };
const NO_BYTES = new Uint8Array(0);
