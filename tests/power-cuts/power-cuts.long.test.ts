/** After SIGKILL or a power cut at any point, each kind of run can be continued, and nothing that was finished is lost. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { boardmill, environment, MAIN } from '../cli/boardmill.js';
import { Random } from '../support/random.js';
import { runs, SEED } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { PowerCuts } from './continued.js';
import { nameFirst, withoutSync } from './planted-faults.js';
import { whyNotRecordable } from './record.js';
import { SCENARIOS } from './scenarios.js';

allowSlowTests();

const folder = folderForEachTest();

test.skipIf(whyNotRecordable() !== null).for(Object.entries(SCENARIOS))(
  'if it is cut, %s is as it would have been',
  async ([name, scenario]) => {
    const cuts = await PowerCuts.record(folder.path, scenario);
    // Eight times as many (BOARDMILL_TEST_LENGTH=8) are nearly all that there are.
    const { faults, refusals, states } = await cuts.check(new Random(SEED), runs(15));
    console.log(`${name}: ${states.killed} states of SIGKILL, ${states.cut} of power cuts`);
    expect(faults).toEqual([]);
    expect(refusals).toEqual({ killed: [], cut: [] });
  },
);

test.skipIf(whyNotRecordable() !== null)(
  'the outputs of a folder are known, although the disk has no hard links',
  async () => {
    for (let i = 0; i < 30; i++) folder.write(`in/${i}.in`, '1\n1 1\n.\n');
    const words = [process.execPath, MAIN, 'solve', 'bt', 'in', '--out-dir', 'out'];
    const traced = ['-f', '-o', 'trace', '-e', 'trace=link,linkat', '-e', 'inject=link,linkat:error=EPERM'];
    const options = { cwd: folder.path, env: environment() };
    await promisify(execFile)('strace', [...traced, ...words], options);
    expect(folder.read('trace')).toContain('EPERM');
    const again = await boardmill(words.slice(2), { cwd: folder.path });
    expect(again.stderr).toContain('0 files solved, 30 up to date');
  },
);

describe.skipIf(whyNotRecordable() !== null)('the check notices', () => {
  test('that FILE gets its name before its bytes are synced', async () => {
    const cuts = await PowerCuts.record(folder.path, SCENARIOS['a small output']);
    const { refusals } = await cuts.check(new Random(SEED), 99, nameFirst(cuts.operations));
    expect(refusals.cut.join('\n')).toContain('out exists');
  });

  test('that the ledger is not synced', async () => {
    const cuts = await PowerCuts.record(folder.path, SCENARIOS['a small output']);
    const { refusals } = await cuts.check(new Random(SEED), 99, withoutSync(cuts.operations, /answers/));
    expect(refusals.cut.join('\n')).toContain('out exists and is not an answer file that boardmill wrote');
  });
});
