/**
 * A machine that compares a grammar with bytes.
 *
 * A strict reader takes every byte as it is. A lenient reader accepts any whitespace where the grammar has SPACE or NEWLINE. It
 * records the differences, so that the case can be written in canonical layout. Before a REGEX or STRING, it skips whitespace
 * only if the text with this whitespace does not match. For a MATCH or ISEOF, unusual whitespace may count as a line end or as
 * the end of the input. So `exactlyFirst` takes that reading only if there is no strict one.
 */
import { decodeLatin1, isWhitespace, LF, quoteLatin1, quoteToken, SPACE } from '../../../core/bytes.js';
import type { Fault } from '../../../core/errors.js';
import type { CompiledGrammarCommands } from '../language/compile.js';
import { NO_MATCH, type Regex } from '../language/regex.js';
import type {
  AssertCommand,
  FloatCommand,
  GrammarPlace,
  IntCommand,
  RegexCommand,
  VariableExpression,
} from '../language/syntax.js';
import {
  compareNumbers,
  type GrammarValue,
  MAX_NUMBER_DIGITS,
  parseFraction,
  parseInteger,
  RuntimeFailure,
  showGrammarValue,
} from '../language/values.js';
import type { GrammarVariables } from '../language/variables.js';
import { type FloatRange, GrammarMachine, StepLimitError } from './machine.js';

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
/** Setting this bit makes a letter lower case. */
const SMALL_E = 0x65;
const SMALL_LETTER_BIT = 0x20;
/** Integers of at most this many digits are exact as JavaScript numbers. */
const MAX_SMALL_DIGITS = 15;

/** Thrown when a reader needs bytes that have not arrived yet. */
export const NEEDS_BYTES = Symbol('the reader needs more bytes');

/** Returns the result of `decide`, or `undecided` if `decide` needs bytes that have not arrived yet. */
export function unlessBytesAreMissing<T, U>(decide: () => T, undecided: U): T | U {
  try {
    return decide();
  } catch (error) {
    if (error === NEEDS_BYTES) return undecided;
    throw error;
  }
}

/** Thrown when the bytes break a rule of the grammar. */
class Refusal {
  constructor(
    readonly offset: number,
    readonly expected: string,
    /** The text that a message shows as found; null if the message quotes the bytes at the offset. */
    readonly got: string | null,
  ) {}
}

/** A place where the bytes are not in canonical layout, and the canonical text for this place. */
interface Deviation {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface ReaderOptions {
  readonly isLenient: boolean;
  /** Whether a NEWLINE of a lenient reader ends at a line end or at the end of the bytes. Otherwise any whitespace will do. */
  readonly keepsLines?: boolean;
  /** The number of steps that a run may take in addition to the steps for each byte. */
  readonly baseSteps?: number;
}

/** The end of the input, as messages name it. */
export const END_OF_INPUT_NAME = 'the end of the input';

export interface ReadRange {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly end: number;
  /** Whether no byte follows bytes[end - 1]. */
  readonly atEnd: boolean;
  /** Whether whitespace at the start of the range may belong to a text. If so, a lenient reader does not skip it. */
  readonly beginsWithText?: boolean;
}

export class GrammarInputReader extends GrammarMachine {
  #isLenient: boolean;
  readonly #keepsLines: boolean;
  readonly #fileName: string;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #at = 0;
  #end = 0;
  #isAtEnd = true;
  /** Index of the byte after the last byte that the run has looked at without reading it. */
  #reach = 0;
  #deviations: Deviation[] = [];
  /** Whether the byte before `#at` is whitespace, or does not exist. If so, more whitespace may follow. */
  #isAfterWhitespace = true;
  /** Whether a NEWLINE has matched the end of an input that lacks its last line end. */
  #hasReadMissingLineEnd = false;
  /** Whether a test has taken unusual whitespace for a line end, a space or the end of the input. */
  #hasLenientTest = false;
  /** Whether a test has looked at what follows. */
  hasLookedAhead = false;
  /** Whether a REGEX was read, even if it matched an empty text. */
  hasReadRegex = false;
  /** The INT that reads the number of cases, whose bounds are ignored. */
  unboundedInt: IntCommand | null = null;
  /** The bytes of the last value that `unboundedInt` read. */
  unboundedRange: { from: number; to: number } = { from: 0, to: 0 };
  /**
   * Whether a test that looks past the end of the bytes is true. Null if the end of the bytes is the end of the input.
   * Otherwise the bytes end between two cases, and bytes that are not known follow.
   */
  #beyondEnd: boolean | null = null;
  /** Whether a test has looked at what follows the bytes. */
  #hasLookedBeyondEnd = false;

  constructor(slots: number, fileName: string, options: ReaderOptions) {
    super(slots, options.baseSteps);
    this.#fileName = fileName;
    this.#isLenient = options.isLenient;
    this.#keepsLines = options.keepsLines === true;
  }

  /** Index of the first byte of the run. */
  get start(): number {
    return this.#start;
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

  /** Prepares the reader to read the range. The run begins with these variables. */
  prepare(range: ReadRange, variables: GrammarVariables): void {
    this.begin(variables);
    this.#bytes = range.bytes;
    this.#start = this.#at = this.#reach = range.from;
    this.#end = range.end;
    this.#isAtEnd = range.atEnd;
    if (this.#deviations.length > 0) this.#deviations = [];
    this.#isAfterWhitespace = range.beginsWithText !== true;
    this.#hasReadMissingLineEnd = false;
    this.hasReadRegex = false;
    this.hasLookedAhead = false;
    this.#hasLookedBeyondEnd = false;
  }

  /** Runs a part of the grammar. Returns the first fault of the bytes, or null; throws NEEDS_BYTES if more bytes are needed. */
  run(part: CompiledGrammarCommands): Fault | null {
    try {
      part(this);
      return null;
    } catch (error) {
      return this.#faultOf(error);
    }
  }

  /** Runs a part of the grammar on the range. The run begins with these variables. */
  read(range: ReadRange, variables: GrammarVariables, part: CompiledGrammarCommands): Fault | null {
    this.prepare(range, variables);
    return this.run(part);
  }

  /**
   * Reads like `read`, if it is not known what follows the range. A test may look at the first byte after the range. So two
   * attempts are made: the first assumes that the input ends there.
   */
  readBeforeAnything(
    range: ReadRange,
    variables: GrammarVariables,
    part: CompiledGrammarCommands,
  ): Fault | null {
    return this.tryBothEnds(() => this.read(range, variables, part));
  }

  /**
   * Reads with `attempt`: leniently if the reader is lenient and no strict reading is possible. Both readings are the same
   * unless a test has taken unusual whitespace for something else, so that most texts are read only once.
   */
  exactlyFirst(attempt: () => Fault | null): Fault | null {
    this.#hasLenientTest = false;
    const fault = attempt();
    if (!this.#hasLenientTest) return fault;
    return this.strictly(attempt) === null ? null : attempt();
  }

  /** Acts while the reader is strict. */
  strictly<T>(act: () => T): T {
    const wasLenient = this.#isLenient;
    this.#isLenient = false;
    try {
      return act();
    } finally {
      this.#isLenient = wasLenient;
    }
  }

  /** Attempts to read. If that fails only because of the assumed end of the input, makes another attempt without that end. */
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

  /** Returns the first fault if the part of the grammar does not read all of the bytes; null if it does. */
  readAll(bytes: Uint8Array, variables: GrammarVariables, part: CompiledGrammarCommands): Fault | null {
    const fault = this.read({ bytes, from: 0, end: bytes.length, atEnd: true }, variables, part);
    if (fault !== null || this.#at === bytes.length) return fault;
    return { offset: this.#at, expected: 'no more text', got: 'some' };
  }

  /** Whether the part of the grammar reads exactly these bytes, which are not empty. Any bytes may follow them. */
  accepts(bytes: Uint8Array, variables: GrammarVariables, part: CompiledGrammarCommands): boolean {
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
    return decodeLatin1(this.#bytes, from, to);
  }

  /** Whether the bytes that the run has read are in canonical layout. */
  get isCanonical(): boolean {
    return this.#deviations.length === 0 && !this.#hasReadMissingLineEnd;
  }

  /** Returns the bytes that the run has read, in canonical layout. */
  canonicalBytes(): Uint8Array {
    return this.canonicalRange(this.#start, this.#at);
  }

  /** Returns a part of the bytes that the run has read, in canonical layout. */
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

  override space(_at: GrammarPlace): void {
    if (this.#isLenient) this.#lenientSpace();
    else this.#readByte(SPACE, 'a space');
  }

  override newline(_at: GrammarPlace): void {
    if (this.#isLenient) this.#lenientNewline();
    else this.#readByte(LF, 'a line end');
  }

  #readByte(byte: number, name: string): void {
    if (this.#at >= this.#end) this.#needByte(name);
    if (this.#bytes[this.#at] !== byte) throw new Refusal(this.#at, name, null);
    this.#at++;
    this.#isAfterWhitespace = true;
  }

  /** Fails because the run needs a byte at the end of the bytes: for lack of bytes so far, or with a fault. */
  #needByte(expected: string): never {
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    throw new Refusal(this.#end, expected, null);
  }

  #lenientSpace(): void {
    const from = this.#at;
    if (from < this.#end && this.#bytes[from] === SPACE) {
      this.#at++;
      this.#isAfterWhitespace = true;
    } else this.#unusualSpace(from);
  }

  #unusualSpace(from: number): void {
    if (from === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    if (from < this.#end && isWhitespace(this.#bytes[from])) this.#at++;
    else if (!this.#isAfterWhitespace) throw new Refusal(from, 'a space', null);
    this.#deviate(from, ' ');
    this.#isAfterWhitespace = true;
  }

  #lenientNewline(): void {
    const from = this.#at;
    if (from < this.#end && this.#bytes[from] === LF) {
      this.#at++;
      this.#isAfterWhitespace = true;
    } else this.#unusualNewline(from);
  }

  #unusualNewline(from: number): void {
    const lineEnd = this.#skipToLineEnd(from);
    const isLineOver = lineEnd === this.#end || (lineEnd > from && this.#bytes[lineEnd - 1] === LF);
    if (this.#keepsLines && !isLineOver) throw new Refusal(from, 'a line end', null);
    const isMissing = lineEnd === from && !this.#isAfterWhitespace;
    if (isMissing) this.#readMissingLineEnd();
    this.#at = lineEnd;
    // A REGEX that has matched the last line end, as `.*` does, needs no other one after it.
    const isInText = this.#keepsLines && isMissing && this.#bytes[from - 1] === LF;
    if (!isInText) this.#deviate(from, '\n');
    this.#isAfterWhitespace = true;
  }

  /** Returns the index after the first line end in the whitespace at `from`, or after that whitespace if it has no line end. */
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

  /** Skips whitespace before a token, where whitespace is allowed. */
  #skipWhitespace(): void {
    const from = this.#at;
    let at = from;
    while (at < this.#end && isWhitespace(this.#bytes[at])) at++;
    if (at === this.#end && !this.#isAtEnd) throw NEEDS_BYTES;
    this.#at = at;
    if (at > from) this.#deviate(from, '');
  }

  /** Records that bytes[from, at) stand where the canonical layout has `text`. */
  #deviate(from: number, text: string): void {
    this.#deviations.push({ from, to: this.#at, text });
  }

  /** Records that the run has looked at all bytes before `reach`. */
  look(reach: number): void {
    if (reach > this.#reach) this.#reach = reach;
  }

  override endOfInput(_at: GrammarPlace): void {
    if (this.#isLenient) this.#skipWhitespace();
    if (this.#at < this.#end) throw new Refusal(this.#at, END_OF_INPUT_NAME, null);
    if (!this.#isAtEnd) throw NEEDS_BYTES;
  }

  override integer(min: GrammarValue, max: GrammarValue, command: IntCommand): number | bigint {
    if (this.#isLenient && this.#isAfterWhitespace) this.#skipWhitespace();
    const bytes = this.#bytes;
    const end = this.#end;
    const from = this.#at;
    const first = from < end && bytes[from] === MINUS ? from + 1 : from;
    let to = first;
    let size = 0;
    for (; to < end; to++) {
      const digit = bytes[to] - ZERO;
      if (digit < 0 || digit > 9) break;
      size = size * 10 + digit;
    }
    if (to === end && !this.#isAtEnd) throw NEEDS_BYTES;
    this.look(to + 1);
    if (!this.#isWellFormedInteger(from, first, to)) this.#refuseInteger(min, max, command);
    const isSmall = to - first <= MAX_SMALL_DIGITS;
    const value = isSmall ? (first === from ? size : -size) : parseInteger(decodeLatin1(bytes, from, to));
    if (command === this.unboundedInt) this.unboundedRange = { from, to };
    else if (value < (min as number) || value > (max as number)) this.#refuseInteger(min, max, command);
    this.#at = to;
    this.#isAfterWhitespace = false;
    return value;
  }

  /** Whether bytes[from, to) are a well-formed integer. Its digits begin at `first`, after an optional minus sign. */
  #isWellFormedInteger(from: number, first: number, to: number): boolean {
    const digits = to - first;
    assertShort(from, digits);
    if (digits === 0) return false;
    return this.#bytes[first] !== ZERO || (digits === 1 && first === from);
  }

  #refuseInteger(min: GrammarValue, max: GrammarValue, { variable }: IntCommand): never {
    const range = `from ${showGrammarValue(min)} to ${showGrammarValue(max)}`;
    throw new Refusal(this.#at, `an integer ${range}${describeVariable(variable)}`, null);
  }

  override float(range: FloatRange, command: FloatCommand): GrammarValue {
    if (this.#isLenient && this.#isAfterWhitespace) this.#skipWhitespace();
    const from = this.#at;
    const end = this.#floatEnd(range, command);
    assertShort(from, end - from);
    const value = parseFraction(decodeLatin1(this.#bytes, from, end));
    if (compareNumbers(value, range.min as number) < 0 || compareNumbers(value, range.max as number) > 0)
      this.#refuseFloat(range, command);
    if (!this.#isLenient && this.#bytes[from] === MINUS && compareNumbers(value, 0) === 0)
      throw new Refusal(from, 'zero without a minus sign', null);
    this.charge(end - from);
    this.#at = end;
    this.#isAfterWhitespace = false;
    return value;
  }

  /** Returns the index after the number at `#at`. Fails if the number is not in the notation that the command requires. */
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
    if (!isWellFormed || !this.#hasDecimals(range, decimals, hasExponent, first, whole))
      this.#refuseFloat(range, command);
    return end;
  }

  /** Checks the number of decimals for FLOATP. A number with an exponent has one digit other than 0 before its decimals. */
  #hasDecimals(
    { decimals }: FloatRange,
    count: number,
    hasExponent: boolean,
    first: number,
    whole: number,
  ): boolean {
    if (decimals === null) return true;
    if (hasExponent && (whole !== first + 1 || this.#bytes[first] === ZERO)) return false;
    return count >= decimals.min && count <= decimals.max;
  }

  #exponentStart(at: number): number {
    const sign = this.#byteAt(at);
    return sign === MINUS || sign === PLUS ? at + 1 : at;
  }

  /** Whether the digits in bytes[from, to) have no leading zero and are not empty. */
  #isDigits(from: number, to: number): boolean {
    return to === from + 1 || (to > from && this.#bytes[from] !== ZERO);
  }

  /** Returns the byte at the index; -1 at the end of the input. */
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
    const range = `from ${showGrammarValue(min)} to ${showGrammarValue(max)}`;
    throw new Refusal(this.#at, `${kind} ${range}${digits}${describeVariable(variable)}`, null);
  }

  override text(text: string, _at: GrammarPlace): void {
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
    this.hasReadRegex = true;
    return decodeLatin1(this.#bytes, from, end);
  }

  #refuseRegex({ pattern, variable }: RegexCommand): never {
    const text = pattern.kind === 'string' ? quoteLatin1(pattern.text) : 'the regular expression';
    throw new Refusal(this.#at, `text that matches ${text}${describeVariable(variable)}`, null);
  }

  /** Whether a lenient reader may skip whitespace at this place and try again. */
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

  override matches(letters: string, _at: GrammarPlace): boolean {
    this.hasLookedAhead = true;
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
    if (mayLackLineEnd) this.#hasLenientTest = true;
    return mayLackLineEnd && letters.includes('\n');
  }

  /** Whether unusual whitespace matches the letters: as a line end if it contains one, else as a space or what follows it. */
  #matchesWhitespace(letters: string): boolean {
    this.#hasLenientTest = true;
    const lineEnd = this.#skipToLineEnd(this.#at);
    this.look(lineEnd + 1);
    if (this.#bytes[lineEnd - 1] === LF || lineEnd === this.#end) return letters.includes('\n');
    if (!this.#isAfterWhitespace) return letters.includes(' ');
    return letters.includes(String.fromCharCode(this.#bytes[lineEnd]));
  }

  override isAtEnd(_at: GrammarPlace): boolean {
    this.hasLookedAhead = true;
    let at = this.#at;
    while (this.#isLenient && at < this.#end && isWhitespace(this.#bytes[at])) at++;
    this.look(at + 1);
    if (at < this.#end) return false;
    if (at > this.#at) this.#hasLenientTest = true;
    if (!this.#isAtEnd) throw NEEDS_BYTES;
    this.#hasLookedBeyondEnd = true;
    return this.#beyondEnd === null || !this.#beyondEnd;
  }

  override refuse(expected: string, got: string, _command: AssertCommand | null, _at: GrammarPlace): never {
    throw new Refusal(this.#at, expected, got);
  }
}

function assertShort(offset: number, digits: number): void {
  if (digits > MAX_NUMBER_DIGITS)
    throw new Refusal(offset, `a number of at most ${MAX_NUMBER_DIGITS} digits`, `${digits}`);
}

function describeVariable(variable: VariableExpression | null): string {
  return variable === null ? '' : ` (${variable.name})`;
}

/** Describes the byte at the offset for a message. */
function describeByte(bytes: Uint8Array, offset: number): string {
  if (offset >= bytes.length) return END_OF_INPUT_NAME;
  if (bytes[offset] === SPACE) return 'a space';
  if (bytes[offset] === LF) return 'a line end';
  return isWhitespace(bytes[offset]) ? 'a whitespace character' : quoteToken(bytes, offset, bytes.length);
}
