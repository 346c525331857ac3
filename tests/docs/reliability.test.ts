/** Each promise of docs/reliability.md names the tests that hold it. They exist, under these names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';

const PAGE = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');

/** A promise, and the text that says which tests hold it: `cli/output`: "of a link", "of a device"; `core/text`. */
const PROMISES = PAGE.split('\n')
  .map((line) => line.split(' | '))
  .filter((cells) => /^`(?!node )/.test(cells[1] ?? ''))
  .map(([promise, tests]): [string, string] => [promise.slice('| '.length), tests]);

/** Returns the files that the text names, each with the parts of names of tests that follow it. */
function testsIn(text: string): { file: string; names: string[] }[] {
  const [, ...parts] = text.split('`').map((part) => part.trim());
  const files = parts.filter((_, i) => i % 2 === 0);
  return files.map((file, i) => ({
    file,
    names: [...parts[2 * i + 1].matchAll(/"([^"]+)"/g)].map(([, name]) => name),
  }));
}

test('there are many promises', () => {
  expect(PROMISES.length).toBeGreaterThan(50);
});

test.each(PROMISES)('%s', (_, text) => {
  for (const { file, names } of testsIn(text)) {
    const candidates = [file, `tests/${file}.test.ts`, `tests/${file}.long.test.ts`];
    const paths = candidates.map((each) => join(ROOT, each)).filter((each) => existsSync(each));
    expect(paths, file).not.toEqual([]);
    const source = paths.map((path) => readFileSync(path, 'utf8')).join('');
    for (const name of names) expect(source, file).toContain(name);
  }
});

/** Tests of these parts need Redis or tmux, so they run with \`npm run test:all\` only. */
const NEEDS_PROGRAMS = /^(engine\/queue\/|cli\/terminal)/;

test.each(PROMISES)('npm test itself holds: %s', (_, text) => {
  const inNpmTest = testsIn(text).filter(
    ({ file }) =>
      NEEDS_PROGRAMS.test(file) ||
      [file, `tests/${file}.test.ts`, `tests/${file}`].some((path) => existsSync(join(ROOT, path))),
  );
  expect(inNpmTest).not.toEqual([]);
});
