import { BoardmillError } from '../core/errors.js';
import { withSource } from '../engine/input/with-source.js';
import { stampOfInput } from '../engine/output/checkpoint.js';
import { assertDistinct } from '../engine/output/distinct-files.js';
import { openSink } from '../engine/output/open-sink.js';
import { fingerprintOf } from '../engine/output-settings.js';
import { solveInput } from '../engine/run.js';
import { fillSink } from '../engine/sink.js';
import { RunTally, type Stats } from '../engine/tally.js';
import type { Column } from '../problems/output-columns.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../problems/output-formats.js';
import { checkValue, FLAG_RULE, type OptionRule, oneOfRule } from './check-options.js';
import {
  errorForCaller,
  openStoppableDispatcher,
  readSolveOptions,
  requestFromOptions,
  runOptionsOf,
  type SolveOptions,
  stopController,
} from './options.js';
import { columnsOfRequest, filesOfRequest, outputSettingsOf } from './solve-request.js';

/** How `solveFile` solves an input and writes the answers. */
export interface SolveFileOptions extends SolveOptions {
  /** The output format of the answers. Default: `text`. */
  readonly format?: OutputFormat;
  /** The columns that the formats `ndjson` and `csv` add to each answer. Default: none. */
  readonly columns?: readonly Column[];
  /** Whether to overwrite an answer file that boardmill did not write, and to drop an interrupted run. */
  readonly force?: boolean;
  /** Whether to continue an interrupted run from its checkpoint. */
  readonly resume?: boolean;
  /**
   * With `exec`: files and folders, besides the program, on which the answers depend. `resume` fails if one of them has
   * changed. Default: none.
   */
  readonly alsoCompare?: readonly string[];
}

/** An empty output would be found wrong only after the last case, when its file gets its name. */
const NAME_RULE: OptionRule = {
  expected: 'a text that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

const FILE_OPTION_RULES = {
  format: oneOfRule(OUTPUT_FORMATS),
  columns: {
    expected: 'an array of names of columns',
    accepts: (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  },
  force: FLAG_RULE,
  resume: FLAG_RULE,
  alsoCompare: {
    expected: 'an array of paths',
    accepts: (value: unknown) => Array.isArray(value) && value.every(NAME_RULE.accepts),
  },
};

/** See `solveFile` in functions.ts. */
export async function solveFile(
  problem: string,
  input: string,
  output: string,
  given: SolveFileOptions,
): Promise<Stats> {
  for (const [name, value] of Object.entries({ problem, input, output }))
    checkValue(`\`${name}\``, NAME_RULE, value);
  const options = readSolveOptions(given, FILE_OPTION_RULES);
  const { alsoCompare = [], format: outputFormat = 'text', onError = 'stop', signal } = options;
  if (options.exec === undefined && alsoCompare.length > 0)
    throw new BoardmillError('usage', '`alsoCompare` needs `exec`');
  const request = await requestFromOptions(problem, options, alsoCompare);
  const { program } = request;
  assertDistinct({
    reads: [{ path: input, role: 'input' }, ...filesOfRequest(request)],
    writes: [{ path: output, role: 'output' }],
    compared: program?.files.compared ?? [],
  });
  const columns = columnsOfRequest('`columns`', options.columns ?? [], outputFormat, request);
  const settings = await outputSettingsOf(request, { outputFormat, columns, onError, shard: null }, true);
  const controller = stopController(signal);
  const stop = controller.signal;
  const runOptions = runOptionsOf(request, options, { outputFormat, columns, onError }, stop);
  const tally = new RunTally();
  const running = withSource(input, stop, async (source) => {
    const dispatcher = await openStoppableDispatcher(request, source.size, stop);
    try {
      const sink = await openSink(output, {
        force: options.force ?? false,
        resume: options.resume ?? false,
        isRepeatable: program === null,
        inputStamp: stampOfInput(input),
        isOneOfMany: false,
        settingsFingerprint: fingerprintOf(settings, [input]),
        note: runOptions.warn,
      });
      await fillSink(
        sink,
        () => solveInput(source, sink, dispatcher, runOptions, tally),
        (error) => errorForCaller(error, signal),
      );
    } finally {
      await dispatcher.close();
    }
  });
  // The signal of the caller may live long. Aborting takes our listener from it.
  await running.finally(() => controller.abort('SIGTERM'));
  return tally.createStats(request.problem.name, request.jobs);
}
