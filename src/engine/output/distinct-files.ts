/** Sees to it that no file which a run reads or writes is another of its outputs. */
import { fstatSync } from 'node:fs';
import { BoardmillError } from '../../core/errors.js';
import { followLinks, identityOf, identityOfStats } from '../../core/files.js';
import { checkpointPaths } from './checkpoint.js';
import { partialPath } from './partial-file.js';

/** A file that a run reads or writes; `-` is standard input, or standard output. */
export interface UsedFile {
  readonly path: string;
  /** As messages name it: "input", "--stats". */
  readonly role: string;
}

export interface FilesOfRun {
  readonly reads: readonly UsedFile[];
  readonly writes: readonly UsedFile[];
}

/**
 * Fails with kind `usage` where an output is also an input or another output: by whatever path it is named, as one of
 * the files that are written beside it, or as what a standard stream is redirected to. Nothing is opened for writing.
 */
export async function assertDistinct({ reads, writes }: FilesOfRun): Promise<void> {
  const used = new Map<string, UsedFile>();
  for (const file of reads) {
    const identity = file.path === '-' ? identityOfStream(0) : await identityOf(file.path);
    if (identity !== null) used.set(identity, file);
  }
  const stdout = identityOfStream(1);
  const outputOf = stdout === null ? undefined : used.get(stdout);
  if (outputOf !== undefined) throw clash(outputOf.path, outputOf, STDOUT);
  const stderr = identityOfStream(2);
  // A message would be written into the input: there is no place left for one.
  if (stderr !== null && used.has(stderr)) throw new BoardmillError('usage', '');
  for (const file of writes) {
    for (const { path, identity } of await identitiesWritten(file)) {
      const other = used.get(identity);
      if (other !== undefined && other !== file) throw clash(path, other, file);
      if (identity === stdout) throw clash(path, file, STDOUT);
      if (identity === stderr) throw clash(path, file, STDERR);
      used.set(identity, file);
    }
  }
}

const STDOUT: UsedFile = { path: '-', role: 'standard output' };
const STDERR: UsedFile = { path: '-', role: 'standard error' };

/** Descriptors 0, 1 and 2 where they are regular files. */
function identityOfStream(descriptor: 0 | 1 | 2): string | null {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? identityOfStats(stats) : null;
  } catch {
    // It is closed.
    return null;
  }
}

/** A file, and those that are written beside it. Standard output has none. */
async function identitiesWritten({ path }: UsedFile): Promise<{ path: string; identity: string }[]> {
  if (path === '-') return [];
  const target = await followLinks(path);
  // Nothing is written beside a device.
  if ((await identityOf(target)) === null) return [];
  const found: { path: string; identity: string }[] = [];
  for (const written of [target, partialPath(target), ...checkpointPaths(target)]) {
    const identity = await identityOf(written);
    if (identity !== null) found.push({ path: written, identity });
  }
  return found;
}

function clash(path: string, one: UsedFile, other: UsedFile): BoardmillError {
  const file = path === '-' ? 'one file' : path;
  const what = one.role === other.role ? 'would be written twice' : `is both ${one.role} and ${other.role}`;
  return new BoardmillError('usage', `${file} ${what}`);
}
