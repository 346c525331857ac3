/** Tests that every problem of the registry has test data. If a problem has none, the messages say what to add. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { fixtureOf, PROBLEM_FIXTURES } from '../fixtures/problems.mjs';

describe.each(PROBLEMS)('$name', ({ name }) => {
  test('the problem has an entry in tests/fixtures/problems.mjs', () => {
    expect(() => fixtureOf(name)).not.toThrow();
  });

  test.each(['sample/statement.in', 'sample/statement.ans', 'sample/tiny.in', 'sample/random.in', 'invalid'])(
    `the file or folder data/${name}/%s exists`,
    (path) => {
      expect(existsSync(new URL(`../../data/${name}/${path}`, import.meta.url))).toBe(true);
    },
  );
});

test('every entry of tests/fixtures/problems.mjs belongs to a problem of the registry', () => {
  expect(Object.keys(PROBLEM_FIXTURES).sort()).toEqual(PROBLEMS.map(({ name }) => name).sort());
});

test('a problem without an entry is reported by name, with the file that needs the entry', () => {
  expect(() => fixtureOf('chess')).toThrow(
    'no test data for the problem chess: add an entry to tests/fixtures/problems.mjs',
  );
});
