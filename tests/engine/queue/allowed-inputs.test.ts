/** Which files a worker process reads for runs with `--shared-input`. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AllowedInputFolders } from '../../../src/engine/queue/allowed-inputs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
mkdirSync(at('data/below'), { recursive: true });
mkdirSync(at('data-2'));
mkdirSync(at('secrets'));
writeFileSync(at('data/a.in'), 'input');
writeFileSync(at('data/below/b.in'), 'input');
writeFileSync(at('data/..c.in'), 'input');
writeFileSync(at('data-2/a.in'), 'secret');
writeFileSync(at('secrets/key'), 'secret');
symlinkSync('below/b.in', at('data/to-input'));
symlinkSync('../secrets/key', at('data/to-secret'));
symlinkSync('../secrets', at('data/to-secrets'));
symlinkSync('/dev/zero', at('data/to-device'));
symlinkSync('loop', at('data/loop'));
symlinkSync('data', at('link-to-data'));
symlinkSync('data/a.in', at('outside-to-input'));
execFileSync('mkfifo', [at('data/fifo')]);

async function contentOf(file: FileHandle): Promise<string> {
  const text = await file.readFile('utf8');
  await file.close();
  return text;
}

describe('the inputs that a worker process may read', () => {
  test.each(['data/a.in', 'data/below/b.in', 'data/..c.in', 'data/to-input', 'data/below/../a.in'])(
    '%s is one',
    async (path) => {
      const inputs = await AllowedInputFolders.of([at('data')]);
      expect(await contentOf(await inputs.open(`${root}/${path}`))).toBe('input');
    },
  );

  test.each([
    ['data', 'is a directory'],
    ['data/below', 'is a directory'],
    ['data/fifo', 'not a regular file'],
    ['data/missing', 'ENOENT'],
    ['data/a.in/x', 'ENOTDIR'],
    ['data/loop', 'ELOOP'],
    ['data/\0', 'null bytes'],
    ['data/to-device', 'leads out'],
    ['data/to-secret', 'leads out'],
    ['data/to-secrets/key', 'leads out'],
    ['data/../secrets/key', 'is not in a folder'],
    ['data-2/a.in', 'is not in a folder'],
    ['secrets/key', 'is not in a folder'],
    ['secrets/missing', 'is not in a folder'],
    ['outside-to-input', 'is not in a folder'],
    ['', 'is not in a folder'],
  ])('%j is none', async (path, reason) => {
    const inputs = await AllowedInputFolders.of([at('data')]);
    await expect(inputs.open(`${root}/${path}`)).rejects.toThrow(reason);
  });

  test('a path that is not absolute leads nowhere', async () => {
    const inputs = await AllowedInputFolders.of([at('data')]);
    await expect(inputs.open(relative(process.cwd(), at('data/a.in')))).rejects.toThrow('is not in a folder');
  });

  test('the folder may be a link, and there may be several', async () => {
    const inputs = await AllowedInputFolders.of([at('link-to-data'), at('data-2')]);
    expect(await contentOf(await inputs.open(at('link-to-data/a.in')))).toBe('input');
    expect(await contentOf(await inputs.open(at('data/a.in')))).toBe('input');
    expect(await contentOf(await inputs.open(at('data-2/a.in')))).toBe('secret');
    await expect(inputs.open(at('secrets/key'))).rejects.toThrow('is not in a folder');
  });

  test('a folder that becomes a link while a file in it is opened gives no other file', async () => {
    mkdirSync(at('data/moving'));
    writeFileSync(at('data/moving/key'), 'input');
    symlinkSync('../secrets', at('data/detour'));
    const inputs = await AllowedInputFolders.of([at('data')]);
    const swap = () => {
      renameSync(at('data/moving'), at('data/aside'));
      renameSync(at('data/detour'), at('data/moving'));
    };
    const swapBack = () => {
      renameSync(at('data/moving'), at('data/detour'));
      renameSync(at('data/aside'), at('data/moving'));
    };
    const contents = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const opening = inputs.open(at('data/moving/key')).then(contentOf, () => 'refused');
      for (let turn = 0; turn < i % 12; turn++) await Promise.resolve();
      swap();
      await new Promise((resolve) => setImmediate(resolve));
      swapBack();
      contents.add(await opening);
    }
    expect(contents).not.toContain('secret');
  });

  test('a hard link is a file of the folder, because no path says otherwise', async () => {
    linkSync(at('secrets/key'), at('data/hard'));
    const inputs = await AllowedInputFolders.of([at('data')]);
    expect(await contentOf(await inputs.open(at('data/hard')))).toBe('secret');
  });
});
