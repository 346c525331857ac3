import { PassThrough, Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { BoardmillError, systemReason } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { openSource } from '../engine/input/read.js';
import { Source } from '../engine/input/source.js';
import { closeSourceAfter } from '../engine/input/with-source.js';
import { streamSink } from '../engine/output/open-sink.js';
import { solveInput } from '../engine/run.js';
import type { Sink } from '../engine/sink.js';
import { RunTally } from '../engine/tally.js';
import type { MarkedFault } from '../problems/output-formats.js';
import { checkValue, INPUT_TEXT_RULE, NAME_RULE, type OptionRule } from './check-options.js';
import type { SolveOptions } from './options.js';
import {
  createStopController,
  errorForCaller,
  openStoppableDispatcher,
  requestFromOptions,
  runOptionsOf,
} from './run-from-options.js';
import type { SolveRequest } from './solve-request.js';
import { guardFolder } from './working-folder.js';

/** The answer to a case, as `--format ndjson` prints it; or under `onError: 'mark'` the reason why a case has no answer. */
export type StreamedAnswer =
  | { readonly case: number; readonly answer: unknown; readonly error?: undefined }
  | { readonly case: number; readonly answer?: undefined; readonly error: MarkedFault };

/** The pieces of an input: a stream of Node, or any other async iterable. */
export type InputPieces = AsyncIterable<Uint8Array | string>;

const INPUT_RULE: OptionRule = {
  expected: 'the path of a file, a stream, or another async iterable of pieces',
  accepts: (value) =>
    NAME_RULE.accepts(value) ||
    typeof (value as InputPieces | null | undefined)?.[Symbol.asyncIterator] === 'function',
};

const PIECE_RULE: OptionRule = {
  expected: 'a Uint8Array or a text',
  accepts: (value) => typeof value === 'string' || isUint8Array(value),
};

/** Fails if the memory of a piece was transferred, for example to another thread. Node 20 has no property that says so. */
function assertAttached(piece: Uint8Array): void {
  if (piece.length > 0) return;
  try {
    new Uint8Array(piece.buffer);
  } catch (error) {
    const message = 'a piece of the input is a detached Uint8Array: its memory was transferred';
    throw new BoardmillError('usage', message, { cause: error });
  }
}

/** See `solveStream` in functions.ts. */
export async function* solveStream(
  problem: string,
  input: string | InputPieces,
  reading: Promise<SolveOptions>,
  folder: string | null,
): AsyncGenerator<StreamedAnswer, void, undefined> {
  const { options, request, guard } = await prepare(problem, input, reading, folder);
  const controller = createStopController(options.signal);
  const stop = controller.signal;
  const source = typeof input === 'string' ? await openSource(input) : sourceOf(input);
  // The stream holds one write at a time, which ends when the loop comes to its answers. So the run knows how far the loop is.
  const output = new PassThrough({ readableHighWaterMark: 1 });
  let failure: unknown = null;
  const running = closeSourceAfter(source, stop, () =>
    solveInto(streamSink(output), source, { request, guard }, options, stop),
  )
    .catch((error: unknown) => {
      failure = errorForCaller(error, options.signal);
    })
    .finally(() => output.end());
  try {
    // The engine writes whole lines, so a piece never ends within a line.
    for await (const lines of output as AsyncIterable<Buffer>) {
      for (const line of lines.toString().trimEnd().split('\n')) {
        // The caller may have aborted its signal after it got the last answer.
        options.signal?.throwIfAborted();
        yield JSON.parse(line) as StreamedAnswer;
      }
    }
    if (failure !== null) throw failure;
  } finally {
    controller.abort('SIGTERM');
    output.destroy();
    await running;
  }
}

/** Reads the options, and makes a request from them. If that fails, closes the input, which nobody else would close. */
async function prepare(
  problem: string,
  input: string | InputPieces,
  reading: Promise<SolveOptions>,
  folder: string | null,
) {
  checkValue('`input`', INPUT_RULE, input);
  try {
    checkValue('`problem`', NAME_RULE, problem);
    const options = await reading;
    options.signal?.throwIfAborted();
    const path = typeof input === 'string' ? input : undefined;
    const guard = guardFolder(folder, { problem, input: path, options });
    return { options, request: await requestFromOptions(problem, options), guard };
  } catch (error) {
    const close = async () => typeof input !== 'string' && startReading(input).close();
    close().catch(() => {});
    throw error;
  }
}

/** Solves all cases of the source, and writes a line of JSON for each case to the output. */
async function solveInto(
  sink: Sink,
  source: Source,
  { request, guard }: { request: SolveRequest; guard: FileGuard },
  options: SolveOptions,
  stop: AbortSignal,
): Promise<void> {
  const { onError = 'stop' } = options;
  const settings = { outputFormat: 'ndjson', columns: [], onError } as const;
  const dispatcher = await openStoppableDispatcher(request, source.size, guard, stop);
  try {
    const runOptions = { ...runOptionsOf(request, options, settings, stop), staysNearReader: true };
    await solveInput(source, sink, dispatcher, runOptions, new RunTally());
  } finally {
    await dispatcher.close();
  }
}

const STREAM_NAME = '<stream>';

function readFailure(error: unknown): BoardmillError {
  return new BoardmillError('io', `cannot read ${STREAM_NAME}: ${systemReason(error)}`, { cause: error });
}

/**
 * Returns a source that reads the pieces of an input. Closing the source ends the reading at once, even if the next piece never
 * comes. It also closes the input if that is a stream.
 */
function sourceOf(input: InputPieces): Source {
  let reading: Reading;
  try {
    reading = startReading(input);
  } catch (error) {
    throw readFailure(error);
  }
  let isClosed = false;
  let endReading = () => {};
  const nextPiece = () =>
    new Promise<IteratorResult<Uint8Array | string>>((resolve, reject) => {
      endReading = () => resolve({ done: true, value: undefined });
      if (isClosed) endReading();
      else reading.next().then(resolve, (error: unknown) => reject(readFailure(error)));
    });
  async function* pieces() {
    /** The first half of a surrogate pair at the end of a piece, whose other half is in the next piece. */
    let half = '';
    for (let next = await nextPiece(); !next.done; next = await nextPiece()) {
      const { value } = next;
      checkValue('a piece of the input', PIECE_RULE, value);
      if (typeof value === 'string') {
        const text = half + value;
        half = /[\ud800-\udbff]/.exec(text.slice(-1))?.[0] ?? '';
        yield bytesOf(text.slice(0, text.length - half.length));
      } else {
        bytesOf(half);
        assertAttached(value);
        yield value;
      }
    }
    if (!isClosed) bytesOf(half);
  }
  return new Source({
    name: STREAM_NAME,
    size: null,
    pieces: pieces(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      endReading();
      reading.close().catch(() => {});
    },
  });
}

function bytesOf(text: string): Uint8Array {
  checkValue('a piece of the input', INPUT_TEXT_RULE, text);
  return Buffer.from(text);
}

/** How the pieces of an input are read. Both functions may fail, but neither throws before it returns a promise. */
interface Reading {
  next(): Promise<IteratorResult<Uint8Array | string>>;
  close(): Promise<unknown>;
}

/** Starts to read an input. The iterator of a stream would close it only after the next piece, which may never come. */
function startReading(input: InputPieces): Reading {
  if (input instanceof ReadableStream) {
    const reader = input.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<Uint8Array | string>>,
      close: () => reader.cancel().finally(() => reader.releaseLock()),
    };
  }
  const iterator = input[Symbol.asyncIterator]();
  return {
    next: async () => {
      // A result that is no object is an error of the input, too.
      const { done, value } = await iterator.next();
      return { done, value } as IteratorResult<Uint8Array | string>;
    },
    close: async () => {
      if (input instanceof Readable) input.destroy();
      await iterator.return?.();
    },
  };
}
