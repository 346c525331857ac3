import type { SolvedPart } from './answer-writer.js';
import type { ChunkSize } from './cut/chunk-size.js';
import type { ReorderBuffer } from './merge.js';
import type { Recovery } from './recover.js';
import type { RunOptions } from './run-options.js';
import type { RunTally } from './tally.js';

/** The objects that all stages of a run share, such as its merge and its recovery. */
export interface RunParts {
  /** The name of the input. */
  readonly input: string;
  readonly options: RunOptions;
  readonly chunkSize: ChunkSize;
  readonly recovery: Recovery;
  readonly merge: ReorderBuffer<SolvedPart>;
  readonly tally: RunTally;
}
