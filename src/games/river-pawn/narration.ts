/** Tells an explanation of river-pawn. */
import { pluralize } from '../../core/errors.js';
import type { CellPlace, Explanation } from '../../problems/explanation.js';
import { type BoardTexts, createStyleLookup, shownPlayOf } from '../shared/narration/board-play.js';
import { boardOfCells } from '../shared/narration/board-text.js';
import { formatCellPlace, type MoveGroup, type Narration } from '../shared/narration/narration.js';

type PlayerName = 'Red' | 'Black';

interface Step {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

interface Opening extends Step {
  readonly winner: PlayerName | null;
  readonly plies: number | null;
}

interface PlayedMove extends Step {
  readonly player: PlayerName;
  readonly left: number | null;
}

interface Fields {
  readonly answer: { readonly winner: PlayerName | null; readonly plies: number | null };
  readonly moves: readonly Opening[];
  readonly play: readonly PlayedMove[];
  readonly repeats?: number;
}

const FREE = '.';
const styleOf = createStyleLookup({ '#': 'yellow', O: 'red', X: 'white', [FREE]: 'quiet' });

export function narrateRiverPawn(explanation: Explanation): Narration {
  const { answer, moves, play, repeats } = explanation as Explanation & Fields;
  const cells = explanation.board.map((row) => [...row]);
  return {
    answer: answer.winner === null ? 'Tie' : `${answer.winner} ${answer.plies}`,
    reason: reasonOf(answer),
    board: boardOfCells(cells, styleOf),
    moves: groupMoves(moves),
    playTitle: repeats === undefined ? 'Best play:' : 'A line that nobody can improve:',
    play: shownPlayOf({ cells, moves: play, styleOf, describe: moveText, make: movePiece }),
    ending: endingOf(answer.winner, play, repeats),
  };
}

function reasonOf({ winner, plies }: Fields['answer']): string {
  if (winner === null) return 'Neither Red (O) nor Black (X) can force a win.';
  if (plies === 0) return 'Red (O) has no legal move, and loses at once.';
  const piece = winner === 'Red' ? 'O' : 'X';
  return `${winner} (${piece}) wins. The game ends after ${pluralize(plies as number, 'move')} of both players, if both play their best.`;
}

/** Groups the first moves of Red: those that win, the quickest first, those that tie, and those that lose. */
function groupMoves(moves: readonly Opening[]): MoveGroup[] {
  const of = (winner: PlayerName | null) =>
    moves.filter((move) => move.winner === winner).sort((a, b) => (a.plies ?? 0) - (b.plies ?? 0));
  return [
    {
      outcome: 'win',
      moves: of('Red').map(
        (move) => `${stepText(move)}: Red wins after ${pluralize(move.plies as number, 'move')}`,
      ),
    },
    { outcome: 'tie', moves: of(null).map(stepText) },
    {
      outcome: 'lose',
      moves: of('Black')
        .reverse()
        .map((move) => `${stepText(move)} (in ${pluralize(move.plies as number, 'move')})`),
    },
  ];
}

function stepText({ from, to }: Step): string {
  return `${formatCellPlace(from)} → ${formatCellPlace(to)}`;
}

function moveText(move: PlayedMove): string {
  return `${move.player} ${stepText(move)}${move.left === null ? '' : `, ${move.left} left`}`;
}

function movePiece({ from, to }: Step, cells: BoardTexts): CellPlace[] {
  cells[to[0] - 1][to[1] - 1] = cells[from[0] - 1][from[1] - 1];
  cells[from[0] - 1][from[1] - 1] = FREE;
  return [to];
}

function endingOf(winner: PlayerName | null, play: readonly PlayedMove[], repeats?: number): string {
  if (repeats !== undefined)
    return `Now the position is the same as ${repeats === 0 ? 'at the start' : `after move ${repeats}`}.`;
  return play.length === 0 ? '' : `${winner} has won.`;
}
