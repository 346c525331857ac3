import { withSource } from '../engine/input/with-source.js';
import { stampOfInput } from '../engine/output/checkpoint.js';
import { assertDistinctFiles } from '../engine/output/distinct-files.js';
import { openSink } from '../engine/output/open-sink.js';
import { chunkSettingsOf, fingerprintOf } from '../engine/output-settings.js';
import { solveInput } from '../engine/run.js';
import { writeAndFinishSink } from '../engine/sink.js';
import { RunTally, type Stats } from '../engine/tally.js';
import type { SolveFileOptions } from './options.js';
import {
  createStopController,
  errorForCaller,
  openStoppableDispatcher,
  requestFromOptions,
  runOptionsOf,
} from './run-from-options.js';
import { columnsOfRequest, filesOfProblemAndProgram, outputSettingsOf } from './solve-request.js';
import { guardFolder } from './working-folder.js';

/** See `solveFile` in functions.ts. */
export async function solveFile(
  problem: string,
  input: string,
  output: string,
  options: SolveFileOptions,
  folder: string | null,
): Promise<Stats> {
  const guard = guardFolder(folder, { problem, input, options });
  const { alsoCompare = [], format: outputFormat = 'text', onError = 'stop', signal } = options;
  const request = await requestFromOptions(problem, options, alsoCompare);
  const { program } = request;
  assertDistinctFiles({
    reads: [{ path: input, role: 'input' }, ...filesOfProblemAndProgram(request)],
    writes: [{ path: output, role: 'output' }],
    compared: program?.files.compared ?? [],
  });
  const columns = columnsOfRequest('`columns`', options.columns ?? [], outputFormat, request);
  const settings = await outputSettingsOf(request, { outputFormat, columns, onError, shard: null }, true);
  const controller = createStopController(signal);
  const stop = controller.signal;
  const runOptions = runOptionsOf(request, options, chunkSettingsOf(settings), stop);
  const tally = new RunTally();
  const running = withSource(input, stop, async (source) => {
    const dispatcher = await openStoppableDispatcher(request, source.size, guard, stop);
    try {
      const sink = await openSink(
        output,
        {
          force: options.force ?? false,
          resume: options.resume ?? false,
          isRepeatable: program === null,
          inputStamp: stampOfInput(input),
          isOneOfMany: false,
          settingsFingerprint: fingerprintOf(settings, [input]),
          note: runOptions.warn,
        },
        stop,
      );
      await writeAndFinishSink(sink, () => solveInput(source, sink, dispatcher, runOptions, tally));
    } finally {
      await dispatcher.close();
    }
  });
  try {
    await running;
  } catch (error) {
    throw errorForCaller(error, signal);
  } finally {
    // The signal of the caller may live long. Aborting takes our listener from it.
    controller.abort('SIGTERM');
  }
  return tally.createStats(request.problem.name, request.jobs);
}
