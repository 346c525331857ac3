/** Judges the submissions of a problem package: opens the package and all that judging needs, and closes it afterwards. */
import { resolve } from 'node:path';
import { BoardmillError, type StopSignal } from '../../../core/errors.js';
import { TestDataGuard } from './data-guard.js';
import { PackageJudge } from './package-judge.js';
import type { JudgePackageRequest, PackageReport } from './package-reports.js';
import { ProgramBuilder } from './programs/builder.js';
import { CommandRunner } from './programs/command-runner.js';
import { packageEnvironment } from './programs/environment.js';
import { RunFolders } from './programs/run-program.js';
import { whileUnchanged } from './read/changed-package.js';
import { assertRulesConsistent } from './read/expectations.js';
import { GlobCompiler, type GlobPattern } from './read/glob.js';
import { assertLinksAllowed, assertNoDanglingLinks } from './read/package-links.js';
import { type PackageSettings, readPackageSettings } from './read/settings.js';
import { readSubmissions, type Submission } from './read/submissions.js';
import { type DataFile, readTestData } from './read/test-data.js';
import { type InputFinding, runInputValidators } from './validators/input-validators.js';
import { openOutputValidator } from './validators/output-validator.js';

/** An opened package. */
export interface ContestPackage {
  readonly dataFiles: readonly DataFile[];
  judge(): Promise<PackageReport>;
  /** Checks the inputs of all tests with the package's input validators. Fails with kind `usage` if one cannot be run. */
  checkInputs(): Promise<readonly InputFinding[]>;
  /** Run a submission that was judged on another input. */
  readonly runOn: PackageJudge['runOn'];
  readonly outputOf: PackageJudge['outputOf'];
  /** Calls `use` with a new folder, which is removed afterwards. */
  readonly withFolder: RunFolders['withFolder'];
}

/**
 * Opens a package, calls `work` with it, and closes it. Fails with kind `usage`, `file` or `input` if the package cannot be
 * read, and `worker` if a validator fails.
 */
export async function withContestPackage<Result>(
  request: JudgePackageRequest,
  work: (opened: ContestPackage) => Promise<Result>,
): Promise<Result> {
  const folder = resolve(request.folder);
  const settings = withMemoryLimit(
    readPackageSettings(request.folder, request.warn),
    request.memoryLimitBytes,
  );
  const { dataFiles, submissions } = readParts(request, folder, settings);
  warnOfMissingSecrets(request, dataFiles);
  assertAllConsistent(submissions, dataFiles);
  const isChosen = choiceOf(request.only, submissions);
  const commands = new CommandRunner(packageEnvironment(request.environmentNames), request.sandbox);
  request.giveUp.addEventListener('abort', () => commands.giveUp(request.stop.reason as StopSignal));
  const builder = new ProgramBuilder({ folder, commands, warn: request.warn, ...settings });
  const guard = await TestDataGuard.of(dataFiles);
  const runFolders = new RunFolders(commands, guard, request.warn);
  const context = { folder, settings, builder, runFolders, guard };
  try {
    const validator = await openOutputValidator(context, dataFiles);
    const machinery = { runFolders, builder, validator, guard };
    const judge = new PackageJudge(request, { settings, dataFiles, submissions }, machinery);
    return await work({
      dataFiles,
      judge: () => judge.judgeAll(isChosen),
      checkInputs: () => runInputValidators(context, dataFiles, request),
      runOn: (program, input) => judge.runOn(program, input),
      outputOf: (program, input) => judge.outputOf(program, input),
      withFolder: (use) => runFolders.withFolder(use),
    });
  } finally {
    commands.close();
    runFolders.close();
  }
}

/** Reads what is in a package. Looks at links first, so nobody else may write into the package meanwhile. */
function readParts({ sandbox, warn }: JudgePackageRequest, folder: string, settings: PackageSettings) {
  return whileUnchanged(folder, () => {
    // Packages of a contest may share files by links. Without a sandbox, programs can read all files anyway.
    if (sandbox !== null) assertLinksAllowed(folder);
    assertNoDanglingLinks(folder);
    return {
      dataFiles: readTestData(folder, settings, warn),
      submissions: readSubmissions(folder, settings, warn),
    };
  });
}

/** Judges a package. */
export function judgeContestPackage(request: JudgePackageRequest): Promise<PackageReport> {
  return withContestPackage(request, (opened) => opened.judge());
}

function withMemoryLimit(settings: PackageSettings, memoryLimitBytes: number | null): PackageSettings {
  return memoryLimitBytes === null ? settings : { ...settings, memoryBytes: memoryLimitBytes };
}

function warnOfMissingSecrets({ folder, warn }: JudgePackageRequest, dataFiles: readonly DataFile[]): void {
  if (!dataFiles.some(({ testName }) => testName.startsWith('secret/')))
    warn(`${folder} has no secret data (data/secret/*.in), so only the samples are judged`);
}

function assertAllConsistent(submissions: readonly Submission[], dataFiles: readonly DataFile[]): void {
  const testNames = dataFiles.map(({ testName }) => testName);
  for (const { name, expectation } of submissions)
    if (expectation !== null) assertRulesConsistent(name, expectation, testNames);
}

/** Returns whether the patterns choose a submission. Fails with kind `usage` if a pattern chooses none. */
function choiceOf(
  patterns: readonly string[],
  submissions: readonly Submission[],
): (submission: Submission) => boolean {
  const compiler = new GlobCompiler();
  const globs = patterns.map((pattern) => compiler.compile(pattern.replace(/^\.\//, '')));
  const isMet = (glob: GlobPattern) => submissions.some(({ name }) => glob.test(name));
  for (const glob of globs.filter((each) => !isMet(each))) {
    // A user may have left out the folders, or written them as in other programs: `**/a.py`.
    const last = glob.text.split('/').at(-1)!;
    const nearest = compiler.compile(`submissions/*/${last}`);
    const hint = /[^*]/.test(last) && isMet(nearest) ? `; did you mean '${nearest.text}'?` : '';
    throw new BoardmillError('usage', `--only ${glob.text}: no submission has such a path${hint}`);
  }
  return ({ name }) => globs.length === 0 || globs.some((glob) => glob.test(name));
}
