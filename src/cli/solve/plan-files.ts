/** Plans which inputs `boardmill solve` reads, and to which outputs their answers go. */
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { BoardmillError } from '../../core/errors.js';
import { ANSWER_ENDING, pathWithoutEndings } from '../../engine/input/file-names.js';
import type { FilesOfRun } from '../../engine/output/distinct-files.js';
import { assertNameUsable } from '../../engine/output/open-sink.js';
import { hasColumns, type OutputFormat } from '../../problems/output-formats.js';
import { usageError } from '../arguments/usage-error.js';
import { expandInputs, type InputFiles, isInputName } from '../inputs/expand-inputs.js';

/** An output, and the inputs whose answers go there. `-` means standard output, and as an input standard input. */
export interface PlannedOutput {
  readonly path: string;
  readonly inputs: readonly string[];
}

/** The files of a run of `boardmill solve`. */
export interface FilePlan {
  readonly outputs: readonly PlannedOutput[];
  /**
   * `one`: there is one input. `each`: the answers to each input go to a file of its own, a failure is that of its file, and a
   * summary is printed at the end. `table`: the answers to all inputs go to one table.
   */
  readonly layout: 'one' | 'each' | 'table';
  /** One error for each input that cannot be read. The errors are reported, and the other inputs are solved. */
  readonly unusableInputs: readonly BoardmillError[];
}

/** The options from which the plan is made. */
interface PlanOptions {
  readonly inputs: readonly string[];
  readonly output: string | null;
  readonly ext: string | null;
  readonly outDir: string | null;
  readonly format: OutputFormat;
  readonly resume: boolean;
}

/** The endings of the answer files of each format. Contest tools read what ends in `.ans`. */
const ENDINGS: Readonly<Record<OutputFormat, string>> = {
  text: ANSWER_ENDING,
  ndjson: '.ndjson',
  csv: '.csv',
};

/**
 * Plans where the answers go. Those of a single input go to `--output`, or to standard output. With several inputs, a folder,
 * `--ext` or `--out-dir`, those of each input go to a file beside it or in that folder; with `--output`, they make one table.
 */
export async function planFiles(args: PlanOptions): Promise<FilePlan> {
  const { output, ext, outDir, resume } = args;
  const found = await expandInputs(args.inputs);
  const { files, hasFolder, unusableInputs } = found;
  const isMany = files.length + unusableInputs.length > 1 || hasFolder;
  if (resume && !isMany && ext === null && outDir === null) assertResumable(output);
  if (output !== null) await assertNameUsable(output);
  if (isMany && output !== null) return planTable(found, output, args);
  if (isMany || ext !== null || outDir !== null) return planEach(found, args);
  return { outputs: [{ path: output ?? '-', inputs: files }], layout: 'one', unusableInputs };
}

function assertResumable(output: string | null): void {
  if (output === null || output === '-')
    throw usageError('--resume needs --output FILE: there is no checkpoint for standard output');
}

function planTable(
  { files: inputs, folderOf, unusableInputs }: InputFiles,
  output: string,
  { format, resume }: PlanOptions,
): FilePlan {
  if (!hasColumns(format)) {
    throw usageError(
      '--output takes one input in the format text; --out-dir DIR writes the answers of each input into a folder, and ' +
        '--format csv (or ndjson) writes those of all inputs as one table',
    );
  }
  if (resume) assertResumable(output);
  if (inputs.includes('-')) throw standardInputError('a table names the file of each case');
  // The rows of a file that is missing could not be told from those of an empty one.
  const [unusable] = unusableInputs;
  if (unusable !== undefined) throw unusable;
  assertEachOnce(inputs);
  const outputs = [{ path: output, inputs }];
  // That an output is an input of this run is refused later, with all others of its files.
  const isInputNow = inputs.some((input) => resolve(input) === resolve(output));
  if (!isInputNow) assertNoNextInput([...new Set(folderOf.values())], outputs);
  return { outputs, layout: 'table', unusableInputs };
}

function planEach(
  { files, folderOf, unusableInputs }: InputFiles,
  { outDir, ext, format }: PlanOptions,
): FilePlan {
  const ending = ext ?? ENDINGS[format];
  const outputs = files.map((input) => {
    if (input === '-') throw standardInputError('it has no folder for its answers');
    const path = outDir === null ? input : join(outDir, pathBelow(folderOf.get(input), input));
    return { path: pathWithoutEndings(path) + ending, inputs: [input] };
  });
  if (outDir !== null) {
    assertEachOnce(files);
    assertDifferentPaths(outputs);
    assertNoNextInput([...new Set(folderOf.values())], outputs);
  }
  return { outputs, layout: 'each', unusableInputs };
}

/** Fails if an input is named twice, for example itself and by its folder. */
function assertEachOnce(inputs: readonly string[]): void {
  const places = new Set<string>();
  for (const input of inputs) {
    const place = resolve(input);
    if (places.has(place)) throw usageError(`the input ${input} is named twice`);
    places.add(place);
  }
}

function standardInputError(reason: string): BoardmillError {
  return usageError(`standard input (-) must be solved separately, with --output: ${reason}`);
}

/** Returns the path of an input below the folder in which it was found. An input that was named itself has only its name. */
function pathBelow(folder: string | undefined, input: string): string {
  return folder === undefined ? basename(input) : relative(folder, input);
}

/** Fails if the answers to two inputs would go to the same file. The folders of the files may still be missing. */
function assertDifferentPaths(outputs: readonly PlannedOutput[]): void {
  const inputOf = new Map<string, string>();
  for (const { path, inputs } of outputs) {
    const other = inputOf.get(path);
    if (other !== undefined)
      throw usageError(`${path} would be written twice: for ${other} and for ${inputs[0]}`);
    inputOf.set(path, inputs[0]);
  }
}

/** Fails if the next run with the same folders would take answers of this run for inputs. */
function assertNoNextInput(folders: readonly string[], outputs: readonly PlannedOutput[]): void {
  for (const { path } of outputs.filter((output) => isInputName(output.path))) {
    const folder = folders.find((other) => isBelow(other, path));
    if (folder === undefined) continue;
    throw usageError(
      `${path} would be an input of the next run, because it lies in ${folder}; use another ending or folder`,
    );
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns all inputs of the run. */
export function inputsOfPlan({ outputs }: Pick<FilePlan, 'outputs'>): string[] {
  return outputs.flatMap(({ inputs }) => inputs);
}

/** Returns the files that solving reads and writes, for the check that no file has two roles. */
export function filesOfPlan(plan: FilePlan): FilesOfRun {
  return {
    reads: inputsOfPlan(plan).map((path) => ({ path, role: 'input' })),
    writes: plan.outputs.map(({ path }) => ({ path, role: 'output' })),
  };
}
