/** The counts in data/census/ are those of the program, and agree with themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { boardmill } from '../cli/in-turn.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

interface Size {
  readonly rows: number;
  readonly cols: number;
  readonly boards: number;
  readonly classes: number;
  readonly answers: Record<string, number> | null;
  readonly nimbers?: Record<string, number>;
}

/** The games with counts. A new game has none until scripts/census.mjs has counted its boards. */
const COUNTED = readdirSync(join(ROOT, 'data/census')).flatMap((file) =>
  file.endsWith('.ndjson') ? [basename(file, '.ndjson')] : [],
);

const linesOf = (problem: string) =>
  readFileSync(join(ROOT, `data/census/${problem}.ndjson`), 'utf8')
    .trim()
    .split('\n');
const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test('the page has a number in each cell', () => {
  expect(readFileSync(join(ROOT, 'docs/census.md'), 'utf8')).not.toMatch(/undefined|NaN/);
});

describe.each(COUNTED)('the counts of %s', (problem) => {
  const lines = linesOf(problem);
  const sizes = lines.map((line) => JSON.parse(line) as Size);

  test('add up to all boards', () => {
    expect(sizes.length).toBeGreaterThan(10);
    for (const { boards, answers, nimbers } of sizes) {
      if (answers !== null) expect(sum(answers)).toBe(boards);
      if (nimbers !== undefined) expect(sum(nimbers)).toBe(boards);
    }
  });

  test('of sizes with few boards are what the program counts', async () => {
    const isSmall = ({ boards }: Size) => boards <= 3000;
    expect(sizes.filter(isSmall).length).toBeGreaterThan(3);
    // The small sizes of a number of rows are counted together.
    for (const rows of new Set(sizes.filter(isSmall).map((size) => size.rows))) {
      const small = sizes
        .map((size, index) => ({ ...size, line: lines[index] }))
        .filter((size) => size.rows === rows && isSmall(size))
        .sort((one, other) => one.cols - other.cols);
      const cols = `${small[0].cols}..${small.at(-1)!.cols}`;
      const args = ['census', problem, '--rows', `${rows}`, '--cols', cols, '--json', '-j', '1'];
      expect((await boardmill(args)).stdout).toBe(small.map(({ line }) => `${line}\n`).join(''));
    }
  });
});

test.each(['bacterial-tactics', 'darkraft'])(
  '%s has the same counts if rows and columns are swapped',
  (problem) => {
    const sizes = linesOf(problem).map((line) => JSON.parse(line) as Size);
    const counts = ({ boards, classes, nimbers }: Size) => ({ boards, classes, nimbers });
    const pairs = sizes.flatMap((one) =>
      sizes.filter(({ rows, cols }) => rows === one.cols && cols === one.rows).map((other) => [one, other]),
    );
    expect(pairs.length).toBeGreaterThan(10);
    for (const [one, other] of pairs) expect(counts(one)).toEqual(counts(other));
  },
);
