/** The inputs that `stress` tries, in order: cases that were saved before, and then rounds of random cases. */

import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { Problem, RandomCasesRequest, WantedBoards } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import { drawRandomCases, type RandomCaseGenerator } from './draw.js';
import type { CasesOfInput } from './read-cases.js';

/** Cases that the tested solver gets in one input. */
export interface CaseBatch {
  /** Where the cases come from, as a message says it: "round 3". */
  readonly origin: string;
  /** The round that the cases belong to, counted from 1; null if they were saved before. */
  readonly round: number | null;
  readonly head: InputHeadOfTask;
  readonly cases: CasesAsBytes;
  /** The file that has exactly these cases; null if there is none. */
  readonly savedAs: string | null;
}

/** Yields groups of batches. The batches of a group are tried at the same time. */
export type BatchGroups = AsyncGenerator<readonly CaseBatch[], void>;

/** Number of rounds after which cases may be larger by one: a board by a row and a column, a list by an element. */
const ROUNDS_PER_SIZE = 3;
const MAX_SIZE_OF_FIRST_ROUND = 2;
/**
 * Smallest number of cases in a round. Without this minimum, a program that solves one case per run would get few
 * small cases.
 */
const MIN_CASES_OF_ROUND = 40;
/** Number of cases in an input of every other round, if the contest bounds a sum over the cases of an input. */
const CASES_THAT_SHARE = 2;

export interface RoundOptions {
  readonly seed: string;
  /** Number of rounds; Infinity if only the time limits the search. */
  readonly rounds: number;
  /** Number of batches that are tried at the same time. */
  readonly jobs: number;
}

interface DrawnRoundOptions extends RoundOptions {
  readonly problem: Pick<Problem, 'totals' | 'cases'>;
  /** Largest number of cases in a batch. */
  readonly casesPerBatch: number;
  /** The sizes of boards. Boards of sizes that nobody wishes for grow from round to round. */
  readonly boards: WantedBoards;
  /** Opens the source of the cases of a round. */
  readonly openDrawer: (request: RandomCasesRequest) => RandomCaseGenerator | Promise<RandomCaseGenerator>;
}

/** Number of batches in a round of cases that boardmill makes itself. */
export function batchesPerRound({
  jobs,
  casesPerBatch,
}: Pick<DrawnRoundOptions, 'jobs' | 'casesPerBatch'>): number {
  return Math.max(jobs, Math.ceil(MIN_CASES_OF_ROUND / casesPerBatch));
}

/** Draws the cases of each round. They grow from round to round. */
export async function* drawRandomRounds(options: DrawnRoundOptions): BatchGroups {
  for (let round = 1; round <= options.rounds; round++) yield drawRound(options, round);
}

/**
 * Returns the number of cases in a batch. If sums over the cases of an input are bounded, many cases leave each of them only a
 * small share. So every other round has inputs of few cases.
 */
function casesOfBatch({ problem, casesPerBatch }: DrawnRoundOptions, round: number): number {
  if (problem.totals === undefined || round % 2 === 1) return casesPerBatch;
  const least = problem.cases.countBounds?.min ?? 1;
  return Math.min(casesPerBatch, Math.max(least, CASES_THAT_SHARE));
}

async function drawRound(options: DrawnRoundOptions, round: number): Promise<CaseBatch[]> {
  const { seed, jobs, boards, openDrawer } = options;
  const casesPerBatch = casesOfBatch(options, round);
  const drawer = await openDrawer({
    seed: `${seed}/${round}`,
    profile: 'random',
    cases: casesPerBatch,
    maxSize: MAX_SIZE_OF_FIRST_ROUND + Math.floor((round - 1) / ROUNDS_PER_SIZE),
    set: null,
    boards,
  });
  const head = copyHeadToSharedMemory(drawer.head);
  const batches: CaseBatch[] = [];
  for (let batch = 0; batch < batchesPerRound({ jobs, casesPerBatch }); batch++) {
    const cases = await drawRandomCases(drawer, batch * casesPerBatch, casesPerBatch);
    batches.push({ origin: `round ${round}`, round, head, cases, savedAs: null });
  }
  return batches;
}

/** The input that a program prints for a round, and what a message calls the run of the program. */
export interface GeneratedRoundInput extends CasesOfInput {
  readonly command: string;
}

/** Lets a program print the input of each round. */
export async function* generateRoundInputs(
  { rounds, jobs }: RoundOptions,
  print: (round: number) => Promise<GeneratedRoundInput>,
): BatchGroups {
  for (let first = 1; first <= rounds; first += jobs) {
    const group: Promise<CaseBatch>[] = [];
    for (let round = first; round < first + jobs && round <= rounds; round++)
      group.push(printRound(round, print));
    yield await Promise.all(group);
  }
}

async function printRound(
  round: number,
  print: (round: number) => Promise<GeneratedRoundInput>,
): Promise<CaseBatch> {
  const { head, cases, command } = await print(round);
  return { origin: `round ${round} (${command})`, round, head, cases, savedAs: null };
}
