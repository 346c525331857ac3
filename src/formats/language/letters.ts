/** Checks the letters of words and grids, and decodes words and lines. */
import { decodeUtf8, findTrimmedEnd, isDigit, skipWhitespace, utf8AsLatin1 } from '../../core/bytes.js';
import { MINUS_BYTE } from '../tree/numbers.js';

/** Returns whether all letters of the word in bytes[from, to) are allowed. */
type WordTest = (bytes: Uint8Array, from: number, to: number) => boolean;

/** The code of bytes that are not in an alphabet. The codes of letters are smaller, and so is every bitwise OR of them. */
export const NO_LETTER = 0x80;

export function compileWordTest(letters: string | null): WordTest {
  if (letters === null) return () => true;
  const allowed = new Set(letters);
  if (!isAscii(letters)) {
    return (bytes, from, to) => {
      const word = decodeUtf8(bytes, from, to);
      return word !== null && [...word].every((letter) => allowed.has(letter));
    };
  }
  const codes = letterIndexTableOf(letters);
  return (bytes, from, to) => {
    let at = from;
    while (at < to && codes[bytes[at]] !== NO_LETTER) at++;
    return at === to;
  };
}

/** Returns a table from each byte to the index of its letter; NO_LETTER for bytes that are not in `letters`. */
export function letterIndexTableOf(letters: string): Uint8Array {
  const codes = new Uint8Array(256).fill(NO_LETTER);
  for (let i = letters.length - 1; i >= 0; i--) codes[letters.charCodeAt(i)] = i;
  return codes;
}

/** Whether no number can begin with one of the letters. */
export function lettersExcludeNumbers(letters: string): boolean {
  const codes = letterIndexTableOf(letters);
  return (
    codes[MINUS_BYTE] === NO_LETTER &&
    !Array.from(codes.keys()).some((byte) => codes[byte] !== NO_LETTER && isDigit(byte))
  );
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Returns the index of the first byte in bytes[from, to) that is not valid UTF-8; `to` if all bytes are valid. */
export function findInvalidUtf8(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const length = characterLength(bytes, at, to);
    if (length === 0) return at;
    at += length;
  }
  return to;
}

/** The smallest and the largest second byte after some first bytes. After all others, it is any byte from 0x80 to 0xbf. */
const SECOND_BYTES = new Map([
  [0xe0, { min: 0xa0, max: 0xbf }],
  [0xed, { min: 0x80, max: 0x9f }],
  [0xf0, { min: 0x90, max: 0xbf }],
  [0xf4, { min: 0x80, max: 0x8f }],
]);

/** Returns the number of bytes of the UTF-8 character that begins at `at`; 0 if the bytes are not valid UTF-8. */
function characterLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  const { min, max } = SECOND_BYTES.get(first) ?? { min: 0x80, max: 0xbf };
  if (bytes[at + 1] < min || bytes[at + 1] > max) return 0;
  return bytes.subarray(at + 2, at + length).every((byte) => byte >> 6 === 2) ? length : 0;
}

/** Returns the range of bytes[from, to) without the whitespace at both ends. */
export function trimWhitespace(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const first = skipWhitespace(bytes, from, to);
  return bytes.subarray(first, findTrimmedEnd(bytes, first, to));
}

/** Returns a tag in the form in which readers compare tags: as the latin1 text of its UTF-8 bytes. */
export function tagKey(tag: string): string {
  return utf8AsLatin1(tag);
}

/** Whether the text consists of whitespace, or is empty. */
export function isWhitespaceText(text: string): boolean {
  return /^[ \t\n\v\f\r]*$/.test(text);
}

const CAPITAL_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALL_LETTERS = CAPITAL_LETTERS + CAPITAL_LETTERS.toLowerCase();

/** Describes the cells of a grid with one or two alphabets, for messages. */
export function describeCells(letters: readonly string[]): string {
  return letters.length === 1 ? `"${letters[0]}"` : letters.map(describeAlphabet).join(' and ');
}

function describeAlphabet(letters: string): string {
  if (letters === ALL_LETTERS) return 'a letter';
  return letters === CAPITAL_LETTERS ? 'a capital letter' : `one of "${letters}"`;
}
