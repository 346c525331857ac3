/**
 * Boards with long forced wins of river-pawn, a few for each size. `generate --profile hard` starts from these boards.
 *
 * `bench/search-river-pawn.mjs` found the boards by simulated annealing: the script changed single cells and pieces,
 * and the kernel computed the length of each game. The script tried about 10^6 boards for each size. Longer wins may
 * exist.
 */
export interface LongWin {
  /** Number of moves of both players until the game ends. */
  readonly plies: number;
  /** The rows of the board from the top, separated by slashes. */
  readonly board: string;
}

/** Boards that Red wins, those with the longest games first. */
export const BOARDS_OF_LONG_RED_WINS: readonly LongWin[] = [
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

/** Boards that Black wins, longest games first. Red's wins are longer, because Black never moves down. */
export const BOARDS_OF_LONG_BLACK_WINS: readonly LongWin[] = [
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
