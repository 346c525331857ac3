/**
 * Reads an input as a strict validator does: it reports every invalid case, everything that is wrong with it, and the
 * layout. The input is cut as under `--on-error mark`: after an invalid case, the scanner looks for the next size line.
 */
import { ByteWriter, findTrimmedEnd, LF, skipByteOrderMark } from '../../core/bytes.js';
import { describeMismatch, type Fault } from '../../core/errors.js';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../../core/location.js';
import { CaseSums } from '../../engine/cut/case-sums.js';
import { type Chunk, type InputEnd, scanIntoChunks } from '../../engine/cut/scan.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { DamagedDataError } from '../../engine/input/zstd-frames.js';
import { LOOKAHEAD_BYTES, MAX_BYTES_PER_READ } from '../../engine/limits.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { CaseParser, HeadExtent } from '../../formats/input-format.js';
import type { Problem } from '../../problems/problem.js';
import { findLayoutDeviations, MISSING_LINE_MESSAGE } from './canonical-layout.js';
import { LayoutChecker, type LayoutFinding } from './layout.js';
import { validateWithGrammar } from './validate-whole.js';
import {
  MAX_REPORTED_LAYOUT_FINDINGS,
  type ValidationFinding,
  type ValidationOptions,
  type ValidationSummary,
} from './validation.js';

/** Yields all findings in input order, and returns the summary. */
export async function* validateInput(
  pieces: AsyncIterable<Uint8Array>,
  problem: Problem,
  options: ValidationOptions,
): AsyncGenerator<ValidationFinding, ValidationSummary> {
  if (problem.checkWhole !== undefined) {
    return yield* validateWithGrammar(pieces, problem.checkWhole);
  }
  const reader = new StrictReader(problem, options);
  const items = scanIntoChunks(pieces, {
    inputFormat: problem.inputFormat,
    onError: 'mark',
    chunkBytes: () => MAX_BYTES_PER_READ,
    onHead: (head) => reader.useHead(head),
    onSkipped: (bytes) => reader.skip(bytes),
    hash: null,
    startPosition: null,
  });
  try {
    for await (const item of items) {
      if (item.kind === 'chunk') {
        await reader.findInvalid(item);
        yield* reader.readCases(item);
      } else yield* reader.end(item);
    }
  } catch (error) {
    if (!(error instanceof DamagedDataError)) throw error;
    yield* reader.endOfDamagedData(error);
  }
  return reader;
}

/** An invalid case: the bytes from its size line to the next size line. */
interface BadCase {
  readonly start: Location;
  readonly pieces: Uint8Array[];
  bytes: number;
  /** Whether the end of the case is not known, so that the following bytes may belong to it. */
  readonly isLost: boolean;
}

class StrictReader implements ValidationSummary {
  cases = 0;
  readonly omitted = new Map<ValidationFinding['rule'], number>();
  readonly #reportedCounts = new Map<ValidationFinding['rule'], number>();
  readonly #problem: Problem;
  readonly #options: ValidationOptions;
  readonly #parser: CaseParser<unknown>;
  #taskHead: InputHeadOfTask | null = null;
  /** For each case of the chunk null if `valid` accepts it, and otherwise its reason. Empty if there is no `valid`. */
  #invalidReasons: readonly (string | null)[] = [];
  /** The set of the contest whose limits apply; null for the widest limits. */
  #set: string | null = null;
  /** The parser under the limits of the contest; null if the contest does not matter, or until the head was read. */
  #contestParser: CaseParser<unknown> | null = null;
  /** The sums over all cases that the contest bounds; null if the contest does not matter, or bounds none. */
  readonly #sums: CaseSums | null;
  readonly #layoutChecker: LayoutChecker;
  readonly #out = new ByteWriter();
  /** The empty lines that the canonical layout has before each case. The bytes of the head or of the case before have them. */
  readonly #linesBeforeCase: Uint8Array;
  /** The head in canonical layout, from when the head was read until its bytes are skipped. */
  #canonicalHead: Uint8Array | null = null;
  /** Findings since the start of the last case. */
  #pendingFindings: Omit<ValidationFinding, 'caseNumber'>[] = [];
  /** How many of the findings of layout rules since then are kept, and how many are not. */
  #pendingCounts = createPendingCounts();
  /** The whitespace that the canonical layout has after the last case, as far as it has not come yet. */
  #whitespaceAfterCase: Uint8Array = NO_BYTES;
  /** Where empty lines are missing after the last case, unless it is the last one of the input. */
  #missingLines: Location | null = null;
  /** The last case if it is bad; null otherwise. */
  #badCase: BadCase | null = null;
  /** Number of the line in which the last case ends. */
  #lastLine = 0;

  constructor(problem: Problem, options: ValidationOptions) {
    this.#options = options;
    this.#problem = problem;
    this.#parser = problem.inputFormat.createParser();
    this.#linesBeforeCase = new Uint8Array(problem.inputFormat.emptyLinesBeforeCase ?? 0).fill(LF);
    this.#sums = options.contest && problem.totals !== undefined ? new CaseSums(problem.totals) : null;
    this.#layoutChecker = new LayoutChecker(problem.boardLines ?? null, (finding) =>
      this.#addLayoutFinding(finding),
    );
  }

  /** Asks the author's `valid` about the good cases of a chunk that is read next. */
  async findInvalid({ bytes, starts, head, firstCase }: Chunk): Promise<void> {
    const { findInvalid } = this.#options;
    this.#invalidReasons = [];
    if (findInvalid === undefined) return;
    this.#taskHead ??= copyHeadToSharedMemory(head);
    const texts = Array.from(starts.subarray(1), (end, i) => bytes.subarray(starts[i], end));
    const good = texts.filter((text) => this.#parser.parse(text, 0, text.length, null) !== null);
    const verdicts = await findInvalid(
      this.#taskHead,
      good.map((text) => text.slice()),
      (index) => firstCase + texts.indexOf(good[index]),
    );
    const byText = new Map(good.map((text, i) => [text, verdicts[i]]));
    this.#invalidReasons = texts.map((text) => byText.get(text) ?? null);
  }

  /** Called once, before the bytes of the head are skipped. */
  useHead({ head, cases }: HeadExtent): void {
    this.#parser.useHead(head);
    this.#problem.inputFormat.printHead(head, cases ?? 0, this.#out);
    const canonical = this.#out.take();
    if (this.#options.contest) this.#useContestHead(head, canonical);
    this.#canonicalHead = cases === 0 ? canonical : Buffer.concat([canonical, this.#linesBeforeCase]);
  }

  /** Prepares to hold the cases to the limits of the contest, and holds the head to them, which is also in canonical layout. */
  #useContestHead(head: Uint8Array | null, canonical: Uint8Array): void {
    const { contest } = this.#problem;
    if (contest === undefined) return;
    this.#set = this.#options.set ?? contest.setOfHead?.(this.#parser.headValue) ?? null;
    const format = contest.createFormat(this.#set);
    this.#contestParser = format.createParser();
    this.#contestParser.useHead(head);
    const read =
      canonical.length === 0 ? null : format.createScanner().readHead(canonical, canonical.length, true);
    if (read === null || !('expected' in read)) return;
    const location = locationAfter(TEXT_START, measureSpan(canonical, 0, read.offset));
    this.#pendingFindings.push({ ...location, ...this.#breaksContest(read) });
  }

  /** Handles bytes that belong to no case. After an invalid case, they may be rows of that case. */
  skip(bytes: Uint8Array): void {
    const canonicalHead = this.#canonicalHead;
    this.#canonicalHead = null;
    if (canonicalHead !== null && this.#problem.boardLines === undefined)
      this.#passHead(bytes, canonicalHead);
    else
      this.#layoutChecker.feed(bytes, {
        from: this.#passWhitespace(bytes),
        mayBeEmpty: this.#areLinesUnknown,
      });
    if (this.#badCase?.isLost) this.#appendToBadCase(this.#badCase, bytes);
  }

  /** Passes over the whitespace that the canonical layout has after the last case. Returns their number. */
  #passWhitespace(bytes: Uint8Array): number {
    const expected = this.#whitespaceAfterCase;
    const length = Math.min(expected.length, bytes.length);
    const whitespace = bytes.subarray(0, length);
    const isCanonical = Buffer.compare(whitespace, expected.subarray(0, length)) === 0;
    this.#whitespaceAfterCase = isCanonical ? expected.subarray(length) : NO_BYTES;
    if (!isCanonical || length === 0) return 0;
    this.#layoutChecker.pass(whitespace);
    return length;
  }

  /** Checks the layout of the head of a format whose lines are known only by its canonical layout. */
  #passHead(bytes: Uint8Array, canonical: Uint8Array): void {
    const start = skipByteOrderMark(bytes, bytes.length);
    this.#layoutChecker.feed(bytes, { to: start });
    this.#checkCount(bytes.subarray(start));
    this.#addDeviations(bytes.subarray(start), canonical);
    this.#layoutChecker.pass(bytes.subarray(start));
  }

  /** Adds a finding if the head at the current location has more or fewer cases than contest files have. */
  #checkCount(head: Uint8Array): void {
    const fault = this.#problem.inputFormat.findCountFault?.(head) ?? null;
    if (fault === null) return;
    const location = locationAfter(this.#layoutChecker.location, measureSpan(head, 0, fault.offset));
    this.#pendingFindings.push({ rule: 'format', ...location, what: describeMismatch(fault) });
  }

  /** Whether the current bytes belong to an invalid case of a format that does not know the lines of invalid cases. */
  get #areLinesUnknown(): boolean {
    return this.#badCase !== null && this.#problem.boardLines === undefined;
  }

  *readCases({ bytes, starts, firstCase, positionAfter }: Chunk): Generator<ValidationFinding> {
    // Only bytes before the first case belong to the head. An input without a head may have none.
    this.#canonicalHead = null;
    for (let i = 0; i + 1 < starts.length; i++) {
      this.#endCase();
      yield* this.#yieldPendingFindings(bytes.subarray(starts[i], starts[i] + LOOKAHEAD_BYTES));
      this.cases = firstCase + i;
      this.#addInvalid(this.#invalidReasons[i] ?? null);
      const isLost = i + 2 === starts.length && positionAfter.searching !== 'no';
      this.#readCase(bytes, starts[i], starts[i + 1], isLost);
    }
  }

  /** Notes that another case follows, which begins where the whitespace after the case before it ends. */
  #endCase(): void {
    this.#whitespaceAfterCase = NO_BYTES;
    if (this.#missingLines !== null)
      this.#addLayoutFinding({ rule: 'words-a-line', what: MISSING_LINE_MESSAGE, ...this.#missingLines });
    this.#missingLines = null;
  }

  /** Adds a finding at the start of the case that is read next, unless `reason` is null. */
  #addInvalid(reason: string | null): void {
    if (reason === null) return;
    const what = reason === '' ? 'the case is not valid' : `the case is not valid: ${reason}`;
    this.#pendingFindings.push({ rule: 'valid', ...this.#layoutChecker.location, what });
  }

  *end({ fault, following }: InputEnd): Generator<ValidationFinding> {
    const at = this.#layoutChecker.location;
    if (following.length === 0) this.#layoutChecker.end();
    yield* this.#yieldPendingFindings(following);
    yield* this.#findLargeSums(at);
    if (fault === null) return;
    yield { rule: 'format', caseNumber: fault.caseNumber, ...at, what: describeMismatch(fault) };
  }

  /** Yields a finding at the end of the input for each sum over all cases that is larger than the contest allows. */
  *#findLargeSums(at: Location): Generator<ValidationFinding> {
    for (const { text, max, sum } of this.#sums?.findLarge() ?? []) {
      const expected = `a sum of ${text} over all cases of at most ${max}`;
      yield { caseNumber: null, ...at, ...this.#breaksContest({ expected, got: `${sum}` }) };
    }
  }

  /** Yields the findings so far, and a finding that the compressed input cannot be read any further. */
  *endOfDamagedData({ description }: DamagedDataError): Generator<ValidationFinding> {
    const { location } = this.#layoutChecker;
    yield* this.#yieldPendingFindings(new Uint8Array(0));
    yield { rule: 'damaged', caseNumber: null, ...location, what: description };
  }

  #readCase(bytes: Uint8Array, start: number, end: number, isLost: boolean): void {
    const at = this.#layoutChecker.location;
    const value = this.#parser.parse(bytes, start, end, null);
    const fault = value === null ? this.#parser.fault : null;
    if (fault !== null)
      this.#badCase = { start: at, pieces: [bytes.slice(start, end)], bytes: end - start, isLost };
    if (value !== null) this.#sums?.add(value, this.#parser.headValue);
    this.#checkContest(fault, bytes, start, end, at);
    if (fault === null && this.#problem.boardLines === undefined) this.#passCase(value, bytes, start, end);
    else this.#layoutChecker.feed(bytes, { from: start, to: end, mayBeEmpty: this.#areLinesUnknown });
    this.#lastLine = this.#layoutChecker.location.line - countTrailingLineEnds(bytes, start, end);
  }

  /** Compares the layout of a good case with its canonical layout. */
  #passCase(value: unknown, bytes: Uint8Array, start: number, end: number): void {
    this.#problem.inputFormat.printCase(value, this.#out);
    this.#out.append(this.#linesBeforeCase);
    const text = bytes.subarray(start, end);
    const canonical = this.#out.take().subarray(this.#linesBeforeCase.length);
    if (Buffer.compare(text, canonical) === 0) {
      this.#layoutChecker.pass(text);
      return;
    }
    // The last case of an input ends with its last token or line, before the rest of the whitespace.
    const textEnd = findTrimmedEnd(text, 0, text.length);
    const canonicalEnd = findTrimmedEnd(canonical, 0, canonical.length);
    const restStart = canonicalEnd + text.length - textEnd;
    const isCanonicalSoFar =
      Buffer.compare(text.subarray(textEnd), canonical.subarray(canonicalEnd, restStart)) === 0;
    this.#whitespaceAfterCase = isCanonicalSoFar ? canonical.subarray(restStart) : NO_BYTES;
    const isLineMissing = textEnd < text.length && this.#whitespaceAfterCase.length > 0;
    this.#missingLines = isLineMissing
      ? locationAfter(this.#layoutChecker.location, measureSpan(text, 0, textEnd))
      : null;
    this.#addDeviations(text, isCanonicalSoFar ? canonical.subarray(0, restStart) : canonical);
    this.#layoutChecker.pass(text);
  }

  /** Adds the deviations of text that begins at the current location. */
  #addDeviations(text: Uint8Array, canonical: Uint8Array): void {
    const start = this.#layoutChecker.location;
    for (const { rule, offset, what } of findLayoutDeviations(text, canonical))
      if (this.#mayBeReported(rule))
        this.#pendingFindings.push({ rule, what, ...locationAfter(start, measureSpan(text, 0, offset)) });
  }

  /**
   * Holds a case to the limits of the contest. A fault at the place where the case breaks the format too is not reported
   * again.
   */
  #checkContest(fault: Fault | null, bytes: Uint8Array, start: number, end: number, at: Location): void {
    const parser = this.#contestParser;
    if (parser === null || parser.parse(bytes, start, end, null) !== null) return;
    const contestFault = parser.fault!;
    if (contestFault.offset === fault?.offset) return;
    const location = locationAfter(at, measureSpan(bytes, start, contestFault.offset));
    this.#pendingFindings.push({ ...location, ...this.#breaksContest(contestFault) });
  }

  /** Describes how the input breaks a limit of the contest. */
  #breaksContest(
    mismatch: Pick<Fault, 'expected' | 'got'>,
  ): Pick<ValidationFinding, 'rule' | 'what' | 'broken'> {
    const set = this.#set;
    const where = set === null ? '' : ` (set ${set})`;
    const what = `in the contest: ${describeMismatch(mismatch)}${where}`;
    return { rule: 'contest', what, broken: { constraint: mismatch.expected, set } };
  }

  /** Appends bytes to the invalid case, up to the largest size of a case. */
  #appendToBadCase(badCase: BadCase, bytes: Uint8Array): void {
    const { maxCaseBytes } = this.#problem.inputFormat;
    const part = bytes.slice(0, Math.max(0, maxCaseBytes - 1 - badCase.bytes));
    badCase.pieces.push(part);
    badCase.bytes += part.length;
  }

  /** Keeps a layout finding until the case ends, if it may be reported then. */
  #addLayoutFinding(finding: LayoutFinding): void {
    if (this.#mayBeReported(finding.rule)) this.#pendingFindings.push(finding);
  }

  /**
   * Counts a finding of a layout rule. Returns whether it may be reported when the case ends. A case can have millions, of
   * which only MAX_REPORTED_LAYOUT_FINDINGS are kept.
   */
  #mayBeReported(rule: LayoutFinding['rule']): boolean {
    const { kept, omitted } = this.#pendingCounts;
    const count = kept.get(rule) ?? 0;
    const mayBe = count + (this.#reportedCounts.get(rule) ?? 0) < MAX_REPORTED_LAYOUT_FINDINGS;
    increment(mayBe ? kept : omitted, rule);
    return mayBe;
  }

  /**
   * Yields the findings since the start of the last case; `following` is the beginning of the bytes after that
   * case.
   */
  *#yieldPendingFindings(following: Uint8Array): Generator<ValidationFinding> {
    const badCase = this.#badCase;
    const findings = this.#pendingFindings;
    const { omitted } = this.#pendingCounts;
    this.#pendingFindings = [];
    this.#pendingCounts = createPendingCounts();
    this.#badCase = null;
    for (const [rule, count] of omitted)
      if (badCase === null || rule !== 'words-a-line') increment(this.omitted, rule, count);
    if (badCase !== null) {
      // The expected number of tokens in the lines of an invalid case is not known.
      const others = findings.filter(({ rule }) => rule !== 'words-a-line');
      findings.splice(0, findings.length, ...others, ...this.#faultsOf(badCase, following));
    }
    findings.sort((a, b) => a.line - b.line || a.column - b.column);
    for (const finding of findings) {
      increment(this.#reportedCounts, finding.rule);
      const isInCase = this.cases > 0 && (badCase !== null || finding.line <= this.#lastLine);
      yield { ...finding, caseNumber: isInCase ? this.cases : null };
    }
  }

  #faultsOf(badCase: BadCase, following: Uint8Array): Omit<ValidationFinding, 'caseNumber'>[] {
    const bytes = Buffer.concat([...badCase.pieces, following]);
    let location = badCase.start;
    let measuredTo = 0;
    return this.#parser.findFaults(bytes, 0, badCase.bytes).map((fault) => {
      location = locationAfter(location, measureSpan(bytes, measuredTo, fault.offset));
      measuredTo = fault.offset;
      return { rule: 'format', ...location, what: describeMismatch(fault) };
    });
  }
}

const createPendingCounts = () => ({
  kept: new Map<LayoutFinding['rule'], number>(),
  omitted: new Map<LayoutFinding['rule'], number>(),
});

function increment<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

const NO_BYTES = new Uint8Array(0);

/** Number of line ends among the whitespace at the end of bytes[start, end). */
function countTrailingLineEnds(bytes: Uint8Array, start: number, end: number): number {
  return measureSpan(bytes, findTrimmedEnd(bytes, start, end), end).lines;
}
