/** Cuts the power in a few runs, and plants the faults that such a check is for. */
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { runs, SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { PowerCuts } from './continued.js';
import { withoutSync } from './planted-faults.js';
import { whyNotRecordable } from './record.js';
import { SCENARIOS } from './scenarios.js';

allowSlowTests();

const folder = folderForEachTest();
const obstacle = whyNotRecordable();
if (obstacle !== null) console.warn(`no power is cut in these tests: ${obstacle}`);

const recordSmall = () => PowerCuts.record(folder.path, SCENARIOS['a small output']);

test.skipIf(obstacle !== null)(
  'after SIGKILL or a power cut, a small output is as it would have been',
  async () => {
    const { faults, refusals, states } = await (await recordSmall()).check(new Random(SEED), runs(4));
    expect(faults).toEqual([]);
    expect(refusals).toEqual({ killed: [], cut: [] });
    expect(states).toEqual({ killed: runs(4), cut: runs(4) });
  },
);

describe.skipIf(obstacle !== null)('the check notices', () => {
  test('that the bytes of FILE.partial are not synced', async () => {
    const cuts = await recordSmall();
    const { faults } = await cuts.check(new Random(SEED), 0, withoutSync(cuts.operations, /\.partial$/));
    expect(faults).toContain('out is lost after the end of the run');
  });

  test('that the folder is not synced', async () => {
    const cuts = await recordSmall();
    const path = cuts.operations.find(({ kind }) => kind === 'link')!.path;
    const { faults } = await cuts.check(
      new Random(SEED),
      0,
      withoutSync(cuts.operations, new RegExp(`^${dirname(path)}$`)),
    );
    expect(faults).toContain('out is lost after the end of the run');
  });
});
