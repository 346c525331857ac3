/**
 * Grades tests by mutants: which small mistakes in a right program do the tests find? Each mutant runs on the tests until
 * one case kills it: the mutant has another answer, crashes, or takes too long. For the mutants that survive,
 * `SurvivorSearch` looks for a case that kills them.
 */
import type { LimitFunction } from 'p-limit';
import { BoardmillError } from '../../core/errors.js';
import { awaitAllThenThrow } from '../../core/settle-all.js';
import type { TrialFailure } from '../stress/trial.js';
import type { BuiltMutant, ProgramWithMutants } from './mutated-program.js';
import type { TestBatch } from './test-batches.js';
import type { ProgramStarter } from './trial.js';

/** A mutant of one of the programs. */
export interface GradedMutant {
  readonly program: ProgramWithMutants;
  readonly built: BuiltMutant;
}

/** Returns all mutants of the programs, in their order. */
export function mutantsOf(programs: readonly ProgramWithMutants[]): GradedMutant[] {
  return programs.flatMap((program) => program.mutants.map((built) => ({ program, built })));
}

/** The case of a test that has killed a mutant. */
export interface KillingCase {
  readonly mutant: GradedMutant;
  readonly input: string;
  /** The number of the case in the test; null if the failure cannot be assigned to a case. */
  readonly caseNumber: number | null;
  readonly kind: TrialFailure['kind'];
}

export interface GradingResult {
  readonly kills: readonly KillingCase[];
  readonly survivors: readonly GradedMutant[];
}

/** The time limit of mutants is this many times the time of the slowest run of a right program, and at least that long. */
const TIME_FACTOR = 10;
const LEAST_TIME_LIMIT = 1;

/** Returns the time limit for a run, from the time of the slowest run of a right program; both are in seconds. */
export function mutantTimeLimitFrom(slowest: number): number {
  return Math.ceil(Math.max(LEAST_TIME_LIMIT, TIME_FACTOR * slowest) * 100) / 100;
}

/** Seconds that a run of a right program may take. */
const RIGHT_PROGRAM_SECONDS = 60;

/**
 * Runs the right programs on the tests. Returns the seconds of the slowest run. Fails with kind `worker` if one of them is not
 * right, because then its mutants say nothing.
 */
export async function assertProgramsRight(
  programs: readonly ProgramWithMutants[],
  batches: readonly TestBatch[],
  trials: ProgramStarter,
): Promise<number> {
  let slowest = 0;
  for (const { name, right } of programs) {
    await trials.with(right, RIGHT_PROGRAM_SECONDS, async (trial) => {
      for (const batch of batches) {
        const failure = await trial.failureOn(batch.head, batch.cases);
        slowest = Math.max(slowest, trial.slowestSeconds);
        if (failure === null) continue;
        const what = `${describeCase(batch, failure)}: ${failure.description}`;
        throw new BoardmillError('worker', `${name} is not right: ${what}; grade needs right programs`);
      }
    });
  }
  return slowest;
}

function describeCase({ input, firstCase }: TestBatch, { index }: TrialFailure): string {
  return index === null ? input : `${input}, case ${firstCase + index}`;
}

/** Runs each mutant on the tests until a case kills it. */
export async function gradeByTests(
  mutants: readonly GradedMutant[],
  batches: readonly TestBatch[],
  timeoutSeconds: number,
  trials: ProgramStarter,
  limitRuns: LimitFunction,
  onGraded: (graded: number) => void,
): Promise<GradingResult> {
  let graded = 0;
  const kills = await awaitAllThenThrow(
    mutants.map((mutant) =>
      limitRuns(async () => {
        const kill = await killByTests(mutant, batches, timeoutSeconds, trials);
        onGraded(++graded);
        return kill;
      }),
    ),
  );
  return {
    kills: kills.filter((kill) => kill !== null),
    survivors: mutants.filter((_, index) => kills[index] === null),
  };
}

async function killByTests(
  mutant: GradedMutant,
  batches: readonly TestBatch[],
  timeoutSeconds: number,
  trials: ProgramStarter,
): Promise<KillingCase | null> {
  return trials.with(mutant.built, timeoutSeconds, async (trial) => {
    for (const { input, firstCase, head, cases } of batches) {
      const failure = await trial.failureOn(head, cases);
      if (failure === null) continue;
      const { kind, index } = failure;
      // Which of several cases takes too long would be known only after further runs.
      const isKnown = index !== null && (kind !== 'timeout' || cases.length === 1);
      return { mutant, input, caseNumber: isKnown ? firstCase + index : null, kind };
    }
    return null;
  });
}
