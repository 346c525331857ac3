/**
 * Solves a stretch whose worker has failed. The coordinator scans it again, and gives its chunks to the workers as if it had cut
 * them itself. The stretch is not given to another worker, because all workers may be waiting for its baton.
 */
import { BoardmillError } from '../../core/errors.js';
import { endsRun } from '../chunk-result.js';
import { type Chunk, offsetOf } from '../cut/scan.js';
import type { ChunkFailure } from '../dispatcher.js';
import type { ChunkTask, TaskHead } from '../messages.js';
import type { ScanPosition } from '../position.js';
import { GivenUpError, type Recovery } from '../recover.js';
import type { RunOptions } from '../run-options.js';
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

/** What is known of a stretch whose worker has failed. */
interface SolvedStretch {
  readonly result: StretchResult;
  /** Why the stretch has no more answers: the input cannot be read to its end, or the dispatcher has given up. Undefined if it has all. */
  readonly failure: unknown;
}

/** Fails if the run has ended. */
export async function solveFailedStretch(
  stretch: Stretch,
  failure: ChunkFailure,
  context: RunOfStretches,
): Promise<SolvedStretch> {
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
    if (part instanceof GivenUpError) return givenUpStretch(scanned, parts, chunk, part);
    parts.push(part);
    if (endsRun(part.result.faults, context.run.settings)) break;
  }
  return { result: createStretchResult(scanned, parts, hashes), failure: scanned.failure };
}

/** Returns the answers that a stretch has, after which the run ends. No run can continue at its end. */
function givenUpStretch(
  scanned: ScannedStretch,
  parts: readonly SolvedPart[],
  { firstCase, starts, spanBefore }: Chunk,
  givenUp: GivenUpError,
): SolvedStretch {
  const { before, cases } = givenUp;
  const last = { firstCase, cases, inputBytes: starts[cases], spanBefore };
  const answered = before === null ? parts : [...parts, { ...last, result: before }];
  const unfinished = { ...scanned, end: null, isContinuable: false };
  return { result: createStretchResult(unfinished, answered, null), failure: givenUp };
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
): Promise<SolvedPart | GivenUpError> {
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
  const result = await recovery.solve(task, failure).catch((error: unknown) => {
    if (error instanceof GivenUpError) return error;
    throw error;
  });
  if (result instanceof GivenUpError) return result;
  stages.addWorkerTimes(result.times);
  return createPart(chunk, result);
}

/** Whether the failure of a stretch is one of this chunk, which is one of `chunks` in the stretch. */
function isAbout({ suspects }: ChunkFailure, { firstCase, starts }: Chunk, chunks: number): boolean {
  if (suspects === null) return chunks === 1;
  return suspects.from >= firstCase && suspects.to < firstCase + starts.length - 1;
}
