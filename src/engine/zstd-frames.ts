/**
 * Finds the frames of zstd data (RFC 8878, section 3.1). Node's decoder reads one frame and ignores all that follows, but
 * tools such as pzstd write many; and the decoder of Node 22 does not notice that a frame is cut off.
 *
 *     frame:  magic number, 4 bytes | header, 2 to 14 bytes | blocks | checksum, 0 or 4 bytes
 *     block:  3 bytes, little-endian: bit 0 last block, bits 1-2 type, bits 3-23 size | content
 *     skippable frame:  magic number, 4 bytes | size, 4 bytes | content
 */
import { BoardmillError } from '../core/errors.js';

/** Bytes of compressed data, and whether a frame ends with them. */
export interface FramePart {
  readonly bytes: Uint8Array;
  readonly endsFrame: boolean;
}

/** The compressed data of an input is not whole. */
export class DamagedDataError extends BoardmillError {
  constructor(
    input: string,
    readonly description: string,
  ) {
    super('input', `${input}: ${description}`);
  }
}

export function describeDamage(input: string, name: string, reason: string): DamagedDataError {
  return new DamagedDataError(input, `the ${name} data is damaged or cut off: ${reason}`);
}

const FRAME_MAGIC = 0xfd2fb528;
/** The last hexadecimal digit of a skippable frame's magic number is free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAGIC_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
const SKIPPABLE_HEADER_BYTES = 8;
/** A block of this type holds one byte, which is repeated. */
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** Passes all bytes on. Fails with kind `input` if they are no whole frames. */
export async function* splitZstdFrames(
  pieces: AsyncIterable<Uint8Array>,
  input: string,
): AsyncGenerator<FramePart> {
  const scanner = new FrameScanner(input);
  for await (const piece of pieces) yield* scanner.scan(piece);
  scanner.end();
}

/** What the next bytes are. */
type State = 'magic' | 'frame header' | 'skippable header' | 'block header' | 'content' | 'checksum';

class FrameScanner {
  readonly #input: string;
  #state: State = 'magic';
  /** The bytes of the header that is being read. */
  #header: number[] = [];
  /** Bytes of that header. */
  #headerBytes = MAGIC_BYTES;
  /** Bytes of content or checksum that are still to come. */
  #contentBytes = 0;
  #hasChecksum = false;
  #isLastBlock = false;

  constructor(input: string) {
    this.#input = input;
  }

  *scan(piece: Uint8Array): Generator<FramePart> {
    let start = 0;
    let at = 0;
    while (at < piece.length) {
      at +=
        this.#state === 'content' || this.#state === 'checksum'
          ? this.#skip(piece.length - at)
          : this.#read(piece[at]);
      if (this.#state !== 'magic' || this.#header.length > 0) continue;
      yield { bytes: piece.subarray(start, at), endsFrame: true };
      start = at;
    }
    if (at > start) yield { bytes: piece.subarray(start, at), endsFrame: false };
  }

  /** Fails if the data ends inside a frame. */
  end(): void {
    if (this.#state !== 'magic' || this.#header.length > 0) throw this.#failure('unexpected end of file');
  }

  #skip(available: number): number {
    const skipped = Math.min(available, this.#contentBytes);
    this.#contentBytes -= skipped;
    if (this.#contentBytes === 0) this.#endContent();
    return skipped;
  }

  #endContent(): void {
    if (this.#state === 'content' && !this.#isLastBlock) this.#expect('block header', BLOCK_HEADER_BYTES);
    else if (this.#state === 'content' && this.#hasChecksum) this.#expectContent('checksum', CHECKSUM_BYTES);
    else this.#expect('magic', MAGIC_BYTES);
  }

  #read(byte: number): number {
    this.#header.push(byte);
    if (this.#header.length === this.#headerBytes) this.#readHeader();
    return 1;
  }

  #readHeader(): void {
    const header = this.#header;
    switch (this.#state) {
      case 'magic':
        this.#readMagic(littleEndian(header));
        break;
      case 'frame header':
        this.#readFrameHeader(header);
        break;
      case 'skippable header':
        this.#isLastBlock = true;
        this.#hasChecksum = false;
        this.#expectContent('content', littleEndian(header.slice(MAGIC_BYTES)));
        break;
      default:
        this.#readBlockHeader(littleEndian(header));
    }
  }

  #readMagic(magic: number): void {
    if (magic === FRAME_MAGIC) this.#continueHeader('frame header', MAGIC_BYTES + 1);
    else if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC)
      this.#continueHeader('skippable header', SKIPPABLE_HEADER_BYTES);
    else throw this.#failure('a frame should begin here');
  }

  /** The descriptor, the fifth byte, says how long the header is. */
  #readFrameHeader(header: readonly number[]): void {
    const descriptor = header[MAGIC_BYTES];
    const isSingleSegment = (descriptor >> 5) & 1;
    const windowBytes = isSingleSegment ? 0 : 1;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
    const contentSizeBytes = [isSingleSegment, 2, 4, 8][descriptor >> 6];
    const bytes = MAGIC_BYTES + 1 + windowBytes + dictionaryBytes + contentSizeBytes;
    this.#hasChecksum = ((descriptor >> 2) & 1) === 1;
    if (header.length < bytes) this.#continueHeader('frame header', bytes);
    else this.#expect('block header', BLOCK_HEADER_BYTES);
  }

  #readBlockHeader(header: number): void {
    const type = (header >> 1) & 3;
    if (type === RESERVED_BLOCK) throw this.#failure('a block of an unknown type');
    this.#isLastBlock = (header & 1) === 1;
    this.#expectContent('content', type === RLE_BLOCK ? 1 : header >> 3);
  }

  /** Reads on in the same header, up to so many bytes in all. */
  #continueHeader(state: State, bytes: number): void {
    this.#state = state;
    this.#headerBytes = bytes;
  }

  #expect(state: State, headerBytes: number): void {
    this.#header = [];
    this.#continueHeader(state, headerBytes);
  }

  #expectContent(state: 'content' | 'checksum', bytes: number): void {
    this.#header = [];
    this.#state = state;
    this.#contentBytes = bytes;
    if (bytes === 0) this.#endContent();
  }

  #failure(reason: string): BoardmillError {
    return describeDamage(this.#input, 'zstd', reason);
  }
}

function littleEndian(bytes: readonly number[]): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}
