/** The README is short, and states only figures that were measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { ROOT } from '../cli/boardmill.js';

/** The most lines of the README apart from the row of each game. With four games these are 150 lines. */
const MAX_LINES_BESIDE_GAMES = 146;

const README = readText('README.md');
const MEASURED = readTable(readText('bench/README.md'));
const SHOWN = readTable(README);

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The table between the two `bench:peers` comments of a page. */
interface SpeedTable {
  /** What was measured: the machine, the versions and the day. */
  readonly caption: string;
  readonly headings: string;
  readonly rows: readonly string[];
}

function readTable(page: string): SpeedTable {
  const [, section] = page.split('<!-- bench:peers -->\n');
  const lines = section.split('\n<!-- /bench:peers -->')[0].split('\n');
  const [headings, , ...rows] = lines.filter((line) => line.startsWith('|'));
  return { caption: lines[0], headings, rows };
}

/** Returns the cell of a row, without the range that follows a median. */
function numberIn(row: string, heading: string): number {
  const index = MEASURED.headings.split(' | ').findIndex((each) => each.replace('| ', '') === heading);
  return Number.parseFloat(row.split(' | ')[index].replaceAll(',', ''));
}

test('the README has at most 146 lines, and one for each game', () => {
  expect(README.split('\n').length - 1).toBeLessThanOrEqual(MAX_LINES_BESIDE_GAMES + PROBLEMS.length);
});

test('the speeds in the README are rows of the table in bench/README.md, of the same version and day', () => {
  expect(SHOWN.rows.length).toBeGreaterThan(1);
  expect(MEASURED.rows).toEqual(expect.arrayContaining([...SHOWN.rows]));
  expect({ ...SHOWN, rows: [] }).toEqual({ ...MEASURED, rows: [] });
  expect(MEASURED.caption).toMatch(/, boardmill \d+\.\d+\.\d+ \([0-9a-f]+\), \d{4}-\d\d-\d\d, load /);
});

test('the speeds are those of this version', () => {
  const { version } = JSON.parse(readText('package.json'));
  expect(MEASURED.caption).toContain(`, boardmill ${version} (`);
});

test('the table in bench/README.md is the newest measurement', () => {
  const runs = readdirSync(join(ROOT, 'bench/runs')).sort();
  const newest = runs.findLast((run) => readdirSync(join(ROOT, 'bench/runs', run)).includes('peers.md'));
  const text = readText(`bench/runs/${newest}/peers.md`);
  for (const line of [MEASURED.caption, MEASURED.headings, ...MEASURED.rows]) expect(text).toContain(line);
});

test('the sentence about the speed rounds the first row of the table', () => {
  const [, boards, ratio] = /solves ([\d,]+) boards of Bacterial Tactics a second, (\d+) times/.exec(README)!;
  const [row] = SHOWN.rows;
  const perSecond = Number((1e6 / numberIn(row, 'boardmill -j 1')).toPrecision(2));
  expect(row).toContain('bacterial-tactics-mixed');
  expect({ boards, ratio }).toEqual({
    boards: perSecond.toLocaleString('en-US'),
    ratio: numberIn(row, 'peer / -j 1').toFixed(0),
  });
});
