import { KERNEL_LANES, MIN_CASES_FOR_LANES } from '../limits.js';

/** What all chunks of an input have in common: see ScanOptions. */
interface CountBounds {
  readonly caseMultiple?: number;
  readonly maxCasesPerChunk?: number;
}

/** The cases that were found since the last chunk. They become the next one. */
export class OpenChunk {
  readonly #counts: CountBounds;
  /** Offset of each case from the first byte of the chunk. */
  starts = new Uint32Array(1024);
  cases = 0;
  /** Size in bytes at which the chunk is large enough, if its number of cases fits as well. */
  fullBytes = 0;
  /** Size in bytes at which it is large enough, whatever its number of cases is. */
  #maxBytes = 0;

  constructor(counts: CountBounds) {
    this.#counts = counts;
  }

  /** Begins a chunk that is large enough at these sizes. */
  begin(fullBytes: number, maxBytes: number): void {
    this.fullBytes = fullBytes;
    this.#maxBytes = maxBytes;
  }

  /** Makes room for one more case, and for the end of the chunk. */
  reserve(): void {
    if (this.cases + 1 < this.starts.length) return;
    const grown = new Uint32Array(this.starts.length * 2);
    grown.set(this.starts);
    this.starts = grown;
  }

  /** Number of cases for which there is room. */
  get room(): number {
    const { maxCasesPerChunk = Number.POSITIVE_INFINITY } = this.#counts;
    return Math.min(this.starts.length - 1, maxCasesPerChunk) - this.cases;
  }

  add(start: number): void {
    this.starts[this.cases++] = start;
  }

  /** Drops all cases but the last one, with whose first byte the chunk then begins. */
  keepLast(): void {
    this.starts[0] = 0;
    this.cases = 1;
  }

  /** Ends the chunk at this offset. Returns the offsets of its cases, and the end. */
  close(end: number): Uint32Array {
    this.starts[this.cases] = end;
    const starts = this.starts.slice(0, this.cases + 1);
    this.cases = 0;
    return starts;
  }

  /** Whether no other case fits. */
  get hasMostCases(): boolean {
    return this.cases === this.#counts.maxCasesPerChunk;
  }

  /** Whether a chunk of this size is large enough. */
  isFull(bytes: number): boolean {
    if (bytes < this.fullBytes) return false;
    return bytes >= this.#maxBytes || this.#hasGoodCount;
  }

  get #hasGoodCount(): boolean {
    const { caseMultiple } = this.#counts;
    return caseMultiple === undefined ? fillsKernelLanes(this.cases) : this.cases % caseMultiple === 0;
  }
}

/** Whether a chunk with this many cases fills all lanes of a kernel, or is so small that empty lanes do not matter. */
function fillsKernelLanes(cases: number): boolean {
  return cases < MIN_CASES_FOR_LANES || cases % KERNEL_LANES === 0;
}
