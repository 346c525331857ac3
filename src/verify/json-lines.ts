/** Reads a stream of JSON values, one on each line, with bounded memory. Blank lines are skipped. */
import { BoardmillError } from '../core/errors.js';

interface JsonLine {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** Longer lines are refused. The longest proof that `explain` writes has about half as many bytes. */
const MAX_LINE_BYTES = 128 * 2 ** 20;
/**
 * Lines with more arrays and objects, or with more commas, are refused, because their values would not fit into memory. The
 * longest proof that `explain` writes has 2 million arrays and 12 million commas.
 */
const MAX_CONTAINERS = 6_000_000;
const MAX_COMMAS = 24_000_000;

const LF = 0x0a;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
/** The characters `.`, `E` and `e`. */
const FRACTION_OR_EXPONENT = [0x2e, 0x45, 0x65];
/** Integers of at most this many digits are exact as JavaScript numbers. */
const MAX_DIGITS = 15;
/** Largest number of characters of a number that a message shows. */
const MAX_SHOWN = 40;

export async function* readJsonLines(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of readLines(name, pieces)) {
    line++;
    assertFits(name, line, bytes);
    // Every byte becomes one character. JSON is ASCII outside of strings, and the strings of a true explanation are ASCII, too.
    const text = withoutByteOrderMark(bytes, line).toString('latin1');
    if (text.trim() === '') continue;
    const value = parse(name, line, text);
    // JSON.parse takes the last of two values of a key, and another reader the first, which nobody has checked.
    const { colons, hasOnlyIntegers } = scanJson(text);
    if (colons !== countKeys(value))
      throw new BoardmillError('input', `${name}:${line}: an object has a key twice`);
    const rounded = hasOnlyIntegers ? null : findRounded(text);
    if (rounded !== null)
      throw new BoardmillError(
        'input',
        `${name}:${line}: the number ${rounded} is not written as an integer`,
      );
    yield { line, value };
  }
}

/** Yields the bytes of each line, without its line end. */
async function* readLines(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 1;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, start)) {
      yield Buffer.concat([...parts, piece.subarray(start, end)]);
      parts = [];
      length = 0;
      line++;
      start = end + 1;
    }
    length += piece.length - start;
    if (length > MAX_LINE_BYTES) refuse(name, line, `more than ${MAX_LINE_BYTES / 2 ** 20} MiB on one line`);
    // The rest of the piece is copied, because the memory of the piece is reused for the next one.
    if (start < piece.length) parts.push(Buffer.from(piece.subarray(start)));
  }
  if (length > 0) yield Buffer.concat(parts);
}

function assertFits(name: string, line: number, bytes: Buffer): void {
  if (bytes.length <= MAX_CONTAINERS) return;
  let containers = 0;
  let commas = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === COMMA) commas++;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) containers++;
  }
  if (containers > MAX_CONTAINERS)
    refuse(name, line, `more than ${MAX_CONTAINERS} arrays and objects on one line`);
  if (commas > MAX_COMMAS) refuse(name, line, `more than ${MAX_COMMAS} values on one line`);
}

function refuse(name: string, line: number, problem: string): never {
  throw new BoardmillError('input', `${name}:${line}: ${problem}, which is more than any explanation has`);
}

function withoutByteOrderMark(bytes: Buffer, line: number): Buffer {
  const hasMark = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function parse(name: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    // Only some of Node's error messages say where the mistake is.
    const column = Number(/ at position (\d+)(?: \(line 1 column \d+\))?$/.exec(message)?.[1] ?? 0) + 1;
    throw new BoardmillError(
      'input',
      `${name}:${line}:${column}: expected one explanation as JSON, but ${message}`,
    );
  }
}

/**
 * Returns what JSON has outside of strings: the number of colons, one for each key, and whether all numbers are integers that
 * are exact as JavaScript numbers.
 */
function scanJson(text: string): { colons: number; hasOnlyIntegers: boolean } {
  let colons = 0;
  let isInString = false;
  let hasOnlyIntegers = true;
  /** The number of digits directly before `at`. */
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isDigit = code >= ZERO && code < ZERO + 10;
    if (code === QUOTE) isInString = !isInString;
    else if (code === BACKSLASH) at++;
    else if (!isInString) {
      if (code === COLON) colons++;
      if (isDigit ? digits === MAX_DIGITS : digits > 0 && FRACTION_OR_EXPONENT.includes(code))
        hasOnlyIntegers = false;
    }
    digits = isDigit && !isInString ? digits + 1 : 0;
  }
  return { colons, hasOnlyIntegers };
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Returns a number that JSON.parse takes for an integer although it is written in another way: it rounds 0.99999999999999999999
 * to 1, which another reader does not.
 */
function findRounded(text: string): string | null {
  for (const [token] of text.matchAll(STRING_OR_NUMBER)) {
    const isInteger = !token.startsWith('"') && Number.isSafeInteger(Number(token));
    if (isInteger && !/^-?\d{1,15}$/.test(token))
      return token.length <= MAX_SHOWN ? token : `${token.slice(0, MAX_SHOWN - 3)}...`;
  }
  return null;
}

/** Returns the number of keys of all objects in a value of JSON, which may be nested deeply. */
function countKeys(value: unknown): number {
  let keys = 0;
  const left: object[] = [[value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const values = Array.isArray(next) ? next : Object.values(next);
    if (values !== next) keys += values.length;
    for (const each of values) if (typeof each === 'object' && each !== null) left.push(each);
  }
  return keys;
}
