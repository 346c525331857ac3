/** Searches for cases on which a program fails. */

import { formatCommandLine } from '../../core/command-line.js';
import { Deadline } from '../../core/deadline.js';
import { BoardmillError, Interrupted, type StopSignal, systemReason } from '../../core/errors.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { escapeLines, escapeUnprintable } from '../../core/printable.js';
import { assertNotStopped, type GracefulStop } from '../../core/stop.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import { TRUSTED_SOLVER_RETRIES } from '../../engine/limits.js';
import { Recovery } from '../../engine/recover.js';
import { assembleInput } from '../../formats/assemble-input.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { openComparator } from '../../tools/compare/comparator.js';
import { openCaseGroups, type UntriedCaseCount } from '../../tools/stress/case-groups.js';
import { commandToSolve, type StressPlan, stressFileStem } from '../../tools/stress/plan.js';
import { describeCasesLeft, saveCounterexample, summarizeSearch } from '../../tools/stress/report.js';
import {
  type Counterexample,
  type StressEnding,
  type StressProgress,
  type StressResult,
  stressSolver,
} from '../../tools/stress/stress.js';
import type { NoTrustedAnswerError } from '../../tools/stress/trial.js';
import { EXIT_CODE, notePrinter, printMessage } from '../exit.js';
import { writeUnderUniqueName } from '../save-case.js';
import { isBarWanted } from '../status/progress.js';
import { joinFitting } from '../status/status-text.js';
import { clearStatus, printAboveStatus, showStatus } from '../status/terminal.js';

/** The time that `stress` spends on making a counterexample smaller, in seconds. */
const SHRINK_SECONDS = 60;

/** Runs the search, reports what it has found, and returns the exit code. */
export async function searchForFailures(plan: StressPlan, signals: GracefulStop): Promise<number> {
  const { stop } = signals;
  const { result, left, referenceFailures } = await search(plan, signals);
  const { ending, failures } = result;
  const obstacle = stop.aborted ? null : await describeObstacle(plan, result, referenceFailures);
  // If nothing was found because the search was stopped by an obstacle, the program may still be wrong.
  if (obstacle !== null && failures === 0 && mustFail(result))
    throw new BoardmillError(obstacle.kind, [obstacle.message, ...leftOver(plan, left)].join('; '));
  if (obstacle !== null && !plan.quiet) printMessage(obstacle.message);
  const summary = summarizeSearch(plan, result, left);
  if (stop.aborted && WAS_CUT[ending.kind]) throw new Interrupted(stop.reason as StopSignal, summary);
  if (failures === 0 || plan.find > 1) process.stdout.write(`${escapeUnprintable(summary)}\n`);
  if (failures > 0) return EXIT_CODE.differs;
  const [rest] = leftOver(plan, left);
  if (rest !== undefined) throw new BoardmillError('worker', `the search ended early: ${rest}`);
  return EXIT_CODE.ok;
}

function leftOver(plan: StressPlan, left: UntriedCaseCount | null): string[] {
  return left === null || left.count === 0n ? [] : [describeCasesLeft(plan, left)];
}

/** Whether a search that ended in this way was stopped by the time limit or a signal. */
const WAS_CUT: Readonly<Record<StressEnding['kind'], boolean>> = {
  'time-up': true,
  'cut-off': true,
  found: false,
  'tried-all': false,
  undecided: false,
};

function mustFail({ ending, cases }: StressResult): boolean {
  return ending.kind === 'undecided' || cases === 0;
}

/** Returns the error because of which the search could not continue; null if it ended normally. */
async function describeObstacle(
  plan: StressPlan,
  { ending, rounds, cases }: StressResult,
  referenceFailures: number,
): Promise<BoardmillError | null> {
  if (ending.kind === 'undecided') return describeUndecided(plan, ending.error);
  if (!WAS_CUT[ending.kind]) return null;
  if (cases === 0) return describeNothingTried(plan, referenceFailures);
  if (ending.kind === 'time-up') return null;
  const { seconds, timeoutSeconds } = plan;
  const what = `round ${rounds + 1} was still running ${timeoutSeconds} s after the search of ${seconds} s, and was given up`;
  return new BoardmillError('worker', what);
}

/** Returns the error for a search whose time was up before the answers to a first batch were compared. */
function describeNothingTried(
  { seconds, casesPerRun }: StressPlan,
  referenceFailures: number,
): BoardmillError {
  const fewer = casesPerRun > 1 ? ', or fewer cases per run with --exec-cases' : '';
  const what = `the search of ${seconds} s ended before the answers to a case were compared`;
  const failed =
    referenceFailures === 0
      ? ''
      : `; the reference failed meanwhile (${formatQuantity(referenceFailures, 'run')})`;
  return new BoardmillError('worker', `${what}${failed}; give it more with --time${fewer}`);
}

/** Returns the error for a case on which the reference failed, and saves this case. */
async function describeUndecided(plan: StressPlan, error: NoTrustedAnswerError): Promise<BoardmillError> {
  const { reference, problem } = plan;
  if (reference === null) return error;
  const { head, caseBytes, reason } = error;
  const input = assembleInput(problem.inputFormat, [caseBytes], head.bytes);
  const saved = await writeUnderUniqueName(stressFileStem('reference', plan), input).then(
    (file) => `saved ${file}; repeat with: ${commandToSolve(plan, reference, file)}`,
    (failure) => `the case could not be saved: ${systemReason(failure)}`,
  );
  const what = `${formatCommandLine(reference)}: ${reason.replace(/^the program /, '')}`;
  return new BoardmillError('worker', `the reference's fault, not the program's: ${what}; ${saved}`);
}

interface SearchOutcome {
  readonly result: StressResult;
  /** The cases of `--profile all` that were not tried; null if there are none. */
  readonly left: UntriedCaseCount | null;
  /** Number of runs in which the reference, or the solver, failed and was run again. */
  readonly referenceFailures: number;
}

/** Opens the programs and files that the search needs, runs the search, and shows its progress. */
async function search(plan: StressPlan, { stop, giveUp }: GracefulStop): Promise<SearchOutcome> {
  const { problem, argv, seconds, timeoutSeconds, jobs, answerOptions, find } = plan;
  const deadline = new Deadline(seconds, stop);
  const beforeRun = () => deadline.assertTimeLeft();
  const author = new AuthorFunctionPool(problem, jobs, timeoutSeconds);
  const cases = await openCaseGroups(plan, author, notePrinter(plan.quiet));
  const program = await openProgram(plan, argv, plan.sandbox, beforeRun);
  const trusted = await openTrustedSolver(plan, beforeRun);
  const { comparator, close: closeComparator } = await openComparator(problem, answerOptions, jobs, {
    timeoutSeconds,
    giveUp,
    beforeComparison: beforeRun,
  });
  const isShown = isBarWanted({ quiet: plan.quiet, progress: true });
  giveUp.addEventListener('abort', () => {
    for (const each of [program, trusted]) each.giveUp();
    cases.close();
  });
  try {
    let referenceFailures = 0;
    const onRetry = () => referenceFailures++;
    const result = await stressSolver({
      problem,
      trustedSolver: new Recovery(trusted, { retries: TRUSTED_SOLVER_RETRIES, onRetry }),
      // After a failure, the program is not run again on the same cases, because `stress` searches for failures.
      testedSolver: new Recovery(program, { retries: 0, onRetry: () => {} }),
      comparator,
      groups: cases.groups,
      failuresWanted: find,
      jobs,
      areValid: async (head, cases) =>
        (await author.findInvalid(head, cases)).every((reason) => reason === null),
      deadline,
      caseSeconds: timeoutSeconds,
      shrinkSeconds: SHRINK_SECONDS,
      onProgress: (progress) => {
        if (isShown) showStatus((columns) => [formatStatus(progress, columns)]);
      },
      onFailure: (found) => printFailure(plan, found, deadline),
    });
    const left = result.ending.kind === 'found' ? null : cases.left(result.lastRoundCases);
    return { result, left, referenceFailures };
  } catch (error) {
    assertNotStopped(giveUp);
    throw error;
  } finally {
    clearStatus();
    cases.close();
    await Promise.all([program.close(), trusted.close(), closeComparator(), author.close()]);
  }
}

/** Opens the reference or the solver that finds the right answers. */
async function openTrustedSolver(plan: StressPlan, beforeRun: () => void): Promise<Dispatcher> {
  const { problem, reference, timeoutSeconds, jobs } = plan;
  if (reference === null) return openSolver({ problem, jobs, timeoutSeconds, program: null });
  return openProgram(plan, reference, null, beforeRun);
}

function openProgram(
  { problem, casesPerRun, timeoutSeconds, jobs }: StressPlan,
  argv: readonly string[],
  sandbox: StressPlan['sandbox'],
  beforeRun: () => void,
): Promise<Dispatcher> {
  const program = { argv, casesPerRun, sandbox, beforeRun, hasTimeOfOneCase: true };
  return openSolver({ problem, jobs, timeoutSeconds, program });
}

async function printFailure(plan: StressPlan, found: Counterexample, deadline: Deadline): Promise<void> {
  const text = await saveCounterexample(plan, found, deadline);
  await printAboveStatus(async () => void process.stdout.write(escapeLines(text)));
}

function formatStatus({ rounds, cases, failures }: StressProgress, width: number): string {
  const found = failures === 0 ? [] : [` | found ${formatCount(failures)}`];
  return joinFitting(
    [` round ${formatCount(rounds)}`, ` | ${formatQuantity(cases, 'case')}`, ...found],
    width,
  );
}
