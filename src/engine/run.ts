/** Wires the stages: read -> split -> dispatch -> merge -> write. */
import { ByteWriter } from '../core/bytes.js';
import { BoardmillError, describeFault, InputError, type PlacedFault } from '../core/errors.js';
import { advance, type Position, TEXT_START } from '../core/position.js';
import type { Problem } from '../problems/problem.js';
import { ChunkSize } from './chunk-size.js';
import type { Dispatcher } from './dispatch.js';
import { MAX_TOLD_FAULTS, MAX_WAITING_BYTES } from './limits.js';
import { Merge } from './merge.js';
import type { CaseFault, ChunkResult, ErrorPolicy, OutputFormat } from './messages.js';
import type { Source } from './read.js';
import { type Chunk, type End, split } from './split.js';
import type { Tally } from './tally.js';
import type { Sink } from './write.js';

export interface RunOptions {
  readonly problem: Problem<unknown>;
  readonly format: OutputFormat;
  readonly onError: ErrorPolicy;
  /** Bytes of input a chunk; null: adapt to what the cases cost. */
  readonly chunkBytes: number | null;
  readonly jobs: number;
  /** Told what goes wrong with single cases under `mark`, a line each. */
  readonly warn: (message: string) => void;
}

/** A chunk that came back, with what the coordinator knows of it. */
interface Finished {
  readonly chunk: Pick<Chunk, 'firstCase' | 'before'>;
  readonly cases: number;
  readonly inputBytes: number;
  readonly result: ChunkResult;
}

/**
 * Solves one input. Throws an InputError at the first bad case (under `stop`) or a truncated input, with every
 * answer before it handed to the sink; the caller finishes or abandons the sink.
 */
export async function run(
  source: Source,
  sink: Sink,
  dispatcher: Dispatcher,
  options: RunOptions,
  tally: Tally,
): Promise<void> {
  const size = new ChunkSize({ fixedBytes: options.chunkBytes, jobs: options.jobs, inputBytes: source.size });
  const writer = new AnswerWriter(source.name, sink, options, tally);
  const merge = new Merge<Finished>({
    maxRunning: dispatcher.slots,
    maxWaitingBytes: MAX_WAITING_BYTES,
    bytesOf: ({ result }) => result.output.length,
    write: (finished) => writer.write(finished),
  });
  const items = split(tally.count(source.pieces), {
    format: options.problem.format,
    onError: options.onError,
    chunkBytes: () => size.next(),
    onPreamble: ({ cases }) => tally.promise(cases),
  });
  let end: End | null = null;
  let readFailure: unknown = null;
  try {
    end = await feed(items, merge, (chunk) => solveChunk(chunk, dispatcher, options, size));
  } catch (error) {
    readFailure = error;
  }
  // Whatever ended the reading, the answers that are under way come out first.
  await merge.drain();
  if (readFailure !== null) throw readFailure;
  writer.end(end);
}

/** Hands chunks over as long as there is room and nothing has failed. */
async function feed(
  items: AsyncIterable<Chunk | End>,
  merge: Merge<Finished>,
  solve: (chunk: Chunk) => Promise<Finished>,
): Promise<End | null> {
  for await (const item of items) {
    if (item.kind === 'end') return item;
    await merge.room();
    if (merge.isStopped) return null;
    merge.add(solve(item));
  }
  return null;
}

async function solveChunk(
  chunk: Chunk,
  dispatcher: Dispatcher,
  options: RunOptions,
  size: ChunkSize,
): Promise<Finished> {
  const { bytes, starts, firstCase, before } = chunk;
  const inputBytes = bytes.length;
  const cases = starts.length - 1;
  size.give(inputBytes);
  const { format, onError } = options;
  const result = await dispatcher.solve({ bytes, starts, firstCase, format, onError });
  const { parse, solve, print } = result.times;
  size.observe(inputBytes, parse + solve + print);
  return { chunk: { firstCase, before }, cases, inputBytes, result };
}

/** Writes results in order, keeps track of where in the input they end, and tells what was bad there. */
class AnswerWriter {
  readonly #input: string;
  readonly #sink: Sink;
  readonly #options: RunOptions;
  readonly #tally: Tally;
  /** Behind the last case that was written. */
  #position: Position = TEXT_START;
  #told = 0;

  constructor(input: string, sink: Sink, options: RunOptions, tally: Tally) {
    this.#input = input;
    this.#sink = sink;
    this.#options = options;
    this.#tally = tally;
  }

  async write({ chunk, cases, inputBytes, result }: Finished): Promise<void> {
    const start = advance(this.#position, chunk.before);
    const faults = result.faults.map((fault) => this.#place(fault, chunk.firstCase, start));
    const isStopped = faults.length > 0 && this.#options.onError === 'stop';
    if (!isStopped && result.answered + faults.length !== cases) {
      const last = chunk.firstCase + cases - 1;
      throw new BoardmillError('worker', `cases ${chunk.firstCase} to ${last}: an answer is missing`);
    }
    const output = isStopped ? result.output : this.#markFaults(result, faults);
    await this.#sink.write(output);
    this.#position = advance(start, result.span);
    this.#tally.add(result, isStopped ? 0 : faults.length, inputBytes);
    if (isStopped) throw new InputError(faults[0]);
    for (const fault of faults) this.#tell(fault);
  }

  /** All is written: says what was wrong with the end of the input, if anything. */
  end(end: End | null): void {
    if (this.#told > MAX_TOLD_FAULTS) {
      this.#options.warn(`${this.#input}: ${this.#told - MAX_TOLD_FAULTS} more bad cases were marked`);
    }
    if (end === null) throw new Error('the input was not read to its end, and nothing said why');
    if (end.fault === null) return;
    throw new InputError({ input: this.#input, ...end.fault, ...advance(this.#position, end.before) });
  }

  #place(fault: CaseFault, firstCase: number, start: Position): PlacedFault {
    const { line, column } = advance(start, fault.span);
    const { expected, got } = fault;
    return { input: this.#input, caseNumber: firstCase + fault.index, line, column, expected, got };
  }

  /** The chunk's output with what stands for a bad case put in where its answer would be. */
  #markFaults(result: ChunkResult, faults: readonly PlacedFault[]): Uint8Array {
    if (faults.length === 0) return result.output;
    const out = new ByteWriter(result.output.length + 64 * faults.length);
    let copied = 0;
    for (const [i, fault] of faults.entries()) {
      const { outputOffset } = result.faults[i];
      out.append(result.output.subarray(copied, outputOffset));
      copied = outputOffset;
      this.#mark(fault, out);
    }
    out.append(result.output.subarray(copied));
    return out.take();
  }

  #mark(fault: PlacedFault, out: ByteWriter): void {
    const { caseNumber, line, column, expected, got } = fault;
    if (caseNumber === null) return;
    if (this.#options.format === 'text') this.#options.problem.printFailure(caseNumber, out);
    else {
      const error = { kind: 'input', line, column, expected, got };
      out.utf8(`${JSON.stringify({ case: caseNumber, error })}\n`);
    }
  }

  #tell(fault: PlacedFault): void {
    if (this.#told++ < MAX_TOLD_FAULTS) this.#options.warn(describeFault(fault));
  }
}
