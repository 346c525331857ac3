/** Solves what a run of `boardmill solve` has chosen: each output on its own, or all inputs for one table. */
import { dirname } from 'node:path';
import { makeDurableFolders } from '../../core/files/files.js';
import { remembered } from '../../core/remembered.js';
import { failuresAmong, processFiles } from '../../engine/input/process-files.js';
import { assertSameInputs, TableSink } from '../../engine/output/table-sink.js';
import type { ChunkSettings } from '../../engine/output-settings.js';
import type { RunOutcome } from '../../engine/run-outcome.js';
import type { Sink } from '../../engine/sink.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import type { RunTally } from '../../engine/tally.js';
import { reportFileFailure } from '../file-failures.js';
import type { ChosenOutput } from './choose-outputs.js';
import type { PlannedOutput } from './plan-files.js';

/** What solving several inputs needs. */
interface SolvingInputs {
  readonly workers: number;
  readonly stop: AbortSignal;
}

/** The result of making several outputs. */
export interface OutputsResult {
  /** Number of outputs that were made. */
  readonly made: number;
  /** The errors of the outputs that failed, in the order of the outputs. */
  readonly failures: readonly unknown[];
}

/** Makes outputs of one input each, and the folders for them. Each failure is reported; the other outputs are still made. */
export async function writeAnswerOutputs(
  outputs: readonly ChosenOutput[],
  { workers, stop }: SolvingInputs,
  make: (output: ChosenOutput) => Promise<void>,
): Promise<OutputsResult> {
  const files = outputs.map((output) => {
    const [input] = output.inputs;
    return { input, bytes: output.options.inputStamp?.bytes ?? null, output };
  });
  const folders = new Map<string, Promise<void>>();
  const endings = await processFiles(
    files,
    workers,
    stop,
    async ({ output }) => {
      await remembered(folders, dirname(output.path), (folder) => makeDurableFolders(folder));
      await make(output);
    },
    (_, ending) => {
      if ('failure' in ending) reportFileFailure(ending.failure);
    },
  );
  const failures = failuresAmong(endings);
  return { made: outputs.length - failures.length, failures };
}

/**
 * Writes the answers to all inputs of a table, in their order. Several small inputs are solved at the same time. The first
 * failure ends the run, because the rows after it would not be where they belong. A run that continues another one begins at
 * the input at which that one has stopped.
 */
export async function writeTableAnswers(
  { path, inputs }: PlannedOutput,
  sink: Sink,
  settings: ChunkSettings,
  tally: RunTally,
  { workers, stop }: SolvingInputs,
  solve: (input: string, sink: Sink) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const table = new TableSink(sink, settings);
  const { before } = table;
  if (before.inputs > 0) await assertSameInputs(path, inputs, before, stop);
  tally.addResumedInputs(before);
  const files = inputs.slice(before.inputs).map((input) => ({ input }));
  const solveNext = async ({ input }: { input: string }) => {
    const sinkOfInput = table.openNextSink();
    await writeAndFinishSink(sinkOfInput, () => solve(input, sinkOfInput));
  };
  const [failure] = failuresAmong(await processFiles(files, workers, stop, solveNext, () => {}));
  if (failure !== undefined) throw failure;
  return table.finish();
}
