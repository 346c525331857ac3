/** `boardmill bench`: throughput, what stands in its way, and whether a faster program is also right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import type { Argv } from 'yargs';
import type { Contender } from '../../bench/contender.js';
import { toJson, toMarkdown } from '../../bench/export.js';
import type { Summary } from '../../bench/race.js';
import type { Report } from '../../bench/report.js';
import { type BenchRequest, ENOUGH_RUNS, type RaceProgress, runBench } from '../../bench/run-bench.js';
import {
  describeCoordinator,
  describeRun,
  fitTable,
  formatSeconds,
  STAGE_HEADINGS,
  SUMMARY_HEADINGS,
  shorten,
  stageRows,
  summaryRow,
  wrapText,
} from '../../bench/tables.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { BENCH_SLOWEST_CASES } from '../../engine/limits.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import type { SolverChoice } from '../../problems/problem.js';
import {
  asList,
  parseCountOption,
  parseFileOption,
  parseJobs,
  parseList,
  parseProblem,
  usageError,
} from '../arguments/parse-options.js';
import { parseProgram, quoteWords } from '../arguments/parse-program.js';
import { requireKernel } from '../arguments/solving-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage } from '../exit.js';
import { openReport, type ReportFile } from '../report-file.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { clearStatus, showStatus, writeAbove } from '../status/terminal.js';
import { version } from '../version.js';

/** The words of `boardmill bench`. */
export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', {
      type: 'string',
      describe:
        'a file, or - for standard input (default: bench generates an input that takes a few seconds)',
    })
    .options({
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe:
          'numbers of worker threads to compare, such as 1,2,4 (default: 1, 2, 4, ... up to the number of processors)',
      },
      solver: {
        type: 'string',
        requiresArg: true,
        describe: 'solvers to compare: a list of auto, simd, portable (default: auto)',
      },
      vs: {
        type: 'string',
        requiresArg: true,
        describe:
          'another program to compare with, which gets the same input on standard input; may be given several times',
      },
      runs: {
        type: 'string',
        requiresArg: true,
        describe: `number of measured runs of each command (default: ${ENOUGH_RUNS})`,
      },
      warmup: {
        type: 'string',
        requiresArg: true,
        describe: `number of runs of each command before the measured ones (default: ${WARMUP})`,
      },
      'export-json': {
        type: 'string',
        requiresArg: true,
        describe: "file for all results as JSON, with the fields of hyperfine's and more",
      },
      'export-markdown': {
        type: 'string',
        requiresArg: true,
        describe: 'file for the summary as a Markdown table',
      },
      'export-slowest': {
        type: 'string',
        requiresArg: true,
        describe: `file for the ${BENCH_SLOWEST_CASES} slowest cases, as an input of their own; each case is timed alone`,
      },
      html: { type: 'string', requiresArg: true, describe: 'file for a report with plots, as a web page' },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite files that boardmill did not write',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'print nothing but errors on standard error',
      },
    })
    .epilogue(
      describeExamples([
        ['boardmill bench bt', 'measure the throughput for several numbers of workers'],
        [
          'boardmill bench zu big.in --jobs 1,2 --solver simd,portable --vs ./mine',
          'compare four settings and a program',
        ],
        ['boardmill bench darkraft big.in --export-slowest slow.in', 'find the slowest cases'],
      ]),
    )
    .epilogue(
      'bench measures whole processes, which take turns (A B B A ...). "speed" compares a command with the first one: the median of the ratios within each round, with its 95 % confidence interval (which needs six runs or more). Exit code 1: some program answered differently.',
    );
}

const WARMUP = 1;

type BenchArguments = ArgumentsOf<typeof options>;

/** What the command line asks for. */
type BenchPlan = Pick<
  BenchRequest,
  'problem' | 'input' | 'jobs' | 'solvers' | 'others' | 'runs' | 'warmup' | 'timed'
> & {
  readonly exports: ExportPaths;
  readonly force: boolean;
  readonly quiet: boolean;
};

/** What can be exported, and the option for it. */
const EXPORT_OPTIONS = {
  json: '--export-json',
  markdown: '--export-markdown',
  slowest: '--export-slowest',
  html: '--html',
} as const;

type ExportName = keyof typeof EXPORT_OPTIONS;
type ExportPaths = Readonly<Record<ExportName, string | undefined>>;
type ExportFiles = Readonly<Partial<Record<ExportName, ReportFile>>>;

export async function run(args: BenchArguments): Promise<number> {
  const plan = await parsePlan(args);
  const files = await openExports(plan);
  const folder = mkdtempSync(join(tmpdir(), 'boardmill-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A second signal ends the process at once.
  process.on('exit', remove);
  const signals = stopOnSignal();
  const display = displayRuns(plan);
  try {
    const { report, slowest } = await runBench({
      ...plan,
      folder,
      version: version(),
      stop: signals.stop,
      note: (message) => {
        if (!plan.quiet) printMessage(message);
      },
      complain: printMessage,
      onRun: display.show,
    }).catch((error) => {
      display.keep();
      throw error;
    });
    process.stdout.write(describe(report));
    await writeExports(report, slowest, files);
    return report.summaries.some(({ difference }) => difference !== null) ? EXIT.differs : EXIT.ok;
  } catch (error) {
    await abandonAll(files);
    throw error;
  } finally {
    signals.release();
    process.off('exit', remove);
    remove();
  }
}

async function parsePlan(args: BenchArguments): Promise<BenchPlan> {
  const entry = parseProblem(args.problem);
  const exports: ExportPaths = {
    json: parseFileOption('--export-json', args.exportJson),
    markdown: parseFileOption('--export-markdown', args.exportMarkdown),
    slowest: parseFileOption('--export-slowest', args.exportSlowest),
    html: parseFileOption('--html', args.html),
  };
  const solvers = parseList('--solver', args.solver, parseSolver) ?? ['auto' as const];
  const plan = {
    input: args.input ?? null,
    jobs: parseList('--jobs', args.jobs, parseWorkers(args.quiet)) ?? usualJobs(),
    solvers,
    others: asList(args.vs).map(parseOther),
    runs: parseCountOption('--runs', args.runs, 1) ?? ENOUGH_RUNS,
    warmup: parseCountOption('--warmup', args.warmup, 0) ?? WARMUP,
    timed: timedCases(exports),
    exports,
    force: args.force,
    quiet: args.quiet,
  };
  await assertFilesDistinct(plan);
  const { problem } = await entry.load();
  if (solvers.includes('simd')) requireKernel(problem);
  return { ...plan, problem };
}

function parseWorkers(isQuiet: boolean): (word: string) => number {
  return (word) =>
    parseJobs(word, (message) => {
      if (!isQuiet) printMessage(message);
    });
}

async function assertFilesDistinct({
  input,
  others,
  exports,
}: Pick<BenchPlan, 'input' | 'others' | 'exports'>): Promise<void> {
  const programs = await Promise.all(others.map(({ argv }) => ProgramFiles.find(argv)));
  const paths = programs.flatMap((files) => files.paths);
  await assertDistinct({
    reads: [
      ...(input === null ? [] : [{ path: input, role: 'input' }]),
      ...paths.map((path) => ({ path, role: 'part of a program' })),
    ],
    writes: exportsOf(exports).map(([name, path]) => ({ path, role: EXPORT_OPTIONS[name] })),
  });
}

function exportsOf(exports: ExportPaths): [ExportName, string][] {
  return (Object.entries(exports) as [ExportName, string | undefined][]).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, path]],
  );
}

/** Opens all of them before the measuring begins. */
async function openExports({ exports, force }: BenchPlan): Promise<ExportFiles> {
  const files: Partial<Record<ExportName, ReportFile>> = {};
  try {
    for (const [name, path] of exportsOf(exports)) {
      files[name] = await openReport(path, name === 'slowest' ? 'slowest cases' : 'report', force);
    }
    return files;
  } catch (error) {
    await abandonAll(files);
    throw error;
  }
}

async function abandonAll(files: ExportFiles): Promise<void> {
  for (const file of Object.values(files)) await file.abandon();
}

/** 1, 2, 4, ... and all processors. */
function usualJobs(): number[] {
  const most = availableParallelism();
  const jobs: number[] = [];
  for (let count = 1; count < most; count *= 2) jobs.push(count);
  return [...jobs, most];
}

function parseSolver(word: string): SolverChoice {
  if (word === 'auto' || word === 'simd' || word === 'portable') return word;
  throw usageError(`--solver needs a list of auto, simd, portable, got "${word}"`);
}

function parseOther(value: unknown): Contender {
  const argv = parseProgram('--vs', value) as string[];
  return { label: quoteWords(argv), argv, setting: null };
}

/** Which are the slowest is known when all were timed; how they are distributed, before. */
function timedCases({ slowest, html }: ExportPaths): BenchRequest['timed'] {
  if (slowest !== undefined) return 'all';
  return html === undefined ? 'none' : 'some';
}

interface RunDisplay {
  show(progress: RaceProgress): void;
  /** Called when the comparison fails or is stopped: the last table stays on the terminal. */
  keep(): void;
}

/** A table that is drawn anew after each run on a terminal; a line per run elsewhere. */
function displayRuns({ quiet, runs }: BenchPlan): RunDisplay {
  if (isBarWanted({ quiet, progress: true })) return tableOfRuns(runs);
  return {
    show: (progress) => {
      if (!quiet) printMessage(describeLastRun(progress, runs, Number.POSITIVE_INFINITY));
    },
    keep: () => {},
  };
}

function tableOfRuns(runs: number): RunDisplay {
  let summaries: readonly Summary[] | null = null;
  return {
    show(progress) {
      summaries = progress.summaries;
      if (progress.isOver) clearStatus();
      else showStatus((columns) => liveLines(progress, runs, columns));
    },
    keep() {
      clearStatus();
      if (summaries !== null) writeAbove(summaryTable(summaries, widthOf(process.stderr)).join('\n'));
    },
  };
}

/** As many columns and lines of the summary as a terminal shows, and the last run below. */
function liveLines(progress: RaceProgress, runs: number, width: number): string[] {
  const [table] = progress.summaries === null ? [''] : summaryTable(progress.summaries, width);
  // One line for the last run, one for the cursor.
  const lines = (process.stderr.rows || USUAL_HEIGHT) - 2;
  return [...table.split('\n').slice(0, -1).slice(0, lines), describeLastRun(progress, runs, width)];
}

/** On one line of no more than `width` letters; a long command gives way. */
function describeLastRun({ last, round }: RaceProgress, runs: number, width: number): string {
  const turn = round < 0 ? 'warm-up: ' : `round ${round + 1} of ${runs}: `;
  const seconds = round < 0 ? undefined : last.runs.at(-1)?.seconds;
  const time = seconds === undefined ? '' : `: ${formatSeconds(seconds)}`;
  return `${turn}${shorten(last.contender.label, width - turn.length - time.length)}${time}`;
}

function summaryTable(summaries: readonly Summary[], width: number): string[] {
  return fitTable(SUMMARY_HEADINGS, summaries.map(summaryRow), width);
}

const USUAL_WIDTH = 80;
const LEAST_WIDTH = 40;
const USUAL_HEIGHT = 24;

/** How long a line may be: as wide as the terminal, where the stream is one that knows its size. */
function widthOf({ columns }: WriteStream): number {
  return Math.max(LEAST_WIDTH, columns || USUAL_WIDTH);
}

const STAGES_HEADING =
  'Where time goes, in one run of each: the coordinator reads, splits and waits for workers; the other times are ' +
  'sums over all chunks, many of which are under way at a time. The last columns are shares: how much of the time ' +
  'workers and coordinator were at work, and the speed-up over one worker per worker.';

function describe(report: Report): string {
  const width = widthOf(process.stdout);
  return [
    wrapText(describeRun(report), width),
    ...summaryTable(report.summaries, width),
    wrapText(STAGES_HEADING, width),
    ...fitTable(STAGE_HEADINGS, stageRows(report), width),
    wrapText(describeCoordinator(report), width),
  ].join('\n');
}

async function writeExports(report: Report, slowest: Uint8Array | null, files: ExportFiles): Promise<void> {
  await files.json?.write(toJson(report));
  await files.markdown?.write(toMarkdown(report));
  await files.slowest?.write(slowest as Uint8Array);
  if (files.html === undefined) return;
  // The plotting library takes longer to load than the rest together.
  const { toHtml } = await import('../../bench/html.js');
  await files.html.write(toHtml(report));
}
