/** `boardmill solve`: from the parsed command line to an exit code. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import { BoardmillError, Interrupted, systemReason } from '../core/errors.js';
import { type Dispatcher, LocalPool } from '../engine/dispatch.js';
import type { ErrorPolicy, OutputFormat, SolverChoice } from '../engine/messages.js';
import { openSource } from '../engine/read.js';
import { run as runEngine } from '../engine/run.js';
import type { FailedCase, RunOptions } from '../engine/run-options.js';
import { Tally } from '../engine/tally.js';
import { openSink } from '../engine/write.js';
import type { Problem } from '../problems/problem.js';
import { type ArgumentsOf, HelpWanted } from './command.js';
import { complain, EXIT } from './exit.js';
import {
  parseCountOption,
  parseJobs,
  parseProblem,
  parseSeconds,
  parseSizeOption,
  single,
  usageError,
} from './parse-options.js';
import { isBarWanted, startProgress } from './progress.js';
import { stopOnSignal } from './signals.js';
import { version } from './version.js';

/** An input and where its answers go. */
interface Job {
  readonly input: string;
  readonly output: string;
}

/** The words of `boardmill solve`. */
export function options(command: Argv) {
  return command
    .positional('problem', {
      type: 'string',
      demandOption: true,
      describe: 'name or alias: boardmill problems',
    })
    .positional('inputs', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'files; none or - is standard input',
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
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe: 'worker threads (default: the processors there are)',
      },
      chunk: {
        type: 'string',
        requiresArg: true,
        describe: 'bytes of input a chunk, as 64K or 4M (default: adapts)',
      },
      solver: {
        choices: ['auto', 'simd', 'portable'] as const,
        default: 'auto',
        describe: 'which solver',
      },
      'on-error': {
        choices: ['stop', 'mark'] as const,
        default: 'stop',
        describe: 'a bad case stops the run, or is answered ERROR',
      },
      timeout: {
        type: 'string',
        requiresArg: true,
        describe: 'seconds for one test case (default: none)',
      },
      retries: {
        type: 'string',
        requiresArg: true,
        describe: 'times a chunk is tried again after its worker failed (default: 1)',
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
      progress: {
        type: 'boolean',
        default: true,
        describe: 'a bar on the terminal (--no-progress: none)',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'nothing but errors on standard error',
      },
    })
    .example('$0 solve bacterial-tactics big.in -o big.ans', 'a file, on all processors')
    .example('zcat big.in.gz | $0 solve darkraft -j 4 > big.ans', 'a pipe, four workers')
    .example('$0 solve zu secret/*.in --ext .ans', 'many files, answers beside them')
    .example('$0 solve bt mixed.in --on-error mark --stats -', 'bad cases are answered ERROR');
}

const DEFAULT_EXT = '.ans';

const DEFAULT_RETRIES = 1;

type SolveArguments = ArgumentsOf<typeof options>;

export async function run(args: SolveArguments): Promise<number> {
  if (args.inputs.length === 0 && process.stdin.isTTY) throw new HelpWanted();
  const entry = parseProblem(args.problem);
  const jobs = parseJobs(args.jobs);
  const chunkBytes = parseSizeOption('--chunk', args.chunk) ?? null;
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? null;
  const retries = parseCountOption('--retries', args.retries, 0) ?? DEFAULT_RETRIES;
  const files = planFiles(args);
  const statsFile = single('--stats', args.stats);
  const solver = args.solver as SolverChoice;
  const { problem } = await entry.load();
  if (solver === 'simd') requireKernel(problem);
  const signals = stopOnSignal();
  const options: RunOptions = {
    problem,
    format: args.format as OutputFormat,
    onError: args.onError as ErrorPolicy,
    chunkBytes,
    jobs,
    retries,
    warn: complain,
    saveCase: (failed) => saveCase(problem, failed, args),
    stop: signals.stop,
  };
  const tally = new Tally();
  const pool = new LocalPool({ problem: entry.name, solver }, { jobs, timeoutSeconds });
  const progress = await startProgress(tally, isBarWanted(args));
  try {
    for (const file of files) await solveFile(file, pool, options, tally, args);
  } finally {
    progress.stop();
    await pool.close();
    signals.release();
    if (statsFile !== undefined) await writeStats(statsFile, tally.stats(entry.name, jobs));
  }
  return tally.failedCases > 0 ? EXIT.differs : EXIT.ok;
}

async function solveFile(
  file: Job,
  pool: Dispatcher,
  options: RunOptions,
  tally: Tally,
  args: SolveArguments,
): Promise<void> {
  const source = await openSource(file.input);
  const closeSource = () => void source.close();
  options.stop?.addEventListener('abort', closeSource);
  try {
    const sink = await openSink(file.output, {
      force: args.force,
      resume: args.resume,
      terms: {
        version: version(),
        problem: options.problem.name,
        '--format': options.format,
        '--on-error': options.onError,
      },
      note: (message) => {
        if (!args.quiet) complain(message);
      },
    });
    try {
      if (source.size !== null) tally.inputBytes = (tally.inputBytes ?? 0) + source.size;
      await runEngine(source, sink, pool, options, tally);
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

function howToGoOn(error: unknown, isResumable: boolean): unknown {
  if (!(error instanceof Interrupted) || !isResumable) return error;
  return new Interrupted(error.signal, `${error.message}; the same command with --resume goes on`);
}

/** `--solver simd` on a machine or for a problem without a kernel is a mistake of the command line. */
function requireKernel(problem: Problem<unknown>): void {
  try {
    if (problem.createSimdSolver === undefined) throw new Error(`${problem.name} has no kernel`);
    problem.createSimdSolver();
  } catch (error) {
    throw usageError(`--solver simd cannot be had here: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes the case that a solver failed on into the current folder, as an input of its own. */
async function saveCase(
  problem: Problem<unknown>,
  failed: FailedCase,
  args: SolveArguments,
): Promise<string> {
  const file = `${problem.name}-case-${failed.caseNumber}.in`;
  try {
    await writeFile(file, problem.format.assemble(failed.bytes, 1, null));
  } catch (error) {
    return `(could not save it: ${systemReason(error)})`;
  }
  const options = args.solver === 'auto' ? '' : ` --solver ${args.solver}`;
  return `saved; repeat with: boardmill solve ${problem.name} ${file} -j 1${options}`;
}

/** Which input goes where. One input: `-o`, or standard output; several, or `--ext`: beside each. */
function planFiles(args: SolveArguments): Job[] {
  const inputs = args.inputs.length === 0 ? ['-'] : args.inputs;
  const output = single('--output', args.output);
  const ext = single('--ext', args.ext);
  if (output !== undefined && ext !== undefined) throw usageError('--output and --ext exclude each other');
  if (args.resume && args.force)
    throw usageError('--resume goes on, --force starts afresh: they exclude each other');
  if (inputs.length > 1 && output !== undefined) {
    throw usageError('--output takes one input; several get their answers beside them (--ext)');
  }
  if (inputs.length === 1 && ext === undefined) {
    const job = planOutput(inputs[0], output ?? '-');
    if (args.resume && job.output === '-')
      throw usageError('--resume needs --output FILE: standard output keeps no checkpoint');
    return [job];
  }
  const jobs = inputs.map((input) => planOutput(input, besides(input, ext ?? DEFAULT_EXT)));
  const outputs = jobs.map(({ output }) => resolve(output));
  const twice = jobs.find((_, i) => outputs.indexOf(outputs[i]) !== i);
  if (twice !== undefined) throw usageError(`two inputs would write ${twice.output}`);
  return jobs;
}

function planOutput(input: string, output: string): Job {
  if (output !== '-' && input === output) throw usageError(`${output} is both input and output`);
  return { input, output };
}

function besides(input: string, ext: string): string {
  if (input === '-') throw usageError('standard input has no place beside it: use --output');
  return (input.endsWith('.in') ? input.slice(0, -'.in'.length) : input) + ext;
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
