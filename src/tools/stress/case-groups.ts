/** The cases that a search tries: those that were saved before, and then random, printed or listed ones. */

import type { AuthorFunctionPool } from '../cases/author-pool.js';
import { type BatchGroups, drawRandomRounds, generateRoundInputs } from '../cases/batches.js';
import { CaseListing, type FindInvalidCases } from '../cases/list-cases.js';
import { ListedRounds } from '../cases/listed-rounds.js';
import type { StressPlan } from './plan.js';
import { generateRoundInput, openInputGenerator } from './printed-input.js';
import { readRegressionCases } from './regression-cases.js';

/** How many listed cases were not tried; at most that many if `isExact` is false. */
export type UntriedCaseCount = ReturnType<ListedRounds['left']>;

interface CaseGroups {
  readonly groups: BatchGroups;
  /**
   * The cases that were not tried; null unless the search lists every case. `lastRoundCases` is the number of cases that were
   * tried in the round that was begun last.
   */
  left(lastRoundCases: number): UntriedCaseCount | null;
  /** Ends the generator. */
  close(): void;
}

/** Opens all cases that a search tries. `note` gets a message about each saved file that is left out. */
export async function openCaseGroups(
  plan: StressPlan,
  author: AuthorFunctionPool,
  note: (message: string) => void,
): Promise<CaseGroups> {
  const generator = await openInputGenerator(plan);
  const listed = openListedRounds(plan, author);
  const casesPerBatch = plan.casesPerRun;
  const openDrawer: AuthorFunctionPool['openDrawer'] = (request) => author.openDrawer(request);
  const drawn = () => listed?.groups() ?? drawRandomRounds({ ...plan, casesPerBatch, openDrawer });
  const rounds =
    generator === null
      ? drawn()
      : generateRoundInputs(plan, (round) => generateRoundInput(plan, generator, author, round));
  return {
    groups: joinGroups(readRegressionCases(plan, author, note), rounds),
    left: (lastRoundCases) => listed?.left(lastRoundCases) ?? null,
    close: () => generator?.close(),
  };
}

function openListedRounds(plan: StressPlan, author: AuthorFunctionPool): ListedRounds | null {
  const { problem, enumeration, casesPerRun } = plan;
  if (enumeration === null) return null;
  const findInvalid: FindInvalidCases = (head, cases) => author.findInvalid(head, cases);
  const listing = new CaseListing(problem, enumeration, problem.author?.hasValid ? findInvalid : null);
  return new ListedRounds(listing, { ...plan, casesPerBatch: casesPerRun });
}

async function* joinGroups(...parts: readonly BatchGroups[]): BatchGroups {
  for (const part of parts) yield* part;
}
