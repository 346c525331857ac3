/**
 * Finds links in a package that lead nowhere, as archives and copies often leave them, or out of the package. boardmill copies
 * the files to which links lead into builds and working folders, where a program in a sandbox can read them.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { statOrNull } from '../../../../core/files/files.js';
import { resolvesInto } from '../../../../core/files/identity.js';
import { entriesBelow, entriesOf, PARTS_OF_PACKAGE } from './package-files.js';
import { FILES_ENDING } from './test-data.js';

/** The folders with the tests of a package. */
const TEST_FOLDERS = ['data/sample', 'data/secret'];

/** The folders of a package that boardmill always reads, so that a link that leads nowhere would be missed. */
const READ_FOLDERS = [
  ...TEST_FOLDERS,
  ...['submissions', 'include', 'output_validator', 'output_validators'],
];

/** The parts of a package that submissions can read, because boardmill copies them into builds. */
const COPIED_PARTS = ['submissions', 'include'];

/** Fails with kind `file`, and names all links, if links in a part of the package that is read lead nowhere. */
export function assertNoDanglingLinks(folder: string): void {
  const entries = READ_FOLDERS.flatMap((name) => entriesBelow(folder, name));
  const dangling = entries.filter((name) => statOrNull(join(folder, name)) === null);
  assertNone(folder, dangling, 'nowhere');
}

/**
 * Fails with kind `file`, and names all links, if links in a part of the package that is read lead out of it, or if links of
 * submissions, or of `include`, which is copied beside them, lead to the tests, whose right answers submissions must not read.
 */
export function assertLinksAllowed(folder: string): void {
  const isOutside = (path: string) => !resolvesInto(folder, path);
  const out = findEntries(folder, PARTS_OF_PACKAGE, isOutside);
  assertNone(folder, out, 'out of it; a program in a sandbox could read what is there');
  const places = placesOfTests(folder);
  const isTest = (path: string) => ancestorsOf(realpathSync(path)).some((place) => places.has(place));
  const tests = findEntries(folder, COPIED_PARTS, isTest, { looksAtFiles: true });
  assertNone(
    folder,
    tests,
    'from submissions or include to the tests; a submission in a sandbox could read right answers',
  );
}

/**
 * Returns the real paths of `data`, and of all folders, and files that are links, of the tests below it. The files of a test
 * are left out: a submission gets them when it runs.
 */
function placesOfTests(folder: string): Set<string> {
  const places = new Set([realpathIfThere(join(folder, 'data'))]);
  findEntries(folder, TEST_FOLDERS, (path) => {
    if (path.endsWith(FILES_ENDING)) return true;
    places.add(realpathSync(path));
    return false;
  });
  return places;
}

function realpathIfThere(path: string): string {
  return statOrNull(path) === null ? path : realpathSync(path);
}

/** Returns a path, and the paths of all folders above it. */
function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestorsOf(parent)];
}

/**
 * Returns the names of the links and folders below these parts of a package, through all links, that are `found`; with
 * `looksAtFiles` also those of other files. Looks at nothing in a folder that is found.
 */
function findEntries(
  folder: string,
  parts: readonly string[],
  isFound: (path: string) => boolean,
  { looksAtFiles = false } = {},
): string[] {
  const seen = new Set<string>();
  const search = (name: string): string[] => {
    const path = join(folder, name);
    if (statOrNull(path) === null) return [];
    if (isFound(path)) return [name];
    const real = realpathSync(path);
    if (seen.has(real)) return [];
    seen.add(real);
    // Unlike other parts of the judge, the copy of a test's files does not leave out hidden names.
    return entriesOf(path)
      .filter((entry) => looksAtFiles || entry.isSymbolicLink() || entry.isDirectory())
      .flatMap((entry) => search(`${name}/${entry.name}`));
  };
  return parts.flatMap(search);
}

function assertNone(folder: string, links: readonly string[], where: string): void {
  if (links.length === 0) return;
  const described = links.map((name) => describeLink(folder, name)).join(', ');
  const what = links.length === 1 ? 'a link in the package leads' : 'links in the package lead';
  throw new BoardmillError('file', `${what} ${where}: ${described}`);
}

/** Returns the name and the target of a link; of what lies behind a link, only the name. */
function describeLink(folder: string, name: string): string {
  const path = join(folder, name);
  return lstatSync(path).isSymbolicLink() ? `${name} -> ${readlinkSync(path)}` : name;
}
