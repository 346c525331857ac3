/** Tells an explanation of link-and-pop. */
import { pluralize } from '../../core/errors.js';
import type { CellPlace, Explanation } from '../../problems/explanation.js';
import { type BoardTexts, shownPlayOf } from '../shared/narration/board-play.js';
import { boardOfCells } from '../shared/narration/board-text.js';
import { formatCellPlace, type Narration } from '../shared/narration/narration.js';

interface Turn {
  readonly pop: { readonly cells: readonly [CellPlace, CellPlace]; readonly line: readonly CellPlace[] };
  readonly moves: readonly { readonly from: CellPlace; readonly to: CellPlace }[];
}

interface Fields {
  readonly turns: readonly Turn[];
}

/** As wide as a block. */
const EMPTY = '. ';
/** Largest number of block moves that are listed after a pop. */
const MAX_BLOCK_MOVES = 6;

export function narrateLinkAndPop(explanation: Explanation): Narration {
  const { turns } = explanation as Explanation & Fields;
  const cells = explanation.board.map((row) => row.split(' '));
  const left = cells.length * cells[0].length - 2 * turns.length;
  return {
    answer: `${pluralize(turns.length, 'pop')}, ${pluralize(left, 'block')} left`,
    reason: reasonOf(turns.length),
    board: boardOfCells(cells, styleOf),
    moves: [],
    playTitle: 'The board after each pop and the moves that follow it:',
    play: shownPlayOf({ cells, moves: turns, styleOf, describe: turnText, make: playTurn }),
    ending: turns.length > 0 && left > 0 ? 'No two of the blocks that are left can be linked.' : '',
  };
}

function reasonOf(pops: number): string {
  return pops === 0
    ? 'No two blocks can be linked by at most three segments, so the board stays as it is.'
    : 'Each turn pops the pair whose link has the fewest segments, and of those the topmost, then the leftmost. Then blocks move.';
}

function styleOf(text: string): 'quiet' | undefined {
  return text === EMPTY ? 'quiet' : undefined;
}

function turnText({ pop, moves }: Turn): string {
  const link = `${pop.cells.map(formatCellPlace).join(' and ')}, ${pluralize(pop.line.length - 1, 'segment')}`;
  if (moves.length === 0) return `${link}; nothing moves`;
  const listed = moves
    .slice(0, MAX_BLOCK_MOVES)
    .map(({ from, to }) => `${formatCellPlace(from)}→${formatCellPlace(to)}`);
  const more = moves.length - listed.length;
  return `${link}; ${pluralize(moves.length, 'move')}: ${listed.join(' ')}${more === 0 ? '' : ` … and ${more} more`}`;
}

/** Plays a pop and the moves of blocks after it. Returns the cells where the moved blocks have come to rest. */
function playTurn({ pop, moves }: Turn, cells: BoardTexts): CellPlace[] {
  for (const [row, column] of pop.cells) cells[row - 1][column - 1] = EMPTY;
  for (const { from, to } of moves) {
    cells[to[0] - 1][to[1] - 1] = cells[from[0] - 1][from[1] - 1];
    cells[from[0] - 1][from[1] - 1] = EMPTY;
  }
  return moves.map(({ to }) => to).filter(([row, column]) => cells[row - 1][column - 1] !== EMPTY);
}
