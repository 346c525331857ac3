/**
 * Reads and prints the answers that a tree describes. Answers are read like a contest's checker reads them: as tokens
 * between blanks, unless a field is a line.
 *
 * An answer with a label extends to the next label. An answer without a label is as long as its fields are, or without fields
 * the whole output. Tokens that
 * are no answer without a label count as one malformed answer up to the end of their line, and so does a line that begins
 * with the token `ERROR`.
 */
import {
  type ByteWriter,
  decodeText,
  encodeUtf8,
  isBlank,
  LF,
  skipBlanks,
  tokenEnd,
  trimEnd,
} from '../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_OWN_ANSWER_BYTES,
} from '../answer-format.js';
import { isExpression } from '../language/expression.js';
import { collectTagNames, evaluateCount, NameScope, type TagNames } from '../language/expression-values.js';
import { hasFreeNames } from '../language/free-names.js';
import { endsLine, goesToLineEnd } from '../language/shapes.js';
import type { AnswerTree, Count, Field, Layout, RecordTree, RecordValue } from '../language/tree.js';
import { describeAnswer } from './answer-descriptions.js';
import { answerToJson } from './answer-json.js';
import { LabelReader } from './answer-labels.js';
import { AnswerTokens, findLineEnd, findLineStart, isBlankInLine, Unreadable } from './answer-tokens.js';
import { readValue } from './answer-values.js';

export interface TreeAnswer {
  /**
   * The answer as it stood in the output, without its label, with LF as line end, without the end of its last line and blanks
   * before it. Empty lines at its end that belong to it are there, also if the output ended before them.
   */
  readonly text: string;
  /** The value of the tree; the text if the tree has no body. */
  readonly value: unknown;
  /** What stands between the number of the label and the text, such as `: `. Empty if answers have no labels. */
  readonly separator: string;
  /** The answer as its author's code printed it, to be printed byte for byte. Missing if the answer was read. */
  readonly printed?: string;
  /** The answer takes no bytes, not even those of an empty line, because all its counts are zero. */
  readonly isNothing?: true;
}

interface WholeAnswer {
  readonly answer: TreeAnswer;
  /** Number of empty lines of the answer that the bytes ended before. */
  readonly linesAtEnd: number;
}

type Scope = AnswerScope<RecordValue>;

export class TreeAnswerFormat implements AnswerFormat<RecordValue, TreeAnswer> {
  readonly maxAnswerBytes = MAX_OWN_ANSWER_BYTES;
  readonly needsCase: boolean;
  readonly #prefix: string | null;
  readonly #labels: LabelReader | null;
  readonly #body: Field | RecordTree | null;
  readonly #tagNames: TagNames;
  /** Whether the answer may begin with an empty line. */
  readonly #beginsWithExactLine: boolean;
  /** Whether an empty line may be a part of the answer. If so, the answer includes the end of its last line. */
  readonly #hasExactLine: boolean;
  /** Whether the answer is made of lines, whose first blanks belong to it. */
  readonly #keepsIndent: boolean;

  /** `layout` is the format of the input if the answer may count the records of its lists. */
  constructor(tree: AnswerTree, layout: Layout | null = null) {
    const { label, body } = tree;
    this.#prefix = label;
    this.#labels = label === null ? null : new LabelReader(label);
    this.#body = body;
    this.needsCase = body !== null && hasFreeNames(body);
    const shapes = layout === null ? [] : [layout.head, layout.shape];
    this.#tagNames = collectTagNames([
      ...shapes.flatMap((shape) => shape?.records ?? []),
      ...(body === null ? [] : [body]),
    ]);
    const first = body === null ? null : firstField(body);
    this.#beginsWithExactLine = body !== null && beginsWithExactLine(body);
    this.#hasExactLine = body !== null && hasExactLine(body);
    this.#keepsIndent = body === null || (isLineField(first) && isLineField(lastField(body)));
  }

  get hasLabels(): boolean {
    return this.#labels !== null;
  }

  label(caseNumber: number): string {
    return this.#prefix === null ? '' : `${this.#prefix}${caseNumber}:`;
  }

  describe(scope: Scope | null): string {
    return describeAnswer(this.#body, this.#namesOf(scope));
  }

  find(
    bytes: Uint8Array,
    from: number,
    end: number,
    atEnd: boolean,
    extent: AnswerExtent,
    scope: Scope | null,
  ): boolean | null {
    extent.start = extent.bodyStart = extent.end = from;
    extent.caseNumber = null;
    if (this.isNothing(scope)) return true;
    const isExact = this.#beginsWithExactLine && !this.hasLabels;
    const token = isExact ? from : skipBlanks(bytes, from, end);
    if (token === end) return atEnd ? false : null;
    const start = this.hasLabels || isExact ? token : this.#withIndent(bytes, from, token, from);
    extent.start = extent.bodyStart = extent.end = start;
    const limit = Math.min(end, start + MAX_OWN_ANSWER_BYTES);
    const isLimitFinal = atEnd || limit < end;
    if (this.hasLabels) return this.#findLabelled(bytes, limit, isLimitFinal, limit < end, extent) || null;
    if (this.#body === null) return this.#findWhole(bytes, limit, isLimitFinal, limit < end, extent) || null;
    return this.#findUnlabelled(bytes, limit, isLimitFinal, extent, scope) || null;
  }

  parse(bytes: Uint8Array, extent: AnswerExtent, scope: Scope | null): TreeAnswer | null {
    return this.parseWhole(bytes, extent, scope)?.answer ?? null;
  }

  /** Parses an answer, and says how many empty lines at its end are missing in the bytes. */
  parseWhole(bytes: Uint8Array, extent: AnswerExtent, scope: Scope | null): WholeAnswer | null {
    const { start, bodyStart, end, caseNumber } = extent;
    if (end - start >= MAX_OWN_ANSWER_BYTES || (this.hasLabels && caseNumber === null)) return null;
    const textStart = this.hasLabels ? this.#textStart(bytes, bodyStart, end) : bodyStart;
    if (isErrorMark(bytes, textStart, end, true)) return null;
    const textEnd = this.#hasExactLine
      ? endOfLastLine(bytes, textStart, end)
      : trimEnd(bytes, textStart, end);
    const text = decodeText(bytes.subarray(textStart, textEnd)).replaceAll('\r\n', '\n');
    const separator = this.hasLabels ? separatorOf(bytes, bodyStart, textStart, text) : '';
    if (this.#body === null) return { answer: { text, value: text, separator }, linesAtEnd: 0 };
    const body = this.#parseBody(bytes, extent, scope);
    if (body === null) return null;
    const { value, linesAtEnd } = body;
    const answer = { text: text + '\n'.repeat(linesAtEnd), value, separator };
    const isNothing = this.#hasExactLine && this.isNothing(scope);
    return { answer: isNothing ? { ...answer, isNothing } : answer, linesAtEnd };
  }

  print({ text, separator, printed, isNothing }: TreeAnswer, caseNumber: number, out: ByteWriter): void {
    if (printed !== undefined && printed !== '') out.utf8(endLine(printed));
    else if (this.#prefix !== null) out.utf8(`${this.#prefix}${caseNumber}${separator}${text}\n`);
    else if (text !== '' || (this.#hasExactLine && isNothing !== true)) out.utf8(`${text}\n`);
  }

  printError(caseNumber: number, out: ByteWriter): void {
    out.utf8(this.#prefix === null ? `${ERROR_MARK}\n` : `${this.label(caseNumber)} ${ERROR_MARK}\n`);
  }

  /** Whether no answer can begin in the bytes from `at`. An empty line is an answer if answers may begin with one. */
  isOver(bytes: Uint8Array, at: number): boolean {
    const isExact = this.#beginsWithExactLine && !this.hasLabels;
    return (isExact ? at : skipBlanks(bytes, at, bytes.length)) === bytes.length;
  }

  /** Converts the value to JSON. A bigint becomes a string of its decimal digits, and a grid a list of its rows. */
  toJson({ value }: TreeAnswer): unknown {
    return this.#body === null ? value : answerToJson(this.#body, value);
  }

  /**
   * Finds the end of an answer that extends to the next label. Returns false if more bytes are needed to decide. An answer
   * that is cut off at `limit` ends exactly there, so that `parse` sees that it is too long.
   */
  #findLabelled(
    bytes: Uint8Array,
    limit: number,
    isLimitFinal: boolean,
    isCutOff: boolean,
    extent: AnswerExtent,
  ): boolean {
    const labels = this.#labels!;
    const label = labels.match(bytes, extent.start, limit);
    if (label !== null) {
      extent.caseNumber = label.caseNumber;
      extent.bodyStart = extent.end = label.end;
    }
    for (;;) {
      const at = skipBlanks(bytes, extent.end, limit);
      if (at === limit) {
        if (isCutOff) extent.end = limit;
        return isLimitFinal;
      }
      const to = tokenEnd(bytes, at, limit);
      if (to === limit && !isLimitFinal) return false;
      if (at > extent.start && this.#isLabel(bytes, at, limit, isLimitFinal)) return true;
      extent.end = to;
    }
  }

  /** Takes the whole output. Returns false if more bytes may follow. An answer that is cut off ends exactly at `limit`. */
  #findWhole(
    bytes: Uint8Array,
    limit: number,
    isLimitFinal: boolean,
    isCutOff: boolean,
    extent: AnswerExtent,
  ): boolean {
    if (isLimitFinal) extent.end = isCutOff ? limit : trimEnd(bytes, extent.start, limit);
    return isLimitFinal;
  }

  /** Whether a label begins at `at`. A label that touches the limit counts only if the limit is final. */
  #isLabel(bytes: Uint8Array, at: number, limit: number, isLimitFinal: boolean): boolean {
    const label = this.#labels!.match(bytes, at, limit);
    return label !== null && (isLimitFinal || label.end < limit);
  }

  /** Finds the end of an answer without a label. Returns false if more bytes are needed to decide. */
  #findUnlabelled(
    bytes: Uint8Array,
    limit: number,
    isLimitFinal: boolean,
    extent: AnswerExtent,
    scope: Scope | null,
  ): boolean {
    const isError = isErrorMark(bytes, extent.start, limit, isLimitFinal);
    if (isError === null) return false;
    const tokens = new AnswerTokens(bytes, extent.start, limit, isLimitFinal, true);
    const read = isError ? 'malformed' : this.#read(tokens, scope);
    if (read === 'needs-more') return false;
    if (read === 'malformed' || tokens.at === extent.start) {
      return this.#findLineEnd(bytes, limit, isLimitFinal, extent);
    }
    extent.end = this.#hasExactLine ? tokens.at : tokens.end;
    return true;
  }

  /** Reads the body. An answer that may end with an empty line ends after its last line end. */
  #read(tokens: AnswerTokens, scope: Scope | null): ReadBody | 'malformed' | 'needs-more' {
    try {
      const value = readValue(this.#body!, tokens, this.#namesOf(scope));
      if (this.#hasExactLine) tokens.finishLine();
      return { value, linesAtEnd: tokens.linesAtEnd };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return error.needsMore ? 'needs-more' : 'malformed';
    }
  }

  /** Finds the end of a malformed answer: the end of its line. */
  #findLineEnd(bytes: Uint8Array, limit: number, isLimitFinal: boolean, extent: AnswerExtent): boolean {
    const token = skipBlanks(bytes, extent.start, limit);
    const lineEnd = findLineEnd(bytes, this.#beginsWithExactLine ? extent.start : token, limit);
    if (lineEnd < 0 && !isLimitFinal) return false;
    const to = lineEnd < 0 ? limit : lineEnd;
    extent.end = trimEnd(bytes, extent.start, to);
    if (this.#hasExactLine || extent.end === extent.start) extent.end = lineEnd < 0 ? limit : lineEnd + 1;
    return true;
  }

  /** Reads the body in the range `extent`. Returns null unless the body takes up all tokens in the range. */
  #parseBody(bytes: Uint8Array, { bodyStart, end }: AnswerExtent, scope: Scope | null): ReadBody | null {
    const tokens = new AnswerTokens(bytes, bodyStart, end, true, !this.hasLabels);
    const read = this.#read(tokens, scope);
    if (typeof read === 'string') return null;
    return skipBlanks(bytes, tokens.end, end) === end ? read : null;
  }

  /** Returns the index of the first byte of the text after a label that ends at `bodyStart`. */
  #textStart(bytes: Uint8Array, bodyStart: number, end: number): number {
    if (!this.#beginsWithExactLine) {
      const token = skipBlanks(bytes, bodyStart, end);
      return this.#withIndent(bytes, bodyStart, token, token);
    }
    let at = bodyStart;
    while (at < end && isBlankInLine(bytes[at])) at++;
    return at < end && bytes[at] === LF ? at + 1 : at;
  }

  /**
   * Returns the index of the first byte of the line of the token at `token`, if the first blanks of a line belong to the
   * answer, else `token`. If that line begins before `from`, the result is `sameLine`.
   */
  #withIndent(bytes: Uint8Array, from: number, token: number, sameLine: number): number {
    return this.#keepsIndent ? (findLineStart(bytes, from, token) ?? sameLine) : token;
  }

  /** Whether the answer to this case takes no bytes, because all its counts are zero. */
  isNothing(scope: Scope | null): boolean {
    return (
      scope !== null &&
      !this.hasLabels &&
      this.#body !== null &&
      hasNoTokens(this.#body, this.#namesOf(scope))
    );
  }

  #namesOf(scope: Scope | null): NameScope {
    const records = scope === null ? [] : [scope.value, (scope.head ?? {}) as RecordValue];
    return new NameScope(records, this.#tagNames);
  }
}

interface ReadBody extends Pick<WholeAnswer, 'linesAtEnd'> {
  readonly value: unknown;
}

/** Returns the index of the end of the last line, without blanks before it. */
function endOfLastLine(bytes: Uint8Array, from: number, to: number): number {
  let at = to > from && bytes[to - 1] === LF ? to - 1 : to;
  while (at > from && isBlankInLine(bytes[at - 1])) at--;
  return at;
}

/**
 * Reads an answer as its author printed it. Returns null if the text is not exactly one answer to the case with this
 * number.
 */
export function readBack(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): TreeAnswer | null {
  return readWhole(format, text, caseNumber, scope)?.answer ?? null;
}

/** Reads an answer like `readBack`. The answer is printed as its author has done it. */
export function readPrinted(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): TreeAnswer | null {
  const whole = readWhole(format, text, caseNumber, scope);
  if (whole === null) return null;
  const { answer, linesAtEnd } = whole;
  if (linesAtEnd === 0) return { ...answer, printed: text };
  // Empty lines at the end may lack their line ends: two lines that are joined have one line end between them. An answer with
  // a label ends after its last token, so it lacks these lines also if they are there.
  const printed = endLine(format.hasLabels ? text.trimEnd() : text) + '\n'.repeat(linesAtEnd);
  return { ...answer, printed };
}

function readWhole(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): WholeAnswer | null {
  const bytes = encodeUtf8(text === '' && format.isNothing(scope) ? '' : endLine(text));
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  if (!format.find(bytes, 0, bytes.length, true, extent, scope)) return null;
  if (format.hasLabels && extent.caseNumber !== caseNumber) return null;
  return format.isOver(bytes, extent.end) ? format.parseWhole(bytes, extent, scope) : null;
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** What stands in an output in place of an answer that is missing. */
const ERROR_MARK = 'ERROR';

/**
 * Whether the first token on the line at `from` is the mark of a missing answer. Null if more bytes are needed to decide.
 */
function isErrorMark(bytes: Uint8Array, from: number, limit: number, isLimitFinal: boolean): boolean | null {
  let at = from;
  while (at < limit && isBlankInLine(bytes[at])) at++;
  for (let i = 0; i < ERROR_MARK.length; i++, at++) {
    if (at === limit) return isLimitFinal ? false : null;
    if (bytes[at] !== ERROR_MARK.charCodeAt(i)) return false;
  }
  return at < limit ? isBlank(bytes[at]) : isLimitFinal || null;
}

/** Returns what stands between the number of a label and the text, with one blank or line end where there are many. */
function separatorOf(bytes: Uint8Array, bodyStart: number, textStart: number, text: string): string {
  const hasColon = bytes[bodyStart - 1] === 0x3a;
  const colon = hasColon ? (isBlank(bytes[bodyStart - 2]) ? ' :' : ':') : '';
  if (text === '') return colon;
  return colon + (bytes.subarray(bodyStart, textStart).includes(LF) ? '\n' : ' ');
}

/** Whether an answer has no tokens because all its counts are expressions with the value zero. */
function hasNoTokens(tree: Field | RecordTree, scope: NameScope): boolean {
  const isZero = (count: Count) => isExpression(count) && evaluateCount(count, scope) === 0;
  switch (tree.kind) {
    case 'record':
      return tree.fields.every(({ field }) => hasNoTokens(field, scope));
    case 'numbers':
    case 'words':
    case 'lines':
    case 'list':
      return isZero(tree.count);
    case 'grid':
    case 'table':
      return isZero(tree.rows) || isZero(tree.cols);
    case 'scalar':
    case 'word':
    case 'line':
    case 'either':
      return false;
  }
}

function isLineField(field: Field | null): boolean {
  return field?.kind === 'line' || field?.kind === 'lines';
}

/** The field with which a tree begins; null if it has no fields. */
function firstField(tree: Field | RecordTree): Field | null {
  if (tree.kind === 'record') return tree.fields.length === 0 ? null : firstField(tree.fields[0].field);
  return tree.kind === 'list' ? firstField(tree.of) : tree;
}

/** The field with which a tree ends; null if it has no fields. */
function lastField(tree: Field | RecordTree): Field | null {
  if (tree.kind === 'record') return tree.fields.length === 0 ? null : lastField(tree.fields.at(-1)!.field);
  return tree.kind === 'list' ? lastField(tree.of) : tree;
}

/** Whether the tree begins with a line that may be empty, as text or as an array. */
function beginsWithExactLine(tree: Field | RecordTree): boolean {
  switch (tree.kind) {
    case 'line':
      return tree.mayBeEmpty;
    case 'record':
      return tree.fields.length > 0 && beginsWithExactLine(tree.fields[0].field);
    case 'list':
      // If a token decides whether a record follows, blank lines before that token are no arrays.
      if (goesToLineEnd(tree)) return true;
      return (isExpression(tree.count) || isLineField(firstField(tree))) && beginsWithExactLine(tree.of);
    default:
      return goesToLineEnd(tree);
  }
}

/** Whether the tree has such a line anywhere. `isFirst` says that nothing stands before the tree on its line. */
function hasExactLine(tree: Field | RecordTree, isFirst = true): boolean {
  switch (tree.kind) {
    case 'line':
      return tree.mayBeEmpty;
    case 'record':
      return tree.fields.some(({ field }, index) =>
        hasExactLine(field, index === 0 ? isFirst : endsLine(tree.fields[index - 1].field, false)),
      );
    case 'list':
      return goesToLineEnd(tree) ? isFirst : hasExactLine(tree.of, isExpression(tree.count));
    case 'either':
      return tree.variants.some(({ record }) => hasExactLine(record, false));
    default:
      return isFirst && goesToLineEnd(tree);
  }
}
