/** `boardmill bench`: measures throughput, shows where the time goes, and compares speed and answers of programs. */

import { rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import { formatCommandLine } from '../../core/command-line.js';
import { makeTemporaryFolder } from '../../core/files/files.js';
import { escapeLines, escapeUnprintable } from '../../core/printable.js';
import { version } from '../../core/version.js';
import type { ComparisonCancellation } from '../../engine/comparators.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import {
  filesOfReports,
  type ReportFiles,
  type WantedReport,
  withReportFiles,
} from '../../engine/output/report-file.js';
import { SOLVER_CHOICES, type SolverChoice } from '../../problems/problem.js';
import { benchReportToJson, benchReportToMarkdown } from '../../tools/bench/export.js';
import { describeBenchSetup, describeCoordinator, formatSeconds } from '../../tools/bench/numbers.js';
import type { CommandSummary } from '../../tools/bench/race.js';
import type { BenchReport } from '../../tools/bench/report.js';
import {
  type BenchRequest,
  type RaceProgress,
  RUNS_FOR_CONFIDENCE_INTERVAL,
  runBench,
} from '../../tools/bench/run-bench.js';
import { BENCH_SLOWEST_CASES } from '../../tools/bench/slowest.js';
import { fitTable, shortenText, stageTable, summaryTable, wrapText } from '../../tools/bench/tables.js';
import { comparesTokens, openComparator } from '../../tools/compare/comparator.js';
import { ANSWER_COMPARISON_OPTIONS, prepareAnswerComparison } from '../arguments/answer-options.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { assertKernelAvailable, noSolverError } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';
import { parseListOf, parserOfCountsFrom } from '../arguments/values.js';
import { EXIT_CODE, notePrinter, printError, printMessage } from '../exit.js';
import { assertNotProgramFile } from '../inputs/program-file.js';
import { runWithSignals } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { clearStatus, showStatus, writeAboveStatus } from '../status/terminal.js';

const DEFAULT_WARMUP = 1;

export const syntax = {
  arguments: {
    problem: row.PROBLEM_ARGUMENT,
    input: row.optionalArgument(
      'input file; - is standard input (default: bench generates an input that takes a few seconds)',
    ),
  },
  options: {
    jobs: row.valueOption(
      parseListOf(parserOfCountsFrom(1)),
      'numbers of worker threads to compare, such as 1,2,4 (default: the powers of two up to the number of processors, and that number)',
      { alias: 'j', value: 'LIST' },
    ),
    solver: row.valueOption(
      parseListOf(parseSolver),
      'solvers to compare: a list of auto, simd and portable, such as simd,portable (default: auto)',
      { listOf: SOLVER_CHOICES },
    ),
    exec: row.namedProgramOption(
      'measure boardmill with this program as its solver, as with `solve --exec`',
      {
        excludes: ['solver'],
      },
    ),
    vs: row.repeatableOption(
      row.programOption(
        'another program to compare with: it reads the same input on standard input; may be given several times',
      ),
    ),
    runs: row.optionWithDefault(
      RUNS_FOR_CONFIDENCE_INTERVAL,
      row.countOption(
        1,
        `number of measured runs of each program (default: ${RUNS_FOR_CONFIDENCE_INTERVAL})`,
      ),
    ),
    warmup: row.optionWithDefault(
      DEFAULT_WARMUP,
      row.countOption(
        0,
        `number of warm-up runs of each program before the measured runs (default: ${DEFAULT_WARMUP})`,
      ),
    ),
    ...row.optionGroup('Reports', {
      details: row.flagOption(
        'also show where the time goes: the stages of a run of boardmill, and what its coordinator needs',
      ),
      'export-json': row.fileOption('file for all results as JSON; it has the fields of hyperfine, and more'),
      'export-markdown': row.fileOption('file for the summary as a Markdown table'),
      'export-slowest': row.fileOption(
        `file for a new input with the ${BENCH_SLOWEST_CASES} slowest cases; bench solves each case alone to time it`,
      ),
      html: row.fileOption('file for a web page with the results as tables and plots'),
      force: row.forceOption(),
    }),
    quiet: row.QUIET_OPTION,
    ...ANSWER_COMPARISON_OPTIONS,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill bench bt', 'measure the throughput with several numbers of workers'],
    [
      'boardmill bench zu big.in --jobs 1,2 --solver simd,portable --vs ./mine',
      'compare four settings of boardmill with the program ./mine',
    ],
    ['boardmill bench darkraft big.in --export-slowest slow.in', 'write the slowest cases to slow.in'],
  ],
  notes:
    'bench measures whole processes, from start to exit. In each round every program runs once; the order is reversed after each round (A B B A ...). The column "speed" compares a program with the first one: it is the median of the ratios of all rounds, with its 95 % confidence interval, for which six runs or more are needed. The exit code is 1 if a program answers differently; --tolerance and --checker say which answers agree.',
} satisfies CommandSyntax;

type BenchArguments = CommandLineValues<typeof syntax>;

/** The command line of `boardmill bench` after it was parsed and checked. */
type BenchPlan = Pick<
  BenchRequest,
  | 'problem'
  | 'input'
  | 'jobs'
  | 'solvers'
  | 'program'
  | 'otherPrograms'
  | 'openComparator'
  | 'runs'
  | 'warmup'
  | 'casesToTime'
> & {
  readonly exports: Exports;
  readonly force: boolean;
  readonly quiet: boolean;
  readonly details: boolean;
};

type ExportName = 'json' | 'markdown' | 'slowest' | 'html';
type Exports = Readonly<Record<ExportName, WantedReport>>;

export async function run(args: BenchArguments): Promise<number> {
  const plan = await parsePlan(args);
  // The report files are opened before the measurement, so that a wrong path is found at once.
  return withReportFiles(plan.exports, plan.force, (files) => measureAndReport(plan, files));
}

/** Measures, prints the report, writes the report files, and returns the exit code. */
async function measureAndReport(plan: BenchPlan, files: ReportFiles<ExportName>): Promise<number> {
  const folder = makeTemporaryFolder(join(tmpdir(), 'boardmill-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A second signal ends the process at once, so the folder must also be removed when the process exits.
  process.on('exit', remove);
  const printNote = notePrinter(plan.quiet);
  const display = createRunDisplay(plan);
  const common = { folder, version: version(), printNote, printError, onRun: display.show };
  try {
    const { report, slowest } = await runWithSignals(
      'ending the run that is being measured',
      printNote,
      (signals) => runBench({ ...plan, ...common, ...signals }),
    ).catch((error) => {
      display.keepLastTable();
      throw error;
    });
    process.stdout.write(escapeLines(formatReport(report, plan.details)));
    await writeExports(report, slowest, files);
    return report.summaries.some(({ difference }) => difference !== null) ? EXIT_CODE.differs : EXIT_CODE.ok;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function parsePlan(args: BenchArguments): Promise<BenchPlan> {
  const chosen = await openProblemArgument(args);
  const { problem } = chosen;
  if (args.input !== null) assertNotProgramFile(args.input, 'an input');
  const exports: Exports = {
    json: { path: args.exportJson, kind: 'report', role: '--export-json' },
    markdown: { path: args.exportMarkdown, kind: 'report', role: '--export-markdown' },
    slowest: { path: args.exportSlowest, kind: 'slowest cases', role: '--export-slowest' },
    html: { path: args.html, kind: 'report', role: '--html' },
  };
  if (args.exec !== null && args.exportSlowest !== null)
    throw usageError(
      '--export-slowest cannot be used with --exec: bench does not know the times of single cases',
    );
  const program = args.exec === null ? null : { commandLine: args.exec.name, argv: args.exec.argv };
  if (program === null && problem.solvers === null) throw noSolverError(problem);
  const solvers = args.solver ?? ['auto' as const];
  const answerOptions = await prepareAnswerComparison(args, problem);
  const jobs = chooseJobs(args);
  const plan = {
    input: args.input,
    jobs,
    solvers,
    program,
    otherPrograms: args.vs.map((argv) => ({
      label: escapeUnprintable(formatCommandLine(argv)),
      argv,
      setting: null,
    })),
    openComparator: comparesTokens(problem, answerOptions)
      ? null
      : (limits: ComparisonCancellation) => openComparator(problem, answerOptions, Math.max(...jobs), limits),
    runs: args.runs,
    warmup: args.warmup,
    casesToTime: program === null ? chooseCasesToTime(args) : ('none' as const),
    exports,
    force: args.force,
    quiet: args.quiet,
    details: args.details,
  };
  await assertFilesDistinct(plan, answerOptions.paths);
  if (solvers.includes('simd')) assertKernelAvailable(problem);
  return { ...plan, problem };
}

/** Returns the numbers of workers to compare. Numbers that have the same effect on this machine are compared only once. */
function chooseJobs({ jobs, quiet }: BenchArguments): number[] {
  if (jobs === null) return defaultJobs();
  return [...new Set(jobs.map((count) => limitJobs(count, notePrinter(quiet))))];
}

/** Fails if a file has two roles, for example if a report file would overwrite the input. */
async function assertFilesDistinct(
  {
    input,
    otherPrograms,
    exports,
    program,
  }: Pick<BenchPlan, 'input' | 'otherPrograms' | 'exports' | 'program'>,
  checkerPaths: readonly string[],
): Promise<void> {
  const measured = [...otherPrograms, ...(program === null ? [] : [program])];
  const programs = await Promise.all(measured.map(({ argv }) => ProgramFiles.find(argv)));
  const paths = programs.flatMap((files) => files.paths);
  assertDistinctFiles({
    reads: [
      ...(input === null ? [] : [{ path: input, role: 'input' }]),
      ...[...paths, ...checkerPaths].map((path) => ({ path, role: 'part of a program' })),
    ],
    writes: filesOfReports(exports),
  });
}

/** Returns the powers of two below the number of processors, and the number of processors. */
function defaultJobs(): number[] {
  const processors = availableParallelism();
  const jobs: number[] = [];
  for (let count = 1; count < processors; count *= 2) jobs.push(count);
  return [...jobs, processors];
}

function parseSolver(word: string, option: string): SolverChoice {
  const solver = SOLVER_CHOICES.find((each) => each === word);
  if (solver !== undefined) return solver;
  throw usageError(`${option} needs a list of ${SOLVER_CHOICES.join(', ')}, got "${word}"`);
}

/**
 * Chooses the cases whose times are measured one by one. To find the slowest cases, all cases must be measured. For the
 * distribution of times in the web page, some cases are enough.
 */
function chooseCasesToTime({ exportSlowest, html }: BenchArguments): BenchRequest['casesToTime'] {
  if (exportSlowest !== null) return 'all';
  return html === null ? 'none' : 'some';
}

/** Shows each run while the programs are measured. */
interface RunDisplay {
  /** Shows the run that has just ended. */
  show(progress: RaceProgress): void;
  /** Leaves the last table on the terminal. Called if the measurement fails or a signal stops it. */
  keepLastTable(): void;
}

/** On a terminal, shows a table that is redrawn after each run. Otherwise prints one line for each run. */
function createRunDisplay({ quiet, runs }: BenchPlan): RunDisplay {
  if (isBarWanted({ quiet, progress: true })) return tableDisplay(runs);
  return {
    show: (progress) => {
      if (!quiet) printMessage(describeLastRun(progress, runs, Number.POSITIVE_INFINITY));
    },
    keepLastTable: () => {},
  };
}

function tableDisplay(runs: number): RunDisplay {
  let summaries: readonly CommandSummary[] | null = null;
  return {
    show(progress) {
      summaries = progress.summaries;
      if (progress.isOver) clearStatus();
      else showStatus((columns) => linesDuringRace(progress, runs, columns));
    },
    keepLastTable() {
      clearStatus();
      if (summaries !== null)
        writeAboveStatus(fitTable(...summaryTable(summaries), terminalWidth(process.stderr)).join('\n'));
    },
  };
}

/**
 * Returns the columns and lines of the summary that fit on the terminal, and a line about the last run below them.
 */
function linesDuringRace(progress: RaceProgress, runs: number, width: number): string[] {
  const [table] = progress.summaries === null ? [''] : fitTable(...summaryTable(progress.summaries), width);
  // The table gets two lines less than the terminal has. The other two are for the line about the last run and for the cursor.
  const maxTableLines = (process.stderr.rows || DEFAULT_HEIGHT) - 2;
  return [...table.split('\n').slice(0, -1).slice(0, maxTableLines), describeLastRun(progress, runs, width)];
}

/**
 * Describes the last run on one line of at most `width` characters. The name of the program is shortened if
 * necessary.
 */
function describeLastRun({ lastCommand, round }: RaceProgress, runs: number, width: number): string {
  const turn = round < 0 ? 'warm-up: ' : `round ${round + 1} of ${runs}: `;
  const seconds = round < 0 ? undefined : lastCommand.runs.at(-1)?.seconds;
  const time = seconds === undefined ? '' : `: ${formatSeconds(seconds)}`;
  return `${turn}${shortenText(lastCommand.measuredCommand.label, width - turn.length - time.length)}${time}`;
}

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;
const DEFAULT_HEIGHT = 24;

/** Returns the length of a line on the terminal of the stream. A stream without a size counts as 80 columns wide. */
function terminalWidth({ columns }: WriteStream): number {
  return Math.max(MIN_WIDTH, columns || DEFAULT_WIDTH);
}

const STAGES_EXPLANATION =
  'Where time goes, measured in a separate run of each setting. wall is the duration of the run. read, scan and ' +
  'wait are times of the coordinator: it reads the input, scans it for chunks, and waits for workers. parse, solve, ' +
  'print, dispatch, merge and write are sums over all chunks; chunks overlap, so a sum may exceed wall. workers and ' +
  'coordinator are the shares of the time in which they were busy. efficiency is the speed-up over one worker, divided ' +
  'by the number of workers.';

function formatReport(report: BenchReport, hasDetails: boolean): string {
  const width = terminalWidth(process.stdout);
  const comparison = [
    wrapText(describeBenchSetup(report), width),
    ...fitTable(...summaryTable(report.summaries), width),
  ];
  if (!hasDetails) return comparison.join('\n');
  return [
    ...comparison,
    wrapText(STAGES_EXPLANATION, width),
    ...fitTable(...stageTable(report), width),
    wrapText(describeCoordinator(report), width),
  ].join('\n');
}

async function writeExports(
  report: BenchReport,
  slowest: Uint8Array | null,
  files: ReportFiles<ExportName>,
): Promise<void> {
  await files.json?.write(benchReportToJson(report));
  await files.markdown?.write(benchReportToMarkdown(report));
  await files.slowest?.write(slowest as Uint8Array);
  if (files.html === undefined) return;
  // Loaded only here, because the plotting library takes longer to load than all other modules together.
  const { benchReportToHtml: toHtml } = await import('../../tools/bench/html.js');
  await files.html.write(toHtml(report));
}
