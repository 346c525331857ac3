/**
 * Boards with long forced wins, a few for each size: what `generate --profile hard` starts from.
 *
 * Found by simulated annealing over single cells and pieces, the kernel telling the length of the game (some
 * 10^6 boards for each size; bench/search-river-pawn.mjs). Nobody has shown that there are none longer.
 */
export interface LongWin {
  /** Moves of both players until the game ends. */
  readonly plies: number;
  /** Its rows from the top, divided by slashes. */
  readonly board: string;
}

/** Longest first. */
export const LONG_RED_WINS: readonly LongWin[] = [
  {
    plies: 355,
    board:
      '#O###.####/.#......../...######./.##......./......#.#./.##.....#./......##../.##......./.......#../.#O....X..',
  },
  {
    plies: 349,
    board:
      '........#O/.#..#.#.../..#.#.#.#./.........X/######.##./......#.../..###..#.#/.#...#O#../.#.#..#.#./...#......',
  },
  {
    plies: 339,
    board:
      '.....#..../........#O/.##.#.#.#./........X./.######.##/...#...#O#/##.#.#.#../...#.#..#./.###.#.#../.....#....',
  },
  {
    plies: 239,
    board: '####.##.O/.......##/..####.../.#...###./...#...../.#...##../..##...../......##./.#.O.X...',
  },
  { plies: 229, board: '##..#.O/.....##/.###.../...###./.#.#.../.#...#./..##.../.....#./..#..../....X#O' },
  { plies: 197, board: '######.###/........../.#######../........#./.#......../.....#..##/#.O..X..#O' },
  { plies: 189, board: '##..##O./......##/.####.../.....##./.###..../......#./...#..../.....X#O' },
  { plies: 145, board: 'O#..O/#...#/#.#../..##./.#.../...#./.#.../...#./.#.../..X##' },
  { plies: 135, board: '###..#O/......#/.####../.....#./.#...../....#../O#...X.' },
  { plies: 91, board: '........O./.##.#..##./..#.#.#O#./......#.#./###..X#...' },
  { plies: 87, board: '##.#.O/....##/.##.../...##./.#..../..X.O#' },
  { plies: 85, board: '#.#O/...#/.#.#/.#../..#./#.#./..#./.##./..#./O..X' },
  { plies: 79, board: '.........O/.#.#.#..#./..##.#..#./.......X#O' },
  { plies: 43, board: '.#O/.##/.../.#./.#./.#./.#./.#O/.#./.X.' },
  { plies: 43, board: '#.#.O/...##/.#.../.###./..X.O' },
  { plies: 37, board: 'OO......../#########./.X........' },
  { plies: 25, board: 'OO/.#/../#./../../.#/../#./.X' },
  { plies: 21, board: 'O#../#.../O.#./..X.' },
  { plies: 19, board: '#######..O/X.......#O' },
  { plies: 9, board: 'OO./##./.X.' },
];

/** Longest first. Much shorter than Red's: Black cannot go back. */
export const LONG_BLACK_WINS: readonly LongWin[] = [
  {
    plies: 90,
    board:
      '#########./........../.#########/.....O..../#########./.#......../...#....#./.#..####O#/..##.####./.........X',
  },
  {
    plies: 90,
    board:
      '#########./........../.###.####./....##.###/.##...O.../.#O######./###......./....####.#/.#####..#./.........X',
  },
  {
    plies: 64,
    board: '########./........./.#.#.#.../.####.##./........#/#O.###.../##.##O#../#.####.#./X........',
  },
  { plies: 56, board: '.###O###/....#.##/###.O.../#.#####./......../.##....#/..######/.......X' },
  { plies: 48, board: '#O####./.#...O./...##../.##.###/......./######./X......' },
  { plies: 44, board: 'O###.#.#../#.#.###.#./........../.#########/...O.....X' },
  { plies: 36, board: '###..#/....#O/.#####/....O./#####./X.....' },
  { plies: 24, board: '.###O/.O..#/..#../####./X....' },
  { plies: 14, board: '#..#/O#O./###./X...' },
  { plies: 6, board: '.#O/.O#/#.X' },
];
