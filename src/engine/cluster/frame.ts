/**
 * How chunks and answers are written as bytes. A frame is a header, which is JSON, and then its parts, which are bytes:
 *
 *     [0: plain, 1: deflated][length of the header: 4 bytes, little-endian][header][part][part]...
 *
 * All but the first byte is deflated if that makes it shorter. The header has the length of each part.
 */
import { promisify } from 'node:util';
import { constants, deflate, inflate } from 'node:zlib';
import * as v from 'valibot';
import { parseJson } from '../../core/json.js';
import { MAX_FRAME_BYTES, MIN_DEFLATED_BYTES } from '../limits.js';

const PLAIN = 0;
const DEFLATED = 1;
const LENGTH_BYTES = 4;

/** A number of things, as the headers of frames have it. */
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

const Lengths = v.object({ lengths: v.array(Count) });

const deflateAsync = promisify(deflate);
const inflateAsync = promisify(inflate);

/** The bytes of a frame, before they are deflated, without the first byte. */
export type Frame = Buffer;

export function createFrame(header: object, parts: readonly Uint8Array[]): Frame {
  const text = Buffer.from(JSON.stringify({ ...header, lengths: parts.map(({ length }) => length) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...parts]);
}

/** Returns the bytes that are sent. Deflating happens on a thread of its own. */
export async function packFrame(frame: Frame): Promise<Buffer> {
  if (frame.length >= MIN_DEFLATED_BYTES) {
    // The fastest level: higher levels take longer than it takes to send the bytes that they save.
    const deflated = await deflateAsync(frame, { level: constants.Z_BEST_SPEED });
    if (deflated.length < frame.length) return Buffer.concat([Buffer.of(DEFLATED), deflated]);
  }
  return Buffer.concat([Buffer.of(PLAIN), frame]);
}

/** Returns the frame in bytes that another process has sent; null if they are none, or more than MAX_FRAME_BYTES. */
export async function unpackFrame(bytes: Uint8Array): Promise<Frame | null> {
  const content = bytes.subarray(1);
  if (bytes[0] === PLAIN && content.length <= MAX_FRAME_BYTES)
    return Buffer.from(content.buffer, content.byteOffset, content.length);
  if (bytes[0] !== DEFLATED) return null;
  return inflateAsync(content, { maxOutputLength: MAX_FRAME_BYTES }).catch(() => null);
}

/** The content of a frame that another process has made: nothing but the lengths of the parts has been checked. */
export interface FrameContent {
  readonly header: unknown;
  readonly parts: readonly Buffer[];
}

/** Returns the content of a frame; null if its lengths do not add up. */
export function readFrame(frame: Frame): FrameContent | null {
  if (frame.length < LENGTH_BYTES) return null;
  const headerEnd = LENGTH_BYTES + frame.readUInt32LE(0);
  if (headerEnd > frame.length) return null;
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
