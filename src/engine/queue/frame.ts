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
import { constants, deflate, inflate } from 'node:zlib';
import * as v from 'valibot';
import { KIB } from '../../core/bytes.js';
import { parseJson } from '../../core/json.js';
import { MAX_FRAME_BYTES } from './limits.js';

/** Smallest frame that is deflated, in bytes. */
const MIN_DEFLATED_BYTES = KIB;

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
export type Frame = Buffer;

export function createFrame(header: object, parts: readonly Uint8Array[]): Frame {
  const text = Buffer.from(JSON.stringify({ ...header, lengths: parts.map(({ length }) => length) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...parts]);
}

/** Packs a frame: returns the bytes to send. A thread of Node's own does the deflating. */
export async function packFrame(frame: Frame): Promise<Buffer> {
  if (frame.length >= MIN_DEFLATED_BYTES) {
    // This is the fastest level. The bytes that a higher level saves would be sent in less time than that level takes.
    const deflated = await deflateAsync(frame, { level: constants.Z_BEST_SPEED });
    if (deflated.length < frame.length) return Buffer.concat([prefixOf(DEFLATED, frame), deflated]);
  }
  return Buffer.concat([prefixOf(PLAIN, frame), frame]);
}

/** Number of bytes at the start of a packed frame that say how long the frame is. */
export const PACKED_PREFIX_BYTES = 1 + LENGTH_BYTES;

function prefixOf(packing: number, frame: Frame): Buffer {
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
export async function unpackFrame(packed: Buffer): Promise<Frame | null> {
  const length = statedFrameLength(packed);
  if (length === null) return null;
  const content = packed.subarray(PACKED_PREFIX_BYTES);
  const frame = packed[0] === PLAIN ? content : await inflateTo(length, content);
  return frame?.length === length ? frame : null;
}

/** Inflates bytes. Returns null if the result has more than `maxBytes` bytes, or if the bytes are damaged. */
function inflateTo(maxBytes: number, content: Buffer): Promise<Buffer | null> {
  return inflateAsync(content, { maxOutputLength: Math.max(1, maxBytes) }).catch(() => null);
}

/** The content of a frame that another process has written. Only the lengths of its parts have been checked. */
interface FrameContent {
  readonly header: unknown;
  readonly parts: readonly Buffer[];
}

/** Returns the content of a frame; null if the lengths of its parts do not add up, or if the header is too long. */
export function readFrame(frame: Frame, maxHeaderBytes: number): FrameContent | null {
  if (frame.length < LENGTH_BYTES) return null;
  const headerEnd = LENGTH_BYTES + frame.readUInt32LE(0);
  if (headerEnd > Math.min(frame.length, LENGTH_BYTES + maxHeaderBytes)) return null;
  const header = parseJson(frame.toString('utf8', LENGTH_BYTES, headerEnd));
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
