/** Which test files run with which mutants. */
import { basename, dirname } from 'node:path';

/** Test files that only `npm run test:all` runs. */
const LONG_TEST = /\.long\.test\.ts$/;
/** How many mutants run together. */
const GROUP = 8;

export function isLong({ file }) {
  return LONG_TEST.test(file);
}

/** Orders test files: those of `npm test` come first. */
export function longLast(a, b) {
  return Number(isLong(a)) - Number(isLong(b));
}

export function distinct(values) {
  return [...new Set(values)];
}

/** Returns the files of `npm test` to run first: those that test sources near the mutant, up to `aloneMs`. */
export function nearest({ file }, files, aloneMs) {
  const nearness = (test) => sharedFolders(file, test) + (nameOf(file) === nameOf(test) ? 1 : 0);
  const byNearness = files
    .filter((each) => !isLong(each))
    .sort((a, b) => nearness(b.file) - nearness(a.file) || a.ms - b.ms);
  let ms = 0;
  return byNearness.filter((each) => {
    const isInTime = ms < aloneMs;
    ms += each.ms;
    return isInTime;
  });
}

/** Returns how many folders a source and a test file share, where `src/a/b` and `tests/a/b` share two. */
function sharedFolders(source, test) {
  const [a, b] = [source, test].map((path) => dirname(path).split('/').slice(1));
  const different = a.findIndex((folder, index) => folder !== b[index]);
  return different === -1 ? a.length : different;
}

function nameOf(path) {
  return basename(path).split('.', 1)[0];
}

/**
 * Returns groups of mutants whose tests run together. The tests of a group run about as long as those of one mutant. Two
 * mutants of one source are not together, since one could hide the other; mutants that few tests reach are together.
 */
export function groupsOf(mutants, progress) {
  const groups = [];
  const byFiles = mutants.toSorted((a, b) => progress.filesOf(a).length - progress.filesOf(b).length);
  for (const mutant of byFiles) {
    const fits = (group) => group.length < GROUP && group.every(({ file }) => file !== mutant.file);
    const group = groups.find(fits);
    if (group === undefined) groups.push([mutant]);
    else group.push(mutant);
  }
  return groups;
}
