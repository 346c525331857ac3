/**
 * The second stage: cuts an input at case boundaries. It finds where cases end and no more; what is in
 * them is the workers' business, bad cases included.
 */
import { isBlank, latin1, quoteToken, skipBlanks, tokenEnd } from '../core/bytes.js';
import { type Fault, pluralize } from '../core/errors.js';
import { describeNonText, SIGNATURE_BYTES } from '../core/file-signatures.js';
import { EMPTY_SPAN, joinSpans, measureSpan, type Span } from '../core/location.js';
import type { CaseExtent, HeaderSearch, InputFormat, Preamble } from '../problems/input-format.js';
import type { InputHash } from './input-hash.js';
import { KERNEL_LANES, LOOKAHEAD_BYTES, MAX_CASE_BYTES, MIN_CASES_FOR_LANES, READ_BYTES } from './limits.js';
import type { ErrorPolicy } from './output-settings.js';
import type { ScanPosition } from './position.js';
import { Window } from './window.js';

/** Whole cases, cut out of the input. */
export interface Chunk {
  readonly kind: 'chunk';
  readonly bytes: Uint8Array;
  /** `cases + 1` offsets into `bytes`; see ChunkTask. */
  readonly starts: Uint32Array;
  readonly firstCase: number;
  /** From the end of the last chunk (or the start of the input) to this one's first byte. */
  readonly before: Span;
  readonly after: ScanPosition;
  /** Whether the end of the input told where the last case ends: a longer input might tell otherwise. */
  readonly endsWithInput: boolean;
}

/** The input is over: well, or with a fault that belongs to no case there is. */
export interface End {
  readonly kind: 'end';
  readonly fault: (Omit<Fault, 'offset'> & { readonly caseNumber: number | null }) | null;
  /** From the end of the last chunk to the fault. */
  readonly before: Span;
  /** The first bytes of what is left unread; none: the input was read to its last byte. */
  readonly following: Uint8Array;
}

export interface ScanOptions {
  readonly inputFormat: InputFormat;
  readonly onError: ErrorPolicy;
  /** Asked before each chunk: the bytes after which it is large enough. */
  readonly chunkBytes: () => number;
  /** Most cases a chunk; missing: any number. */
  readonly chunkCases?: number;
  /** Copies the bytes of a chunk to where they may stay; missing: to memory of their own. */
  readonly hold?: (bytes: Uint8Array) => Uint8Array;
  /** Told what the preamble said, once. */
  readonly onPreamble?: (preamble: Preamble) => void;
  /** Told the bytes that belong to no chunk, as they are passed over; they are reused after the call. */
  readonly onSkipped?: (bytes: Uint8Array) => void;
  /** Given every byte that is consumed, in order; null: digests are not wanted. */
  readonly hash: InputHash | null;
  /** Where to go on; the pieces begin at its offset. Null: at the start of the input. */
  readonly from: ScanPosition | null;
}

export async function* scan(
  pieces: AsyncIterable<Uint8Array>,
  options: ScanOptions,
): AsyncGenerator<Chunk | End> {
  const splitter = new Scanner(options);
  for await (const piece of pieces) {
    splitter.feed(piece);
    yield* splitter.cut(false);
    if (splitter.isOver) return;
  }
  yield* splitter.cut(true);
}

/** Kernels solve so many boards at once: a large chunk ends where their last batch is whole. */
function fillsLanes(cases: number): boolean {
  return cases < MIN_CASES_FOR_LANES || cases % KERNEL_LANES === 0;
}

/** What the bytes at hand are read as. */
type State =
  | 'preamble'
  | 'cases'
  /** Behind a bad case, under `mark`: looking for the next header. */
  | 'resync'
  /** Behind the last case: only blanks may follow. */
  | 'tail'
  | 'over';

class Scanner {
  readonly #options: ScanOptions;
  readonly #format: InputFormat;
  readonly #window = new Window(2 * READ_BYTES);
  readonly #extent: CaseExtent = { end: 0, neededEnd: 0, isBad: false };
  readonly #search: HeaderSearch = { at: 0, isInsideToken: false };
  #state: State = 'preamble';
  /** Cases the preamble promises, Infinity where it does not say. */
  #promised = Number.POSITIVE_INFINITY;
  #id: string | null = null;
  /** Cases that were found, those in the open chunk included. */
  #found = 0;
  /** Whether the last of them ends where it does because the input does. */
  endsWithInput = false;
  /** Starts of the cases in the open chunk, relative to `window.start`. */
  #starts = new Uint32Array(1024);
  #open = 0;
  /** Bytes after which it is large enough. */
  #enough = 0;
  /** Behind the last case of the open chunk, an index into the window. */
  #at = 0;
  /** Bytes that were passed over since the last chunk. */
  #before: Span = EMPTY_SPAN;
  /** Index of `window.start` in the whole input. */
  #offset = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#format = options.inputFormat;
    if (options.from !== null && options.from.offset > 0) this.#goOn(options.from);
  }

  #goOn(mark: ScanPosition): void {
    this.#offset = mark.offset;
    this.#found = mark.cases;
    this.#promised = mark.promised ?? Number.POSITIVE_INFINITY;
    this.#id = mark.id;
    this.#state = mark.searching === 'no' ? 'cases' : 'resync';
    this.#search.isInsideToken = mark.searching === 'token';
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  feed(piece: Uint8Array): void {
    this.#at -= this.#window.append(piece);
  }

  /** All that can be cut from the bytes at hand; `atEnd`: there will be no more. */
  *cut(atEnd: boolean): Generator<Chunk | End> {
    for (;;) {
      const before = this.#state;
      if (before === 'preamble') yield* this.#readPreamble(atEnd);
      else if (before === 'cases') yield* this.#cutCases(atEnd);
      else if (before === 'resync') this.#resync(atEnd);
      else if (before === 'tail') yield* this.#readTail(atEnd);
      // A state is left when the bytes at hand said so; otherwise they have been used up.
      if (this.#state === before) return;
    }
  }

  *#readPreamble(atEnd: boolean): Generator<End> {
    const { bytes, end } = this.#window;
    if (end < SIGNATURE_BYTES && !atEnd) return;
    const foreign = describeNonText(bytes.subarray(0, end));
    if (foreign !== null) {
      yield this.#end(0, { expected: 'text', got: foreign }, null);
      return;
    }
    const limit = Math.min(end, MAX_CASE_BYTES);
    const preamble = this.#format.readPreamble(bytes, limit, atEnd && limit === end);
    if (preamble === null) {
      const expected = `the first case within ${MAX_CASE_BYTES} bytes`;
      if (limit < end) yield this.#end(limit, { expected, got: 'blanks' }, null);
      return;
    }
    if ('offset' in preamble) {
      yield this.#end(preamble.offset, preamble, null);
      return;
    }
    this.#options.onPreamble?.(preamble);
    this.#promised = preamble.cases ?? Number.POSITIVE_INFINITY;
    this.#id = preamble.id;
    this.#passOver(preamble.length);
    this.#state = 'cases';
  }

  *#cutCases(atEnd: boolean): Generator<Chunk | End> {
    const window = this.#window;
    while (this.#state === 'cases') {
      if (this.#open === 0) this.#passOver(skipBlanks(window.bytes, window.start, window.end));
      if (this.#found === this.#promised) {
        yield* this.#closeChunk(this.#at);
        this.#state = 'tail';
        return;
      }
      if (this.#at === window.end) {
        if (!atEnd) return;
        yield* this.#closeChunk(this.#at);
        yield this.#endOfCases();
        return;
      }
      const limit = this.#limit;
      const isLast = this.#format.isTerminator(window.bytes, this.#at, limit, atEnd || limit < window.end);
      if (isLast === null) return;
      if (isLast) {
        yield* this.#closeChunk(this.#at);
        this.#passOver(this.#format.skipTerminator(window.bytes, this.#at, window.end));
        this.#state = 'tail';
        return;
      }
      if (!this.#findCase(atEnd)) return;
      if (this.#extent.isBad) yield* this.#closeBadCase();
      else if (this.#isChunkFull) yield* this.#closeChunk(this.#at);
    }
  }

  /** Adds the next case to the open chunk. False: more bytes are needed. */
  #findCase(atEnd: boolean): boolean {
    const { start, end } = this.#window;
    const extent = this.#extent;
    const limit = this.#limit;
    if (!this.#isCaseFound(limit, false)) {
      if (limit === end && !atEnd) return false;
      this.#isCaseFound(limit, true);
      if (limit === end) this.endsWithInput = true;
      else if (extent.isBad) extent.end = extent.neededEnd = limit;
    }
    if (this.#open === 0) this.#enough = this.#options.chunkBytes();
    if (this.#open + 1 >= this.#starts.length) this.#growStarts();
    this.#starts[this.#open++] = this.#at - start;
    this.#found++;
    this.#at = extent.end;
    return true;
  }

  #isCaseFound(limit: number, atEnd: boolean): boolean {
    const { bytes } = this.#window;
    // Where the run goes on behind a bad case, that case must not take the next one with it.
    return this.#options.onError === 'mark'
      ? this.#format.findCaseByTokens(bytes, this.#at, limit, atEnd, this.#extent)
      : this.#format.findCase(bytes, this.#at, limit, atEnd, this.#extent);
  }

  /** No case reaches past this index, so that its verdict never depends on how many bytes have arrived. */
  get #limit(): number {
    return Math.min(this.#window.end, this.#at + MAX_CASE_BYTES);
  }

  get #isChunkFull(): boolean {
    const { bytes, start } = this.#window;
    const { chunkCases } = this.#options;
    // Behind a case that ends before blanks, not at the next one, those are passed over first.
    if (isBlank(bytes[this.#at]) || this.#open === chunkCases) return true;
    return this.#at - start >= this.#enough && fillsLanes(this.#open);
  }

  #growStarts(): void {
    const grown = new Uint32Array(this.#starts.length * 2);
    grown.set(this.#starts);
    this.#starts = grown;
  }

  *#closeBadCase(): Generator<Chunk> {
    const { end } = this.#extent;
    this.#search.isInsideToken = !isBlank(this.#window.bytes[end - 1]);
    this.#state = this.#options.onError === 'mark' ? 'resync' : 'over';
    yield* this.#closeChunk(this.#extent.neededEnd);
  }

  /** Gives the open chunk away, with the bytes up to `seen` and a few more. */
  *#closeChunk(seen: number): Generator<Chunk> {
    if (this.#open === 0) return;
    const { bytes, start, end } = this.#window;
    const { hold = (bytes) => bytes.slice() } = this.#options;
    this.#starts[this.#open] = this.#at - start;
    const chunk = {
      kind: 'chunk',
      bytes: hold(bytes.subarray(start, Math.min(end, seen + LOOKAHEAD_BYTES))),
      starts: this.#starts.slice(0, this.#open + 1),
      firstCase: this.#found - this.#open + 1,
      before: this.#before,
    } as const;
    this.#consume(this.#at);
    this.#open = 0;
    this.#before = EMPTY_SPAN;
    yield { ...chunk, after: this.#mark(), endsWithInput: this.endsWithInput };
  }

  #mark(): ScanPosition {
    const { hash } = this.#options;
    return {
      offset: this.#offset,
      digest: hash === null ? null : hash.digest(),
      cases: this.#found,
      promised: Number.isFinite(this.#promised) ? this.#promised : null,
      id: this.#id,
      searching: this.#state !== 'resync' ? 'no' : this.#search.isInsideToken ? 'token' : 'blank',
      next: this.#nextToken(),
    };
  }

  #nextToken(): string {
    const { bytes, end } = this.#window;
    const limit = Math.min(end, this.#at + LOOKAHEAD_BYTES);
    return latin1(bytes, this.#at, tokenEnd(bytes, this.#at, limit));
  }

  /** The bytes up to index `to` are done with. */
  #consume(to: number): void {
    const { bytes, start } = this.#window;
    this.#options.hash?.update(bytes.subarray(start, to));
    this.#offset += to - start;
    this.#window.start = to;
  }

  #resync(atEnd: boolean): void {
    const search = this.#search;
    while (this.#state === 'resync') {
      const { bytes, start, end } = this.#window;
      const limit = this.#limit;
      search.at = start;
      const isFound = this.#format.findHeader(bytes, limit, atEnd && limit === end, search);
      if (isFound) this.#state = 'cases';
      else if (limit === end) break;
      else if (search.at === start) {
        // A count with nothing but blanks behind it for that long heads no case.
        search.at = limit;
        search.isInsideToken = !isBlank(bytes[limit - 1]);
      }
      this.#passOver(search.at);
    }
    this.#passOver(search.at);
  }

  *#readTail(atEnd: boolean): Generator<End> {
    const { bytes, start, end } = this.#window;
    const next = skipBlanks(bytes, start, end);
    this.#passOver(next);
    if (next < end) {
      // The token is shown in the message: wait until it is long enough, or whole.
      const isShown = atEnd || end - next >= LOOKAHEAD_BYTES || tokenEnd(bytes, next, end) < end;
      if (!isShown) return;
      const after = this.#format.hasTerminator ? 'after "0 0"' : `after ${pluralize(this.#promised, 'case')}`;
      const got = quoteToken(bytes, next, end);
      yield this.#end(next, { expected: `the end of the input ${after}`, got }, null);
    } else if (atEnd) {
      yield this.#end(next, null, null);
    }
  }

  /** The bytes ran out between two cases. */
  #endOfCases(): End {
    const got = 'the end of the input';
    if (this.#format.hasTerminator) {
      return this.#end(this.#at, { expected: 'a case or "0 0"', got }, null);
    }
    if (this.#promised === Number.POSITIVE_INFINITY) return this.#end(this.#at, null, null);
    return this.#end(
      this.#at,
      { expected: pluralize(this.#promised, 'case'), got: `${got} after ${this.#found}` },
      this.#found + 1,
    );
  }

  #end(at: number, fault: { expected: string; got: string } | null, caseNumber: number | null): End {
    const { bytes, end } = this.#window;
    const following = bytes.slice(at, Math.min(end, at + LOOKAHEAD_BYTES));
    this.#passOver(at);
    this.#state = 'over';
    const told = fault && { expected: fault.expected, got: fault.got, caseNumber };
    return { kind: 'end', fault: told, before: this.#before, following };
  }

  /** Drops the bytes up to index `to`, and remembers their span. Only while no chunk is open. */
  #passOver(to: number): void {
    const { bytes, start } = this.#window;
    if (to > start) this.#options.onSkipped?.(bytes.subarray(start, to));
    this.#before = joinSpans(this.#before, measureSpan(bytes, start, to));
    this.#consume(to);
    this.#at = to;
  }
}
