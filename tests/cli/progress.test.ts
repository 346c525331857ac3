/** The line that the progress bar is. */
import { describe, expect, test } from 'vitest';
import { formatProgress, type ProgressCounts } from '../../src/cli/status/progress-line.js';
import { joinFitting } from '../../src/cli/status/status-text.js';

const COUNTS: ProgressCounts = {
  seconds: 60,
  inputBytes: 100e6,
  answeredBytes: 42e6,
  resumedBytes: 0,
  promisedCases: null,
  cases: 1_234_567,
  resumedCases: 0,
};
const ALL = ' 42% ETA 01:23 | 1,234,567 cases | 0.70 MB/s | 20,576 cases/s';

const WIDTHS = Array.from({ length: 191 }, (_, i) => 10 + i);

describe('of a known size', () => {
  test.each([
    { width: 10, line: ' 42%' },
    { width: 13, line: ' 42%' },
    { width: 14, line: ' 42% ETA 01:23' },
    { width: 39, line: ' 42% ETA 01:23 | 1,234,567 cases' },
    { width: 44, line: ' 42% ETA 01:23 | 1,234,567 cases | 0.70 MB/s' },
    { width: ALL.length, line: ALL },
    { width: ALL.length + 5, line: ALL },
    { width: ALL.length + 6, line: `${ALL} ██░░░` },
    { width: 79, line: `${ALL} ███████░░░░░░░░░░` },
  ])('$width characters hold "$line"', ({ width, line }) => {
    expect(formatProgress(COUNTS, width)).toBe(line);
  });

  test('at any width: no wider, and the percentage and the ETA come first', () => {
    for (const width of WIDTHS) {
      const line = formatProgress(COUNTS, width);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line.startsWith(width < 14 ? ' 42%' : ' 42% ETA 01:23')).toBe(true);
    }
  });

  test('a promised number of cases does as well', () => {
    const counts = { ...COUNTS, inputBytes: null, promisedCases: 4, cases: 1 };
    expect(formatProgress(counts, 39)).toBe(' 25% ETA 03:00 | 1 case | 0.70 MB/s');
  });

  test.each([
    { when: 'before the first answer', answeredBytes: 0, cases: 0, line: '  0% ETA --:-- | 0 cases' },
    { when: 'at the end', answeredBytes: 100e6, cases: 9, line: '100% ETA 00:00 | 9 cases' },
    { when: 'with hours to go', answeredBytes: 1e6, cases: 9, line: '  1% ETA 01:39:00 | 9 cases' },
  ])('$when', ({ answeredBytes, cases, line }) => {
    expect(formatProgress({ ...COUNTS, answeredBytes, cases }, 32)).toBe(line);
  });

  test('an empty input is no division by zero', () => {
    const counts = { ...COUNTS, inputBytes: 0, answeredBytes: 0, cases: 0 };
    expect(formatProgress(counts, 40)).toBe('  0% ETA --:-- | 0 cases | 0.00 MB/s');
  });

  test('what an earlier run answered counts as done, but not for the speed', () => {
    const resumed = { ...COUNTS, resumedBytes: 36e6, resumedCases: 1_234_507 };
    expect(formatProgress(resumed, 60)).toBe(' 42% ETA 09:40 | 1,234,567 cases | 0.10 MB/s | 1 cases/s');
  });
});

describe('of an unknown size', () => {
  const counts = { ...COUNTS, inputBytes: null };

  test('cases and speed are shown, without a bar', () => {
    expect(formatProgress(counts, 119)).toBe(' 1,234,567 cases | 0.70 MB/s | 20,576 cases/s');
    expect(formatProgress(counts, 39)).toBe(' 1,234,567 cases | 0.70 MB/s');
  });

  test('no wider than asked at any width', () => {
    for (const width of WIDTHS) expect(formatProgress(counts, width).length).toBeLessThanOrEqual(width);
  });
});

test('no separator is left where the part after it does not fit', () => {
  expect(joinFitting([' 42%', ' | ', 'much more'], 8)).toBe(' 42%');
});
