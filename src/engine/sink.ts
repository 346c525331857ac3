import type { TaskHead } from './messages.js';
import type { RunPosition } from './position.js';
import type { RunOutcome } from './run-outcome.js';

/** The cases whose answers a sink gets. */
export interface AnsweredCases {
  readonly bytes: Uint8Array;
  /** Offset of each case in `bytes`, then the offset at which the last case ends. */
  readonly starts: Uint32Array;
  readonly count: number;
  readonly head: TaskHead;
}

/** A place where answers are written, in input order. A sink whose run no later run can continue only says how it writes. */
export interface Sink {
  /** Whether the sink stores the positions that `write` gets. If the sink does not, the run need not hash the input. */
  readonly keepsPositions?: boolean;
  /** Whether `write` needs the cases whose answers it gets. */
  readonly wantsCases?: boolean;
  /** The position of the interrupted run that this run continues; without it, the run starts at the beginning of the input. */
  readonly resumePosition?: RunPosition | null;
  /** A random text that names the run, and every run that continues it, but no other; missing if none can continue it. */
  readonly runId?: string;
  /**
   * Writes answers. Resolves when more answers may be written, so a slow reader slows the run down. `position` is the
   * position of the run after these answers; null if no run can continue after them. `cases` are the answered cases, if
   * the sink wants them.
   */
  write(bytes: Uint8Array, position: RunPosition | null, cases?: AnsweredCases): Promise<void>;
  /**
   * Called when the answers are complete, with what the run knows, if they come from a run. The written answers get their
   * final name.
   */
  finish(outcome?: RunOutcome): Promise<void>;
  /**
   * Called when the run has failed or was interrupted. The written answers do not get their final name; they are kept
   * if a later run can continue after them. Returns whether a later run can.
   */
  abandon(): Promise<boolean>;
}

/** The end of a sink that has written everything when `write` resolves, and keeps nothing for a later run. */
export const WRITTEN_AT_ONCE = { finish: async () => {}, abandon: async () => false };

/**
 * Calls `write`, which writes to the sink, and then finishes the sink with what it returns. If it fails, the sink is abandoned.
 * `explain` returns the error to throw then; `isResumable` says whether a later run can continue this one.
 */
export async function fillSink(
  sink: Sink,
  write: () => Promise<RunOutcome> | Promise<void>,
  explain: (error: unknown, isResumable: boolean) => unknown = (error) => error,
): Promise<void> {
  let outcome: RunOutcome | undefined;
  try {
    outcome = (await write()) ?? undefined;
  } catch (error) {
    throw explain(error, await sink.abandon());
  }
  await sink.finish(outcome);
}
