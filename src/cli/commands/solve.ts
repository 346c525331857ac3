/** `boardmill solve`: solves every test case of the inputs and writes the answers. */
import { isatty } from 'node:tty';
import type { Argv } from 'yargs';
import { Interrupted, OutageError } from '../../core/errors.js';
import { printJson } from '../../core/printable.js';
import { version } from '../../core/version.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ChangedFileError } from '../../engine/guarded-dispatcher.js';
import { bytesOfShard, type Shard } from '../../engine/input/shard.js';
import type { Source } from '../../engine/input/source.js';
import { QUIET_WAIT_SECONDS } from '../../engine/limits.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { stampOfInput } from '../../engine/output/checkpoint.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { assertSinkUsable, openSink, streamSink } from '../../engine/output/open-sink.js';
import { shardRecordPath } from '../../engine/output/shard-record.js';
import { type ErrorPolicy, type OutputSettings, termsOf } from '../../engine/output-settings.js';
import { run as runEngine } from '../../engine/run.js';
import type { FailedCase, RunOptions } from '../../engine/run-options.js';
import type { RunOutcome } from '../../engine/run-outcome.js';
import type { Sink } from '../../engine/sink.js';
import { Tally } from '../../engine/tally.js';
import { COLUMNS, type Column, checkColumns } from '../../problems/output-columns.js';
import { hasColumns, OUTPUT_FORMATS, type OutputFormat } from '../../problems/output-formats.js';
import { ALSO_COMPARE_OPTION, noteOnImports } from '../arguments/also-compare.js';
import { parseFileOption, parseSingleValue, usageError } from '../arguments/parse-options.js';
import { formatCommandLine } from '../arguments/parse-program.js';
import { QUEUE_URL_HELP } from '../arguments/queue-options.js';
import { assertShardFiles, parseShardOption, SHARD_OPTIONS } from '../arguments/shard-options.js';
import {
  openDispatcher,
  parseSolvingOptions,
  SOLVING_OPTIONS,
  type SolvingOptions,
} from '../arguments/solving-options.js';
import { openQueue, parseQueueOptions, type QueueUse } from '../cluster/queue-use.js';
import {
  type ArgumentsOf,
  formatExamples,
  HelpRequest,
  INPUTS_ARGUMENT,
  PROBLEM_ARGUMENT,
} from '../command.js';
import { EXIT_CODE, printMessage, reportError } from '../exit.js';
import { withRunSource } from '../inputs/run-source.js';
import { locateShard } from '../inputs/shard-input.js';
import { openReportFile, type ReportFile } from '../report-file.js';
import { saveFailedCase } from '../save-case.js';
import { stopWithGrace } from '../signals.js';
import { isBarWanted, startProgress } from '../status/progress.js';
import { printAboveStatus } from '../status/terminal.js';
import { totalInputBytes } from './process-files.js';
import {
  type ChosenFiles,
  chooseFiles,
  type FilePair,
  type FilePlan,
  type FilesResult,
  filesOfPlan,
  planFiles,
  reportOutcome,
  solveFiles,
} from './solve-files.js';

/** Describes the arguments and options of `boardmill solve` to yargs. */
export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .positional('inputs', INPUTS_ARGUMENT)
    .options({
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the answers; - is standard output, which is the default for one input',
      },
      ext: {
        type: 'string',
        requiresArg: true,
        describe:
          'write the answers to NAME.in into NAME + EXT, in the same folder (default for several inputs: .ans, or .ndjson or .csv with that format)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe:
          'overwrite files that boardmill did not write, solve inputs again whose answers are up to date, and discard the checkpoint of an interrupted run',
      },
      'on-error': {
        choices: ['stop', 'mark'] as const,
        requiresArg: true,
        default: 'stop',
        describe: 'what to do if a case is bad or fails; stop: end the run; mark: answer ERROR and continue',
      },
      resume: {
        type: 'boolean',
        default: false,
        describe: 'continue an interrupted run from its checkpoint',
      },
      format: {
        choices: OUTPUT_FORMATS,
        requiresArg: true,
        default: 'text',
        describe:
          'format of the answers; text: as the contest wants them; ndjson: one JSON object per case; csv: a table',
      },
      columns: {
        type: 'string',
        requiresArg: true,
        describe: `with ndjson or csv, what to add to each answer, separated by commas: ${COLUMNS.join(', ')} (rows, cols and board: board games; nimber: bacterial-tactics and darkraft)`,
      },
      stats: {
        type: 'string',
        requiresArg: true,
        describe:
          'file for statistics of the run as JSON, such as its speed and its slowest cases; - is standard error',
      },
      queue: {
        type: 'string',
        requiresArg: true,
        describe: `let hosts (boardmill worker) solve, which get the chunks through this Redis: ${QUEUE_URL_HELP}`,
      },
      'shared-input': {
        type: 'boolean',
        default: false,
        describe:
          'with --queue: the hosts read the inputs themselves, from the same paths; only places in them are sent',
      },
      'wait-workers': {
        type: 'string',
        requiresArg: true,
        describe: `with --queue: seconds to wait for the first host, and then end with exit code 4 (default: without end; with -q ${QUIET_WAIT_SECONDS})`,
      },
      'also-compare': ALSO_COMPARE_OPTION,
      ...SHARD_OPTIONS,
      ...SOLVING_OPTIONS,
    })
    .epilogue(
      formatExamples([
        ['boardmill solve bacterial-tactics big.in -o big.ans', 'solve a file on all processors'],
        [
          'boardmill solve ./sums.mjs big.in -o big.ans',
          'solve a problem of your own, which a module defines',
        ],
        [
          "boardmill solve ./sums.ctd big.in --exec './mine'",
          'run ./mine on all processors; a grammar describes the input',
        ],
        ['xzcat big.in.xz | boardmill solve darkraft -j 4 > big.ans', 'read from a pipe, with four workers'],
        [
          'boardmill solve zu secret/*.in --ext .ans',
          'solve many files; each answer file goes beside its input',
        ],
        [
          'boardmill solve darkraft big.in --format csv --columns nimber',
          'print a table with the nimber of each board',
        ],
        [
          'boardmill solve zu big.in -o big.ans --queue redis://queue.local',
          'let all hosts solve that wait on this Redis',
        ],
        [
          'boardmill solve bt mixed.in --on-error mark --stats -',
          'answer ERROR to bad cases, and print statistics',
        ],
        [
          'boardmill solve bt big.in --shard 3/8 -o big.ans.3',
          'solve the third of eight shards; boardmill merge big.ans.* -o big.ans joins them',
        ],
      ]),
    );
}

/** The options that may be given several times. */
export const repeatable = ['also-compare'];

type SolveArguments = ArgumentsOf<typeof options>;

export async function run(args: SolveArguments): Promise<number> {
  if (args.inputs.length === 0 && isatty(0)) throw new HelpRequest();
  const note: PrintNote = args.quiet ? () => {} : printMessage;
  const solving = await parseSolvingOptions(args, note);
  const shard = parseShardOption(args.shard);
  const plan = await planFiles(args);
  const queue = await parseQueueOptions(args, plan, solving.jobs);
  if (shard !== null) await assertShardable(plan);
  const statsFile = parseFileOption('--stats', args.stats);
  await assertFilesDistinct(plan, solving, shard, statsFile);
  noteImports(solving, isCheckpointed(plan) || queue !== null, note);
  const signals = stopWithGrace('finishing the cases that are being solved', note);
  const tally = new Tally();
  try {
    const prepared = await prepareContext(args, solving, plan, shard, signals.stop, note);
    const contextOfWhole = { ...prepared, queue, giveUp: signals.giveUp, note };
    const chosen = await chooseFilesToSolve(contextOfWhole, plan);
    const context =
      shard === null ? contextOfWhole : await addShard(contextOfWhole, shard, chosen.toSolve[0]);
    tally.inputBytes = inputBytesOf(context, chosen.toSolve);
    const stats = statsFile === undefined ? null : await openReportFile(statsFile, 'report', args.force);
    const code = await solveAndReport(context, plan, chosen, args, tally).catch(reportError);
    return await writeStats(stats, tally, solving, code);
  } finally {
    signals.release();
  }
}

/** Prints a message that the user should see although nothing failed. With `--quiet` it prints nothing. */
type PrintNote = (message: string) => void;

/** Says once that the program may import files, if the run would compare them with those of another run or machine. */
function noteImports({ argv, programFiles }: SolvingOptions, isCompared: boolean, note: PrintNote): void {
  if (argv === null || !isCompared || programFiles?.compared.length !== 0) return;
  const text = noteOnImports(argv);
  if (text !== null) note(text);
}

/** Whether answers go to a file, with a checkpoint beside it. */
function isCheckpointed({ pairs }: FilePlan): boolean {
  return pairs.some(({ output }) => output !== '-');
}

/** Fails if the files cannot be those of a shard. */
async function assertShardable({ isBesideInputs, pairs: [{ input, output }] }: FilePlan): Promise<void> {
  if (isBesideInputs) throw usageError('--shard takes one input, and --output FILE for its answers');
  await assertShardFiles(input, output);
}

/** Fails if a file has two roles, for example if it is both an input and an output. */
async function assertFilesDistinct(
  plan: FilePlan,
  { programFiles, chosen }: SolvingOptions,
  shard: Shard | null,
  stats: string | undefined,
): Promise<void> {
  const { reads, writes } = filesOfPlan(plan);
  const programs = programFiles?.paths ?? [];
  const records = shard === null ? [] : plan.pairs.map(({ output }) => shardRecordPath(output));
  await assertDistinct({
    reads: [
      ...reads,
      ...programs.map((path) => ({ path, role: 'part of the program' })),
      ...chosen.paths.map((path) => ({ path, role: 'problem' })),
    ],
    writes: [
      ...writes,
      ...records.map((path) => ({ path, role: 'the record of the shard' })),
      ...(stats === undefined || stats === '-' ? [] : [{ path: stats, role: '--stats' }]),
    ],
    compared: programFiles?.compared ?? [],
  });
}

/** The options that apply to all files of the run: how to solve the files and how to write their answers. */
interface SolvingContext {
  readonly solving: SolvingOptions;
  readonly options: RunOptions & { readonly stop: AbortSignal };
  readonly answerFileOptions: (file: FilePair) => AnswerFileOptions;
  /** The queue through which hosts get the chunks; null if they are solved here. */
  readonly queue: QueueUse | null;
  /** Aborted some time after the first signal: what is still being solved then stays without an answer. */
  readonly giveUp: AbortSignal;
  readonly note: PrintNote;
}

async function prepareContext(
  args: SolveArguments,
  solving: SolvingOptions,
  plan: FilePlan,
  shard: Shard | null,
  stop: AbortSignal,
  note: PrintNote,
): Promise<Omit<SolvingContext, 'queue' | 'giveUp' | 'note'>> {
  const { problem, jobs, chunkBytes, retries, argv } = solving;
  const { isBesideInputs } = plan;
  const settings = await prepareSettings(args, solving, shard, isCheckpointed(plan));
  const options = {
    problem,
    settings,
    chunkBytes,
    jobs,
    retries,
    // With -q --stats -, the statistics are the only text on standard error. They include the number of marked cases.
    warn: args.quiet && args.stats === '-' ? () => {} : printMessage,
    note,
    stop,
  };
  const answerFileOptions = ({ input }: FilePair): AnswerFileOptions => ({
    force: args.force,
    resume: args.resume,
    terms: termsOf(settings, input),
    // A program may give other answers next time.
    isRepeatable: argv === null,
    inputStamp: stampOfInput(input),
    dropsStaleRun: isBesideInputs,
    ...(shard === null ? {} : { shard: { terms: termsOf({ ...settings, shard: null }, input), shard } }),
    note: isBesideInputs ? () => {} : note,
  });
  return { solving, options, answerFileOptions };
}

/** Finds the shard in its input, after it has made sure that its answers may be written. */
async function addShard(context: SolvingContext, shard: Shard, file: FilePair): Promise<SolvingContext> {
  const { options, answerFileOptions } = context;
  await assertSinkUsable(file.output, answerFileOptions(file));
  const located = await locateShard(shard, file.input, options.stop);
  return { ...context, options: { ...options, shard: located } };
}

function inputBytesOf({ options: { shard } }: SolvingContext, files: readonly FilePair[]): number | null {
  return shard === undefined ? totalInputBytes(files) : bytesOfShard(shard);
}

/**
 * Collects the settings that change the output. The program's files are hashed only if there will be a checkpoint.
 */
async function prepareSettings(
  args: SolveArguments,
  solving: SolvingOptions,
  shard: Shard | null,
  isCheckpointed: boolean,
): Promise<OutputSettings> {
  const { problem, chosen, solver, argv, programFiles } = solving;
  const digests = isCheckpointed ? await programFiles?.digests() : undefined;
  return {
    version: version(),
    problem: { name: problem.name, identity: isCheckpointed ? await chosen.identify() : new Map() },
    solver,
    program: argv === null ? null : { commandLine: formatCommandLine(argv), digests: digests ?? new Map() },
    outputFormat: args.format as OutputFormat,
    columns: parseColumns(args, solving),
    onError: args.onError as ErrorPolicy,
    shard,
  };
}

function parseColumns(args: SolveArguments, { problem, argv }: SolvingOptions): Column[] {
  const text = parseSingleValue('--columns', args.columns, 'names of columns, separated by commas');
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  return checkColumns('--columns', names, {
    problem,
    hasProgram: argv !== null,
    hasColumns: hasColumns(args.format as OutputFormat),
  });
}

/** Returns the files to solve. If there are several, those that cannot be solved are left out, and reported. */
async function chooseFilesToSolve(
  { answerFileOptions }: SolvingContext,
  { pairs, isBesideInputs, unusableInputs }: FilePlan,
): Promise<ChosenFiles> {
  if (!isBesideInputs) return { toSolve: pairs, upToDate: 0, refusals: [] };
  const chosen = await chooseFiles(pairs, answerFileOptions);
  const refusals = [...unusableInputs, ...chosen.refusals];
  for (const refusal of refusals) reportError(refusal);
  return { ...chosen, refusals };
}

/** Solves the files, prints a summary if there are several, and returns the exit code. */
async function solveAndReport(
  context: SolvingContext,
  { isBesideInputs }: FilePlan,
  { toSolve, upToDate, refusals }: ChosenFiles,
  args: SolveArguments,
  tally: Tally,
): Promise<number> {
  const result = await solveAll(context, toSolve, isBesideInputs, isBarWanted(args), tally);
  if (result !== null) {
    const { solved, failures } = result;
    reportOutcome({ solved, failures: [...refusals, ...failures] }, upToDate, args.quiet);
  }
  return tally.failedCases > 0 ? EXIT_CODE.differs : EXIT_CODE.ok;
}

/** Solves the files. Returns the result if the answers go beside the inputs, and null for a single input. */
async function solveAll(
  context: SolvingContext,
  files: readonly FilePair[],
  isBeside: boolean,
  hasBar: boolean,
  tally: Tally,
): Promise<FilesResult | null> {
  const { solving, options, queue, giveUp, note } = context;
  const pool =
    queue === null
      ? await openDispatcher(solving, tally.inputBytes)
      : await openQueue(queue, solving, { note, stop: options.stop });
  giveUp.addEventListener('abort', () => pool.giveUp());
  const progress = await startProgress(tally, hasBar);
  const solve = (file: FilePair) => solveFile(file, pool, context, tally);
  try {
    if (isBeside) return await solveFiles(files, options.jobs, options.stop, solve);
    await solve(files[0]);
    return null;
  } finally {
    progress.stop();
    await pool.close();
    tally.workers = pool.mostWorkers;
  }
}

/** Solves one input and writes its answers. A failed file may leave a checkpoint behind. */
async function solveFile(
  file: FilePair,
  pool: Dispatcher,
  context: SolvingContext,
  tally: Tally,
): Promise<void> {
  const { solving } = context;
  const { stop, problem } = context.options;
  const options = {
    ...context.options,
    saveCase: (failed: FailedCase) => saveFailedCase(solving, file.input, failed),
  };
  const work = async (source: Source) => {
    const sink = await openAnswers(file.output, context.answerFileOptions(file));
    let outcome: RunOutcome;
    try {
      outcome = await runEngine(source, sink, pool, options, tally);
    } catch (error) {
      const isResumable = await sink.abandon();
      throw isResumable ? adviseResume(error) : error;
    }
    await sink.finish(outcome);
  };
  await withRunSource(file.input, problem, stop, work);
}

/** Returns the error of a run that has answers. If nothing is wrong with the run itself, the message now says how to go on. */
function adviseResume(error: unknown): unknown {
  const advice = 'the same command with --resume continues';
  if (error instanceof Interrupted) return new Interrupted(error.signal, `${error.message}; ${advice}`);
  if (error instanceof OutageError) return new OutageError(`${error.message}; ${advice}`, { cause: error });
  if (error instanceof ChangedFileError)
    return new ChangedFileError(error.path, '--resume continues once it is as it was, --force starts over');
  return error;
}

/**
 * Opens the output. If standard output is the terminal that shows the progress bar, the bar moves below the answers.
 */
async function openAnswers(path: string, options: AnswerFileOptions): Promise<Sink> {
  const isAboveBar = path === '-' && process.stdout.isTTY;
  return isAboveBar ? streamSink(process.stdout, printAboveStatus) : openSink(path, options);
}

/**
 * Writes the statistics of `--stats`. Returns the exit code of the run, or that of a failed write if it is graver.
 */
async function writeStats(
  file: ReportFile | null,
  tally: Tally,
  { problem, jobs }: SolvingOptions,
  code: number,
): Promise<number> {
  if (file === null) return code;
  // A run that failed before it answered a case must leave no file behind.
  const isWanted = !file.isFile || code < EXIT_CODE.usage || tally.cases > 0;
  try {
    if (isWanted) await file.write(`${printJson(tally.createStats(problem.name, jobs), 2)}\n`);
    else await file.discard();
    return code;
  } catch (error) {
    return Math.max(code, reportError(error));
  }
}
