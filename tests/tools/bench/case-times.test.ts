import { expect, test } from 'vitest';
import { CaseTimes } from '../../../src/tools/bench/case-times.js';

test('every case is counted in exactly one bucket, whose range contains its time', () => {
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

test('the slowest cases are kept in order, the slowest first; of two equal times, the earlier case comes first', () => {
  const times = new CaseTimes(3);
  for (const time of [5, 9, 1, 9, 7, 2]) times.add(time);
  expect(times.slowest.map((slow) => slow.case)).toEqual([2, 4, 5]);
  expect(times.cases).toBe(6);
  expect(times.totalNanoseconds).toBe(33);
});
