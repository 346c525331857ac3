/** Counts the slices of a census with a pool of worker threads, in their order. */
import { BoardmillError } from '../../core/errors.js';
import { assertNotStopped, interruptionError } from '../../core/stop.js';
import {
  type CensusSlice,
  decodeCensusMessage,
  encodeCensusMessage,
  type SliceCounts,
  type SliceOutcome,
} from '../../engine/census-slice.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { DEFAULT_RETRIES } from '../../engine/limits.js';
import { ReorderBuffer } from '../../engine/merge.js';
import type { ChunkTask } from '../../engine/messages.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { Recovery } from '../../engine/recover.js';
import { formatSize, isSizeUnrestricted } from '../../problems/census.js';
import type { Problem } from '../../problems/problem.js';
import type { CensusPlan } from './census-plan.js';
import type { CensusState } from './census-state.js';

interface CensusRun {
  readonly problem: Problem;
  readonly plan: CensusPlan;
  readonly dispatcher: Dispatcher;
  readonly stop: AbortSignal;
  /** Called with each new state, in the order of the slices. */
  readonly onState: (state: CensusState) => Promise<void>;
}

/** What has become of a slice, and the index of its size. */
interface CountedSlice {
  readonly size: number;
  readonly counts: SliceCounts;
}

/**
 * Counts the slices that a state leaves to count, and returns the state after the last one. Throws an Interrupted when `stop`
 * is aborted; the last state that `onState` got can be continued.
 */
export async function runCensusSlices(run: CensusRun, begun: CensusState): Promise<CensusState> {
  const { problem, plan, dispatcher, stop, onState } = run;
  const recovery = new Recovery(dispatcher, { retries: DEFAULT_RETRIES, onRetry: () => {} });
  let state = begun;
  const merge = new ReorderBuffer<CountedSlice>({
    maxRunning: () => dispatcher.maxChunksAtOnce,
    maxWaitingBytes: Number.POSITIVE_INFINITY,
    bytesOf: () => 0,
    async write({ size, counts }) {
      state.totals[size].add(counts);
      state = { ...state, done: state.done + 1 };
      await onState(state);
    },
  });
  for (const { slice, size } of plan.slicesOf(begun.shard, begun.done)) {
    await merge.waitForRoom();
    if (merge.isStopped || stop.aborted) break;
    const { head } = plan.sizes[size];
    merge.add(countSlice(recovery, problem, slice, head).then((counts) => ({ size, counts })));
  }
  await merge.drain().catch((error: unknown) => {
    // After a signal, slices fail because they are given up.
    throw stop.aborted ? interruptionError(stop) : error;
  });
  if (state.done < state.slices) assertNotStopped(stop);
  return state;
}

async function countSlice(
  recovery: Recovery,
  problem: Problem,
  slice: CensusSlice,
  head: ChunkTask['head'],
): Promise<SliceCounts> {
  const bytes = encodeCensusMessage(slice);
  const { result } = await recovery.solve({
    bytes,
    starts: Uint32Array.of(0, bytes.length),
    firstCase: 1,
    head,
    settings: PLAIN_SETTINGS,
    origin: null,
    isSolvedOneByOne: true,
  });
  const fault = result?.faults[0];
  if (fault !== undefined || result === null)
    throw new BoardmillError(
      'worker',
      `${describeSlice(problem, slice)}: ${fault?.cause.kind ?? 'given up'}`,
    );
  const outcome = decodeCensusMessage<SliceOutcome>(result.output);
  if (!('failedAt' in outcome)) return outcome;
  const { failedAt, reason, isMistake } = outcome;
  const place = failedAt === null ? '' : `case ${failedAt + 1} of \`generate --profile all\`: `;
  throw new BoardmillError(
    isMistake ? 'usage' : 'worker',
    `${describeSlice(problem, slice)}: ${place}${reason}`,
  );
}

function describeSlice({ name }: Problem, slice: CensusSlice): string {
  return isSizeUnrestricted(slice)
    ? `the cases of ${name} could not be counted`
    : `the boards of ${formatSize(slice)} could not be counted`;
}
