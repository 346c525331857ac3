/** Reads the bytes of contest inputs (whitespace, digits, tokens), and writes the bytes of outputs. */
import { decodeLatin1 } from './latin1.js';
import { shorten } from './printable.js';

export { decodeLatin1 };

export const KIB = 1024;
export const MIB = 1024 * KIB;

const TAB = 0x09;
export const LF = 0x0a;
const CR = 0x0d;
export const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** Whether the byte is whitespace by C's isspace(): space, tab, LF, VT, FF, CR. */
export function isWhitespace(byte: number): boolean {
  return byte === SPACE || (byte >= TAB && byte <= CR);
}

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/**
 * Returns the index of the first byte that is not whitespace, at or after `from`. Returns `end` if all bytes are whitespace.
 */
export function skipWhitespace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isWhitespace(bytes[at])) at++;
  return at;
}

/** Returns the index after the last byte of bytes[from, to) that is not whitespace; `from` if all bytes are whitespace. */
export function findTrimmedEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && isWhitespace(bytes[end - 1])) end--;
  return end;
}

/** The bytes of the UTF-8 byte order mark, with which a text may begin. */
export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** Returns the index after the byte order mark with which bytes[0, end) begins; 0 if it begins with none. */
export function skipByteOrderMark(bytes: Uint8Array, end: number): number {
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => index < end && bytes[index] === byte);
  return hasMark ? BYTE_ORDER_MARK.length : 0;
}

/**
 * Returns the index of the first blank at or after `from`, which is the end of a token. Returns `end` if no byte is a
 * blank.
 */
export function findTokenEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && !isWhitespace(bytes[at])) at++;
  return at;
}

/** The largest number that an input may contain. Above it, JavaScript's integers are not exact. */
export const MAX_EXACT_INTEGER = Number.MAX_SAFE_INTEGER;

/** The decimal number in bytes[from, to); Infinity if it is above MAX_EXACT_INTEGER; -1 if the bytes are not only digits. */
export function parseCount(bytes: Uint8Array, from: number, to: number): number {
  if (from >= to) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    if (!isDigit(bytes[at])) return -1;
    value = value * 10 + (bytes[at] - ZERO);
    // A value above MAX_EXACT_INTEGER becomes Infinity and stays Infinity, so rounding cannot hide an overflow.
    if (value > MAX_EXACT_INTEGER) value = Number.POSITIVE_INFINITY;
  }
  return value;
}

const UTF8_ENCODER = new TextEncoder();

/**
 * A character that stands for a byte which is not a part of valid UTF-8, as in Python's `surrogateescape`: the byte 0xff is
 * U+DCFF. So any bytes can be kept as a text, and printed again.
 */
const RAW_BYTE = /[\udc80-\udcff]/u;
const RAW_BYTES = /([\udc80-\udcff])/u;
const RAW_BYTE_OFFSET = 0xdc00;
/** Matches a UTF-8 sequence in a text of one character per byte, or any other single byte. */
const UTF8_SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Encodes a text as UTF-8. The characters with which `decodeText` replaces invalid bytes become these bytes again. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (!RAW_BYTE.test(text)) return UTF8_ENCODER.encode(text);
  const parts = text.split(RAW_BYTES).map((part, i) => {
    if (i % 2 === 1) return String.fromCharCode(part.charCodeAt(0) - RAW_BYTE_OFFSET);
    const bytes = UTF8_ENCODER.encode(part);
    return decodeLatin1(bytes, 0, bytes.length);
  });
  return bytesOfLatin1(parts.join(''));
}

/** Decodes bytes[from, to) as UTF-8. A byte that is not a part of valid UTF-8 becomes a character that stands for it. */
export function decodeText(bytes: Uint8Array, from = 0, to = bytes.length): string {
  const text = decodeUtf8(bytes, from, to);
  if (text !== null) return text;
  return decodeLatin1(bytes, from, to).replace(UTF8_SEQUENCE, (sequence) =>
    sequence.length === 1
      ? String.fromCharCode(RAW_BYTE_OFFSET + sequence.charCodeAt(0))
      : UTF8_DECODER.decode(bytesOfLatin1(sequence)),
  );
}

/** Formats a value for a message: a text in quotes, others as JSON. Bytes that are not valid UTF-8 are shown as `\xNN`. */
export function quoteText(text: unknown): string {
  // JSON.stringify writes a character that stands for a byte as `\udcNN`. The second alternative passes over other escapes.
  return JSON.stringify(text).replace(/\\(?:udc([89a-f][0-9a-f])|.)/g, (sequence, hex) =>
    hex === undefined ? sequence : `\\x${hex}`,
  );
}

/** Returns a text of one character per byte in quotes for a message, cut if it is long. Only printable ASCII is not escaped. */
export function quoteLatin1(text: string): string {
  return escapeBytes(JSON.stringify(shorten(text, MAX_QUOTED_CHARACTERS)));
}

const MAX_QUOTED_CHARACTERS = 100;

/** Shows the bytes above 0x7e in a text of one character per byte as `\xNN`. */
export function escapeBytes(text: string): string {
  return text.replace(/[\x7f-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes[from, to) as UTF-8. Returns null if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string | null {
  let at = from;
  while (at < to && bytes[at] < 0x80) at++;
  if (at === to) return decodeLatin1(bytes, from, to);
  try {
    return UTF8_DECODER.decode(bytes.subarray(from, to));
  } catch {
    return null;
  }
}

/** Returns the UTF-8 bytes of a text as a text of one character per byte. Tokens of inputs are compared in this form. */
export function utf8AsLatin1(text: string): string {
  const bytes = encodeUtf8(text);
  return decodeLatin1(bytes, 0, bytes.length);
}

/** Returns the bytes of a text of one character per byte. */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Largest number of bytes of a token that a message shows. */
const MAX_QUOTED_BYTES = 24;

/**
 * Returns the token at `from` as an error message shows it: quoted, truncated if long, and with unprintable bytes as `\xNN`.
 */
export function quoteToken(bytes: Uint8Array, from: number, end: number): string {
  const to = findTokenEnd(bytes, from, end);
  let text = '';
  for (const byte of bytes.subarray(from, Math.min(to, from + MAX_QUOTED_BYTES))) {
    const printable = byte > SPACE && byte < 0x7f;
    text += printable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return to - from > MAX_QUOTED_BYTES ? `"${text}..."` : `"${text}"`;
}

const MAX_ASCII = 0x7f;
/** Up to this length, text is faster to append character by character than to encode, which allocates a buffer. */
const MAX_SHORT_TEXT = 64;

/** Collects output bytes in one buffer that grows by doubling. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 512) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Appends text that has only ASCII characters (up to 0x7f). */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i);
  }

  utf8(text: string): void {
    if (text.length > MAX_SHORT_TEXT || !this.#appendAscii(text)) this.append(encodeUtf8(text));
  }

  /** Appends text that has only ASCII characters. Returns false and appends nothing if it has others. */
  #appendAscii(text: string): boolean {
    this.#reserve(text.length);
    const start = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > MAX_ASCII) return false;
      this.#bytes[start + i] = code;
    }
    this.#length = start + text.length;
    return true;
  }

  /** Appends a non-negative integer in decimal. */
  integer(value: number): void {
    if (value < 10) this.byte(ZERO + value);
    else if (value > 0x7fffffff) this.ascii(String(value));
    else this.#appendDigits(value);
  }

  /** Appends `letters[codes[i]]` for each i from `from` to `to - 1`. */
  letters(letters: Uint8Array, codes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = from; i < to; i++) bytes[at++] = letters[codes[i]];
    this.#length = at;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns a copy of all bytes, which may be transferred to another thread, and empties the writer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Returns all bytes, and empties the writer. Unlike those of `take`, the bytes are overwritten by what is written next. */
  lend(): Uint8Array<ArrayBuffer> {
    const lent = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return lent;
  }

  #appendDigits(value: number): void {
    let digits = 1;
    for (let bound = 10; bound <= value; bound *= 10) digits++;
    this.#reserve(digits);
    let rest = value;
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const tens = (rest / 10) | 0;
      this.#bytes[at] = ZERO + (rest - tens * 10);
      rest = tens;
    }
    this.#length += digits;
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
