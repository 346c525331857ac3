/** The answer format that a grammar of one answer describes (`--answers FILE.ctd`). It may name the variables of the case. */
import {
  type ByteWriter,
  decodeText,
  findTrimmedEnd,
  isWhitespace,
  LF,
  skipWhitespace,
} from '../../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_CUSTOM_ANSWER_BYTES,
} from '../../answer-format.js';
import {
  type AnswerCandidate,
  type AnswerFinder,
  endOfLine,
  findAnswer,
  findLineStart,
} from '../../answers/find-answer.js';
import { skipWhitespaceOnLine } from '../../tree/cursor.js';
import { type CompiledGrammarCommands, GrammarCompiler } from '../language/compile.js';
import { beginsExactly, mayBeginBlank, mayReadBlankLine } from '../language/names.js';
import type { Grammar } from '../language/syntax.js';
import { GrammarVariables } from '../language/variables.js';
import type { CaseOfGrammar } from './grammar-format.js';
import { GrammarInputReader, unlessBytesAreMissing } from './reader.js';

interface GrammarAnswer {
  /** The text of the answer in canonical layout, without its last line end. */
  readonly text: string;
  /** True if the answer takes no bytes, not even those of a blank line. */
  readonly isNothing: boolean;
}

/** Bytes that are further than this after a fault do not change the result. */
const QUOTED_BYTES = 32;

export class GrammarAnswerFormat implements AnswerFormat<CaseOfGrammar, GrammarAnswer> {
  readonly maxAnswerBytes = MAX_CUSTOM_ANSWER_BYTES;
  readonly hasLabels = false;
  readonly needsCase: boolean;
  readonly #grammar: Grammar;
  readonly #compiler = new GrammarCompiler();
  readonly #read: CompiledGrammarCommands;
  readonly #reader: GrammarInputReader;
  readonly #strictReader: GrammarInputReader;
  readonly #noVariables: GrammarVariables;
  readonly #beginsExactly: boolean;
  /** Whether the first line of an answer may be blank. If so, no blank line before it is skipped. */
  readonly #mayBeginBlank: boolean;
  /** Whether any line of an answer may be blank. If so, an answer includes the end of its last line. */
  readonly #mayHaveBlankLine: boolean;
  readonly #finder: AnswerFinder<CaseOfGrammar>;

  /** With `needsCase`, the grammar uses variables of the case. */
  constructor(grammar: Grammar, needsCase: boolean) {
    this.#grammar = grammar;
    this.needsCase = needsCase;
    // An EOF at the end of the grammar means the end of the answer, not the end of the output.
    const commands =
      grammar.commands.at(-1)?.kind === 'eof' ? grammar.commands.slice(0, -1) : grammar.commands;
    this.#read = this.#compiler.block(commands);
    this.#beginsExactly = beginsExactly(commands);
    this.#mayHaveBlankLine = mayReadBlankLine(commands);
    this.#mayBeginBlank = this.#mayHaveBlankLine && mayBeginBlank(commands);
    const { slotCount } = this.#compiler;
    this.#reader = new GrammarInputReader(slotCount, grammar.fileName, {
      isLenient: true,
      keepsLines: this.#mayHaveBlankLine,
    });
    this.#strictReader = new GrammarInputReader(slotCount, grammar.fileName, { isLenient: false });
    this.#noVariables = new GrammarVariables(slotCount);
    this.#finder = {
      maxAnswerBytes: MAX_CUSTOM_ANSWER_BYTES,
      labels: null,
      startOf: (bytes, from, end) => this.#startOf(bytes, from, end),
      endOf: (range, answerScope) => unlessBytesAreMissing(() => this.#endOf(range, answerScope), null),
    };
  }

  label(): string {
    return '';
  }

  describe(): string {
    return `an answer that matches ${this.#grammar.fileName}`;
  }

  find(
    bytes: Uint8Array,
    from: number,
    end: number,
    atEnd: boolean,
    extent: AnswerExtent,
    scope: AnswerScope<CaseOfGrammar> | null,
  ): boolean | null {
    const isFound = findAnswer(this.#finder, bytes, from, end, atEnd, extent, scope);
    if (isFound === false ? !this.#mayBeNothing(scope) : extent.end > extent.start) return isFound;
    if (isFound === null) return null;
    extent.start = extent.bodyStart = extent.end = from;
    return true;
  }

  /**
   * Whether the grammar accepts an answer without any text to this case. If what follows in the output decides that, it counts
   * as malformed, because a missing answer would look like one.
   */
  #mayBeNothing(scope: AnswerScope<CaseOfGrammar> | null): boolean {
    const fault = this.#run({ bytes: new Uint8Array(0), start: 0, end: 0, atEnd: true }, scope);
    const { hasLookedAhead, hasReadRegex } = this.#reader;
    return fault === null && !hasLookedAhead && !(this.#mayHaveBlankLine && hasReadRegex);
  }

  /** Returns where the first answer begins: at a token, or at the start of the line of that token. */
  #startOf(bytes: Uint8Array, from: number, end: number): number {
    if (this.#mayBeginBlank) return from;
    const first = skipWhitespace(bytes, from, end);
    if (first === end || !this.#beginsExactly) return first;
    return findLineStart(bytes, from, first) ?? from;
  }

  /** Returns the end of the answer, or of the line with the fault of a malformed answer; null if more bytes are needed. */
  #endOf(range: AnswerCandidate, scope: AnswerScope<CaseOfGrammar> | null): number | null {
    const { bytes, start, end, atEnd } = range;
    const fault = this.#run(range, scope);
    const isMissing = this.#reader.hasLookedAhead && this.#reader.at === start;
    if (fault === null && !isMissing) return this.#endAfter(range, this.#reader.at);
    const faultAt = fault?.offset ?? start;
    if (!atEnd && faultAt + QUOTED_BYTES > end) return null;
    const lineEnd = endOfLine(range, faultAt);
    if (lineEnd === null) return null;
    if (this.#mayHaveBlankLine) return Math.min(lineEnd + 1, end);
    return findTrimmedEnd(bytes, start, Math.max(start + 1, lineEnd));
  }

  /** Returns the end of the answer whose last byte stands before `at`; null if more bytes are needed to find it. */
  #endAfter({ bytes, start, end, atEnd }: AnswerCandidate, at: number): number | null {
    if (!this.#mayHaveBlankLine) return findTrimmedEnd(bytes, start, at);
    if (at === start || bytes[at - 1] === LF) return at;
    const rest = skipWhitespaceOnLine(bytes, at, end);
    if (rest === end) return atEnd ? end : null;
    return bytes[rest] === LF ? rest + 1 : at;
  }

  parse(
    bytes: Uint8Array,
    { bodyStart, end }: AnswerExtent,
    scope: AnswerScope<CaseOfGrammar> | null,
  ): GrammarAnswer | null {
    const fault = this.#run({ bytes, start: bodyStart, end, atEnd: true }, scope);
    if (fault !== null || skipWhitespace(bytes, this.#reader.at, end) !== end) return null;
    const read = this.#reader.canonicalBytes();
    const textEnd = read.at(-1) === LF ? read.length - 1 : read.length;
    return { text: decodeText(read, 0, textEnd), isNothing: read.length === 0 };
  }

  /**
   * Answers are as printed if each of them has only what the grammar says, without a REGEX or a look at what follows, and
   * begins and ends with a token, after which its line ends.
   */
  isAsPrinted(output: Uint8Array, answers: number): boolean {
    if (this.needsCase || this.#mayHaveBlankLine) return false;
    let from = 0;
    for (let answer = 0; answer < answers; answer++) {
      const end = this.#strictEnd(output, from);
      if (end === null || end - from > this.maxAnswerBytes) return false;
      from = end;
    }
    return from === output.length;
  }

  /** Returns the index after the line end of the plain answer that begins at `from`; null if there is none. */
  #strictEnd(bytes: Uint8Array, from: number): number | null {
    const reader = this.#strictReader;
    const fault = reader.read({ bytes, from, end: bytes.length, atEnd: true }, this.#noVariables, this.#read);
    if (fault !== null || reader.hasLookedAhead || reader.hasReadRegex) return null;
    const { at } = reader;
    const lineEnd = bytes[at - 1] === LF ? at - 1 : at;
    const isToken = lineEnd > from && !isWhitespace(bytes[from]) && !isWhitespace(bytes[lineEnd - 1]);
    return isToken && bytes[lineEnd] === LF ? lineEnd + 1 : null;
  }

  /** Runs the grammar on the bytes of an answer. Returns the first fault of the answer; null if it has none. */
  #run({ bytes, start, end, atEnd }: AnswerCandidate, scope: AnswerScope<CaseOfGrammar> | null) {
    const variables = this.needsCase ? this.#variablesOf(scope) : this.#noVariables;
    const range = { bytes, from: start, end, atEnd };
    return this.#reader.exactlyFirst(() => this.#reader.read(range, variables, this.#read));
  }

  #variablesOf(scope: AnswerScope<CaseOfGrammar> | null): GrammarVariables {
    const kept = scope?.value.kept;
    if (kept === undefined)
      return this.#compiler.variablesOf({ ...(scope?.head as object), ...scope?.value.variables });
    const variables = new GrammarVariables(this.#compiler.slotCount);
    for (const [name, values] of kept) variables.setValues(this.#compiler.slot(name), values);
    return variables;
  }

  print({ text, isNothing }: GrammarAnswer, _caseNumber: number, out: ByteWriter): void {
    if (!isNothing) out.utf8(`${text}\n`);
  }

  printError(_caseNumber: number, out: ByteWriter): void {
    out.ascii('ERROR\n');
  }

  toJson({ text }: GrammarAnswer): unknown {
    return text;
  }
}
