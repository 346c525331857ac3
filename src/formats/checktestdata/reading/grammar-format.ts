/**
 * The input format that a grammar describes. The scanner and the parser both run the grammar's body on the bytes of a
 * case; the scanner runs on bytes that may end anywhere, the parser on the bytes of one case.
 */
import {
  BYTE_ORDER_MARK,
  type ByteWriter,
  decodeLatin1,
  escapeBytes,
  isWhitespace,
  LF,
  SPACE,
  skipByteOrderMark,
  skipWhitespace,
} from '../../../core/bytes.js';
import type { Fault } from '../../../core/errors.js';
import {
  type CaseExtent,
  type CaseParser,
  type CaseRun,
  type CaseScanner,
  type CaseSearch,
  type HeadExtent,
  type InputFormat,
  markInvalidCase,
  NO_TAIL,
} from '../../input-format.js';
import {
  assertIndependentCases,
  type CompiledGrammar,
  compileGrammar,
  divideGrammar,
  type GrammarOptions,
} from '../cases/cases.js';
import { GrammarInputGenerator } from '../cases/draw.js';
import { MAX_CASE_BYTES } from '../cases/writing-machine.js';
import { describeGrammar } from '../language/describe-grammar.js';
import { beginsExactly, readsInput, readsToEnd, usesBeyondIndexing } from '../language/names.js';
import type { Grammar } from '../language/syntax.js';
import { GrammarVariables, type VariableValues } from '../language/variables.js';
import { GrammarJointCasesCheck } from './joint-cases.js';
import {
  END_OF_INPUT_NAME,
  GrammarInputReader,
  NEEDS_BYTES,
  type ReadRange,
  unlessBytesAreMissing,
} from './reader.js';

/** Every valid case of a grammar has fewer bytes than this. */
const MAX_GRAMMAR_CASE_BYTES = MAX_CASE_BYTES;

export interface CaseOfGrammar {
  /** The bytes of the case in canonical layout, without the separator after the case. */
  readonly bytes: Uint8Array;
  /** The integers in the variables without indices, as they are after the case. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** All values of the variables that the format was asked to keep, by their names. Missing if it was asked for none. */
  readonly kept?: ReadonlyMap<string, VariableValues>;
}

/** The result of `#findNext` if a run ends. */
const NO_NEXT = -1;

/** How many bytes a message quotes at most. The scanner waits for them, so that messages do not depend on how bytes arrive. */
const QUOTED_BYTES = 32;

export class GrammarInputFormat implements InputFormat<CaseOfGrammar> {
  readonly maxCaseBytes = MAX_GRAMMAR_CASE_BYTES;
  readonly ending: 'counted' | 'until-terminator' | 'until-end' | 'single';
  readonly division: CompiledGrammar;
  readonly joint: GrammarJointCasesCheck;
  #terminator: string | null = null;

  constructor(
    readonly grammar: Grammar,
    options: GrammarOptions = {},
    /** The variables of which cases keep all values, because the grammar of the answers uses them. */
    readonly keptNames: readonly string[] = [],
  ) {
    this.division = compileGrammar(divideGrammar(grammar, options));
    this.ending = this.division.ending;
    this.joint = new GrammarJointCasesCheck(this.division);
  }

  get terminator(): string | null {
    if (this.ending !== 'until-terminator') return null;
    this.#terminator ??= quote(this.#drawTail(null));
    return this.#terminator;
  }

  get indivisibleReason(): string | null {
    const { loop, grammar } = this.division;
    const bond = this.#bondOfCases();
    if (loop === null || bond === null) return null;
    const place = `${grammar.fileName}:${loop.at.line}:${loop.at.column}`;
    return `${place}: ${bond}, so no case can be an input of its own; without \`--multitest\`, the whole input is one case`;
  }

  describe(): string {
    return describeGrammar(this.division);
  }

  /** Returns why cases cannot move to another input: their number cannot be written, or a case uses its index. Else null. */
  #bondOfCases(): string | null {
    const { ending, caseCount, loop, body } = this.division;
    if (ending === 'counted' && caseCount === null)
      return 'the number of cases is not a number that the head reads';
    const index = loop?.index?.name;
    return index !== undefined && usesBeyondIndexing(body, index)
      ? `a case depends on its index ${index}`
      : null;
  }

  /** Throws a `GrammarError` if the grammar can be used only by `WholeFileChecker`. */
  assertUsable(): void {
    assertIndependentCases(this.division);
  }

  createScanner(): CaseScanner {
    const head = new HeadReader(this.division);
    head.read(null);
    return new GrammarScanner(this.division, head, createReader(this.division));
  }

  createParser(): CaseParser<CaseOfGrammar> {
    return new GrammarCaseParser(this.division, this.keptNames);
  }

  printHead(head: Uint8Array | null, count: number, out: ByteWriter): void {
    if (head !== null) out.append(new HeadReader(this.division).rewrite(head, count));
    else out.append(new GrammarInputGenerator(this.division).smallestHead(count));
  }

  printCase({ bytes }: CaseOfGrammar, out: ByteWriter): void {
    out.append(bytes);
  }

  printSeparator(out: ByteWriter): void {
    const separator = separatorOf(this.division);
    if (separator !== null) out.byte(separator);
  }

  printTail(head: Uint8Array | null, out: ByteWriter): void {
    out.append(this.#drawTail(head));
  }

  #drawTail(head: Uint8Array | null): Uint8Array {
    const { division } = this;
    const reader = new HeadReader(division);
    reader.read(head);
    return new GrammarInputGenerator(division).smallestTail(reader.variables);
  }
}

/** Returns the byte between two cases; null if there is none. */
function separatorOf({ loop }: CompiledGrammar): number | null {
  const { separator = null } = loop ?? {};
  if (separator === null) return null;
  return separator.kind === 'newline' ? LF : SPACE;
}

function quote(text: Uint8Array): string {
  return `"${escapeBytes(decodeLatin1(text, 0, text.length).trim().replace(/\s+/g, ' '))}"`;
}

/** Reads the head of an input, and keeps the variables that the head sets. */
class HeadReader {
  readonly #division: CompiledGrammar;
  readonly #reader: GrammarInputReader;
  readonly variables: GrammarVariables;
  /** The number of cases that the head announces; null if the head does not announce it. */
  cases: number | null = null;

  constructor(division: CompiledGrammar) {
    this.#division = division;
    this.#reader = createReader(division);
    this.#reader.unboundedInt = division.caseCount;
    this.variables = new GrammarVariables(division.compiler.slotCount);
  }

  /** Sets the variable that holds the index of a case. */
  useIndex(index: number): void {
    const { indexSlot } = this.#division;
    if (indexSlot >= 0) this.variables.scalars[indexSlot] = index;
  }

  /** Reads the head at the start of the range. Returns its fault, or null; throws NEEDS_BYTES if more bytes are needed. */
  scan(range: ReadRange): Fault | null {
    const { compiler, runHead, countCases } = this.#division;
    const variables = new GrammarVariables(compiler.slotCount);
    const fault = this.#reader.exactlyFirst(() => this.#reader.read(range, variables, runHead));
    if (fault !== null) {
      requireQuotable(fault.offset, range);
      return fault;
    }
    this.variables.restore(this.#reader.variables);
    return this.#reader.run((reader) => {
      this.cases = countCases === null ? null : countCases(reader);
    });
  }

  /** Reads a head that was scanned before. If the head does not match the grammar, the variables have no values. */
  read(head: Uint8Array | null): void {
    const bytes = head ?? new Uint8Array(0);
    this.scan({ bytes, from: 0, end: bytes.length, atEnd: true });
  }

  /** The index of the byte after the head. */
  get end(): number {
    return this.#reader.at;
  }

  /** Returns the bytes of the head in canonical layout. */
  canonicalBytes(): Uint8Array {
    return this.#reader.canonicalBytes();
  }

  /** Returns the head in canonical layout with `count` as the number of cases. */
  rewrite(head: Uint8Array, count: number): Uint8Array {
    this.read(head);
    if (this.#division.caseCount === null) return this.canonicalBytes();
    const { from, to } = this.#reader.unboundedRange;
    const before = this.#reader.canonicalRange(0, from);
    const after = this.#reader.canonicalRange(to, this.#reader.at);
    return new Uint8Array(Buffer.concat([before, Buffer.from(String(count)), after]));
  }
}

/** Throws NEEDS_BYTES unless all bytes have arrived that a message about a fault at `offset` may quote. */
function requireQuotable(offset: number, { end, atEnd }: ReadRange): void {
  if (!atEnd && offset + QUOTED_BYTES > end) throw NEEDS_BYTES;
}

function createReader({ compiler, grammar }: CompiledGrammar, baseSteps?: number): GrammarInputReader {
  const options = { isLenient: true, ...(baseSteps === undefined ? {} : { baseSteps }) };
  return new GrammarInputReader(compiler.slotCount, grammar.fileName, options);
}

/** The largest number of bytes that a search reads to decide whether a case begins at a line. */
const CANDIDATE_BYTES = 1 << 10;
/**
 * The number of steps that a search may take to decide whether a case begins at a line, in addition to the steps for each byte.
 * A search tries every line, so this is much less than a case may take.
 */
const CANDIDATE_STEPS = 1 << 18;

const TOO_LONG: Fault = { offset: 0, expected: 'a case of less than 64 MiB', got: 'a longer one' };

/** Finds where cases end. The private methods throw NEEDS_BYTES if they need bytes that have not arrived yet. */
class GrammarScanner implements CaseScanner {
  readonly #division: CompiledGrammar;
  readonly #head: HeadReader;
  readonly #reader: GrammarInputReader;
  /** Whether whitespace at the start of a line may belong to a case. */
  readonly #beginsExactly: boolean;
  /** The start of the iteration that `findTail` has just read. `findCase` need not read it again. -1 if there is none. */
  #lastStart = -1;
  /** The index of the current case in the input. */
  #index = 0;
  /** The scanner that tries whether a case begins at a line; null before the first search. */
  #candidates: GrammarScanner | null = null;
  readonly #separator: number | null;
  isRunCanonical = false;
  tailFault: Fault | null = null;

  constructor(division: CompiledGrammar, head: HeadReader, reader: GrammarInputReader) {
    this.#division = division;
    this.#head = head;
    this.#reader = reader;
    this.#beginsExactly = division.mayBeginBlank || beginsExactly(division.body);
    this.#separator = separatorOf(division);
  }

  readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault | null {
    return unlessBytesAreMissing(() => this.#readHead(bytes, end, atEnd), null);
  }

  #readHead(bytes: Uint8Array, end: number, atEnd: boolean): HeadExtent | Fault {
    if (!atEnd && end < BYTE_ORDER_MARK.length) throw NEEDS_BYTES;
    const from = skipByteOrderMark(bytes, end);
    const isEmpty = (this.#division.mayBeWhitespace ? from : skipWhitespace(bytes, from, end)) === end;
    if (isEmpty && !atEnd) throw NEEDS_BYTES;
    const fault = this.#head.scan(withoutBytesBehind({ bytes, from, end, atEnd }));
    if (fault !== null) return fault;
    const length = this.skipToCase(bytes, this.#head.end, end);
    if (length === end && !atEnd) throw NEEDS_BYTES;
    const { ending } = this.#division;
    const hasHead = readsInput(this.#division.head);
    if (length === end && isEmpty && !hasHead && (ending === 'until-end' || ending === 'single'))
      return { offset: end, expected: 'a test case', got: END_OF_INPUT_NAME };
    const cases = ending === 'single' ? 1 : this.#head.cases;
    return { length, cases, head: hasHead ? this.#head.canonicalBytes() : null };
  }

  useHead(head: Uint8Array | null): void {
    this.#head.read(head);
  }

  useIndex(index: number): void {
    this.#head.useIndex(index);
    this.#index = index;
  }

  /**
   * Skips the whitespace before a case. If a case may begin with whitespace, only whole blank lines are skipped. If a case may
   * begin with a blank line, nothing is skipped, because the line may belong to the case.
   */
  skipToCase(bytes: Uint8Array, at: number, end: number): number {
    if (this.#division.mayBeginBlank) return at;
    const after = skipWhitespace(bytes, at, end);
    if (!this.#beginsExactly || after === end) return after;
    let lineStart = after;
    while (lineStart > at && bytes[lineStart - 1] !== LF) lineStart--;
    return lineStart;
  }

  /** Skips what stands between two cases: the separator, and then what may stand before a case. */
  #skipSeparator(bytes: Uint8Array, at: number, end: number): number {
    return this.skipToCase(bytes, this.#beginsExactly ? this.#separatorEnd(bytes, at, end) : at, end);
  }

  #separatorEnd(bytes: Uint8Array, at: number, end: number): number {
    if (this.#separator === LF) return afterBlankLine(bytes, at, end) ?? at;
    return this.#separator !== null && at < end && isWhitespace(bytes[at]) ? at + 1 : at;
  }

  findTail(bytes: Uint8Array, at: number, end: number, atEnd: boolean, isLast: boolean): number | null {
    this.tailFault = null;
    return unlessBytesAreMissing(() => this.#tailAt({ bytes, from: at, end, atEnd }, isLast), null);
  }

  /** Returns the end of the tail if the tail begins at the start of the range, else NO_TAIL. */
  #tailAt(range: ReadRange, isLast: boolean): number {
    const { ending, mayBeginBlank, loop } = this.#division;
    this.#lastStart = -1;
    if (ending === 'single') return isLast ? range.from : NO_TAIL;
    if (ending === 'counted') return isLast ? this.#tailEnd(range) : NO_TAIL;
    if (mayBeginBlank && readsToEnd(loop!.condition)) return this.#tailAfterBlankLines(range);
    this.#reader.prepare(range, this.#head.variables);
    if (this.#continues()) return ending === 'until-end' ? NO_TAIL : this.#terminatorEnd(range);
    this.#reader.prepare(range, this.#head.variables);
    // Whitespace that the condition takes for a line end may be the start of a case.
    const mayContinue = mayBeginBlank && this.#reader.strictly(() => this.#continues());
    return mayContinue && this.#beginsCase(range) ? NO_TAIL : this.#tailEnd(range);
  }

  /** Whether a case can be read from the start of the range. `findCase` need not read it again. */
  #beginsCase(range: ReadRange): boolean {
    if (this.#runBody(range) !== null || this.#reader.at === range.from) return false;
    this.#lastStart = range.from;
    return true;
  }

  /**
   * Returns the end of the tail if no case is left, else NO_TAIL. This is for inputs whose cases go on until the end and may
   * begin with blank lines. A lenient reader would take remaining whitespace for the end of the input. Here it is the end only
   * if no case can be read from it.
   */
  #tailAfterBlankLines(range: ReadRange): number {
    const { bytes, from, end, atEnd } = range;
    const isTooLong = end - from >= MAX_GRAMMAR_CASE_BYTES;
    if (this.#beginsCase(range) || isTooLong || skipWhitespace(bytes, from, end) < end) return NO_TAIL;
    if (!atEnd) throw NEEDS_BYTES;
    return this.#tailEnd(range);
  }

  /** Whether the condition of the loop of the cases is true at the place of the reader. */
  #continues(): boolean {
    let continues = true;
    this.#reader.run((reader) => {
      continues = this.#division.continues!(reader);
    });
    return continues;
  }

  /** Returns the end of the tail if the iteration at the start of the range is the terminator, which ends the loop. */
  #terminatorEnd(range: ReadRange): number {
    if (this.#runBody(range) !== null) return NO_TAIL;
    const { indexSlot } = this.#division;
    if (indexSlot >= 0) this.#reader.variables.scalars[indexSlot] = this.#index + 1;
    if (!this.#continues()) return this.#tailEnd({ ...range, from: this.#reader.at });
    this.#lastStart = range.from;
    return NO_TAIL;
  }

  #tailEnd(range: ReadRange): number {
    const { tail, runTail } = this.#division;
    if (!readsInput(tail)) return range.from;
    const own = withoutBytesBehind(range);
    const fault = orTooLong(range, () => this.#reader.read(own, this.#head.variables, runTail));
    if (fault === null) return this.#reader.at;
    if (fault === TOO_LONG) return NO_TAIL;
    requireQuotable(fault.offset, range);
    // The engine reports text after the tail by itself.
    if (fault.expected !== END_OF_INPUT_NAME) this.tailFault = fault;
    return fault.offset;
  }

  #runBody(range: ReadRange): Fault | null {
    return orTooLong(range, () => readCase(this.#division, this.#reader, range, this.#head.variables));
  }

  findRun(bytes: Uint8Array, at: number, end: number, run: CaseRun): number {
    const { starts, first, base, maxCases, stop } = run;
    this.isRunCanonical = true;
    if (this.#division.ending === 'single') return 0;
    const range = { bytes, from: at, end, atEnd: false, beginsWithText: this.#division.mayBeginBlank };
    let cases = 0;
    const findAll = () => {
      while (range.from < stop && cases < maxCases) {
        const next = this.#findNext(range);
        if (next === NO_NEXT) return;
        starts[first + cases++] = range.from - base;
        starts[first + cases] = next - base;
        range.from = next;
        this.useIndex(this.#index + 1);
      }
    };
    unlessBytesAreMissing(findAll, undefined);
    return cases;
  }

  /**
   * Returns the start of the case after the one at the start of the range. Returns NO_NEXT if the range begins with the tail or
   * with an invalid case, or has no other case.
   */
  #findNext(range: ReadRange): number {
    const { bytes, from, end } = range;
    if (this.#division.ending !== 'counted' && this.#tailAt(range, false) !== NO_TAIL) return NO_NEXT;
    const reader = this.#reader;
    const isRead = this.#lastStart === from;
    this.#lastStart = -1;
    if (!isRead && this.#readOne(range) !== null) return NO_NEXT;
    const { at } = reader;
    const next = this.#skipSeparator(bytes, at, end);
    if (at === from || next === end || next - from >= MAX_GRAMMAR_CASE_BYTES) return NO_NEXT;
    const isFollowedExactly =
      this.#separator === null ? next === at : next === at + 1 && bytes[at] === this.#separator;
    // Blank lines before the case may have been skipped.
    if (!isFollowedExactly || reader.start !== from || !reader.isCanonical) this.isRunCanonical = false;
    return next;
  }

  /** Reads one case of a run at the start of the range. */
  #readOne(range: ReadRange): Fault | null {
    const { variables } = this.#head;
    return this.#reader.exactlyFirst(() => this.#reader.read(range, variables, this.#division.runBody));
  }

  findCase(bytes: Uint8Array, start: number, end: number, atEnd: boolean, extent: CaseExtent): boolean {
    return unlessBytesAreMissing(() => this.#markCase({ bytes, from: start, end, atEnd }, extent), false);
  }

  #markCase(range: ReadRange, extent: CaseExtent): true {
    const { from, end } = range;
    const fault = this.#lastStart === from ? null : this.#runBody(range);
    this.#lastStart = -1;
    if (fault === TOO_LONG) return markInvalidCase(extent, from + MAX_GRAMMAR_CASE_BYTES, 0);
    if (fault === null && this.#reader.at > from) return this.#markGood(range, extent);
    const { offset } = fault ?? { offset: from };
    requireQuotable(offset, range);
    const badEnd = fault === null ? from + 1 : this.#badEnd(range, fault);
    return markInvalidCase(extent, Math.min(end, badEnd), Math.min(end, offset + QUOTED_BYTES));
  }

  /**
   * Returns the end of an invalid case. This is the end of the line with the fault if that line shows the fault, because the
   * next case may begin right after it. The byte with the fault belongs to the case: without it, the case may be valid.
   */
  #badEnd({ bytes, from, end }: ReadRange, fault: Fault): number {
    const reach = Math.min(end, Math.max(fault.offset + 1, this.#reader.reach));
    const lineEnd = bytes.subarray(0, reach).indexOf(LF, Math.max(fault.offset, from + 1));
    if (lineEnd < 0) return reach;
    const again = this.#runBody({ bytes: bytes.subarray(0, lineEnd), from, end: lineEnd, atEnd: true });
    return again !== null && isSameFault(again, fault) ? lineEnd : reach;
  }

  #markGood({ bytes, from, end, atEnd }: ReadRange, extent: CaseExtent): true {
    const readEnd = this.#reader.at;
    const next = this.#skipSeparator(bytes, readEnd, end);
    if (next === end && !atEnd) throw NEEDS_BYTES;
    extent.end = extent.neededEnd = next === end ? readEnd : next;
    extent.isInvalid = extent.end - from >= MAX_GRAMMAR_CASE_BYTES;
    return true;
  }

  /** Searches for the start of a line at which a case, or the tail, may begin. If the input is one case, all of it is bad. */
  findNextCase(bytes: Uint8Array, end: number, atEnd: boolean, search: CaseSearch): boolean {
    search.isInsideToken = false;
    if (this.#division.ending === 'single') {
      search.at = end;
      return atEnd;
    }
    for (let at = search.at; ; ) {
      const lineEnd = at > 0 && bytes[at - 1] === LF ? at - 1 : bytes.subarray(0, end).indexOf(LF, at);
      const lineStart = lineEnd < 0 ? end : this.skipToCase(bytes, lineEnd + 1, end);
      const isDecided = atEnd || end - lineStart >= CANDIDATE_BYTES;
      if (lineStart === end || !isDecided) {
        // Next time, the search continues at this line end, so that it finds the start of the same line again.
        search.at = atEnd || lineEnd < 0 ? end : lineEnd;
        return atEnd;
      }
      search.at = lineStart;
      if (this.#isBoundary(bytes, lineStart, end, atEnd)) return true;
      at = lineStart + 1;
    }
  }

  /**
   * Whether a case or the tail may begin at `at`. A case without a fault in its first CANDIDATE_BYTES bytes counts, even if it
   * is longer. Without this bound, each line of a long invalid case could match up to its end, and the search would take
   * quadratic time.
   */
  #isBoundary(bytes: Uint8Array, at: number, end: number, atEnd: boolean): boolean {
    const limit = Math.min(end, at + CANDIDATE_BYTES);
    this.#candidates ??= new GrammarScanner(
      this.#division,
      this.#head,
      createReader(this.#division, CANDIDATE_STEPS),
    );
    this.#candidates.#index = this.#index;
    const range = { bytes, from: at, end: limit, atEnd: atEnd && limit === end };
    return unlessBytesAreMissing(() => this.#candidates!.#mayBegin(range), true);
  }

  /** Whether a case or the tail begins at the start of the range. */
  #mayBegin(range: ReadRange): boolean {
    if (this.#division.ending !== 'counted' && this.#tailAt(range, false) !== NO_TAIL) return true;
    return this.#runBody(range) === null && this.#reader.at > range.from;
  }
}

/** Leaves out the bytes behind the range: at the end of the input they are of other inputs, and no message must quote them. */
function withoutBytesBehind(range: ReadRange): ReadRange {
  return { ...range, bytes: range.bytes.subarray(0, range.end) };
}

/** Runs the reader. If the reader needs more bytes than a case may have, the fault is that the case is too long. */
function orTooLong({ from, end }: ReadRange, read: () => Fault | null): Fault | null {
  const fault = unlessBytesAreMissing(read, NEEDS_BYTES);
  if (fault !== NEEDS_BYTES) return fault;
  if (end - from < MAX_GRAMMAR_CASE_BYTES) throw NEEDS_BYTES;
  return TOO_LONG;
}

function isSameFault(a: Fault, b: Fault): boolean {
  return a.offset === b.offset && a.expected === b.expected && a.got === b.got;
}

/**
 * Reads the case at the start of the range, whose end is not known. If a case may begin with a blank line, the blank lines from
 * which no case can be read are skipped first.
 */
function readCase(
  { runBody, mayBeginBlank }: CompiledGrammar,
  reader: GrammarInputReader,
  range: ReadRange,
  head: GrammarVariables,
): Fault | null {
  const readAt = (place: ReadRange) =>
    reader.exactlyFirst(() => reader.readBeforeAnything(place, head, runBody));
  // To copy the range of each case would take longer than to read the case.
  if (!mayBeginBlank) return readAt(range);
  for (let { from } = range; ; ) {
    const fault = readAt({ ...range, from, beginsWithText: true });
    if (fault === null) return fault;
    const next = afterBlankLine(range.bytes, from, range.end);
    if (next === null) return readAt({ ...range, from });
    from = next;
  }
}

/** Returns the index after the line that begins at `from` if the line is blank and ends before `end`; null otherwise. */
function afterBlankLine(bytes: Uint8Array, from: number, end: number): number | null {
  for (let at = from; at < end && isWhitespace(bytes[at]); at++) if (bytes[at] === LF) return at + 1;
  return null;
}

export class GrammarCaseParser implements CaseParser<CaseOfGrammar> {
  readonly #division: CompiledGrammar;
  readonly #head: HeadReader;
  readonly #reader: GrammarInputReader;
  readonly #names: readonly string[];
  readonly #keptNames: readonly string[];
  #headValue: Readonly<Record<string, unknown>> = {};
  fault: Fault | null = null;
  /** Always -1, because this parser does not count line ends. */
  readonly lineEnds = -1;

  constructor(division: CompiledGrammar, keptNames: readonly string[] = []) {
    this.#division = division;
    this.#head = new HeadReader(division);
    this.#reader = createReader(division);
    this.#names = division.compiler.names;
    this.#keptNames = keptNames;
    this.useHead(null);
  }

  useHead(head: Uint8Array | null): void {
    this.#head.read(head);
    this.#headValue = integersOf(this.#head.variables, this.#names);
  }

  useIndex(index: number): void {
    this.#head.useIndex(index);
  }

  get headValue(): Readonly<Record<string, unknown>> {
    return this.#headValue;
  }

  get headVariables(): GrammarVariables {
    return this.#head.variables;
  }

  parse(bytes: Uint8Array, start: number, end: number): CaseOfGrammar | null {
    this.fault = this.#findFault(bytes, start, end);
    if (this.fault !== null) return null;
    const canonical = this.#reader.canonicalBytes();
    const variables = integersOf(this.#reader.variables, this.#names);
    if (this.#keptNames.length === 0) return { bytes: canonical, variables };
    return { bytes: canonical, variables, kept: this.#keepValues() };
  }

  #keepValues(): ReadonlyMap<string, VariableValues> {
    const { variables } = this.#reader;
    const { compiler } = this.#division;
    return new Map(this.#keptNames.map((name) => [name, variables.valuesOf(compiler.slot(name))]));
  }

  findFaults(bytes: Uint8Array, start: number, end: number): Fault[] {
    const fault = this.#findFault(bytes, start, end);
    return fault === null ? [] : [fault];
  }

  #findFault(bytes: Uint8Array, start: number, end: number): Fault | null {
    if (end - start >= MAX_GRAMMAR_CASE_BYTES) return { ...TOO_LONG, offset: start };
    const reader = this.#reader;
    const range = { bytes, from: start, end, atEnd: true };
    const fault = readCase(this.#division, reader, range, this.#head.variables);
    if (fault !== null) return fault;
    if (reader.at === start)
      return { offset: start, expected: 'a case that is not empty', got: 'one that the grammar skips' };
    const rest = skipWhitespace(bytes, reader.at, end);
    return rest === end ? null : { offset: rest, expected: 'the end of the case', got: 'more text' };
  }
}

/** Returns the values without indices that are integers. */
export function integersOf(variables: GrammarVariables, names: readonly string[]): Record<string, unknown> {
  const integers: Record<string, unknown> = {};
  for (let slot = 0; slot < names.length; slot++) {
    const value = variables.scalars[slot];
    if (typeof value === 'number' || typeof value === 'bigint') integers[names[slot]] = value;
  }
  return integers;
}
