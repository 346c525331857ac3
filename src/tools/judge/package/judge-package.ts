/** Judges all submissions of a problem package: builds them, runs each on all data files, and compares verdicts. */
import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { BoardmillError, type StopSignal } from '../../../core/errors.js';
import { settleAll } from '../../../core/settle-all.js';
import { assertNotStopped, type GracefulStop } from '../../../core/stop.js';
import type { SandboxLauncher } from '../../../engine/exec/sandbox.js';
import { type CaseCutter, type CaseReport, type CaseVerdict, judgeCases } from './cases.js';
import { DataGuard } from './data-guard.js';
import { MAX_REASON_CHARACTERS, UNKNOWN_LIMIT_SECONDS } from './limits.js';
import { type BuildResult, type BuiltProgram, ProgramBuilder } from './programs/builder.js';
import { CommandRunner } from './programs/command-runner.js';
import { packageEnvironment } from './programs/environment.js';
import { RunFolders, type RunResult } from './programs/run-program.js';
import {
  assertConsistent,
  describeExpectation,
  expectsBuildFailure,
  isFulfilled,
  isPermitted,
} from './read/expectations.js';
import { type PackageSettings, readSettings } from './read/settings.js';
import { readSubmissions, type Submission } from './read/submissions.js';
import { type DataFile, readTestData } from './read/test-data.js';
import {
  boundsTimeLimit,
  deriveTimeLimit,
  isLowerBound,
  statedTimeLimit,
  type TimeLimit,
} from './time-limit.js';
import { type OutputValidator, openValidator } from './validators/output-validator.js';

/** What to judge, and how. After `stop`, no further run starts; `giveUp` ends the runs and builds that have begun. */
export interface JudgePackageRequest extends GracefulStop {
  /** The folder of the package. */
  readonly folder: string;
  /** Number of programs that run at the same time. */
  readonly jobs: number;
  /** The time limit in seconds; null if the package states it, or if it is derived from the submissions. */
  readonly timeoutSeconds: number | null;
  /** The memory limit in bytes; null if the package states it. */
  readonly memoryLimitBytes: number | null;
  /** Names of environment variables that the programs of the package get beside the usual ones. */
  readonly environmentNames: readonly string[];
  /** Runs the programs of the package in sandboxes; null if they run with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  /** Cuts files into cases, to find out which cases of a file a submission fails; null if files are judged only as a whole. */
  readonly cutCases: CaseCutter | null;
  /** Gets notes for the user that are not results. */
  readonly warn: (message: string) => void;
  /** Gets the report of each submission, in the order of their paths. */
  readonly onProgram: (report: ProgramReport) => Promise<void>;
}

/** The verdict on one data file. */
export interface TestReport extends CaseVerdict {
  /** The path of the input from the package, such as `data/secret/1.in`. */
  readonly input: string;
  readonly testName: string;
  /** Whether the package permits the verdict on this file; null if it expects nothing. */
  readonly isPermitted: boolean | null;
  /** The verdicts on the single cases of the file; null if the file was not cut. */
  readonly cases: readonly CaseReport[] | null;
}

export interface ProgramReport {
  /** The path of the submission from the package. */
  readonly program: string;
  /** `broken`: the program does not compile. `skipped`: the program cannot be run on this machine. */
  readonly status: 'judged' | 'broken' | 'skipped';
  /** Why the program was not judged; null if it was judged. */
  readonly reason: string | null;
  /** What the package expects of the program, in words; null if it expects nothing. */
  readonly expectation: string | null;
  /** Whether the program did what the package expects; null if nothing is expected, or if the program was skipped. */
  readonly fits: boolean | null;
  readonly tests: readonly TestReport[];
}

export interface PackageReport {
  readonly timeLimit: TimeLimit;
  /** Number of submissions that could not be run on this machine. */
  readonly skipped: number;
  /** Whether every submission that was judged did what is expected of it. */
  readonly isAsExpected: boolean;
}

/** Judges a package. Fails with kind `usage`, `file` or `input` if it cannot be read, and `worker` if a validator fails. */
export async function judgeContestPackage(request: JudgePackageRequest): Promise<PackageReport> {
  const folder = resolve(request.folder);
  const settings = withMemoryLimit(readSettings(request.folder), request.memoryLimitBytes);
  const dataFiles = readTestData(folder, settings.validatorFlags);
  const submissions = readSubmissions(folder, settings, request.warn);
  for (const { name, expectation } of submissions) {
    const testNames = dataFiles.map(({ testName }) => testName);
    if (expectation !== null) assertConsistent(name, expectation, testNames);
  }
  const commands = new CommandRunner(packageEnvironment(request.environmentNames), request.sandbox);
  request.giveUp.addEventListener('abort', () => commands.giveUp(request.stop.reason as StopSignal));
  const builder = new ProgramBuilder({ folder, commands, warn: request.warn, ...settings });
  const guard = await DataGuard.of(dataFiles);
  const runFolders = new RunFolders(commands, guard);
  try {
    const validator = await openValidator({ folder, settings, builder, runFolders, guard }, dataFiles);
    const judge = new PackageJudge(request, settings, dataFiles, { runFolders, builder, validator, guard });
    return await judge.judgeAll(submissions);
  } finally {
    commands.close();
    runFolders.close();
  }
}

function withMemoryLimit(settings: PackageSettings, memoryLimitBytes: number | null): PackageSettings {
  return memoryLimitBytes === null ? settings : { ...settings, memoryBytes: memoryLimitBytes };
}

interface Machinery {
  readonly runFolders: RunFolders;
  readonly builder: ProgramBuilder;
  readonly validator: OutputValidator;
  readonly guard: DataGuard;
}

/** A submission, the result of building it, and runs that were measured before the time limit was known. */
interface Candidate {
  readonly submission: Submission;
  readonly build: BuildResult;
  /** The verdicts of the runs from which the time limit was derived, one for each data file; null without such runs. */
  readonly measured: readonly CaseVerdict[] | null;
}

class PackageJudge {
  readonly #request: JudgePackageRequest;
  readonly #settings: PackageSettings;
  readonly #dataFiles: readonly DataFile[];
  readonly #machinery: Machinery;
  readonly #limit: ReturnType<typeof pLimit>;
  /** The first error. After it, nothing more is started. */
  #error: unknown = null;

  constructor(
    request: JudgePackageRequest,
    settings: PackageSettings,
    dataFiles: readonly DataFile[],
    machinery: Machinery,
  ) {
    this.#request = request;
    this.#settings = settings;
    this.#dataFiles = dataFiles;
    this.#machinery = machinery;
    this.#limit = pLimit(request.jobs);
  }

  async judgeAll(submissions: readonly Submission[]): Promise<PackageReport> {
    const stated = statedTimeLimit(this.#settings, this.#request.timeoutSeconds);
    const candidates = await settleAll(submissions.map((each) => this.#prepare(each, stated === null)));
    const timeLimit = stated ?? this.#deriveTimeLimit(candidates);
    const reports = candidates.map((candidate) => this.#judge(candidate, timeLimit));
    // The reports are awaited one after another. A report that fails earlier throws its error when its turn comes.
    for (const report of reports) report.catch(() => {});
    try {
      return await this.#report(reports, timeLimit);
    } catch (error) {
      this.#error ??= error;
      await Promise.allSettled(reports);
      throw this.#error;
    }
  }

  async #report(reports: readonly Promise<ProgramReport>[], timeLimit: TimeLimit): Promise<PackageReport> {
    let isAsExpected = true;
    let skipped = 0;
    for (const promise of reports) {
      const report = await promise;
      if (report.fits === false) isAsExpected = false;
      if (report.status === 'skipped') skipped++;
      await this.#request.onProgram(report);
    }
    if (skipped === reports.length)
      throw new BoardmillError('worker', 'none of the submissions can be run on this machine');
    return { timeLimit, skipped, isAsExpected };
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
        this.#error ??= error;
        throw error;
      }
    });
  }

  /** Builds a submission. If the time limit is not known, also runs the submissions that bound the limit from below. */
  async #prepare(submission: Submission, isLimitUnknown: boolean): Promise<Candidate> {
    const { builder } = this.#machinery;
    const build = await this.#schedule(() => builder.build(submission.source, { hasIncludes: true }));
    const isMeasured =
      isLimitUnknown && boundsTimeLimit(submission.expectation, 'lower') && build.kind === 'built';
    const measured = isMeasured ? await this.#runAll(submission.name, build, UNKNOWN_LIMIT_SECONDS) : null;
    return { submission, build, measured };
  }

  #runAll(name: string, program: BuiltProgram, seconds: number): Promise<CaseVerdict[]> {
    return settleAll(
      this.#dataFiles.map((file) => this.#schedule(() => this.#run(name, program, file, seconds))),
    );
  }

  /** Runs a program on a data file and judges its output. The run is stopped after `seconds`. */
  async #run(name: string, program: BuiltProgram, file: DataFile, seconds: number): Promise<CaseVerdict> {
    const { runFolders, validator } = this.#machinery;
    const { memoryBytes, outputBytes } = this.#settings;
    const run = await runFolders.run({ program, ...file, seconds, memoryBytes, outputBytes });
    const times = { seconds: run.seconds, cpuSeconds: run.cpuSeconds };
    if (run.failure !== null) return { ...times, ...verdictOfFailure(run.failure) };
    const { isRight, message } = await validator.judge(file, run.stdout, name);
    return { ...times, verdict: isRight ? 'AC' : 'WA', message };
  }

  #deriveTimeLimit(candidates: readonly Candidate[]): TimeLimit {
    const times = candidates.flatMap(({ submission, measured }) =>
      (measured ?? []).map(({ seconds }, index) => {
        const { testName } = this.#dataFiles[index];
        return { submission: submission.name, testName, seconds, expectation: submission.expectation! };
      }),
    );
    return deriveTimeLimit(
      this.#settings,
      times.filter(({ expectation, testName }) => isLowerBound(expectation, testName)),
    );
  }

  async #judge({ submission, build, measured }: Candidate, timeLimit: TimeLimit): Promise<ProgramReport> {
    if (build.kind !== 'built') return reportUnbuilt(submission, build);
    const mustBeSlow = boundsTimeLimit(submission.expectation, 'upper');
    const seconds = timeLimit.seconds * (mustBeSlow ? this.#settings.timeLimitToTle : 1);
    const tests = await settleAll(
      this.#dataFiles.map((file, index) =>
        this.#schedule(async () => {
          const run = measured?.[index] ?? (await this.#run(submission.name, build, file, seconds));
          return this.#judgeRun(submission, build, file, run, timeLimit);
        }),
      ),
    );
    const report = reportJudged(submission, tests);
    if (mustBeSlow && report.fits === true) this.#warnOfNearLimit(report, timeLimit);
    return report;
  }

  async #judgeRun(
    submission: Submission,
    program: BuiltProgram,
    file: DataFile,
    run: CaseVerdict,
    timeLimit: TimeLimit,
  ): Promise<TestReport> {
    const { testName } = file;
    const { expectation } = submission;
    const timed = withTimeLimit(run, timeLimit);
    return {
      input: file.name,
      testName,
      ...timed,
      isPermitted: expectation === null ? null : isPermitted(expectation, { testName, ...timed }),
      cases: timed.verdict === 'AC' ? null : await this.#judgeCases(submission, program, file, timeLimit),
    };
  }

  async #judgeCases(
    { name }: Submission,
    program: BuiltProgram,
    file: DataFile,
    timeLimit: TimeLimit,
  ): Promise<readonly CaseReport[] | null> {
    const { cutCases, stop } = this.#request;
    if (cutCases === null) return null;
    const { guard, runFolders } = this.#machinery;
    await guard.assertUnchanged(file.inputPath, file.answerPath);
    return judgeCases(cutCases, file, runFolders, stop, async (caseFile) => {
      return withTimeLimit(await this.#run(name, program, caseFile, timeLimit.seconds), timeLimit);
    });
  }

  /** Warns of a submission that must be too slow and exceeds the time limit only slightly: another machine may accept it. */
  #warnOfNearLimit({ program, tests }: ProgramReport, { seconds }: TimeLimit): void {
    const slowest = Math.max(...tests.map((test) => test.seconds));
    if (slowest >= seconds * this.#settings.timeLimitToTle) return;
    const factor = this.#settings.timeLimitToTle;
    this.#request.warn(
      `${program} is too slow by less than the package wants: ${slowest.toFixed(2)} s is not ${factor} x the time limit of ${seconds} s`,
    );
  }
}

const VERDICT_OF_FAILURE = { time: 'TLE', memory: 'MLE', crash: 'RTE' } as const;

function verdictOfFailure({ kind, reason }: NonNullable<RunResult['failure']>) {
  return { verdict: VERDICT_OF_FAILURE[kind], message: reason.slice(0, MAX_REASON_CHARACTERS) };
}

/** Returns the verdict TLE for a run that exceeded the time limit, whatever the output of the run. */
function withTimeLimit(run: CaseVerdict, { seconds }: TimeLimit): CaseVerdict {
  if (run.verdict === 'TLE' || run.seconds <= seconds) return run;
  return { ...run, verdict: 'TLE', message: `ran ${run.seconds.toFixed(2)} s` };
}

function reportUnbuilt(
  { name, expectation }: Submission,
  { kind, reason }: Exclude<BuildResult, BuiltProgram>,
): ProgramReport {
  const base = { program: name, reason, tests: [], ...describe(expectation) };
  if (kind === 'skipped') return { ...base, status: 'skipped', fits: null };
  const fits = expectation === null ? null : expectsBuildFailure(expectation);
  return { ...base, status: 'broken', fits };
}

function reportJudged({ name, expectation }: Submission, tests: readonly TestReport[]): ProgramReport {
  const fits = expectation === null ? null : isFulfilled(expectation, tests);
  return { program: name, status: 'judged', reason: null, ...describe(expectation), fits, tests };
}

function describe(expectation: Submission['expectation']): Pick<ProgramReport, 'expectation'> {
  return { expectation: expectation === null ? null : describeExpectation(expectation) };
}
