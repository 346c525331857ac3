/** Wires the stages: read -> split -> dispatch -> merge -> write. Owns the order in which they shut down. */

import { Interrupted } from '../core/errors.js';
import { AnswerWriter, type SolvedChunk } from './answer-writer.js';
import { ChunkBuffers } from './chunk-buffers.js';
import { ChunkSize } from './chunk-size.js';
import type { ChunkFailure, Dispatcher } from './dispatcher.js';
import { openInputHash } from './input-hash.js';
import { FAULT_BYTES, MAX_CHUNK_BYTES, MAX_WAITING_BYTES, RESULT_BYTES } from './limits.js';
import { Merge } from './merge.js';
import type { ChunkTask } from './messages.js';
import { RUN_START } from './position.js';
import type { Source } from './read.js';
import { Recovery } from './recover.js';
import { skipConsumed } from './resume.js';
import type { RunOptions } from './run-options.js';
import { type Chunk, type End, scan } from './scan.js';
import type { Sink } from './sink.js';
import type { StageTimes } from './stage-times.js';
import type { Tally } from './tally.js';

/**
 * Solves one input, or what an earlier run has left of it. Throws a CaseError at the first bad case (under
 * `stop`) or at a truncated input, and Interrupted after a stop; every answer before that has been handed to
 * the sink. Returns how many cases were marked. The caller finishes or abandons the sink, and closes source and dispatcher.
 */
export async function run(
  source: Source,
  sink: Sink,
  dispatcher: Dispatcher,
  options: RunOptions,
  tally: Tally,
): Promise<number> {
  const from = sink.resumed ?? RUN_START;
  const { retries, stop } = options;
  const { stages } = tally;
  const recovery = new Recovery(dispatcher, {
    retries,
    onRetry: () => tally.retries++,
    onUnexplained: onceOnly((task, failure) => options.note?.(describeUnexplained(task, failure))),
  });
  const { chunkCases } = recovery;
  const size = new ChunkSize({
    fixedBytes: options.chunkBytes ?? (chunkCases === undefined ? null : MAX_CHUNK_BYTES),
    jobs: options.jobs,
    inputBytes: source.size,
  });
  const buffers = new ChunkBuffers();
  const writer = new AnswerWriter(source.name, sink, options, tally, from);
  const merge = new Merge<SolvedChunk>({
    maxRunning: recovery.slots,
    maxWaitingBytes: MAX_WAITING_BYTES,
    bytesOf: heldBytes,
    write: (finished) => {
      stages.merge += performance.now() - finished.at;
      return stages.during('write', () => writer.write(finished));
    },
    // A reader that waits for a slow writer must not hold back the news.
    onStop: () => void source.close(),
  });
  const hash = sink.keepsPositions ? await openInputHash() : null;
  const pieces = stages.each('read', tally.count(source.pieces), 'scan');
  const items = scan(hash === null ? pieces : skipConsumed(pieces, from, hash, source.name), {
    inputFormat: options.problem.inputFormat,
    onError: options.settings.onError,
    chunkBytes: () => size.next(),
    hold: (bytes) => buffers.hold(bytes),
    ...(chunkCases === undefined ? {} : { chunkCases }),
    onPreamble: ({ cases }) => tally.addPromised(cases),
    hash,
    from: from.scan,
  });
  tally.resume(from);
  const solve = (chunk: Chunk) =>
    solveChunk(chunk, recovery, options, size, stages).finally(() => buffers.release(chunk.bytes));
  const { end, failure } = await feed(stages.each('scan', items), merge, solve, stages, stop);
  try {
    // Whatever ended the reading, the answers that are under way come out first.
    await merge.drain();
  } finally {
    recovery.stop();
  }
  // The end of a pipe is not to be trusted: the same signal may have ended its writer half-way.
  if (stop?.aborted && (end === null || source.size === null)) throw interruption(stop, tally);
  if (failure !== null) throw failure.error;
  writer.end(end);
  return writer.failedCases;
}

function onceOnly<Arguments extends unknown[]>(
  act: (...args: Arguments) => void,
): (...args: Arguments) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    act(...args);
  };
}

function describeUnexplained({ firstCase, starts }: ChunkTask, { reason }: ChunkFailure): string {
  const last = firstCase + starts.length - 2;
  return (
    `on cases ${firstCase} to ${last} together: ${reason}; each of them alone was answered, ` +
    'and those answers are used'
  );
}

/** Hands chunks over as long as there is room, nothing has failed and nobody asked to stop. */
async function feed(
  items: AsyncIterable<Chunk | End>,
  merge: Merge<SolvedChunk>,
  solve: (chunk: Chunk) => Promise<SolvedChunk>,
  stages: StageTimes,
  stop: AbortSignal | undefined,
): Promise<{ end: End | null; failure: { error: unknown } | null }> {
  try {
    for await (const item of items) {
      if (item.kind === 'chunk') await stages.during('wait', () => merge.waitForRoom());
      // Once a stop was asked for the source is closed: what still comes may be cut short.
      if (stop?.aborted || merge.isStopped) break;
      if (item.kind === 'end') return { end: item, failure: null };
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
  { settings }: RunOptions,
  size: ChunkSize,
  stages: StageTimes,
): Promise<SolvedChunk> {
  const { bytes, starts, firstCase, before, after, endsWithInput } = chunk;
  const cases = starts.length - 1;
  const inputBytes = bytes.length;
  size.give(inputBytes);
  const task = { bytes, starts, firstCase, id: after.id, settings, oneByOne: false };
  const result = await stages.during('dispatch', () => dispatcher.solve(task));
  const workMs = stages.addWork(result.times);
  size.observe(inputBytes, workMs);
  return {
    chunk: { firstCase, before, after, endsWithInput },
    cases,
    inputBytes,
    result,
    at: performance.now(),
  };
}

/** What a finished chunk holds in memory while it waits: its answers, and the objects around them. */
function heldBytes({ result }: SolvedChunk): number {
  const faults = result.faults.reduce((sum, { bytes }) => sum + FAULT_BYTES + (bytes?.length ?? 0), 0);
  return result.output.length + RESULT_BYTES + faults;
}

function interruption(stop: AbortSignal, tally: Tally): Interrupted {
  const signal = stop.reason as NodeJS.Signals;
  return new Interrupted(signal, `stopped by ${signal} after ${tally.cases} cases`);
}
