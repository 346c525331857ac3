/** How folders are removed in which programs have left anything. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  removeProgramFolder,
  removeProgramFolderInBackground,
} from '../../../src/engine/exec/sandbox-folder.js';
import { folderForEachTest } from '../../support/temporary-folder.js';

const folder = folderForEachTest();

/** Nests folders until their path is too long for the system. */
const NEST_DEEPLY = `cd "$1"; name=$(printf '%0200d' 0); i=0
  while [ $i -lt 30 ]; do mkdir $name; cd -P ./$name 2>/dev/null; i=$((i + 1)); done`;

beforeEach(() => {
  mkdirSync(folder.at('left'));
  spawnSync('sh', ['-c', NEST_DEEPLY, 'sh', folder.at('left')]);
});
afterEach(() => void vi.unstubAllEnvs());

/** Puts a script in the place of a tool of the system. With `$REAL`, it can find the tool itself. */
function replaceTool(name: string, script: string): void {
  folder.write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(folder.at(`bin/${name}`), 0o755);
  vi.stubEnv(
    'REAL',
    spawnSync('sh', ['-c', `command -v ${name}`])
      .stdout.toString()
      .trim(),
  );
  vi.stubEnv('PATH', `${folder.at('bin')}${delimiter}${process.env.PATH}`);
}

describe.each([
  ['at once', removeProgramFolder],
  ['aside', removeProgramFolderInBackground],
])('folders that are nested too deeply are removed %s', (_when, remove) => {
  test('without changing the modes of all of them before', async () => {
    replaceTool('chmod', `: >"${folder.at('changed')}"; exec "$REAL" "$@"`);
    expect(await remove(folder.at('left'))).toBe(true);
    expect(existsSync(folder.at('changed'))).toBe(false);
  });

  test('although some cannot be opened', async () => {
    folder.write('left/closed/file', '');
    chmodSync(folder.at('left/closed'), 0);
    expect(await remove(folder.at('left'))).toBe(true);
  });

  test('although a signal reaches all processes of the terminal', async () => {
    replaceTool('rm', 'kill -INT $$; kill -TERM $$; exec "$REAL" "$@"');
    expect(await remove(folder.at('left'))).toBe(true);
  });
});

test('while folders are removed aside, boardmill goes on', async () => {
  const pipe = folder.at('pipe');
  spawnSync('mkfifo', [pipe]);
  replaceTool('rm', `timeout 20 cat "${pipe}" || exit; exec "$REAL" "$@"`);
  const removal = removeProgramFolderInBackground(folder.at('left'));
  await writeFile(pipe, '');
  expect(await removal).toBe(true);
});
