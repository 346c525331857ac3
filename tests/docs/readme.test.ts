/** The README is short, and states only figures that were measured. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastSpeeds, speedPages } from '../../bench/speeds.mjs';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { ROOT } from '../cli/boardmill.js';

/** The most lines of the README apart from the row of each game. With four games these are 150 lines. */
const MAX_LINES_BESIDE_GAMES = 146;

/** The part of a speed's file of results that the tests read. Times are in milliseconds per case. */
interface Speeds {
  readonly about: { readonly boardmill: string; readonly commit: string; readonly date: string };
  readonly table: readonly {
    readonly name: string;
    readonly times: Readonly<Record<'one' | 'two' | 'peer', readonly number[]>>;
    readonly ratio: number;
  }[];
}

const SPEEDS = lastSpeeds() as Speeds;

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function shownBy(speeds: Speeds): Record<string, string> {
  return Object.fromEntries(
    speedPages(speeds).map(({ path, content }) => [path.slice(ROOT.length), content]),
  );
}

test('the README has at most 146 lines, and one for each game', () => {
  const lines = readText('README.md').split('\n').length - 1;
  expect(lines).toBeLessThanOrEqual(MAX_LINES_BESIDE_GAMES + PROBLEMS.length);
});

test('sentence, tables and plot show the newest file of results', () => {
  const shown = shownBy(SPEEDS);
  expect(Object.keys(shown).sort()).toEqual(['README.md', 'bench/README.md', 'docs/throughput.svg']);
  for (const [path, content] of Object.entries(shown)) expect(readText(path), path).toBe(content);
});

test('the speeds are those of this version, measured at least three times', () => {
  const { about, table } = SPEEDS;
  expect(about.boardmill).toBe(JSON.parse(readText('package.json')).version);
  expect(about.commit).toMatch(/^[0-9a-f]{7,}$/);
  for (const { times } of table)
    for (const each of Object.values(times)) expect(each.length).toBeGreaterThanOrEqual(3);
});

test('the sentence rounds the speed to two digits and the ratios down, and names the least and the greatest ratio', () => {
  const rows = SPEEDS.table.map((row, index) => ({
    ...row,
    ratio: [49.6, 16.24, 259.9][index] ?? 70,
    times: { ...row.times, one: [0.00327, 0.00328, 0.00326] },
  }));
  expect(shownBy({ ...SPEEDS, table: rows })['README.md']).toContain(
    '\nOne processor solves 310,000 boards of Bacterial Tactics a second, 49 times as many as a well-tuned C++ program on one. Over all inputs, it is 16 to 259 times as many. ',
  );
});
