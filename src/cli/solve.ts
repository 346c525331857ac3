/** `boardmill solve`: from the parsed command line to an exit code. */
import { writeFile } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../core/errors.js';
import { type Dispatcher, LocalPool } from '../engine/dispatch.js';
import type { ErrorPolicy, OutputFormat, SolverChoice } from '../engine/messages.js';
import { openSource } from '../engine/read.js';
import { type RunOptions, run } from '../engine/run.js';
import { Tally } from '../engine/tally.js';
import { openSink } from '../engine/write.js';
import { complain, EXIT } from './exit.js';
import { parseJobs, parseProblem, parseSizeOption, single, usageError } from './parse-options.js';
import { isBarWanted, startProgress } from './progress.js';

/** The options as yargs hands them over. */
export interface SolveArguments {
  readonly problem: string;
  readonly inputs: readonly string[];
  readonly output?: unknown;
  readonly ext?: unknown;
  readonly force: boolean;
  readonly jobs?: unknown;
  readonly chunk?: unknown;
  readonly solver: string;
  readonly onError: string;
  readonly format: string;
  readonly stats?: unknown;
  readonly progress: boolean;
  readonly quiet: boolean;
}

/** An input and where its answers go. */
interface Job {
  readonly input: string;
  readonly output: string;
}

const DEFAULT_EXT = '.ans';

export async function solve(args: SolveArguments): Promise<number> {
  const entry = parseProblem(args.problem);
  const jobs = parseJobs(args.jobs);
  const chunkBytes = parseSizeOption('--chunk', args.chunk) ?? null;
  const files = planFiles(args);
  const statsFile = single('--stats', args.stats);
  const { problem } = await entry.load();
  const tally = new Tally();
  const options: RunOptions = {
    problem,
    format: args.format as OutputFormat,
    onError: args.onError as ErrorPolicy,
    chunkBytes,
    jobs,
    warn: complain,
  };
  const pool = new LocalPool({ problem: entry.name, solver: args.solver as SolverChoice }, jobs);
  const progress = startProgress(tally, isBarWanted(args));
  try {
    for (const file of files) await solveFile(file, pool, options, tally, args.force);
  } finally {
    progress.stop();
    await pool.close();
    if (statsFile !== undefined) await writeStats(statsFile, tally.stats(entry.name, jobs));
  }
  return tally.failedCases > 0 ? EXIT.differs : EXIT.ok;
}

async function solveFile(
  file: Job,
  pool: Dispatcher,
  options: RunOptions,
  tally: Tally,
  force: boolean,
): Promise<void> {
  const source = await openSource(file.input);
  try {
    const sink = await openSink(file.output, { force });
    try {
      if (source.size !== null) tally.inputBytes = (tally.inputBytes ?? 0) + source.size;
      await run(source, sink, pool, options, tally);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
    await sink.finish();
  } finally {
    await source.close();
  }
}

/** Which input goes where. One input: `-o`, or standard output; several, or `--ext`: beside each. */
function planFiles(args: SolveArguments): Job[] {
  const inputs = args.inputs.length === 0 ? ['-'] : args.inputs;
  const output = single('--output', args.output);
  const ext = single('--ext', args.ext);
  if (output !== undefined && ext !== undefined) throw usageError('--output and --ext exclude each other');
  if (inputs.length > 1 && output !== undefined) {
    throw usageError('--output takes one input; several get their answers beside them (--ext)');
  }
  if (inputs.length === 1 && ext === undefined) return [planOutput(inputs[0], output ?? '-')];
  return inputs.map((input) => planOutput(input, besides(input, ext ?? DEFAULT_EXT)));
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
