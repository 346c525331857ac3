import { expect, test } from 'vitest';
import { FileRangeCutter } from '../../../src/engine/parallel-scan/range-cutter.js';

/** Returns the cutter of a file of 250 bytes, and whether the file may be closed. */
function cutterOfFile() {
  const state = { isHeld: false };
  const hold = () => {
    state.isHeld = true;
    return () => {
      state.isHeld = false;
    };
  };
  return { cutter: new FileRangeCutter({ descriptor: 0, bytes: 250, hold }), state };
}

test('the last range of a file has no end, because the file may grow', async () => {
  const { cutter } = cutterOfFile();
  cutter.begin(130, 100);
  const source = { kind: 'file', descriptor: 0, end: 250 };
  expect(await cutter.next(1)).toEqual({ from: 100, to: 200, source });
  expect(await cutter.next(1)).toEqual({ from: 200, to: Number.POSITIVE_INFINITY, source });
  expect(await cutter.next(1)).toBeNull();
});

test('a file stays open until the cutter is closed and every range is released', async () => {
  const { cutter, state } = cutterOfFile();
  cutter.begin(0, 1);
  await cutter.next(100);
  await cutter.next(100);
  cutter.release();
  cutter.close();
  cutter.close();
  expect(state.isHeld).toBe(true);
  cutter.release();
  expect(state.isHeld).toBe(false);
});
