/** The files in the current folder in which `stress` keeps the cases on which a program has failed. */

import { readdir } from 'node:fs/promises';
import { MIB } from '../../core/bytes.js';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { fileStampOf } from '../../core/files/files.js';
import { readSmallFile } from '../../core/files/regular-files.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { mayReplaceFile, type WrittenFileKind } from '../../engine/output/ledger.js';
import { openSinkAtAutomaticName } from '../../engine/output/open-sink.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import type { Problem } from '../../problems/problem.js';
import type { AuthorFunctionPool } from '../cases/author-pool.js';
import type { BatchGroups, CaseBatch } from '../cases/batches.js';
import { readCases } from '../cases/read-cases.js';
import { type StressPlan, stressFileStem } from './plan.js';

/**
 * Files with cases that were saved before which `stress` tries again, and the largest size of such a file. The first files in
 * the order of their names count.
 */
const MAX_REGRESSION_FILES = 100;
const MAX_REGRESSION_FILE_BYTES = 4 * MIB;

/** The paths of the files to which a failing case is saved. */
interface RegressionFilePaths {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
}

const KIND: WrittenFileKind = 'failing case';

/** The paths of the failure with this number, counted from 1. */
function regressionFilePaths(plan: StressPlan, number: number): RegressionFilePaths {
  const stem = `${stressFileStem('stress', plan)}${number === 1 ? '' : `-${number}`}`;
  return { input: `${stem}${INPUT_ENDING}`, expected: `${stem}.expected`, got: `${stem}.got` };
}

/** Fails if a file to save would replace a file that stress did not write. Called before the search begins. */
export async function assertRegressionFilesReplaceable(plan: StressPlan): Promise<void> {
  await assertWritable(plan, Object.values(regressionFilePaths(plan, 1)), KIND);
}

/** Fails if one of the names is a file of a program, or a file that stress did not write. */
export async function assertWritable(
  plan: StressPlan,
  names: readonly string[],
  kind: WrittenFileKind,
): Promise<void> {
  const programPaths = plan.programFiles.flatMap(({ paths }) => paths);
  assertDistinctFiles({
    reads: [...programPaths, ...plan.answerOptions.paths].map((path) => ({
      path,
      role: 'part of the program',
    })),
    writes: names.map((path) => ({ path, role: 'file for the failing case' })),
  });
  for (const name of names) {
    if (await mayReplaceFile(name, kind)) continue;
    throw new BoardmillError(
      'file',
      `${name} exists and stress did not write it; move it away, or use another --seed`,
    );
  }
}

/** Writes the files of a failing case. No case that was saved before is replaced. Returns the paths of the files. */
export async function saveRegressionCase(
  plan: StressPlan,
  contents: Readonly<Record<keyof RegressionFilePaths, Uint8Array>>,
): Promise<RegressionFilePaths> {
  const paths = await unusedPaths(plan);
  await saveFile(paths.input, contents.input, KIND);
  await saveFile(paths.expected, contents.expected, KIND);
  await saveFile(paths.got, contents.got, KIND);
  return paths;
}

/** Writes one file, in place of a file of the same kind or of an empty one. */
export async function saveFile(path: string, bytes: Uint8Array, kind: WrittenFileKind): Promise<void> {
  const sink = await openSinkAtAutomaticName(path, { kind, force: false });
  await writeAndFinishSink(sink, () => sink.write(bytes, null));
}

/** Returns paths for a new regression case: the first ones at which no regression case and no other file lies. */
async function unusedPaths(plan: StressPlan): Promise<RegressionFilePaths> {
  for (let number = 1; ; number++) {
    const paths = regressionFilePaths(plan, number);
    const isTaken = ((await fileStampOf(paths.input))?.size ?? 0) > 0;
    if (!isTaken && (await mayReplaceAll(Object.values(paths)))) return paths;
  }
}

async function mayReplaceAll(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (!(await mayReplaceFile(path, KIND))) return false;
  return true;
}

/**
 * Yields the cases that earlier searches for the problem have saved in the current folder, with any seed. `note` gets a
 * message about each file that is left out.
 */
export async function* readRegressionCases(
  { problem, jobs }: StressPlan,
  author: AuthorFunctionPool,
  note: (message: string) => void,
): BatchGroups {
  const names = await findRegressionFiles(problem);
  let group: CaseBatch[] = [];
  for (const name of names.slice(0, MAX_REGRESSION_FILES)) {
    try {
      group.push(await readRegressionFile(name, problem, author));
    } catch (error) {
      note(`${reasonOf(name, error)}; the file is not tried`);
    }
    if (group.length < jobs) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
  if (names.length > MAX_REGRESSION_FILES)
    note(`only the first ${MAX_REGRESSION_FILES} of ${names.length} regression cases were tried`);
}

async function readRegressionFile(
  name: string,
  problem: Problem,
  author: AuthorFunctionPool,
): Promise<CaseBatch> {
  const { head, cases } = await readCases(name, readSmallFile(name, MAX_REGRESSION_FILE_BYTES), problem);
  const reason = (await author.findInvalid(head, cases)).find((each) => each !== null);
  if (reason !== undefined)
    throw new BoardmillError('input', `${name} has a case that is not valid: ${reason}`);
  if (cases.length === 0) throw new BoardmillError('input', `${name} has no cases`);
  return { origin: name, round: null, head, cases, savedAs: name };
}

async function findRegressionFiles({ name }: Problem): Promise<string[]> {
  // A folder that cannot be read has no regression cases. Saving a case will say what is wrong with it.
  const entries = await readdir('.').catch(() => []);
  return entries
    .filter((entry) => entry.startsWith(`stress-${name}-`) && entry.endsWith(INPUT_ENDING))
    .sort();
}

function reasonOf(name: string, error: unknown): string {
  return error instanceof BoardmillError ? error.message : `${name}: ${systemReason(error)}`;
}
