/** Ordering and bounds, with results that come when the test says so. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Merge } from '../../src/engine/merge.js';
import { type Deferred, defer, settled } from '../support/deferred.js';

let written: string[];
let merge: Merge<string>;
let works: Deferred<string>[];

function setUp(options: { maxRunning?: number; maxWaitingBytes?: number; write?: () => Promise<void> } = {}) {
  written = [];
  works = [];
  merge = new Merge<string>({
    maxRunning: options.maxRunning ?? 100,
    maxWaitingBytes: options.maxWaitingBytes ?? 1000,
    bytesOf: (result) => result.length,
    async write(result) {
      written.push(result);
      await options.write?.();
    },
  });
}

function add(count: number): void {
  for (let i = 0; i < count; i++) {
    const work = defer<string>();
    works.push(work);
    merge.add(work.promise);
  }
}

/** Whether the promise has settled by the time that nothing moves any more. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(
    () => {
      done = true;
    },
    () => {
      done = true;
    },
  );
  return settled(() => done);
}

beforeEach(() => setUp());

describe('order', () => {
  test('out of order results are written in order', async () => {
    add(4);
    works[2].resolve('c');
    works[1].resolve('b');
    expect(await settled(() => written.length)).toBe(0);
    works[0].resolve('a');
    await settled(() => written.length);
    expect(written).toEqual(['a', 'b', 'c']);
    works[3].resolve('d');
    await merge.drain();
    expect(written).toEqual(['a', 'b', 'c', 'd']);
  });

  test('any order of finishing gives the order of adding', async () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    await fc.assert(
      fc.asyncProperty(order, async (finishing) => {
        setUp();
        add(finishing.length);
        for (const index of finishing) works[index].resolve(`${index}`);
        await merge.drain();
        expect(written).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
      }),
    );
  });

  test('no result is written while the one before is still being written', async () => {
    const writes: Deferred<void>[] = [];
    setUp({
      write: () => {
        writes.push(defer());
        return writes.at(-1)!.promise;
      },
    });
    add(2);
    works[1].resolve('b');
    works[0].resolve('a');
    await settled(() => written.length);
    expect(written).toEqual(['a']);
    const drained = merge.drain();
    writes[0].resolve();
    await settled(() => written.length);
    expect(written).toEqual(['a', 'b']);
    expect(await isDone(drained)).toBe(false);
    writes[1].resolve();
    await drained;
  });

  test('nothing added: drained at once', async () => {
    await merge.drain();
    expect(written).toEqual([]);
  });
});

describe('failure', () => {
  test('a failed result stops the output after the answers before it', async () => {
    add(4);
    works[2].reject(new Error('third'));
    works[3].resolve('d');
    works[1].resolve('b');
    expect(await settled(() => merge.isStopped)).toBe(false);
    works[0].resolve('a');
    await expect(merge.drain()).rejects.toThrow('third');
    expect(written).toEqual(['a', 'b']);
  });

  test('of two failures the one earlier in the input is told, though it comes later', async () => {
    add(3);
    works[2].reject(new Error('third'));
    works[1].reject(new Error('second'));
    works[0].resolve('a');
    await expect(merge.drain()).rejects.toThrow('second');
    expect(written).toEqual(['a']);
  });

  test('a failed write ends the output, and whoever waits for room is let go', async () => {
    setUp({ maxRunning: 2, write: () => Promise.reject(new Error('disk full')) });
    add(2);
    const room = merge.waitForRoom();
    works[1].resolve('b');
    works[0].resolve('a');
    await room;
    expect(await settled(() => merge.isStopped)).toBe(true);
    await expect(merge.drain()).rejects.toThrow('disk full');
    expect(written).toEqual(['a']);
  });
});

describe('room', () => {
  test('ends with the last running work there may be, and returns when one finishes', async () => {
    setUp({ maxRunning: 2 });
    add(1);
    await merge.waitForRoom();
    add(1);
    const room = merge.waitForRoom();
    expect(await isDone(room)).toBe(false);
    works[1].resolve('b');
    expect(await isDone(room)).toBe(true);
  });

  test('a slow head holds nobody up until the bytes behind it reach their bound', async () => {
    setUp({ maxRunning: 2, maxWaitingBytes: 10 });
    add(1);
    for (const result of ['four', 'four']) {
      await merge.waitForRoom();
      add(1);
      works.at(-1)!.resolve(result);
      await settled(() => written.length);
    }
    await merge.waitForRoom();
    add(1);
    works.at(-1)!.resolve('xx');
    const room = merge.waitForRoom();
    expect(await isDone(room)).toBe(false);
    works[0].resolve('head');
    await room;
    await merge.drain();
    expect(written).toEqual(['head', 'four', 'four', 'xx']);
  });

  test('a result that is still being written counts as waiting', async () => {
    const writing = defer();
    setUp({ maxWaitingBytes: 4, write: () => writing.promise });
    add(1);
    works[0].resolve('four');
    const room = merge.waitForRoom();
    await settled(() => written.length);
    const later = merge.waitForRoom();
    expect(await isDone(later)).toBe(false);
    writing.resolve();
    await Promise.all([room, later]);
  });
});
