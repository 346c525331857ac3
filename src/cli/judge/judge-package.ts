/** `boardmill judge --package`: judges the submissions of a problem package. */
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { formatQuantity } from '../../core/format-count.js';
import type { GracefulStop } from '../../core/stop.js';
import { type ReportFiles, withReportFiles } from '../../engine/output/report-file.js';
import { readGrammarProblem } from '../../problems/grammar-problem.js';
import type { GrammarUse } from '../../problems/grammar-use.js';
import type { Problem } from '../../problems/problem.js';
import type { CaseCutter } from '../../tools/judge/package/cases.js';
import { createCaseCutter, findPackageGrammar } from '../../tools/judge/package/cut-cases.js';
import { findDisputedAnswers } from '../../tools/judge/package/disputed-answers.js';
import { findFailingCases } from '../../tools/judge/package/failing-cases.js';
import { type ContestPackage, withContestPackage } from '../../tools/judge/package/judge-package.js';
import { chooseKeptInput } from '../../tools/judge/package/kept-input.js';
import { describeMachineLoad } from '../../tools/judge/package/load.js';
import type {
  JudgePackageRequest,
  PackageReport,
  ProgramReport,
  TestReport,
} from '../../tools/judge/package/package-reports.js';
import { readPackageSettings } from '../../tools/judge/package/read/settings.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, notePrinter, type PrintNote, reportError } from '../exit.js';
import { runWithSignals } from '../signals.js';
import {
  describeKeptInput,
  filesOfPackageReport,
  PackageReporter,
  type PackageReportFile,
  type PackageReportPlan,
} from './package-report.js';

/** The parsed and checked command line of `boardmill judge --package`. */
export interface JudgePackageOptions
  extends Omit<
      JudgePackageRequest,
      'cutCases' | 'stop' | 'giveUp' | 'warn' | 'onBegin' | 'onActivity' | 'onTest' | 'onProgram'
    >,
    PackageReportPlan {
  /**
   * Whether the inputs are checked with the package's input validators, and answers compared with those of accepted programs.
   */
  readonly checkInputs: boolean;
  /** The problem that the user named, by which files are divided into cases; null to use the grammar in the package. */
  readonly problem: Problem | null;
  /** The options for the grammar in the package. */
  readonly grammarUse: GrammarUse;
  readonly force: boolean;
}

/** Judges a package, prints the results on standard output, and returns the exit code. */
export async function judgePackage(options: JudgePackageOptions): Promise<number> {
  const note = notePrinter(options.quiet);
  note(describeMachineLoad(loadavg()[0], availableParallelism(), options.jobs));
  return withReportFiles(filesOfPackageReport(options), options.force, (files) =>
    runWithSignals('finishing the runs that have begun', note, (signals) =>
      judgeWith(options, files, signals),
    ),
  );
}

/** The formats by which files are cut and cases are made smaller. */
interface CaseTools {
  readonly problem: Problem | null;
  readonly cutCases: CaseCutter | null;
}

async function judgeWith(
  options: JudgePackageOptions,
  files: ReportFiles<PackageReportFile>,
  signals: GracefulStop,
): Promise<number> {
  const warn = notePrinter(options.quiet);
  const caseTools = await openCaseTools(options, warn);
  const reporter = new PackageReporter(options, warn);
  const request = {
    ...options,
    ...signals,
    cutCases: caseTools.cutCases,
    warn,
    onBegin: (programs: readonly string[], count: number) => reporter.begin(programs, count),
    onActivity: (activity: string) => reporter.showActivity(activity),
    onTest: (program: string, test: TestReport) => reporter.addTest(program, test),
    onProgram: (report: ProgramReport) => reporter.addProgram(report),
  };
  let inputs: readonly string[] = [];
  try {
    return await withContestPackage(request, async (opened) => {
      inputs = opened.dataFiles.map(({ name }) => name);
      const findings = options.checkInputs ? await opened.checkInputs() : [];
      await reporter.addFindings(findings);
      const report = await opened.judge();
      const disputes = options.checkInputs ? findDisputedAnswers(reporter.reports) : [];
      await reporter.finish(inputs);
      await reporter.addDisputes(disputes);
      noteResult(warn, report);
      await writeFiles(options, files, opened, reporter, report, caseTools);
      if (report.unjudged > 0) return reportError(unjudgedError(report.unjudged));
      const isRight = report.isAsExpected && findings.length === 0 && disputes.length === 0;
      return isRight ? EXIT_CODE.ok : EXIT_CODE.differs;
    });
  } catch (error) {
    await reporter.finishEarly();
    if (error instanceof BoardmillError) await reporter.writeFilesEarly(files, inputs, error);
    throw error;
  } finally {
    reporter.close();
  }
}

function unjudgedError(unjudged: number): BoardmillError {
  const what = formatQuantity(unjudged, 'submission');
  const why = 'because an output validator failed, or a program could not be started';
  return new BoardmillError('worker', `${what} could not be judged, ${why}`);
}

function noteResult(warn: PrintNote, { timeLimit, skipped, hasScores }: PackageReport): void {
  warn(`time limit ${timeLimit.seconds} s (${timeLimit.origin})`);
  if (skipped > 0) warn(`${formatQuantity(skipped, 'submission')} skipped`);
  if (hasScores) warn('scores were not judged, and `score:` of submissions.yaml was not checked');
}

async function writeFiles(
  { keep, quiet, jobs }: JudgePackageOptions,
  files: ReportFiles<PackageReportFile>,
  opened: ContestPackage,
  reporter: PackageReporter,
  report: PackageReport,
  { problem, cutCases }: CaseTools,
): Promise<void> {
  const { reports } = reporter;
  const inputs = opened.dataFiles.map(({ name }) => name);
  const examples =
    files.html === undefined ? [] : await findFailingCases(opened, reports, { problem, cutCases, jobs });
  await reporter.writeFiles(files, inputs, { ...report, examples });
  if (files.keep === undefined || keep === null) return;
  const cutting = problem === null || cutCases === null ? null : { problem, cutCases };
  const kept = await chooseKeptInput(opened.dataFiles, reports, cutting);
  if (kept === null) await files.keep.discard();
  else await files.keep.write(kept.bytes);
  if (!quiet) describeKeptInput(keep, kept);
}

/**
 * Opens the format of the inputs. `--matrix cases` needs one that divides files; a page and a kept input are better with one. A
 * grammar without `--multitest` makes cases smaller, but does not divide files.
 */
async function openCaseTools(options: JudgePackageOptions, warn: PrintNote): Promise<CaseTools> {
  const { matrix, problem, html, keep, grammarUse } = options;
  const isNeeded = matrix === 'cases';
  if (!isNeeded && html === null && keep === null) return { problem: null, cutCases: null };
  const found = problem ?? (await openGrammar(options).catch((error) => noteUnusable(error, isNeeded, warn)));
  if (isNeeded && found === null)
    throw usageError(
      '--matrix cases needs a <problem>, because the package has no grammar (.ctd) of its inputs',
    );
  const isDivided = problem !== null || grammarUse.multitest;
  if (isNeeded && !isDivided)
    throw usageError(
      "--matrix cases needs --multitest: without it, each file of the package's grammar is one case, which cannot be cut",
    );
  return { problem: found, cutCases: found !== null && isDivided ? createCaseCutter(found, warn) : null };
}

/** Opens the first grammar of the package, with the constants of problem.yaml; null if there is none. */
async function openGrammar({ folder, grammarUse }: JudgePackageOptions): Promise<Problem | null> {
  const grammar = findPackageGrammar(folder);
  if (grammar === null) return null;
  const { constants } = readPackageSettings(folder, () => {});
  const rewrite = (text: string) => constants.replaceIn(text, grammar);
  const problem = await readGrammarProblem(resolve(grammar), grammarUse, rewrite);
  problem.assertUsable?.();
  return problem;
}

/** Without a grammar, a page shows cases as they are, so its mistake is only noted unless the grammar is needed. */
function noteUnusable(error: unknown, isNeeded: boolean, warn: PrintNote): null {
  if (isNeeded || !(error instanceof BoardmillError)) throw error;
  warn(`cases are not made smaller: ${error.message}`);
  return null;
}
