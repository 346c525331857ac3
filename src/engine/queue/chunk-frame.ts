/** Writes chunks as frames, and reads such frames. */
import { resolve } from 'node:path';
import * as v from 'valibot';
import { createDigest } from '../../core/digest.js';
import { COLUMNS } from '../../problems/output-columns.js';
import { OUTPUT_FORMATS } from '../../problems/output-formats.js';
import type { ChunkPlace, ChunkTask } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { AllowedInputFolders } from './allowed-inputs.js';
import { CountSchema, createQueueFrame, type QueueFrame, readQueueFrame } from './frame.js';
import {
  MAX_CHUNK_HEADER_BYTES,
  MAX_EXCLUDED_WORKER_PROCESSES,
  MAX_FRAME_BYTES,
  MAX_WORKER_PROCESS_ID_BYTES,
} from './limits.js';

/** Largest length of the path of an input in a chunk, in characters: Linux has no longer paths. */
const MAX_PATH_CHARS = 4096;

const SCHEMA = 'boardmill/chunk/1';

const Header = v.object({
  schema: v.literal(SCHEMA),
  /** The name of the run to which the chunk belongs, as in Sink. No other run gets the answers to the chunk. */
  runId: v.pipe(v.string(), v.uuid()),
  firstCase: v.pipe(CountSchema, v.minValue(1)),
  isSolvedOneByOne: v.boolean(),
  isPart: v.exactOptional(v.literal(true)),
  hasHead: v.boolean(),
  settings: v.object({
    outputFormat: v.picklist(OUTPUT_FORMATS),
    columns: v.pipe(v.array(v.picklist(COLUMNS)), v.maxLength(COLUMNS.length)),
    onError: v.picklist(['stop', 'mark']),
    fileFirst: v.exactOptional(v.boolean()),
  } satisfies Record<keyof ChunkSettings, unknown>),
  origin: v.nullable(
    v.object({
      file: v.pipe(v.string(), v.maxLength(MAX_PATH_CHARS)),
      line: v.pipe(CountSchema, v.minValue(1)),
    }),
  ),
  /** The ids of the worker processes that must leave the chunk to others. */
  notOn: v.pipe(
    v.array(v.pipe(v.string(), v.maxBytes(MAX_WORKER_PROCESS_ID_BYTES))),
    v.maxLength(MAX_EXCLUDED_WORKER_PROCESSES + 1),
  ),
  /** Where the chunk's bytes are in a file on storage that all machines see; null if the bytes are in the frame. */
  range: v.nullable(
    v.object({
      path: v.pipe(v.string(), v.maxLength(MAX_PATH_CHARS)),
      from: CountSchema,
      bytes: v.pipe(CountSchema, v.maxValue(MAX_FRAME_BYTES)),
      digest: v.pipe(v.string(), v.maxLength(64)),
    }),
  ),
});

/** A chunk, and the name of the run to which the chunk belongs. */
export type TaskOfRun = Omit<ChunkTask, 'run'> & { readonly runId: string };

type Range = NonNullable<v.InferOutput<typeof Header>['range']>;

/**
 * Writes a chunk as a frame of three parts: the lengths of its cases, the head of the input, and its bytes. If the input is
 * shared, the frame states the range of the bytes in the input's file instead of the bytes. The twins of an audit, which are in
 * no file, are always sent with their bytes.
 */
export function createChunkFrame(
  task: TaskOfRun,
  isInputShared: boolean,
  notOn: readonly string[] = [],
): QueueFrame {
  const { runId, bytes, starts, firstCase, head, settings, origin, isSolvedOneByOne, isPart, place } = task;
  const range = isInputShared && place !== undefined ? rangeOf(bytes, place) : null;
  const header = {
    schema: SCHEMA,
    runId,
    firstCase,
    isSolvedOneByOne,
    ...(isPart === undefined ? {} : { isPart }),
    hasHead: head.bytes !== null,
    settings,
    origin,
    notOn,
    range,
  };
  return createQueueFrame(header, [
    lengthsOf(starts),
    head.bytes ?? new Uint8Array(),
    range === null ? bytes : new Uint8Array(),
  ]);
}

/**
 * Returns the id of a chunk: a digest of the run to which it belongs, and of everything that its answers depend on.
 * `requirementsId` is the id of the run's requirements for worker processes.
 */
export function idOfChunk(requirementsId: string, frame: QueueFrame): string {
  return createDigest().update(requirementsId).update(frame).digest('hex').slice(0, 40);
}

function rangeOf(bytes: Uint8Array, place: ChunkPlace): Range {
  return { path: resolve(place.input), from: place.offset, bytes: bytes.length, digest: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): string {
  return createDigest().update(bytes).digest('hex');
}

/** Returns the lengths of cases: small numbers that repeat, and so compress better than the offsets of the cases. */
function lengthsOf(starts: Uint32Array): Uint8Array {
  const lengths = Uint32Array.from(
    { length: starts.length - 1 },
    (_, index) => starts[index + 1] - starts[index],
  );
  return new Uint8Array(lengths.buffer);
}

/** A chunk that a worker process has read from a frame. Its head has no number in this process yet. */
export interface ReceivedChunk extends Omit<TaskOfRun, 'head' | 'place'> {
  readonly head: Uint8Array | null;
  /** The ids of the worker processes that must leave the chunk to others. */
  readonly notOn: readonly string[];
  /** If the chunk's bytes are in a shared input, their range of its file, and `bytes` is empty. Null otherwise. */
  readonly range: Range | null;
}

/**
 * The error that says why a worker process cannot solve a chunk that it has received. The run sees the message, and so does
 * anyone who can read Redis.
 */
export class BadChunkError extends Error {
  /** Details that only the log of the worker process may show; null if there are none. */
  readonly secret: string | null;

  constructor(message: string, secret: string | null = null) {
    super(message);
    this.secret = secret;
  }
}

/** Reads a chunk from a frame that another process has written. Throws BadChunkError if the frame is not that of a chunk. */
export function readChunkFrame(frame: QueueFrame): ReceivedChunk {
  const content = readQueueFrame(frame, MAX_CHUNK_HEADER_BYTES);
  const read = v.safeParse(Header, content?.header);
  if (content === null || !read.success || content.parts.length !== 3)
    throw new BadChunkError('the chunk is not written as boardmill writes it');
  const [lengths, head, bytes] = content.parts.map(
    ({ buffer, byteOffset, length }) => new Uint8Array(buffer, byteOffset, length),
  );
  const { hasHead, schema: _, ...others } = read.output;
  const starts = startsOf(lengths, others.range?.bytes ?? bytes.length);
  return { ...others, starts, bytes, head: hasHead ? head : null };
}

/** Returns the offsets of cases with these lengths. Throws BadChunkError if they do not fit into the chunk. */
function startsOf(lengths: Uint8Array, chunkBytes: number): Uint32Array {
  const count = lengths.length / Uint32Array.BYTES_PER_ELEMENT;
  if (!Number.isInteger(count) || count === 0) throw new BadChunkError('the chunk has no cases');
  const view = new DataView(lengths.buffer, lengths.byteOffset, lengths.length);
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (let index = 0; index < count; index++) {
    end += view.getUint32(index * Uint32Array.BYTES_PER_ELEMENT, true);
    if (end > chunkBytes) throw new BadChunkError('the cases of the chunk are longer than its bytes');
    starts[index + 1] = end;
  }
  return starts;
}

/**
 * Reads the bytes of a chunk from a shared input. Throws BadChunkError if the worker process may not read the file, or if the
 * bytes differ from those that the coordinator has read. The message is the same for all reasons: otherwise, anyone who can
 * write to Redis could find out which files the worker process can read, and what is in them.
 */
export async function readSharedInputRange(range: Range, inputs: AllowedInputFolders): Promise<Uint8Array> {
  try {
    return await readAllowedRange(range, inputs);
  } catch (error) {
    const { path, from, bytes } = range;
    throw new BadChunkError(
      `it has not read bytes ${from} to ${from + bytes} of ${path}; worker processes need the input of a run with --shared-input unchanged, under the same path, in a folder of --allow-inputs`,
      error instanceof Error ? error.message : String(error),
    );
  }
}

async function readAllowedRange(
  { path, from, bytes, digest }: Range,
  inputs: AllowedInputFolders,
): Promise<Buffer> {
  const file = await inputs.open(path);
  try {
    const { size } = await file.stat();
    if (size < from + bytes) throw new Error(`it has only ${size} bytes`);
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, from);
    if (bytesRead !== bytes || digestOf(buffer) !== digest)
      throw new Error('these bytes are not those that the coordinator read');
    return buffer;
  } finally {
    await file.close();
  }
}
