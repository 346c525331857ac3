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

test('the time of a stage lasts until its work is done, even if the work fails', async () => {
  const stages = new StageTimes();
  await stages.measure('write', () => spend(7));
  const failing = async () => {
    await spend(5);
    throw new Error('full');
  };
  await expect(stages.measure('write', failing)).rejects.toThrow('full');
  expect(stages.write).toBe(12);
});

test('the stage scan counts neither the wait for bytes nor the time that the caller spends on the cases', async () => {
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
  expect({ read: stages.read, scan: stages.scan }).toEqual({ read: 30, scan: 9 });
});

test('if the caller stops before the end, measureEach() closes the iterator that it measures', async () => {
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

test('the stage dispatch is the time that the coordinator waits for a chunk, without the work of the worker', async () => {
  const stages = new StageTimes();
  await stages.measure('dispatch', () => spend(50));
  expect(stages.addWorkerTimes({ parse: 4, solve: 30, print: 6 })).toBe(40);
  expect({ ...stages }).toEqual({ ...new StageTimes(), dispatch: 10, parse: 4, solve: 30, print: 6 });
});
