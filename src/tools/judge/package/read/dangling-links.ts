/** Finds links in a package that lead nowhere, as archives and copies often leave them. */
import { type Dirent, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { MAX_FOLDER_DEPTH } from '../limits.js';
import { isIgnoredName } from '../programs/program-source.js';

/** The parts of a package that boardmill reads. */
const READ_PARTS = [
  ...['problem.yaml', 'data/sample', 'data/secret', 'submissions', 'include'],
  ...['output_validator', 'output_validators'],
];

/** Fails with kind `file`, and names all links, if links in a part of the package that is read have no target. */
export function assertNoDanglingLinks(folder: string): void {
  const dangling = READ_PARTS.flatMap((part) => danglingAt(folder, part, 0));
  if (dangling.length === 0) return;
  const described = dangling.map((name) => `${name} -> ${readlinkSync(join(folder, name))}`).join(', ');
  const what = dangling.length === 1 ? 'a link in the package leads' : 'links in the package lead';
  throw new BoardmillError('file', `${what} nowhere: ${described}`);
}

function danglingAt(folder: string, name: string, depth: number): string[] {
  const entries = entriesOf(join(folder, name));
  return entries
    .filter((entry) => !isIgnoredName(entry.name))
    .flatMap((entry) => {
      const path = `${name}/${entry.name}`;
      if (entry.isSymbolicLink()) return isThere(join(folder, path)) ? [] : [path];
      return entry.isDirectory() && depth < MAX_FOLDER_DEPTH ? danglingAt(folder, path, depth + 1) : [];
    });
}

/** Returns the entries of a folder; none if there is no such folder. */
function entriesOf(path: string): Dirent[] {
  if (!isThere(path) || !statSync(path).isDirectory()) return [];
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // The part of the judge that needs the folder says that it cannot be read.
    return [];
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The target of the link is in a loop of links, or in a file.
    return false;
  }
}
