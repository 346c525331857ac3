/** Tests that boardmill saves the cases on which a solver failed in the current folder, under different names. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = temporaryFolder();
const createFolder = () => mkdtempSync(join(folder, 'run-'));
const CRASH_OPTIONS = [
  '--on-error',
  'mark',
  '--retries',
  '0',
  '--exec',
  program('bacterial-tactics', 'crash-on-1x1'),
];

/** Writes a file below the folder `cwd`, and returns its name. */
function write(cwd: string, name: string, text: string): string {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), text);
  return name;
}

test('failed cases of two inputs with the same name are saved in two files', async () => {
  const cwd = createFolder();
  write(cwd, 'easy/1.in', '1\n1 1\n.\n');
  write(cwd, 'hard/1.in', '1\n1 1\n#\n');
  for (const force of [[], ['--force']]) {
    const { code } = await boardmill(['solve', 'bt', 'easy', 'hard', ...force, ...CRASH_OPTIONS], { cwd });
    expect(code).toBe(1);
  }
  const saved = readdirSync(cwd).filter((name) => name.endsWith('.in'));
  expect(saved.sort()).toEqual(['bacterial-tactics-1-case-1-2.in', 'bacterial-tactics-1-case-1.in']);
  const texts = saved.map((name) => readFileSync(join(cwd, name), 'utf8'));
  expect(texts.sort()).toEqual(['1\n1 1\n#\n', '1\n1 1\n.\n']);
});

test('a failed case is saved under another name if a file of the user has its name', async () => {
  const cwd = createFolder();
  const name = write(cwd, 'bacterial-tactics-1-case-1.in', 'notes\n');
  const { stderr } = await boardmill(['solve', 'bt', write(cwd, '1.in', '1\n1 1\n.\n'), ...CRASH_OPTIONS], {
    cwd,
  });
  expect(readFileSync(join(cwd, name), 'utf8')).toBe('notes\n');
  expect(stderr).toContain(
    'case saved; repeat with: boardmill solve bacterial-tactics bacterial-tactics-1-case-1-2.in ',
  );
});

test('a regression case of river-pawn has the id of its input', async () => {
  const cwd = createFolder();
  const board = '3 2\nOO\n.X\n..\n';
  const args = ['solve', 'river-pawn', '-', '--retries', '0', '--exec', 'false'];
  const { code } = await boardmill(args, { cwd, stdin: `7 1\n${board}` });
  expect(code).toBe(4);
  expect(readFileSync(join(cwd, 'river-pawn-case-1.in'), 'utf8')).toBe(`7 1\n${board}`);
});
