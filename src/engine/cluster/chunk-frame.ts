/** Writes a chunk as a frame, and reads it. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { newDigest } from '../../core/digest.js';
import { COLUMNS } from '../../problems/output-columns.js';
import { OUTPUT_FORMATS } from '../../problems/output-formats.js';
import type { ChunkTask } from '../messages.js';
import { Count, createFrame, type Frame, readFrame } from './frame.js';

const SCHEMA = 'boardmill/chunk/1';

const Header = v.object({
  schema: v.literal(SCHEMA),
  firstCase: v.pipe(Count, v.minValue(1)),
  isSolvedOneByOne: v.boolean(),
  hasHead: v.boolean(),
  settings: v.object({
    outputFormat: v.picklist(OUTPUT_FORMATS),
    columns: v.array(v.picklist(COLUMNS)),
    onError: v.picklist(['stop', 'mark']),
  }),
  origin: v.nullable(v.object({ file: v.string(), line: v.pipe(Count, v.minValue(1)) })),
  /** Where the bytes of the chunk are on storage that all hosts see; null if they are in the frame. */
  range: v.nullable(v.object({ path: v.string(), from: Count, bytes: Count, digest: v.string() })),
});

type Range = NonNullable<v.InferOutput<typeof Header>['range']>;

/**
 * Writes a chunk as a frame of three parts: the lengths of its cases, the head of the input, and its bytes. If the input is
 * shared, the frame says where the bytes are instead.
 */
export function createChunkFrame(task: ChunkTask, isInputShared: boolean): Frame {
  const { bytes, starts, firstCase, head, settings, origin, isSolvedOneByOne } = task;
  const { outputFormat, columns, onError } = settings;
  const header = {
    schema: SCHEMA,
    firstCase,
    isSolvedOneByOne,
    hasHead: head.bytes !== null,
    settings: { outputFormat, columns, onError },
    origin,
    range: isInputShared ? rangeOf(task) : null,
  };
  return createFrame(header, [
    lengthsOf(starts),
    head.bytes ?? new Uint8Array(),
    isInputShared ? new Uint8Array() : bytes,
  ]);
}

/** Returns the id of a chunk: a digest of everything that its answers depend on. `needsId` stands for what hosts must have. */
export function idOfChunk(needsId: string, frame: Frame): string {
  return newDigest().update(needsId).update(frame).digest('hex').slice(0, 40);
}

function rangeOf({ bytes, place }: ChunkTask): Range {
  if (place === undefined) throw new Error('a chunk of a shared input must have a place');
  return { path: resolve(place.input), from: place.offset, bytes: bytes.length, digest: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): string {
  return newDigest().update(bytes).digest('hex');
}

/** Lengths are small numbers that repeat, so they are deflated better than the offsets of the cases. */
function lengthsOf(starts: Uint32Array): Uint8Array {
  const lengths = Uint32Array.from(
    { length: starts.length - 1 },
    (_, index) => starts[index + 1] - starts[index],
  );
  return new Uint8Array(lengths.buffer);
}

/** A chunk that a host has read from a frame. The number of its head is still missing. */
export interface ReceivedChunk extends Omit<ChunkTask, 'head' | 'place'> {
  readonly head: Uint8Array | null;
}

/** Why a host cannot solve a chunk that it has received. */
export class BadChunk extends Error {}

/** Reads a chunk from a frame that another process has made. Throws BadChunk if it cannot. */
export async function readChunkFrame(frame: Frame): Promise<ReceivedChunk> {
  const content = readFrame(frame);
  const read = v.safeParse(Header, content?.header);
  if (content === null || !read.success || content.parts.length !== 3)
    throw new BadChunk('the chunk is not written as boardmill writes it');
  const [lengths, head, ownBytes] = content.parts;
  const { range, hasHead, schema: _, ...others } = read.output;
  const bytes = range === null ? ownBytes : await readRange(range);
  const starts = startsOf(lengths, bytes.length);
  return { ...others, starts, bytes: new Uint8Array(bytes), head: hasHead ? new Uint8Array(head) : null };
}

/** Returns the offsets of cases with these lengths. Throws BadChunk if they do not fit into the chunk. */
function startsOf(lengths: Uint8Array, chunkBytes: number): Uint32Array {
  const count = lengths.length / Uint32Array.BYTES_PER_ELEMENT;
  if (!Number.isInteger(count) || count === 0) throw new BadChunk('the chunk has no cases');
  const view = new DataView(lengths.buffer, lengths.byteOffset, lengths.length);
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (let index = 0; index < count; index++) {
    end += view.getUint32(index * Uint32Array.BYTES_PER_ELEMENT, true);
    if (end > chunkBytes) throw new BadChunk('the cases of the chunk are longer than its bytes');
    starts[index + 1] = end;
  }
  return starts;
}

/** Reads the bytes of a chunk of a shared input. Throws BadChunk if they are not those that the coordinator has read. */
async function readRange({ path, from, bytes, digest }: Range): Promise<Buffer> {
  const stale = new BadChunk(
    `bytes ${from} to ${from + bytes} of ${path} are not those that the coordinator read`,
  );
  // A FIFO in its place would keep the host waiting, if it were opened without O_NONBLOCK.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw new BadChunk(`the host cannot open ${path} (${error.code}), which --shared-input says it can`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size < from + bytes) throw stale;
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, from);
    if (bytesRead !== bytes || digestOf(buffer) !== digest) throw stale;
    return buffer;
  } finally {
    await file.close();
  }
}
