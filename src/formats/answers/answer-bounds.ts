/** Decides which line ends, and which whitespace at the start of lines, belong to an answer. */
import { findTrimmedEnd, LF, skipWhitespace } from '../../core/bytes.js';
import { isExpressionCount } from '../language/expression.js';
import { countsOfField, endsLine, readsToLineEnd } from '../language/shapes.js';
import type { ElementCount, Field, RecordTree } from '../language/tree.js';
import { skipWhitespaceOnLine } from '../tree/cursor.js';
import { findLineStart } from './find-answer.js';

export class AnswerBounds {
  /** Whether the answer may begin with an empty line. */
  readonly beginWithEmpty: boolean;
  /** Whether an empty line may be a part of the answer. If so, the answer includes the end of its last line. */
  readonly mayBeEmpty: boolean;
  /** Whether the answer ends at a blank line, which belongs to it and which `endOfText` leaves out. */
  readonly leavesOutBlank: boolean;
  /** Whether whitespace at the start of a line belongs to the answer. */
  readonly #keepIndent: boolean;

  /** If `body` is null, any text is an answer. */
  constructor(body: Field | RecordTree | null) {
    this.beginWithEmpty = body !== null && beginsWithExactLine(body);
    this.mayBeEmpty = body !== null && hasExactLine(body);
    this.leavesOutBlank = body !== null && !this.mayBeEmpty && endsWithBlankLine(body);
    this.#keepIndent = body === null || mayBeginWithLine(body);
  }

  /** Returns the index at which the first answer without a label in bytes[from, end) begins; `end` if none does. */
  startOf(bytes: Uint8Array, from: number, end: number): number {
    if (this.beginWithEmpty) return from;
    const token = skipWhitespace(bytes, from, end);
    return token === end ? end : this.#withIndent(bytes, from, token, from);
  }

  /** Returns the index of the first byte of an answer's text whose label ends at `bodyStart`. */
  startAfterLabel(bytes: Uint8Array, bodyStart: number, end: number): number {
    if (!this.beginWithEmpty) {
      const token = skipWhitespace(bytes, bodyStart, end);
      return this.#withIndent(bytes, bodyStart, token, token);
    }
    const at = skipWhitespaceOnLine(bytes, bodyStart, end);
    return at < end && bytes[at] === LF ? at + 1 : at;
  }

  /**
   * If whitespace at the start of lines belongs to the answer, returns the index of the first byte of the line on which the
   * token at `token` stands, or `sameLine` if that line begins before `from`. Otherwise returns `token`.
   */
  #withIndent(bytes: Uint8Array, from: number, token: number, sameLine: number): number {
    return this.#keepIndent ? (findLineStart(bytes, from, token) ?? sameLine) : token;
  }

  /** Returns the end of the text in bytes[start, end), without whitespace and the line end at the end of its last line. */
  endOfText(bytes: Uint8Array, start: number, end: number): number {
    if (!this.mayBeEmpty) return findTrimmedEnd(bytes, start, end);
    const lastLine = bytes.subarray(start, end > start && bytes[end - 1] === LF ? end - 1 : end);
    const lineStart = start + lastLine.lastIndexOf(LF) + 1;
    return findTrimmedEnd(bytes, lineStart, start + lastLine.length);
  }
}

function isLineField(field: Field | null): boolean {
  return field?.kind === 'line' || field?.kind === 'lines';
}

/** The first field of a tree; null if the tree has no fields. */
function firstField(tree: Field | RecordTree): Field | null {
  if (tree.kind === 'record') return tree.fields.length === 0 ? null : firstField(tree.fields[0].field);
  return tree.kind === 'list' ? firstField(tree.of) : tree;
}

/** Whether the first token of an answer may stand on a line of text. An array before that line may have no elements. */
function mayBeginWithLine(tree: Field | RecordTree): boolean {
  if (tree.kind === 'list') return mayBeginWithLine(tree.of);
  if (tree.kind !== 'record') return isLineField(tree);
  for (const { field } of tree.fields) {
    if (mayBeginWithLine(field)) return true;
    if (!countsOfField(field).some(mayBeZero)) return false;
  }
  return false;
}

function mayBeZero(count: ElementCount): boolean {
  if (count.kind === 'constant') return count.value === 0;
  return count.kind === 'many' || isExpressionCount(count);
}

/** Whether the last element of the tree is followed by a blank line. */
function endsWithBlankLine(tree: Field | RecordTree): boolean {
  if (tree.kind === 'record')
    return tree.fields.length > 0 && endsWithBlankLine(tree.fields[tree.fields.length - 1].field);
  if (countsOfField(tree).some((count) => count.kind === 'until-blank-line')) return true;
  return tree.kind === 'list' && endsWithBlankLine(tree.of);
}

/** Whether the tree begins with a line that may be empty: a line of text or an array. */
function beginsWithExactLine(tree: Field | RecordTree): boolean {
  switch (tree.kind) {
    case 'line':
      return tree.mayBeEmpty;
    case 'record':
      return tree.fields.length > 0 && beginsWithExactLine(tree.fields[0].field);
    case 'list':
      // If a token decides whether another record follows, blank lines before that token do not count as empty arrays.
      if (readsToLineEnd(tree)) return true;
      return (isExpressionCount(tree.count) || isLineField(firstField(tree))) && beginsWithExactLine(tree.of);
    default:
      return readsToLineEnd(tree);
  }
}

/** Whether any part of the tree is a line that may be empty. `isFirst`: nothing stands before the tree on its line. */
function hasExactLine(tree: Field | RecordTree, isFirst = true): boolean {
  switch (tree.kind) {
    case 'line':
      return tree.mayBeEmpty;
    case 'record':
      return tree.fields.some(({ field }, index) =>
        hasExactLine(field, index === 0 ? isFirst : endsLine(tree.fields[index - 1].field, false)),
      );
    case 'list':
      return readsToLineEnd(tree) ? isFirst : hasExactLine(tree.of, isExpressionCount(tree.count));
    case 'either':
      return tree.variants.some(({ record }) => hasExactLine(record, false));
    default:
      return isFirst && readsToLineEnd(tree);
  }
}
