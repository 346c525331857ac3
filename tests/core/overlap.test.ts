import { describe, expect, test } from 'vitest';
import { forEachConcurrently } from '../../src/core/overlap.js';
import { type Deferred, defer, settled } from '../support/deferred.js';

/** Begins works that end when they are told to. */
function run(weights: number[], count: number, weight: number) {
  const works: Deferred<void>[] = [];
  const bounds = { count, weight, weightOf: (item: number) => item };
  const over = forEachConcurrently(weights, bounds, () => {
    works.push(defer());
    return works[works.length - 1].promise;
  });
  return { works, over, begun: () => settled(() => works.length) };
}

describe('how many are begun', () => {
  test.each<[string, number[], number, number, number]>([
    ['as many as the count allows', [1, 1, 1, 1], 3, 10, 3],
    ['as many as the weight allows', [4, 4, 4], 9, 10, 2],
    ['one that is too heavy alone', [99, 1], 9, 10, 1],
    ['weightless ones, beside a heavy one', [10, 0, 0, 1], 9, 10, 3],
    ['all there are', [1, 2], 9, 10, 2],
  ])('%s', async (_, weights, count, weight, expected) => {
    expect(await run(weights, count, weight).begun()).toBe(expected);
  });
});

test('whichever ends makes room for the next', async () => {
  const { works, over, begun } = run([1, 1, 1, 1], 2, 10);
  await begun();
  works[1].resolve();
  expect(await begun()).toBe(3);
  works[2].resolve();
  expect(await begun()).toBe(4);
  works[0].resolve();
  works[3].resolve();
  await over;
});

test('a failure is thrown when all that was begun is over, and no more is begun', async () => {
  const { works, over, begun } = run([1, 1, 1], 2, 10);
  let outcome = 'open';
  over.catch((error: Error) => {
    outcome = error.message;
  });
  await begun();
  works[0].reject(new Error('broken'));
  expect(await settled(() => outcome)).toBe('open');
  works[1].resolve();
  expect(await settled(() => outcome)).toBe('broken');
  expect(works.length).toBe(2);
});
