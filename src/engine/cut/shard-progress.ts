import type { ShardExtent, ShardRange } from '../input/shard.js';
import type { CaseBoundary, ScanPosition } from '../position.js';

/** How far a scan has come with its shard. Without a shard, all cases of the input are wanted. */
export class ShardProgress {
  readonly #range: ShardRange | null;
  /** Whether the shard has not begun. The scanner finds the cases before it, but makes no chunks of them. */
  isPassingOver: boolean;
  /** The offset at which the shard begins or, once it has begun, ends; Infinity if all following cases are wanted. */
  nextBound: number;
  /** Where the shard begins, as far as the scanner has come; null if there is no shard. */
  #start: CaseBoundary | null = null;
  /** Where the last chunk of the shard ends; null if there was none. */
  #end: CaseBoundary | null = null;

  constructor(range: ShardRange | null) {
    this.#range = range;
    this.isPassingOver = range !== null;
    this.nextBound = range?.from ?? Number.POSITIVE_INFINITY;
  }

  /** Continues the shard of the run that has stored this position. */
  continueFrom(position: ScanPosition): void {
    if (this.#range === null) return;
    this.#start = position.shardStart!;
    this.begin();
    this.endChunk(position);
  }

  /** Takes note that the next case is the first one of the shard. */
  begin(): void {
    this.isPassingOver = false;
    this.nextBound = this.#range!.to;
  }

  /** Takes note of a position before the shard. */
  passOver(position: ScanPosition): void {
    this.#start = boundaryAt(position);
  }

  /** Takes note of the position behind a chunk. */
  endChunk(position: ScanPosition): void {
    if (this.#range !== null) this.#end = boundaryAt(position);
  }

  /** What a position in the shard says about it. */
  get inPosition(): Pick<ScanPosition, 'shardStart'> {
    return this.isPassingOver || this.#start === null ? {} : { shardStart: this.#start };
  }

  /** Where the cases of the shard are; null if there is no shard, or if the head has not been read. */
  extent(isInputEnd: boolean): ShardExtent | null {
    if (this.#start === null) return null;
    return { start: this.#start, end: this.#end ?? this.#start, isInputEnd };
  }
}

function boundaryAt({ offset, digest, cases }: ScanPosition): CaseBoundary {
  return { offset, digest, cases };
}
