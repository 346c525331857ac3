/** `boardmill solve`: solves every test case of the inputs and writes the answers. */

import { Interrupted, OutageError } from '../../core/errors.js';
import { assertAutomaticNameIsSafe, makeDurableFolders } from '../../core/files/files.js';
import { printJson } from '../../core/printable.js';
import { type GracefulStop, interruptionError } from '../../core/stop.js';
import type { Audit } from '../../engine/audit/audit.js';
import { AuditedSink } from '../../engine/audit/audited-sink.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ChangedFileError } from '../../engine/guarded-dispatcher.js';
import { totalInputBytes } from '../../engine/input/process-files.js';
import { type Shard, type ShardOfInput, shardByteLength } from '../../engine/input/shard.js';
import type { Source } from '../../engine/input/source.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { stampOfInput } from '../../engine/output/checkpoint.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { openSink, streamSink } from '../../engine/output/open-sink.js';
import { openReportFile, type ReportFile } from '../../engine/output/report-file.js';
import { shardRecordPath } from '../../engine/output/shard-record.js';
import { chunkSettingsOf, fingerprintOf, type OutputSettings } from '../../engine/output-settings.js';
import { GivenUpError } from '../../engine/recover.js';
import { solveInput as runEngine } from '../../engine/run.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { RunOutcome } from '../../engine/run-outcome.js';
import { type Sink, writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import {
  columnsOfRequest,
  filesOfProblemAndProgram,
  outputSettingsOf,
  type SolveRequest,
} from '../../library/solve-request.js';
import { COLUMNS, type Column } from '../../problems/output-columns.js';
import { OUTPUT_FORMATS } from '../../problems/output-formats.js';
import { alsoCompareOption, noteOnImports } from '../arguments/also-compare.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { QUEUE_URL_HELP, queueOption } from '../arguments/queue-options.js';
import * as row from '../arguments/rows.js';
import { assertShardFilesRegular, SHARD_OPTION } from '../arguments/shard-options.js';
import { openDispatcher, prepareSolving, SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';
import { assertGiven, parseFileEnding, parsePercentage } from '../arguments/values.js';
import {
  openQueueDispatcher,
  planQueue,
  type QueueUse,
  WORKER_WAIT_SECONDS_IF_QUIET,
} from '../cluster/queue-use.js';
import { EXIT_CODE, notePrinter, type PrintNote, printError, printMessage, reportError } from '../exit.js';
import { locateShard } from '../inputs/shard-input.js';
import { withRunSource } from '../inputs/with-input.js';
import { saveFailedCase } from '../save-case.js';
import { runWithSignals } from '../signals.js';
import { type ChosenOutput, type ChosenOutputs, chooseOutputs } from '../solve/choose-outputs.js';
import { openAudit } from '../solve/open-audit.js';
import {
  type FilePlan,
  filesOfPlan,
  inputsOfPlan,
  type PlannedOutput,
  planFiles,
} from '../solve/plan-files.js';
import { type OutputsResult, writeAnswerOutputs, writeTableAnswers } from '../solve/solve-outputs.js';
import { reportFailedRun, reportRun } from '../solve/summary.js';
import { isBarWanted } from '../status/progress.js';
import { printAboveStatus } from '../status/terminal.js';
import { withDispatcher } from '../with-dispatcher.js';

/** The number of workers stands above the other options for solving, because it is used most. */
const { jobs, ...solvingOptions } = SOLVING_OPTIONS;

/** The arguments and options of `boardmill solve`. */
export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
  options: {
    output: row.outputOption(
      'file for the answers; - is standard output, which is the default for one input; with ndjson or csv, several inputs make one table',
      { excludes: ['ext', 'out-dir'] },
    ),
    jobs,
    format: row.choiceOption(
      OUTPUT_FORMATS,
      'text',
      'format of the answers; text: as the contest wants them; ndjson: one JSON object per case; csv: a table',
    ),
    columns: row.valueOption(
      parseColumns,
      `with ndjson or csv, what to add to each answer, separated by commas: ${COLUMNS.join(', ')} (rows, cols and board: board games, and modules whose cases have exactly one grid; nimber: bacterial-tactics, darkraft, and modules that state it)`,
      { listOf: COLUMNS },
    ),
    force: row.forceOption(
      '; also solve inputs again whose answers are up to date, and start an interrupted run over',
    ),
    resume: row.flagOption('continue an interrupted run from its checkpoint', {
      excludes: [['force', 'one continues a run, the other starts it over']],
    }),
    'on-error': row.choiceOption(
      ['stop', 'mark'],
      'stop',
      'what to do if a case is invalid or fails; stop: end the run; mark: answer ERROR and continue',
    ),
    ext: row.valueOption(
      parseFileEnding,
      'write the answers to NAME.in into NAME + EXT, in the same folder (default for several inputs: .ans, or .ndjson or .csv with that format)',
      { value: 'EXT' },
    ),
    'out-dir': row.folderOption(
      'write the answers of each input into this folder, below which they have the same folders as the inputs; it is made if it is missing',
    ),
    stats: row.fileOption(
      'file for statistics of the run as JSON, such as its speed and its slowest cases; - is standard error',
    ),
    audit: row.valueOption(
      parsePercentage,
      'solve this share of the cases, which no worker can foresee, once more as their mirror images or the like, and compare the answers; at a difference, end with exit code 4 and save both boards',
      { value: 'PERCENT' },
    ),
    ...row.optionGroup('Several machines', {
      queue: queueOption(
        `let worker processes (boardmill worker) solve, which get the chunks through this Redis server: ${QUEUE_URL_HELP}`,
      ),
      'shared-input': row.flagOption(
        'with --queue: the worker processes read the inputs themselves, from the same paths; only places in them are sent',
        { needs: 'queue' },
      ),
      'wait-workers': row.secondsOption(
        `with --queue: seconds to wait for the first worker process, and then end with exit code 4 (default: without end; with -q ${WORKER_WAIT_SECONDS_IF_QUIET})`,
        { needs: 'queue' },
      ),
      shard: SHARD_OPTION,
    }),
    ...solvingOptions,
    ...row.optionGroup('With --exec', {
      'also-compare': alsoCompareOption(
        'with --exec: a file or folder that answers depend on, as they do on the program: if it changes, --resume and worker processes refuse; may be given several times',
      ),
    }),
  },
  examples: [
    ['boardmill solve bacterial-tactics big.in -o big.ans', 'solve a file on all processors'],
    ['boardmill solve ./sums.mjs big.in -o big.ans', 'solve a problem of your own, which a module defines'],
    [
      "boardmill solve ./sums.ctd big.in --exec './mine'",
      'run ./mine on all processors; a grammar describes the input',
    ],
    ['xzcat big.in.xz | boardmill solve darkraft -j 4 > big.ans', 'read from a pipe, with four workers'],
    ['boardmill solve zu secret/*.in --ext .ans', 'solve many files; each answer file goes beside its input'],
    [
      'boardmill solve zu data --out-dir answers',
      'solve all *.in files in a folder; answers go to another folder',
    ],
    ['boardmill solve zu data --format csv -o all.csv', 'write the answers to all of them as one table'],
    [
      'boardmill solve darkraft big.in --format csv --columns nimber',
      'print a table with the nimber of each board',
    ],
    [
      'boardmill solve zu big.in -o big.ans --queue redis://queue.local',
      'let all worker processes solve that wait on this Redis server',
    ],
    [
      'boardmill solve bt mixed.in --on-error mark --stats -',
      'answer ERROR to invalid cases, and print statistics',
    ],
    [
      'boardmill solve bt big.in --shard 3/8 -o big.ans.3',
      'solve the third of eight shards; boardmill merge big.ans.* -o big.ans joins them',
    ],
  ],
} satisfies CommandSyntax;

type SolveArguments = CommandLineValues<typeof syntax>;

export async function run(args: SolveArguments): Promise<number> {
  const note = notePrinter(args.quiet);
  const request = await prepareSolving(args, note);
  const { shard, stats: statsFile } = args;
  const plan = await planFiles(args);
  const queue = await planQueue(args, inputsOfPlan(plan), request.jobs);
  if (shard !== null) await assertShardable(plan);
  const audit = args.audit === null ? null : openAudit(request.problem, args.audit);
  await assertFilesDistinct(plan, request, shard, statsFile);
  noteImports(request, isCheckpointed(plan) || queue !== null, note);
  return runWithSignals('finishing the cases that are being solved', note, async ({ stop, giveUp }) => {
    const settings = await settingsOf(args, plan, request, isCheckpointed(plan));
    const context = { args, plan, request, settings, shard, queue, audit, stop, giveUp, note };
    const chosen = await chooseOutputs(plan, (output) => answerFileOptions(context, output), stop);
    if (args.outDir !== null && chosen.toMake.length > 0) await makeDurableFolders(args.outDir);
    const shardOfInput = shard === null ? undefined : await locateShard(shard, inputsOfPlan(plan)[0], stop);
    const tally = openTally(chosen, shardOfInput);
    tally.audit = audit;
    const stats = statsFile === null ? null : await openReportFile(statsFile, 'report', args.force);
    for (const refusal of chosen.refusals) reportError(refusal);
    const code = await solveAndReport(context, chosen, shardOfInput, tally).catch((error: unknown) =>
      reportFailedRun(context, error, tally),
    );
    return await writeStats(stats, tally, request, code);
  });
}

/** The settings that all files of a run share. */
interface SolvingContext extends GracefulStop {
  readonly args: SolveArguments;
  readonly plan: FilePlan;
  readonly request: SolveRequest;
  readonly settings: OutputSettings;
  readonly shard: Shard | null;
  /** The queue through which worker processes get the chunks; null if this process solves the chunks. */
  readonly queue: QueueUse | null;
  readonly audit: Audit | null;
  readonly note: PrintNote;
}

/** Notes once that the program may import other files, if the run compares the program with that of another run or machine. */
function noteImports({ program }: SolveRequest, isCompared: boolean, note: PrintNote): void {
  if (program === null || !isCompared || program.files.compared.length !== 0) return;
  const text = noteOnImports(program.argv);
  if (text !== null) note(text);
}

/** Whether the answers go to a file. Such a run writes a checkpoint beside the file. */
function isCheckpointed({ outputs }: FilePlan): boolean {
  return outputs.some(({ path }) => path !== '-');
}

/** Fails if the run has several inputs, or if its files are not suitable for a shard. */
async function assertShardable({ layout, outputs: [{ path, inputs }] }: FilePlan): Promise<void> {
  if (layout !== 'one') throw usageError('--shard takes one input, and --output FILE for its answers');
  await assertShardFilesRegular(inputs[0], path);
}

/** Fails if a file has two roles, for example if it is both an input and an output. */
async function assertFilesDistinct(
  plan: FilePlan,
  request: SolveRequest,
  shard: Shard | null,
  stats: string | null,
): Promise<void> {
  const { reads, writes } = filesOfPlan(plan);
  const records = shard === null ? [] : plan.outputs.map(({ path }) => shardRecordPath(path));
  assertDistinctFiles({
    reads: [...reads, ...filesOfProblemAndProgram(request)],
    writes: [
      ...writes,
      ...records.map((path) => ({ path, role: 'the record of the shard' })),
      ...(stats === null || stats === '-' ? [] : [{ path: stats, role: '--stats' }]),
    ],
    compared: request.program?.files.compared ?? [],
  });
}

function parseColumns(text: string, option: string): string[] {
  const names = assertGiven(text, option, 'names of columns, separated by commas').split(',');
  return names.map((name) => name.trim());
}

/** Collects the settings on which the output depends. */
async function settingsOf(
  args: SolveArguments,
  { layout }: FilePlan,
  request: SolveRequest,
  isCompared: boolean,
): Promise<OutputSettings> {
  const { format: outputFormat, onError, shard } = args;
  const named = columnsOfRequest('--columns', args.columns ?? [], outputFormat, request);
  const fileFirst = layout === 'table';
  const columns: Column[] = fileFirst ? ['file', ...named.filter((name) => name !== 'file')] : named;
  return outputSettingsOf(request, { outputFormat, columns, onError, fileFirst, shard }, isCompared);
}

/** Returns the options for writing the answers to a file. */
function answerFileOptions(
  { args, plan: { layout }, request, settings, shard, queue, note }: SolvingContext,
  { inputs }: PlannedOutput,
): AnswerFileOptions {
  return {
    force: args.force,
    resume: args.resume,
    settingsFingerprint: fingerprintOf(settings, inputs),
    // A program may print other answers in another run.
    isRepeatable: request.program === null,
    inputStamp: layout === 'table' ? null : stampOfInput(inputs[0]),
    isOneOfMany: layout === 'each',
    isNamedAtOnce: queue !== null,
    ...(shard === null
      ? {}
      : { shard: { settingsFingerprint: fingerprintOf({ ...settings, shard: null }, inputs), shard } }),
    note,
  };
}

function openTally({ toMake, upToDate, refusals }: ChosenOutputs, shard: ShardOfInput | undefined): RunTally {
  const tally = new RunTally();
  const inputs = inputsOfPlan({ outputs: toMake }).map((input) => ({ input }));
  tally.inputBytes = shard === undefined ? totalInputBytes(inputs) : shardByteLength(shard);
  tally.isUpToDate = upToDate.length > 0 && toMake.length === 0 && refusals.length === 0;
  return tally;
}

/** Solves what was chosen, says how it went, and returns the exit code. */
async function solveAndReport(
  context: SolvingContext,
  chosen: ChosenOutputs,
  shard: ShardOfInput | undefined,
  tally: RunTally,
): Promise<number> {
  const result =
    chosen.toMake.length === 0
      ? { made: 0, failures: [] }
      : await solveChosen(context, chosen.toMake, shard, tally);
  reportRun(context, result, chosen, tally);
  const found = context.audit?.describe() ?? null;
  // Answers that could not be compared are worth a line also with -q.
  if (found !== null && context.audit!.stats.uncompared > 0) printMessage(found);
  else if (found !== null) context.note(found);
  return tally.failedCases > 0 ? EXIT_CODE.differs : EXIT_CODE.ok;
}

/** Opens what solves, and makes the outputs. */
async function solveChosen(
  context: SolvingContext,
  outputs: readonly ChosenOutput[],
  shard: ShardOfInput | undefined,
  tally: RunTally,
): Promise<OutputsResult> {
  const { args, plan, request, queue, stop, giveUp, note } = context;
  const dispatcher =
    queue === null
      ? await openDispatcher(request, tally.inputBytes)
      : await openQueueDispatcher(queue, request, { note, stop });
  const make = (output: ChosenOutput) => makeOutput(output, dispatcher, context, shard, tally);
  const makeAll = async () => {
    if (plan.layout === 'each') return writeAnswerOutputs(outputs, { workers: request.jobs, stop }, make);
    await make(outputs[0]);
    return { made: 1, failures: [] };
  };
  const frame = { giveUp, tally, isBarShown: isBarWanted(args) };
  return withDispatcher(dispatcher, frame, makeAll).finally(() => {
    tally.workers = dispatcher.mostWorkers;
  });
}

/** Solves the inputs of an output and writes their answers. If that fails, it may leave a checkpoint behind. */
async function makeOutput(
  output: ChosenOutput,
  dispatcher: Dispatcher,
  context: SolvingContext,
  shard: ShardOfInput | undefined,
  tally: RunTally,
): Promise<void> {
  const { plan, request, settings, audit, stop } = context;
  const { problem, jobs } = request;
  const solve = async (input: string, source: Source, sink: Sink) => {
    const options = runOptionsOf(context, input, shard);
    if (audit === null) return runEngine(source, sink, dispatcher, options, tally);
    const audited = new AuditedSink(sink, audit, dispatcher, source.name, options.settings);
    const outcome = await runEngine(source, audited, dispatcher, options, tally);
    await audited.settle().catch((error: unknown) => {
      throw error instanceof GivenUpError && stop.aborted
        ? interruptionError(stop, ' before all drawn answers were compared')
        : error;
    });
    return outcome;
  };
  if (plan.layout === 'table') {
    const solveInput = (input: string, sink: Sink) =>
      withRunSource(input, problem, stop, (source) => solve(input, source, sink));
    const workers = { workers: jobs, stop };
    await fillOutput(output, context, (sink) =>
      writeTableAnswers(output, sink, settings, tally, workers, solveInput),
    );
    return;
  }
  const [input] = output.inputs;
  // The input is opened first, so that nothing is left behind if that fails.
  await withRunSource(input, problem, stop, (source) =>
    fillOutput(output, context, (sink) => solve(input, source, sink)),
  );
}

/** Opens the output, and finishes it when `solve` has written all answers. */
async function fillOutput(
  { path, options }: ChosenOutput,
  { stop }: SolvingContext,
  solve: (sink: Sink) => Promise<RunOutcome>,
): Promise<void> {
  const sink = await openAnswers(path, options, stop);
  await writeAndFinishSink(
    sink,
    () => solve(sink),
    (error, isResumable) => (isResumable ? adviseResume(error) : error),
  );
}

function runOptionsOf(
  { args, request, settings, stop, note }: SolvingContext,
  input: string,
  shard: ShardOfInput | undefined,
): RunOptions {
  const { problem, chunkBytes, retries } = request;
  return {
    problem,
    settings: chunkSettingsOf(settings),
    chunkBytes,
    retries,
    ...(shard === undefined ? {} : { shard }),
    // With `-q --stats -`, the statistics are the only text on standard error. They include the number of marked cases.
    warn: args.quiet && args.stats === '-' ? () => {} : printError,
    note,
    saveCase: (failed) => saveFailedCase(request, input, failed, settings.columns),
    stop,
  };
}

/** Returns the error of a run that has written answers. If the run itself is fine, its message says how to continue it. */
function adviseResume(error: unknown): unknown {
  const advice = 'the same command with --resume continues';
  if (error instanceof Interrupted) return new Interrupted(error.signal, `${error.message}; ${advice}`);
  if (error instanceof OutageError) return new OutageError(`${error.message}; ${advice}`, { cause: error });
  if (error instanceof ChangedFileError)
    return new ChangedFileError(error.path, '--resume continues once it is as it was, --force starts over');
  return error;
}

/**
 * Opens the file or stream for the answers. If standard output is the terminal with the progress bar, the bar moves below the
 * answers.
 */
async function openAnswers(path: string, options: AnswerFileOptions, stop: AbortSignal): Promise<Sink> {
  // What lies there may have come since the outputs were chosen.
  if (options.isOneOfMany) await assertAutomaticNameIsSafe(path);
  const isAboveBar = path === '-' && process.stdout.isTTY;
  return isAboveBar ? streamSink(process.stdout, printAboveStatus) : openSink(path, options, stop);
}

/** Writes the statistics of `--stats`. Returns the exit code of the run, or that of a failed write if that is more serious. */
async function writeStats(
  file: ReportFile | null,
  tally: RunTally,
  { problem, jobs }: SolveRequest,
  code: number,
): Promise<number> {
  if (file === null) return code;
  // If a run fails before it has answered a case, the file of `--stats` is removed.
  const isWanted = !file.isFile || code < EXIT_CODE.usage || tally.cases > 0;
  try {
    if (isWanted) await file.write(`${printJson(tally.createStats(problem.name, jobs), 2)}\n`);
    else await file.discard();
    return code;
  } catch (error) {
    return Math.max(code, reportError(error));
  }
}
