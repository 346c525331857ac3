/** The scan of a single range. tests/engine/parallel-scan/runs.test.ts has whole runs. */
import { expect, test } from 'vitest';
import { EMPTY_SPAN } from '../../../src/core/location.js';
import type { HandoffPosition } from '../../../src/engine/parallel-scan/handoff.js';
import type { RangeTask } from '../../../src/engine/parallel-scan/range-messages.js';
import { RangeReader } from '../../../src/engine/parallel-scan/range-reader.js';
import { RangeScanner } from '../../../src/engine/parallel-scan/range-scanner.js';
import { inputFormat } from '../../../src/games/darkraft/format.js';

test.each<[string, Partial<HandoffPosition>]>([
  ['the last case of the range before ends behind the range', { offset: 5000 }],
  ['the range before has ended the scan', { isOver: true }],
])('a range has no cases if %s, and hands the position on', (_, given) => {
  const handoff: HandoffPosition = { offset: 1500, cases: 7, searching: 'no', isOver: false, ...given };
  const scanner = new RangeScanner(inputFormat, new RangeReader(), { from: 1000, to: 2000 } as RangeTask);
  expect(scanner.scanFrom(handoff)).toEqual({
    scan: {
      start: handoff.offset,
      stop: { ...handoff, next: '' },
      spanAfter: EMPTY_SPAN,
      end: null,
      isContinuable: false,
      isSpeculative: false,
    },
    chunks: [],
  });
});
