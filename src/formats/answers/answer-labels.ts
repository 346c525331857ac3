/**
 * Recognises the labels of answers, such as `Case #1:`. A label is a prefix, a number, and an optional colon, on one line. The
 * whitespace between the tokens of a label does not matter.
 */
import { encodeUtf8, findTokenEnd, isDigit, isWhitespace, LF } from '../../core/bytes.js';
import { splitIntoWords } from '../../core/words.js';
import { skipWhitespaceOnLine } from '../tree/cursor.js';
import { type LabelFinder, type LabelMatch, parseLabelNumber } from './find-answer.js';

export class PrefixLabelFinder implements LabelFinder {
  /** The tokens of the text before the number in a label, such as `Case` and `#`. */
  readonly #tokens: readonly Uint8Array[];

  constructor(prefix: string) {
    this.#tokens = splitIntoWords(prefix).map(encodeUtf8);
  }

  match(bytes: Uint8Array, at: number, limit: number): LabelMatch | null {
    // Most answers contain numbers, so a label that is only a number must stand at the start of a line.
    if (this.#tokens.length === 0 && !beginsLine(bytes, at)) return null;
    const numberStart = this.#skipPrefix(bytes, at, limit);
    if (numberStart === null) return null;
    let numberEnd = numberStart;
    while (numberEnd < limit && isDigit(bytes[numberEnd])) numberEnd++;
    const caseNumber = parseLabelNumber(bytes, numberStart, numberEnd);
    if (!Number.isSafeInteger(caseNumber) || caseNumber < 0) return null;
    const end = this.#skipColon(bytes, numberEnd, limit);
    return end === null ? null : { end, caseNumber };
  }

  /** Returns the index of the number after the prefix of a label; null if no such prefix begins at `at`. */
  #skipPrefix(bytes: Uint8Array, at: number, limit: number): number | null {
    let next = at;
    for (const token of this.#tokens) {
      for (const byte of token) if (next >= limit || bytes[next++] !== byte) return null;
      next = skipWhitespaceOnLine(bytes, next, limit);
    }
    return next;
  }

  /**
   * Returns the index after the colon of a label, or `numberEnd` if the label has no colon. Null if the token goes on after it.
   */
  #skipColon(bytes: Uint8Array, numberEnd: number, limit: number): number | null {
    const colon = skipWhitespaceOnLine(bytes, numberEnd, limit);
    const hasColon = colon < limit && bytes[colon] === 0x3a;
    const end = hasColon ? colon + 1 : numberEnd;
    const endsToken = findTokenEnd(bytes, end, limit) === end;
    if (endsToken) return end;
    // A token such as `:-)` after the number of a label belongs to the answer, because it is not a colon alone.
    return hasColon && colon > numberEnd ? numberEnd : null;
  }
}

function beginsLine(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && bytes[before] !== LF && isWhitespace(bytes[before])) before--;
  return before < 0 || bytes[before] === LF;
}
