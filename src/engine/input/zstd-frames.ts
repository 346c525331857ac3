/**
 * Finds the frames of zstd data (RFC 8878, section 3.1). Node's decoder reads one frame and ignores all data after
 * that frame, but tools such as pzstd write many frames. And the decoder of Node 22 does not notice that a frame is
 * cut off.
 *
 *     frame:  magic number, 4 bytes | header, 2 to 14 bytes | blocks | checksum, 0 or 4 bytes
 *     block:  3 bytes, little-endian: bit 0 last block, bits 1-2 type, bits 3-23 size | content
 *     skippable frame:  magic number, 4 bytes | size, 4 bytes | content
 */
import { BoardmillError } from '../../core/errors.js';

/** Bytes of compressed data, and whether a frame ends at the end of these bytes. */
export interface ZstdFramePart {
  readonly bytes: Uint8Array;
  readonly endsFrame: boolean;
}

/** The error of an input whose compressed data is damaged or incomplete. */
export class DamagedDataError extends BoardmillError {
  constructor(
    input: string,
    readonly description: string,
  ) {
    super('input', `${input}: ${description}`);
  }
}

export function errorOfDamage(input: string, name: string, reason: string): DamagedDataError {
  return new DamagedDataError(input, `the ${name} data is damaged or cut off: ${reason}`);
}

const FRAME_MAGIC = 0xfd2fb528;
/**
 * The magic number of a skippable frame, which a decoder ignores. The last hexadecimal digit of the number may have
 * any value.
 */
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAGIC_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
const SKIPPABLE_HEADER_BYTES = 8;
/** The type of a run-length block, which contains a single byte that the decoder repeats. */
const RLE_BLOCK_TYPE = 1;
const RESERVED_BLOCK_TYPE = 3;

/**
 * Yields all bytes of zstd data, divided at the ends of frames. Fails with kind `input` if the data does not consist
 * of whole frames.
 */
export async function* splitZstdFrames(
  pieces: AsyncIterable<Uint8Array>,
  input: string,
): AsyncGenerator<ZstdFramePart> {
  const scanner = new ZstdFrameScanner(input);
  for await (const piece of pieces) yield* scanner.scan(piece);
  scanner.end();
}

/** The part of a zstd frame to which the next bytes of the data belong. */
type FrameState = 'magic' | 'frame header' | 'skippable header' | 'block header' | 'content' | 'checksum';

class ZstdFrameScanner {
  readonly #input: string;
  #frameState: FrameState = 'magic';
  /** The bytes of the current header that have been read so far. */
  #headerSoFar: number[] = [];
  /** Length of the current header in bytes, as far as it is known. */
  #headerLength = MAGIC_BYTES;
  /** Number of bytes of the current block content or checksum that have not been read yet. */
  #remainingContentBytes = 0;
  #hasChecksum = false;
  #isLastBlock = false;

  constructor(input: string) {
    this.#input = input;
  }

  *scan(piece: Uint8Array): Generator<ZstdFramePart> {
    let start = 0;
    let at = 0;
    while (at < piece.length) {
      at +=
        this.#frameState === 'content' || this.#frameState === 'checksum'
          ? this.#skipContent(piece.length - at)
          : this.#readHeaderByte(piece[at]);
      if (this.#frameState !== 'magic' || this.#headerSoFar.length > 0) continue;
      yield { bytes: piece.subarray(start, at), endsFrame: true };
      start = at;
    }
    if (at > start) yield { bytes: piece.subarray(start, at), endsFrame: false };
  }

  /** Fails if the data ends inside a frame. */
  end(): void {
    if (this.#frameState !== 'magic' || this.#headerSoFar.length > 0)
      throw this.#failure('unexpected end of file');
  }

  #skipContent(available: number): number {
    const skipped = Math.min(available, this.#remainingContentBytes);
    this.#remainingContentBytes -= skipped;
    if (this.#remainingContentBytes === 0) this.#endContent();
    return skipped;
  }

  #endContent(): void {
    if (this.#frameState === 'content' && !this.#isLastBlock)
      this.#expectHeader('block header', BLOCK_HEADER_BYTES);
    else if (this.#frameState === 'content' && this.#hasChecksum)
      this.#expectContent('checksum', CHECKSUM_BYTES);
    else this.#expectHeader('magic', MAGIC_BYTES);
  }

  #readHeaderByte(byte: number): number {
    this.#headerSoFar.push(byte);
    if (this.#headerSoFar.length === this.#headerLength) this.#readHeader();
    return 1;
  }

  #readHeader(): void {
    const header = this.#headerSoFar;
    switch (this.#frameState) {
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

  /** Reads the header of a frame. The fifth byte of the header, the descriptor, determines the length of the header. */
  #readFrameHeader(header: readonly number[]): void {
    const descriptor = header[MAGIC_BYTES];
    const isSingleSegment = (descriptor >> 5) & 1;
    const windowBytes = isSingleSegment ? 0 : 1;
    const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
    const contentSizeBytes = [isSingleSegment, 2, 4, 8][descriptor >> 6];
    const bytes = MAGIC_BYTES + 1 + windowBytes + dictionaryBytes + contentSizeBytes;
    this.#hasChecksum = ((descriptor >> 2) & 1) === 1;
    if (header.length < bytes) this.#continueHeader('frame header', bytes);
    else this.#expectHeader('block header', BLOCK_HEADER_BYTES);
  }

  #readBlockHeader(header: number): void {
    const type = (header >> 1) & 3;
    if (type === RESERVED_BLOCK_TYPE) throw this.#failure('a block of an unknown type');
    this.#isLastBlock = (header & 1) === 1;
    this.#expectContent('content', type === RLE_BLOCK_TYPE ? 1 : header >> 3);
  }

  /** Continues to read the same header until `bytes` bytes of it have been read in total. */
  #continueHeader(state: FrameState, bytes: number): void {
    this.#frameState = state;
    this.#headerLength = bytes;
  }

  #expectHeader(state: FrameState, headerBytes: number): void {
    this.#headerSoFar = [];
    this.#continueHeader(state, headerBytes);
  }

  #expectContent(state: 'content' | 'checksum', bytes: number): void {
    this.#headerSoFar = [];
    this.#frameState = state;
    this.#remainingContentBytes = bytes;
    if (bytes === 0) this.#endContent();
  }

  #failure(reason: string): BoardmillError {
    return errorOfDamage(this.#input, 'zstd', reason);
  }
}

function littleEndian(bytes: readonly number[]): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}
