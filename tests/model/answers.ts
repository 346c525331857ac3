/** The answers of the model: what the slow oracles say about a case, and how each output format shows it. */
import { PROBLEMS } from '../../src/catalog/registry.js';
import type { Column as OutputColumn } from '../../src/problems/output-columns.js';
import { solveLiterally as bacterialTactics, createNimberOracle } from '../oracles/bacterial-tactics.js';
import { solveLiterally as darkraft, nimberLiterally } from '../oracles/darkraft.js';
import { solveLiterally as linkAndPop } from '../oracles/link-and-pop.js';
import { solveLiterally as riverPawn } from '../oracles/river-pawn.js';
import type { Style } from '../support/inputs.js';

export type Format = 'text' | 'ndjson' | 'csv';

/** Columns whose values the model knows. The seconds of a case are nobody's to know. */
export type Column = Exclude<OutputColumn, 'seconds'>;

/** A good case, as the plain reader returns it. */
export interface GoodCase {
  readonly rows: number;
  readonly cells: string;
}

/** An answer: as JSON shows it, as the contest prints it (without a label), and the nimber of the board. */
export interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly nimber: number | null;
  readonly board: readonly string[];
}

type Board = Parameters<typeof darkraft>[0];

type LiteralSolver = (board: Board) => Omit<Answer, 'board'>;

/** Games whose answers are more than one text or number, or that have nimbers. */
const SOLVERS: Readonly<Record<string, LiteralSolver>> = {
  'bacterial-tactics': (board) => {
    const openings = bacterialTactics(board);
    return { json: openings, lines: [`${openings}`], nimber: createNimberOracle()(plainRows(board)) };
  },
  darkraft: (board) => {
    const winner = darkraft(board);
    return { json: winner, lines: [winner], nimber: nimberLiterally(board) };
  },
  'link-and-pop': (board) => {
    const rows = linkAndPop(board);
    return { json: rows, lines: rows, nimber: null };
  },
  'river-pawn': (board) => {
    const { winner, plies } = riverPawn(board);
    return { json: { winner, plies }, lines: [winner === null ? 'Tie' : `${winner} ${plies}`], nimber: null };
  },
};

/** All other games. */
const PLAIN_SOLVERS: Readonly<Record<string, LiteralSolver>> = Object.fromEntries(
  await Promise.all(
    PROBLEMS.filter(({ name }) => !(name in SOLVERS)).map(async ({ name }) => {
      const { solveLiterally } = await import(`../oracles/${name}.ts`);
      return [name, (board: Board) => plainAnswer(name, solveLiterally(board))];
    }),
  ),
);

function plainAnswer(name: string, answer: unknown): Omit<Answer, 'board'> {
  if (typeof answer !== 'string' && typeof answer !== 'number')
    throw new Error(`SOLVERS in tests/model/answers.ts does not say how an answer of ${name} is printed`);
  return { json: answer, lines: [`${answer}`], nimber: null };
}

/** The answers so far. The oracles are slow, and small boards come again and again. */
const known = new Map<string, Answer>();

export function answerTo(style: Style, { rows, cells }: GoodCase): Answer {
  const key = `${style.name} ${rows} ${cells}`;
  const stored = known.get(key) ?? solve(style, rows, cells);
  known.set(key, stored);
  return stored;
}

function solve({ name, letters }: Style, rows: number, text: string): Answer {
  const cols = text.length / rows / letters.length;
  const isBlock = letters.length === 2;
  const cells = Uint8Array.from(text, (cell) => (isBlock ? cell.charCodeAt(0) : letters[0].indexOf(cell)));
  const board = Array.from({ length: rows }, (_, row) => {
    const line = text.slice(row * cols * letters.length, (row + 1) * cols * letters.length);
    return isBlock ? line.replace(/..(?=.)/g, '$& ') : line;
  });
  const solveLiterally = SOLVERS[name] ?? PLAIN_SOLVERS[name];
  return { ...solveLiterally({ rows, cols, cells }), board };
}

function plainRows({ rows, cols, cells }: Board): string[] {
  const text = Array.from(cells, (cell) => '.#'[cell]).join('');
  return Array.from({ length: rows }, (_, row) => text.slice(row * cols, (row + 1) * cols));
}

/** What is printed for a case: its answer, or `null` and the place of its fault if it is marked. */
export interface Row {
  readonly caseNumber: number;
  readonly answer: Answer | null;
  readonly fault: { readonly line: number; readonly column: number } | null;
  /** Whether the fault is not one of the input: the program of `--exec` has failed. */
  readonly isFailure: boolean;
  readonly values: Readonly<Partial<Record<Column, unknown>>>;
}

/** How the output of a run looks. `fileFirst`: the output is a table of several inputs. */
export interface Look {
  readonly format: Format;
  readonly columns: readonly Column[];
  readonly onError: 'stop' | 'mark';
  readonly fileFirst: boolean;
}

export function headingOf({ format, columns, onError, fileFirst }: Look): string {
  if (format !== 'csv') return '';
  return csvLine([
    ...(fileFirst ? ['file'] : []),
    'case',
    'answer',
    ...columns.filter((name) => !fileFirst || name !== 'file'),
    ...(onError === 'mark' ? ['error'] : []),
  ]);
}

const LABELS: Readonly<Record<string, [label: (k: number) => string, end: string]>> = {
  'bacterial-tactics': [(k) => `Case #${k}: `, ''],
  'link-and-pop': [(k) => `Case ${k}\n`, ''],
};

export function printRow({ name }: Style, { format, columns, onError, fileFirst }: Look, row: Row): string {
  const { caseNumber, answer, fault, isFailure, values } = row;
  const lines = answer?.lines ?? ['ERROR'];
  const label = LABELS[name]?.[0](caseNumber) ?? '';
  if (format === 'text') return `${label}${lines.join('\n')}\n`;
  const others = columns.filter((column) => !fileFirst || column !== 'file');
  if (format === 'ndjson') {
    const result =
      answer === null
        ? {
            error: isFailure
              ? { kind: 'crash', ...fault, ...HIDDEN_REASON }
              : { kind: 'input', ...fault, ...HIDDEN },
          }
        : { answer: answer.json };
    const first = fileFirst ? { file: values.file } : {};
    const rest = others.map((column) => [column, values[column] ?? null]);
    return `${JSON.stringify({ ...first, case: caseNumber, ...result, ...Object.fromEntries(rest) })}\n`;
  }
  return csvLine([
    ...(fileFirst ? [values.file] : []),
    caseNumber,
    lines.join('\n'),
    ...others.map((column) => values[column]),
    ...(onError === 'mark' ? [fault === null ? '' : `${fault.line}:${fault.column}`] : []),
  ]);
}

function csvLine(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => (Array.isArray(cell) ? cell.join('\n') : `${cell ?? ''}`));
  return `${texts.map((text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\n`;
}

/** The contract does not settle the words of an error, so the model compares answers without them. */
const HIDDEN = { expected: '', got: '' };
const HIDDEN_REASON = { reason: '' };

/** Removes the words of errors from answers, but keeps the places of the errors. */
export function hideWords(answers: string, format: Format): string {
  if (format === 'csv') return answers.replace(/^(.*,ERROR,(?:.*,)?)"?(\d+:\d+): .*$/gm, '$1$2');
  return answers
    .replace(
      /("error":\{[^{}]*?"column":\d+),"expected":.*?"got":"(?:[^"\\]|\\.)*"\}/g,
      (_, head) => `${head},${JSON.stringify(HIDDEN).slice(1)}`,
    )
    .replace(/("error":\{[^{}]*?"column":\d+,"reason":)"(?:[^"\\]|\\.)*"\}/g, '$1""}');
}
