import { describe, expect, test } from 'vitest';
import { CoalescedWork, forEachConcurrently } from '../../src/core/overlap.js';
import { type Deferred, defer, settled } from '../support/deferred.js';

/**
 * Starts forEachConcurrently on items of these weights. The test ends the work on an item by resolving its promise in
 * `works`.
 */
function start(weights: number[], count: number, weight: number) {
  const works: Deferred<void>[] = [];
  const bounds = { maxCount: count, maxWeight: weight, weightOf: (item: number) => item };
  const over = forEachConcurrently(weights, bounds, () => {
    works.push(defer());
    return works[works.length - 1].promise;
  });
  return { works, over, countStarted: () => settled(() => works.length) };
}

describe('number of items that are processed at the same time', () => {
  test.each<[string, number[], number, number, number]>([
    ['as many as the bound on their number allows', [1, 1, 1, 1], 3, 10, 3],
    ['as many as the bound on their weight allows', [4, 4, 4], 9, 10, 2],
    ['one item, if it exceeds the bound on the weight alone', [99, 1], 9, 10, 1],
    ['items without weight, in addition to a heavy item', [10, 0, 0, 1], 9, 10, 3],
    ['all items, if the bounds allow more', [1, 2], 9, 10, 2],
  ])('forEachConcurrently starts %s', async (_, weights, count, weight, expected) => {
    expect(await start(weights, count, weight).countStarted()).toBe(expected);
  });
});

test('when any item ends, the next item is started', async () => {
  const { works, over, countStarted } = start([1, 1, 1, 1], 2, 10);
  await countStarted();
  works[1].resolve();
  expect(await countStarted()).toBe(3);
  works[2].resolve();
  expect(await countStarted()).toBe(4);
  works[0].resolve();
  works[3].resolve();
  await over;
});

test('after a failure no item is started, and the failure is thrown when all started items have ended', async () => {
  const { works, over, countStarted } = start([1, 1, 1], 2, 10);
  let outcome = 'open';
  over.catch((error: Error) => {
    outcome = error.message;
  });
  await countStarted();
  works[0].reject(new Error('broken'));
  expect(await settled(() => outcome)).toBe('open');
  works[1].resolve();
  expect(await settled(() => outcome)).toBe('broken');
  expect(works.length).toBe(2);
});

describe('shared work', () => {
  test('serves all calls that wait at once, each by a run that began after it', async () => {
    const runs: { name: string; items: readonly number[]; end: Deferred<void> }[] = [];
    const work = new CoalescedWork<number>((name, items) => {
      const end = defer<void>();
      runs.push({ name, items, end });
      return end.promise;
    });
    const ended: number[] = [];
    const call = (name: string, item: number) => void work.run(name, item).then(() => ended.push(item));
    call('a', 1);
    expect(await settled(() => runs.length)).toBe(1);
    call('a', 2);
    call('a', 3);
    call('b', 4);
    expect(await settled(() => runs.map(({ name, items }) => `${name}${items}`).join())).toBe('a1,b4');
    runs[0].end.resolve();
    expect(await settled(() => ended.join())).toBe('1');
    expect(runs[2]).toMatchObject({ name: 'a', items: [2, 3] });
    runs[1].end.resolve();
    runs[2].end.resolve();
    expect(await settled(() => ended.join())).toBe('1,4,2,3');
  });

  test('fails for those whom it did not serve, and then goes on', async () => {
    const work = new CoalescedWork<string>(async (_, items) => {
      if (items.includes('bad')) throw new Error(items.join());
    });
    const first = work.run('a', 'bad');
    const outcomes = Promise.allSettled([first, work.run('a', 'bad'), work.run('b', 'good')]);
    await expect(first).rejects.toThrow('bad');
    await expect(work.run('a', 'good')).resolves.toBeUndefined();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
