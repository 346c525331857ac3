/**
 * Frames: the form in which chunks and answers are sent as bytes. A frame is a header, which is JSON, and then its parts:
 *
 *     [length of the header: 4 bytes, little-endian][header][part][part]...
 *
 * The header has the length of each part. Before a frame is sent through Redis, it is packed: deflated if that makes it
 * shorter, and with a prefix.
 *
 *     [0: plain, 1: deflated][length of the frame: 4 bytes, little-endian][frame]
 */
import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import * as v from 'valibot';
import { KIB } from '../../core/bytes.js';
import { parseJsonOrNull } from '../../core/json.js';
import { MAX_FRAME_BYTES } from './limits.js';

/** Smallest frame that is deflated, in bytes. */
const MIN_DEFLATED_BYTES = KIB;

/**
 * Largest frames that the calling thread deflates and inflates itself, in bytes. To have a thread of Node's own do it takes the
 * calling thread 0.1 to 0.3 ms, in which it deflates about 4 KiB, or inflates much more than 16 KiB.
 */
const MAX_BYTES_DEFLATED_AT_ONCE = 4 * KIB;
const MAX_BYTES_INFLATED_AT_ONCE = 16 * KIB;

const PLAIN = 0;
const DEFLATED = 1;
const LENGTH_BYTES = 4;

/** The schema of a count in the header of a frame. */
export const CountSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

const Lengths = v.object({ lengths: v.array(CountSchema) });

const deflateAsync = promisify(deflate);
const inflateAsync = promisify(inflate);

/** The bytes of a frame, unpacked. */
export type QueueFrame = Buffer;

export function createQueueFrame(header: object, parts: readonly Uint8Array[]): QueueFrame {
  const text = Buffer.from(JSON.stringify({ ...header, lengths: parts.map(({ length }) => length) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...parts]);
}

/** Packs a frame: returns the bytes to send. A thread of Node's own deflates long frames. */
export async function packQueueFrame(frame: QueueFrame): Promise<Buffer> {
  if (frame.length >= MIN_DEFLATED_BYTES) {
    const deflated = await deflateFast(frame);
    if (deflated.length < frame.length) return Buffer.concat([prefixOf(DEFLATED, frame), deflated]);
  }
  return Buffer.concat([prefixOf(PLAIN, frame), frame]);
}

async function deflateFast(frame: QueueFrame): Promise<Buffer> {
  // This is the fastest level. The bytes that a higher level saves would be sent in less time than that level takes.
  const options = { level: constants.Z_BEST_SPEED };
  return frame.length <= MAX_BYTES_DEFLATED_AT_ONCE
    ? deflateSync(frame, options)
    : deflateAsync(frame, options);
}

/** Number of bytes at the start of a packed frame that say how long the frame is. */
const PACKED_PREFIX_BYTES = 1 + LENGTH_BYTES;

function prefixOf(packing: number, frame: QueueFrame): Buffer {
  const prefix = Buffer.alloc(PACKED_PREFIX_BYTES, packing);
  prefix.writeUInt32LE(frame.length, 1);
  return prefix;
}

/** Returns the length that a packed frame states for the frame; null if it states none, or more than MAX_FRAME_BYTES. */
export function statedFrameLength(packed: Buffer): number | null {
  if (packed.length < PACKED_PREFIX_BYTES || (packed[0] !== PLAIN && packed[0] !== DEFLATED)) return null;
  const length = packed.readUInt32LE(1);
  return length <= MAX_FRAME_BYTES ? length : null;
}

/**
 * Unpacks bytes that another process has packed, and returns the frame; null if the bytes are damaged, or if the frame has
 * another length than they state.
 */
export async function unpackQueueFrame(packed: Buffer): Promise<QueueFrame | null> {
  const length = statedFrameLength(packed);
  if (length === null) return null;
  const content = packed.subarray(PACKED_PREFIX_BYTES);
  const frame = packed[0] === PLAIN ? content : await inflateTo(length, content);
  return frame?.length === length ? frame : null;
}

/** Inflates bytes. Returns null if the result has more than `maxBytes` bytes, or if the bytes are damaged. */
async function inflateTo(maxBytes: number, content: Buffer): Promise<Buffer | null> {
  const options = { maxOutputLength: Math.max(1, maxBytes) };
  try {
    return maxBytes <= MAX_BYTES_INFLATED_AT_ONCE
      ? inflateSync(content, options)
      : await inflateAsync(content, options);
  } catch {
    return null;
  }
}

/** The content of a frame that another process has written. Only the lengths of its parts have been checked. */
interface FrameContent {
  readonly header: unknown;
  readonly parts: readonly Buffer[];
}

/** Returns the content of a frame; null if the lengths of its parts do not add up, or if the header is too long. */
export function readQueueFrame(frame: QueueFrame, maxHeaderBytes: number): FrameContent | null {
  if (frame.length < LENGTH_BYTES) return null;
  const headerEnd = LENGTH_BYTES + frame.readUInt32LE(0);
  if (headerEnd > Math.min(frame.length, LENGTH_BYTES + maxHeaderBytes)) return null;
  const header = parseJsonOrNull(frame.toString('utf8', LENGTH_BYTES, headerEnd));
  const read = v.safeParse(Lengths, header);
  if (!read.success) return null;
  const parts: Buffer[] = [];
  let at = headerEnd;
  for (const length of read.output.lengths) {
    parts.push(frame.subarray(at, at + length));
    at += length;
  }
  return at === frame.length ? { header, parts } : null;
}
