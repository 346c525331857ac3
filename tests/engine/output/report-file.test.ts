import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesOfReports, withReportFiles } from '../../../src/engine/output/report-file.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boardmill-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const reportAt = (path: string | null, role: string) => ({ path, kind: 'report', role }) as const;

test('if a report file cannot be opened, nothing remains of those before it', async () => {
  const reports = {
    first: reportAt(join(folder, 'first'), '--first'),
    second: reportAt(join(folder, 'missing', 'second'), '--second'),
  };
  await expect(withReportFiles(reports, false, async () => {})).rejects.toThrow(/missing/);
  expect(readdirSync(folder)).toEqual([]);
});

test('if the work fails, the reports that are written remain, and the others leave nothing', async () => {
  const reports = {
    first: reportAt(join(folder, 'first'), '--first'),
    second: reportAt(join(folder, 'second'), '--second'),
  };
  const work = withReportFiles(reports, false, async ({ first }) => {
    await first?.write('done\n');
    throw new Error('no time left');
  });
  await expect(work).rejects.toThrow('no time left');
  expect(readdirSync(folder)).toEqual(['first']);
  expect(readFileSync(join(folder, 'first'), 'utf8')).toBe('done\n');
});

test('a report without a path has no file', async () => {
  const reports = { first: reportAt(null, '--first'), second: reportAt(join(folder, 'second'), '--second') };
  expect(filesOfReports(reports)).toEqual([{ path: join(folder, 'second'), role: '--second' }]);
  await withReportFiles(reports, false, async ({ first, second }) => {
    expect(first).toBeUndefined();
    await second?.write('');
  });
  expect(readdirSync(folder)).toEqual(['second']);
});
