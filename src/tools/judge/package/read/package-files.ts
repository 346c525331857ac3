/** The files in a package, by the parts of a package that boardmill reads. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOrNull, statOrNull } from '../../../../core/files/files.js';
import { MAX_FOLDER_DEPTH } from '../limits.js';
import { isIgnoredName } from '../programs/program-source.js';

const SETTINGS_FILES = ['problem.yaml', 'domjudge-problem.ini', '.timelimit'];
const FOLDERS = [
  ...['data', 'submissions', 'include', 'output_validator', 'output_validators'],
  ...['input_validators', 'input_format_validators', 'input_validator'],
];

/** The files and folders at the top of a package that boardmill may read. */
export const PARTS_OF_PACKAGE: readonly string[] = [...SETTINGS_FILES, ...FOLDERS];

/** Returns the paths, from the folder of a package, of all its files that boardmill may read. */
export function filesOfPackage(folder: string): string[] {
  const settings = SETTINGS_FILES.filter((name) => statOrNull(join(folder, name)) !== null);
  return [...settings, ...FOLDERS.flatMap((name) => entriesBelow(folder, name))];
}

/** Returns the paths of the links in a package that lead to folders, whose files boardmill may read, too. */
export function linkedFoldersOf(folder: string): string[] {
  return FOLDERS.flatMap((name) => [name, ...entriesBelow(folder, name)])
    .map((name) => join(folder, name))
    .filter((path) => lstatOrNull(path)?.isSymbolicLink() && statOrNull(path)?.isDirectory());
}

/** Returns the paths, from the folder of a package, of all files and links below one of its folders, which may be missing. */
export function entriesBelow(folder: string, name: string, depth = 0): string[] {
  return entriesOf(join(folder, name))
    .filter((entry) => !isIgnoredName(entry.name))
    .flatMap((entry) => {
      const path = `${name}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return depth < MAX_FOLDER_DEPTH ? entriesBelow(folder, path, depth + 1) : [];
    });
}

/** Returns the entries of a folder; none if there is no such folder. */
export function entriesOf(path: string): Dirent[] {
  if (!statOrNull(path)?.isDirectory()) return [];
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // The part of the judge that needs the folder says that it cannot be read.
    return [];
  }
}
