import { expect, test } from 'vitest';
import { describeProgress } from '../../src/cli/judge/judge-report.js';

const tally = (promisedCases: number | null, answeredBytes: number, inputBytes: number | null) => ({
  promisedCases,
  answeredBytes,
  inputBytes,
});

test('judge says of how many cases it has judged how many, as far as the inputs say that', () => {
  expect(describeProgress(2200, [tally(20_000, 0, 100)], 1)).toBe('2,200 of 20,000 cases');
  expect(describeProgress(5, [tally(3, 9, 9), tally(4, 1, 9)], 2)).toBe('5 of 7 cases, input 2 of 2');
  expect(describeProgress(5, [tally(20, 9, 100)], 3)).toBe('5 cases, input 1 of 3');
  expect(describeProgress(1, [tally(null, 50, 200)], 1)).toBe('1 case (25 %)');
  expect(describeProgress(1, [tally(null, 50, null)], 1)).toBe('1 case');
});
