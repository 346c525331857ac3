/**
 * The columns that `--columns` adds to the answers: where a case is, what its board looks like, and what the solver found out
 * about it. A case has values for its columns only if a run asks for columns.
 */
import { closestName } from '../core/closest-name.js';
import { BoardmillError } from '../core/errors.js';
import { measureSpan } from '../core/location.js';

/** All columns. To add a column, add it here; the compiler then asks for its value in `COLUMN_VALUES`. */
export const COLUMNS = ['file', 'line', 'rows', 'cols', 'board', 'seconds', 'nimber'] as const;
export type Column = (typeof COLUMNS)[number];

/** The value of a column. A list of texts is printed on several lines if the output format has no lists. */
type ColumnValue = string | number | readonly string[] | null;
export type ColumnValues = Readonly<Record<string, ColumnValue>>;

/** The columns that describe the board of a case, each with a function that returns its value. Only some problems have them. */
export interface CaseColumns<Case = unknown> {
  rows(value: Case): number;
  cols(value: Case): number;
  /** Returns the rows of the board, as they are in an input. */
  board(value: Case): readonly string[];
}

/** The part of a problem that says which columns its output can have. */
export interface ProblemColumns<Case = unknown> {
  /** Optional. The values of the columns that describe the board of a case. */
  readonly caseColumns?: CaseColumns<Case>;
  /** Optional. Whether the solvers of the problem can write the nimbers of cases. */
  readonly hasNimbers?: boolean;
}

/** The place from which the cases of a chunk come: the input, and the line of the chunk's first byte. */
export interface CaseOrigin {
  /** The input, as messages name it. */
  readonly file: string;
  /** The line, from 1, of the first byte of the chunk. */
  readonly line: number;
}

/** The columns that describe the board of a case. The compiler asks for each function of `CaseColumns`. */
const BOARD_COLUMNS = Object.keys({ rows: 0, cols: 0, board: 0 } satisfies Record<
  keyof CaseColumns,
  0
>) as (keyof CaseColumns)[];
/** The values of those columns of a run that describe the board of a case. */
export type BoardColumnValues = Readonly<Partial<Record<keyof CaseColumns, ColumnValue>>>;

/** Returns the values of the columns for a board. Called before the case is solved, because solvers may change its board. */
export function boardColumnValues<Case>(
  columns: readonly Column[],
  value: Case,
  caseColumns: CaseColumns<Case> | undefined,
): BoardColumnValues {
  const wanted = BOARD_COLUMNS.filter((name) => caseColumns?.[name] !== undefined && columns.includes(name));
  return Object.fromEntries(wanted.map((name) => [name, caseColumns![name](value)]));
}

/** The facts about a case from which its columns are computed. An unknown fact, as about an invalid case, is null. */
interface CaseFacts {
  readonly file: string;
  /** The line on which the case begins. */
  readonly line: number;
  readonly board: BoardColumnValues | null;
  /** Seconds that the solver took. Cases that are solved together get equal shares of the time. */
  readonly seconds: number | null;
  readonly nimber: number | null;
}

/** For each column, the function that returns its value for a case. */
const COLUMN_VALUES: Record<Column, (facts: CaseFacts) => ColumnValue | undefined> = {
  file: ({ file }) => file,
  line: ({ line }) => line,
  rows: ({ board }) => board?.rows,
  cols: ({ board }) => board?.cols,
  board: ({ board }) => board?.board,
  // No clock measures more precisely than nanoseconds, so more digits would mean nothing.
  seconds: ({ seconds }) => (seconds === null ? null : Number(seconds.toFixed(9))),
  nimber: ({ nimber }) => nimber,
};

/** Returns the values of the columns for one case, in the order of `columns`. */
export function columnValues(columns: readonly Column[], facts: CaseFacts): ColumnValues {
  return Object.fromEntries(columns.map((name) => [name, COLUMN_VALUES[name](facts) ?? null]));
}

/** Finds the lines on which the cases of a chunk begin. The caller asks for the cases in their order. */
export class CaseLineFinder {
  readonly #bytes: Uint8Array;
  #line: number;
  #offset = 0;

  /** `line` is the number of the line with the first byte. */
  constructor(bytes: Uint8Array, line: number) {
    this.#bytes = bytes;
    this.#line = line;
  }

  lineAt(offset: number): number {
    this.#line += measureSpan(this.#bytes, this.#offset, offset).lines;
    this.#offset = offset;
    return this.#line;
  }
}

/** Returns the columns that answers to this problem can have. Programs of `--exec` print no nimbers. */
export function columnsOf({ caseColumns, hasNimbers }: ProblemColumns, hasProgram: boolean): Column[] {
  const missing = new Set<Column>(BOARD_COLUMNS.filter((name) => caseColumns?.[name] === undefined));
  if (hasNimbers !== true || hasProgram) missing.add('nimber');
  return COLUMNS.filter((name) => !missing.has(name));
}

/** The settings that decide which columns an output can have. */
interface ColumnContext {
  readonly problem: ProblemColumns & { readonly name: string };
  /** Whether a program solves the cases. */
  readonly hasProgram: boolean;
  /** Whether the output format has columns. */
  readonly hasColumns: boolean;
}

/**
 * Checks the names of columns that a user asks for. `option` is the name of the option in messages. Fails with kind `usage` if
 * a column does not exist here, or is named twice.
 */
export function checkRequestedColumns(
  option: string,
  names: readonly string[],
  context: ColumnContext,
): Column[] {
  const { problem, hasProgram, hasColumns } = context;
  if (names.length > 0 && !hasColumns)
    throw usageError(`${option} needs the output format ndjson or csv: text has no columns`);
  const available: readonly string[] = columnsOf(problem, hasProgram);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) throw usageError(`${option}: the column "${name}" is there twice`);
    if (available.includes(name)) continue;
    throw usageError(
      `${option}: ${whyMissing(name, context)}; the columns are ${available.join(', ')} (case and answer are always there)`,
    );
  }
  return names as Column[];
}

function whyMissing(name: string, { problem, hasProgram }: ColumnContext): string {
  if (name === 'nimber' && problem.hasNimbers === true && hasProgram)
    return `a program behind --exec prints no nimbers, so there is no column "nimber"`;
  if ((COLUMNS as readonly string[]).includes(name)) return `${problem.name} has no column "${name}"`;
  const meant = closestName(name, COLUMNS);
  return `no column is called "${name}"${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}
