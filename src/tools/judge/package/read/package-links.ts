/**
 * Finds links in a package that lead nowhere, as archives and copies often leave them, or out of the package. boardmill copies
 * the files to which links lead into builds and working folders, where a program in a sandbox can read them.
 */
import { readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { statOrNull } from '../../../../core/files/files.js';
import { resolvesInto } from '../../../../core/files/identity.js';
import { entriesBelow, entriesOf, PARTS_OF_PACKAGE } from './package-files.js';

/** The folders of a package that boardmill always reads, so that a link that leads nowhere would be missed. */
const READ_FOLDERS = [
  ...['data/sample', 'data/secret', 'submissions', 'include'],
  ...['output_validator', 'output_validators'],
];

/** Fails with kind `file`, and names all links, if links in a part of the package that is read lead nowhere. */
export function assertNoDanglingLinks(folder: string): void {
  const entries = READ_FOLDERS.flatMap((name) => entriesBelow(folder, name));
  const dangling = entries.filter((name) => statOrNull(join(folder, name)) === null);
  assertNone(folder, dangling, 'nowhere');
}

/** Fails with kind `file`, and names all links, if links in a part of the package that is read lead out of it. */
export function assertNoLinksOut(folder: string): void {
  const seen = new Set<string>();
  const links = PARTS_OF_PACKAGE.flatMap((name) => linksOutOf(folder, name, seen));
  assertNone(folder, links, 'out of it; a program in a sandbox could read what is there');
}

/** Returns the links that lead out of a package, by the parts of the package in which they are found. */
function linksOutOf(folder: string, name: string, seen: Set<string>): string[] {
  const path = join(folder, name);
  if (statOrNull(path) === null) return [];
  if (!resolvesInto(folder, path)) return [name];
  const real = realpathSync(path);
  if (seen.has(real)) return [];
  seen.add(real);
  // Unlike other parts of the judge, the copy of a test's files does not leave out hidden names.
  return entriesOf(path)
    .filter((entry) => entry.isSymbolicLink() || entry.isDirectory())
    .flatMap((entry) => linksOutOf(folder, `${name}/${entry.name}`, seen));
}

function assertNone(folder: string, links: readonly string[], where: string): void {
  if (links.length === 0) return;
  const described = links.map((name) => `${name} -> ${readlinkSync(join(folder, name))}`).join(', ');
  const what = links.length === 1 ? 'a link in the package leads' : 'links in the package lead';
  throw new BoardmillError('file', `${what} ${where}: ${described}`);
}
