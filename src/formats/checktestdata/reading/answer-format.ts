/** The answer format that a grammar of one answer describes (`--answers FILE.ctd`). It may name the variables of the case. */
import {
  type ByteWriter,
  bytesOfLatin1,
  decodeText,
  LF,
  skipWhitespace,
  trimEnd,
} from '../../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_CUSTOM_ANSWER_BYTES,
} from '../../answer-format.js';
import {
  type AnswerBytes,
  type AnswerFinder,
  endOfLine,
  findAnswer,
  findLineStart,
} from '../../answers/find-answer.js';
import { skipWhitespaceOnLine } from '../../tree/cursor.js';
import { type CompiledGrammarCommands, GrammarCompiler } from '../language/compile.js';
import { beginsExactly, mayBeginBlank, mayReadBlankLine } from '../language/names.js';
import type { Grammar } from '../language/syntax.js';
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
  readonly needsCase = true;
  readonly #grammar: Grammar;
  readonly #compiler = new GrammarCompiler();
  readonly #read: CompiledGrammarCommands;
  readonly #reader: GrammarInputReader;
  readonly #beginsExactly: boolean;
  /** Whether the first line of an answer may be blank. If so, no blank line before it is skipped. */
  readonly #mayBeginBlank: boolean;
  /** Whether any line of an answer may be blank. If so, an answer includes the end of its last line. */
  readonly #mayHaveBlankLine: boolean;
  readonly #finder: AnswerFinder<CaseOfGrammar>;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    // An EOF at the end of the grammar means the end of the answer, not the end of the output.
    const commands =
      grammar.commands.at(-1)?.kind === 'eof' ? grammar.commands.slice(0, -1) : grammar.commands;
    this.#read = this.#compiler.block(commands);
    this.#beginsExactly = beginsExactly(commands);
    this.#mayHaveBlankLine = mayReadBlankLine(commands);
    this.#mayBeginBlank = this.#mayHaveBlankLine && mayBeginBlank(commands);
    this.#reader = new GrammarInputReader(this.#compiler.slotCount, grammar.fileName, {
      isLenient: true,
      keepsLines: this.#mayHaveBlankLine,
    });
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
  #endOf(range: AnswerBytes, scope: AnswerScope<CaseOfGrammar> | null): number | null {
    const { bytes, start, end, atEnd } = range;
    const fault = this.#run(range, scope);
    const isMissing = this.#reader.hasLookedAhead && this.#reader.at === start;
    if (fault === null && !isMissing) return this.#endAfter(range, this.#reader.at);
    const faultAt = fault?.offset ?? start;
    if (!atEnd && faultAt + QUOTED_BYTES > end) return null;
    const lineEnd = endOfLine(range, faultAt);
    if (lineEnd === null) return null;
    if (this.#mayHaveBlankLine) return Math.min(lineEnd + 1, end);
    return trimEnd(bytes, start, Math.max(start + 1, lineEnd));
  }

  /** Returns the end of the answer whose last byte stands before `at`; null if more bytes are needed to find it. */
  #endAfter({ bytes, start, end, atEnd }: AnswerBytes, at: number): number | null {
    if (!this.#mayHaveBlankLine) return trimEnd(bytes, start, at);
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
    const read = Buffer.from(this.#reader.canonicalBytes()).toString('latin1');
    return { text: decodeText(bytesOfLatin1(read.replace(/\n$/, ''))), isNothing: read === '' };
  }

  /** Runs the grammar on the bytes of an answer. Returns the first fault of the answer; null if it has none. */
  #run({ bytes, start, end, atEnd }: AnswerBytes, scope: AnswerScope<CaseOfGrammar> | null) {
    const values = { ...(scope?.head as Record<string, unknown>), ...scope?.value.variables };
    const variables = this.#compiler.variablesOf(values);
    for (const [name, kept] of scope?.value.kept ?? []) variables.setValues(this.#compiler.slot(name), kept);
    return this.#reader.read({ bytes, from: start, end, atEnd }, variables, this.#read);
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
