/** Tells an explanation of bacterial-tactics. */

import { pluralize } from '../../core/errors.js';
import type { CellPlace, Explanation } from '../../problems/explanation.js';
import type { Game } from '../../problems/game.js';
import { type BoardTexts, createStyleLookup, shownPlayOf } from '../shared/narration/board-play.js';
import { boardOfCells } from '../shared/narration/board-text.js';
import type { Narration } from '../shared/narration/narration.js';
import { analyseGame, type Move, type Position } from './game.js';
import { LETTERS } from './letters.js';

type Filling = Pick<Move, 'line' | 'index' | 'from' | 'to'>;

interface Fields {
  readonly answer: number;
  readonly nimber: number;
  readonly play: readonly Filling[];
}

const FILLED = 'o';
const PLAYERS = ['Becca', 'Terry'];
const styleOf = createStyleLookup({ '#': 'yellow', [FILLED]: 'green', '.': 'quiet' });

export function narrateBacterialTactics(explanation: Explanation): Narration {
  const { answer, nimber, play: moves } = explanation as Explanation & Fields;
  const game = startOn(explanation.board);
  const openings = game.movesAt(game.start);
  const winning = openings.filter(({ wins }) => wins);
  const losing = openings.filter(({ wins }) => !wins);
  const cells = explanation.board.map((row) => [...row]);
  return {
    answer: String(answer),
    reason: reasonOf(answer, nimber, winning.length, openings.length),
    board: boardOfCells(cells, styleOf),
    moves: [
      { outcome: 'win', moves: winning.map((move) => `${lineText(move)}: ${leftText(game, move)}`) },
      { outcome: 'lose', moves: losing.map((move) => `${move.line} ${move.index} (nimber ${move.nimber})`) },
    ],
    playTitle: 'Best play, with the cells that each move fills (o: filled):',
    play: shownPlayOf({ cells, moves, styleOf, describe: fillingText, make: fill }),
    ending: moves.length === 0 ? '' : `${PLAYERS[moves.length % 2]} has no legal move left, and loses.`,
  };
}

function startOn(board: readonly string[]): Game<Position, Move> {
  const cells = Uint8Array.from(board.join(''), (letter) => LETTERS.indexOf(letter));
  return analyseGame({ rows: board.length, cols: board[0].length, cells });
}

function reasonOf(answer: number, nimber: number, winningLines: number, lines: number): string {
  if (lines === 0) return 'Becca loses, because every row and every column has a radioactive cell.';
  if (answer === 0)
    return 'Becca, who moves first, loses: the nimber of the board is 0, so each of her moves leaves another nimber, and Terry wins.';
  const lineText =
    winningLines === 1 ? '1 line (a row or column)' : `${winningLines} lines (rows or columns)`;
  return `Becca, who moves first, wins: the nimber of the board is ${nimber}, and she can fill ${lineText} so that the nimber 0 is left. Each counts once for each of its cells, which makes ${answer}.`;
}

function lineText({ line, index, from, to }: Filling): string {
  return `${line} ${index} (${pluralize(to - from + 1, 'cell')})`;
}

/** Says which rectangles the first move leaves, and their nimbers. */
function leftText(game: Game<Position, Move>, move: Move): string {
  const after = game.after(game.start, move);
  const { rectangles } = after;
  if (rectangles.length === 0) return 'leaves nothing';
  const nimbers = rectangles.map((rectangle) => game.outcomeAt({ ...after, rectangles: [rectangle] }).nimber);
  const sizes = rectangles.map(({ top, bottom, left, right }) => `${bottom - top}x${right - left}`);
  return `leaves ${sizes.join(' and ')}, ${nimbers.length === 1 ? 'nimber' : 'nimbers'} ${nimbers.join(' and ')}`;
}

function fillingText({ line, index, from, to }: Filling, moveIndex: number): string {
  const cells = from === to ? `${from}` : `${from}-${to}`;
  return `${PLAYERS[moveIndex % 2]}: ${line} ${index} (${cells})`;
}

function fill({ line, index, from, to }: Filling, cells: BoardTexts): CellPlace[] {
  const places = Array.from(
    { length: to - from + 1 },
    (_, i): CellPlace => (line === 'row' ? [index, from + i] : [from + i, index]),
  );
  for (const [row, column] of places) cells[row - 1][column - 1] = FILLED;
  return places;
}
