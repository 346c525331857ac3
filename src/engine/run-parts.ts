import type { Solved } from './answer-writer.js';
import type { ChunkSize } from './cut/chunk-size.js';
import type { Merge } from './merge.js';
import type { Recovery } from './recover.js';
import type { RunOptions } from './run-options.js';
import type { Tally } from './tally.js';

/** The parts of a run that work on all chunks and ranges of its input. */
export interface RunParts {
  /** The name of the input. */
  readonly input: string;
  readonly options: RunOptions;
  readonly chunkSize: ChunkSize;
  readonly recovery: Recovery;
  readonly merge: Merge<Solved>;
  readonly tally: Tally;
}
