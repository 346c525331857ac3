/**
 * Explanations: why the answer to a case is what it is, as `explain --json` prints it. They are plain data. docs/explain.md
 * describes the fields for users.
 */
import type { Board } from '../formats/boards/board.js';

/** The value of the field `schema` of an explanation. Its number grows when the meaning of the fields changes. */
export const EXPLANATION_SCHEMA = 'boardmill/explanation/1';

/**
 * A cell of an n x m board as [row, column], both counted from 1 from the top left. On the ring around the board, the row
 * is 0 or n + 1, or the column is 0 or m + 1.
 */
export type CellPlace = readonly [row: number, column: number];

/** The fields that the explanations of all problems have, in the order in which they are printed. */
interface ExplanationHead {
  readonly schema: typeof EXPLANATION_SCHEMA;
  /** The name of the problem, never an alias. */
  readonly problem: string;
  /** The number of the case in its input, from 1. */
  readonly case: number;
  /** The rows of the board as they are in the input. */
  readonly board: readonly string[];
}

/**
 * The fields of an explanation that the problem adds: the answer as `--format ndjson` prints it, and its own fields in printing
 * order.
 */
export interface ExplanationBody {
  readonly answer: unknown;
  readonly [field: string]: unknown;
}

export type Explanation = ExplanationHead & ExplanationBody;

/** Explains the answers to the boards of one problem. */
export interface Explainer<Case = Board> {
  /**
   * Explains the answer to a board. With `wantsProof` the explanation also has the field `proof`. Throws ProofTooLarge if the
   * proof has more than `maxProofEntries` entries. The explanation does not refer to `board`, so the caller may reuse it for
   * another case.
   */
  explain(board: Case, wantsProof: boolean, maxProofEntries: number): ExplanationBody;
}

/** The error of a proof that has more entries than the caller allows. */
export class ProofTooLarge extends Error {
  readonly entries: number;
  /** The kind of entries that the proof would list, such as "positions". */
  readonly what: string;

  constructor(entries: number, what: string) {
    super(`a proof would list ${entries} ${what}`);
    this.entries = entries;
    this.what = what;
  }
}
