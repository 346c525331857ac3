/** Finds the next case after an invalid case whose end is not known. */
import { findTokenEnd, LF, skipWhitespace } from '../../core/bytes.js';
import { type CaseScanner, type CaseSearch, NO_TAIL } from '../input-format.js';
import type { CaseStartKind } from '../language/shapes.js';
import { MAX_SHORT_TOKEN_BYTES } from './cursor.js';
import { parseShortCount } from './numbers.js';
import type { TreeCaseParser } from './tree-parser.js';

/** The largest number of bytes that a search reads to decide whether a case begins at a place. */
const CANDIDATE_BYTES = 1 << 12;

/**
 * Searches for a place where `numbers` consecutive tokens are counts. In such formats, only the numbers at the start of a case
 * are counts, because all other tokens are rows of letters.
 */
export function findCaseByCounts(
  bytes: Uint8Array,
  end: number,
  atEnd: boolean,
  search: CaseSearch,
  numbers: number,
): boolean {
  if (!leaveToken(bytes, end, search)) return atEnd;
  for (;;) {
    search.at = skipWhitespace(bytes, search.at, end);
    const counts = countCounts(bytes, search.at, end, atEnd, numbers);
    if (counts === null) return false;
    if (counts === numbers || search.at === end) return true;
    search.at = findTokenEnd(bytes, search.at, end);
    if (search.at < end || atEnd) continue;
    search.isInsideToken = true;
    return false;
  }
}

/** Moves past the rest of a token that began before `search.at`. Returns false if the token does not end in these bytes. */
function leaveToken(bytes: Uint8Array, end: number, search: CaseSearch): boolean {
  if (!search.isInsideToken) return true;
  search.at = findTokenEnd(bytes, search.at, end);
  if (search.at === end) return false;
  search.isInsideToken = false;
  return true;
}

/** Returns the number of consecutive counts from `at` on, at most `most`; null if more bytes are needed. */
function countCounts(
  bytes: Uint8Array,
  at: number,
  end: number,
  atEnd: boolean,
  most: number,
): number | null {
  let from = at;
  for (let counts = 0; counts < most; counts++) {
    const to = findTokenEnd(bytes, from, Math.min(end, from + MAX_SHORT_TOKEN_BYTES + 1));
    if (to === end && !atEnd) return null;
    if (Number.isNaN(parseShortCount(bytes, from, to))) return counts;
    from = skipWhitespace(bytes, to, end);
  }
  return most;
}

/** Whether a case begins at a place; `unknown` if more bytes are needed to decide. */
type Judgement = 'case' | 'no-case' | 'unknown';

/** Searches for a line at which a whole valid case begins, followed by another case or the tail. */
export class CaseSearchByLine {
  readonly #scanner: CaseScanner;
  readonly #parser: TreeCaseParser;
  readonly #start: CaseStartKind;

  constructor(scanner: CaseScanner, parser: TreeCaseParser, start: CaseStartKind) {
    this.#scanner = scanner;
    this.#parser = parser;
    this.#start = start;
  }

  continue(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean {
    search.isInsideToken = false;
    for (;;) {
      const lineEnd = bytes.subarray(search.at, end).indexOf(LF);
      if (lineEnd < 0) {
        search.at = end;
        return atEnd;
      }
      search.at += lineEnd;
      const place =
        this.#start === 'any-line' ? search.at + 1 : this.#scanner.skipToCase(bytes, search.at + 1, end);
      const judgement = this.#judge(bytes, place, end, atEnd);
      if (judgement === 'unknown') return false;
      search.at = judgement === 'case' ? place : search.at + 1;
      if (judgement === 'case') return true;
    }
  }

  #judge(bytes: Uint8Array, at: number, end: number, atEnd: boolean): Judgement {
    const limit = Math.min(end, at + CANDIDATE_BYTES);
    const isWholeInput = atEnd && limit === end;
    if (limit - at < CANDIDATE_BYTES && !isWholeInput) return 'unknown';
    if (at === end || this.#isTail(bytes, at, limit, isWholeInput)) return 'case';
    const after = this.#parse(bytes, at, limit, isWholeInput, true);
    if (after === null) return 'no-case';
    const next = this.#scanner.skipToCase(bytes, after, limit);
    if (next === limit || this.#isTail(bytes, next, limit, isWholeInput)) return 'case';
    return this.#parse(bytes, next, limit, isWholeInput, false) === null ? 'no-case' : 'case';
  }

  /** Whether the tail may begin at `at`. The answer is yes if the bytes up to `limit` do not decide it. */
  #isTail(bytes: Uint8Array, at: number, limit: number, isWholeInput: boolean): boolean {
    return this.#scanner.findTail(bytes, at, limit, isWholeInput, false) !== NO_TAIL;
  }

  /**
   * Parses a case, or its first fields. Returns the index after them, `limit` if they do not end before `limit` but have no
   * fault so far, and null if they have a fault.
   */
  #parse(
    bytes: Uint8Array,
    at: number,
    limit: number,
    isWholeInput: boolean,
    isWholeCase: boolean,
  ): number | null {
    const result = this.#parser.tryCase(bytes, at, limit, isWholeCase);
    if (typeof result === 'number') return result;
    const isCutOff = !isWholeInput && findTokenEnd(bytes, Math.min(result.offset, limit), limit) === limit;
    return isCutOff ? limit : null;
  }
}
