/**
 * The boards that `boardmill play` and the pages in docs/play show if the user gives none, by the full name of the problem: a
 * single winning opening, a board with many nimbers, a board of which all blocks are popped, and a win in 37 plies.
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
