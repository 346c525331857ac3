/**
 * The problems that boardmill can solve. `npm run new-game NAME` makes a folder in `src/games/`, whose index.ts exports a
 * `BoardProblem` named `problem`, and adds an entry to `PROBLEMS` below.
 */
import { BoardmillError } from '../core/errors.js';
import type { BoardProblem } from '../games/shared/board-problem.js';

export interface ProblemEntry {
  /** The name that users type on the command line, in kebab case. */
  readonly name: string;
  /** Other names that users can type: abbreviations, and the problem's ids at online judges. */
  readonly aliases: readonly string[];
  /** The title that the contest gave the problem. */
  readonly title: string;
  /** The contest that the problem comes from. */
  readonly source: string;
  /** The rules in short. */
  readonly rules: string;
  /** The kind of cells or blocks whose share of the board the user sets with `generate --density`. */
  readonly whatDensityCounts: string;
  /** Imports the problem's code. A command loads only the one problem that it needs, so that boardmill starts fast. */
  load(): Promise<{ problem: BoardProblem }>;
}

export const PROBLEMS: readonly ProblemEntry[] = [
  {
    name: 'bacterial-tactics',
    aliases: ['bt', 'gcj-2019-1c-c', 'P13114'],
    title: 'Bacterial Tactics',
    source: 'Google Code Jam 2019, Round 1C',
    rules:
      'Two players alternate. A move puts a bacterium on an empty cell (.) that spreads west and east, or north and south, cell after cell until the edge or a bacterium stops it. A player whose bacterium reaches a radioactive cell (#), or who finds no empty cell, loses. The answer is the number of first moves with which the first player wins.',
    whatDensityCounts: 'cells that are #',
    load: () => import('../games/bacterial-tactics/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'darkraft',
    aliases: ['cf138d'],
    title: 'World of Darkraft',
    source: 'Codeforces 138D',
    rules:
      'Two players alternate. A move picks a cell that still has its letter, and clears it and the cells on its rays, up to the edge or the first cleared cell: L sends rays down-left and up-right, R up-left and down-right, X in all four directions. A player who finds no letter loses. The answer says whether the first player wins.',
    whatDensityCounts: 'cells that are X',
    load: () => import('../games/darkraft/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'link-and-pop',
    aliases: ['zoj2391', 'poj2281', 'hdu1662'],
    title: 'Link and Pop -- the Block Game',
    source: 'ACM ICPC Asia Regional, Shanghai 2004, Problem B',
    rules:
      'Blocks are a symbol and a way of moving (up, down, left, right, or none). As long as two blocks of one symbol can be linked by at most three straight segments that cross no block (and may run around the board), the pair with the fewest segments is popped (ties: the topmost, then leftmost), and then the blocks move in turns: in a turn each block, in reading order, moves one cell its way if that cell is empty, until none can move. The answer is the final board.',
    whatDensityCounts: 'blocks that move',
    load: () => import('../games/link-and-pop/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'river-pawn',
    aliases: ['zu', '过河卒', 'P9169', 'loj3958'],
    title: '过河卒',
    source: '联合省选 2023',
    rules:
      'A board has two O, and one X, which is not in row 1. Red moves one of his pieces (O) to a neighbouring cell, then Black moves his piece (X) up, left or right, and so on; # is an obstacle. Black wins in row 1. Who moves onto a piece of the other wins, and who cannot move loses. The answer is the winner with the number of moves of both in the shortest forced win, or a tie.',
    whatDensityCounts: 'cells that are #',
    load: () => import('../games/river-pawn/index.js') as Promise<{ problem: BoardProblem }>,
  },
];

/**
 * Finds a problem by its name or an alias, ignoring upper and lower case. Returns undefined if no problem has this
 * name.
 */
export function findProblem(name: string): ProblemEntry | undefined {
  const wanted = name.toLowerCase();
  return PROBLEMS.find((entry) =>
    [entry.name, ...entry.aliases].some((known) => known.toLowerCase() === wanted),
  );
}

/** Loads a problem by its name or an alias. Fails with kind `usage` if no problem has this name. */
export async function loadProblem(name: string): Promise<BoardProblem> {
  const entry = findProblem(name);
  if (entry === undefined) throw new BoardmillError('usage', `no problem is named "${name}"`);
  return (await entry.load()).problem;
}
