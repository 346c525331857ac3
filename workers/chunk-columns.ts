import type { ChunkTask } from '../src/engine/messages.js';
import {
  type BoardColumnValues,
  boardColumnValues,
  CaseLineFinder,
  type Column,
  type ColumnValues,
  columnValues,
  type ProblemColumns,
} from '../src/problems/output-columns.js';

/** Collects the values of the columns for the cases of a chunk. For a run without columns, it does nothing. */
export class ChunkColumns<Case> {
  readonly #problem: ProblemColumns<Case>;
  /** What the columns say about the boards of the last batch. */
  readonly #boards: BoardColumnValues[] = [];
  /** The nimbers of the last batch. */
  readonly #nimbers: number[] = [];
  #columns: readonly Column[] = [];
  #areNimbersShown = false;
  #task: ChunkTask | null = null;
  #lines: CaseLineFinder | null = null;
  /** The time of each case of the last batch. */
  #seconds = 0;

  constructor(problem: ProblemColumns<Case>) {
    this.#problem = problem;
  }

  /** Begins a chunk. Called before the first case of the chunk is solved. */
  useTask(task: ChunkTask): void {
    const { bytes, origin, settings } = task;
    this.#columns = settings.columns;
    this.#areNimbersShown = settings.columns.includes('nimber');
    this.#task = task;
    this.#lines = origin === null ? null : new CaseLineFinder(bytes, origin.line);
  }

  /** Begins a batch. Called before the first `count` of these cases are solved together. */
  useBatch(cases: readonly Case[], count: number): void {
    if (this.#lines === null) return;
    const { caseColumns } = this.#problem;
    for (let i = 0; i < count; i++) this.#boards[i] = boardColumnValues(this.#columns, cases[i], caseColumns);
  }

  /** The array in which the solver stores nimbers; undefined if no column shows them. */
  get nimbers(): number[] | undefined {
    return this.#areNimbersShown ? this.#nimbers : undefined;
  }

  setSeconds(seconds: number): void {
    this.#seconds = seconds;
  }

  /**
   * Returns the values of a case's columns; null if the run has no columns. `index` is the index of the case in the chunk, and
   * `indexInBatch` its index in the batch that was just solved. Called for the cases in their order.
   */
  valuesOf(index: number, indexInBatch: number): ColumnValues | null {
    if (this.#lines === null) return null;
    const { origin, starts } = this.#task!;
    const facts = {
      file: origin!.file,
      line: this.#lines.lineAt(starts[index]),
      board: this.#boards[indexInBatch],
      seconds: this.#seconds,
      nimber: this.#nimbers[indexInBatch] ?? null,
    };
    return columnValues(this.#columns, facts);
  }

  /** Returns the line of a case that has no answer, for its fault; null if the run has no columns. */
  lineOf(index: number): { readonly line: number } | null {
    return this.#lines && { line: this.#lines.lineAt(this.#task!.starts[index]) };
  }
}
