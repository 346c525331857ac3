/** Puts the same boards to two solvers, ours and the one on trial, and says where they differ. */

import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import type { Board, Problem } from '../../problems/problem.js';
import { ChunkFailure } from '../dispatcher.js';
import type { ChunkResult, ChunkTask } from '../messages.js';
import type { Recovery } from '../recover.js';

export interface TrialFailure {
  readonly kind: 'wrong' | ChunkFailure['kind'];
  /** For the user: "expected 7, got 6", or what became of the program. */
  readonly what: string;
  /** Index of the first board that is answered otherwise; null where no board can be named. */
  readonly index: number | null;
}

export interface Contestants {
  readonly problem: Problem<unknown>;
  readonly trusted: Recovery;
  readonly onTrial: Recovery;
}

/**
 * Null if all answers agree. Any number of trials may run at a time. Fails with kind `worker` where the trusted solver
 * fails, or where a solver cannot be started: that says nothing about the one on trial.
 */
export async function tryBoards(
  { problem, trusted, onTrial }: Contestants,
  boards: readonly Board[],
): Promise<TrialFailure | null> {
  const task = taskOf(problem, boards);
  const result = await trusted.solve(task);
  const [fault] = result.faults;
  if (fault !== undefined) {
    const reason = fault.why.kind === 'input' ? `expected ${fault.why.expected}` : fault.why.reason;
    throw new BoardmillError('worker', `boardmill's own solver has no answer to compare with: ${reason}`);
  }
  const outcome = await onTrial.solveTogether(task);
  if (outcome instanceof ChunkFailure) {
    const { kind, reason, suspects } = outcome;
    return { kind, what: reason, index: suspects === null ? null : suspects.from - 1 };
  }
  return firstDifference(answersOf(result), answersOf(outcome));
}

function firstDifference(expected: readonly string[], got: readonly string[]): TrialFailure | null {
  const index = expected.findIndex((answer, i) => answer !== got[i]);
  if (index < 0) return null;
  return { kind: 'wrong', what: `expected ${expected[index]}, got ${got[index]}`, index };
}

/** Those boards as an input. */
export function inputOf({ inputFormat }: Problem<unknown>, boards: readonly Board[]): Uint8Array {
  const out = new ByteWriter();
  inputFormat.printPreamble(boards.length, null, out);
  for (const board of boards) inputFormat.printCase(board, out);
  inputFormat.printTerminator(out);
  return out.take();
}

/** Answers as JSON can be compared whatever their type. */
const SETTINGS = { outputFormat: 'ndjson', onError: 'stop' } as const;

function taskOf({ inputFormat }: Problem<unknown>, boards: readonly Board[]): ChunkTask {
  const out = new ByteWriter();
  const starts = new Uint32Array(boards.length + 1);
  for (const [i, board] of boards.entries()) {
    inputFormat.printCase(board, out);
    starts[i + 1] = out.length;
  }
  const bytes = out.take();
  return { bytes, starts, firstCase: 1, id: null, settings: SETTINGS, oneByOne: false };
}

/** The answers as JSON, one a board. */
function answersOf({ output }: ChunkResult): string[] {
  const lines = Buffer.from(output).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.stringify((JSON.parse(line) as { answer: unknown }).answer));
}
