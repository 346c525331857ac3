/** Files that boardmill keeps for later runs have the fields that other builds of the same format read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkInput, styleOf } from '../support/inputs.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess } from './boardmill.js';
import { boardmill } from './in-turn.js';

const { at, read, write } = folderForEachTest();
const SETTINGS = ['version', 'problem', '--solver', '--format', '--on-error'];

test('the record of a shard', async () => {
  write('a.in', bulkInput(styleOf('bacterial-tactics'), 9, 3, 1));
  const { code } = await boardmill(['solve', 'bt', at('a.in'), '--shard', '1/2', '-o', at('part')]);
  expect(code).toBe(0);
  const record = JSON.parse(read('part.shard'));
  expect(record.schema).toBe('boardmill/shard/2');
  expect(Object.keys(record)).toEqual([
    'schema',
    'terms',
    'shard',
    'shards',
    'firstCase',
    'cases',
    'failedCases',
    'input',
    'outputBytes',
    'outputDigest',
    'digest',
  ]);
  expect(Object.keys(record.terms)).toEqual(SETTINGS);
});

test('an entry of the ledger', async () => {
  write('a.in', bulkInput(styleOf('bacterial-tactics'), 9, 3, 1));
  const env = { ...process.env, XDG_STATE_HOME: at('state') };
  const { code } = await boardmillInOwnProcess(['solve', 'bt', at('a.in'), '-o', at('a.ans')], { env });
  expect(code).toBe(0);
  const folder = join(at('state'), 'boardmill', 'answers');
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const entry = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect(Object.keys(entry)).toEqual(['path', 'outputs']);
  const [output] = entry.outputs;
  expect(Object.keys(output)).toEqual(['kind', 'size', 'digest', 'origin', 'bytes']);
  expect(Object.keys(output.origin)).toEqual(['terms', 'inputBytes', 'inputHash']);
  expect(Object.keys(output.origin.terms)).toEqual(SETTINGS);
});
