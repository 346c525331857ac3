/** `boardmill bench`: throughput, what stands in its way, and whether a faster program is also right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Argv } from 'yargs';
import { type Comparison, compare, ENOUGH_RUNS, type RaceProgress } from '../bench/compare.js';
import type { Contender } from '../bench/contender.js';
import { toJson, toMarkdown } from '../bench/export.js';
import {
  alignTable,
  describeCoordinator,
  describeRun,
  formatSeconds,
  STAGE_HEADINGS,
  SUMMARY_HEADINGS,
  stageRows,
  summaryRow,
} from '../bench/format.js';
import type { Summary } from '../bench/race.js';
import type { Report } from '../bench/report.js';
import { SLOWEST_CASES } from '../bench/slowest.js';
import { BoardmillError, systemReason } from '../core/errors.js';
import type { SolverChoice } from '../problems/problem.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
import { complain, EXIT } from './exit.js';
import { LiveTable } from './live-table.js';
import { parseCommand, quoteCommand } from './parse-command.js';
import { many, parseCountOption, parseList, parseProblem, single, usageError } from './parse-options.js';
import { isBarWanted } from './progress.js';
import { stopOnSignal } from './signals.js';
import { requireKernel } from './solving.js';
import { version } from './version.js';

/** The words of `boardmill bench`. */
export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', {
      type: 'string',
      describe: 'a file, - is standard input (default: one is made that takes a few seconds)',
    })
    .options({
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe: 'list of numbers of worker threads (default: 1, 2, 4, ... up to the processors there are)',
      },
      solver: { type: 'string', requiresArg: true, describe: 'list of auto, simd, portable (default: auto)' },
      vs: {
        type: 'string',
        requiresArg: true,
        describe: 'another program, fed the same input on standard input; may be given several times',
      },
      runs: {
        type: 'string',
        requiresArg: true,
        describe: `runs of each that count (default: ${ENOUGH_RUNS})`,
      },
      warmup: { type: 'string', requiresArg: true, describe: `runs of each before (default: ${WARMUP})` },
      'export-json': {
        type: 'string',
        requiresArg: true,
        describe: 'file for all results, as hyperfine has them and more',
      },
      'export-markdown': { type: 'string', requiresArg: true, describe: 'file for a table' },
      'export-slowest': {
        type: 'string',
        requiresArg: true,
        describe: `file for the ${SLOWEST_CASES} slowest cases, each timed alone, as an input of their own`,
      },
      html: { type: 'string', requiresArg: true, describe: 'file for a report with plots' },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'nothing but errors on standard error',
      },
    })
    .example('$0 bench bt', 'how fast it is here, by number of workers')
    .example('$0 bench zu big.in --jobs 1,2 --solver simd,portable --vs ./mine', 'six against each other')
    .example('$0 bench darkraft big.in --export-slowest slow.in --html report.html', 'what takes so long')
    .epilogue(
      'Whole processes, in turn (A B B A ...). "speed" is the median of the ratios to the first line within each round, with where it lies with 95 % (six runs or more). Exit code 1: some program answered differently.',
    );
}

const WARMUP = 1;

type BenchArguments = ArgumentsOf<typeof options>;

/** What the command line asks for. */
type Plan = Pick<
  Comparison,
  'problem' | 'input' | 'jobs' | 'solvers' | 'others' | 'runs' | 'warmup' | 'timed'
> & {
  readonly exports: Exports;
  readonly quiet: boolean;
};

interface Exports {
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly slowest: string | undefined;
  readonly html: string | undefined;
}

export async function run(args: BenchArguments): Promise<number> {
  const plan = await parsePlan(args);
  const folder = mkdtempSync(join(tmpdir(), 'boardmill-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A second signal ends the process at once.
  process.on('exit', remove);
  const signals = stopOnSignal();
  try {
    const { report, slowest } = await compare({
      ...plan,
      folder,
      version: version(),
      stop: signals.stop,
      note: (message) => {
        if (!plan.quiet) complain(message);
      },
      complain,
      onRun: showRuns(plan),
    });
    process.stdout.write(describe(report));
    await writeExports(report, slowest, plan.exports);
    return report.summaries.some(({ difference }) => difference !== null) ? EXIT.differs : EXIT.ok;
  } finally {
    signals.release();
    process.off('exit', remove);
    remove();
  }
}

async function parsePlan(args: BenchArguments): Promise<Plan> {
  const entry = parseProblem(args.problem);
  const exports = {
    json: single('--export-json', args.exportJson),
    markdown: single('--export-markdown', args.exportMarkdown),
    slowest: single('--export-slowest', args.exportSlowest),
    html: single('--html', args.html),
  };
  const solvers = parseList('--solver', args.solver, parseSolver) ?? ['auto' as const];
  const plan = {
    input: args.input ?? null,
    jobs:
      parseList('--jobs', args.jobs, (word) => parseCountOption('--jobs', word, 1) as number) ?? usualJobs(),
    solvers,
    others: many(args.vs).map(parseOther),
    runs: parseCountOption('--runs', args.runs, 1) ?? ENOUGH_RUNS,
    warmup: parseCountOption('--warmup', args.warmup, 0) ?? WARMUP,
    timed: timedCases(exports),
    exports,
    quiet: args.quiet,
  };
  await checkExports(exports, args.input);
  const { problem } = await entry.load();
  if (solvers.includes('simd')) requireKernel(problem);
  return { ...plan, problem };
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
  throw usageError(`--solver wants a list of auto, simd, portable, got "${word}"`);
}

function parseOther(value: unknown): Contender {
  const command = parseCommand('--vs', value) as string[];
  return { label: quoteCommand(command), command, setting: null };
}

/** Which are the slowest is known when all were timed; how they are distributed, before. */
function timedCases({ slowest, html }: Exports): Comparison['timed'] {
  if (slowest !== undefined) return 'all';
  return html === undefined ? 'none' : 'some';
}

/** Minutes of measuring must not end in a mistyped folder. */
async function checkExports(exports: Exports, input: string | undefined): Promise<void> {
  for (const path of Object.values(exports) as (string | undefined)[]) {
    if (path === undefined) continue;
    if (path === input) throw usageError(`${path} is both input and output`);
    await access(dirname(path)).catch((error) => {
      throw cannotCreate(path, error);
    });
  }
}

function cannotCreate(path: string, error: unknown): BoardmillError {
  return new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
}

/** A table that is drawn anew after each run on a terminal; a line a run elsewhere. */
function showRuns({ quiet, runs }: Plan): (progress: RaceProgress) => void {
  const table = isBarWanted({ quiet, progress: true }) ? new LiveTable(process.stderr) : null;
  return ({ summaries, last, round, isOver }) => {
    const seconds = round < 0 ? undefined : last.runs.at(-1)?.seconds;
    const turn = round < 0 ? 'warm-up' : `round ${round + 1} of ${runs}`;
    const line = `${turn}: ${last.contender.label}${seconds === undefined ? '' : `: ${formatSeconds(seconds)}`}`;
    if (table !== null)
      table.draw(isOver ? '' : `${summaries === null ? '' : summaryTable(summaries)}${line}\n`);
    else if (!quiet) complain(line);
  };
}

function summaryTable(summaries: readonly Summary[]): string {
  return alignTable(SUMMARY_HEADINGS, summaries.map(summaryRow));
}

function describe(report: Report): string {
  return [
    `${describeRun(report)}\n`,
    summaryTable(report.summaries),
    'Where time goes, in one run of each: the coordinator reads, splits and waits for workers; the rest is the sum\nover all chunks, many of which are under way at a time. Shares: workers and coordinator at work.\n',
    alignTable(STAGE_HEADINGS, stageRows(report)),
    `${describeCoordinator(report)}\n`,
  ].join('\n');
}

async function writeExports(report: Report, slowest: Uint8Array | null, exports: Exports): Promise<void> {
  const { json, markdown, html } = exports;
  if (json !== undefined) await writeExport(json, toJson(report));
  if (markdown !== undefined) await writeExport(markdown, toMarkdown(report));
  if (slowest !== null) await writeExport(exports.slowest as string, slowest);
  if (html !== undefined) {
    // The plotting library takes longer to load than the rest together.
    const { toHtml } = await import('../bench/html.js');
    await writeExport(html, toHtml(report));
  }
}

async function writeExport(path: string, data: string | Uint8Array): Promise<void> {
  await writeFile(path, data).catch((error) => {
    throw cannotCreate(path, error);
  });
}
