/** The rules for reading the numbers of answers. They allow more ways to write a number than the rules for inputs. */
import { decodeText } from '../../core/bytes.js';
import { MINUS_BYTE, parseBigInteger, parseInteger, parseNumber } from '../tree/numbers.js';
import type { ReadingRules } from '../tree/reading-rules.js';

const PLUS = 0x2b;

/** In an answer, numbers may begin with `+` and have any number of digits. Bytes that are not UTF-8 are kept. */
export const ANSWER_READING_RULES: ReadingRules = {
  parseInteger: withPlus(parseInteger, Number.NaN),
  parseNumber: withPlus(
    (bytes, from, to) => parseNumber(bytes, from, to, Number.POSITIVE_INFINITY),
    Number.NaN,
  ),
  parseBigInteger: withPlus(
    (bytes, from, to) => parseBigInteger(bytes, from, to, Number.POSITIVE_INFINITY),
    null,
  ),
  decode: decodeText,
  isAnswer: true,
};

/** Parses the number that is written in bytes[from, to). */
type Parse<T> = (bytes: Uint8Array, from: number, to: number) => T;

function withPlus<T>(parse: Parse<T>, notNumber: T): Parse<T> {
  return (bytes, from, to) => {
    if (bytes[from] !== PLUS) return parse(bytes, from, to);
    return bytes[from + 1] === MINUS_BYTE ? notNumber : parse(bytes, from + 1, to);
  };
}
