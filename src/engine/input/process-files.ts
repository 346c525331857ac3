/** Processes many input files, several small ones at the same time, and reports on them in the order of the list. */
import { MIB } from '../../core/bytes.js';
import { statOrNull } from '../../core/files/files.js';
import { type ConcurrencyBounds, forEachConcurrently } from '../../core/overlap.js';
import { assertNotStopped } from '../../core/stop.js';
import { compressionOf } from './decompress.js';

/** Expected ratio of the decompressed size of an input to its compressed size. */
const EXPECTED_DECOMPRESSION_FACTOR = 16;

/** Number of files per worker that are processed at the same time: enough to keep the workers busy if all files are small. */
const OPEN_FILES_PER_WORKER = 8;

/** Largest total size of the input files that are processed at the same time. A larger file is processed alone. */
const MAX_BYTES_OF_OPEN_FILES = 64 * MIB;

/** A file to process, perhaps together with other files. */
interface InputOfRun {
  readonly input: string;
  /** Size in bytes, or null if it is not a regular file. Missing if it is not known yet. */
  readonly bytes?: number | null;
}

/** How the work on a file has ended: with a result, or with an error. */
export type WorkOutcome<Result> = { readonly result: Result } | { readonly failure: unknown };

/**
 * Calls `work` for each file, for several small files at the same time. If `work` fails for a file, the other files are still
 * processed, so which outputs exist afterwards depends only on the files. Calls `report` for each file, in the order of the
 * files. After `stop` is aborted, no further file is begun. Returns how the work on each file ended, in the order of the files.
 */
export async function processFiles<File extends InputOfRun, Result>(
  files: readonly File[],
  workers: number,
  stop: AbortSignal,
  work: (file: File) => Promise<Result>,
  report: (file: File, ending: WorkOutcome<Result>) => Promise<void> | void,
): Promise<WorkOutcome<Result>[]> {
  const endings = new Map<File, WorkOutcome<Result>>();
  let reported = 0;
  let reporting: Promise<void> = Promise.resolve();
  const reportInOrder = async () => {
    for (; reported < files.length; reported++) {
      const ending = endings.get(files[reported]);
      if (ending === undefined) return;
      await report(files[reported], ending);
    }
  };
  const begin = async (file: File) => {
    assertNotStopped(stop, ` before ${file.input}`);
    return work(file);
  };
  const bounds: ConcurrencyBounds<File> = {
    maxCount: workers * OPEN_FILES_PER_WORKER,
    maxWeight: MAX_BYTES_OF_OPEN_FILES,
    weightOf: memoryNeededFor,
  };
  await forEachConcurrently(files, bounds, async (file) => {
    endings.set(file, await endingOf(begin(file)));
    reporting = reporting.then(reportInOrder);
    await reporting;
  });
  return files.map((file) => endings.get(file)!);
}

async function endingOf<Result>(work: Promise<Result>): Promise<WorkOutcome<Result>> {
  try {
    return { result: await work };
  } catch (failure) {
    return { failure };
  }
}

/** Returns the errors with which the work on files has ended. */
export function failuresAmong(endings: readonly WorkOutcome<unknown>[]): unknown[] {
  return endings.flatMap((ending) => ('failure' in ending ? [ending.failure] : []));
}

/** Returns the total size of all inputs, or null if the size of one of them is known only after it was read. */
export function totalInputBytes(files: readonly InputOfRun[]): number | null {
  // The decompressed size of an input is known only at its end.
  const sizes = files.map((file) => (compressionOf(file.input) === null ? sizeOf(file) : null));
  return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/**
 * Returns the most memory that an open input may use. An input of unknown size, such as a pipe, counts as the
 * maximum.
 */
function memoryNeededFor(file: InputOfRun): number {
  const size = sizeOf(file) ?? MAX_BYTES_OF_OPEN_FILES;
  return compressionOf(file.input) === null ? size : size * EXPECTED_DECOMPRESSION_FACTOR;
}

/** Returns the size of a regular file, or null for any other input. */
function sizeOf({ input, bytes }: InputOfRun): number | null {
  if (bytes !== undefined) return bytes;
  if (input === '-') return null;
  const stats = statOrNull(input);
  return stats?.isFile() ? stats.size : null;
}
