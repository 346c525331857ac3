/** Wires the stages: read -> split -> dispatch -> merge -> write. Owns the order in which they shut down. */
import { Interrupted } from '../core/errors.js';
import { AnswerWriter, type Finished } from './answer-writer.js';
import { newHash, RUN_START, skipConsumed } from './checkpoint.js';
import { ChunkSize } from './chunk-size.js';
import type { Dispatcher } from './dispatch.js';
import { FAULT_BYTES, MAX_WAITING_BYTES, RESULT_BYTES } from './limits.js';
import { Merge } from './merge.js';
import type { Source } from './read.js';
import { Recovery } from './recover.js';
import type { RunOptions } from './run-options.js';
import type { Sink } from './sink.js';
import { type Chunk, type End, split } from './split.js';
import type { Tally } from './tally.js';

/**
 * Solves one input, or what an earlier run has left of it. Throws a CaseError at the first bad case (under
 * `stop`) or at a truncated input, and Interrupted after a stop; every answer before that has been handed to
 * the sink. The caller finishes or abandons the sink, and closes source and dispatcher.
 */
export async function run(
  source: Source,
  sink: Sink,
  dispatcher: Dispatcher,
  options: RunOptions,
  tally: Tally,
): Promise<void> {
  const from = sink.resumed ?? RUN_START;
  const { retries, stop } = options;
  const recovery = new Recovery(dispatcher, { retries, onRetry: () => tally.retries++ });
  const size = new ChunkSize({ fixedBytes: options.chunkBytes, jobs: options.jobs, inputBytes: source.size });
  const writer = new AnswerWriter(source.name, sink, options, tally, from);
  const merge = new Merge<Finished>({
    maxRunning: recovery.slots,
    maxWaitingBytes: MAX_WAITING_BYTES,
    bytesOf: heldBytes,
    write: (finished) => writer.write(finished),
  });
  const hash = sink.keepsMarks ? newHash() : null;
  const pieces = tally.count(source.pieces);
  const items = split(hash === null ? pieces : skipConsumed(pieces, from, hash, source.name), {
    format: options.problem.format,
    onError: options.onError,
    chunkBytes: () => size.next(),
    onPreamble: ({ cases }) => tally.promise(cases),
    hash,
    from: from.input,
  });
  tally.resume(from);
  const solve = (chunk: Chunk) => solveChunk(chunk, recovery, options, size);
  const { end, failure } = await feed(items, merge, solve, stop);
  try {
    // Whatever ended the reading, the answers that are under way come out first.
    await merge.drain();
  } finally {
    recovery.stop();
  }
  if (stop?.aborted && end === null) throw interruption(stop, tally);
  if (failure !== null) throw failure.error;
  writer.end(end);
}

/** Hands chunks over as long as there is room, nothing has failed and nobody asked to stop. */
async function feed(
  items: AsyncIterable<Chunk | End>,
  merge: Merge<Finished>,
  solve: (chunk: Chunk) => Promise<Finished>,
  stop: AbortSignal | undefined,
): Promise<{ end: End | null; failure: { error: unknown } | null }> {
  try {
    for await (const item of items) {
      // Once a stop was asked for the source is closed: what still comes may be cut short.
      if (stop?.aborted) break;
      if (item.kind === 'end') return { end: item, failure: null };
      await merge.room();
      if (merge.isStopped) break;
      merge.add(solve(item));
    }
    return { end: null, failure: null };
  } catch (error) {
    return { end: null, failure: { error } };
  }
}

async function solveChunk(
  chunk: Chunk,
  dispatcher: Dispatcher,
  { format, onError }: RunOptions,
  size: ChunkSize,
): Promise<Finished> {
  const { bytes, starts, firstCase, before, after } = chunk;
  const cases = starts.length - 1;
  const inputBytes = bytes.length;
  size.give(inputBytes);
  const result = await dispatcher.solve({ bytes, starts, firstCase, format, onError, oneByOne: false });
  const { parse, solve, print } = result.times;
  size.observe(inputBytes, parse + solve + print);
  return { chunk: { firstCase, before, after }, cases, inputBytes, result };
}

/** What a finished chunk holds in memory while it waits: its answers, and the objects around them. */
function heldBytes({ result }: Finished): number {
  const faults = result.faults.reduce((sum, { bytes }) => sum + FAULT_BYTES + (bytes?.length ?? 0), 0);
  return result.output.length + RESULT_BYTES + faults;
}

function interruption(stop: AbortSignal, tally: Tally): Interrupted {
  const signal = stop.reason as NodeJS.Signals;
  return new Interrupted(signal, `stopped by ${signal} after ${tally.cases} cases`);
}
