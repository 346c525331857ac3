/** Tests of the text of the progress line. */
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
/** The progress line for COUNTS with all parts except the bar. */
const LINE_WITHOUT_BAR = ' 42% ETA 01:23 | 1,234,567 cases | 0.70 MB/s | 20,576 cases/s';

const WIDTHS = Array.from({ length: 191 }, (_, i) => 10 + i);

describe('the progress line for an input of known size', () => {
  test.each([
    { width: 10, line: ' 42%' },
    { width: 13, line: ' 42%' },
    { width: 14, line: ' 42% ETA 01:23' },
    { width: 39, line: ' 42% ETA 01:23 | 1,234,567 cases' },
    { width: 44, line: ' 42% ETA 01:23 | 1,234,567 cases | 0.70 MB/s' },
    { width: LINE_WITHOUT_BAR.length, line: LINE_WITHOUT_BAR },
    { width: LINE_WITHOUT_BAR.length + 5, line: LINE_WITHOUT_BAR },
    { width: LINE_WITHOUT_BAR.length + 6, line: `${LINE_WITHOUT_BAR} ██░░░` },
    { width: 79, line: `${LINE_WITHOUT_BAR} ███████░░░░░░░░░░` },
  ])('the progress line in $width characters is "$line"', ({ width, line }) => {
    expect(formatProgress(COUNTS, width)).toBe(line);
  });

  test('the progress line is never wider than asked, and starts with the percentage and the ETA', () => {
    for (const width of WIDTHS) {
      const line = formatProgress(COUNTS, width);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line.startsWith(width < 14 ? ' 42%' : ' 42% ETA 01:23')).toBe(true);
    }
  });

  test('the progress line uses the promised number of cases if the size is not known', () => {
    const counts = { ...COUNTS, inputBytes: null, promisedCases: 4, cases: 1 };
    expect(formatProgress(counts, 39)).toBe(' 25% ETA 03:00 | 1 case | 0.70 MB/s');
  });

  test.each([
    { when: 'before the first answer', answeredBytes: 0, cases: 0, line: '  0% ETA --:-- | 0 cases' },
    { when: 'at the end', answeredBytes: 100e6, cases: 9, line: '100% ETA 00:00 | 9 cases' },
    { when: 'with hours to go', answeredBytes: 1e6, cases: 9, line: '  1% ETA 01:39:00 | 9 cases' },
  ])('$when, the progress line is "$line"', ({ answeredBytes, cases, line }) => {
    expect(formatProgress({ ...COUNTS, answeredBytes, cases }, 32)).toBe(line);
  });

  test('the progress line for an empty input shows 0%', () => {
    const counts = { ...COUNTS, inputBytes: 0, answeredBytes: 0, cases: 0 };
    expect(formatProgress(counts, 40)).toBe('  0% ETA --:-- | 0 cases | 0.00 MB/s');
  });

  test('cases that an interrupted run answered count for the percentage, but not for the speed', () => {
    const resumed = { ...COUNTS, resumedBytes: 36e6, resumedCases: 1_234_507 };
    expect(formatProgress(resumed, 60)).toBe(' 42% ETA 09:40 | 1,234,567 cases | 0.10 MB/s | 1 cases/s');
  });
});

describe('the progress line for an input of unknown size', () => {
  const counts = { ...COUNTS, inputBytes: null };

  test('the progress line without a known size shows cases and speed, but no bar', () => {
    expect(formatProgress(counts, 119)).toBe(' 1,234,567 cases | 0.70 MB/s | 20,576 cases/s');
    expect(formatProgress(counts, 39)).toBe(' 1,234,567 cases | 0.70 MB/s');
  });

  test('the progress line without a known size is never wider than asked', () => {
    for (const width of WIDTHS) expect(formatProgress(counts, width).length).toBeLessThanOrEqual(width);
  });
});

test('joinFitting drops a separator if the part after it does not fit', () => {
  expect(joinFitting([' 42%', ' | ', 'much more'], 8)).toBe(' 42%');
});
