/** Tests of the order and the limits of the merge. Each test decides when a result is finished or written. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { ReorderBuffer } from '../../src/engine/merge.js';
import { type Deferred, defer, settled } from '../support/deferred.js';

let written: string[];
let merge: ReorderBuffer<string>;
let works: Deferred<string>[];

interface SetUp {
  readonly maxRunning?: number;
  readonly maxWaitingBytes?: number;
  readonly staysNearReader?: boolean;
  readonly write?: () => Promise<void>;
}

function setUp({ staysNearReader = false, ...options }: SetUp = {}) {
  written = [];
  works = [];
  merge = new ReorderBuffer<string>({
    maxRunning: () => options.maxRunning ?? 100,
    maxWaitingBytes: options.maxWaitingBytes ?? 1000,
    staysNearReader,
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

/** Waits until nothing more happens in this process, and returns whether the promise is settled then. */
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

describe('order of the results', () => {
  test('results that finish in another order are written in input order', async () => {
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

  test('for any order in which chunks finish, results are written in the order in which chunks were added', async () => {
    const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (finishing) => {
        setUp();
        add(finishing.length);
        for (const index of finishing) works[index].resolve(`${index}`);
        await merge.drain();
        expect(written).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
      }),
    );
  });

  test.each([
    ['before', [1, 0]],
    ['while', [0, 1]],
  ])(
    'a result that is there %s the one before it is written waits for the end of that write',
    async (_, order) => {
      const writes: Deferred<void>[] = [];
      setUp({
        write: () => {
          writes.push(defer());
          return writes.at(-1)!.promise;
        },
      });
      add(2);
      for (const index of order) {
        works[index].resolve('ab'[index]);
        await settled(() => written.length);
      }
      expect(written).toEqual(['a']);
      const drained = merge.drain();
      writes[0].resolve();
      await settled(() => written.length);
      expect(written).toEqual(['a', 'b']);
      expect(await isDone(drained)).toBe(false);
      writes[1].resolve();
      await drained;
    },
  );

  test('drain() resolves at once if nothing was added', async () => {
    await merge.drain();
    expect(written).toEqual([]);
  });
});

describe('failure of a chunk or of writing', () => {
  test('if a chunk fails, the results before it are written, and nothing after it', async () => {
    add(4);
    works[2].reject(new Error('third'));
    works[3].resolve('d');
    works[1].resolve('b');
    expect(await settled(() => merge.isStopped)).toBe(false);
    works[0].resolve('a');
    await expect(merge.drain()).rejects.toThrow('third');
    expect(written).toEqual(['a', 'b']);
  });

  test('if two chunks fail, drain() throws the failure that is earlier in the input, even if it happened later', async () => {
    add(3);
    works[2].reject(new Error('third'));
    works[1].reject(new Error('second'));
    works[0].resolve('a');
    await expect(merge.drain()).rejects.toThrow('second');
    expect(written).toEqual(['a']);
  });

  test('if writing fails, nothing more is written, and waitForRoom() resolves', async () => {
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

describe('room for another chunk', () => {
  test('waitForRoom() waits while the largest allowed number of chunks is running', async () => {
    setUp({ maxRunning: 2 });
    add(1);
    await merge.waitForRoom();
    add(1);
    const room = merge.waitForRoom();
    expect(await isDone(room)).toBe(false);
    works[1].resolve('b');
    expect(await isDone(room)).toBe(true);
  });

  test('a slow first chunk stops the others only when the results that wait for it reach their limit in bytes', async () => {
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

  test('a result that is still being written counts as a waiting result', async () => {
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

  test('near its reader, results that wait for the reader count as running until the reader has taken them', async () => {
    const writes: Deferred<void>[] = [];
    setUp({
      maxRunning: 2,
      staysNearReader: true,
      write: () => {
        writes.push(defer());
        return writes.at(-1)!.promise;
      },
    });
    add(2);
    works[0].resolve('a');
    works[1].resolve('b');
    await settled(() => written.length);
    const room = merge.waitForRoom();
    expect(await isDone(room)).toBe(false);
    writes[0].resolve();
    expect(await isDone(room)).toBe(true);
    add(1);
    works[2].resolve('c');
    expect(await isDone(merge.waitForRoom())).toBe(false);
    expect(written).toEqual(['a', 'b']);
  });

  test('near its reader, too, a slow first chunk stops the others only at the limit in bytes', async () => {
    setUp({ maxRunning: 2, maxWaitingBytes: 3, staysNearReader: true });
    add(1);
    for (const result of ['b', 'c', 'd']) {
      await merge.waitForRoom();
      add(1);
      works.at(-1)!.resolve(result);
      await settled(() => written.length);
    }
    expect(await isDone(merge.waitForRoom())).toBe(false);
    expect(written).toEqual([]);
  });
});
