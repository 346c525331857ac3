/**
 * The second stage: cuts an input into chunks at case boundaries. The scanner only finds where cases end. The
 * workers parse the cases, including the bad ones.
 */
import {
  decodeLatin1,
  findTokenEnd,
  isWhitespace,
  KIB,
  quoteToken,
  skipWhitespace,
} from '../../core/bytes.js';
import { type Fault, pluralize } from '../../core/errors.js';
import { describeNonText, MAX_SIGNATURE_BYTES } from '../../core/files/file-signatures.js';
import { EMPTY_SPAN, joinSpans, measureSpan, type TextSpan } from '../../core/location.js';
import {
  type CaseExtent,
  type CaseScanner,
  type CaseSearch,
  type HeadExtent,
  type InputFormat,
  NO_TAIL,
} from '../../formats/input-format.js';
import type { InputHasher, SizeAndDigest } from '../input/input-hash.js';
import type { ShardExtent, ShardRange } from '../input/shard.js';
import type { AllocateReadMemory } from '../input/source.js';
import { InputWindow, type WindowMemory } from '../input/window.js';
import { KERNEL_LANES, LOOKAHEAD_BYTES } from '../limits.js';
import type { ErrorPolicy } from '../output-settings.js';
import type { CaseBoundary, ScanPosition } from '../position.js';

/**
 * If a case has more bytes than this and its end has not arrived, the scanner waits until it has twice as many bytes before it
 * looks for the end again.
 */
const MIN_RESCAN_BYTES = 64 * KIB;

/** The scanner drops the cases before its shard each time that it has found this many bytes of them. */
const PASSED_OVER_BYTES = 64 * KIB;

/**
 * Smallest number of cases in a chunk that the scanner fills up for the lanes of a kernel. If smaller chunks were
 * filled up, the workers would share the work less evenly.
 */
const MIN_CASES_FOR_LANES = 48;

/** Consecutive whole cases of the input. */
export interface Chunk {
  readonly kind: 'chunk';
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends: `cases + 1` numbers. */
  readonly starts: Uint32Array;
  readonly firstCase: number;
  /** The head of the input; null if the input has no head. All chunks of an input share one array. */
  readonly head: Uint8Array | null;
  /** Span from the end of the previous chunk (or the start of the input) to the first byte of this chunk. */
  readonly spanBefore: TextSpan;
  /**
   * Number of cases at the start of the chunk whose every byte the scanner has checked: they are valid, and their bytes can be
   * copied into another input as they are.
   */
  readonly canonicalCases: number;
  readonly positionAfter: ScanPosition;
  /** Whether the last case of the chunk ends where the input ends. Such a case might end elsewhere in a longer input. */
  readonly endsWithInput: boolean;
  /** Whether the scanner has found that the last case of the chunk is invalid, so that its parser must find a fault. */
  readonly isLastInvalid: boolean;
}

/**
 * The end of the input. `fault` is null, or says what is wrong with the end of the input: the input is truncated, or continues
 * after its last case. A fault of the end belongs to no chunk.
 */
export interface InputEnd {
  readonly kind: 'end';
  readonly fault: (Omit<Fault, 'offset'> & { readonly caseNumber: number | null }) | null;
  /** Span from the end of the last chunk to the fault, or to the end of the input if the end has no fault. */
  readonly spanBefore: TextSpan;
  /** The first bytes of the input that were not read; empty if the input was read to its last byte. */
  readonly following: Uint8Array;
  /** Where the cases of the shard begin and end; null if the scan was not asked for a shard. */
  readonly shard: ShardExtent | null;
  /**
   * The number of bytes of the whole input, and their hash; null unless the scan has read the input to its end and found no
   * fault.
   */
  readonly input: SizeAndDigest | null;
}

export interface ScanOptions {
  readonly inputFormat: InputFormat;
  readonly onError: ErrorPolicy;
  /**
   * Returns the size in bytes at which the next chunk is large enough. The scanner calls it before each chunk, with the offset
   * in the input at which the chunk begins.
   */
  readonly chunkBytes: (offset: number) => number;
  /** A chunk has a multiple of this number of cases. If missing, a chunk has as many cases as fill all lanes of a kernel. */
  readonly caseMultiple?: number;
  /**
   * Returns the size in bytes at which a chunk is large enough even if its number of cases is not a multiple of `caseMultiple`.
   * If missing, only a multiple is enough.
   */
  readonly maxChunkBytes?: (offset: number) => number;
  /** Largest number of cases in a chunk; missing if there is no limit. */
  readonly maxCasesPerChunk?: number;
  /** Number of the last case to find. The scan ends after this case, whatever follows. Missing if all cases are wanted. */
  readonly lastCase?: number;
  /** The scanner pauses before the first case that begins at or after this offset. If missing, the scanner never pauses. */
  readonly restOffset?: number;
  /** The part of the input whose cases are wanted, for `--shard`. Missing if all cases are wanted. */
  readonly shardRange?: ShardRange;
  /**
   * The memory in which the bytes of chunks stay until the caller releases them. If missing, the scanner copies the bytes of
   * each chunk.
   */
  readonly memory?: WindowMemory;
  /** Called once, with a function that returns the memory into which the next bytes of the input should be read. */
  readonly readInto?: (space: AllocateReadMemory) => void;
  /** Called once, with the head of the input. */
  readonly onHead?: (head: HeadExtent) => void;
  /**
   * Called when the scanner skips bytes that belong to no chunk. The memory of these bytes is reused after the call.
   */
  readonly onSkipped?: (bytes: Uint8Array) => void;
  /** The hash to which the scanner adds every byte of the input, in order; null if the input need not be hashed. */
  readonly hash: InputHasher | null;
  /**
   * The position from which an interrupted run is continued: the pieces then begin at its offset. Null if the pieces begin at
   * the start of the input.
   */
  readonly startPosition: ScanPosition | null;
}

/**
 * Reads the pieces of an input, and yields chunks of whole cases. The last item that it yields is the end of the input, unless
 * an invalid case ended the scan under `--on-error stop`.
 */
export async function* scanIntoChunks(
  pieces: AsyncIterable<Uint8Array>,
  options: ScanOptions,
): AsyncGenerator<Chunk | InputEnd> {
  const scanner = new Scanner(options);
  options.readInto?.((length) => scanner.reserve(length));
  try {
    for await (const piece of pieces) {
      scanner.feed(piece);
      yield* scanner.cut(false);
      if (scanner.isDone) return;
    }
  } catch (error) {
    // The input cannot be read to its end. The cases before the failure that were read completely are answered nevertheless.
    yield* scanner.closeChunk();
    throw error;
  }
  yield* scanner.cut(true);
}

/** Whether a chunk with this many cases fills all lanes of a kernel, or is so small that empty lanes do not matter. */
function fillsKernelLanes(cases: number): boolean {
  return cases < MIN_CASES_FOR_LANES || cases % KERNEL_LANES === 0;
}

/** What the scanner expects to find next in the input. */
type ScanState =
  | 'head'
  | 'cases'
  /** State after an invalid case under `--on-error mark`: the scanner looks for the next case. */
  | 'find-next-case'
  /** State after the last case: only whitespace may follow. */
  | 'after-cases'
  | 'done';

/** The state of a scanner that continues at a position. */
const STATE_AT: Readonly<Record<ScanPosition['searching'], ScanState>> = {
  no: 'cases',
  blank: 'find-next-case',
  token: 'find-next-case',
  end: 'after-cases',
};

export class Scanner {
  readonly #options: ScanOptions;
  readonly #inputFormat: InputFormat;
  readonly #caseScanner: CaseScanner;
  readonly #window: InputWindow;
  readonly #caseExtent: CaseExtent = { end: 0, neededEnd: 0, isInvalid: false };
  readonly #caseSearch: CaseSearch = { at: 0, isInsideToken: false };
  #scanState: ScanState = 'head';
  /** Number of cases that the head promises; Infinity if the head states no number. */
  #promisedCases = Number.POSITIVE_INFINITY;
  #head: Uint8Array | null = null;
  /** The head of the input as text, with one character a byte: positions store the head in this form. */
  #headText: string | null = null;
  /**
   * Number of bytes that must follow `#scannedIndex` before the scanner tries again to find the end of a large case. The number
   * doubles with each attempt, up to the largest size of a case, so that all attempts together take no longer than four single
   * ones.
   */
  #wantedBytes = 0;
  /** Number of cases that the scanner has found in the input, including the cases in the open chunk. */
  #foundCases = 0;
  /** Whether the last case that was found ends where the input ends. */
  endsWithInput = false;
  /** Offsets of the cases in the open chunk, relative to `window.start`. */
  #caseStarts = new Uint32Array(1024);
  #openChunkCases = 0;
  /** As in `Chunk`, for the open chunk. */
  #canonicalCases = 0;
  /** Size in bytes at which the open chunk is large enough. */
  #fullChunkBytes = 0;
  /** Size at which the open chunk is large enough, whatever its number of cases. */
  #maxChunkBytes = 0;
  /** Index into the window after the last case of the open chunk. */
  #scannedIndex = 0;
  /** Span of the bytes that the scanner has skipped since the end of the last chunk. */
  #skippedSpan: TextSpan = EMPTY_SPAN;
  /** Index of `window.start` in the whole input. */
  #windowOffset = 0;
  /** Offset in the input at which the last case that was found, or the head, ends; -1 before the head was read. */
  #boundaryOffset = -1;
  /** Whether the scanner is still before its shard. It finds the cases there, but makes no chunks of them. */
  #isPassingOver: boolean;
  /** The offset at which the shard begins or, once it has begun, ends; Infinity if all following cases are wanted. */
  #nextBound: number;
  /** Where the shard begins, as far as the scanner knows; null if the scan was not asked for a shard. */
  #shardStart: CaseBoundary | null = null;
  /** Where the last chunk of the shard ends; null if the shard has had no chunk. */
  #shardEnd: CaseBoundary | null = null;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#window = new InputWindow(options.memory);
    const { shardRange } = options;
    this.#isPassingOver = shardRange !== undefined;
    this.#nextBound = shardRange?.from ?? Number.POSITIVE_INFINITY;
    this.#inputFormat = options.inputFormat;
    this.#caseScanner = options.inputFormat.createScanner({ isThorough: options.onError === 'mark' });
    if (options.startPosition !== null && options.startPosition.offset > 0)
      this.#continueFrom(options.startPosition);
  }

  #continueFrom(position: ScanPosition): void {
    this.#windowOffset = position.offset;
    this.#foundCases = position.cases;
    this.#promisedCases = position.promised ?? Number.POSITIVE_INFINITY;
    // A Buffer has another hidden class than all other bytes that are scanned, so V8 would drop the code compiled for them.
    this.#head = position.head === null ? null : new Uint8Array(Buffer.from(position.head, 'latin1'));
    this.#headText = position.head;
    this.#caseScanner.useHead(this.#head);
    this.#scanState = STATE_AT[position.searching];
    this.#caseSearch.isInsideToken = position.searching === 'token';
    this.#boundaryOffset = position.offset;
    if (this.#options.shardRange !== undefined) this.#continueShard(position, this.#options.shardRange);
  }

  #continueShard(position: ScanPosition, { to }: ShardRange): void {
    this.#shardStart = position.shardStart!;
    this.#isPassingOver = false;
    this.#nextBound = to;
    this.#shardEnd = boundaryAt(position);
  }

  get isDone(): boolean {
    return this.#scanState === 'done';
  }

  /**
   * Whether the scanner has paused at `restOffset`: it has closed its chunk, and `position` says where the scan would continue.
   */
  get isResting(): boolean {
    return this.#openChunkCases === 0 && this.#hasReachedRest;
  }

  get #hasReachedRest(): boolean {
    const canRest = this.#scanState === 'cases' || this.#scanState === 'find-next-case';
    return canRest && this.#scannedIndex >= this.#indexOf(this.#restOffset);
  }

  get #restOffset(): number {
    return this.#options.restOffset ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the index into the window of a byte with this offset in the input. */
  #indexOf(offset: number): number {
    return offset - this.#windowOffset + this.#window.start;
  }

  /** The position after the last chunk and after the bytes that the scanner has skipped since. */
  get position(): ScanPosition {
    return this.#currentPosition();
  }

  /** Span of the bytes that were skipped since the end of the last chunk. */
  get skippedSpan(): TextSpan {
    return this.#skippedSpan;
  }

  /**
   * Gives the scanner, in place of calls of `feed`, all bytes from its start position to the last byte that was read so far.
   * Each later call gives more bytes, perhaps in other memory.
   */
  attach(bytes: Uint8Array): void {
    this.#window.bytes = bytes;
    this.#window.end = bytes.length;
  }

  /** Returns free memory of the window: bytes of the input that are read into it need not be copied. */
  reserve(length: number): Uint8Array {
    this.#scannedIndex -= this.#window.reserve(length);
    return this.#window.free.subarray(0, length);
  }

  feed(piece: Uint8Array): void {
    this.#scannedIndex -= this.#window.append(piece);
  }

  /** Ends the current chunk: yields the cases that were found since the last chunk, if there are any. */
  *closeChunk(): Generator<Chunk> {
    yield* this.#closeChunk(this.#scannedIndex);
  }

  /** Yields all chunks that the bytes in the window suffice for. `atEnd` says that the input has no more bytes. */
  *cut(atEnd: boolean): Generator<Chunk | InputEnd> {
    for (;;) {
      while (!this.isDone && this.#boundaryOffset >= this.#nextBound) yield* this.#crossShardBound();
      const stateBefore = this.#scanState;
      if (stateBefore === 'head') yield* this.#readHead(atEnd);
      else if (stateBefore === 'cases') yield* this.#cutCases(atEnd);
      else if (stateBefore === 'find-next-case') this.#findNextCase(atEnd);
      else if (stateBefore === 'after-cases') yield* this.#readAfterCases(atEnd);
      // If the scanner's state has not changed, the scanner rests or needs more bytes to continue.
      if (this.#scanState === stateBefore) return;
    }
  }

  *#readHead(atEnd: boolean): Generator<InputEnd> {
    const { bytes, end } = this.#window;
    if (end < MAX_SIGNATURE_BYTES && !atEnd) return;
    const nonText = describeNonText(bytes.subarray(0, end));
    if (nonText !== null) {
      yield this.#createEnd(0, { expected: 'text', got: nonText }, null);
      return;
    }
    if (!this.#hasWantedBytes(atEnd)) return;
    const { maxCaseBytes } = this.#inputFormat;
    const limit = Math.min(end, maxCaseBytes);
    const head = this.#caseScanner.readHead(bytes, limit, atEnd && limit === end);
    if (head === null) {
      const expected = `the first case within ${maxCaseBytes} bytes`;
      if (limit < end) yield this.#createEnd(limit, { expected, got: 'whitespace' }, null);
      this.#wantMoreBytes();
      return;
    }
    if ('offset' in head) {
      yield this.#createEnd(head.offset, head, null);
      return;
    }
    this.#options.onHead?.(head);
    this.#promisedCases = head.cases ?? Number.POSITIVE_INFINITY;
    this.#head = head.head;
    this.#headText = head.head === null ? null : decodeLatin1(head.head, 0, head.head.length);
    this.#wantedBytes = 0;
    this.#skipTo(head.length);
    this.#boundaryOffset = this.#windowOffset;
    if (this.#isPassingOver) this.#shardStart = boundaryAt(this.#currentPosition());
    this.#scanState = 'cases';
  }

  /** Called when the next case lies beyond a bound of the shard: begins the shard, or ends the scan if the shard had begun. */
  *#crossShardBound(): Generator<Chunk | InputEnd> {
    yield* this.#closeChunk(this.#scannedIndex);
    const { to } = this.#options.shardRange!;
    if (!this.#isPassingOver) {
      yield this.#createEnd(this.#scannedIndex, null, null, false);
      return;
    }
    this.#isPassingOver = false;
    this.#nextBound = to;
  }

  *#cutCases(atEnd: boolean): Generator<Chunk | InputEnd> {
    const window = this.#window;
    while (this.#scanState === 'cases') {
      if (this.#boundaryOffset >= this.#nextBound) {
        yield* this.#crossShardBound();
        continue;
      }
      if (this.#foundCases === this.#options.lastCase) {
        yield* this.#closeChunk(this.#scannedIndex);
        yield this.#createEnd(this.#scannedIndex, null, null, false);
        return;
      }
      if (this.#openChunkCases === 0)
        this.#skipTo(this.#caseScanner.skipToCase(window.bytes, window.start, window.end));
      if (this.#hasReachedRest) {
        yield* this.#closeChunk(this.#scannedIndex);
        return;
      }
      const isLast = this.#foundCases === this.#promisedCases;
      if (this.#scannedIndex === window.end && !isLast) {
        if (!atEnd) return;
        yield* this.#closeChunk(this.#scannedIndex);
        yield this.#endOfCases();
        return;
      }
      const tailEnd = this.#findTail(isLast, atEnd);
      if (tailEnd === null) return;
      if (tailEnd !== NO_TAIL) {
        yield* this.#closeChunk(this.#scannedIndex);
        const { tailFault = null } = this.#caseScanner;
        if (tailFault !== null) {
          yield this.#createEnd(tailEnd, tailFault, null);
          return;
        }
        this.#skipTo(tailEnd);
        this.#scanState = 'after-cases';
        return;
      }
      this.#makeRoom();
      if (!this.#findRun(atEnd) && !this.#findCase(atEnd)) return;
      if (this.#caseExtent.isInvalid) yield* this.#closeBadCase();
      else if (this.#isChunkFull) yield* this.#closeChunk(this.#scannedIndex);
    }
  }

  /** Returns the index after the tail, NO_TAIL if another case comes first, and null if more bytes are needed. */
  #findTail(isLast: boolean, atEnd: boolean): number | null {
    const { bytes, end } = this.#window;
    const limit = this.#caseLimit;
    const isLimitFinal = atEnd || limit < end;
    this.#caseScanner.useIndex?.(this.#foundCases);
    const tailEnd = this.#caseScanner.findTail(bytes, this.#scannedIndex, limit, isLimitFinal, isLast);
    // After the last case, anything that is not a tail is unexpected text.
    return tailEnd === NO_TAIL && isLast ? this.#scannedIndex : tailEnd;
  }

  /** Makes room for another case in the open chunk, or opens a new chunk. */
  #makeRoom(): void {
    if (this.#openChunkCases === 0) {
      this.#fullChunkBytes = this.#wantedChunkBytes();
      this.#maxChunkBytes = this.#options.maxChunkBytes?.(this.#windowOffset) ?? Number.POSITIVE_INFINITY;
    }
    if (this.#openChunkCases + 1 >= this.#caseStarts.length) this.#growStarts();
  }

  /**
   * Finds many cases with one call of the format's scanner, and adds them to the open chunk. Returns false if it found none.
   */
  #findRun(atEnd: boolean): boolean {
    const caseScanner = this.#caseScanner;
    if (caseScanner.findRun === undefined || !this.#hasWantedBytes(atEnd)) return false;
    const { bytes, start, end } = this.#window;
    const { maxCasesPerChunk = Number.POSITIVE_INFINITY, lastCase = Number.POSITIVE_INFINITY } =
      this.#options;
    const first = this.#openChunkCases;
    const room = Math.min(this.#caseStarts.length - 1, maxCasesPerChunk) - first;
    const fullAt = start + this.#fullChunkBytes;
    // A chunk that is large enough gets single cases until it fills all lanes.
    const isLarge = this.#scannedIndex >= fullAt;
    const cases = caseScanner.findRun(bytes, this.#scannedIndex, end, {
      starts: this.#caseStarts,
      first,
      base: start,
      maxCases: Math.min(isLarge ? 1 : room, Math.min(this.#promisedCases, lastCase) - this.#foundCases),
      stop: Math.min(isLarge ? end : fullAt, this.#indexOf(this.#restOffset), this.#indexOf(this.#nextBound)),
    });
    if (cases === 0) return false;
    this.#openChunkCases += cases;
    if (caseScanner.isRunCanonical === true && this.#canonicalCases === first)
      this.#canonicalCases = this.#openChunkCases;
    this.#foundCases += cases;
    this.#scannedIndex = start + this.#caseStarts[this.#openChunkCases];
    this.#boundaryOffset = this.#windowOffset + this.#scannedIndex - start;
    this.#wantedBytes = 0;
    this.#caseExtent.isInvalid = false;
    return true;
  }

  /** Adds the next case to the open chunk. Returns false if more bytes are needed. */
  #findCase(atEnd: boolean): boolean {
    const { start, end } = this.#window;
    const extent = this.#caseExtent;
    const limit = this.#caseLimit;
    if (limit === end && !this.#hasWantedBytes(atEnd)) return false;
    if (!this.#tryFindCase(limit, false)) {
      if (limit === end && !atEnd) return this.#wantMoreBytes();
      this.#tryFindCase(limit, true);
      if (limit === end) this.endsWithInput = true;
      else if (extent.isInvalid) extent.end = extent.neededEnd = limit;
    }
    this.#caseStarts[this.#openChunkCases++] = this.#scannedIndex - start;
    this.#foundCases++;
    this.#scannedIndex = extent.end;
    this.#boundaryOffset = this.#windowOffset + extent.end - start;
    this.#wantedBytes = 0;
    return true;
  }

  #wantedChunkBytes(): number {
    return this.#isPassingOver ? PASSED_OVER_BYTES : this.#options.chunkBytes(this.#windowOffset);
  }

  /** Whether enough bytes have arrived for another attempt to find the end of a case. */
  #hasWantedBytes(atEnd: boolean): boolean {
    return atEnd || this.#window.end - this.#scannedIndex >= this.#wantedBytes;
  }

  /**
   * Makes the next attempt to find the end of a case wait until twice as many bytes have arrived, but no more than a case can
   * have. Returns false.
   */
  #wantMoreBytes(): false {
    const available = this.#window.end - this.#scannedIndex;
    this.#wantedBytes =
      available < MIN_RESCAN_BYTES ? 0 : Math.min(2 * available, this.#inputFormat.maxCaseBytes);
    return false;
  }

  #tryFindCase(limit: number, atEnd: boolean): boolean {
    const { bytes } = this.#window;
    return this.#caseScanner.findCase(bytes, this.#scannedIndex, limit, atEnd, this.#caseExtent);
  }

  /**
   * Index in the window beyond which the current case cannot extend. Because of this bound, the number of bytes that have been
   * read never decides whether a case is valid.
   */
  get #caseLimit(): number {
    return Math.min(this.#window.end, this.#scannedIndex + this.#inputFormat.maxCaseBytes);
  }

  /** Whether the open chunk is large enough, so that it ends after the last case that was found. */
  get #isChunkFull(): boolean {
    const { bytes, start, end } = this.#window;
    if (this.#openChunkCases === this.#options.maxCasesPerChunk) return true;
    // If the case ends before whitespace instead of at the next case, the whitespace is skipped before the next chunk.
    if (this.#caseScanner.skipToCase(bytes, this.#scannedIndex, end) > this.#scannedIndex) return true;
    if (this.#scannedIndex - start < this.#fullChunkBytes) return false;
    if (this.#scannedIndex - start >= this.#maxChunkBytes) return true;
    const { caseMultiple } = this.#options;
    return caseMultiple === undefined
      ? fillsKernelLanes(this.#openChunkCases)
      : this.#openChunkCases % caseMultiple === 0;
  }

  #growStarts(): void {
    const grown = new Uint32Array(this.#caseStarts.length * 2);
    grown.set(this.#caseStarts);
    this.#caseStarts = grown;
  }

  *#closeBadCase(): Generator<Chunk> {
    const { end } = this.#caseExtent;
    this.#caseSearch.isInsideToken = !isWhitespace(this.#window.bytes[end - 1]);
    this.#scanState = this.#options.onError === 'mark' ? 'find-next-case' : 'done';
    if (this.isDone && this.#isPassingOver) this.#passOverAllButLast();
    yield* this.#closeChunk(this.#caseExtent.neededEnd, true);
  }

  /**
   * Ends the open chunk. The chunk includes the bytes up to `verdictEnd`, which decide whether the last case is valid, and
   * LOOKAHEAD_BYTES more.
   */
  *#closeChunk(verdictEnd: number, isLastInvalid = false): Generator<Chunk> {
    if (this.#openChunkCases === 0) return;
    if (this.#isPassingOver) {
      this.#passOver();
      return;
    }
    const { bytes, start, end } = this.#window;
    this.#caseStarts[this.#openChunkCases] = this.#scannedIndex - start;
    const kept = this.#keep(bytes.subarray(start, Math.min(end, verdictEnd + LOOKAHEAD_BYTES)));
    const cases = this.#openChunkCases;
    const starts = this.#caseStarts.slice(0, cases + 1);
    const canonicalCases = this.#canonicalCases;
    const spanBefore = this.#skippedSpan;
    this.#hashAndDrop(this.#scannedIndex);
    this.#openChunkCases = this.#canonicalCases = 0;
    this.#skippedSpan = EMPTY_SPAN;
    const positionAfter = this.#currentPosition();
    this.#shardEnd = boundaryAt(positionAfter);
    yield {
      kind: 'chunk',
      bytes: kept,
      starts,
      firstCase: this.#foundCases - cases + 1,
      head: this.#head,
      canonicalCases,
      spanBefore,
      positionAfter,
      endsWithInput: this.endsWithInput,
      isLastInvalid,
    };
  }

  /** Returns the bytes of a chunk in memory that later reads do not overwrite. */
  #keep(bytes: Uint8Array): Uint8Array {
    const { memory } = this.#options;
    if (memory === undefined) return bytes.slice();
    memory.keep(bytes);
    return bytes;
  }

  /** Drops the cases of the open chunk, because they come before the shard. */
  #passOver(): void {
    this.#openChunkCases = this.#canonicalCases = 0;
    this.#skipTo(this.#scannedIndex);
    this.#shardStart = boundaryAt(this.#currentPosition());
  }

  /**
   * Drops the cases of the open chunk except the last case, which is invalid and ends the run. Because this case is kept, the
   * user gets the same error as without `--shard`.
   */
  #passOverAllButLast(): void {
    const lastStart = this.#window.start + this.#caseStarts[this.#openChunkCases - 1];
    const lastEnd = this.#scannedIndex;
    this.#skipTo(lastStart);
    this.#scannedIndex = lastEnd;
    this.#caseStarts[0] = 0;
    this.#openChunkCases = 1;
    this.#canonicalCases = 0;
    this.#isPassingOver = false;
  }

  #currentPosition(): ScanPosition {
    const { hash } = this.#options;
    return {
      offset: this.#windowOffset,
      digest: hash === null ? null : hash.digest(),
      cases: this.#foundCases,
      promised: Number.isFinite(this.#promisedCases) ? this.#promisedCases : null,
      head: this.#headText,
      searching: this.#searching,
      next: this.#nextToken(),
      ...(this.#isPassingOver || this.#shardStart === null ? {} : { shardStart: this.#shardStart }),
    };
  }

  get #searching(): ScanPosition['searching'] {
    if (this.#scanState === 'after-cases') return 'end';
    if (this.#scanState !== 'find-next-case') return 'no';
    return this.#caseSearch.isInsideToken ? 'token' : 'blank';
  }

  #nextToken(): string {
    const { bytes, end } = this.#window;
    const limit = Math.min(end, this.#scannedIndex + LOOKAHEAD_BYTES);
    return decodeLatin1(bytes, this.#scannedIndex, findTokenEnd(bytes, this.#scannedIndex, limit));
  }

  /** Hashes the bytes up to index `to` and removes them from the window. */
  #hashAndDrop(to: number): void {
    const { bytes, start } = this.#window;
    this.#options.hash?.update(bytes.subarray(start, to));
    this.#windowOffset += to - start;
    this.#window.start = to;
  }

  #findNextCase(atEnd: boolean): void {
    const search = this.#caseSearch;
    if (this.isResting || !this.#hasWantedBytes(atEnd)) return;
    this.#caseScanner.useIndex?.(this.#foundCases);
    while (this.#scanState === 'find-next-case' && !this.isResting) {
      const { bytes, start, end } = this.#window;
      const limit = this.#caseLimit;
      search.at = start;
      const isFound = this.#caseScanner.findNextCase(bytes, limit, atEnd && limit === end, search);
      if (isFound) this.#scanState = 'cases';
      else if (limit === end) break;
      else if (search.at === start) {
        // No case begins before the largest size of a case.
        search.at = limit;
        search.isInsideToken = !isWhitespace(bytes[limit - 1]);
      }
      this.#skipTo(search.at);
    }
    this.#skipTo(search.at);
    if (this.#scanState === 'cases') this.#wantedBytes = 0;
    else this.#wantMoreBytes();
  }

  *#readAfterCases(atEnd: boolean): Generator<InputEnd> {
    const { bytes, start, end } = this.#window;
    const next = skipWhitespace(bytes, start, end);
    this.#skipTo(next);
    if (next < end) {
      // The error message shows the unexpected token, so the scanner waits until the token is complete or long enough
      // for the message.
      const isTokenComplete = atEnd || end - next >= LOOKAHEAD_BYTES || findTokenEnd(bytes, next, end) < end;
      if (!isTokenComplete) return;
      const expected = this.#expectedEnd();
      yield this.#createEnd(next, { expected, got: quoteToken(bytes, next, end) }, null);
    } else if (atEnd) {
      yield this.#createEnd(next, null, null);
    }
  }

  #expectedEnd(): string {
    const { ending, terminator } = this.#inputFormat;
    if (terminator !== null) return `the end of the input after ${terminator}`;
    if (ending !== 'counted') return 'the end of the input after the last case';
    return `the end of the input, which says that it has ${pluralize(this.#promisedCases, 'case')}`;
  }

  /** Creates the end of an input that ends between two cases. */
  #endOfCases(): InputEnd {
    const got = 'the end of the input';
    const { ending, terminator } = this.#inputFormat;
    if (ending === 'until-terminator') {
      const expected = `a case or ${terminator ?? 'the end of the cases'}`;
      return this.#createEnd(this.#scannedIndex, { expected, got }, null);
    }
    if (this.#promisedCases === Number.POSITIVE_INFINITY) {
      const hasEnded = this.#findTail(false, true) !== NO_TAIL;
      const fault = hasEnded ? (this.#caseScanner.tailFault ?? null) : { expected: 'a case', got };
      return this.#createEnd(this.#scannedIndex, fault, null);
    }
    return this.#createEnd(
      this.#scannedIndex,
      {
        expected: pluralize(this.#promisedCases, 'case'),
        got: `${got} after ${pluralize(this.#foundCases, 'case')}`,
      },
      this.#foundCases + 1,
    );
  }

  /** `isInputEnd` is false if the scan ends where the shard or the last wanted case ends. */
  #createEnd(
    at: number,
    fault: { expected: string; got: string } | null,
    caseNumber: number | null,
    isInputEnd = true,
  ): InputEnd {
    const { bytes, end } = this.#window;
    const following = bytes.slice(at, Math.min(end, at + LOOKAHEAD_BYTES));
    this.#skipTo(at);
    this.#scanState = 'done';
    const endFault = fault && { expected: fault.expected, got: fault.got, caseNumber };
    return {
      kind: 'end',
      fault: endFault,
      spanBefore: this.#skippedSpan,
      following,
      shard: this.#shardExtent(isInputEnd),
      input: isInputEnd && fault === null ? this.#inputSizeAndDigest() : null,
    };
  }

  #inputSizeAndDigest(): SizeAndDigest {
    return { bytes: this.#windowOffset, digest: this.#options.hash?.digest() ?? null };
  }

  #shardExtent(isInputEnd: boolean): ShardExtent | null {
    if (this.#options.shardRange === undefined || this.#shardStart === null) return null;
    return { start: this.#shardStart, end: this.#shardEnd ?? this.#shardStart, isInputEnd };
  }

  /** Skips the bytes up to index `to`, and adds their span to `#skippedSpan`. Called only while no chunk is open. */
  #skipTo(to: number): void {
    const { bytes, start } = this.#window;
    if (to > start) this.#options.onSkipped?.(bytes.subarray(start, to));
    this.#skippedSpan = joinSpans(this.#skippedSpan, measureSpan(bytes, start, to));
    this.#hashAndDrop(to);
    this.#scannedIndex = to;
  }
}

/** Returns the offset in the input at which the chunk begins. */
export function offsetOfChunk({ starts, positionAfter }: Chunk): number {
  return positionAfter.offset - starts[starts.length - 1];
}

function boundaryAt({ offset, digest, cases }: ScanPosition): CaseBoundary {
  return { offset, digest, cases };
}
