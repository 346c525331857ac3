import { expect, test } from 'vitest';
import { CaseTimes } from '../../src/bench/case-times.js';

test('every case falls into the one bucket that holds its time', () => {
  const times = new CaseTimes(1);
  const nanoseconds = [0, 1, 2, 3, 1000, 1001, 5_000_000, 7e9];
  for (const time of nanoseconds) times.add(time);
  const { buckets } = times;
  expect(buckets.reduce((sum, { cases }) => sum + cases, 0)).toBe(nanoseconds.length);
  for (const { from, to, cases } of buckets) {
    const inside = nanoseconds.filter((time) => Math.max(1, time) >= from && Math.max(1, time) < to);
    expect(inside.length).toBe(cases);
  }
});

test('the slowest are kept, slowest first, an earlier one before its equal', () => {
  const times = new CaseTimes(3);
  for (const time of [5, 9, 1, 9, 7, 2]) times.add(time);
  expect(times.slowest.map((slow) => slow.case)).toEqual([2, 4, 5]);
  expect(times.cases).toBe(6);
  expect(times.totalNanoseconds).toBe(33);
});
