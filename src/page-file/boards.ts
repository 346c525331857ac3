/** The boards that `boardmill play` shows if the user gives none, by the full name of the problem. */
export const BOARDS_TO_PLAY: Readonly<Record<string, readonly string[]>> = {
  'bacterial-tactics': ['........', '...#....', '........', '.#......', '......#.', '........'],
  darkraft: ['XLRLRX', 'LRXRLR', 'RLLXRL', 'LXRRLL', 'RRLLXR', 'XLRXLR'],
  'link-and-pop': [
    'AU BD CL DR EU FD',
    'CL AU FR BD DL ES',
    'DR EU GL GR CU BD',
    'FU CD AL DR HS EU',
    'BL HR EU AD FL CS',
  ],
  'river-pawn': ['...#...', '.......', '.#...#.', '.......', 'O.....O', '..#.#..', '...X...'],
};
