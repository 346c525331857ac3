/** Puts the same boards to two solvers, ours and the one on trial, and tells where they part. */
import { ByteWriter } from '../core/bytes.js';
import type { Board, Problem } from '../problems/problem.js';
import { ChunkFailure, type Dispatcher } from './dispatch.js';
import type { ChunkTask } from './messages.js';

export interface TrialFailure {
  readonly kind: 'wrong' | ChunkFailure['kind'];
  /** For the user: "expected 7, got 6", or what became of the program. */
  readonly what: string;
  /** Index of the first board that is answered otherwise; null where no board can be named. */
  readonly index: number | null;
}

export interface Contestants {
  readonly problem: Problem<unknown>;
  readonly trusted: Dispatcher;
  readonly onTrial: Dispatcher;
}

/** Null if all answers agree. Any number of trials may run at a time. */
export async function tryBoards(
  { problem, trusted, onTrial }: Contestants,
  boards: readonly Board[],
): Promise<TrialFailure | null> {
  const expected = await answersOf(trusted, taskOf(problem, boards));
  try {
    const got = await answersOf(onTrial, taskOf(problem, boards));
    const index = expected.findIndex((answer, i) => answer !== got[i]);
    if (index < 0) return null;
    return { kind: 'wrong', what: `expected ${expected[index]}, got ${got[index]}`, index };
  } catch (error) {
    if (!(error instanceof ChunkFailure)) throw error;
    const { kind, reason, suspects } = error;
    return { kind, what: reason, index: suspects?.index ?? null };
  }
}

/** Those boards as an input. */
export function inputOf({ format }: Problem<unknown>, boards: readonly Board[]): Uint8Array {
  const out = new ByteWriter();
  format.printHead(boards.length, null, out);
  for (const board of boards) format.printCase(board, out);
  format.printTail(out);
  return out.take();
}

function taskOf({ format }: Problem<unknown>, boards: readonly Board[]): ChunkTask {
  const out = new ByteWriter();
  const starts = new Uint32Array(boards.length + 1);
  for (const [i, board] of boards.entries()) {
    format.printCase(board, out);
    starts[i + 1] = out.length;
  }
  const bytes = out.take();
  return { bytes, starts, firstCase: 1, id: null, format: 'ndjson', onError: 'stop', oneByOne: false };
}

/** The answers as JSON, one a board. */
async function answersOf(dispatcher: Dispatcher, task: ChunkTask): Promise<string[]> {
  const { output } = await dispatcher.solve(task);
  const lines = Buffer.from(output).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.stringify((JSON.parse(line) as { answer: unknown }).answer));
}
