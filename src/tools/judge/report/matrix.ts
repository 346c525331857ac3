/** The table of judging with a row for each file or case, and a column for each program. */
import type { Verdict } from '../../../engine/verdict.js';

/** The result of one program on one test. */
export interface VerdictMatrixCell {
  readonly verdict: Verdict;
  readonly seconds: number;
  /** Why the verdict is not AC; null if there is nothing to say. */
  readonly message: string | null;
  /** Whether the verdict is one that is not expected. */
  readonly isBad: boolean;
}

/** The results of all programs on a file or a case. A cell is null if the program was not run on it. */
export interface VerdictMatrixRow {
  readonly test: string;
  readonly cells: readonly (VerdictMatrixCell | null)[];
}

/** Names a column by the number of its program, from 1. */
export function programColumnName(index: number): string {
  return `[${index + 1}]`;
}

/** Returns the headings and the rows of a matrix as texts: `AC 0.05`. */
export function verdictMatrixTexts(
  rows: readonly VerdictMatrixRow[],
  programs: number,
): [headings: string[], rows: string[][]] {
  const headings = Array.from({ length: programs }, (_, index) => programColumnName(index));
  return [['file', ...headings], rows.map(({ test, cells }) => [test, ...cells.map(verdictCellText)])];
}

export function verdictCellText(cell: VerdictMatrixCell | null): string {
  return cell === null ? '-' : `${cell.verdict} ${cell.seconds.toFixed(2)}`;
}
