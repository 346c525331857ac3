import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ValueCounts } from '../../src/core/value-counts.js';

function countsOf(values: readonly number[]): ValueCounts {
  const counts = new ValueCounts();
  for (const value of values) counts.add(value);
  return counts;
}

/** The smallest and the largest numbers, where a calculation rounds to 0 or overflows. */
const EXTREMES = fc.constantFrom(5e-324, -5e-324, 1e-310, -1e-310, 1.1e-308, 9.9e-308, 1.7e308, -1.7e308);

const VALUES = fc.array(
  fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer(), fc.double({ noNaN: true }), EXTREMES),
);

describe('the distribution of many numbers', () => {
  test('has bars that count every number once, in a range that contains it', () => {
    fc.assert(
      fc.property(VALUES, fc.integer({ min: 2, max: 30 }), (values, maxBars) => {
        const finite = values.filter(Number.isFinite);
        const bars = countsOf(values).bars(maxBars);
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(finite.length);
        for (const [index, { from, to }] of bars.entries()) {
          expect(from).toBeLessThanOrEqual(to);
          if (index > 0) expect(from).toBeGreaterThanOrEqual(bars[index - 1].to);
        }
      }),
    );
  });

  test('rounds numbers for the bars, but not for the range and the mean', () => {
    const thirds = new ValueCounts();
    for (const third of [1 / 3, 1 / 3, 2 / 3, 0]) thirds.add(third * 10, 1, Math.round(third * 10));
    expect([thirds.min, thirds.max, thirds.mean]).toEqual([0, (2 / 3) * 10, 3.33333333]);
    expect(thirds.bars(5).map(({ from, count }) => [from, count])).toEqual([
      [0, 1],
      [3, 2],
      [7, 1],
    ]);
  });

  test('does not depend on how the numbers were divided', () => {
    fc.assert(
      fc.property(fc.array(VALUES), (parts) => {
        const joined = new ValueCounts();
        for (const part of parts) joined.addAll(countsOf(part).toPlain());
        const all = countsOf(parts.flat());
        expect(joined.bars(10)).toEqual(all.bars(10));
        expect([joined.count, joined.min, joined.max, joined.different]).toEqual([
          all.count,
          all.min,
          all.max,
          all.different,
        ]);
      }),
    );
  });

  test('needs bounded memory for any number of different values', () => {
    const many = countsOf(Array.from({ length: 100_000 }, (_, i) => i - 500));
    expect(many.different).toBeNull();
    expect(many.toPlain().entries.length).toBeLessThan(20);
    expect(many.bars(20)).toContainEqual({ from: 1000, to: 9999, count: 9000 });
    expect(many.bars(20)).toContainEqual({ from: -99, to: -10, count: 90 });
    expect(many.bars(20).at(-1)).toEqual({ from: 10_000, to: 99_499, count: 89_500 });
    const joined = countsOf([7]);
    joined.addAll(many.toPlain());
    expect(joined.bars(20)).toContainEqual({ from: 1, to: 9, count: 10 });
  });

  test('has whole bars of the same width for whole numbers', () => {
    const counts = countsOf(Array.from({ length: 225 }, (_, i) => i + 1));
    expect(counts.bars(20)[0]).toEqual({ from: 1, to: 19, count: 19 });
    expect(counts.bars(20)[1]).toEqual({ from: 20, to: 39, count: 20 });
    expect(counts.bars(20).at(-1)).toEqual({ from: 220, to: 225, count: 6 });
    expect(counts.mean).toBe(113);
  });
});
