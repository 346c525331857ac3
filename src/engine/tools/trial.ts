/** Gives the same boards to two solvers, boardmill's own and the tested one, and finds where their answers differ. */
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import type { Board, Problem } from '../../problems/problem.js';
import { ChunkFailure } from '../dispatcher.js';
import type { ChunkResult, ChunkTask } from '../messages.js';
import type { Recovery } from '../recover.js';

export interface TrialFailure {
  readonly kind: 'wrong' | ChunkFailure['kind'];
  /** The failure as the user reads it: "expected 7, got 6", or how the program failed. */
  readonly description: string;
  /** Index of the first board with a different answer; null if the failure cannot be assigned to a board. */
  readonly index: number | null;
}

export interface SolverPair {
  readonly problem: Problem<unknown>;
  readonly trustedSolver: Recovery;
  readonly testedSolver: Recovery;
}

/**
 * Solves the boards with both solvers; returns null if all answers agree. Several calls may run at the same time.
 * Fails with kind `worker` if the trusted solver fails or a solver cannot be started, because these failures say
 * nothing about the tested solver.
 */
export async function compareSolvers(
  { problem, trustedSolver, testedSolver }: SolverPair,
  boards: readonly Board[],
): Promise<TrialFailure | null> {
  const task = createTask(problem, boards);
  const result = await trustedSolver.solve(task);
  const [fault] = result.faults;
  if (fault !== undefined) {
    const reason = fault.cause.kind === 'input' ? `expected ${fault.cause.expected}` : fault.cause.reason;
    throw new BoardmillError('worker', `boardmill's own solver has no answer to compare with: ${reason}`);
  }
  const outcome = await testedSolver.solveWithRetries(task);
  if (outcome instanceof ChunkFailure) {
    const { kind, reason, suspects } = outcome;
    return { kind, description: reason, index: suspects === null ? null : suspects.from - 1 };
  }
  return firstDifference(answersOf(result), answersOf(outcome));
}

function firstDifference(expected: readonly string[], got: readonly string[]): TrialFailure | null {
  const index = expected.findIndex((answer, i) => answer !== got[i]);
  if (index < 0) return null;
  return { kind: 'wrong', description: `expected ${expected[index]}, got ${got[index]}`, index };
}

/** Returns an input with the given boards as its cases. */
export function inputOfBoards({ inputFormat }: Problem<unknown>, boards: readonly Board[]): Uint8Array {
  const out = new ByteWriter();
  inputFormat.printPreamble(boards.length, null, out);
  for (const board of boards) inputFormat.printCase(board, out);
  inputFormat.printTerminator(out);
  return out.take();
}

/** The settings with which both solvers answer: JSON answers of every problem can be compared as text. */
const TRIAL_SETTINGS = { outputFormat: 'ndjson', onError: 'stop' } as const;

function createTask({ inputFormat }: Problem<unknown>, boards: readonly Board[]): ChunkTask {
  const out = new ByteWriter();
  const starts = new Uint32Array(boards.length + 1);
  for (const [i, board] of boards.entries()) {
    inputFormat.printCase(board, out);
    starts[i + 1] = out.length;
  }
  const bytes = out.take();
  return { bytes, starts, firstCase: 1, id: null, settings: TRIAL_SETTINGS, isSolvedOneByOne: false };
}

/** Returns the answers in a chunk's output as JSON, one string per board. */
function answersOf({ output }: ChunkResult): string[] {
  const lines = Buffer.from(output).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.stringify((JSON.parse(line) as { answer: unknown }).answer));
}
