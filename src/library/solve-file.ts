import { openProblem } from '../catalog/open-problem.js';
import { BoardmillError, Interrupted } from '../core/errors.js';
import { version } from '../core/version.js';
import { ComparedPath } from '../engine/exec/compared-path.js';
import { openSource } from '../engine/input/read.js';
import { stampOfInput } from '../engine/output/checkpoint.js';
import { assertDistinct } from '../engine/output/distinct-files.js';
import { openSink } from '../engine/output/open-sink.js';
import { type OutputSettings, termsOf } from '../engine/output-settings.js';
import { run } from '../engine/run.js';
import type { RunOutcome } from '../engine/run-outcome.js';
import { type Stats, Tally } from '../engine/tally.js';
import { grammarUseOf } from '../problems/grammar-use.js';
import { type Column, checkColumns } from '../problems/output-columns.js';
import { hasColumns, OUTPUT_FORMATS, type OutputFormat } from '../problems/output-formats.js';
import { checkValue, FLAG, oneOf, TEXT } from './check-options.js';
import {
  checkSolveOptions,
  findProgramFiles,
  openDispatcher,
  type SolveOptions,
  stopController,
  toRunOptions,
} from './options.js';

/** How `solveFile` solves an input and writes the answers. */
export interface SolveFileOptions extends SolveOptions {
  /** The form of the answers. Default: `text`. */
  readonly format?: OutputFormat;
  /** What the formats `ndjson` and `csv` add to each answer. Default: nothing. */
  readonly columns?: readonly Column[];
  /** Whether to overwrite an answer file that boardmill did not write, and to drop an interrupted run. */
  readonly force?: boolean;
  /** Whether to continue an interrupted run from its checkpoint. */
  readonly resume?: boolean;
  /**
   * With `exec`: files and folders that the answers depend on, as they do on the program. `resume` fails if one of them has
   * changed. Default: none.
   */
  readonly alsoCompare?: readonly string[];
}

const FILE_OPTION_RULES = {
  format: oneOf(OUTPUT_FORMATS),
  columns: {
    expected: 'an array of names of columns',
    accepts: (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  },
  force: FLAG,
  resume: FLAG,
  alsoCompare: {
    expected: 'an array of paths',
    accepts: (value: unknown) =>
      Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== ''),
  },
};

/** See `solveFile` in functions.ts. */
export async function solveFile(
  problem: string,
  input: string,
  output: string,
  options: SolveFileOptions,
): Promise<Stats> {
  for (const [name, value] of Object.entries({ problem, input, output }))
    checkValue(`\`${name}\``, TEXT, value);
  checkSolveOptions(options, FILE_OPTION_RULES);
  const opened = await openProblem(problem, grammarUseOf(options));
  const { exec, alsoCompare = [] } = options;
  if (exec === undefined && alsoCompare.length > 0)
    throw new BoardmillError('usage', '`alsoCompare` needs `exec`');
  const programFiles = await findProgramFiles(options, ComparedPath.findAll('`alsoCompare`', alsoCompare));
  await assertDistinct({
    reads: [
      { path: input, role: 'input' },
      ...opened.paths.map((path) => ({ path, role: 'problem' })),
      ...(programFiles?.paths ?? []).map((path) => ({ path, role: 'part of the program' })),
    ],
    writes: [{ path: output, role: 'output' }],
    compared: programFiles?.compared ?? [],
  });
  const { signal } = stopController(options.signal);
  const { stop, onError, ...runOptions } = toRunOptions(opened, options, signal);
  const outputFormat = options.format ?? 'text';
  const columns = checkColumns('`columns`', options.columns ?? [], {
    problem: opened.problem,
    hasProgram: programFiles !== null,
    hasColumns: hasColumns(outputFormat),
  });
  const settings: OutputSettings = {
    version: version(),
    problem: { name: opened.problem.name, identity: await opened.identify() },
    solver: options.solver ?? 'auto',
    program:
      programFiles === null
        ? null
        : { commandLine: (exec ?? []).join(' '), digests: await programFiles.digests() },
    outputFormat,
    columns,
    onError,
    shard: null,
  };
  const source = await openSource(input);
  const closeSource = () => void source.close();
  stop.addEventListener('abort', closeSource);
  const tally = new Tally();
  const dispatcher = await openDispatcher(opened, options, programFiles, source.size, stop);
  try {
    const sink = await openSink(output, {
      force: options.force ?? false,
      resume: options.resume ?? false,
      isRepeatable: programFiles === null,
      inputStamp: stampOfInput(input),
      dropsStaleRun: false,
      terms: termsOf(settings, input),
      note: runOptions.note,
    });
    let outcome: RunOutcome;
    try {
      outcome = await run(
        source,
        sink,
        dispatcher,
        { ...runOptions, settings: { outputFormat, columns, onError }, stop },
        tally,
      );
    } catch (error) {
      await sink.abandon();
      throw error instanceof Interrupted ? (options.signal?.reason ?? error) : error;
    }
    await sink.finish(outcome);
    return tally.createStats(opened.problem.name, runOptions.jobs);
  } finally {
    stop.removeEventListener('abort', closeSource);
    await Promise.all([source.close(), dispatcher.close()]);
  }
}
