/** An input of 250 MB, and how much memory a run on it may need. */
import { expect } from 'vitest';

export const MIB = 2 ** 20;

/** Test options without a time limit, because the time for 250 MB depends on the machine. */
export const NO_TIME_LIMIT = { timeout: 0 };

/** A board without a move needs almost no solving time, so the tests measure how boardmill passes on bytes. */
export const BLOCK_CASES = 20_000;
export const BLOCK = Buffer.from(`12 12\n${'############\n'.repeat(12)}`.repeat(BLOCK_CASES));
export const BLOCKS = Math.ceil(250e6 / BLOCK.length);

export function expectLittleMemory(json: string): void {
  const stats = JSON.parse(json) as { cases: number; bytes: number; peakRssBytes: number };
  expect(stats.cases).toBe(BLOCKS * BLOCK_CASES);
  expect(stats.bytes).toBeGreaterThan(250e6);
  console.log(`peak ${Math.round(stats.peakRssBytes / MIB)} MiB over ${Math.round(stats.bytes / 1e6)} MB`);
  expect(stats.peakRssBytes).toBeLessThan(400 * MIB);
}
