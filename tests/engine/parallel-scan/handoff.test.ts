/** Handoffs between the threads that scan one range after another. */
import { describe, expect, test } from 'vitest';
import {
  abandonHandoff,
  awaitHandoff,
  blockUntilHandoff,
  createHandoff,
  fillHandoff,
  type HandoffPosition,
  readHandoff,
} from '../../../src/engine/parallel-scan/handoff.js';

const POSITIONS: HandoffPosition[] = (['no', 'blank', 'token', 'end'] as const).map((searching, index) => ({
  offset: 2 ** 40 + index,
  cases: 2 ** 35 + index,
  searching,
  isOver: false,
}));

test.each(POSITIONS)('a handoff keeps the position %o', async (position) => {
  const handoff = createHandoff();
  expect(readHandoff(handoff)).toBeNull();
  const awaited = awaitHandoff(handoff);
  fillHandoff(handoff, position);
  expect(await awaited).toEqual(position);
  expect(blockUntilHandoff(handoff)).toEqual(position);
  fillHandoff(handoff, { ...position, isOver: true });
  expect(readHandoff(handoff)).toMatchObject({
    offset: position.offset,
    cases: position.cases,
    isOver: true,
  });
});

describe('a run that has failed', () => {
  test('lets nobody wait for a handoff that will not come', async () => {
    const handoff = createHandoff();
    const awaited = awaitHandoff(handoff);
    abandonHandoff(handoff);
    expect(await awaited).toBeNull();
    expect(blockUntilHandoff(handoff)).toBeNull();
  });

  test('leaves a position that is there', () => {
    const handoff = createHandoff();
    fillHandoff(handoff, POSITIONS[0]);
    abandonHandoff(handoff);
    expect(readHandoff(handoff)).toEqual(POSITIONS[0]);
  });
});
