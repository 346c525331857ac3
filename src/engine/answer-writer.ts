/** Takes solved chunks in order: writes their answers, and tells what was wrong and where. */

import { ByteWriter } from '../core/bytes.js';
import type { FaultReason } from '../core/errors.js';
import {
  BoardmillError,
  CaseError,
  describeFault,
  describeMismatch,
  type PlacedFault,
} from '../core/errors.js';
import { advance, type Location } from '../core/location.js';
import { printerFor } from '../problems/output-formats.js';
import { MAX_REPORTED_FAULTS } from './limits.js';
import type { CaseFault, ChunkResult } from './messages.js';
import type { RunPosition } from './position.js';
import type { RunOptions } from './run-options.js';
import type { Chunk, End } from './scan.js';
import type { Sink } from './sink.js';
import type { Tally } from './tally.js';

/** A chunk that came back, with what the coordinator knows of it. */
export interface SolvedChunk {
  readonly chunk: Pick<Chunk, 'firstCase' | 'before' | 'after' | 'endsWithInput'>;
  readonly cases: number;
  readonly inputBytes: number;
  readonly result: ChunkResult;
  /** When it came back, by performance.now(). */
  readonly at: number;
}

export class AnswerWriter {
  readonly #input: string;
  readonly #sink: Sink;
  readonly #options: RunOptions;
  readonly #tally: Tally;
  /** Behind the last case that was written. */
  #position: Location;
  #failedCases: number;
  #reported = 0;

  constructor(input: string, sink: Sink, options: RunOptions, tally: Tally, from: RunPosition) {
    this.#input = input;
    this.#sink = sink;
    this.#options = options;
    this.#tally = tally;
    this.#position = { line: from.line, column: from.column };
    this.#failedCases = from.failedCases;
  }

  /** Cases without an answer so far, those of the run that was cut off included. */
  get failedCases(): number {
    return this.#failedCases;
  }

  async write({ chunk, cases, inputBytes, result }: SolvedChunk): Promise<void> {
    const start = advance(this.#position, chunk.before);
    const [first] = result.faults;
    if (first !== undefined && this.#options.settings.onError === 'stop') {
      await this.#sink.write(result.output, null);
      this.#tally.add(result, 0, 0);
      throw await this.#failure(first, chunk, start);
    }
    checkCount(chunk.firstCase, cases, result);
    const output = this.#markFaults(result, chunk.firstCase, start);
    this.#position = advance(start, result.span);
    this.#failedCases += result.faults.length;
    await this.#sink.write(output, this.#reached(chunk));
    this.#tally.add(result, result.faults.length, inputBytes);
    for (const fault of result.faults) await this.report(fault, chunk, start);
  }

  /** Null behind a chunk that a longer input might cut otherwise: no run can go on from there. */
  #reached({ after, endsWithInput }: SolvedChunk['chunk']): RunPosition | null {
    return endsWithInput ? null : { scan: after, failedCases: this.#failedCases, ...this.#position };
  }

  /** All is written: says what was wrong with the end of the input, if anything. */
  end(end: End | null): void {
    if (this.#reported > MAX_REPORTED_FAULTS) {
      this.#options.warn(`${this.#input}: ${this.#reported - MAX_REPORTED_FAULTS} more cases were marked`);
    }
    if (end === null) throw new Error('the input was not read to its end, and nothing said why');
    if (end.fault === null) return;
    const { caseNumber } = end.fault;
    const what = describeMismatch(end.fault);
    throw new CaseError('input', {
      input: this.#input,
      caseNumber,
      what,
      ...advance(this.#position, end.before),
    });
  }

  async #failure(fault: CaseFault, chunk: SolvedChunk['chunk'], start: Location): Promise<CaseError> {
    const placed = this.#place(fault, chunk.firstCase, start);
    const what = placed.what + (await this.#save(fault, chunk));
    return new CaseError(fault.why.kind === 'input' ? 'input' : 'worker', { ...placed, what });
  }

  #place(fault: CaseFault, firstCase: number, start: Location): PlacedFault {
    const { why } = fault;
    const what = why.kind === 'input' ? describeMismatch(why) : why.reason;
    return { input: this.#input, caseNumber: firstCase + fault.index, what, ...advance(start, fault.span) };
  }

  /** The chunk's output with what stands for a case without an answer put in its place. */
  #markFaults(result: ChunkResult, firstCase: number, start: Location): Uint8Array {
    if (result.faults.length === 0) return result.output;
    const out = new ByteWriter(result.output.length + 64 * result.faults.length);
    let copied = 0;
    for (const fault of result.faults) {
      out.append(result.output.subarray(copied, fault.outputOffset));
      copied = fault.outputOffset;
      this.#printError(fault.why, firstCase + fault.index, advance(start, fault.span), out);
    }
    out.append(result.output.subarray(copied));
    return out.take();
  }

  #printError(why: FaultReason, caseNumber: number, { line, column }: Location, out: ByteWriter): void {
    const { settings, problem } = this.#options;
    printerFor(settings.outputFormat).printError(problem, { ...why, line, column }, caseNumber, out);
  }

  async report(fault: CaseFault, chunk: SolvedChunk['chunk'], start: Location): Promise<void> {
    if (this.#reported++ >= MAX_REPORTED_FAULTS) return;
    const placed = this.#place(fault, chunk.firstCase, start);
    const repeat = await this.#save(fault, chunk);
    this.#options.warn(describeFault({ ...placed, what: placed.what + repeat }));
  }

  /** Saves a case that its solver failed on; says where, and how to repeat it. */
  async #save({ bytes, index }: CaseFault, { firstCase, after }: SolvedChunk['chunk']): Promise<string> {
    if (bytes === null || this.#options.saveCase === undefined) return '';
    return `; ${await this.#options.saveCase({ caseNumber: firstCase + index, bytes, id: after.id })}`;
  }
}

function checkCount(firstCase: number, cases: number, result: ChunkResult): void {
  if (result.answered + result.faults.length === cases) return;
  throw new BoardmillError('worker', `cases ${firstCase} to ${firstCase + cases - 1}: an answer is missing`);
}
