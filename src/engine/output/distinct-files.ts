/** Ensures that no output of a run is also one of its inputs or another of its outputs. */
import { fstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { identityOfStats, statOrNull } from '../../core/files/files.js';
import { fileIdentityOf, followLinks, KnownFolders } from '../../core/files/identity.js';
import { checkpointPaths } from './checkpoint.js';
import { partialPath } from './partial-file.js';

/**
 * A file that a run reads or writes; the path `-` is standard input for a file that is read, and standard output
 * for a file that is written.
 */
export interface UsedFile {
  readonly path: string;
  /** The name of the file's role in messages: "input", "--stats". */
  readonly role: string;
  /**
   * Whether the user named only the folder of the file. Then messages on standard error may be redirected into the file without
   * harm.
   */
  readonly isBelowFolder?: boolean;
}

/** A file or a folder that `--also-compare` names, and that must not change during a run. */
interface FixedPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** The paths of the files below the folder. */
  readonly filePaths: readonly string[];
}

export interface FilesOfRun {
  readonly reads: readonly UsedFile[];
  readonly writes: readonly UsedFile[];
  /** The files and folders of `--also-compare`: no output may be one of these files, or lie in one of these folders. */
  readonly compared?: readonly FixedPath[];
}

/**
 * Fails with kind `usage` if an output is also an input or another output. A file is recognised under any of its paths, as
 * FILE.partial or FILE.checkpoint of an output, and as the file to which a standard stream is redirected. Opens no file for
 * writing.
 */
export function assertDistinctFiles({ reads, writes, compared = [] }: FilesOfRun): void {
  const filesByIdentity = new Map<string, UsedFile>();
  const folders = new KnownFolders(writes.length);
  for (const file of [...compared.flatMap(filesIn), ...reads]) {
    const identity = file.path === '-' ? identityOfStream(0) : fileIdentityOf(file.path, folders);
    if (identity !== null) filesByIdentity.set(identity, file);
  }
  const stdout = identityOfStream(1);
  const readAndStdout = stdout === null ? undefined : filesByIdentity.get(stdout);
  if (readAndStdout !== undefined) throw conflictError(readAndStdout.path, readAndStdout, STDOUT);
  const stderr = identityOfStream(2);
  // Standard error is redirected to an input. The error has no message, because boardmill would write the message
  // into that input.
  const readAndStderr = stderr === null ? undefined : filesByIdentity.get(stderr);
  if (readAndStderr?.isBelowFolder) throw conflictError(readAndStderr.path, readAndStderr, STDERR);
  if (readAndStderr !== undefined) throw new BoardmillError('usage', '');
  for (const { path } of compared.filter(({ isFolder }) => isFolder))
    for (const file of writes) assertOutside(path, file);
  for (const file of writes) {
    for (const { path, identity } of identitiesWritten(file, folders)) {
      const other = filesByIdentity.get(identity);
      if (other !== undefined && other !== file) throw conflictError(path, other, file);
      if (identity === stdout) throw conflictError(path, file, STDOUT);
      if (identity === stderr) throw conflictError(path, file, STDERR);
      filesByIdentity.set(identity, file);
    }
  }
}

function filesIn({ path: named, isFolder, filePaths }: FixedPath): UsedFile[] {
  const role = isFolder ? `part of the folder ${named} of --also-compare` : 'part of --also-compare';
  return filePaths.map((path) => ({ path, role, isBelowFolder: isFolder }));
}

/** Fails if an output would be written into a folder that must not change during the run. */
function assertOutside(folder: string, { path, role }: UsedFile): void {
  if (path === '-') return;
  const target = followLinks(path);
  if (fileIdentityOf(target) === null || !isBelow(realpathSync(folder), resolve(target))) return;
  throw new BoardmillError(
    'usage',
    `${path} (${role}) lies in the folder ${folder} of --also-compare, which would change during the run; write it to another folder, or compare only the files that the program imports`,
  );
}

/** Whether a file that may not exist yet lies in a folder, at any depth. */
function isBelow(realFolder: string, path: string): boolean {
  const folder = dirname(path);
  // The folder of an output may not exist yet. Then the nearest folder above it that exists tells where it would be.
  const real = statOrNull(folder) === null ? null : realpathSync(folder);
  if (real === null) return folder !== path && isBelow(realFolder, folder);
  const below = relative(realFolder, real);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

const STDOUT: UsedFile = { path: '-', role: 'standard output' };
const STDERR: UsedFile = { path: '-', role: 'standard error' };

/**
 * Returns the identity of the file that a standard stream is redirected to. Returns null if the stream is not
 * redirected to a regular file.
 */
function identityOfStream(descriptor: 0 | 1 | 2): string | null {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? identityOfStats(stats) : null;
  } catch {
    // The standard stream is closed.
    return null;
  }
}

/**
 * Returns the identities of an output file, of its partial file and of its checkpoint files. Returns none for
 * standard output.
 */
function identitiesWritten({ path }: UsedFile, folders: KnownFolders): { path: string; identity: string }[] {
  if (path === '-') return [];
  const target = followLinks(path, folders);
  // If the output is a device or a pipe, boardmill writes no partial file and no checkpoint.
  if (fileIdentityOf(target, folders) === null) return [];
  const found: { path: string; identity: string }[] = [];
  for (const written of [target, partialPath(target), ...checkpointPaths(target)]) {
    const identity = fileIdentityOf(written, folders);
    if (identity !== null) found.push({ path: written, identity });
  }
  return found;
}

function conflictError(path: string, one: UsedFile, other: UsedFile): BoardmillError {
  const file = path === '-' ? 'one file' : path;
  const what = one.role === other.role ? 'would be written twice' : `is both ${one.role} and ${other.role}`;
  return new BoardmillError('usage', `${file} ${what}`);
}
