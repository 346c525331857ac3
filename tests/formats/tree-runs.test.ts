/** The scanner of a tree finds many cases with one call of `findRun`. It must find what it finds case by case. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordValue } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { type Cutting, change, cutting, scanBothWays } from '../support/case-runs.js';
import { runs } from '../support/random-tests.js';
import { SAMPLES } from '../support/samples.js';
import { printInput } from '../support/tree-reading.js';

test('the same cases, one by one or in runs', async () => {
  let cases = 0;
  for (const { layout, value } of SAMPLES) {
    const format = new TreeInputFormat(layout);
    const values = fc.array(value, { minLength: 1, maxLength: 6 });
    const check = async (drawn: RecordValue[], how: Cutting, changed: (text: string) => string) => {
      const text = Buffer.from(printInput(layout, drawn)).toString('latin1');
      const chunks = await scanBothWays(format, changed(text), how);
      cases += chunks.reduce((sum, { starts }) => sum + starts.length - 1, 0);
    };
    await fc.assert(fc.asyncProperty(values, cutting, change, check), { numRuns: runs(15) });
  }
  expect(cases).toBeGreaterThan(runs(15) * SAMPLES.length);
});
