/**
 * Reads an input as a strict validator does: every case that is wrong and all that is wrong with it, and how
 * the words lie. It is cut as under `--on-error mark`: behind a bad case the next header is looked for.
 */
import { isBlank } from '../../core/bytes.js';
import { describeMismatch, type Fault } from '../../core/errors.js';
import { advance, type Location, measureSpan } from '../../core/location.js';
import { MAX_CASE_BYTES } from '../../problems/input-format.js';
import type { Board, BoardLimits, Problem } from '../../problems/problem.js';
import { LOOKAHEAD_BYTES, MAX_REPORTED_LAYOUT, READ_BYTES } from '../limits.js';
import { type Chunk, type End, scan } from '../scan.js';
import { Layout, type LayoutFinding, type LayoutRule } from './layout.js';

export interface ValidationFinding extends Location {
  /** `format`: `solve` refuses it; `contest`: a board past the statement's limits; else how words lie. */
  readonly rule: 'format' | 'contest' | LayoutRule;
  /** Null outside the cases. */
  readonly caseNumber: number | null;
  readonly what: string;
}

export interface ValidationSummary {
  readonly cases: number;
  /** Findings on layout behind the first MAX_TOLD_LAYOUT of their rule: how many. */
  readonly omitted: ReadonlyMap<ValidationFinding['rule'], number>;
}

/** What is wrong, in the order of the input. */
export async function* validate(
  pieces: AsyncIterable<Uint8Array>,
  problem: Problem,
  options: { readonly contest: boolean },
): AsyncGenerator<ValidationFinding, ValidationSummary> {
  const reader = new StrictReader(problem, options.contest ? problem.contestLimits : null);
  const items = scan(pieces, {
    inputFormat: problem.inputFormat,
    onError: 'mark',
    chunkBytes: () => READ_BYTES,
    onSkipped: (bytes) => reader.skip(bytes),
    hash: null,
    from: null,
  });
  for await (const item of items) {
    if (item.kind === 'chunk') yield* reader.readCases(item);
    else yield* reader.end(item);
  }
  return reader;
}

/** A bad case: what stands from its header to the next one's. */
interface BadCase {
  readonly at: Location;
  readonly parts: Uint8Array[];
  bytes: number;
}

class StrictReader implements ValidationSummary {
  cases = 0;
  readonly omitted = new Map<ValidationFinding['rule'], number>();
  readonly #reported = new Map<ValidationFinding['rule'], number>();
  readonly #problem: Problem;
  readonly #contest: BoardLimits | null;
  readonly #layout: Layout;
  readonly #board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  /** Of what was read since the last case began. */
  #found: Omit<ValidationFinding, 'caseNumber'>[] = [];
  /** The last case if it is bad. */
  #bad: BadCase | null = null;
  /** The last line of the last case. */
  #lastLine = 0;

  constructor(problem: Problem, contest: BoardLimits | null) {
    this.#problem = problem;
    this.#contest = contest;
    const { preambleTokenCount, cellBytes } = problem.inputFormat;
    const words = { preamble: preambleTokenCount, isRowOfBlocks: cellBytes === 2 };
    this.#layout = new Layout(words, (finding) => this.#note(finding));
  }

  /** Bytes that belong to no case; behind a bad one they may be its rows all the same. */
  skip(bytes: Uint8Array): void {
    this.#layout.feed(bytes);
    if (this.#bad !== null) keep(this.#bad, bytes);
  }

  *readCases({ bytes, starts, firstCase }: Chunk): Generator<ValidationFinding> {
    for (let i = 0; i + 1 < starts.length; i++) {
      yield* this.#flush(bytes.subarray(starts[i], starts[i] + LOOKAHEAD_BYTES));
      this.cases = firstCase + i;
      this.#readCase(bytes, starts[i], starts[i + 1]);
    }
  }

  *end({ fault, following }: End): Generator<ValidationFinding> {
    const at = this.#layout.position;
    if (following.length === 0) this.#layout.end();
    yield* this.#flush(following);
    if (fault === null) return;
    yield { rule: 'format', caseNumber: fault.caseNumber, ...at, what: describeMismatch(fault) };
  }

  #readCase(bytes: Uint8Array, start: number, end: number): void {
    const at = this.#layout.position;
    if (this.#contest !== null) this.#checkSizes(this.#contest, bytes, start, at);
    if (this.#problem.inputFormat.parseCase(bytes, start, end, this.#board) !== null) {
      this.#bad = { at, parts: [bytes.slice(start, end)], bytes: end - start };
    } else if (this.#contest !== null) this.#checkContest(bytes, start, at);
    this.#layout.feed(bytes, start, end);
    this.#lastLine = this.#layout.position.line - lineEndsBehind(bytes, start, end);
  }

  #checkSizes(contest: BoardLimits, bytes: Uint8Array, start: number, at: Location): void {
    const { inputFormat, limits } = this.#problem;
    if (inputFormat.findHeaderFault(bytes, start, limits) !== null) return;
    const fault = inputFormat.findHeaderFault(bytes, start, contest);
    if (fault !== null) this.#addContestFault(fault, bytes, start, at);
  }

  /** What the statement says of more than sizes, on the good board at hand. */
  #checkContest(bytes: Uint8Array, start: number, at: Location): void {
    const violation = this.#problem.findContestViolation?.(this.#board) ?? null;
    if (violation === null) return;
    const fault = this.#problem.inputFormat.locateViolation(bytes, start, this.#board, violation);
    this.#addContestFault(fault, bytes, start, at);
  }

  #addContestFault(fault: Fault, bytes: Uint8Array, start: number, at: Location): void {
    const place = advance(at, measureSpan(bytes, start, fault.offset));
    this.#found.push({ rule: 'contest', ...place, what: `in the contest: ${describeMismatch(fault)}` });
  }

  /** Where every line is at fault, it is not worth more than counting. */
  #note(finding: LayoutFinding): void {
    const mayBeDropped = finding.rule === 'words-a-line';
    if (mayBeDropped || this.#isToBeReported(finding.rule)) this.#found.push(finding);
    else addOne(this.omitted, finding.rule);
  }

  /** All that breaks the format is told; how words lie is told until it is clear. */
  #isToBeReported(rule: ValidationFinding['rule']): boolean {
    return rule === 'format' || rule === 'contest' || (this.#reported.get(rule) ?? 0) < MAX_REPORTED_LAYOUT;
  }

  /** All that was found since the last case began; `following` is what comes next. */
  *#flush(following: Uint8Array): Generator<ValidationFinding> {
    const bad = this.#bad;
    const found = this.#found;
    this.#found = [];
    this.#bad = null;
    if (bad !== null) {
      // How the words of a bad case should lie, nobody knows.
      const others = found.filter(({ rule }) => rule !== 'words-a-line');
      found.splice(0, found.length, ...others, ...this.#faultsOf(bad, following));
    }
    found.sort((a, b) => a.line - b.line || a.column - b.column);
    for (const finding of found) {
      if (!this.#isToBeReported(finding.rule)) {
        addOne(this.omitted, finding.rule);
        continue;
      }
      addOne(this.#reported, finding.rule);
      const isInCase = this.cases > 0 && (bad !== null || finding.line <= this.#lastLine);
      yield { ...finding, caseNumber: isInCase ? this.cases : null };
    }
  }

  #faultsOf(bad: BadCase, following: Uint8Array): Omit<ValidationFinding, 'caseNumber'>[] {
    const bytes = Buffer.concat([...bad.parts, following]);
    let place = bad.at;
    let measured = 0;
    return this.#problem.inputFormat.findFaults(bytes, 0, bad.bytes, this.#board).map((fault) => {
      place = advance(place, measureSpan(bytes, measured, fault.offset));
      measured = fault.offset;
      return { rule: 'format', ...place, what: describeMismatch(fault) };
    });
  }
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** As much of the bytes as a case may be long. */
function keep(bad: BadCase, bytes: Uint8Array): void {
  const part = bytes.slice(0, Math.max(0, MAX_CASE_BYTES - 1 - bad.bytes));
  bad.parts.push(part);
  bad.bytes += part.length;
}

/** Line ends among the blanks that bytes[start, end) ends in. */
function lineEndsBehind(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(bytes[at - 1])) at--;
  return measureSpan(bytes, at, end).lines;
}
