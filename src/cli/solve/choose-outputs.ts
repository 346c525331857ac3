/** Chooses which outputs a run of `boardmill solve` makes, before anything is solved. */
import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { assertAutomaticNameIsSafe, fileError, statOrNull } from '../../core/files/files.js';
import { KnownFolders } from '../../core/files/identity.js';
import { formatQuantity } from '../../core/format-count.js';
import { assertReadable } from '../../engine/input/read.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { CheckpointRefusal } from '../../engine/output/checkpoint.js';
import { areAnswersUpToDate, OverwriteRefusal } from '../../engine/output/ledger.js';
import { assertSinkUsable, hasUnfinishedRun, removeLeftovers } from '../../engine/output/open-sink.js';
import type { FilePlan, PlannedOutput } from './plan-files.js';

/** An output, and the options with which it is written. */
export interface ChosenOutput extends PlannedOutput {
  readonly options: AnswerFileOptions;
}

/** Which outputs are made. */
export interface ChosenOutputs {
  readonly toMake: readonly ChosenOutput[];
  /** The outputs whose answers were made from the same inputs with the same options. */
  readonly upToDate: readonly ChosenOutput[];
  /** One error for each output that cannot be made, or not before an interrupted run on it is continued or dropped. */
  readonly refusals: readonly BoardmillError[];
}

/**
 * Chooses the outputs to make. If each input has an output of its own, an input that cannot be read, an output that cannot be
 * written, and what an interrupted run has left keep no other output from being made. Fails if a file must not be overwritten,
 * or if no output can be made.
 */
export async function chooseOutputs(
  { outputs, layout, unusableInputs }: FilePlan,
  optionsOf: (output: PlannedOutput) => AnswerFileOptions,
  stop: AbortSignal,
): Promise<ChosenOutputs> {
  const folders = new KnownFolders(outputs.length);
  const usable: ChosenOutput[] = [];
  const found: BoardmillError[] = [];
  for (const planned of outputs) {
    const output = { ...planned, options: optionsOf(planned) };
    const refusal = await refusalOf(output, layout, folders);
    if (refusal === null) usable.push(output);
    else found.push(refusal);
  }
  assertNotRefused(layout === 'each' ? refusalsOfRun(found, outputs.length) : found, layout);
  const toMake: ChosenOutput[] = [];
  const upToDate: ChosenOutput[] = [];
  for (const output of usable) ((await isUpToDate(output, folders, stop)) ? upToDate : toMake).push(output);
  for (const { path } of upToDate) await removeLeftovers(path);
  return { toMake, upToDate, refusals: [...unusableInputs, ...found] };
}

/** Returns why an output cannot be made; null if it can. */
async function refusalOf(
  { path, inputs, options }: ChosenOutput,
  layout: FilePlan['layout'],
  folders: KnownFolders,
): Promise<BoardmillError | null> {
  try {
    if (layout !== 'one') for (const input of inputs) assertReadable(input);
    if (layout === 'each') await assertFileMayLieAt(path, folders);
    await assertSinkUsable(path, options, folders);
    return null;
  } catch (error) {
    if (error instanceof BoardmillError) return error;
    throw error;
  }
}

/** Fails unless a regular file is there, or can be made. Folders that are missing will be made. */
async function assertFileMayLieAt(path: string, folders: KnownFolders): Promise<void> {
  if (!folders.areWithout(path)) await assertAutomaticNameIsSafe(path);
  const folder = dirname(resolve(path));
  if (folders.identityOf(folder) === null) assertFolderCanBeMade(path, dirname(folder));
}

function assertFolderCanBeMade(path: string, above: string): void {
  const stats = statOrNull(above);
  if (stats === null) {
    assertFolderCanBeMade(path, dirname(above));
    return;
  }
  try {
    if (stats.isDirectory()) accessSync(above, constants.W_OK);
  } catch (error) {
    throw fileError('create', path, error);
  }
}

/**
 * Returns the refusals that end the whole run: those that the user must decide or correct, and, if no output can be made, all
 * of them, so that a folder without write permission gives one message.
 */
function refusalsOfRun(refusals: readonly BoardmillError[], outputs: number): readonly BoardmillError[] {
  const others = refusals.filter((refusal) => !(refusal instanceof CheckpointRefusal));
  if (others.length === outputs) return others;
  return others.filter((refusal) => refusal.kind === 'usage' || refusal instanceof OverwriteRefusal);
}

/** Fails with the first of these errors, if there is one. */
function assertNotRefused(refusals: readonly BoardmillError[], layout: FilePlan['layout']): void {
  const [first] = refusals;
  if (first === undefined) return;
  if (layout !== 'each') throw first;
  const others =
    refusals.length === 1 ? '' : ` (and ${formatQuantity(refusals.length - 1, 'other file')} like it)`;
  throw new BoardmillError(first.kind, `${first.message}${others}; no file was solved`);
}

async function isUpToDate(
  { path, inputs, options }: ChosenOutput,
  folders: KnownFolders,
  stop: AbortSignal,
): Promise<boolean> {
  const { force, isRepeatable, shard, settingsFingerprint } = options;
  // A run on a shard does not read its input to the end, so nothing tells whether the rest of it has changed.
  if (force || !isRepeatable || shard !== undefined || path === '-') return false;
  if (folders.areWithout(path)) return false;
  // What an unfinished run has left would stay there.
  if (hasUnfinishedRun(path)) return false;
  return areAnswersUpToDate(path, inputs, settingsFingerprint, stop);
}
