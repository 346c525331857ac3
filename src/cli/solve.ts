/** `boardmill solve`: from the parsed command line to an exit code. */
import { writeFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import { BoardmillError, Interrupted, systemReason } from '../core/errors.js';
import type { OutputTerms } from '../engine/checkpoint.js';
import type { Dispatcher } from '../engine/dispatch.js';
import { Fingerprint } from '../engine/ledger.js';
import type { ErrorPolicy, OutputFormat } from '../engine/messages.js';
import type { PartialFileOptions } from '../engine/partial-file.js';
import { openSource } from '../engine/read.js';
import { run as runEngine } from '../engine/run.js';
import type { FailedCase, RunOptions } from '../engine/run-options.js';
import { Tally } from '../engine/tally.js';
import { openSink } from '../engine/write.js';
import { type ArgumentsOf, HelpWanted, PROBLEM_WORD } from './command.js';
import { complain, EXIT } from './exit.js';
import { quoteCommand } from './parse-command.js';
import { single } from './parse-options.js';
import { isBarWanted, startProgress } from './progress.js';
import { saveCase } from './save-case.js';
import { stopOnSignal } from './signals.js';
import {
  checkFiles,
  type FilesResult,
  type Job,
  outdated,
  type Plan,
  planFiles,
  solveFiles,
  summarize,
  totalBytes,
} from './solve-files.js';
import { openDispatcher, parseSolving, SOLVING_OPTIONS, type Solving } from './solving.js';
import { version } from './version.js';

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
        describe: 'answers of NAME.in go to NAME + EXT beside it (several inputs: .ans)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite answers that boardmill did not make; drop a cut-off run',
      },
      'on-error': {
        choices: ['stop', 'mark'] as const,
        default: 'stop',
        describe: 'a bad case stops the run, or is answered ERROR',
      },
      resume: {
        type: 'boolean',
        default: false,
        describe: 'go on from the checkpoint of a cut-off run',
      },
      format: {
        choices: ['text', 'ndjson'] as const,
        default: 'text',
        describe: 'contest output, or one JSON object a case',
      },
      stats: {
        type: 'string',
        requiresArg: true,
        describe: 'file for a summary as JSON, - is standard error',
      },
      ...SOLVING_OPTIONS,
    })
    .example('$0 solve bacterial-tactics big.in -o big.ans', 'a file, on all processors')
    .example('zcat big.in.gz | $0 solve darkraft -j 4 > big.ans', 'a pipe, four workers')
    .example('$0 solve zu secret/*.in --ext .ans', 'many files, answers beside them')
    .example('$0 solve bt mixed.in --on-error mark --stats -', 'bad cases are answered ERROR');
}

type SolveArguments = ArgumentsOf<typeof options>;

export async function run(args: SolveArguments): Promise<number> {
  if (args.inputs.length === 0 && process.stdin.isTTY) throw new HelpWanted();
  const solving = await parseSolving(args);
  const plan = await planFiles(args);
  const statsFile = single('--stats', args.stats);
  const signals = stopOnSignal((signal) => {
    if (!args.quiet) complain(`${signal}: finishing what is in flight; once more stops at once`);
  });
  const work = describeWork(args, solving, plan, signals.stop);
  const wanted = await chooseFiles(work, plan);
  const tally = new Tally();
  tally.inputBytes = totalBytes(wanted);
  const keepStats = async () => {
    if (statsFile !== undefined) await writeStats(statsFile, tally.stats(solving.problem.name, solving.jobs));
  };
  let result: FilesResult | null;
  try {
    result = await solveAll(work, wanted, plan.isBeside, isBarWanted(args), tally);
  } catch (error) {
    // Why the run failed matters more than that its summary cannot be written.
    await keepStats().catch(() => {});
    throw error;
  } finally {
    signals.release();
  }
  await keepStats();
  if (result !== null) summarize(result, plan.jobs.length - wanted.length, args.quiet);
  return tally.failedCases > 0 ? EXIT.differs : EXIT.ok;
}

/** How each file is solved. */
interface Work {
  readonly solving: Solving;
  readonly options: RunOptions & { readonly stop: AbortSignal };
  readonly target: PartialFileOptions;
  /** Whether the same input would be answered the same another time, so that it need not be solved again. */
  readonly isRepeatable: boolean;
}

function describeWork(args: SolveArguments, solving: Solving, { isBeside }: Plan, stop: AbortSignal): Work {
  const { problem, jobs, chunkBytes, retries, command } = solving;
  const options = {
    problem,
    format: args.format as OutputFormat,
    onError: args.onError as ErrorPolicy,
    chunkBytes,
    jobs,
    retries,
    warn: complain,
    stop,
  };
  const target: PartialFileOptions = {
    force: args.force,
    resume: args.resume,
    terms: outputTerms(options, solving),
    note: (message) => {
      if (!args.quiet && !isBeside) complain(message);
    },
  };
  // What a program of the user's answers today is not known from its name.
  return { solving, options, target, isRepeatable: isBeside && command === null };
}

/** The files whose answers are not up to date. Fails where some answers must not be written. */
async function chooseFiles(
  { target, isRepeatable }: Work,
  { jobs, isBeside }: Plan,
): Promise<readonly Job[]> {
  if (isBeside) await checkFiles(jobs, target);
  return isRepeatable && !target.force ? outdated(jobs, target.terms) : jobs;
}

/** Returns what became of the files that have their answers beside them. */
async function solveAll(
  work: Work,
  files: readonly Job[],
  isBeside: boolean,
  hasBar: boolean,
  tally: Tally,
): Promise<FilesResult | null> {
  const { solving, options } = work;
  const pool = await openDispatcher(solving, tally.inputBytes);
  const progress = await startProgress(tally, hasBar);
  const solve = (file: Job) => solveFile(file, pool, work, tally);
  try {
    if (isBeside) return await solveFiles(files, options.jobs, options.stop, solve);
    await solve(files[0]);
    return null;
  } finally {
    progress.stop();
    await pool.close();
  }
}

async function solveFile(file: Job, pool: Dispatcher, work: Work, tally: Tally): Promise<void> {
  const { solving, target, isRepeatable } = work;
  const { stop } = work.options;
  const options = {
    ...work.options,
    saveCase: (failed: FailedCase) => saveCase(solving, file.input, failed),
  };
  const source = await openSource(file.input);
  const closeSource = () => void source.close();
  stop.addEventListener('abort', closeSource);
  // The signal came with an earlier file, or while this one was opened.
  if (stop.aborted) closeSource();
  const fingerprint = new Fingerprint();
  const pieces = isRepeatable ? fingerprint.watch(source.pieces) : source.pieces;
  try {
    const sink = await openSink(file.output, { ...target, ...(isRepeatable ? { fingerprint } : {}) });
    try {
      const failedCases = await runEngine({ ...source, pieces }, sink, pool, options, tally);
      if (failedCases > 0) fingerprint.drop();
    } catch (error) {
      await sink.abandon();
      throw howToGoOn(error, sink.keepsMarks);
    }
    await sink.finish();
  } finally {
    stop.removeEventListener('abort', closeSource);
    await source.close();
  }
}

function outputTerms({ problem, format, onError }: RunOptions, { solver, command }: Solving): OutputTerms {
  return {
    version: version(),
    problem: problem.name,
    '--format': format,
    '--on-error': onError,
    // All solvers answer alike, but the cases that the kernel alone refuses are marked.
    '--solver': onError === 'mark' && solver === 'simd' ? 'simd' : 'any',
    ...(command === null ? {} : { '--exec': quoteCommand(command) }),
  };
}

function howToGoOn(error: unknown, isResumable: boolean): unknown {
  if (!(error instanceof Interrupted) || !isResumable) return error;
  return new Interrupted(error.signal, `${error.message}; the same command with --resume goes on`);
}

async function writeStats(path: string, stats: object): Promise<void> {
  const json = `${JSON.stringify(stats, null, 2)}\n`;
  if (path === '-') {
    process.stderr.write(json);
    return;
  }
  try {
    await writeFile(path, json);
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}
