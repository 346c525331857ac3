/**
 * Recognises the labels of answers, such as `Case #1:`. A label is a prefix, a number, and an optional colon, on one
 * line. Whitespace between the tokens of a label do not matter.
 */
import { encodeUtf8, isDigit, isWhitespace, LF, parseCount, tokenEnd } from '../../core/bytes.js';
import { wordsOf } from '../../core/words.js';
import { skipWhitespaceOnLine } from '../tree/cursor.js';
import type { LabelMatch, Labels } from './find-answer.js';

export class PrefixLabels implements Labels {
  /** The tokens of the prefix. */
  readonly #tokens: readonly Uint8Array[];

  constructor(prefix: string) {
    this.#tokens = wordsOf(prefix).map(encodeUtf8);
  }

  match(bytes: Uint8Array, at: number, limit: number): LabelMatch | null {
    // A label that is only a number would be found in most answers, so it must begin a line.
    if (this.#tokens.length === 0 && !beginsLine(bytes, at)) return null;
    const numberStart = this.#skipPrefix(bytes, at, limit);
    if (numberStart === null) return null;
    let numberEnd = numberStart;
    while (numberEnd < limit && isDigit(bytes[numberEnd])) numberEnd++;
    const caseNumber = parseCount(bytes, numberStart, numberEnd);
    if (!Number.isSafeInteger(caseNumber) || caseNumber < 0) return null;
    const end = this.#skipColon(bytes, numberEnd, limit);
    return end === null ? null : { end, caseNumber };
  }

  /** Returns the index of the number after the prefix; null if the prefix is not at `at`. */
  #skipPrefix(bytes: Uint8Array, at: number, limit: number): number | null {
    let next = at;
    for (const token of this.#tokens) {
      for (const byte of token) if (next >= limit || bytes[next++] !== byte) return null;
      next = skipWhitespaceOnLine(bytes, next, limit);
    }
    return next;
  }

  /** Returns the index after the colon, or `numberEnd` if there is none. Null if the token of the label goes on. */
  #skipColon(bytes: Uint8Array, numberEnd: number, limit: number): number | null {
    const colon = skipWhitespaceOnLine(bytes, numberEnd, limit);
    const hasColon = colon < limit && bytes[colon] === 0x3a;
    const end = hasColon ? colon + 1 : numberEnd;
    const endsToken = tokenEnd(bytes, end, limit) === end;
    if (endsToken) return end;
    // The token after a number without a colon, such as `:-)`, belongs to the answer.
    return hasColon && colon > numberEnd ? numberEnd : null;
  }
}

function beginsLine(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && bytes[before] !== LF && isWhitespace(bytes[before])) before--;
  return before < 0 || bytes[before] === LF;
}
