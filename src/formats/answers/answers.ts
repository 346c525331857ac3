/**
 * Reads and prints the answers whose format is a tree. Answers are read as contest checkers read them: as tokens between
 * whitespace, except that a line of text is read whole.
 *
 * An answer with a label extends to the next label. An answer without a label ends with its last field; if the tree has no
 * fields, the whole output is one answer. Where an output without labels has tokens that do not form an answer, the rest of
 * their line counts as one malformed answer. So does a line that begins with the token `ERROR`.
 */
import {
  type ByteWriter,
  decodeText,
  findTrimmedEnd,
  isWhitespace,
  LF,
  skipWhitespace,
} from '../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  ERROR_MARK,
  MAX_CUSTOM_ANSWER_BYTES,
} from '../answer-format.js';
import {
  collectTagPropertyNames,
  evaluateCount,
  NameScope,
  type TagPropertyNames,
} from '../language/expression-values.js';
import { knownCountsOf } from '../language/size-names.js';
import type { AnswerTree, Field, Layout, RecordTree, RecordValue } from '../language/tree.js';
import { skipWhitespaceOnLine } from '../tree/cursor.js';
import { AnswerBodyReader } from './answer-body.js';
import { AnswerBounds } from './answer-bounds.js';
import { describeAnswer } from './answer-descriptions.js';
import { answerToJson } from './answer-json.js';
import { PrefixLabelFinder } from './answer-labels.js';
import { type AnswerCandidate, type AnswerFinder, endOfLine, findAnswer } from './find-answer.js';
import { hasPlainLines, type PlainLineRule, plainLineRuleOf, valueOfPlainLine } from './plain-lines.js';

export interface TreeAnswer {
  /**
   * The text of the answer as it stood in the output, with LF as line ends. The label, the line end after the last line, and
   * whitespace before that line end are left out. Empty lines that belong to the end of the answer are included even if the
   * output ended before them.
   */
  readonly text: string;
  /** The value of the answer's fields. If the answer format has no fields, the value is the text. */
  readonly value: unknown;
  /** The characters between the number of the label and the text of the answer, such as `: `; empty if there is no label. */
  readonly separator: string;
  /** The answer as the code of its module printed it, byte for byte. Missing if the answer was read from an output. */
  readonly printed?: string;
  /** True if the answer takes no bytes, not even those of an empty line, because all its counts are zero. */
  readonly isNothing?: true;
}

/** An answer that was parsed from all its bytes. */
export interface ParsedAnswer {
  readonly answer: TreeAnswer;
  /** Number of empty lines at the end of the answer that are missing because the bytes ended first. */
  readonly linesAtEnd: number;
}

/** The tag names of an answer format that does not count records by tag. */
const NO_TAG_NAMES: TagPropertyNames = new Map();
/** The scope of an answer that names no field of the case. */
const NO_NAMES = new NameScope([], NO_TAG_NAMES);

/** Returns the records whose fields an answer format may name: the case and the head of the input. */
type RecordsOf<Case> = (scope: AnswerScope<Case>) => readonly RecordValue[];

const recordsOfTree: RecordsOf<unknown> = ({ value, head }) => [
  value as RecordValue,
  (head ?? {}) as RecordValue,
];

export class TreeAnswerFormat<Case = RecordValue> implements AnswerFormat<Case, TreeAnswer> {
  readonly maxAnswerBytes = MAX_CUSTOM_ANSWER_BYTES;
  readonly #prefix: string | null;
  readonly #tree: Field | RecordTree | null;
  readonly #body: AnswerBodyReader | null;
  readonly #lines: AnswerBounds;
  readonly #finder: AnswerFinder<Case>;
  readonly #tagNames: TagPropertyNames;
  readonly #recordsOf: RecordsOf<Case>;
  /** Whether an answer may take no bytes, because a case may make all its counts zero. */
  readonly #mayBeNothing: boolean;
  /** The answers that are plain lines; null if answers may be anything but lines. */
  readonly #plainLines: PlainLineRule | null;

  /** `layout` is the format of the input. The answer format needs it to count the records of the case's lists. */
  constructor(
    { label, body }: AnswerTree,
    layout: Layout | null = null,
    recordsOf: RecordsOf<Case> = recordsOfTree,
  ) {
    this.#prefix = label;
    this.#tree = body;
    this.#lines = new AnswerBounds(body);
    this.#body = body === null ? null : new AnswerBodyReader(body, this.#lines.mayBeEmpty);
    this.#finder = this.#createFinder();
    this.#tagNames = layout === null ? NO_TAG_NAMES : collectTagPropertyNames(layout);
    this.#recordsOf = recordsOf;
    this.#mayBeNothing = label === null && body !== null && mayHaveNoTokens(body);
    this.#plainLines = plainLineRuleOf({ label, body });
  }

  #createFinder(): AnswerFinder<Case> {
    const { maxAnswerBytes } = this;
    const labels = this.#prefix === null ? null : new PrefixLabelFinder(this.#prefix);
    return {
      maxAnswerBytes,
      labels,
      startOf: labels === null ? this.#lines.startOf.bind(this.#lines) : skipWhitespace,
      endOf: (range, scope) => (this.#body === null ? endOfOutput(range) : this.#endOf(range, scope)),
    };
  }

  get needsCase(): boolean {
    return this.#body?.needsCase ?? false;
  }

  get hasLabels(): boolean {
    return this.#prefix !== null;
  }

  label(caseNumber: number): string {
    return this.#prefix === null ? '' : `${this.#prefix}${caseNumber}:`;
  }

  describe(scope: AnswerScope<Case> | null): string {
    return describeAnswer(this.#tree, this.#namesOf(scope));
  }

  find(
    bytes: Uint8Array,
    from: number,
    end: number,
    atEnd: boolean,
    extent: AnswerExtent,
    scope: AnswerScope<Case> | null,
  ): boolean | null {
    if (!this.isNothing(scope)) return findAnswer(this.#finder, bytes, from, end, atEnd, extent, scope);
    extent.start = extent.bodyStart = extent.end = from;
    extent.caseNumber = null;
    return true;
  }

  /** Returns the end of an answer that has fields and no label; null if more bytes are needed to decide. */
  #endOf(range: AnswerCandidate, scope: AnswerScope<Case> | null): number | null {
    const { bytes, start } = range;
    const isError = isErrorMark(range);
    if (isError === null) return null;
    const read = isError ? 'malformed' : this.#body!.read(range, true, this.#namesOf(scope));
    if (read === 'needs-more') return null;
    if (read === 'malformed' || read.at === start) return this.#endOfMalformed(range);
    return this.#lines.mayBeEmpty ? read.at : findTrimmedEnd(bytes, start, read.at);
  }

  /** Returns the end of a malformed answer, which is the end of its line; null if more bytes are needed to decide. */
  #endOfMalformed(range: AnswerCandidate): number | null {
    const { bytes, start, end } = range;
    const lineEnd = endOfLine(range, this.#lines.beginWithEmpty ? start : skipWhitespace(bytes, start, end));
    if (lineEnd === null) return null;
    const textEnd = findTrimmedEnd(bytes, start, lineEnd);
    return this.#lines.mayBeEmpty || textEnd === start ? Math.min(lineEnd + 1, end) : textEnd;
  }

  parse(bytes: Uint8Array, extent: AnswerExtent, scope: AnswerScope<Case> | null): TreeAnswer | null {
    return this.parseWhole(bytes, extent, scope)?.answer ?? null;
  }

  /** Parses an answer, and counts the empty lines at its end that are missing in the bytes. */
  parseWhole(bytes: Uint8Array, extent: AnswerExtent, scope: AnswerScope<Case> | null): ParsedAnswer | null {
    const { start, bodyStart, end, caseNumber } = extent;
    if (end - start >= MAX_CUSTOM_ANSWER_BYTES || (this.hasLabels && caseNumber === null)) return null;
    const textStart = this.hasLabels ? this.#lines.startAfterLabel(bytes, bodyStart, end) : bodyStart;
    if (isErrorMark({ bytes, start: textStart, end, atEnd: true })) return null;
    const textEnd = this.#lines.endOfText(bytes, textStart, end);
    const text = withoutCarriageReturns(decodeText(bytes, textStart, textEnd));
    const separator = this.hasLabels ? separatorOf(bytes, bodyStart, textStart, text) : '';
    if (this.#body === null) return { answer: { text, value: text, separator }, linesAtEnd: 0 };
    const range = { bytes, start: bodyStart, end, atEnd: true };
    const read = this.#body.read(range, !this.hasLabels, this.#namesOf(scope));
    if (typeof read === 'string' || skipWhitespace(bytes, read.at, end) < end) return null;
    const { value, linesAtEnd } = read;
    // Without the blank line, the next answer would belong to this one.
    const blank = this.#lines.leavesOutBlank && !this.hasLabels ? 1 : 0;
    const answer = { text: text + '\n'.repeat(linesAtEnd + blank), value, separator };
    const isNothing = this.#lines.mayBeEmpty && this.isNothing(scope);
    return { answer: isNothing ? { ...answer, isNothing } : answer, linesAtEnd };
  }

  isAsPrinted(output: Uint8Array, answers: number): boolean {
    return this.#plainLines !== null && hasPlainLines(output, answers, this.#plainLines);
  }

  /**
   * Reads the answer that the code of a module has printed, if it is a plain line. This takes a fraction of the time of `find`
   * and `parse`. Returns null if the text may be something else.
   */
  readPlain(printed: string): TreeAnswer | null {
    if (this.#plainLines === null) return null;
    const text = printed.endsWith('\n') ? printed.slice(0, -1) : printed;
    const value = valueOfPlainLine(text, this.#plainLines);
    return value === undefined ? null : { text, value, separator: '', printed };
  }

  print({ text, separator, printed, isNothing }: TreeAnswer, caseNumber: number, out: ByteWriter): void {
    if (printed !== undefined && printed !== '') appendWithLineEnd(printed, out);
    else if (this.#prefix !== null) out.utf8(`${this.#prefix}${caseNumber}${separator}${text}\n`);
    else if (text !== '' || (this.#lines.mayBeEmpty && isNothing !== true)) out.utf8(`${text}\n`);
  }

  printError(caseNumber: number, out: ByteWriter): void {
    out.utf8(this.#prefix === null ? `${ERROR_MARK}\n` : `${this.label(caseNumber)} ${ERROR_MARK}\n`);
  }

  /** Whether no further answer begins in the bytes from `at` on. An empty line counts as an answer if answers may be empty. */
  isOver(bytes: Uint8Array, at: number): boolean {
    return this.#finder.startOf(bytes, at, bytes.length) === bytes.length;
  }

  /** Converts the value of an answer to JSON: a bigint to a string of its decimal digits, and a grid to a list of its rows. */
  toJson({ value }: TreeAnswer): unknown {
    return this.#tree === null ? value : answerToJson(this.#tree, value);
  }

  /** Whether the answer to this case takes no bytes, because all its counts are zero. */
  isNothing(scope: AnswerScope<Case> | null): boolean {
    if (scope === null || !this.#mayBeNothing) return false;
    return hasNoTokens(this.#tree!, this.#namesOf(scope));
  }

  #namesOf(scope: AnswerScope<Case> | null): NameScope {
    return scope === null || !this.needsCase
      ? NO_NAMES
      : new NameScope(this.#recordsOf(scope), this.#tagNames);
  }
}

/** Returns the end of an answer that is the whole output, or where the output is cut off; null if more bytes may follow. */
function endOfOutput({ bytes, start, end, atEnd, isCutOff }: AnswerCandidate): number | null {
  if (!atEnd) return null;
  return isCutOff ? end : findTrimmedEnd(bytes, start, end);
}

/** Whether the first token on the line of the start is `ERROR`. Null if more bytes are needed to decide. */
function isErrorMark({ bytes, start, end, atEnd }: AnswerCandidate): boolean | null {
  let at = skipWhitespaceOnLine(bytes, start, end);
  for (let i = 0; i < ERROR_MARK.length; i++, at++) {
    if (at === end) return atEnd ? false : null;
    if (bytes[at] !== ERROR_MARK.charCodeAt(i)) return false;
  }
  return at < end ? isWhitespace(bytes[at]) : atEnd || null;
}

/**
 * Returns the characters between the number of a label and the text of the answer. Each run of whitespace is shortened to one
 * character.
 */
function separatorOf(bytes: Uint8Array, bodyStart: number, textStart: number, text: string): string {
  const hasColon = bytes[bodyStart - 1] === 0x3a;
  const colon = hasColon ? (isWhitespace(bytes[bodyStart - 2]) ? ' :' : ':') : '';
  if (text === '') return colon;
  return colon + (bytes.subarray(bodyStart, textStart).includes(LF) ? '\n' : ' ');
}

/** Whether an answer may have no tokens: a field without a count always has one. */
function mayHaveNoTokens(tree: Field | RecordTree): boolean {
  if (tree.kind === 'record') return tree.fields.every(({ field }) => mayHaveNoTokens(field));
  return knownCountsOf(tree).length > 0;
}

/** Whether an answer has no tokens because every count in it is an expression with the value zero. */
function hasNoTokens(tree: Field | RecordTree, scope: NameScope): boolean {
  if (tree.kind === 'record') return tree.fields.every(({ field }) => hasNoTokens(field, scope));
  return knownCountsOf(tree).some((count) => evaluateCount(count, scope) === 0);
}

function withoutCarriageReturns(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** Appends a text, and a line end if it does not have one. */
export function appendWithLineEnd(text: string, out: ByteWriter): void {
  out.utf8(text);
  if (!text.endsWith('\n')) out.byte(LF);
}

/** Adds a line end to a text that does not have one. */
export function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
