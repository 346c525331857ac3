/**
 * A board, and moves that were played on it, as the fragment of a link: `#rows=-3h/--h-&moves=0.2`. For a board that plays by
 * itself, the step on show follows: `&step=9`. A number after a cell says how many times in a row the cell occurs. Cells are
 * written with letters, digits, `-` and `/` only, because programs that find links in a text cut them at other characters.
 */
import {
  assertBoard,
  BoardError,
  type BoardNotation,
  type BoardRows,
  cellsOfBoardRow,
  isCellText,
  rowOfCells,
} from './board-text.js';

interface SharedPlay {
  readonly rows: BoardRows;
  /** For each move its index among the legal moves. */
  readonly moves: readonly number[];
  /** The step of a replay. */
  readonly step: number;
}

/** The letters of cells that are written with other characters in links. */
const IN_LINKS: Readonly<Record<string, string>> = { '.': '-', '#': 'h' };
const FROM_LINKS = Object.fromEntries(Object.entries(IN_LINKS).map(([letter, sign]) => [sign, letter]));

/** The longest fragment that is read. The link with the largest board of any problem is a fifth as long. */
const MAX_FRAGMENT = 100_000;

export function urlFragmentOf(style: BoardNotation, { rows, moves, step }: SharedPlay): string {
  const texts = rows.map((row) => runsOf(cellsOfBoardRow(style, row)));
  const played = moves.length === 0 ? '' : `&moves=${moves.join('.')}`;
  return `#rows=${texts.join('/')}${played}${step === 0 ? '' : `&step=${step}`}`;
}

function runsOf(cells: readonly string[]): string {
  const isNew = (i: number) => cells[i] !== cells[i - 1];
  const starts = cells.flatMap((_, i) => (isNew(i) ? [i] : []));
  return starts
    .map((start, i) => {
      const length = (starts[i + 1] ?? cells.length) - start;
      return `${IN_LINKS[cells[start]] ?? cells[start]}${length === 1 ? '' : length}`;
    })
    .join('');
}

/** What follows the rows in a fragment. */
const PLAY = /^(?:&moves=(\d{1,5}(?:\.\d{1,5})*)?)?(?:&step=(\d{1,5}))?$/;

/**
 * Reads a fragment, with or without its `#`. Returns null if the fragment does not begin with `rows=`: then it does not concern
 * a board. Throws BoardError if the rows are not a board of the problem.
 */
export function readUrlFragment(style: BoardNotation, fragment: string): SharedPlay | null {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith('rows=')) return null;
  if (text.length > MAX_FRAGMENT) throw new BoardError('The link is too long for one board.');
  const [rowsText] = text.slice('rows='.length).split('&', 1);
  const parts = PLAY.exec(text.slice('rows='.length + rowsText.length));
  if (parts === null) throw new BoardError('The moves in the link cannot be read.');
  const [, movesText = '', step = '0'] = parts;
  const rows = rowsText.split('/').map((row) => rowOfRuns(style, row));
  assertBoard(style, rows);
  return { rows, moves: movesText === '' ? [] : movesText.split('.').map(Number), step: Number(step) };
}

function rowOfRuns(style: BoardNotation, text: string): string {
  const runs = text.match(style.letters.length === 1 ? /\D\d*/g : /\D\D\d*/g) ?? [];
  const cells: string[] = [];
  for (const run of runs) {
    const sign = run.slice(0, style.letters.length);
    const cell = FROM_LINKS[sign] ?? sign;
    const count = Number(run.slice(sign.length) || 1);
    // The length is checked before cells are made, so that a short link cannot ask for millions of them.
    if (!isCellText(style, cell) || !(cells.length + count <= style.limits.maxCols)) throw badLink();
    cells.push(...new Array<string>(count).fill(cell));
  }
  if (runs.join('') !== text) throw badLink();
  return rowOfCells(style, cells);
}

function badLink(): BoardError {
  return new BoardError('The board in the link cannot be read.');
}
