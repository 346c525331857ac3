/**
 * A machine that compares a grammar with bytes.
 *
 * A strict reader takes every byte as it is. A lenient reader takes any whitespace where the grammar has SPACE or NEWLINE, and
 * records how they differ from what the grammar says, so that the case can be written in canonical layout. Text that
 * whitespace begins (REGEX, STRING) is compared as it is first; only if that fails, whitespace before it is skipped.
 */
import { isWhitespace, LF, latin1, quoteLatin1, quoteToken, SPACE } from '../../../core/bytes.js';
import type { Fault } from '../../../core/errors.js';
import type { Run } from '../language/compile.js';
import { NO_MATCH, type Regex } from '../language/regex.js';
import type {
  AssertCommand,
  FloatCommand,
  IntCommand,
  Place,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import {
  compareNumbers,
  MAX_NUMBER_DIGITS,
  parseFraction,
  parseInteger,
  RuntimeFailure,
  showValue,
  type Value,
} from '../language/values.js';
import type { Variables } from '../language/variables.js';
import { type FloatRange, Machine, StepLimitError } from './machine.js';

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
/** 0x20 makes a letter small. */
const SMALL_E = 0x65;
const SMALL_LETTER_BIT = 0x20;
/** Integers of at most this many digits are exact as JavaScript numbers. */
const MAX_SMALL_DIGITS = 15;

/** Thrown when a reader needs bytes that have not arrived yet. */
export const NEEDS_BYTES = Symbol('the reader needs more bytes');

/** Returns what `decide` returns, or `undecided` if it needs bytes that have not arrived yet. */
export function whenDecided<T, U>(decide: () => T, undecided: U): T | U {
  try {
    return decide();
  } catch (error) {
    if (error === NEEDS_BYTES) return undecided;
    throw error;
  }
}

/** Thrown when the bytes break the grammar. */
class Refusal {
  constructor(
    readonly offset: number,
    readonly expected: string,
    /** Null if the message quotes the bytes at the offset. */
    readonly got: string | null,
  ) {}
}

/** A place at which the bytes are not in canonical layout, and what stands there in canonical layout. */
interface Deviation {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface ReaderOptions {
  readonly isLenient: boolean;
  /** How many steps a run may take apart from those for its bytes. */
  readonly baseSteps?: number;
}

export interface ReadRange {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly end: number;
  /** Whether no byte follows bytes[end - 1]. */
  readonly atEnd: boolean;
  /** Whether whitespace at the start of the range may be text, so that a lenient reader must not skip it. */
  readonly beginsWithText?: boolean;
}

export class Reader extends Machine {
  readonly #isLenient: boolean;
  readonly #fileName: string;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #at = 0;
  #end = 0;
  #isAtEnd = true;
  /** Index of the byte after the last byte that the run has looked at, apart from the bytes that it has read. */
  #reach = 0;
  #deviations: Deviation[] = [];
  /** Whether whitespace, or nothing, stands directly before `#at`, so that more whitespace may follow. */
  #isAfterWhitespace = true;
  /** Whether a NEWLINE has matched the end of an input that lacks its last line end. */
  #hasReadMissingLineEnd = false;
  /** An INT whose bounds do not count: the number of cases. */
  unboundedInt: IntCommand | null = null;
  /** The bytes of the last value that `unboundedInt` read. */
  unboundedRange: { from: number; to: number } = { from: 0, to: 0 };
  /**
   * Whether the bytes are known to end at a boundary between cases, with unknown bytes after it. Then a test that looks
   * there is true or false as this says. Null: the end of the bytes is the end of the input.
   */
  #beyondEnd: boolean | null = null;
  /** Whether a test has looked past the end of the bytes. */
  #hasLookedBeyondEnd = false;

  constructor(slots: number, fileName: string, options: ReaderOptions) {
    super(slots, options.baseSteps);
    this.#fileName = fileName;
    this.#isLenient = options.isLenient;
  }

  /** Index of the next byte that the run reads. */
  get at(): number {
    return this.#at;
  }

  /** Index of the byte after the last byte that the run has looked at. */
  get reach(): number {
    return Math.min(this.#end, Math.max(this.#reach, this.#at));
  }

  protected override get progress(): number {
    return this.#at - this.#start;
  }

  /** Makes the reader ready to read the range with these variables. */
  prepare(range: ReadRange, variables: Variables): void {
    this.begin(variables);
    this.#bytes = range.bytes;
    this.#start = this.#at = this.#reach = range.from;
    this.#end = range.end;
    this.#isAtEnd = range.atEnd;
    this.#deviations = [];
    this.#isAfterWhitespace = range.beginsWithText !== true;
    this.#hasReadMissingLineEnd = false;
    this.#hasLookedBeyondEnd = false;
  }

  /** Runs a part of the grammar. Returns what is wrong with the bytes, null if nothing is, or throws NEEDS_BYTES. */
  run(part: Run): Fault | null {
    try {
      part(this);
      return null;
    } catch (error) {
      return this.#faultOf(error);
    }
  }

  /** Runs a part of the grammar on the range with these variables. */
  read(range: ReadRange, variables: Variables, part: Run): Fault | null {
    this.prepare(range, variables);
    return this.run(part);
  }

  /**
   * Like `read`, for a range after which anything may follow. A test may look at the first byte after it, which is not known,
   * so both answers are tried: first that there is none, which is the end of the input.
   */
  readBeforeAnything(range: ReadRange, variables: Variables, part: Run): Fault | null {
    return this.tryBothEnds(() => this.read(range, variables, part));
  }

  /** Makes an attempt to read; and another one if it fails, but might not if something else followed the bytes. */
  tryBothEnds(attempt: () => Fault | null): Fault | null {
    this.#beyondEnd = null;
    const fault = attempt();
    if (fault === null || !this.#hasLookedBeyondEnd) return fault;
    const { reach } = this;
    this.#beyondEnd = true;
    if (attempt() === null) return null;
    this.look(reach);
    return fault;
  }

  /** What is wrong with bytes of which the part must read all; null: nothing. */
  readAll(bytes: Uint8Array, variables: Variables, part: Run): Fault | null {
    const fault = this.read({ bytes, from: 0, end: bytes.length, atEnd: true }, variables, part);
    if (fault !== null || this.#at === bytes.length) return fault;
    return { offset: this.#at, expected: 'no more text', got: 'some' };
  }

  /** Whether the part reads exactly these bytes, and there are some. Anything may follow them. */
  accepts(bytes: Uint8Array, variables: Variables, part: Run): boolean {
    return bytes.length > 0 && this.tryBothEnds(() => this.readAll(bytes, variables, part)) === null;
  }

  #faultOf(error: unknown): Fault {
    if (error instanceof Refusal) {
      const got = error.got ?? describeByte(this.#bytes, error.offset);
      return { offset: error.offset, expected: error.expected, got };
    }
    if (error instanceof RuntimeFailure) {
      const { line, column } = error.at;
      const expected = `${error.expected} (${this.#fileName}:${line}:${column})`;
      return { offset: this.#at, expected, got: error.got };
    }
    if (error instanceof StepLimitError)
      return {
        offset: this.#at,
        expected: 'text that the grammar can check in fewer steps',
        got: 'more steps',
      };
    throw error;
  }

  protected textBetween(from: number, to: number): string {
    return latin1(this.#bytes, from, to);
  }

  /** The bytes that the run has read, in canonical layout. */
  canonicalBytes(): Uint8Array {
    return this.canonicalRange(this.#start, this.#at);
  }

  /** The canonical layout of a part of the bytes that the run has read. */
  canonicalRange(from: number, to: number): Uint8Array {
    if (this.#deviations.length === 0) return this.#bytes.slice(from, to);
    const parts: Uint8Array[] = [];
    let at = from;
    for (const deviation of this.#deviations) {
      if (deviation.from < from || deviation.to > to) continue;
      parts.push(this.#bytes.subarray(at, deviation.from), Buffer.from(deviation.text, 'latin1'));
      at = deviation.to;
    }
    parts.push(this.#bytes.subarray(at, to));
    return new Uint8Array(Buffer.concat(parts));
  }

  override space(_at: Place): void {
    if (this.#isLenient) this.#lenientSpace();
    else this.#readByte(SPACE, 'a space');
  }

  override newline(_at: Place): void {
    if (this.#isLenient) this.#lenientNewline();
    else this.#readByte(LF, 'a line end');
  }

  #readByte(byte: number, name: string): void {
    if (this.#at >= this.#end) this.#needByte(name);
    if (this.#bytes[this.#at] !== byte) throw new Refusal(this.#at, name, null);
    this.#at++;
    this.#isAfterWhitespace = true;
  }

  /** The run wants a byte at the end of the bytes. */
  #needByte(expected: string): never {
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    throw new Refusal(this.#end, expected, null);
  }

  #lenientSpace(): void {
    const from = this.#at;
    if (from === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    if (from < this.#end && isWhitespace(this.#bytes[from])) this.#at++;
    else if (!this.#isAfterWhitespace) throw new Refusal(from, 'a space', null);
    if (this.#at === from || this.#bytes[from] !== SPACE) this.#deviate(from, ' ');
    this.#isAfterWhitespace = true;
  }

  #lenientNewline(): void {
    const from = this.#at;
    const lineEnd = this.#skipToLineEnd(from);
    if (lineEnd === from && !this.#isAfterWhitespace) this.#readMissingLineEnd();
    this.#at = lineEnd;
    if (lineEnd !== from + 1 || this.#bytes[from] !== LF) this.#deviate(from, '\n');
    this.#isAfterWhitespace = true;
  }

  /** Returns the index after the first line end among the whitespace at `from`, or after the whitespace if there is none. */
  #skipToLineEnd(from: number): number {
    let at = from;
    while (at < this.#end && isWhitespace(this.#bytes[at])) if (this.#bytes[at++] === LF) return at;
    if (at === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    return at;
  }

  #readMissingLineEnd(): void {
    if (this.#at < this.#end || this.#hasReadMissingLineEnd) throw new Refusal(this.#at, 'a line end', null);
    this.#hasReadMissingLineEnd = true;
  }

  /** Skips whitespace before a token if whitespace may stand there. */
  #skipWhitespace(): void {
    const from = this.#at;
    let at = from;
    while (at < this.#end && isWhitespace(this.#bytes[at])) at++;
    if (at === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    this.#at = at;
    if (at > from) this.#deviate(from, '');
  }

  /** Records that bytes[from, at) stand in the place of `text`. */
  #deviate(from: number, text: string): void {
    this.#deviations.push({ from, to: this.#at, text });
  }

  /** Records that the run has looked at the bytes before `reach`. */
  look(reach: number): void {
    if (reach > this.#reach) this.#reach = reach;
  }

  override endOfInput(_at: Place): void {
    if (this.#isLenient) this.#skipWhitespace();
    if (this.#at < this.#end) throw new Refusal(this.#at, 'the end of the input', null);
    if (!this.#isAtEnd) throw NEEDS_BYTES;
  }

  override integer(min: Value, max: Value, command: IntCommand): number | bigint {
    if (this.#isLenient && this.#isAfterWhitespace) this.#skipWhitespace();
    const from = this.#at;
    const first = from < this.#end && this.#bytes[from] === MINUS ? from + 1 : from;
    const to = this.#digitsEnd(first);
    if (!this.#isWellFormedInteger(from, first, to)) this.#refuseInteger(min, max, command);
    const value = this.#integerAt(from, first, to);
    if (command === this.unboundedInt) this.unboundedRange = { from, to };
    else if (value < (min as number) || value > (max as number)) this.#refuseInteger(min, max, command);
    this.#at = to;
    this.#isAfterWhitespace = false;
    return value;
  }

  /** Whether the digits from `first` to `to`, with a minus sign before them if `first` is not `from`, are an integer. */
  #isWellFormedInteger(from: number, first: number, to: number): boolean {
    const digits = to - first;
    if (digits === 0 || digits > MAX_NUMBER_DIGITS) return false;
    return this.#bytes[first] !== ZERO || (digits === 1 && first === from);
  }

  #integerAt(from: number, first: number, to: number): number | bigint {
    if (to - first > MAX_SMALL_DIGITS) return parseInteger(latin1(this.#bytes, from, to));
    let value = 0;
    for (let at = first; at < to; at++) value = value * 10 + this.#bytes[at] - ZERO;
    return first === from ? value : -value;
  }

  #refuseInteger(min: Value, max: Value, { variable }: IntCommand): never {
    const range = `from ${showValue(min)} to ${showValue(max)}`;
    throw new Refusal(this.#at, `an integer ${range}${describeVariable(variable)}`, null);
  }

  override float(range: FloatRange, command: FloatCommand): Value {
    if (this.#isLenient && this.#isAfterWhitespace) this.#skipWhitespace();
    const from = this.#at;
    const end = this.#floatEnd(range, command);
    const value = parseFraction(latin1(this.#bytes, from, end));
    if (
      compareNumbers(value, range.min as number) < 0 ||
      compareNumbers(value, range.max as number) > 0 ||
      end - from > MAX_NUMBER_DIGITS
    )
      this.#refuseFloat(range, command);
    this.charge(end - from);
    this.#at = end;
    this.#isAfterWhitespace = false;
    return value;
  }

  /** Returns the index after the number at `#at`, which must be laid out as the command wants it. */
  #floatEnd(range: FloatRange, command: FloatCommand): number {
    const first = this.#at + (this.#byteAt(this.#at) === MINUS ? 1 : 0);
    const whole = this.#digitsEnd(first);
    const hasDot = whole > first && this.#byteAt(whole) === DOT;
    const decimalsEnd = hasDot ? this.#digitsEnd(whole + 1) : whole;
    const hasExponent =
      range.notation !== 'fixed' && (this.#byteAt(decimalsEnd) | SMALL_LETTER_BIT) === SMALL_E;
    const exponent = hasExponent ? this.#exponentStart(decimalsEnd + 1) : decimalsEnd;
    const end = hasExponent ? this.#digitsEnd(exponent) : decimalsEnd;
    const isWellFormed =
      this.#isDigits(first, whole) &&
      (!hasDot || decimalsEnd > whole + 1) &&
      (hasExponent ? this.#isDigits(exponent, end) : range.notation !== 'scientific');
    const decimals = hasDot ? decimalsEnd - whole - 1 : 0;
    if (!isWellFormed || !this.#hasDecimals(range, decimals, hasExponent, first, whole, hasDot))
      this.#refuseFloat(range, command);
    return end;
  }

  /** FLOATP: checks the number of decimals. A number with an exponent has one digit, not 0, before its dot. */
  #hasDecimals(
    { decimals }: FloatRange,
    count: number,
    hasExponent: boolean,
    first: number,
    whole: number,
    hasDot: boolean,
  ): boolean {
    if (decimals === null) return true;
    if (hasExponent && (!hasDot || whole !== first + 1 || this.#bytes[first] === ZERO)) return false;
    return count >= decimals.min && count <= decimals.max;
  }

  #exponentStart(at: number): number {
    const sign = this.#byteAt(at);
    return sign === MINUS || sign === PLUS ? at + 1 : at;
  }

  /** Whether bytes[from, to) are digits without leading zeros; the caller knows that all of them are digits. */
  #isDigits(from: number, to: number): boolean {
    return to === from + 1 || (to > from && this.#bytes[from] !== ZERO);
  }

  /** The byte at the index, or -1 at the end of the input. */
  #byteAt(at: number): number {
    if (at < this.#end) return this.#bytes[at];
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    return -1;
  }

  #digitsEnd(from: number): number {
    let at = from;
    while (at < this.#end && this.#bytes[at] >= ZERO && this.#bytes[at] < ZERO + 10) at++;
    if (at === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    this.look(at + 1);
    return at;
  }

  #refuseFloat({ min, max, notation, decimals }: FloatRange, { variable }: FloatCommand): never {
    const kind = notation === 'any' ? 'a number' : `a number in ${notation} notation`;
    const digits = decimals === null ? '' : ` with ${decimals.min} to ${decimals.max} decimals`;
    const range = `from ${showValue(min)} to ${showValue(max)}`;
    throw new Refusal(this.#at, `${kind} ${range}${digits}${describeVariable(variable)}`, null);
  }

  override text(text: string, _at: Place): void {
    const end = this.#textEnd(text);
    if (end === NO_MATCH) {
      if (!this.#mayRetryAfterWhitespace()) throw new Refusal(this.#at, quoteLatin1(text), null);
      this.#skipWhitespace();
      this.text(text, _at);
    } else this.#moveTo(end);
  }

  #textEnd(text: string): number {
    for (let i = 0; i < text.length; i++) {
      this.look(this.#at + i + 1);
      if (this.#byteAt(this.#at + i) !== text.charCodeAt(i)) return NO_MATCH;
    }
    return this.#at + text.length;
  }

  override regex(regex: Regex, command: RegexCommand): string {
    const from = this.#at;
    const end = regex.match(this.#bytes, from, this.#end, this.charge);
    if (regex.reach > this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    this.look(regex.reach);
    if (end === NO_MATCH) {
      if (!this.#mayRetryAfterWhitespace()) this.#refuseRegex(command);
      this.#skipWhitespace();
      return this.regex(regex, command);
    }
    this.#moveTo(end);
    return latin1(this.#bytes, from, end);
  }

  #refuseRegex({ pattern, variable }: RegexCommand): never {
    const text = pattern.kind === 'string' ? quoteLatin1(pattern.text) : 'the regular expression';
    throw new Refusal(this.#at, `text that matches ${text}${describeVariable(variable)}`, null);
  }

  /** Whether whitespace stands here that a lenient reader may skip. */
  #mayRetryAfterWhitespace(): boolean {
    return (
      this.#isLenient &&
      this.#isAfterWhitespace &&
      this.#at < this.#end &&
      isWhitespace(this.#bytes[this.#at])
    );
  }

  #moveTo(end: number): void {
    if (end > this.#at) this.#isAfterWhitespace = false;
    this.#at = end;
  }

  override matches(letters: string, _at: Place): boolean {
    if (this.#at === this.#end) return this.#matchesAtEnd(letters);
    this.look(this.#at + 1);
    const byte = this.#bytes[this.#at];
    if (letters.includes(String.fromCharCode(byte))) return true;
    return this.#isLenient && isWhitespace(byte) && this.#matchesWhitespace(letters);
  }

  #matchesAtEnd(letters: string): boolean {
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    this.#hasLookedBeyondEnd = true;
    if (this.#beyondEnd !== null) return this.#beyondEnd;
    const mayLackLineEnd = this.#isLenient && !this.#isAfterWhitespace && !this.#hasReadMissingLineEnd;
    return mayLackLineEnd && letters.includes('\n');
  }

  /** Compares whitespace that is not in canonical layout: with a line end if they contain one, else with what follows. */
  #matchesWhitespace(letters: string): boolean {
    const lineEnd = this.#skipToLineEnd(this.#at);
    this.look(lineEnd + 1);
    if (this.#bytes[lineEnd - 1] === LF || lineEnd === this.#end) return letters.includes('\n');
    if (!this.#isAfterWhitespace) return letters.includes(' ');
    return letters.includes(String.fromCharCode(this.#bytes[lineEnd]));
  }

  override isAtEnd(_at: Place): boolean {
    let at = this.#at;
    while (this.#isLenient && at < this.#end && isWhitespace(this.#bytes[at])) at++;
    this.look(at + 1);
    if (at < this.#end) return false;
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    this.#hasLookedBeyondEnd = true;
    return this.#beyondEnd === null || !this.#beyondEnd;
  }

  override refuse(expected: string, got: string, _command: AssertCommand | null, _at: Place): never {
    throw new Refusal(this.#at, expected, got);
  }
}

function describeVariable(variable: VariableExpression | null): string {
  return variable === null ? '' : ` (${variable.name})`;
}

/** What stands at the offset, for a message. */
function describeByte(bytes: Uint8Array, offset: number): string {
  if (offset >= bytes.length) return 'the end of the input';
  if (bytes[offset] === SPACE) return 'a space';
  if (bytes[offset] === LF) return 'a line end';
  return isWhitespace(bytes[offset]) ? 'a whitespace character' : quoteToken(bytes, offset, bytes.length);
}
