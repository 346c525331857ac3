/**
 * Takes solved chunks in input order, writes their answers, and reports each case without an answer with its line and
 * column.
 */
import { ByteWriter, encodeUtf8, KIB } from '../core/bytes.js';
import {
  BoardmillError,
  CaseError,
  describeFault,
  describeMismatch,
  type LocatedFault,
} from '../core/errors.js';
import { releaseBuffer } from '../core/free-memory.js';
import { type Location, locationAfter, type TextSpan } from '../core/location.js';
import { describeCaseRange } from '../core/range.js';
import { type ColumnValues, columnValues } from '../problems/output-columns.js';
import { printerFor } from '../problems/output-formats.js';
import { doFaultsEndRun } from './chunk-result.js';
import type { InputEnd } from './cut/scan.js';
import type { CaseFault, ChunkResult, SolvedChunk } from './messages.js';
import type { RunPosition, ScanPosition } from './position.js';
import type { RunOptions } from './run-options.js';
import type { CasesWithoutAnswers, Sink } from './sink.js';
import type { RunTally } from './tally.js';

/**
 * Estimated memory of the objects around a finished chunk (RESULT_OBJECT_BYTES), and of one fault in the chunk
 * (FAULT_OBJECT_BYTES).
 */
const RESULT_OBJECT_BYTES = KIB;
const FAULT_OBJECT_BYTES = 512;

/** Number of marked cases that boardmill reports one by one under `--on-error mark`. It only counts further marked cases. */
const MAX_REPORTED_FAULTS = 20;

/** A solved chunk, with facts that only the coordinator knows and workers do not. */
interface ChunkToWrite extends SolvedChunk {
  /** The head of the input; null if it has none. */
  readonly head: Uint8Array | null;
  /**
   * The position from which a later run can continue after the chunk; null if no run can continue there. For example, the last
   * case of an input may end only because the input ends: in a longer input it might end elsewhere.
   */
  readonly positionAfter: ScanPosition | null;
  /** Span from the end of the chunk to `positionAfter`. */
  readonly spanAfter: TextSpan;
  /** The cases of the chunk; null if the sink does not want them. */
  readonly answered: CasesWithoutAnswers | null;
}

/** A solved part of the input (a chunk or a range), which the merge of a run puts in order. */
export interface SolvedPart {
  /** Estimated memory in bytes that the solved part takes while it waits to be written. */
  readonly bytes: number;
  /** The time at which a worker returned the solved part, in milliseconds by performance.now(). */
  readonly finishedAt: number;
  /** Writes the answers of this part. The merge calls it for one part after another, in input order. */
  writeTo(writer: AnswerWriter): Promise<void>;
}

/**
 * Estimates the memory of a finished chunk that waits to be written: the bytes of its answers, and the objects around
 * them.
 */
export function memoryBytesOfResult(result: ChunkResult, answered: CasesWithoutAnswers | null): number {
  const faults = result.faults.reduce((sum, { bytes }) => sum + FAULT_OBJECT_BYTES + (bytes?.length ?? 0), 0);
  return result.output.length + (answered?.bytes.length ?? 0) + RESULT_OBJECT_BYTES + faults;
}

export class AnswerWriter {
  readonly #input: string;
  readonly #sink: Sink;
  readonly #options: RunOptions;
  readonly #tally: RunTally;
  /** Line and column in the input after the last case whose answer was written. */
  #locationAfterWritten: Location;
  #cases: number;
  #failedCases: number;
  #reportedFaults = 0;
  /**
   * The text to write before the first answer, such as the header of a CSV table; empty if it is already written, not wanted,
   * or written by the sink.
   */
  #heading: string;

  constructor(input: string, sink: Sink, options: RunOptions, tally: RunTally, from: RunPosition) {
    this.#input = input;
    this.#sink = sink;
    this.#options = options;
    this.#tally = tally;
    this.#locationAfterWritten = { line: from.line, column: from.column };
    this.#cases = from.scan.cases;
    this.#failedCases = from.failedCases;
    const { settings, shard } = options;
    const isFirst =
      !settings.fileFirst && from.scan.cases === 0 && (shard === undefined || shard.shard.number === 1);
    this.#heading = isFirst ? (printerFor(settings).heading?.(settings.columns) ?? '') : '';
  }

  /** Number of cases so far, including those of the interrupted run that this run continues. */
  get cases(): number {
    return this.#cases;
  }

  /** Number of cases without an answer so far, including those of the interrupted run that this run continues. */
  get failedCases(): number {
    return this.#failedCases;
  }

  async write(chunk: ChunkToWrite): Promise<void> {
    const { firstCase, cases, inputBytes, result, answered } = chunk;
    const start = locationAfter(this.#locationAfterWritten, chunk.spanBefore);
    const { settings } = this.#options;
    if (doFaultsEndRun(result.faults, settings)) {
      const ending = result.faults.at(settings.onError === 'stop' ? 0 : -1)!;
      await this.#writeBefore(ending, chunk, start);
      throw await this.#caseError(ending, chunk, start);
    }
    assertComplete(firstCase, cases, result);
    const output = this.#markFaults(result, firstCase, start);
    this.#locationAfterWritten = locationAfter(locationAfter(start, result.span), chunk.spanAfter);
    this.#cases += cases;
    this.#failedCases += result.faults.length;
    await this.#writeAnswers(output, this.#positionAfter(chunk), answered ?? undefined);
    if (this.#sink.writesAtOnce === true) releaseBuffer(result.output);
    this.#tally.addChunk(this.#input, result, result.faults.length, inputBytes);
    for (const fault of result.faults) await this.#reportFault(fault, chunk, start);
  }

  /** Writes what a chunk has before the fault that ends the run: answers, and marks in the place of those that are missing. */
  async #writeBefore(ending: CaseFault, chunk: ChunkToWrite, start: Location): Promise<void> {
    const { firstCase, result, answered } = chunk;
    const faults = result.faults.slice(0, result.faults.indexOf(ending));
    const output = this.#markFaults({ ...result, faults }, firstCase, start);
    await this.#writeAnswers(output, null, cutOff(answered, result.answeredCases + faults.length));
    this.#tally.addChunk(this.#input, result, faults.length, 0);
    for (const fault of faults) await this.#reportFault(fault, chunk, start);
  }

  /** Writes answers to the sink, and before the first answer the heading of the output. */
  async #writeAnswers(
    output: Uint8Array,
    position: RunPosition | null,
    answered: CasesWithoutAnswers | undefined,
  ): Promise<void> {
    const isHeadingDue = this.#heading !== '' && output.length > 0;
    await this.#sink.write(isHeadingDue ? this.#withHeading(output) : output, position, answered);
  }

  #withHeading(output: Uint8Array): Uint8Array {
    const heading = encodeUtf8(this.#heading);
    this.#heading = '';
    return Buffer.concat([heading, output]);
  }

  /** Moves the location in the input past bytes that belong to no chunk. */
  passOver(span: TextSpan): void {
    this.#locationAfterWritten = locationAfter(this.#locationAfterWritten, span);
  }

  /** Returns the position of the run after a chunk; null if no run can continue there. */
  #positionAfter({ positionAfter }: ChunkToWrite): RunPosition | null {
    return positionAfter === null
      ? null
      : { scan: positionAfter, failedCases: this.#failedCases, ...this.#locationAfterWritten };
  }

  /**
   * Completes the output after all answers are written: a table without rows still gets its heading. Returns the end of the
   * input, and throws a CaseError if that end is wrong.
   */
  async finish(end: InputEnd | null): Promise<InputEnd> {
    this.#assertGoodEnd(end);
    if (this.#heading !== '') await this.#sink.write(this.#withHeading(new Uint8Array()), null);
    return end;
  }

  #assertGoodEnd(end: InputEnd | null): asserts end is InputEnd {
    if (this.#reportedFaults > MAX_REPORTED_FAULTS) {
      this.#options.warn(
        `${this.#input}: ${this.#reportedFaults - MAX_REPORTED_FAULTS} more cases were marked`,
      );
    }
    if (end === null) throw new Error('the input was not read to its end, and nothing said why');
    if (end.fault === null) return;
    const { caseNumber } = end.fault;
    const description = describeMismatch(end.fault);
    throw new CaseError('input', {
      input: this.#input,
      caseNumber,
      description,
      mismatch: end.fault,
      ...locationAfter(this.#locationAfterWritten, end.spanBefore),
    });
  }

  async #caseError(fault: CaseFault, chunk: ChunkToWrite, start: Location): Promise<BoardmillError> {
    const located = this.#locateFault(fault, chunk.firstCase, start);
    if (fault.cause.kind === 'author') return new BoardmillError('usage', describeFault(located));
    const description = located.description + (await this.#saveFailedCase(fault, chunk));
    return new CaseError(fault.cause.kind === 'input' ? 'input' : 'worker', { ...located, description });
  }

  #locateFault(fault: CaseFault, firstCase: number, start: Location): LocatedFault {
    const { cause } = fault;
    const description = cause.kind === 'input' ? describeMismatch(cause) : cause.reason;
    return {
      input: this.#input,
      caseNumber: firstCase + fault.index,
      description,
      ...(cause.kind === 'input' ? { mismatch: cause } : {}),
      ...locationAfter(start, fault.span),
    };
  }

  /** Returns the output of a chunk, with an error printed for each case of the chunk that has no answer. */
  #markFaults(result: ChunkResult, firstCase: number, start: Location): Uint8Array {
    if (result.faults.length === 0) return result.output;
    const out = new ByteWriter(result.output.length + 64 * result.faults.length);
    let copied = 0;
    for (const fault of result.faults) {
      out.append(result.output.subarray(copied, fault.outputOffset));
      copied = fault.outputOffset;
      this.#printError(fault, firstCase + fault.index, locationAfter(start, fault.span), out);
    }
    out.append(result.output.subarray(copied));
    return out.take();
  }

  #printError(fault: CaseFault, caseNumber: number, { line, column }: Location, out: ByteWriter): void {
    const { cause } = fault;
    if (cause.kind === 'author') throw new Error('a fault that ends the run is never marked');
    const { settings, problem } = this.#options;
    const values = this.#columnsOf(fault);
    printerFor(settings).printError(
      problem.answerFormat,
      { ...cause, line, column },
      caseNumber,
      out,
      values,
    );
  }

  /** Returns the values of the columns for a case without an answer: only the place of such a case is known. */
  #columnsOf({ line }: CaseFault): ColumnValues | null {
    if (line === undefined) return null;
    const facts = { file: this.#input, line, board: null, seconds: null, nimber: null };
    return columnValues(this.#options.settings.columns, facts);
  }

  async #reportFault(fault: CaseFault, chunk: ChunkToWrite, start: Location): Promise<void> {
    if (this.#reportedFaults++ >= MAX_REPORTED_FAULTS) return;
    const located = this.#locateFault(fault, chunk.firstCase, start);
    const howToRepeat = await this.#saveFailedCase(fault, chunk);
    this.#options.warn(describeFault({ ...located, description: located.description + howToRepeat }));
  }

  /**
   * Saves a case that the solver failed on. Returns the end of the error message, which says where the case was saved
   * and how to repeat the failure. Returns an empty string if no case was saved.
   */
  async #saveFailedCase({ bytes, index }: CaseFault, { firstCase, head }: ChunkToWrite): Promise<string> {
    if (bytes === null || this.#options.saveCase === undefined) return '';
    return `; ${await this.#options.saveCase({ caseNumber: firstCase + index, bytes, head })}`;
  }
}

/** Returns the first `count` cases, which have answers although a later case is invalid. */
function cutOff(answered: CasesWithoutAnswers | null, count: number): CasesWithoutAnswers | undefined {
  return answered === null ? undefined : { ...answered, count };
}

/**
 * Fails unless each case of a chunk has an answer or a fault. A missing answer must not silently shorten the output.
 */
function assertComplete(firstCase: number, cases: number, result: ChunkResult): void {
  if (result.answeredCases + result.faults.length === cases) return;
  const range = describeCaseRange({ from: firstCase, to: firstCase + cases - 1 });
  throw new BoardmillError('worker', `${range}: an answer is missing`);
}
