/** The files in the current folder in which `stress` keeps the cases on which a program has failed. */

import { readdir } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { stampOf } from '../../core/files/files.js';
import { readSmallFile } from '../../core/files/regular-files.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { MAX_SAVED_FILE_BYTES, MAX_SAVED_FILES } from '../../engine/limits.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { mayReplace, type OutputKind } from '../../engine/output/ledger.js';
import { openReportFile } from '../../engine/output/report-file.js';
import type { Problem } from '../../problems/problem.js';
import type { AuthorPool } from '../cases/author-pool.js';
import type { Batch, BatchGroups } from '../cases/batches.js';
import { readCases } from '../cases/read-cases.js';
import { fileStem, type StressPlan } from './plan.js';

/** The paths of the files to which a failing case is saved. */
interface SavedFilePaths {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
}

const KIND: OutputKind = 'failing case';

/** The paths of the failure with this number, counted from 1. */
function savedFilePaths(plan: StressPlan, number: number): SavedFilePaths {
  const stem = `${fileStem('stress', plan)}${number === 1 ? '' : `-${number}`}`;
  return { input: `${stem}${INPUT_ENDING}`, expected: `${stem}.expected`, got: `${stem}.got` };
}

/** Fails if a file to save would replace a file that stress did not write. Called before the search begins. */
export async function assertSavedFilesReplaceable(plan: StressPlan): Promise<void> {
  await assertWritable(plan, Object.values(savedFilePaths(plan, 1)), KIND);
}

/** Fails if one of the names is a file of a program, or a file that stress did not write. */
export async function assertWritable(
  plan: StressPlan,
  names: readonly string[],
  kind: OutputKind,
): Promise<void> {
  const programPaths = plan.programFiles.flatMap(({ paths }) => paths);
  await assertDistinct({
    reads: [...programPaths, ...plan.answerOptions.paths].map((path) => ({
      path,
      role: 'part of the program',
    })),
    writes: names.map((path) => ({ path, role: 'file for the failing case' })),
  });
  for (const name of names) {
    if (await mayReplace(name, kind)) continue;
    throw new BoardmillError(
      'file',
      `${name} exists and stress did not write it; move it away, or use another --seed`,
    );
  }
}

/** Writes the files of a failing case. No case that was saved before is replaced. Returns the paths of the files. */
export async function saveFailure(
  plan: StressPlan,
  contents: Readonly<Record<keyof SavedFilePaths, Uint8Array>>,
): Promise<SavedFilePaths> {
  const paths = await unusedPaths(plan);
  await saveFile(paths.input, contents.input, KIND);
  await saveFile(paths.expected, contents.expected, KIND);
  await saveFile(paths.got, contents.got, KIND);
  return paths;
}

/** Writes one file, in place of a file of the same kind or of an empty one. */
export async function saveFile(path: string, bytes: Uint8Array, kind: OutputKind): Promise<void> {
  const file = await openReportFile(path, kind, false);
  await file.write(bytes);
}

/** The first paths that belong neither to a saved case nor to the user. */
async function unusedPaths(plan: StressPlan): Promise<SavedFilePaths> {
  for (let number = 1; ; number++) {
    const paths = savedFilePaths(plan, number);
    const isTaken = ((await stampOf(paths.input))?.size ?? 0) > 0;
    if (!isTaken && (await mayReplaceAll(Object.values(paths)))) return paths;
  }
}

async function mayReplaceAll(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (!(await mayReplace(path, KIND))) return false;
  return true;
}

/**
 * Yields the cases that earlier searches for the problem have saved in the current folder, with any seed. `note` gets a
 * message about each file that is left out.
 */
export async function* readSavedCases(
  { problem, jobs }: StressPlan,
  author: AuthorPool,
  note: (message: string) => void,
): BatchGroups {
  const names = await findSavedFiles(problem);
  let group: Batch[] = [];
  for (const name of names.slice(0, MAX_SAVED_FILES)) {
    try {
      group.push(await readSavedFile(name, problem, author));
    } catch (error) {
      note(`${reasonOf(name, error)}; the file is not tried`);
    }
    if (group.length < jobs) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
  if (names.length > MAX_SAVED_FILES)
    note(`only the first ${MAX_SAVED_FILES} of ${names.length} saved cases were tried`);
}

async function readSavedFile(name: string, problem: Problem, author: AuthorPool): Promise<Batch> {
  const { head, cases } = await readCases(name, readSmallFile(name, MAX_SAVED_FILE_BYTES), problem);
  const reason = (await author.findInvalid(head, cases)).find((each) => each !== null);
  if (reason !== undefined)
    throw new BoardmillError('input', `${name} has a case that is not valid: ${reason}`);
  if (cases.length === 0) throw new BoardmillError('input', `${name} has no cases`);
  return { origin: name, round: null, head, cases, savedAs: name };
}

async function findSavedFiles({ name }: Problem): Promise<string[]> {
  // A folder that cannot be read has no saved cases. Saving a case will say what is wrong with it.
  const entries = await readdir('.').catch(() => []);
  return entries
    .filter((entry) => entry.startsWith(`stress-${name}-`) && entry.endsWith(INPUT_ENDING))
    .sort();
}

function reasonOf(name: string, error: unknown): string {
  return error instanceof BoardmillError ? error.message : `${name}: ${systemReason(error)}`;
}
