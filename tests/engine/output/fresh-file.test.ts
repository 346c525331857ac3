import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFreshFile } from '../../../src/engine/output/fresh-file.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boardmill-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a new made.in, calls `change` before the end, and returns the error message, or '' if there was no error. */
async function finishAfter(change: (file: string) => void): Promise<string> {
  const file = join(folder, 'made.in');
  const sink = await openFreshFile(file, { kind: 'generated input', force: false });
  await sink.write(Buffer.from('new\n'), null);
  change(file);
  const failure = await sink.finish().then(
    () => null,
    (error: Error) => error,
  );
  return failure?.message.replace(`${folder}/`, '') ?? '';
}

test('a FILE that appears during the run is kept, and the message says that the new output was discarded', async () => {
  expect(await finishAfter((file) => writeFileSync(file, 'mine\n'))).toBe(
    'made.in appeared while boardmill was running, and was left as it is; the new output was discarded',
  );
  expect(readFileSync(join(folder, 'made.in'), 'latin1')).toBe('mine\n');
  expect(existsSync(join(folder, 'made.in.partial'))).toBe(false);
});

test('a FILE that changes during the run is kept, and the message says that the new output was discarded', async () => {
  writeFileSync(join(folder, 'made.in'), '');
  expect(await finishAfter((file) => writeFileSync(file, 'mine\n'))).toBe(
    'made.in changed while boardmill was running, and was left as it is; the new output was discarded',
  );
  expect(existsSync(join(folder, 'made.in.partial'))).toBe(false);
});
