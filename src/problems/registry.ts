/**
 * The problems boardmill knows. To add one:
 *   1. give it a folder beside the others, whose index.ts exports its Problem as `problem`;
 *   2. add a line here.
 */
import type { Problem } from './problem.js';

export interface ProblemEntry {
  /** The name users type, in kebab case. */
  readonly name: string;
  /** Other names for it: judges' ids and abbreviations. */
  readonly aliases: readonly string[];
  /** The title as its source prints it, and the source. */
  readonly title: string;
  readonly source: string;
  /** What `generate --density` is the share of. */
  readonly densityOf: string;
  /** Loads it on demand: start-up pays for no problem that is not used. */
  load(): Promise<{ problem: Problem<unknown> }>;
}

export const PROBLEMS: readonly ProblemEntry[] = [
  {
    name: 'bacterial-tactics',
    aliases: ['bt', 'gcj-2019-1c-c', 'P13114'],
    title: 'Bacterial Tactics',
    source: 'Google Code Jam 2019, Round 1C',
    densityOf: 'cells that are #',
    load: () => import('./bacterial-tactics/index.js') as Promise<{ problem: Problem<unknown> }>,
  },
  {
    name: 'darkraft',
    aliases: ['cf138d'],
    title: 'World of Darkraft',
    source: 'Codeforces 138D',
    densityOf: 'cells that are X',
    load: () => import('./darkraft/index.js') as Promise<{ problem: Problem<unknown> }>,
  },
  {
    name: 'link-and-pop',
    aliases: ['zoj2391', 'poj2281', 'hdu1662'],
    title: 'Link and Pop -- the Block Game',
    source: 'ACM ICPC Asia Regional, Shanghai 2004, Problem B',
    densityOf: 'blocks that move',
    load: () => import('./link-and-pop/index.js') as Promise<{ problem: Problem<unknown> }>,
  },
  {
    name: 'river-pawn',
    aliases: ['zu', '过河卒', 'P9169', 'loj3958'],
    title: '过河卒',
    source: '联合省选 2023',
    densityOf: 'cells that are #',
    load: () => import('./river-pawn/index.js') as Promise<{ problem: Problem<unknown> }>,
  },
];

/** The problem of this name or alias, case ignored; undefined if there is none. */
export function findProblem(name: string): ProblemEntry | undefined {
  const wanted = name.toLowerCase();
  return PROBLEMS.find((entry) =>
    [entry.name, ...entry.aliases].some((known) => known.toLowerCase() === wanted),
  );
}

export async function loadProblem(name: string): Promise<Problem<unknown>> {
  const entry = findProblem(name);
  if (entry === undefined) throw new Error(`no problem is named ${name}`);
  return (await entry.load()).problem;
}
