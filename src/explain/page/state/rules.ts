/** The rules of the four games in words, with an example of three moves. */
import type { BoardRows } from '../boards/board-text.js';

interface GameRules {
  readonly rules: readonly string[];
  /** What the cells of a board can be, as texts of cells. */
  readonly legend: readonly (readonly [cell: string, meaning: string])[];
  /** What the values of moves mean; empty for a game without players. */
  readonly values: readonly string[];
  /** Boards of a short game, and what has just happened. */
  readonly example: readonly { readonly rows: BoardRows; readonly caption: string }[];
  /** How to play on this page. */
  readonly controls: readonly string[];
}

const NIMBER = [
  'The number beside a move is the nimber of the position after it.',
  'The nimber of a position is the smallest number that none of its moves leaves. Without a move, it is 0.',
  'The player who is to move loses exactly if the nimber is 0. So a move that leaves 0 wins.',
];

const CONTROLS = [
  'Click a move on the board or in the list. The arrow keys left and right go through the moves that were played, Home and End to the first and the last position.',
  'In the board, which the Tab key reaches, the arrow keys go from cell to cell, and Enter plays.',
];

const bacterialTactics: GameRules = {
  rules: [
    'Becca and Terry take turns. Becca moves first.',
    'A move fills a whole row or column with bacteria, up to the edges of the board or to bacteria.',
    'A move must not reach a radioactive cell.',
    'A player who finds no row or column to fill loses.',
  ],
  legend: [
    ['.', 'an empty cell'],
    ['#', 'a radioactive cell'],
    ['o', 'bacteria'],
  ],
  values: NIMBER,
  example: [
    { rows: ['...', '.#.'], caption: 'Becca moves first.' },
    { rows: ['ooo', '.#.'], caption: 'Becca fills row 1.' },
    { rows: ['ooo', 'o#.'], caption: 'Terry fills column 1, up to the bacteria.' },
    { rows: ['ooo', 'o#o'], caption: 'Becca fills column 3. Terry finds no move: Becca wins.' },
  ],
  controls: [
    'With a mouse, the place in a cell chooses: near its left and right edges its row, near the others its column. A tap asks which.',
    ...CONTROLS,
  ],
};

const darkraft: GameRules = {
  rules: [
    'Two players take turns.',
    'A move picks a letter, and clears its cell and the cells on its rays.',
    'L sends rays down-left and up-right, R up-left and down-right, and X in all four directions.',
    'A ray ends at the edge of the board or at a cell that is already clear.',
    'A player who finds no letter loses.',
  ],
  legend: [
    ['L', 'a letter with two rays'],
    ['R', 'a letter with the other two rays'],
    ['X', 'a letter with all four rays'],
    ['.', 'a cleared cell'],
  ],
  values: NIMBER,
  example: [
    { rows: ['LL', 'XR', 'LR'], caption: 'The first player is to move.' },
    { rows: ['.L', 'X.', 'LR'], caption: 'R in row 2 clears the cell up-left of it, too.' },
    { rows: ['..', '..', 'L.'], caption: 'X in row 2 clears three cells.' },
    { rows: ['..', '..', '..'], caption: 'L is the last letter: the first player wins.' },
  ],
  controls: CONTROLS,
};

const riverPawn: GameRules = {
  rules: [
    'Red has two pieces and moves first. Black has one piece.',
    'Red moves one of his pieces to a neighbouring cell in any of four directions.',
    'Black moves up, left or right, never down.',
    'Nobody enters an obstacle, and Red never moves onto his other piece.',
    'Black wins when he reaches row 1.',
    'A player who moves onto a piece of the opponent catches it and wins.',
    'A player who cannot move loses.',
    'A game that nobody can win is a tie: when a position is on the board for the third time.',
  ],
  legend: [
    ['O', 'a red piece'],
    ['X', 'the black piece'],
    ['#', 'an obstacle'],
  ],
  values: [
    'A ply is one move of one player.',
    'The number beside a move says how many plies the game takes with best play, this move included.',
    'It has a + if the player who moves wins and a − if he loses; = is a tie.',
  ],
  example: [
    { rows: ['O.O', '...', '.X.'], caption: 'Red moves first.' },
    { rows: ['..O', 'O..', '.X.'], caption: 'Red moves down.' },
    { rows: ['..O', 'O..', 'X..'], caption: 'Black moves left, below a red piece.' },
    { rows: ['..O', '...', 'O..'], caption: 'Red catches Black, and wins.' },
  ],
  controls: ['Drag a piece, or click the piece and then a cell beside it.', ...CONTROLS],
};

const linkAndPop: GameRules = {
  rules: [
    'Nobody chooses anything here: the page shows how the board pops by itself.',
    'A line of at most three straight segments that crosses no block links two blocks with one letter.',
    'The line may run around the board.',
    'The pair with the fewest segments pops first. Of several pairs, the first in reading order pops.',
    'After a pop, the blocks with an arrow move in turns. In a turn each of them, in reading order, moves one cell if that cell is empty.',
    'When no block can move, the next pair pops.',
    'The game ends when no two blocks can be linked.',
  ],
  legend: [
    ['AS', 'a block that stands still'],
    ['AR', 'a block that moves to the right'],
    ['..', 'an empty cell'],
  ],
  values: [],
  example: [
    { rows: ['AS AS CD', 'BS CS BL'], caption: 'The two A are neighbours: one segment.' },
    { rows: ['.. .. CD', 'BS CS BL'], caption: 'They pop. Now a line with two segments links the two C.' },
    { rows: ['.. .. ..', 'BS BL ..'], caption: 'They pop, and a B moves to the left.' },
    { rows: ['.. .. ..', '.. .. ..'], caption: 'The two B pop, and the board is empty.' },
  ],
  controls: [
    'The buttons, the slider, and the arrow keys left and right go through the pops, Home and End to the first and the last board.',
    'In the board, which the Tab key reaches, the arrow keys go from cell to cell.',
  ],
};

export const GAME_RULES: Readonly<Record<string, GameRules>> = {
  'bacterial-tactics': bacterialTactics,
  darkraft,
  'link-and-pop': linkAndPop,
  'river-pawn': riverPawn,
};
