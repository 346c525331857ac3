/**
 * Looks for cases that kill the mutants that have survived the tests: random and hard boards that grow, then every board of
 * small sizes, and for each mutant, cases that lead often to its changed place. What is found is made smaller, and becomes
 * a new test.
 */
import type { LimitFunction } from 'p-limit';
import { type Deadline, DeadlinePassedError } from '../../core/deadline.js';
import { BoardmillError } from '../../core/errors.js';
import { formatQuantity } from '../../core/format-count.js';
import { Seed } from '../../core/random.js';
import { awaitAllThenThrow } from '../../core/settle-all.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { ANY_BOARDS, type CaseEnumeration, type CaseProfile, type Problem } from '../../problems/problem.js';
import type { AuthorFunctionPool } from '../cases/author-pool.js';
import { type BatchGroups, type CaseBatch, drawRandomRounds } from '../cases/batches.js';
import { CaseMutator } from '../cases/case-mutator.js';
import { drawRandomCases } from '../cases/draw.js';
import { CaseListing } from '../cases/list-cases.js';
import { ListedRounds } from '../cases/listed-rounds.js';
import { type CasesAsBytes, shrinkCases } from '../stress/shrink.js';
import type { TrialFailure } from '../stress/trial.js';
import type { GradedMutant } from './grade.js';
import type { ProgramVariant } from './mutated-program.js';
import type { ProgramStarter, StartedProgram } from './trial.js';

/** A new test: cases that kill mutants, made as small as possible. */
export interface NewTest {
  readonly head: InputHeadOfTask;
  readonly cases: CasesAsBytes;
  /** The right answers. */
  readonly answers: Uint8Array;
  readonly kills: readonly GradedMutant[];
}

/** What became of a survivor for which no case was found. */
export interface UndecidedMutant {
  readonly mutant: GradedMutant;
  /** The cases that were all tried, such as "up to 3x4"; null if not even the smallest were. */
  readonly equalOn: string | null;
}

export interface SurvivorSearchResult {
  readonly tests: readonly NewTest[];
  readonly undecided: readonly UndecidedMutant[];
  /** Whether the search ended because the time was up. */
  readonly isCut: boolean;
}

export interface SurvivorSearchOptions {
  readonly trials: ProgramStarter;
  readonly timeoutSeconds: number;
  readonly author: AuthorFunctionPool;
  readonly seed: string;
  readonly jobs: number;
  readonly limitRuns: LimitFunction;
  readonly deadline: Deadline;
  readonly onProgress: (tried: number, alive: number) => void;
  /** Called for each new test as soon as it is found. */
  readonly onTest: (test: NewTest) => Promise<void>;
}

/** Largest number of cases that are listed, and of runs of a program that they may take. */
const MAX_LISTED_CASES = 20_000;
const MAX_LISTED_RUNS = 400;
/** Number of rounds of random cases. The boards of the last rounds have up to 2 + ROUNDS / 3 rows and columns. */
const ROUNDS = 36;
/** After this many rounds, a round has cases of these profiles, which are larger, so there are only a few of them. */
const ROUNDS_PER_PROFILE = 4;
const PROFILES: readonly CaseProfile[] = ['hard', 'contest-max'];
const CASES_OF_PROFILE = 4;
/** Number of changes of a case while a climb looks for one that leads often to the changed place. */
const CLIMB_STEPS = 80;
/**
 * Number of smaller cases that are tried to make a case smaller. A limit of time would make the result depend on the machine.
 */
const MAX_SHRINK_TRIES = 300;
/** The same for cases for which a mutant takes too long: each try may take as long as the time limit. */
const MAX_SLOW_SHRINK_TRIES = 20;

/** The name of all cases of a problem. After them, there is nothing left to try. */
const EVERY_CASE = 'on every case';
/** Number of batches that a mutant gets before the next mutant does. To start a program for one batch would take longer. */
const BATCHES_AT_ONCE = 32;

/** Cases on which a mutant fails. */
interface FailingBatch {
  readonly mutant: GradedMutant;
  readonly head: InputHeadOfTask;
  readonly cases: CasesAsBytes;
  readonly failure: TrialFailure;
}

export class SurvivorSearch {
  readonly #options: SurvivorSearchOptions;
  readonly #problem: Problem;
  /** The mutants for which no case was found. */
  readonly #alive: Set<GradedMutant>;
  readonly #tests: NewTest[] = [];
  /** For each mutant, the cases that were all tried and on which it is right. */
  readonly #equalOn = new Map<GradedMutant, string>();
  /** The mutants that have failed on listed cases for which the right program takes too long as well. */
  readonly #slow = new Set<GradedMutant>();
  /** The mutants that have failed once and then no more. */
  readonly #unsteady = new Set<GradedMutant>();
  #tried = 0;

  constructor(survivors: readonly GradedMutant[], options: SurvivorSearchOptions) {
    this.#options = options;
    this.#problem = options.trials.problem;
    this.#alive = new Set(survivors);
  }

  async run(): Promise<SurvivorSearchResult> {
    const { deadline } = this.#options;
    const rounds = this.#randomRounds();
    try {
      // Most mutants fail on the first random cases. The other ways to find cases take longer for each mutant.
      while ((await this.#tryNext(rounds)) === 'killed') {}
      await this.#tryListedCases();
      if ([...this.#alive].some((mutant) => this.#equalOn.get(mutant) !== EVERY_CASE)) {
        await this.#tryClimbs();
        while ((await this.#tryNext(rounds)) !== 'over') {}
      }
    } catch (error) {
      if (!(error instanceof DeadlinePassedError)) throw error;
    }
    return {
      tests: this.#tests,
      undecided: [...this.#alive].map((mutant) => ({
        mutant,
        equalOn: this.#unsteady.has(mutant) ? null : (this.#equalOn.get(mutant) ?? null),
      })),
      isCut: deadline.isOver,
    };
  }

  /** Tries every case of growing sizes, as long as there are not too many of them. */
  async #tryListedCases(): Promise<void> {
    const { author, jobs, trials } = this.#options;
    const { casesPerRun } = trials;
    const mostCases = Math.min(MAX_LISTED_CASES, MAX_LISTED_RUNS * casesPerRun);
    for (const { enumeration, name } of this.#enumerations()) {
      if (enumeration.count > mostCases) return;
      const findInvalid = (head: InputHeadOfTask, cases: CasesAsBytes) => author.findInvalid(head, cases);
      const listing = new CaseListing(
        this.#problem,
        enumeration,
        this.#problem.author?.hasValid ? findInvalid : null,
      );
      const rounds = new ListedRounds(listing, {
        rounds: Number.POSITIVE_INFINITY,
        jobs,
        casesPerBatch: casesPerRun,
      });
      const groups = rounds.groups();
      const undecidedBefore = trials.undecided;
      this.#slow.clear();
      while ((await this.#tryNext(groups)) !== 'over') {}
      if (this.#isOver || trials.undecided > undecidedBefore) return;
      for (const mutant of this.#alive) if (!this.#slow.has(mutant)) this.#equalOn.set(mutant, name);
    }
  }

  *#enumerations(): Generator<{ readonly enumeration: CaseEnumeration; readonly name: string }> {
    const { cases, boardLines } = this.#problem;
    if (cases.enumerate === undefined) return;
    if (boardLines === undefined) {
      const enumeration = orNull(() => cases.enumerate!({ rows: null, cols: null, set: null }));
      if (enumeration !== null) yield { enumeration, name: EVERY_CASE };
      return;
    }
    for (let size = 1; ; size++) {
      for (const [rows, cols] of [
        [size, size],
        [size, size + 1],
      ]) {
        const wishes = { rows: { from: 1, to: rows }, cols: { from: 1, to: cols }, set: null };
        const enumeration = orNull(() => cases.enumerate!(wishes));
        if (enumeration === null) return;
        yield { enumeration, name: `up to ${rows}x${cols}` };
      }
    }
  }

  async *#randomRounds(): BatchGroups {
    const { trials, author, seed, jobs } = this.#options;
    const openDrawer: AuthorFunctionPool['openDrawer'] = (request) => author.openDrawer(request);
    const drawn = drawRandomRounds({
      problem: this.#problem,
      seed,
      rounds: ROUNDS,
      jobs,
      casesPerBatch: trials.casesPerRun,
      boards: ANY_BOARDS,
      openDrawer,
    });
    let round = 0;
    for await (const group of drawn) {
      yield group;
      round++;
      if (round % ROUNDS_PER_PROFILE !== 0) continue;
      for (const profile of PROFILES)
        if (profile !== 'hard' || this.#problem.boardLines !== undefined)
          yield [await this.#drawProfile(profile, round)];
    }
  }

  /** Tries cases that lead often to the changed place of a mutant, which hill climbing finds. */
  async #tryClimbs(): Promise<void> {
    const { limitRuns } = this.#options;
    const first = await this.#drawProfile('random', 0);
    const climbers = [...this.#alive].filter(({ built }) => built.countsHits);
    const climbs = await awaitAllThenThrow(
      climbers.map((mutant) => limitRuns(() => this.#climb(mutant, first))),
    );
    for (const [index, mutant] of climbers.entries()) {
      if (!this.#alive.has(mutant)) continue;
      const failing = await this.#findFailing(mutant, [{ ...first, cases: climbs[index] }]);
      if (failing !== null) await this.#record(failing);
    }
  }

  /**
   * Changes a case at random, again and again, and keeps a change if the case does not lead less often to the changed place of
   * the mutant. Returns all cases on the way.
   */
  #climb({ built }: GradedMutant, { head, cases }: CaseBatch): Promise<CasesAsBytes> {
    const { author, trials, timeoutSeconds, seed, deadline } = this.#options;
    const mutator = new CaseMutator(this.#problem);
    const random = new Seed(`${seed}/climb`).random(built.mutant.number);
    return trials.counting(built, timeoutSeconds, async (hitsOf) => {
      const hits = [];
      for (const each of cases) hits.push(await hitsOf(head, each));
      let most = Math.max(...hits);
      let best = cases[hits.indexOf(most)];
      const tried = [best];
      for (let step = 0; step < CLIMB_STEPS; step++) {
        const changed = mutator.mutate(head.bytes, best, cases, random);
        if (deadline.isOver) break;
        if (changed === null || (await author.findInvalid(head, [changed]))[0] !== null) continue;
        tried.push(changed);
        const found = await hitsOf(head, changed);
        if (found >= most) [best, most] = [changed, found];
      }
      return tried;
    });
  }

  async #drawProfile(profile: CaseProfile, round: number): Promise<CaseBatch> {
    const { author, seed, trials } = this.#options;
    const cases = Math.min(CASES_OF_PROFILE, trials.casesPerRun);
    const request = {
      seed: `${seed}/${profile}/${round}`,
      profile,
      cases,
      maxSize: null,
      set: null,
      boards: ANY_BOARDS,
    };
    const drawer = await author.openDrawer(request);
    const head = copyHeadToSharedMemory(drawer.head);
    return { origin: profile, round, head, cases: await drawRandomCases(drawer, 0, cases), savedAs: null };
  }

  /** Whether no mutant or no time is left. */
  get #isOver(): boolean {
    return this.#options.deadline.isOver || this.#alive.size === 0;
  }

  /**
   * Gives some batches to all mutants that are alive. Returns whether the batches have killed any, or that all batches were
   * tried or nothing is left to do.
   */
  async #tryNext(groups: BatchGroups): Promise<'killed' | 'none killed' | 'over'> {
    const { limitRuns, onProgress } = this.#options;
    const batches: CaseBatch[] = [];
    while (batches.length < BATCHES_AT_ONCE && !this.#isOver) {
      const { done, value } = await groups.next();
      if (done) break;
      batches.push(...value);
    }
    if (batches.length === 0 || this.#isOver) return 'over';
    const { size } = this.#alive;
    const found = await awaitAllThenThrow(
      [...this.#alive].map((mutant) => limitRuns(() => this.#findFailing(mutant, batches))),
    );
    for (const failing of found) {
      if (failing === null || !this.#alive.has(failing.mutant)) continue;
      const onSameCases = found.filter((other) => other?.cases === failing.cases);
      await this.#record(failing, new Set(onSameCases.map((other) => other!.mutant)));
    }
    this.#tried += batches.reduce((sum, { cases }) => sum + cases.length, 0);
    onProgress(this.#tried, this.#alive.size);
    return this.#alive.size < size ? 'killed' : 'none killed';
  }

  /** Returns the first batch on which a mutant fails; null if there is none. */
  #findFailing(mutant: GradedMutant, batches: readonly CaseBatch[]): Promise<FailingBatch | null> {
    return this.#try(mutant.built, async (trial) => {
      for (const { head, cases } of batches) {
        if (this.#options.deadline.isOver) break;
        const failure = await trial.failureOn(head, cases);
        if (failure !== null) return { mutant, head, cases, failure };
      }
      return null;
    });
  }

  /** Makes a test of the cases on which mutants fail, and notes which mutants it kills. */
  async #record(failing: FailingBatch, failed = new Set([failing.mutant])): Promise<void> {
    const { head, failure } = failing;
    if (!(await this.#isRightOn(failing))) return;
    const cases = await this.#shrink(failing);
    // When the time is up, what was found still becomes a test, but nothing more is tried.
    const candidates = [...this.#alive].filter((mutant) => !this.#isOver || failed.has(mutant));
    const found = await awaitAllThenThrow(
      candidates.map((mutant) =>
        this.#options.limitRuns(() => this.#try(mutant.built, (trial) => trial.failureOn(head, cases))),
      ),
    );
    const kills = candidates.filter((_, index) => found[index] !== null);
    if (!kills.includes(failing.mutant)) this.#unsteady.add(failing.mutant);
    for (const mutant of kills) this.#alive.delete(mutant);
    const answers = found.find((each) => each !== null)?.expected ?? failure.expected;
    if (kills.length === 0) return;
    const test = { head, cases, answers, kills };
    this.#tests.push(test);
    await this.#options.onTest(test);
  }

  /**
   * Returns whether the program that was mutated is right on the cases, or, if not, takes too long for them. Fails with kind
   * `worker` if it is wrong.
   */
  async #isRightOn({ mutant, head, cases }: FailingBatch): Promise<boolean> {
    const { name, right } = mutant.program;
    const failure = await this.#try(right, (trial) => trial.failureOn(head, cases));
    if (failure === null) return true;
    if (failure.kind === 'timeout') {
      this.#slow.add(mutant);
      return false;
    }
    throw new BoardmillError(
      'worker',
      `${name} is not right on ${formatQuantity(cases.length, 'drawn case')}: ${failure.description}; boardmill stress finds such a case and makes it smaller`,
    );
  }

  /** Makes the cases smaller, as long as the mutant fails on them in the same way, and the right program does not. */
  #shrink({ mutant, head, cases, failure }: FailingBatch): Promise<CasesAsBytes> {
    const { author, deadline } = this.#options;
    const mostTries = failure.kind === 'timeout' ? MAX_SLOW_SHRINK_TRIES : MAX_SHRINK_TRIES;
    let tries = 0;
    return this.#try(mutant.program.right, (right) =>
      this.#try(mutant.built, (trial) =>
        shrinkCases(cases, {
          problem: this.#problem,
          head: head.bytes,
          jobs: 1,
          isTimeUp: () => deadline.isOver || tries >= mostTries,
          isFailing: async (smaller) => {
            tries++;
            const invalid = await author.findInvalid(head, smaller);
            if (invalid.some((reason) => reason !== null)) return false;
            const found = await trial.failureOn(head, smaller);
            return found?.kind === failure.kind && (await right.failureOn(head, smaller)) === null;
          },
        }),
      ),
    );
  }

  #try<Result>(program: ProgramVariant, work: (trial: StartedProgram) => Promise<Result>): Promise<Result> {
    return this.#options.trials.with(program, this.#options.timeoutSeconds, work);
  }
}

/** Returns the result, or null if the problem has no such list of cases. */
function orNull<Result>(make: () => Result): Result | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof BoardmillError && error.kind === 'usage') return null;
    throw error;
  }
}
