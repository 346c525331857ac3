/**
 * The problems that boardmill can solve. To add a problem:
 *   1. create a folder in `src/problems/` whose index.ts exports a `BoardProblem` named `problem`;
 *   2. add an entry to `PROBLEMS` below.
 */
import type { BoardProblem } from './board-problem.js';

export interface ProblemEntry {
  /** The name that users type on the command line, in kebab case. */
  readonly name: string;
  /** Other names that users can type: abbreviations, and the problem's ids at online judges. */
  readonly aliases: readonly string[];
  /** The title that the contest gave the problem. */
  readonly title: string;
  /** The contest that the problem comes from. */
  readonly source: string;
  /** The cells or blocks whose share `generate --density` sets. */
  readonly whatDensityCounts: string;
  /** Imports the problem's code. Only the problem that a command needs is loaded, so that start-up stays fast. */
  load(): Promise<{ problem: BoardProblem }>;
}

export const PROBLEMS: readonly ProblemEntry[] = [
  {
    name: 'bacterial-tactics',
    aliases: ['bt', 'gcj-2019-1c-c', 'P13114'],
    title: 'Bacterial Tactics',
    source: 'Google Code Jam 2019, Round 1C',
    whatDensityCounts: 'cells that are #',
    load: () => import('./bacterial-tactics/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'darkraft',
    aliases: ['cf138d'],
    title: 'World of Darkraft',
    source: 'Codeforces 138D',
    whatDensityCounts: 'cells that are X',
    load: () => import('./darkraft/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'link-and-pop',
    aliases: ['zoj2391', 'poj2281', 'hdu1662'],
    title: 'Link and Pop -- the Block Game',
    source: 'ACM ICPC Asia Regional, Shanghai 2004, Problem B',
    whatDensityCounts: 'blocks that move',
    load: () => import('./link-and-pop/index.js') as Promise<{ problem: BoardProblem }>,
  },
  {
    name: 'river-pawn',
    aliases: ['zu', '过河卒', 'P9169', 'loj3958'],
    title: '过河卒',
    source: '联合省选 2023',
    whatDensityCounts: 'cells that are #',
    load: () => import('./river-pawn/index.js') as Promise<{ problem: BoardProblem }>,
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

export async function loadProblem(name: string): Promise<BoardProblem> {
  const entry = findProblem(name);
  if (entry === undefined) throw new Error(`no problem is named "${name}"`);
  return (await entry.load()).problem;
}
