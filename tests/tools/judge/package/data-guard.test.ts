/** What the guard of the tests of a package copies for a submission, and what it refuses. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestDataGuard } from '../../../../src/tools/judge/package/data-guard.js';
import { readPackageSettings } from '../../../../src/tools/judge/package/read/settings.js';
import { readTestData } from '../../../../src/tools/judge/package/read/test-data.js';
import { folderForEachTest } from '../../../support/temporary-folder.js';
import { LATER_YAML, SUM_DATA, writePackage } from './package-folder.js';

const folder = folderForEachTest();

const INPUT = 'data/secret/group/2.in';
const FILES = 'data/secret/group/2.files';

/** Returns a guard of a package, whose test `secret/group/2` has a folder with a file. */
async function guardOfPackage(): Promise<TestDataGuard> {
  const files = { [`${FILES}/part/a`]: '42', elsewhere: 'y', 'other/b': 'z' };
  writePackage(folder.path, { ...SUM_DATA, 'problem.yaml': LATER_YAML, ...files });
  const settings = readPackageSettings(folder.path, () => {});
  return TestDataGuard.of(readTestData(folder.path, settings, () => {}));
}

const copyPath = () => folder.at('copy');

describe('a folder of files of a test', () => {
  test('is copied, and a link to a file becomes the file', async () => {
    writePackage(folder.path, { [`${FILES}/c`]: '', elsewhere: 'y' });
    symlinkSync(folder.at('elsewhere'), folder.at(`${FILES}/link`));
    const guard = await guardOfPackage();
    await guard.copyFolder(folder.at(FILES), copyPath());
    expect(readdirSync(copyPath(), { recursive: true }).sort()).toEqual(['c', 'link', 'part', 'part/a']);
    writeFileSync(folder.at('elsewhere'), 'changed');
    expect(readFileSync(join(copyPath(), 'link'), 'utf8')).toBe('y');
  });

  test.each([
    ['a link to nothing', 'nothing'],
    ['a link to a device', '/dev/null'],
    ['a link to a folder', 'other'],
  ])('is refused if it has %s', async (_what, target) => {
    const guard = await guardOfPackage();
    const link = folder.at(`${FILES}/part/link`);
    symlinkSync(target.startsWith('/') ? target : folder.at(target), link);
    await expect(guard.copyFolder(folder.at(FILES), copyPath())).rejects.toMatchObject({
      kind: 'input',
      message: `cannot open ${link}: it is not a regular file`,
    });
  });

  test('is refused if links in it lead around for ever', async () => {
    writePackage(folder.path, { [`${FILES}/c`]: '' });
    for (const name of ['a', 'b']) symlinkSync('.', folder.at(`${FILES}/${name}`));
    const guard = await guardOfPackage();
    await expect(guard.copyFolder(folder.at(FILES), copyPath())).rejects.toMatchObject({ kind: 'input' });
  });

  test('that was removed is an error', async () => {
    const guard = await guardOfPackage();
    await expect(guard.copyFolder(folder.at('gone'), copyPath())).rejects.toMatchObject({ kind: 'file' });
  });
});

describe('an input', () => {
  test('is copied', async () => {
    const guard = await guardOfPackage();
    await guard.copyInput(folder.at(INPUT), copyPath());
    expect(readFileSync(copyPath(), 'utf8')).toBe('20 22\n');
  });

  test('that was changed is refused', async () => {
    const guard = await guardOfPackage();
    writeFileSync(folder.at(INPUT), '20 23\n');
    await expect(guard.copyInput(folder.at(INPUT), copyPath())).rejects.toMatchObject({ kind: 'worker' });
  });

  test('that became a device is not read', async () => {
    const guard = await guardOfPackage();
    await expect(guard.copyInput('/dev/zero', copyPath())).rejects.toThrow(
      'cannot open /dev/zero: it is not a regular file',
    );
  });
});

test('an answer may not change, and a file that is not of a test may', async () => {
  const guard = await guardOfPackage();
  const answer = folder.at('data/secret/group/2.ans');
  for (const path of [answer, folder.at('elsewhere')]) {
    await guard.assertUnchanged(path);
    writeFileSync(path, 'changed');
  }
  await guard.assertUnchanged(folder.at('elsewhere'));
  await expect(guard.assertUnchanged(answer)).rejects.toThrow(`${answer} was changed`);
});
