/** Builds the submissions of a package, runs them on its data files, and compares their verdicts with the expected ones. */
import { statSync } from 'node:fs';
import pLimit from 'p-limit';
import { BoardmillError } from '../../../core/errors.js';
import { awaitAllThenThrow } from '../../../core/settle-all.js';
import { assertNotStopped } from '../../../core/stop.js';
import { type CaseReport, type CaseVerdict, judgeCases } from './cases.js';
import type { TestDataGuard } from './data-guard.js';
import { isInAcceptedFolder } from './disputed-answers.js';
import { MAX_REASON_CHARACTERS, TIMEOUT_SECONDS_WITHOUT_LIMIT } from './limits.js';
import { NoVerdictError } from './no-verdict.js';
import { digestOfTokens } from './output-digest.js';
import type { JudgePackageRequest, PackageReport, ProgramReport, TestReport } from './package-reports.js';
import type { BuildResult, BuiltProgram, ProgramBuilder } from './programs/builder.js';
import type { ProgramRunResult, RunFolders } from './programs/run-program.js';
import {
  describeExpectation,
  expectsBuildFailure,
  isExpectationDecided,
  isExpectationFulfilled,
  isVerdictPermitted,
} from './read/expectations.js';
import type { PackageSettings } from './read/settings.js';
import { codeSizeOf, type Submission } from './read/submissions.js';
import type { DataFile } from './read/test-data.js';
import {
  boundsTimeLimit,
  countedSecondsOf,
  deriveTimeLimit,
  describeSlowness,
  isTimeLimitLowerBound,
  statedTimeLimit,
  type TimeLimit,
} from './time-limit.js';
import type { OutputValidator } from './validators/output-validator.js';

/** What judging needs, apart from the package itself. */
export interface JudgingTools {
  readonly runFolders: RunFolders;
  readonly builder: ProgramBuilder;
  readonly validator: OutputValidator;
  readonly guard: TestDataGuard;
}

/** The package that is judged. */
interface JudgedPackage {
  readonly settings: PackageSettings;
  readonly dataFiles: readonly DataFile[];
  readonly submissions: readonly Submission[];
}

/** A submission, the result of building it, and runs that were measured before the time limit was known. */
interface Candidate {
  readonly submission: Submission;
  readonly build: BuildResult;
  /**
   * The verdicts of the runs from which the time limit was derived, one for each data file; null without such runs. Or why one
   * of these runs has no verdict: then the submission is not judged.
   */
  readonly measured: readonly CaseVerdict[] | NoVerdictError | null;
}

/** A submission whose runs so far, if there are any, have verdicts. */
interface JudgedCandidate {
  readonly submission: Submission;
  readonly measured: readonly CaseVerdict[] | null;
}

/** A run with the output of the program. */
interface JudgedRun extends CaseVerdict {
  readonly output: Uint8Array;
}

export class PackageJudge {
  readonly #request: JudgePackageRequest;
  readonly #package: JudgedPackage;
  readonly #machinery: JudgingTools;
  readonly #limit: ReturnType<typeof pLimit>;
  /** The built submissions that were judged, by their names. */
  readonly #built = new Map<string, BuiltProgram>();
  #timeLimit: TimeLimit | null = null;
  /** The first error. After it, nothing more is started. */
  #error: unknown = null;

  constructor(request: JudgePackageRequest, judged: JudgedPackage, machinery: JudgingTools) {
    this.#request = request;
    this.#package = judged;
    this.#machinery = machinery;
    this.#limit = pLimit(request.jobs);
  }

  /** Judges the submissions that `isChosen` chooses. */
  async judgeAll(isChosen: (submission: Submission) => boolean): Promise<PackageReport> {
    const { settings, submissions, dataFiles } = this.#package;
    const stated = statedTimeLimit(settings, this.#request.timeoutSeconds);
    const isLimitUnknown = stated === null;
    const names = submissions.filter(isChosen).map(({ name }) => name);
    this.#request.onBegin?.(names, dataFiles.length);
    // A submission that is not chosen may still be needed to derive the time limit.
    const isNeeded = (each: Submission) => isChosen(each) || (isLimitUnknown && isTimed(each));
    const prepared = submissions.filter(isNeeded).map((each) => this.#prepare(each, isLimitUnknown));
    const candidates = await awaitAllThenThrow(prepared);
    const timeLimit = stated ?? this.#deriveTimeLimit(candidates);
    this.#timeLimit = timeLimit;
    const chosen = candidates.filter(({ submission }) => isChosen(submission));
    // Submissions are judged in their order, so that the first are finished while the last have not begun.
    const inOrder = pLimit(this.#request.jobs);
    const reports = chosen.map((candidate) => inOrder(() => this.#judge(candidate, timeLimit)));
    return this.#report(reports, timeLimit);
  }

  /**
   * Runs a submission that was built on another input, and judges its output by the answer file. Called when all submissions
   * are judged.
   */
  async runOn(program: string, input: DataFile): Promise<JudgedRun> {
    const { built, timeLimit } = this.#judgedProgram(program);
    const run = await this.#again(() => this.#run(program, built, input, timeLimit.seconds));
    return withTimeLimit(run, timeLimit);
  }

  /** Returns what a submission prints for another input; null if it fails. */
  async outputOf(program: string, input: DataFile): Promise<Uint8Array | null> {
    const { built, timeLimit } = this.#judgedProgram(program);
    const { memoryBytes, outputBytes } = this.#package.settings;
    const limits = { seconds: timeLimit.seconds, memoryBytes, outputBytes };
    const { runFolders } = this.#machinery;
    const run = await this.#again(() => runFolders.run({ program: built, ...input, ...limits }));
    return run.failure === null && describeSlowness(run, timeLimit.seconds) === null ? run.stdout : null;
  }

  #judgedProgram(program: string): { readonly built: BuiltProgram; readonly timeLimit: TimeLimit } {
    const built = this.#built.get(program);
    if (built === undefined || this.#timeLimit === null) throw new Error(`${program} was not judged`);
    return { built, timeLimit: this.#timeLimit };
  }

  /** Runs a task as `#schedule` does, but its failure does not end judging. */
  #again<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#limit(() => {
      assertNotStopped(this.#request.stop);
      return task();
    });
  }

  /** Waits for the reports in their order. If judging ends early, passes on those that are finished. */
  async #report(reports: readonly Promise<ProgramReport>[], timeLimit: TimeLimit): Promise<PackageReport> {
    const finished = new Set<ProgramReport>();
    const passOn = async (report: ProgramReport) => {
      finished.add(report);
      await this.#request.onProgram(report);
    };
    // The reports are awaited one after another. A report that fails earlier throws its error when its turn comes.
    for (const report of reports) report.catch(() => {});
    try {
      for (const report of reports) await passOn(await report);
    } catch (error) {
      this.#error ??= error;
      for (const outcome of await Promise.allSettled(reports))
        if (outcome.status === 'fulfilled' && !finished.has(outcome.value)) await passOn(outcome.value);
      throw this.#error;
    }
    const all = [...finished];
    const skipped = all.filter(({ status }) => status === 'skipped').length;
    if (skipped === all.length)
      throw new BoardmillError('worker', 'none of the submissions can be run on this machine');
    const unjudged = all.filter(({ status }) => status === 'unjudged').length;
    const isAsExpected = all.every(({ fits }) => fits !== false);
    return { timeLimit, skipped, unjudged, isAsExpected, hasScores: this.#package.settings.isScoring };
  }

  /** Starts a task when fewer than `jobs` are running. */
  #schedule<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#limit(async () => {
      const { stop } = this.#request;
      assertNotStopped(stop);
      if (this.#error !== null) throw this.#error;
      try {
        return await task();
      } catch (error) {
        // A validator that fails on the output of one submission may judge others, and they may be started.
        if (!(error instanceof NoVerdictError)) this.#error ??= error;
        throw error;
      }
    });
  }

  /** Builds a submission. If the time limit is not known, also runs the submissions that bound the limit from below. */
  async #prepare(submission: Submission, isLimitUnknown: boolean): Promise<Candidate> {
    const build = await this.#build(submission);
    const isMeasured = isLimitUnknown && isTimed(submission) && build.kind === 'built';
    const measured = isMeasured ? await this.#measure(submission.name, build).catch(noVerdictOf) : null;
    return { submission, build, measured };
  }

  async #build(submission: Submission): Promise<BuildResult> {
    const { codeBytes } = this.#package.settings;
    const bytes = codeSizeOf(submission);
    if (bytes > codeBytes)
      return { kind: 'broken', reason: `its files have ${bytes} bytes; the limit "code" is ${codeBytes}` };
    const { builder } = this.#machinery;
    const build = await this.#schedule(() => {
      this.#request.onActivity?.(`building ${submission.name}`);
      return builder.build(submission.source, { hasIncludes: true });
    });
    if (build.kind === 'built') this.#built.set(submission.name, build);
    return build;
  }

  #measure(name: string, program: BuiltProgram): Promise<CaseVerdict[]> {
    const runs = this.#package.dataFiles.map((file) =>
      this.#schedule(async () => {
        const { output: _, ...verdict } = await this.#run(name, program, file, TIMEOUT_SECONDS_WITHOUT_LIMIT);
        return verdict;
      }),
    );
    return awaitAllThenThrow(runs);
  }

  /** Runs a program on a data file and judges its output. The run is stopped after `seconds` of processor time. */
  async #run(name: string, program: BuiltProgram, file: DataFile, seconds: number): Promise<JudgedRun> {
    this.#request.onActivity?.(`running ${name} on ${file.name}`);
    const { runFolders, validator } = this.#machinery;
    const { memoryBytes, outputBytes } = this.#package.settings;
    const run = await runFolders.run({ program, ...file, seconds, memoryBytes, outputBytes });
    const { seconds: wallSeconds, cpuSeconds, waitingSeconds, failure, stdout: output } = run;
    const times = { seconds: wallSeconds, cpuSeconds, waitingSeconds };
    if (failure !== null) return { ...times, ...verdictOfFailure(failure), outputDigest: null, output };
    const { isRight, message } = await validator.judge(file, output, name);
    const verdict = isRight ? 'AC' : 'WA';
    return { ...times, verdict, message, outputDigest: digestOfTokens(output), output };
  }

  #deriveTimeLimit(candidates: readonly Candidate[]): TimeLimit {
    const times = candidates.flatMap(({ submission: { name, expectation }, measured }) =>
      (measured instanceof NoVerdictError ? [] : (measured ?? []))
        .filter((_, index) => isTimeLimitLowerBound(expectation!, this.#package.dataFiles[index].testName))
        .map((run) => ({ ...run, submission: name })),
    );
    return deriveTimeLimit(this.#package.settings, times);
  }

  async #judge(candidate: Candidate, timeLimit: TimeLimit): Promise<ProgramReport> {
    const { submission, build, measured } = candidate;
    if (build.kind !== 'built') return reportUnbuilt(submission, build);
    if (measured instanceof NoVerdictError) return reportUnjudged(submission, measured);
    const tests = await this.#judgeTests({ submission, measured }, build, timeLimit).catch(noVerdictOf);
    if (tests instanceof NoVerdictError) return reportUnjudged(submission, tests);
    const report = reportJudged(submission, tests, this.#package.dataFiles.length);
    if (boundsTimeLimit(submission.expectation, 'upper') && report.fits === true)
      this.#warnOfNearLimit(report, timeLimit);
    return report;
  }

  /**
   * Judges a submission on the data files in their order, unless all are wanted only until its verdicts decide whether it fits.
   */
  async #judgeTests(
    candidate: JudgedCandidate,
    program: BuiltProgram,
    timeLimit: TimeLimit,
  ): Promise<TestReport[]> {
    const { jobs, checkInputs } = this.#request;
    // An accepted submission that ended at the first wrong answer file would not find the next one.
    const runsAll =
      this.#request.runsAll || (checkInputs === true && isInAcceptedFolder(candidate.submission.name));
    const { dataFiles } = this.#package;
    const ahead = runsAll ? dataFiles.length : jobs;
    const started: Promise<TestReport>[] = [];
    const start = (index: number) => {
      const test = this.#judgeTest(candidate, program, index, timeLimit);
      test.catch(() => {});
      started.push(test);
    };
    const tests: TestReport[] = [];
    try {
      while (tests.length < dataFiles.length) {
        while (started.length < Math.min(tests.length + ahead, dataFiles.length)) start(started.length);
        tests.push(await started[tests.length]);
        if (!runsAll && this.#isDecided(candidate.submission, tests)) break;
      }
      return tests;
    } finally {
      await Promise.allSettled(started);
    }
  }

  #isDecided({ expectation }: Submission, tests: readonly TestReport[]): boolean {
    const remaining = this.#package.dataFiles.slice(tests.length).map(({ testName }) => testName);
    return isExpectationDecided(expectation, tests, remaining);
  }

  async #judgeTest(
    { submission, measured }: JudgedCandidate,
    program: BuiltProgram,
    index: number,
    timeLimit: TimeLimit,
  ): Promise<TestReport> {
    const { dataFiles, settings } = this.#package;
    const file = dataFiles[index];
    const mustBeSlow = boundsTimeLimit(submission.expectation, 'upper');
    const seconds = timeLimit.seconds * (mustBeSlow ? settings.timeLimitToTle : 1);
    const report = await this.#schedule(async () => {
      const run = measured?.[index] ?? (await this.#run(submission.name, program, file, seconds));
      return this.#judgeRun(submission, program, file, run, timeLimit);
    });
    this.#request.onTest?.(submission.name, report);
    return report;
  }

  async #judgeRun(
    { name, expectation }: Submission,
    program: BuiltProgram,
    file: DataFile,
    run: CaseVerdict,
    timeLimit: TimeLimit,
  ): Promise<TestReport> {
    const { testName } = file;
    const timed = withTimeLimit(run, timeLimit);
    const isWallTime = timed.verdict === 'TLE' && countedSecondsOf(timed) <= timeLimit.seconds;
    return {
      input: file.name,
      testName,
      ...timed,
      inputBytes: statSync(file.inputPath).size,
      countedSeconds: isWallTime ? timed.seconds : countedSecondsOf(timed),
      isPermitted: expectation === null ? null : isVerdictPermitted(expectation, { testName, ...timed }),
      cases: timed.verdict === 'AC' ? null : await this.#judgeCases(name, program, file, timeLimit),
    };
  }

  async #judgeCases(
    name: string,
    program: BuiltProgram,
    file: DataFile,
    timeLimit: TimeLimit,
  ): Promise<readonly CaseReport[] | null> {
    const { cutCases, stop } = this.#request;
    if (cutCases === null) return null;
    const { guard, runFolders } = this.#machinery;
    await guard.assertUnchanged(file.inputPath, file.answerPath);
    return judgeCases(cutCases, file, runFolders, stop, async (caseFile) => {
      const { output: _, ...run } = await this.#run(name, program, caseFile, timeLimit.seconds);
      return withTimeLimit(run, timeLimit);
    });
  }

  /** Warns of a submission that must be too slow and exceeds the time limit only slightly: another machine may accept it. */
  #warnOfNearLimit({ program, tests }: ProgramReport, { seconds }: TimeLimit): void {
    const factor = this.#package.settings.timeLimitToTle;
    if (tests.some((test) => describeSlowness(test, seconds * factor) !== null)) return;
    // A run that exceeded only the wall limit has another time than the one that counts.
    const slowest = Math.max(...tests.map(countedSecondsOf));
    this.#request.warn(
      `${program} is too slow by less than the package wants: ${slowest.toFixed(2)} s of processor time are not ${factor} x the time limit of ${seconds} s`,
    );
  }
}

/** Whether the time of a submission bounds the time limit from below. */
function isTimed({ expectation }: Submission): boolean {
  return boundsTimeLimit(expectation, 'lower');
}

const VERDICT_OF_FAILURE = { time: 'TLE', memory: 'MLE', crash: 'RTE' } as const;

function verdictOfFailure({ kind, reason }: NonNullable<ProgramRunResult['failure']>) {
  return { verdict: VERDICT_OF_FAILURE[kind], message: reason.slice(0, MAX_REASON_CHARACTERS) };
}

/** Returns the verdict TLE for a run that exceeded the time limit, whatever the output of the run. */
function withTimeLimit<Run extends CaseVerdict>(run: Run, { seconds }: TimeLimit): Run {
  const slowness = describeSlowness(run, seconds);
  return slowness === null ? run : { ...run, verdict: 'TLE', message: slowness };
}

function reportUnbuilt(
  { name, expectation }: Submission,
  { kind, reason }: Exclude<BuildResult, BuiltProgram>,
): ProgramReport {
  const base = { program: name, reason, tests: [], notRun: 0, ...describe(expectation) };
  if (kind === 'skipped') return { ...base, status: 'skipped', fits: null };
  const fits = expectation !== null && expectsBuildFailure(expectation);
  return { ...base, status: 'broken', fits };
}

function noVerdictOf(error: unknown): NoVerdictError {
  if (error instanceof NoVerdictError) return error;
  throw error;
}

function reportUnjudged({ name, expectation }: Submission, { message }: NoVerdictError): ProgramReport {
  const base = { program: name, reason: message, tests: [], notRun: 0, ...describe(expectation) };
  return { ...base, status: 'unjudged', fits: null };
}

function reportJudged(
  { name, expectation }: Submission,
  tests: readonly TestReport[],
  files: number,
): ProgramReport {
  const fits = expectation === null ? null : isExpectationFulfilled(expectation, tests);
  const notRun = files - tests.length;
  return { program: name, status: 'judged', reason: null, ...describe(expectation), fits, tests, notRun };
}

function describe(expectation: Submission['expectation']): Pick<ProgramReport, 'expectation'> {
  return { expectation: expectation === null ? null : describeExpectation(expectation) };
}
