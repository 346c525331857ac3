import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StageTimes } from '../../src/engine/stage-times.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function spend(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
}

test('a stage goes on until its work is done, well or not', async () => {
  const stages = new StageTimes();
  await stages.measure('write', () => spend(7));
  const failing = async () => {
    await spend(5);
    throw new Error('full');
  };
  await expect(stages.measure('write', failing)).rejects.toThrow('full');
  expect(stages.write).toBe(12);
});

test('finding cases does not count the wait for bytes, nor what is done with the cases', async () => {
  const stages = new StageTimes();
  async function* bytes() {
    for (const piece of [1, 2, 3]) {
      await spend(10);
      yield piece;
    }
  }
  async function* cases(pieces: AsyncIterable<number>) {
    for await (const piece of pieces) {
      await spend(3);
      yield piece;
    }
  }
  const seen: number[] = [];
  for await (const item of stages.measureEach('scan', cases(stages.measureEach('read', bytes(), 'scan')))) {
    seen.push(item);
    await spend(100);
  }
  expect(seen).toEqual([1, 2, 3]);
  expect({ read: stages.read, split: stages.scan }).toEqual({ read: 30, split: 9 });
});

test('who stops in the middle closes what is behind', async () => {
  const stages = new StageTimes();
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield 1;
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of stages.measureEach('read', endless())) break;
  expect(isClosed).toBe(true);
});

test('the way to a worker and back is what its work leaves of the wait', async () => {
  const stages = new StageTimes();
  await stages.measure('dispatch', () => spend(50));
  expect(stages.addWorkerTimes({ parse: 4, solve: 30, print: 6 })).toBe(40);
  expect({ ...stages }).toEqual({ ...new StageTimes(), dispatch: 10, parse: 4, solve: 30, print: 6 });
});
