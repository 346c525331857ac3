/** Files that boardmill wrote are known to the ledger. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { digestOfFile } from '../../../src/core/digest.js';
import { hashInputs } from '../../../src/engine/input/hash-inputs.js';
import {
  areAnswersUpToDate,
  assertReplaceable,
  type FileContent,
  mayReplaceFile,
  recordOutputInLedger,
} from '../../../src/engine/output/ledger.js';
import type { SettingsFingerprint } from '../../../src/engine/output-settings.js';
import { folderForEachTest, workingIn } from '../../support/temporary-folder.js';

/** The compiler demands each kind of output here. */
const EVERY_KIND: Readonly<Record<FileContent, true>> = {
  answers: true,
  'answers in ndjson': true,
  'answers in csv': true,
  'generated input': true,
  'extracted cases': true,
  part: true,
  report: true,
  'slowest cases': true,
  'failing case': true,
  'distinguishing input': true,
  'slow case': true,
  drawing: true,
  page: true,
  'shard record': true,
};
const KINDS = Object.keys(EVERY_KIND) as FileContent[];

const folder = folderForEachTest();

beforeEach(() => {
  vi.stubEnv('XDG_STATE_HOME', join(folder.path, 'state'));
});

test.each(KINDS)(
  'an output of the kind "%s" replaces only one of its kind, if that is unchanged',
  async (kind) => {
    const file = folder.at('file');
    writeFileSync(file, 'of somebody\n');
    await expect(assertReplaceable(file, kind)).rejects.toThrow(
      /file exists and is not (an?|the) \w+ .+; --force overwrites it$/,
    );
    await recordOutputInLedger(file, kind, { digest: (await digestOfFile(file))!, origin: null });
    for (const other of KINDS)
      expect([other, await mayReplaceFile(file, other)]).toEqual([other, other === kind]);
    appendFileSync(file, 'and more\n');
    await expect(assertReplaceable(file, kind)).rejects.toThrow(
      /file exists: it was (an?|the) \w+ .+, and was changed since; --force overwrites it$/,
    );
  },
);

test('answers are up to date with the input that they were made from, but never with standard input', async () => {
  await workingIn(folder.path, async () => {
    writeFileSync('answers', '1\n');
    writeFileSync('-', 'abc');
    const inputHash = (await hashInputs(['./-'], new AbortController().signal)).digest!;
    const origin = { terms: {} as SettingsFingerprint, inputBytes: 3, inputHash };
    await recordOutputInLedger('answers', 'answers', { digest: (await digestOfFile('answers'))!, origin });
    const isUpToDate = (input: string) =>
      areAnswersUpToDate('answers', [input], origin.terms, new AbortController().signal);
    expect([await isUpToDate('./-'), await isUpToDate('-')]).toEqual([true, false]);
    for (const other of ['abd', 'abcd']) {
      writeFileSync('-', other);
      expect(await isUpToDate('./-')).toBe(false);
    }
  });
});

test('messages call each kind of output by another name', async () => {
  const file = folder.at('file');
  writeFileSync(file, 'of somebody\n');
  const names = KINDS.map((kind) =>
    assertReplaceable(file, kind).then(String, (error: Error) => error.message),
  );
  expect(new Set(await Promise.all(names)).size).toBe(KINDS.length);
});
