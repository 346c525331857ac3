/** `boardmill grade`: makes mutants of right programs, runs them on the tests, and searches for tests that kill the others. */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { Deadline, DeadlinePassedError } from '../../core/deadline.js';
import type { StopSignal } from '../../core/errors.js';
import { errorOfFailedWrite, lstatOrNull, makeFolders, makeTemporaryFolder } from '../../core/files/files.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { escapeLines, printJson } from '../../core/printable.js';
import { assertNotStopped, type GracefulStop } from '../../core/stop.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';
import { removeFolderOnExit, removeProgramFolder } from '../../engine/exec/sandbox-folder.js';
import { ANSWER_ENDING, INPUT_ENDING } from '../../engine/input/file-names.js';
import type { Source } from '../../engine/input/source.js';
import { TRUSTED_SOLVER_RETRIES } from '../../engine/limits.js';
import { Recovery } from '../../engine/recover.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { type AnswerComparisonOptions, openComparator } from '../../tools/compare/comparator.js';
import {
  assertProgramsRight,
  gradeByTests,
  mutantsOf,
  mutantTimeLimitFrom,
} from '../../tools/grade/grade.js';
import { buildProgramWithMutants, type ProgramWithMutants } from '../../tools/grade/mutated-program.js';
import { RememberedAnswers } from '../../tools/grade/remembered-answers.js';
import { formatGrade, type GradeReport, gradeToJson, type NamedTest } from '../../tools/grade/report.js';
import { type NewTest, SurvivorSearch } from '../../tools/grade/survivor-search.js';
import { readTestBatches, type TestBatch } from '../../tools/grade/test-batches.js';
import { ProgramStarter } from '../../tools/grade/trial.js';
import { ProgramBuilder } from '../../tools/judge/package/programs/builder.js';
import { CommandRunner } from '../../tools/judge/package/programs/command-runner.js';
import { packageEnvironment } from '../../tools/judge/package/programs/environment.js';
import { PackageConstants } from '../../tools/judge/package/read/constants.js';
import { EXIT_CODE, notePrinter } from '../exit.js';
import { withRunSource } from '../inputs/with-input.js';
import { runWithSignals } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { standardOutputWidth } from '../status/standard-output.js';
import { joinFitting } from '../status/status-text.js';
import { clearStatus, showStatus } from '../status/terminal.js';
import { assertAnswersRight } from './assert-answers-right.js';

/** The parsed and checked command line of `boardmill grade`. */
export interface GradePlan {
  readonly problem: Problem;
  /** The paths of the right programs. */
  readonly programs: readonly string[];
  readonly inputs: readonly string[];
  /** The folder for new tests; null if they are not written. */
  readonly into: string | null;
  readonly seed: string;
  /** Seconds that the search may take. */
  readonly seconds: number;
  /** The time limit for a run, in seconds; null if it follows from the right programs. */
  readonly timeoutSeconds: number | null;
  readonly memoryBytes: number;
  readonly sandbox: SandboxLauncher | null;
  readonly answerOptions: AnswerComparisonOptions;
  readonly casesPerRun: number;
  readonly jobs: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Seconds that a compiler may take, and those that the solver of the problem has for a case. */
const COMPILATION_SECONDS = 60;
const SOLVER_SECONDS = 10;

/** Grades the tests, prints the report, and returns the exit code. */
export function gradePrograms(plan: GradePlan): Promise<number> {
  const note = notePrinter(plan.quiet);
  return runWithSignals('ending the runs of the programs', note, (signals) => gradeWith(plan, signals));
}

async function gradeWith(plan: GradePlan, signals: GracefulStop): Promise<number> {
  const { stop } = signals;
  const status = statusLine(plan);
  const batches = await readTests(plan, stop);
  const buildsFolder = makeBuildsFolder();
  try {
    const programs = await buildPrograms(plan, buildsFolder, signals, status);
    const report = await withTrials(plan, programs, signals, (trials) =>
      gradeTests(plan, { batches, programs, trials, stop, status }),
    );
    clearStatus();
    printReport(plan, report);
    assertNotStopped(stop);
    return report.newTests.length === 0 ? EXIT_CODE.ok : EXIT_CODE.differs;
  } catch (error) {
    // After a signal, no program is run.
    if (error instanceof DeadlinePassedError) assertNotStopped(stop);
    throw error;
  } finally {
    removeProgramFolder(buildsFolder);
    clearStatus();
  }
}

/**
 * Makes a folder for the builds of all mutants. They are too many for the cache of builds, from which other runs of boardmill
 * would remove them.
 */
function makeBuildsFolder(): string {
  // Compilers run in other folders, but TMPDIR may be a relative path.
  const folder = makeTemporaryFolder(join(resolve(tmpdir()), 'boardmill-grade-'));
  removeFolderOnExit(folder);
  return folder;
}

/** Shows what boardmill is doing. */
type ShowActivity = (activity: string) => void;

interface GradeTools {
  readonly batches: readonly TestBatch[];
  readonly programs: readonly ProgramWithMutants[];
  readonly trials: ProgramStarter;
  readonly stop: AbortSignal;
  readonly status: ShowActivity;
}

/** Runs all mutants on the tests, and searches for tests that kill those that survive. */
async function gradeTests(plan: GradePlan, tools: GradeTools): Promise<GradeReport> {
  const { batches, programs, trials, stop, status } = tools;
  const { problem, seed, jobs } = plan;
  const limitRuns = pLimit(jobs);
  const slowest = await assertProgramsRight(programs, batches, trials);
  const timeLimit = plan.timeoutSeconds ?? mutantTimeLimitFrom(slowest);
  const mutants = mutantsOf(programs);
  const all = formatQuantity(mutants.length, 'mutant');
  const onGraded = (graded: number) => status(`ran ${formatCount(graded)} of ${all} on the tests`);
  const grading = await gradeByTests(mutants, batches, timeLimit, trials, limitRuns, onGraded);
  const newTests: NamedTest[] = [];
  const author = new AuthorFunctionPool(problem, jobs);
  const wanted = grading.survivors.filter(({ built }) => !built.mutant.isAboutTime);
  const search = new SurvivorSearch(wanted, {
    trials,
    timeoutSeconds: timeLimit,
    author,
    seed,
    jobs,
    limitRuns,
    deadline: new Deadline(plan.seconds, stop),
    onProgress: (tried, alive) =>
      status(`tried ${formatQuantity(tried, 'case')} on ${formatQuantity(alive, 'mutant')}`),
    onTest: async (test) => void newTests.push({ test, file: writeTest(plan, test) }),
  });
  const found = await search.run().finally(() => author.close());
  return { seed, timeLimit, programs, grading, search: found, newTests, isStopped: stop.aborted };
}

async function readTests(
  { inputs, problem, casesPerRun }: GradePlan,
  stop: AbortSignal,
): Promise<TestBatch[]> {
  const batches: TestBatch[] = [];
  for (const input of inputs) {
    assertNotStopped(stop, ` before ${input}`);
    const read = (source: Source) => readTestBatches(source, problem, casesPerRun);
    batches.push(...(await withRunSource(input, problem, stop, read)));
  }
  return batches;
}

async function buildPrograms(
  plan: GradePlan,
  buildsFolder: string,
  { stop, giveUp }: GracefulStop,
  status: ShowActivity,
): Promise<ProgramWithMutants[]> {
  const environment = packageEnvironment([]);
  const commands = new CommandRunner(environment, plan.sandbox);
  giveUp.addEventListener('abort', () => commands.giveUp(stop.reason as StopSignal));
  const builder = new ProgramBuilder({
    folder: '.',
    buildsFolder,
    compilationSeconds: COMPILATION_SECONDS,
    constants: new PackageConstants([]),
    commands,
    warn: notePrinter(plan.quiet),
  });
  const limitBuilds = pLimit(plan.jobs);
  const programs: ProgramWithMutants[] = [];
  try {
    for (const path of plan.programs) {
      const onBuilt = (built: number, all: number) => {
        assertNotStopped(stop);
        status(`built ${formatCount(built)} of ${formatQuantity(all, 'mutant')} of ${path}`);
      };
      status(`reading ${path}`);
      const tools = { builder, limitBuilds, environment, memoryBytes: plan.memoryBytes, onBuilt };
      programs.push(await buildProgramWithMutants(path, tools));
    }
    return programs;
  } finally {
    commands.close();
  }
}

/** Opens what knows the right answers: the solver of the problem, or the first of the right programs. */
async function withTrials(
  plan: GradePlan,
  [{ name, right }]: readonly ProgramWithMutants[],
  { stop, giveUp }: GracefulStop,
  work: (trials: ProgramStarter) => Promise<GradeReport>,
): Promise<GradeReport> {
  const { problem, jobs, casesPerRun, memoryBytes, sandbox } = plan;
  // The search itself notices when its time is up. A signal ends it at the next run of a program.
  const untilSignal = new Deadline(Number.POSITIVE_INFINITY, stop);
  const beforeRun = () => untilSignal.assertTimeLeft();
  const program =
    problem.solvers === null ? { ...right, casesPerRun, memoryBytes, sandbox, beforeRun } : null;
  const solver = await openSolver({ problem, jobs, timeoutSeconds: SOLVER_SECONDS, program });
  const { comparator, close } = await openComparator(problem, plan.answerOptions, jobs, { stop, giveUp });
  const recovery = new Recovery(solver, { retries: TRUSTED_SOLVER_RETRIES, onRetry: () => {} });
  const trustedSolver = new RememberedAnswers(recovery);
  const settings = { problem, trustedSolver, comparator, casesPerRun, memoryBytes, sandbox, beforeRun };
  const trials = new ProgramStarter(settings);
  giveUp.addEventListener('abort', () => {
    trials.giveUp();
    solver.giveUp();
  });
  const solverName = program === null ? 'the solver' : name;
  try {
    const note = notePrinter(plan.quiet);
    await assertAnswersRight(plan.inputs, { problem, solver, solverName, comparator, note, stop });
    return await work(trials);
  } finally {
    await Promise.all([solver.close(), close()]);
  }
}

/** Writes a new test and its answers into the folder for new tests. Returns the path of the input; null without a folder. */
function writeTest({ into, problem }: GradePlan, { head, cases, answers }: NewTest): string | null {
  if (into === null) return null;
  makeFolders(into);
  const input = assembleInput(problem.inputFormat, cases, head.bytes);
  for (let number = 1; ; number++) {
    const [path, answerPath] = [INPUT_ENDING, ANSWER_ENDING].map((each) =>
      join(into, `grade-${number}${each}`),
    );
    // A link that leads to no file takes a name, too.
    if (lstatOrNull(path) !== null || lstatOrNull(answerPath) !== null) continue;
    try {
      // The input comes last, so that there is no input without answers.
      writeFileSync(answerPath, answers, { flag: 'wx' });
      writeFileSync(path, input, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      for (const written of [path, answerPath]) rmSync(written, { force: true });
      throw errorOfFailedWrite(path, error);
    }
  }
}

function printReport({ json }: GradePlan, report: GradeReport): void {
  process.stdout.write(
    json ? `${printJson(gradeToJson(report))}\n` : escapeLines(formatGrade(report, standardOutputWidth())),
  );
}

/** Returns a function that shows what boardmill is doing, if standard error is a terminal. */
function statusLine({ quiet }: GradePlan): ShowActivity {
  const isShown = isBarWanted({ quiet, progress: true });
  return (activity) => {
    if (isShown) showStatus((columns) => [joinFitting([` ${activity}`], columns)]);
  };
}
