/** Files that boardmill wrote are known to the ledger. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { digestOfFile, digestOfText } from '../../../src/core/digest.js';
import { hashInputs } from '../../../src/engine/input/hash-inputs.js';
import {
  areAnswersUpToDate,
  assertReplaceable,
  type KnownOutput,
  mayReplaceFile,
  mayReplacePartial,
  recordFinishedOutput,
  recordRemovedPartialOutput,
  recordUnfinishedOutput,
  recordUpcomingOutput,
  type WrittenFileKind,
} from '../../../src/engine/output/ledger.js';
import type { SettingsFingerprint } from '../../../src/engine/output-settings.js';
import { folderForEachTest, workingIn } from '../../support/temporary-folder.js';

/** The compiler demands each kind of output here. */
const EVERY_KIND: Readonly<Record<WrittenFileKind, true>> = {
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
  census: true,
  'shard record': true,
};
const KINDS = Object.keys(EVERY_KIND) as WrittenFileKind[];

const folder = folderForEachTest();

beforeEach(() => {
  vi.stubEnv('XDG_STATE_HOME', join(folder.path, 'state'));
});

/** The output that a file is. */
async function outputOf(file: string, kind: WrittenFileKind): Promise<KnownOutput> {
  return { kind, size: statSync(file).size, digest: (await digestOfFile(file))!, origin: null };
}

test.each(KINDS)(
  'an output of the kind "%s" replaces only one of its kind, if that is unchanged',
  async (kind) => {
    const file = folder.at('file');
    writeFileSync(file, 'of somebody\n');
    await expect(assertReplaceable(file, kind)).rejects.toThrow(
      /file exists and is not (an?|the) \w+ .+; --force overwrites it$/,
    );
    await recordUpcomingOutput(file, await outputOf(file, kind));
    for (const other of KINDS)
      expect([other, await mayReplaceFile(file, other)]).toEqual([other, other === kind]);
    appendFileSync(file, 'and more\n');
    await expect(assertReplaceable(file, kind)).rejects.toThrow(
      /file exists: it was (an?|the) \w+ .+, and was changed since; --force overwrites it$/,
    );
  },
);

test('reading an input again that a signal ends is an interruption, and no failure to read', async () => {
  const { path } = folder;
  writeFileSync(join(path, 'a.in'), 'abc');
  const stopped = AbortSignal.abort('SIGINT');
  await expect(hashInputs([join(path, 'a.in')], stopped)).rejects.toMatchObject({ kind: 'interrupted' });
  const controller = new AbortController();
  const hashing = hashInputs([join(path, 'a.in')], controller.signal);
  controller.abort('SIGTERM');
  await expect(hashing).rejects.toMatchObject({ kind: 'interrupted', signal: 'SIGTERM' });
});

test('answers are up to date with the input that they were made from, but never with standard input', async () => {
  await workingIn(folder.path, async () => {
    writeFileSync('answers', '1\n');
    writeFileSync('-', 'abc');
    const inputHash = (await hashInputs(['./-'], new AbortController().signal)).digest!;
    const origin = { terms: {} as SettingsFingerprint, inputBytes: 3, inputHash };
    await recordUpcomingOutput('answers', { ...(await outputOf('answers', 'answers')), origin });
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

describe('FILE.partial without a checkpoint', () => {
  const WHOLE = 'Case #1: 10\n';
  const isReplaceable = (kind: WrittenFileKind = 'answers') =>
    mayReplacePartial(folder.at('file'), folder.at('file.partial'), kind);

  /** Stores that FILE is about to become an output with these bytes. */
  const announce = (text: string, bytes?: string) => {
    const digest = digestOfText(text);
    return recordUpcomingOutput(folder.at('file'), {
      kind: 'answers',
      size: text.length,
      digest,
      origin: null,
      ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes).toString('base64') }),
    });
  };

  test('may be replaced if it is missing or empty, but not if it is no file', async () => {
    expect(await isReplaceable()).toBe(true);
    folder.write('file.partial', '');
    expect(await isReplaceable()).toBe(true);
    symlinkSync('file.partial', folder.at('link'));
    expect(await mayReplacePartial(folder.at('file'), folder.at('link'), 'answers')).toBe(false);
  });

  test('may be replaced if it is the output that FILE was to become', async () => {
    await announce(WHOLE);
    for (const [text, expected] of [
      [WHOLE, true],
      [WHOLE.slice(1), false],
      ['mine\n', false],
    ] as const) {
      folder.write('file.partial', text);
      expect([text, await isReplaceable()]).toEqual([text, expected]);
    }
    folder.write('file.partial', WHOLE);
    expect(await isReplaceable('report')).toBe(false);
  });

  test('may be replaced if it is what a power loss leaves of a small output', async () => {
    await announce(WHOLE, WHOLE);
    for (let length = 0; length <= WHOLE.length; length++) {
      for (let zeros = 0; zeros <= WHOLE.length - length; zeros++) {
        folder.write('file.partial', WHOLE.slice(0, length) + '\0'.repeat(zeros));
        expect(await isReplaceable(), `${length} bytes and ${zeros} zeros`).toBe(true);
      }
    }
    for (const other of ['Case #2', `${WHOLE}\0`, '\0Case', 'mine\n']) {
      folder.write('file.partial', other);
      expect([other, await isReplaceable()]).toEqual([other, false]);
    }
  });

  test('may be replaced if it was announced as unfinished, until it is withdrawn', async () => {
    folder.write('file.partial', 'half');
    await recordUnfinishedOutput(folder.at('file'), 'answers');
    expect([await isReplaceable(), await isReplaceable('report')]).toEqual([true, false]);
    await recordRemovedPartialOutput(folder.at('file'));
    expect(await isReplaceable()).toBe(false);
  });
});

test('until a new output has its name, the one before it is known, too', async () => {
  const file = folder.at('file');
  writeFileSync(file, 'old\n');
  await recordUpcomingOutput(file, await outputOf(file, 'answers'));
  writeFileSync(folder.at('next'), 'new\n');
  await recordUpcomingOutput(file, await outputOf(folder.at('next'), 'answers'));
  expect(await mayReplaceFile(file, 'answers')).toBe(true);
  renameSync(folder.at('next'), file);
  expect(await mayReplaceFile(file, 'answers')).toBe(true);
  await recordFinishedOutput(file, await outputOf(file, 'answers'));
  writeFileSync(file, 'old\n');
  expect(await mayReplaceFile(file, 'answers')).toBe(false);
});

test('outputs that are announced at the same time share files, and are known one by one', async () => {
  const files = Array.from({ length: 40 }, (_, i) => folder.at(`${i}.ans`));
  for (const [i, file] of files.entries()) writeFileSync(file, `answer ${i}`);
  const announce = async (file: string, kind: WrittenFileKind) =>
    recordUpcomingOutput(file, await outputOf(file, kind));
  const announceAll = (kind: WrittenFileKind) => Promise.all(files.map((file) => announce(file, kind)));
  const entries = folder.at('state/boardmill/answers');
  const inodes = () => readdirSync(entries).map((name) => statSync(join(entries, name)).ino);
  const known = () =>
    Promise.all(
      files.map(async (file) =>
        [await mayReplaceFile(file, 'answers'), await mayReplaceFile(file, 'part')].join(),
      ),
    );
  for (const [kind, expected] of [
    ['answers', 'true,false'],
    ['part', 'false,true'],
  ] as const) {
    expect(await announceAll(kind)).toEqual(files.map(() => true));
    expect(await known()).toEqual(files.map(() => expected));
    expect(inodes()).toHaveLength(files.length);
    expect(new Set(inodes()).size).toBeLessThan(10);
  }
  await announce(files[7], 'answers');
  appendFileSync(files[8], '!');
  expect(await known()).toEqual(
    files.map((_, i) => ({ 7: 'true,false', 8: 'false,false' })[i] ?? 'false,true'),
  );
});

test('an entry of boardmill 0.3 is understood', async () => {
  const file = folder.at('file');
  writeFileSync(file, 'old\n');
  const path = realpathSync.native(file);
  const { size, digest } = await outputOf(file, 'answers');
  const stamp = { identity: '1:2', size, mtimeMs: 1, ctimeMs: 1 };
  const entry = { path, ...stamp, kind: 'answers', made: { digest, origin: null } };
  mkdirSync(folder.at('state/boardmill/answers'), { recursive: true, mode: 0o700 });
  folder.write(`state/boardmill/answers/${digestOfText(path).slice(0, 32)}.json`, JSON.stringify(entry));
  expect(await mayReplaceFile(file, 'answers')).toBe(true);
  expect(await mayReplaceFile(file, 'report')).toBe(false);
});

test.each<[string, (output: object) => unknown]>([
  ['no outputs', () => null],
  ['an output that is null', () => [null]],
  ['a stamp that is null', (output) => [{ ...output, stamp: null }]],
  ['terms that are null', (output) => [{ ...output, origin: { terms: null, inputBytes: 1, inputHash: '' } }]],
  ['no digest', (output) => [{ ...output, digest: 7 }]],
])('an entry of another form is none: %s', async (_, outputsOf) => {
  const file = folder.at('file');
  writeFileSync(file, 'old\n');
  const path = realpathSync.native(file);
  const output = {
    ...(await outputOf(file, 'answers')),
    stamp: { identity: '1:2', size: 4, mtimeMs: 1, ctimeMs: 1 },
  };
  mkdirSync(folder.at('state/boardmill/answers'), { recursive: true, mode: 0o700 });
  const entry = `state/boardmill/answers/${digestOfText(path).slice(0, 32)}.json`;
  folder.write(entry, JSON.stringify({ path, outputs: [output] }));
  expect(await mayReplaceFile(file, 'answers')).toBe(true);
  folder.write(entry, JSON.stringify({ path, outputs: outputsOf(output) }));
  expect(await mayReplaceFile(file, 'answers')).toBe(false);
  expect(await areAnswersUpToDate(file, ['/dev/null'], {}, new AbortController().signal)).toBe(false);
});
