/**
 * The boards that `boardmill play` and the pages in docs/play show if the user gives no board, by the full name of the problem:
 * a single winning opening, a board with many nimbers, a board of which all blocks are popped, and a win in 37 plies.
 */
export const BOARDS_TO_PLAY: Readonly<Record<string, readonly string[]>> = {
  'bacterial-tactics': ['...#....#', '....#....', '.........', '.........', '..###.#.#', '...#.....'],
  darkraft: ['XLRLRX', 'LRXRLR', 'RLLXRL', 'LXRRLL', 'RRLLXR', 'XLRXLR'],
  'link-and-pop': [
    'HL DR GS DR HU HU GD FL',
    'BL EL BU BD DR BD FL BU',
    'DD DS AS AD CD EU CS ES',
    'FD CD ES CS CU AD EL GU',
    'DL GU AS FS GR AD HL CR',
    'BD FS FL GS DD EU AL DU',
  ],
  'river-pawn': ['......O', '.#.#...', '..##...', '...##O.', '.....#.', '..#....', '.....X.'],
};

/** The names of the games that can be explained and played. */
export const EXPLAINED_GAMES = Object.keys(BOARDS_TO_PLAY);

/** The content of the cells of an empty board. In darkraft and link-and-pop, no cell is empty at the start. */
const CELLS_OF_EMPTY_BOARDS: Readonly<Record<string, string>> = {
  'bacterial-tactics': '.',
  darkraft: 'L',
  'link-and-pop': 'AS',
  'river-pawn': '.',
};

/**
 * Returns the rows of an empty board. An empty board of river-pawn has the pieces of the game: the reds in the corners of row
 * 1, and Black in the middle of the last row. A board that is too small for all pieces has fewer.
 */
export function emptyBoard(problem: string, rows: number, cols: number): string[] {
  const cells = Array.from({ length: rows }, () => Array<string>(cols).fill(CELLS_OF_EMPTY_BOARDS[problem]));
  if (problem === 'river-pawn') {
    cells[0][0] = 'O';
    if (cols > 1) cells[0][cols - 1] = 'O';
    else if (rows > 1) cells[1][0] = 'O';
    cells[rows - 1][cols >> 1] = 'X';
  }
  const separator = problem === 'link-and-pop' ? ' ' : '';
  return cells.map((row) => row.join(separator));
}
