import { findProblem } from '../../catalog/registry.js';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { escapeLines, printJson } from '../../core/printable.js';
import { MAX_CHARS_OF_DISTINCT_ANSWERS, MAX_DISTINCT_ANSWERS } from '../../engine/chunk-statistics.js';
import { openAnswers, openSource } from '../../engine/input/read.js';
import { type Source, stoppablePieces } from '../../engine/input/source.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { LocalPool } from '../../engine/local-pool.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { filesOfReports, type ReportFile, withReportFiles } from '../../engine/output/report-file.js';
import type { StatisticsJob } from '../../engine/output-settings.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput as runEngine } from '../../engine/run.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import type { Problem } from '../../problems/problem.js';
import { InputStatistics, type StatisticsLimits } from '../../tools/stats/input-statistics.js';
import {
  type FileStats,
  type ReportSubject,
  readableAnswers,
  type StatsReport,
  toInputStats,
} from '../../tools/stats/report.js';
import { statsSectionsOf } from '../../tools/stats/sections.js';
import { StatisticsSink } from '../../tools/stats/statistics-sink.js';
import { formatStatsReport, statsTitleOf } from '../../tools/stats/text.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';

import { EXIT_CODE, notePrinter, printError, printMessage, reportError } from '../exit.js';
import { exitCodeOfFailures } from '../file-failures.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { withOpenSource } from '../inputs/with-input.js';
import { runWithSignals } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { localeHasUtf8, standardOutputWidth } from '../status/standard-output.js';
import { withDispatcher } from '../with-dispatcher.js';

/**
 * The number of different cases that `stats` remembers to find equal cases. Their hashes take up to 32 MiB. Any further case is
 * only compared with the remembered ones.
 */
const MAX_REMEMBERED_CASES = 3_000_000;

const EPILOGUE = [
  'A case is equal to another one if both are the same in canonical layout. With --symmetries, stats also counts boards that ' +
    'are equal up to changes which keep the answer, such as mirroring, which takes longer. It remembers the first ' +
    `${MAX_REMEMBERED_CASES / 1e6} million different cases, and says "at least" if there are more.`,
  'If the problem has a solver, stats solves all cases, and if the solver computes nimbers, it counts them, too. The answers of a problem without a solver, and of a problem for which ' +
    '--expected is given, come from that file; otherwise they are left out.',
  'Of an input with an error, the cases before the error are counted. Then the exit code is 3. It is 1 if the file of ' +
    '--expected has not exactly one answer to each case.',
].join('\n\n');

const LIMITS: StatisticsLimits = {
  maxKeys: MAX_DISTINCT_ANSWERS,
  maxChars: MAX_CHARS_OF_DISTINCT_ANSWERS,
  maxRememberedCases: MAX_REMEMBERED_CASES,
};

const { timeout, progress, quiet } = SOLVING_OPTIONS;

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
  options: {
    expected: row.fileOption('file with the answers to the only input; the cases are not solved then'),
    symmetries: row.flagOption('also count the boards that are equal up to changes which keep the answer'),
    json: row.flagOption('print JSON, with the totals over all inputs and with each input by itself'),
    html: row.fileOption('file for a web page with the report as plots'),
    force: row.forceOption(),
    jobs: row.THREADS_OPTION,
    timeout,
    progress,
    quiet,
    ...GRAMMAR_OPTIONS,
    answers: { ...GRAMMAR_OPTIONS.answers, needs: 'expected' },
  },
  examples: [
    ['boardmill stats bt big.in', 'show the sizes, densities, sets and answers of the cases'],
    ['boardmill stats zu data/secret --json', 'print the statistics of all inputs in a folder as JSON'],
    ['boardmill stats ./sums.mjs t.in --expected t.ans', 'take the answers from a file'],
  ],
  notes: EPILOGUE,
} satisfies CommandSyntax;

/** The options of `stats` after they were checked. */
interface StatsPlan {
  readonly problem: Problem;
  readonly subject: ReportSubject;
  readonly jobs: number;
  readonly timeoutSeconds: number | null;
  readonly files: readonly string[];
  readonly answers: string | null;
  readonly isBarShown: boolean;
}

/** The statistics of all inputs read so far, and the errors of inputs. */
interface Progress {
  readonly total: InputStatistics;
  readonly files: FileStats[];
  readonly failures: BoardmillError[];
}

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const chosen = await openProblemArgument(args);
  const { files, unusableInputs } = await expandInputs(args.inputs);
  const reports = { html: { path: args.html, kind: 'report', role: '--html' } } as const;
  const plan = planStats(args, chosen.problem, files);
  assertDistinctFiles({
    reads: [
      ...chosen.paths.map((path) => ({ path, role: 'problem' })),
      ...files.map((path) => ({ path, role: 'input' })),
      ...(plan.answers === null ? [] : [{ path: plan.answers, role: 'answers' }]),
    ],
    writes: filesOfReports(reports),
  });
  const total = new InputStatistics(plan.subject, LIMITS);
  const state: Progress = { total, files: [], failures: [...unusableInputs] };
  await withReportFiles(reports, args.force, async ({ html }) => {
    for (const error of unusableInputs) reportError(error);
    await readFiles(plan, state);
    if (hasNothingToReport(state)) await html?.discard();
    else await printReport(plan, state, args.json, html);
  });
  return exitCodeOfFailures(state.failures, hasUnfitAnswers(state) ? EXIT_CODE.differs : EXIT_CODE.ok);
}

/** Whether the file of `--expected` has not exactly one good answer to each case. */
function hasUnfitAnswers({ files }: Progress): boolean {
  return files.some(
    ({ missingAnswers, malformedAnswers, surplusAnswers }) =>
      missingAnswers + malformedAnswers + surplusAnswers > 0,
  );
}

/** Whether no input could be read up to its first case. An input without cases is no error, and is reported. */
function hasNothingToReport({ total, files }: Progress): boolean {
  return total.cases === 0 && files.every(({ error }) => error !== null);
}

function planStats(
  args: CommandLineValues<typeof syntax>,
  problem: Problem,
  files: readonly string[],
): StatsPlan {
  const { expected: answers } = args;
  if (answers !== null && files.length !== 1)
    throw usageError(`--expected takes one input, got ${files.length}`);
  if (args.symmetries && problem.cases.symmetries === undefined)
    throw usageError(
      `--symmetries is for boards with symmetries that keep the answer; ${problem.name} has none`,
    );
  if (answers === '-' && files[0] === '-')
    throw usageError('the input and --expected cannot both be standard input');
  return {
    problem,
    subject: describeSubject(problem, answers !== null, args.symmetries),
    jobs: limitJobs(args.jobs, notePrinter(args.quiet)),
    timeoutSeconds: args.timeout,
    files,
    answers,
    isBarShown: isBarWanted(args),
  };
}

function describeSubject(problem: Problem, hasFile: boolean, findsSymmetricCases: boolean): ReportSubject {
  const { name, contest, cases, solvers, reference, hasNimbers } = problem;
  const answersFrom = hasFile ? 'file' : solvers !== null ? 'solver' : null;
  return {
    problem: name,
    numbers: problem.cases.createMeasure().numbers,
    sets: Object.keys(contest?.data.sets ?? {}),
    findsSymmetricCases,
    symmetry: cases.symmetries?.description ?? null,
    densityOf: reference.kind === 'built-in' ? (findProblem(name)?.whatDensityCounts ?? null) : null,
    contestCases: contest?.data.cases ?? null,
    hasAnswers: answersFrom !== null,
    hasNimbers: answersFrom === 'solver' && hasNimbers === true,
    answersFrom,
  };
}

/** Counts the cases of all files with one pool of workers. If a file has an error, counting continues with the next file. */
async function readFiles(plan: StatsPlan, state: Progress): Promise<void> {
  const { jobs, timeoutSeconds, isBarShown } = plan;
  const { answersFrom, findsSymmetricCases } = plan.subject;
  const job: StatisticsJob = { kind: 'statistics', solves: answersFrom === 'solver', findsSymmetricCases };
  const pool = LocalPool.of(plan.problem, { solver: 'auto', job }, { jobs, timeoutSeconds });
  const tally = new RunTally();
  await runWithSignals('finishing the cases that are being solved', printMessage, ({ stop, giveUp }) =>
    withDispatcher(pool, { giveUp, tally, isBarShown }, async () => {
      for (const file of plan.files) await readFile(file, plan, state, pool, tally, stop);
    }),
  );
}

async function readFile(
  file: string,
  plan: StatsPlan,
  state: Progress,
  pool: LocalPool,
  tally: RunTally,
  stop: AbortSignal,
): Promise<void> {
  // The statistics of a single file are also those of all files. One object serves for both, so cases are remembered once.
  const statistics = plan.files.length === 1 ? state.total : new InputStatistics(plan.subject, LIMITS);
  const receivers = statistics === state.total ? [statistics] : [statistics, state.total];
  const opened = await openSources(file, plan.answers, state);
  if (opened === null) return;
  const { source, answers } = opened;
  if (plan.files.length === 1) tally.inputBytes = source.size;
  const sink = new StatisticsSink(receivers, plan.problem, answers && stoppablePieces(answers, stop));
  const error = await readSource(source, sink, plan, pool, tally, stop);
  await answers?.close();
  if (error !== null) reportOwnError(error, state);
  state.files.push({
    file: source.name,
    ...toInputStats(statistics, plan.subject),
    surplusAnswers: sink.surplusAnswers,
    error: error instanceof Error ? error.message : null,
  });
}

/** Opens an input and the file with its answers. If a file cannot be opened, reports that and returns null. */
async function openSources(
  file: string,
  answerFile: string | null,
  state: Progress,
): Promise<{ readonly source: Source; readonly answers: Source | null } | null> {
  let source: Source | null = null;
  try {
    source = await openSource(file);
    return { source, answers: answerFile === null ? null : await openAnswers(answerFile) };
  } catch (error) {
    await source?.close();
    reportOwnError(error, state);
    return null;
  }
}

/** Counts the cases of one input. Returns the error because of which counting stopped early; null if there was none. */
async function readSource(
  source: Source,
  sink: StatisticsSink,
  { problem }: StatsPlan,
  pool: LocalPool,
  tally: RunTally,
  stop: AbortSignal,
): Promise<unknown> {
  const options = { problem, settings: PLAIN_SETTINGS, warn: printError, note: printMessage, stop };
  const statistics = () => writeAndFinishSink(sink, () => runEngine(source, sink, pool, options, tally));
  try {
    await withOpenSource(source, problem, stop, statistics);
    return null;
  } catch (error) {
    return error;
  }
}

/** Reports an error that concerns one input. Throws any other error, which ends the command. */
function reportOwnError(error: unknown, { failures }: Progress): void {
  const isOfInput =
    error instanceof BoardmillError && !(error instanceof Interrupted) && error.kind !== 'usage';
  if (!isOfInput) throw error;
  reportError(error);
  failures.push(error);
}

async function printReport(
  { subject }: StatsPlan,
  { total, files }: Progress,
  isJson: boolean,
  html: ReportFile | undefined,
): Promise<void> {
  const { problem, answersFrom, contestCases } = subject;
  const report: StatsReport = { problem, answersFrom, contestCases, ...toInputStats(total, subject), files };
  const sections = statsSectionsOf(report, readableAnswers(total));
  const title = statsTitleOf(report);
  if (html !== undefined) {
    const { statsReportToHtml: toHtml } = await import('../../tools/stats/html.js');
    await html.write(toHtml(report, title, sections));
  }
  const layout = { width: standardOutputWidth(), hasBlocks: localeHasUtf8(process.env) };
  const text = isJson
    ? `${printJson(report, 2)}\n`
    : escapeLines(formatStatsReport(title, sections, report.cases, layout));
  await streamSink(process.stdout).write(Buffer.from(text), null);
}
