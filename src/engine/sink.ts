import type { InputHeadOfTask, RunName } from './messages.js';
import type { RunPosition } from './position.js';
import type { RunOutcome } from './run-outcome.js';

/** The cases to which a sink gets the answers. */
export interface CasesWithoutAnswers {
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends. */
  readonly starts: Uint32Array;
  readonly count: number;
  /** Number of the first of these cases in the input. */
  readonly firstCase: number;
  readonly head: InputHeadOfTask;
  /** As in ChunkResult. */
  readonly solvedBy?: string;
}

/** A place where answers are written, in input order. A sink that does not support resuming has only the methods. */
export interface Sink {
  /** Whether the sink stores the positions that `write` gets. If not, the run need not hash the input. */
  readonly keepsPositions?: boolean;
  /** Whether `write` also needs the cases themselves, besides their answers. */
  readonly wantsCases?: boolean;
  /** Whether nothing needs the bytes of a `write` after it has resolved, so that their memory can be freed. */
  readonly writesAtOnce?: boolean;
  /** The position of the interrupted run that this run continues; without it, the run starts at the beginning of the input. */
  readonly resumePosition?: RunPosition | null;
  /** The name of the run; missing if no later run can continue this run. */
  readonly run?: RunName;
  /**
   * Writes answers. Resolves when more answers may be written, so a slow reader slows the run down. `position` is the
   * position of the run after these answers; null if no run can continue after them. `cases` are the answered cases, if
   * the sink wants them.
   */
  write(bytes: Uint8Array, position: RunPosition | null, cases?: CasesWithoutAnswers): Promise<void>;
  /**
   * Called when all answers are written, with the outcome of the run if they come from a run. The file with the answers then
   * gets its final name.
   */
  finish(outcome?: RunOutcome): Promise<void>;
  /**
   * Called when the run has failed or was interrupted, with the reason. The file with the answers does not get its final name;
   * it is kept if a later run can continue it. Returns whether a later run can.
   */
  abandon(reason?: unknown): Promise<boolean>;
}

/** The last methods of a sink that has nothing to do at its end. */
export const NO_SINK_ENDING = { finish: async () => {}, abandon: async () => false };

/**
 * Calls `write`, which writes to the sink, and then finishes the sink with the outcome that `write` returns. If `write` fails,
 * abandons the sink and throws the error that `explain` returns; `isResumable` says whether a later run can continue this one.
 */
export async function writeAndFinishSink(
  sink: Sink,
  write: () => Promise<RunOutcome> | Promise<void>,
  explain: (error: unknown, isResumable: boolean) => unknown = (error) => error,
): Promise<void> {
  let outcome: RunOutcome | undefined;
  try {
    outcome = (await write()) ?? undefined;
  } catch (error) {
    throw explain(error, await sink.abandon(error));
  }
  await sink.finish(outcome);
}
