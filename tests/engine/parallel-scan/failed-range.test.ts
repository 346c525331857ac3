/** The coordinator solves a range whose worker has failed. */
import { expect, test } from 'vitest';
import { ChunkFailure } from '../../../src/engine/dispatcher.js';
import { solveFailedRange } from '../../../src/engine/parallel-scan/failed-range.js';
import { abandonHandoff, createHandoff } from '../../../src/engine/parallel-scan/handoff.js';
import type { RangeTask } from '../../../src/engine/parallel-scan/range-messages.js';
import type { RunParts } from '../../../src/engine/run-parts.js';
import { bulkInput, bytesOf, styleOf } from '../../support/inputs.js';
import { solve } from '../../support/range-runs.js';

test('of a range with several chunks, only the case that took too long loses its answer', async () => {
  const style = styleOf('bacterial-tactics');
  const lines = bulkInput(style, 900, 4, 5).split('\n');
  // Each invalid case is the end of a chunk.
  for (let line = 40; line < lines.length; line += 70) lines[line] = `${lines[line]}?`;
  const input = bytesOf(lines.join('\n'));
  const settings = { onError: 'mark', chunkBytes: 1500 } as const;
  const whole = await solve(style.inputFormat, input, settings, 'chunks');
  const failures = Array(900).fill('slow-case');
  const { seen, slowCases } = await solve(style.inputFormat, input, { ...settings, failures }, 'file');
  expect(slowCases.length).toBeGreaterThan(3);
  const answers = whole.seen.text.split('\n');
  for (const caseNumber of slowCases) answers[caseNumber - 1] = 'ERROR';
  expect(seen.text.split('\n')).toEqual(answers);
  expect(seen.failedCases).toBe(whole.seen.failedCases + slowCases.length);
});

test('if the run has failed meanwhile, the failure of the range is the reason why it has no answers', async () => {
  const failure = new ChunkFailure('crash', 'a worker exited', null);
  const task = { handoff: createHandoff(), nextHandoff: createHandoff() } as unknown as RangeTask;
  const solving = solveFailedRange(task, failure, {} as RunParts);
  abandonHandoff(task.handoff);
  await expect(solving).rejects.toBe(failure);
});
