/** What `boardmill solve` says when it has ended: what was made, what was up to date, and how a run at a terminal went. */
import { existsSync } from 'node:fs';
import { isatty } from 'node:tty';
import { Interrupted } from '../../core/errors.js';
import { followLinks } from '../../core/files/identity.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { partialPath } from '../../engine/output/partial-file.js';
import type { RunTally } from '../../engine/tally.js';
import { type PrintNote, printMessage, reportError } from '../exit.js';
import { throwMostSerious, throwUnreported } from '../file-failures.js';
import type { ChosenOutputs } from './choose-outputs.js';
import type { FilePlan, PlannedOutput } from './plan-files.js';
import type { OutputsResult } from './solve-outputs.js';

/** Below this number of seconds, a duration is shown with two decimals. */
const SHORT_SECONDS = 1;

/** A run that is reported: its options, its files, and how the user gets notes. */
interface ReportedRun {
  readonly args: { readonly quiet: boolean };
  readonly plan: FilePlan;
  readonly note: PrintNote;
}

/**
 * Says what a run has made that has reached its end, and how long that took. Fails if one of several outputs could not be made.
 */
export function reportRun(
  { args, plan, note }: ReportedRun,
  result: OutputsResult,
  chosen: ChosenOutputs,
  tally: RunTally,
): void {
  const end = isEndShown(args, plan) ? describeRun(tally) : null;
  const [{ path }] = plan.outputs;
  if (plan.layout === 'each') reportEach(result, chosen, end, args.quiet);
  else if (tally.isUpToDate) note(`${path} is up to date`);
  else if (end !== null) note(path === '-' ? end : `${end}: ${path}`);
}

/** Reports the error with which a run has ended, and at a terminal how far it had come. Returns its exit code. */
export async function reportFailedRun(
  { args, plan, note }: ReportedRun,
  error: unknown,
  tally: RunTally,
): Promise<number> {
  const code = reportError(error);
  const end = plan.layout !== 'each' && isEndShown(args, plan) ? describeFailedRun(error, tally) : null;
  if (end !== null) note(end + (await describeRest(plan.outputs[0])));
  return code;
}

/** Whether the run ends with a line on a terminal. If answers go to a terminal, they are what the user wants to see there. */
function isEndShown({ quiet }: { quiet: boolean }, { outputs }: FilePlan): boolean {
  const showsAnswers = isatty(1) && outputs.some(({ path }) => path === '-');
  return Boolean(process.stderr.isTTY) && !quiet && !showsAnswers;
}

/** Describes a run that has ended: "100,000 cases in 1.2 s, resumed after case 12,345". */
function describeRun(
  tally: Pick<RunTally, 'cases' | 'isResumed' | 'resumedCases' | 'resumedAfterCase' | 'seconds'>,
): string {
  const { cases, isResumed, resumedCases, resumedAfterCase, seconds } = tally;
  const duration = seconds.toFixed(seconds < SHORT_SECONDS ? 2 : 1);
  const done = `${formatQuantity(cases - resumedCases, 'case')} in ${duration} s`;
  if (resumedCases === 0) return isResumed ? `${done}, resumed from the beginning` : done;
  if (resumedAfterCase !== null) return `${done}, resumed after case ${formatCount(resumedAfterCase)}`;
  return `${done}, resumed after ${formatQuantity(resumedCases, 'case')}`;
}

/**
 * Prints the summary of a run in which each input has an output of its own. If some of them failed, throws an error whose
 * message is the summary and whose exit code is that of the gravest failure. `end` describes the run; null if it is not shown.
 */
function reportEach(
  { made, failures }: OutputsResult,
  { upToDate, refusals }: ChosenOutputs,
  end: string | null,
  isQuiet: boolean,
): void {
  const failed = [...refusals, ...failures];
  const parts = [`${formatQuantity(made, 'file')} solved`];
  if (upToDate.length > 0) parts.push(`${formatCount(upToDate.length)} up to date`);
  if (failed.length > 0) parts.push(`${formatCount(failed.length)} failed`);
  const summary = parts.join(', ') + (end === null || made === 0 ? '' : `: ${end}`);
  throwUnreported(failed);
  throwMostSerious(failed, summary);
  if (!isQuiet) printMessage(summary);
}

/** Returns the line about a run that has ended with an error; null if the message of the error says all that it would. */
function describeFailedRun(error: unknown, tally: RunTally): string | null {
  const hasAnswers = tally.cases > tally.resumedCases;
  return error instanceof Interrupted || !hasAnswers ? null : `failed after ${describeRun(tally)}`;
}

/** Says where the answers of a failed run are, if a later run can continue after them. */
async function describeRest({ path }: PlannedOutput): Promise<string> {
  const partial = partialPath(followLinks(path));
  return path !== '-' && existsSync(partial) ? `: ${partial} (--resume continues)` : '';
}
