/** `boardmill solve`: from the parsed command line to an exit code. */

import type { Argv } from 'yargs';
import { Interrupted } from '../../core/errors.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { InputFingerprint } from '../../engine/output/ledger.js';
import { openSink } from '../../engine/output/open-sink.js';
import { type ErrorPolicy, type OutputSettings, termsOf } from '../../engine/output-settings.js';
import { openSource } from '../../engine/read.js';
import { run as runEngine } from '../../engine/run.js';
import type { FailedCase, RunOptions } from '../../engine/run-options.js';
import type { Sink } from '../../engine/sink.js';
import { Tally } from '../../engine/tally.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../../problems/output-formats.js';
import type { Problem } from '../../problems/problem.js';
import { parseFileOption } from '../arguments/parse-options.js';
import { quoteWords } from '../arguments/parse-program.js';
import { openDispatcher, parseSolving, SOLVING_OPTIONS, type Solving } from '../arguments/solving-options.js';
import { type ArgumentsOf, describeExamples, HelpWanted, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage, reportError } from '../exit.js';
import { InputBeginning, suggestProblem } from '../inputs/recognize.js';
import { openReport, type ReportFile } from '../report-file.js';
import { saveCase } from '../save-case.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted, startProgress } from '../status/progress.js';
import { printAbove } from '../status/terminal.js';
import { version } from '../version.js';
import {
  assertFilesUsable,
  type FilePair,
  type FilePlan,
  type FilesResult,
  filesOf,
  outdated,
  planFiles,
  solveFiles,
  summarize,
  totalBytes,
} from './solve-files.js';

/** The words of `boardmill solve`. */
export function options(command: Argv) {
  return command
    .positional('problem', PROBLEM_WORD)
    .positional('inputs', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'files; a folder: all *.in in it and below; none or - is standard input',
    })
    .options({
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the answers, - is standard output',
      },
      ext: {
        type: 'string',
        requiresArg: true,
        describe: 'answers to NAME.in go to NAME + EXT beside it (default for several inputs: .ans)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe:
          'overwrite files that boardmill did not write, solve again what is up to date, discard an interrupted run',
      },
      'on-error': {
        choices: ['stop', 'mark'] as const,
        default: 'stop',
        describe: 'stop: a bad or failing case ends the run; mark: its answer is ERROR and the run goes on',
      },
      resume: {
        type: 'boolean',
        default: false,
        describe: 'continue an interrupted run from its checkpoint',
      },
      format: {
        choices: OUTPUT_FORMATS,
        default: 'text',
        describe: 'text: contest output; ndjson: one JSON object per case',
      },
      stats: {
        type: 'string',
        requiresArg: true,
        describe: 'file for a summary of the run as JSON, - is standard error',
      },
      ...SOLVING_OPTIONS,
    })
    .epilogue(
      describeExamples([
        ['boardmill solve bacterial-tactics big.in -o big.ans', 'a file, on all processors'],
        ['zcat big.in.gz | boardmill solve darkraft -j 4 > big.ans', 'a pipe, four workers'],
        ['boardmill solve zu secret/*.in --ext .ans', 'many files, answers beside them'],
        ['boardmill solve bt mixed.in --on-error mark --stats -', 'bad cases are answered ERROR'],
      ]),
    );
}

type SolveArguments = ArgumentsOf<typeof options>;

export async function run(args: SolveArguments): Promise<number> {
  if (args.inputs.length === 0 && process.stdin.isTTY) throw new HelpWanted();
  const note: Note = args.quiet ? () => {} : printMessage;
  const solving = await parseSolving(args, note);
  const plan = await planFiles(args);
  const statsFile = parseFileOption('--stats', args.stats);
  await assertFilesDistinct(plan, solving, statsFile);
  const signals = stopOnSignal((signal) =>
    note(`${signal}: finishing the cases that are being solved; a second signal stops at once`),
  );
  const tally = new Tally();
  try {
    const work = await describeWork(args, solving, plan, signals.stop, note);
    const wanted = await chooseFiles(work, plan);
    tally.inputBytes = totalBytes(wanted);
    const stats = statsFile === undefined ? null : await openReport(statsFile, 'report', args.force);
    const code = await solveAndReport(work, plan, wanted, args, tally).catch(reportError);
    return await writeStats(stats, tally, solving, code);
  } finally {
    signals.release();
  }
}

/** Receives what the user should know though nothing failed. */
type Note = (message: string) => void;

async function assertFilesDistinct(
  plan: FilePlan,
  { programFiles }: Solving,
  stats: string | undefined,
): Promise<void> {
  const { reads, writes } = filesOf(plan);
  const programs = programFiles?.paths ?? [];
  await assertDistinct({
    reads: [...reads, ...programs.map((path) => ({ path, role: 'part of the program' }))],
    writes: [...writes, ...(stats === undefined || stats === '-' ? [] : [{ path: stats, role: '--stats' }])],
  });
}

/** How each file is solved. */
interface Work {
  readonly solving: Solving;
  readonly options: RunOptions & { readonly stop: AbortSignal };
  readonly target: AnswerFileOptions;
  /** Whether a later run may skip an input that has not changed. A program might give other answers next time. */
  readonly isRepeatable: boolean;
}

async function describeWork(
  args: SolveArguments,
  solving: Solving,
  { isBeside, pairs }: FilePlan,
  stop: AbortSignal,
  note: Note,
): Promise<Work> {
  const { problem, jobs, chunkBytes, retries, argv } = solving;
  const isCheckpointed = pairs.some(({ output }) => output !== '-');
  const settings = await settingsOf(args, solving, isCheckpointed);
  const options = {
    problem,
    settings,
    chunkBytes,
    jobs,
    retries,
    // With -q --stats -, the summary is the only text on standard error. It counts the marked cases.
    warn: args.quiet && args.stats === '-' ? () => {} : printMessage,
    note,
    stop,
  };
  const target: AnswerFileOptions = {
    force: args.force,
    resume: args.resume,
    terms: termsOf(settings),
    note: isBeside ? () => {} : note,
  };
  return { solving, options, target, isRepeatable: isBeside && argv === null };
}

/** The files of a program are hashed only if a checkpoint will hold the digests. */
async function settingsOf(
  args: SolveArguments,
  { problem, solver, argv, programFiles }: Solving,
  isCheckpointed: boolean,
): Promise<OutputSettings> {
  const digests = isCheckpointed ? await programFiles?.digests() : undefined;
  return {
    version: version(),
    problem: problem.name,
    solver,
    program: argv === null ? null : { commandLine: quoteWords(argv), digests: digests ?? new Map() },
    outputFormat: args.format as OutputFormat,
    onError: args.onError as ErrorPolicy,
  };
}

/** The files whose answers are not up to date. Fails where some answers must not be written. */
async function chooseFiles(
  { target, isRepeatable }: Work,
  { pairs, isBeside }: FilePlan,
): Promise<readonly FilePair[]> {
  if (isBeside) await assertFilesUsable(pairs, target);
  return isRepeatable && !target.force ? outdated(pairs, target.terms) : pairs;
}

/** Returns the exit code of a run that came to its end. */
async function solveAndReport(
  work: Work,
  plan: FilePlan,
  wanted: readonly FilePair[],
  args: SolveArguments,
  tally: Tally,
): Promise<number> {
  for (const error of plan.unusable) reportError(error);
  const result = await solveAll(work, wanted, plan.isBeside, isBarWanted(args), tally);
  if (result !== null) {
    const { solved, failures } = result;
    const all = { solved, failures: [...plan.unusable, ...failures] };
    summarize(all, plan.pairs.length - wanted.length, args.quiet);
  }
  return tally.failedCases > 0 ? EXIT.differs : EXIT.ok;
}

/** Returns what became of the files that have their answers beside them. */
async function solveAll(
  work: Work,
  files: readonly FilePair[],
  isBeside: boolean,
  hasBar: boolean,
  tally: Tally,
): Promise<FilesResult | null> {
  const { solving, options } = work;
  const pool = await openDispatcher(solving, tally.inputBytes);
  const progress = await startProgress(tally, hasBar);
  const solve = (file: FilePair) => solveFile(file, pool, work, tally);
  try {
    if (isBeside) return await solveFiles(files, options.jobs, options.stop, solve);
    await solve(files[0]);
    return null;
  } finally {
    progress.stop();
    await pool.close();
  }
}

async function solveFile(file: FilePair, pool: Dispatcher, work: Work, tally: Tally): Promise<void> {
  const { solving, target, isRepeatable } = work;
  const { stop, problem } = work.options;
  const options = {
    ...work.options,
    saveCase: (failed: FailedCase) => saveCase(solving, file.input, failed),
  };
  const source = await openSource(file.input);
  const closeSource = () => void source.close();
  stop.addEventListener('abort', closeSource);
  // The signal came with an earlier file, or while this one was opened.
  if (stop.aborted) closeSource();
  const fingerprint = new InputFingerprint();
  const beginning = new InputBeginning(source.pieces);
  const pieces = isRepeatable ? fingerprint.passThrough(beginning.pieces) : beginning.pieces;
  try {
    const sink = await openAnswers(file.output, { ...target, ...(isRepeatable ? { fingerprint } : {}) });
    try {
      const failedCases = await runEngine({ ...source, pieces }, sink, pool, options, tally);
      if (failedCases > 0) fingerprint.discard();
      await solving.programFiles?.assertUnchanged();
    } catch (error) {
      const isResumable = await sink.abandon();
      throw await withAdvice(error, isResumable, beginning, problem);
    }
    await sink.finish();
  } finally {
    stop.removeEventListener('abort', closeSource);
    await source.close();
  }
}

/** The failure, with what the user may do about it. */
async function withAdvice(
  error: unknown,
  isResumable: boolean,
  beginning: InputBeginning,
  problem: Problem<unknown>,
): Promise<unknown> {
  if (!(error instanceof Interrupted)) return suggestProblem(error, beginning, problem);
  if (!isResumable) return error;
  return new Interrupted(error.signal, `${error.message}; the same command with --resume continues`);
}

/** Answers may go to the terminal that shows the bar. */
async function openAnswers(path: string, options: AnswerFileOptions): Promise<Sink> {
  const sink = await openSink(path, options);
  if (path !== '-' || !process.stdout.isTTY) return sink;
  return { ...sink, write: (bytes, mark) => printAbove(() => sink.write(bytes, mark)) };
}

/** Returns the exit code of the run, which a summary that cannot be written makes a failure. */
async function writeStats(
  file: ReportFile | null,
  tally: Tally,
  { problem, jobs }: Solving,
  code: number,
): Promise<number> {
  if (file === null) return code;
  // A run that failed before it answered a case leaves no file behind.
  const isWanted = !file.isFile || code < EXIT.usage || tally.cases > 0;
  try {
    if (isWanted) await file.write(`${JSON.stringify(tally.stats(problem.name, jobs), null, 2)}\n`);
    else await file.abandon();
    return code;
  } catch (error) {
    return Math.max(code, reportError(error));
  }
}
