/**
 * Solves a stretch whose worker has failed. The coordinator scans it again, and gives its chunks to the workers as if it had cut
 * them itself. The stretch is not given to another worker, because all workers may be waiting for its baton.
 */
import { BoardmillError } from '../../core/errors.js';
import { endsRun } from '../chunk-result.js';
import type { ChunkFailure } from '../dispatcher.js';
import type { ChunkTask, TaskHead } from '../messages.js';
import type { ScanPosition } from '../position.js';
import type { Recovery } from '../recover.js';
import type { RunOptions } from '../run-options.js';
import { type Chunk, offsetOf } from '../scan.js';
import type { StageTimes } from '../stage-times.js';
import { awaitBaton, type BatonPosition, passBaton, readBaton } from './baton.js';
import type { SolvedPart, StretchResult } from './stretch-messages.js';
import { StretchReader } from './stretch-reader.js';
import { createPart, createStretchResult, hashStretch } from './stretch-result.js';
import { type ScannedStretch, StretchScanner } from './stretch-scanner.js';
import type { Stretch } from './stretches.js';

/** What is the same for all stretches of a run. */
interface RunOfStretches {
  /** The name of the input. */
  readonly input: string;
  readonly run: RunOptions;
  readonly recovery: Recovery;
  readonly stages: StageTimes;
  readonly head: TaskHead;
  /** The position at which the first stretch begins. */
  readonly position: ScanPosition;
  readonly isHashed: boolean;
}

/** Also returns why the input cannot be read to the end of the stretch, if it cannot. Fails if the run has ended. */
export async function solveFailedStretch(
  stretch: Stretch,
  failure: ChunkFailure,
  context: RunOfStretches,
): Promise<{ readonly result: StretchResult; readonly readFailure: unknown }> {
  const baton = await awaitBaton(stretch.baton);
  if (baton === null) throw failure;
  // A worker that had not passed its baton was still reading, so its solver has not failed.
  const hasBegun = readBaton(stretch.nextBaton) !== null;
  const reader = new StretchReader();
  const scanned = scan(stretch, baton, reader, context);
  passOn(stretch, scanned, context);
  const hashes = context.isHashed ? await hashStretch(reader, scanned) : null;
  const parts: SolvedPart[] = [];
  for (const chunk of scanned.chunks) {
    const isAffected = hasBegun && isAbout(failure, chunk, scanned.chunks.length);
    const part = await solveChunk(chunk, isAffected ? failure : undefined, context);
    parts.push(part);
    if (endsRun(part.result.faults, context.run.settings)) break;
  }
  return { result: createStretchResult(scanned, parts, hashes), readFailure: scanned.failure };
}

/** Scans a stretch in this thread. */
function scan(
  stretch: Stretch,
  baton: BatonPosition,
  reader: StretchReader,
  { run, position, isHashed }: RunOfStretches,
): ScannedStretch {
  const { promised, head } = position;
  const { inputFormat } = run.problem;
  const { onError } = run.settings;
  reader.load(stretch.source, stretch);
  reader.reach(baton.offset, isHashed);
  return new StretchScanner({ inputFormat, onError, head, promised }, reader, stretch).scanFrom(baton);
}

/** Passes the baton in place of the worker, unless the worker has passed it before it failed. */
function passOn(
  { nextBaton }: Stretch,
  { position, isOver }: ScannedStretch,
  { input }: RunOfStretches,
): void {
  const passed = readBaton(nextBaton);
  const { offset, cases, searching } = position;
  if (passed === null) passBaton(nextBaton, { offset, cases, searching, isOver });
  else if (passed.offset !== offset || passed.cases !== cases || passed.isOver !== isOver) {
    throw new BoardmillError('io', `cannot read ${input}: it was changed while it was read`);
  }
}

async function solveChunk(
  chunk: Chunk,
  failure: ChunkFailure | undefined,
  { input, run, recovery, stages, head }: RunOfStretches,
): Promise<SolvedPart> {
  const { starts, firstCase } = chunk;
  const task: ChunkTask = {
    // Only the bytes of the chunk are sent, not the whole memory in which they are.
    bytes: chunk.bytes.slice(),
    starts,
    firstCase,
    head,
    settings: run.settings,
    origin: null,
    isSolvedOneByOne: false,
    place: { input, offset: offsetOf(chunk) },
  };
  const result = await recovery.solve(task, failure);
  stages.addWorkerTimes(result.times);
  return createPart(chunk, result);
}

/** Whether the failure of a stretch is one of this chunk, which is one of `chunks` in the stretch. */
function isAbout({ suspects }: ChunkFailure, { firstCase, starts }: Chunk, chunks: number): boolean {
  if (suspects === null) return chunks === 1;
  return suspects.from >= firstCase && suspects.to < firstCase + starts.length - 1;
}
