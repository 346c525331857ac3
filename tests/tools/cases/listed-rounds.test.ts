/** Tests that a search for failures among all cases tries each once, and knows how many are left. */
import { expect, test } from 'vitest';
import { problem } from '../../../src/games/darkraft/index.js';
import { CaseListing } from '../../../src/tools/cases/list-cases.js';
import { ListedRounds } from '../../../src/tools/cases/listed-rounds.js';

const SIDES = { from: 1, to: 2 };
const BOARDS = 3 + 2 * 3 ** 2 + 3 ** 4;

function listedRounds(options: { rounds?: number; jobs?: number; casesPerBatch?: number } = {}) {
  const enumeration = problem.cases.enumerate!({ rows: SIDES, cols: SIDES, set: null });
  const listing = new CaseListing(problem, enumeration, null);
  return new ListedRounds(listing, {
    rounds: Number.POSITIVE_INFINITY,
    jobs: 2,
    casesPerBatch: 7,
    ...options,
  });
}

test.each([
  { jobs: 1, casesPerBatch: 1 },
  { jobs: 3, casesPerBatch: 7 },
  { jobs: 8, casesPerBatch: 1000 },
])('every case is tried once with $jobs jobs and $casesPerBatch cases per batch', async (options) => {
  const rounds = listedRounds(options);
  const seen: string[] = [];
  let lastRound = 0;
  for await (const group of rounds.groups()) {
    lastRound = group.reduce((sum, { cases }) => sum + cases.length, 0);
    for (const { cases } of group) {
      expect(cases.length).toBeLessThanOrEqual(options.casesPerBatch);
      seen.push(...cases.map((bytes) => Buffer.from(bytes).toString()));
    }
  }
  expect(seen).toHaveLength(BOARDS);
  expect(new Set(seen).size).toBe(BOARDS);
  expect(rounds.left(lastRound)).toEqual({ count: 0n, isExact: true });
});

test('the cases of a round that were not tried are left', async () => {
  const rounds = listedRounds({ rounds: 2 });
  expect(rounds.left(0)).toEqual({ count: BigInt(BOARDS), isExact: true });
  const groups = rounds.groups();
  const sizes: number[] = [];
  for await (const group of groups) {
    const before = sizes.reduce((sum, size) => sum + size, 0);
    sizes.push(group.reduce((sum, { cases }) => sum + cases.length, 0));
    expect(rounds.left(0).count).toBe(BigInt(BOARDS - before));
    expect(rounds.left(7).count).toBe(BigInt(BOARDS - before - 7));
    expect(rounds.left(sizes.at(-1)!).count).toBe(BigInt(BOARDS - before - sizes.at(-1)!));
  }
  expect(sizes).toEqual([42, 42]);
  expect(rounds.left(42).count).toBe(BigInt(BOARDS - 84));
});
