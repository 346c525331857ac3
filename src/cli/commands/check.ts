/**
 * `boardmill check`: solves an input and compares an answer file with the right answers, case by case. Given a folder, it does
 * so for every input in the folder.
 */

import { existsSync } from 'node:fs';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { fileKindOf } from '../../core/files/files.js';
import { ANSWER_ENDING, pathWithoutEndings } from '../../engine/input/file-names.js';
import { failuresAmong, processFiles } from '../../engine/input/process-files.js';
import { openAnswers, openRegularSource } from '../../engine/input/read.js';
import { assertDistinctFiles, type UsedFile } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { filesOfReports, type ReportFile, withReportFiles } from '../../engine/output/report-file.js';
import type { SolveRequest } from '../../library/solve-request.js';
import type { AnswerComparisonOptions } from '../../tools/compare/comparator.js';
import type { AnswerDifference } from '../../tools/compare/compare.js';
import {
  annotationOfAnswerDifference,
  annotationOfFailure,
  type CheckedFiles,
  comparisonsToJUnit,
  comparisonToJson,
  comparisonTotalsOf,
  describeAnswerDifference,
  type FileComparison,
  FolderReport,
  formatComparisonSummary,
  formatComparisonTotals,
  formatJson,
} from '../../tools/compare/report.js';
import {
  ANSWER_COMPARISON_NAMES,
  ANSWER_COMPARISON_OPTIONS,
  prepareAnswerComparison,
} from '../arguments/answer-options.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import * as row from '../arguments/rows.js';
import { prepareSolving, SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, notePrinter, reportError } from '../exit.js';
import { exitCodeOfFailures, reportFileFailure, throwUnreported } from '../file-failures.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { assertNotProgramFile } from '../inputs/program-file.js';
import { isBarWanted } from '../status/progress.js';
import { printAboveStatus } from '../status/terminal.js';
import { type CompareAnswerFiles, withComparer } from './check-files.js';

const DEFAULT_MAX_DIFFERENCES = 10;

export const syntax = {
  arguments: {
    problem: row.PROBLEM_ARGUMENT,
    input: row.requiredArgument(
      'file with the test cases, or - for standard input; or a folder: every NAME.in in it is compared with its NAME.ans',
    ),
    'answer-file': row.optionalArgument(
      'file with the answers to check; - is standard input; missing if <input> is a folder',
    ),
  },
  options: {
    exact: row.flagOption(
      'compare byte by byte; the default is to compare tokens, ignoring whitespace and line ends',
      {
        excludes: ANSWER_COMPARISON_NAMES,
      },
    ),
    max: row.countOption(
      0,
      `number of differences to show (default: ${DEFAULT_MAX_DIFFERENCES}; of each file of a folder: 0)`,
    ),
    json: row.flagOption('print the differences as JSON'),
    junit: row.JUNIT_OPTION,
    annotations: row.ANNOTATIONS_OPTION,
    force: row.forceOption(),
    ...ANSWER_COMPARISON_OPTIONS,
    ...SOLVING_OPTIONS,
    timeout: {
      ...SOLVING_OPTIONS.timeout,
      describe:
        'time limit for each test case, such as 5 (seconds) or 500ms (default: none; 10 s for a checker and for `equal` of a module)',
    },
  },
  examples: [
    ['boardmill check darkraft big.in big.ans', 'check the answers in big.ans'],
    ['boardmill check darkraft data', 'check data/1.ans as the answers to data/1.in, and so on'],
    ["boardmill check zu t.in mine.ans --exec './brute'", 'take the right answers from the program ./brute'],
  ],
} satisfies CommandSyntax;

type CheckArguments = CommandLineValues<typeof syntax>;

export async function run(args: CheckArguments): Promise<number> {
  if (args.input === '-' && args.answerFile === '-')
    throw usageError('<input> and <answer-file> cannot both be standard input');
  if (args.answerFile === null && !(await isFolder(args.input)))
    throw usageError('missing argument <answer-file>');
  if (args.answerFile !== null) assertNotProgramFile(args.answerFile, 'an answer file');
  const solving = await prepareSolving(args, notePrinter(args.quiet));
  const answerOptions = await prepareAnswerComparison(args, solving.problem);
  const isOfFolder = args.answerFile === null;
  const max = args.max ?? (isOfFolder && args.annotations === null ? 0 : DEFAULT_MAX_DIFFERENCES);
  const reports = filesOfCheck(args);
  return withReportFiles(reports, args.force, ({ junit }) =>
    (isOfFolder ? checkFolder : checkFile)({ args, solving, answerOptions, max, junit }),
  );
}

function filesOfCheck({ junit }: Pick<CheckArguments, 'junit'>) {
  return { junit: { path: junit, kind: 'report' as const, role: '--junit' } };
}

/** What is to be compared, and how the result is reported. */
interface CheckPlan {
  readonly args: CheckArguments;
  readonly solving: SolveRequest;
  readonly answerOptions: AnswerComparisonOptions;
  /** Largest number of differences of a file that are shown. */
  readonly max: number;
  /** The file for JUnit XML, which describes some differences of each file, whatever is shown. */
  readonly junit: ReportFile | undefined;
}

function keptDifferences({ max, junit }: CheckPlan): number {
  return junit === undefined ? max : Math.max(max, DEFAULT_MAX_DIFFERENCES);
}

async function isFolder(path: string): Promise<boolean> {
  return path !== '-' && (await fileKindOf(path, 'open').catch(() => null)) === 'directory';
}

/** Compares one answer file. Prints each difference as soon as it is found. */
async function checkFile(plan: CheckPlan): Promise<number> {
  const { args, solving, answerOptions, max, junit } = plan;
  const pair = { input: args.input, answers: args.answerFile as string };
  assertDistinctFiles({
    reads: readsOf([pair], solving, answerOptions),
    writes: filesOfReports(filesOfCheck(args)),
  });
  const differences: AnswerDifference[] = [];
  const { problem } = solving;
  const style = { answerFormat: problem.answerFormat, exact: args.exact };
  const describe = args.annotations === null ? describeAnswerDifference : annotationOfAnswerDifference;
  const print = openPrinter();
  const kept = keptDifferences(plan);
  const settings = { ...args, inputs: [pair], isBarShown: isBarWanted(args), max: kept, openAnswers };
  const comparing = withComparer(solving, answerOptions, settings, (compare) =>
    compare(pair, async (difference, answers) => {
      if (differences.push(difference) <= max && !args.json)
        await print(describe(difference, answers, style));
    }),
  );
  const comparison = await comparing.catch(async (failure: unknown) => {
    if (!(failure instanceof Interrupted)) {
      await junit?.write(comparisonsToJUnit(problem.name, [[pair, { failure }]], style));
      if (args.annotations !== null && failure instanceof BoardmillError)
        await print(annotationOfFailure(failure, pair.input));
    }
    throw failure;
  });
  const ending = { result: { comparison, differences } };
  await junit?.write(comparisonsToJUnit(problem.name, [[pair, ending]], style));
  await print(
    args.json
      ? formatJson({ problem: problem.name, ...comparisonToJson(comparison, differences.slice(0, max)) })
      : formatComparisonSummary(comparison, max),
  );
  return comparison.isSame ? EXIT_CODE.ok : EXIT_CODE.differs;
}

/** Compares the answers to every input in a folder. Prints a line for each input that was compared. */
async function checkFolder(plan: CheckPlan): Promise<number> {
  const { args, solving, answerOptions, max, junit } = plan;
  const { files, unusableInputs } = await expandInputs([args.input]);
  const pairs = files.map((input) => ({ input, answers: pathWithoutEndings(input) + ANSWER_ENDING }));
  assertDistinctFiles({
    reads: readsOf(pairs, solving, answerOptions),
    writes: filesOfReports(filesOfCheck(args)),
  });
  for (const error of unusableInputs) reportError(error);
  const { problem, jobs } = solving;
  const print = openPrinter();
  const style = { answerFormat: problem.answerFormat, exact: args.exact };
  const report = new FolderReport(style, max, args.annotations !== null);
  const common = { ...args, isBarShown: isBarWanted(args), max: keptDifferences(plan) };
  const settings = { ...common, inputs: pairs, openAnswers: openRegularSource };
  const endings = await withComparer(solving, answerOptions, settings, (compare, stop) =>
    processFiles(pairs, jobs, stop, checkPair.bind(null, compare), async (pair, ending) => {
      if ('failure' in ending) reportFileFailure(ending.failure);
      if ('failure' in ending && ending.failure instanceof Interrupted) return;
      if (!args.json) await print(report.linesOf(pair, ending));
    }),
  );
  const failures: readonly unknown[] = [...unusableInputs, ...failuresAmong(endings)];
  throwUnreported(failures);
  const unread = unusableInputs.map(
    (failure) => [{ input: failure.message, answers: '' }, { failure }] as const,
  );
  const compared = pairs.map((pair, index) => [pair, endings[index]] as const);
  await junit?.write(comparisonsToJUnit(problem.name, [...compared, ...unread], style));
  const totals = comparisonTotalsOf(endings, failures.length);
  await print(
    args.json
      ? formatJson({
          problem: problem.name,
          ...totals,
          files: [
            ...pairs.map((pair, i) => report.fileToJson(pair, endings[i])),
            ...unusableInputs.map(({ kind, message }) => ({ error: { kind, message } })),
          ],
        })
      : formatComparisonTotals(totals),
  );
  return exitCodeOfFailures(failures, totals.agree ? EXIT_CODE.ok : EXIT_CODE.differs);
}

/** Compares the answers to one input of a folder. Keeps the differences until the inputs before it are reported. */
async function checkPair(compare: CompareAnswerFiles, pair: CheckedFiles): Promise<FileComparison> {
  if (!existsSync(pair.answers))
    throw new BoardmillError('file', `${pair.input} has no answer file: ${pair.answers} does not exist`);
  const differences: AnswerDifference[] = [];
  const comparison = await compare(pair, async (difference) => void differences.push(difference));
  return { comparison, differences };
}

/** Returns all files that the command reads. */
function readsOf(
  pairs: readonly CheckedFiles[],
  { opened }: SolveRequest,
  { paths }: AnswerComparisonOptions,
): UsedFile[] {
  return [
    ...[...opened.paths, ...paths].map((path) => ({ path, role: 'problem or checker' })),
    ...pairs.flatMap(({ input, answers }) => [
      { path: input, role: 'input' },
      { path: answers, role: 'answers to check' },
    ]),
  ];
}

/** Returns a function that prints on standard output. If that is the terminal with the progress bar, the bar moves down. */
function openPrinter(): (text: string) => Promise<void> {
  const stdout = streamSink(process.stdout);
  const write = (text: string) => stdout.write(Buffer.from(text), null);
  return (text) => (process.stdout.isTTY ? printAboveStatus(() => write(text)) : write(text));
}
