/** Finds links in a package that lead nowhere, as archives and copies often leave them. */
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { statOrNull } from '../../../../core/files/files.js';
import { entriesBelow } from './package-files.js';

/** The folders of a package that boardmill always reads. */
const READ_FOLDERS = [
  ...['data/sample', 'data/secret', 'submissions', 'include'],
  ...['output_validator', 'output_validators'],
];

/** Fails with kind `file`, and names all links, if links in a part of the package that is read have no target. */
export function assertNoDanglingLinks(folder: string): void {
  const entries = READ_FOLDERS.flatMap((name) => entriesBelow(folder, name));
  const dangling = entries.filter((name) => statOrNull(join(folder, name)) === null);
  if (dangling.length === 0) return;
  const described = dangling.map((name) => `${name} -> ${readlinkSync(join(folder, name))}`).join(', ');
  const what = dangling.length === 1 ? 'a link in the package leads' : 'links in the package lead';
  throw new BoardmillError('file', `${what} nowhere: ${described}`);
}
