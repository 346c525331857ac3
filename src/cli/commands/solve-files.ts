/** Plans which inputs `boardmill solve` reads and to which files it writes the answers, and solves several files together. */

import { BoardmillError } from '../../core/errors.js';
import { fileKindOf } from '../../core/files/files.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { ANSWER_ENDING, stemOf } from '../../engine/input/file-names.js';
import { failuresOf, processFiles } from '../../engine/input/process-files.js';
import { openSource } from '../../engine/input/read.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { CheckpointRefusal } from '../../engine/output/checkpoint.js';
import type { FilesOfRun } from '../../engine/output/distinct-files.js';
import { areUpToDate } from '../../engine/output/ledger.js';
import { assertNameUsable, assertSinkUsable } from '../../engine/output/open-sink.js';
import type { OutputFormat } from '../../problems/output-formats.js';
import { usageError } from '../arguments/usage-error.js';
import { printMessage } from '../exit.js';
import { reportFailure, throwGravest, throwUnreported } from '../file-failures.js';
import { expandInputs } from '../inputs/expand-inputs.js';

/** The paths of an input and of the file for its answers. `-` means standard input and standard output. */
export interface FilePair {
  readonly input: string;
  readonly output: string;
}

/** The input files and answer files of a run of `boardmill solve`. */
export interface FilePlan {
  readonly pairs: readonly FilePair[];
  /**
   * Whether the answers go to files beside their inputs. If so, inputs whose answers are up to date are skipped, and
   * a summary is printed at the end.
   */
  readonly isBesideInputs: boolean;
  /** The errors of inputs that cannot be read, one for each. They are reported, and all other inputs are solved. */
  readonly unusableInputs: readonly BoardmillError[];
}

/** The options on which the plan of the files depends. */
interface PlanOptions {
  readonly inputs: readonly string[];
  readonly output: string | null;
  readonly ext: string | null;
  readonly format: OutputFormat;
  readonly resume: boolean;
}

/** The extensions of answer files for each output format. Tools of contests read files that end in `.ans`. */
const ENDINGS: Readonly<Record<OutputFormat, string>> = {
  text: ANSWER_ENDING,
  ndjson: '.ndjson',
  csv: '.csv',
};

/**
 * Plans where the answers go. The answers of a single input go to `--output`, or to standard output. With several
 * inputs, a folder or `--ext`, the answers of each input go to a file beside the input.
 */
export async function planFiles(args: PlanOptions): Promise<FilePlan> {
  const { output, ext } = args;
  const { files, hasFolder, unusableInputs } = await expandInputs(args.inputs);
  const isBesideInputs = files.length > 1 || hasFolder || ext !== null;
  if (isBesideInputs && output !== null) {
    throw usageError(
      '--output takes one input; the answers of several inputs go to files beside them (see --ext)',
    );
  }
  if (isBesideInputs) {
    const pairs = files.map((input) => ({
      input,
      output: answerPathBeside(input, ext ?? ENDINGS[args.format]),
    }));
    return { pairs, isBesideInputs, unusableInputs };
  }
  if (args.resume && (output ?? '-') === '-')
    throw usageError('--resume needs --output FILE: there is no checkpoint for standard output');
  if (output !== null) await assertNameUsable(output);
  return { pairs: [{ input: files[0], output: output ?? '-' }], isBesideInputs, unusableInputs };
}

/** Returns the path of the answer file beside an input: `NAME.in` and `NAME.in.gz` become `NAME` + `ext`. */
function answerPathBeside(input: string, ext: string): string {
  if (input === '-') {
    throw usageError(
      'standard input (-) must be solved separately, with --output: it has no folder for its answers',
    );
  }
  return stemOf(input) + ext;
}

/** Returns the files that the run reads and writes, to check that no file has two roles. */
export function filesOfPlan({ pairs }: FilePlan): FilesOfRun {
  return {
    reads: pairs.map(({ input }) => ({ path: input, role: 'input' })),
    writes: pairs.map(({ output }) => ({ path: output, role: 'output' })),
  };
}

/** The files of a run that have to be solved. */
export interface FilesToSolve {
  readonly toSolve: readonly FilePair[];
  /** Number of files whose answers were made from the same input with the same options. */
  readonly upToDate: number;
  /** The errors of files that are not solved because an earlier run on them was interrupted, one for each. */
  readonly refusals: readonly BoardmillError[];
}

/**
 * Chooses the files to solve, before any file is solved. An interrupted run on one file does not prevent the others from being
 * solved. Fails if an input cannot be read, or if an answer file must not be overwritten.
 */
export async function chooseFiles(
  pairs: readonly FilePair[],
  optionsOf: (pair: FilePair) => AnswerFileOptions,
): Promise<FilesToSolve> {
  const refusals = new Map<FilePair, BoardmillError>();
  for (const pair of pairs) {
    const refusal = await refusalOf(pair, optionsOf(pair));
    if (refusal !== null) refusals.set(pair, refusal);
  }
  assertNotRefused([...refusals.values()].filter((refusal) => !(refusal instanceof CheckpointRefusal)));
  const usable = pairs.filter((pair) => !refusals.has(pair));
  const toSolve: FilePair[] = [];
  for (const pair of usable) {
    if (!(await isUpToDate(pair, optionsOf(pair)))) toSolve.push(pair);
  }
  return { toSolve, upToDate: usable.length - toSolve.length, refusals: [...refusals.values()] };
}

/** Returns why a file cannot be solved; null if it can be. */
async function refusalOf(
  { input, output }: FilePair,
  options: AnswerFileOptions,
): Promise<BoardmillError | null> {
  try {
    // A FIFO is not opened here, because opening it would wait until another process writes to it.
    if ((await fileKindOf(input, 'open')) !== 'special') await (await openSource(input)).close();
    // The user did not name this answer file. So if something other than a file lies there, it may belong to anybody.
    if ((await fileKindOf(output, 'create')) === 'special')
      throw new BoardmillError('file', `cannot create ${output}: it is not a regular file`);
    await assertSinkUsable(output, options);
    return null;
  } catch (error) {
    if (error instanceof BoardmillError) return error;
    throw error;
  }
}

/** Fails with the first of these errors; does nothing if there is none. */
function assertNotRefused(refusals: readonly BoardmillError[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  const others =
    refusals.length === 1 ? '' : ` (and ${formatQuantity(refusals.length - 1, 'other file')} like it)`;
  throw new BoardmillError(first.kind, `${first.message}${others}; no file was solved`);
}

async function isUpToDate({ input, output }: FilePair, options: AnswerFileOptions): Promise<boolean> {
  const { force, isRepeatable, settingsFingerprint } = options;
  return !force && isRepeatable && (await areUpToDate(output, input, settingsFingerprint));
}

/** The result of solving many files. */
interface FilesResult {
  /** The number of files that were solved. */
  readonly solved: number;
  /** The errors of the files that failed, in the order of the files. */
  readonly failures: readonly unknown[];
}

/** Solves the files one after another. If a file fails, reports that and continues with the next one. */
export async function solveFiles(
  pairs: readonly FilePair[],
  workers: number,
  stop: AbortSignal,
  solve: (pair: FilePair) => Promise<void>,
): Promise<FilesResult> {
  const endings = await processFiles(pairs, workers, stop, solve, (_, ending) => {
    if ('failure' in ending) reportFailure(ending.failure);
  });
  const failures = failuresOf(endings);
  return { solved: pairs.length - failures.length, failures };
}

/**
 * Prints the summary of a run over many files. If some files failed, throws an error whose message is the summary and
 * whose exit code is the gravest of all failures.
 */
export function reportOutcome({ solved, failures }: FilesResult, upToDate: number, isQuiet: boolean): void {
  const parts = [`${formatQuantity(solved, 'file')} solved`];
  if (upToDate > 0) parts.push(`${formatCount(upToDate)} up to date`);
  if (failures.length > 0) parts.push(`${formatCount(failures.length)} failed`);
  throwUnreported(failures);
  throwGravest(failures, parts.join(', '));
  if (!isQuiet) printMessage(parts.join(', '));
}
