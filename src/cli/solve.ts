/** `boardmill solve`: from the parsed command line to an exit code. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
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
import { INPUT_ENDING } from './inputs.js';
import { quoteCommand } from './parse-command.js';
import { single } from './parse-options.js';
import { isBarWanted, startProgress } from './progress.js';
import { stopOnSignal } from './signals.js';
import {
  checkFiles,
  type FilesResult,
  type Job,
  outdated,
  planFiles,
  solveFiles,
  summarize,
  totalBytes,
} from './solve-files.js';
import { openDispatcher, parseSolving, repeatingWords, SOLVING_OPTIONS, type Solving } from './solving.js';
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
  const { problem, jobs, chunkBytes, retries } = solving;
  const { jobs: files, isBeside } = await planFiles(args);
  const statsFile = single('--stats', args.stats);
  const signals = stopOnSignal((signal) => {
    if (!args.quiet) complain(`${signal}: finishing what is in flight; once more stops at once`);
  });
  const options: RunOptions = {
    problem,
    format: args.format as OutputFormat,
    onError: args.onError as ErrorPolicy,
    chunkBytes,
    jobs,
    retries,
    warn: complain,
    stop: signals.stop,
  };
  const target: PartialFileOptions = {
    force: args.force,
    resume: args.resume,
    terms: outputTerms(options, solving),
    note: (message) => {
      if (!args.quiet && !isBeside) complain(message);
    },
  };
  if (isBeside) await checkFiles(files, target);
  // What a program of the user's answers today is not known from its name.
  const isRepeatable = isBeside && solving.command === null;
  const wanted = isRepeatable && !args.force ? await outdated(files, target.terms) : files;
  const tally = new Tally();
  tally.inputBytes = totalBytes(wanted);
  const pool = await openDispatcher(solving, tally.inputBytes);
  const progress = await startProgress(tally, isBarWanted(args));
  let result: FilesResult | null = null;
  const solve = (file: Job) => {
    const save = (failed: FailedCase) => saveCase(solving, file.input, failed);
    return solveFile(file, pool, { ...options, saveCase: save }, tally, target, isRepeatable);
  };
  try {
    if (isBeside) result = await solveFiles(wanted, jobs, signals.stop, solve);
    else await solve(wanted[0]);
  } catch (error) {
    // Why the run failed matters more than that its summary cannot be written.
    if (statsFile !== undefined) await writeStats(statsFile, tally.stats(problem.name, jobs)).catch(() => {});
    throw error;
  } finally {
    progress.stop();
    await pool.close();
    signals.release();
  }
  if (statsFile !== undefined) await writeStats(statsFile, tally.stats(problem.name, jobs));
  if (result !== null) summarize(result, files.length - wanted.length, args.quiet);
  return tally.failedCases > 0 ? EXIT.differs : EXIT.ok;
}

async function solveFile(
  file: Job,
  pool: Dispatcher,
  options: RunOptions,
  tally: Tally,
  target: PartialFileOptions,
  isRepeatable: boolean,
): Promise<void> {
  const source = await openSource(file.input);
  const closeSource = () => void source.close();
  options.stop?.addEventListener('abort', closeSource);
  // The signal came with an earlier file, or while this one was opened.
  if (options.stop?.aborted) closeSource();
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
    options.stop?.removeEventListener('abort', closeSource);
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

/** Writes the case that a solver failed on into the current folder, as an input of its own. */
async function saveCase(solving: Solving, input: string, failed: FailedCase): Promise<string> {
  const { problem } = solving;
  const origin = input === '-' ? problem.name : `${problem.name}-${basename(input, INPUT_ENDING)}`;
  const file = `${origin}-case-${failed.caseNumber}.in`;
  try {
    await writeFile(file, problem.format.assemble(failed.bytes, 1, null));
  } catch (error) {
    return `(could not save it: ${systemReason(error)})`;
  }
  return `saved; repeat with: boardmill solve ${problem.name} ${file} -j 1${repeatingWords(solving)}`;
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
