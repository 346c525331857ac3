/** Cases that their solver failed on are kept in the current folder, each under a name of its own. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { boardmill, temporaryFolder } from './boardmill.js';

const folder = temporaryFolder();
const freshFolder = () => mkdtempSync(join(folder, 'run-'));
const CRASHING = [
  '--on-error',
  'mark',
  '--retries',
  '0',
  '--exec',
  program('bacterial-tactics', 'crash-on-1x1'),
];

function write(cwd: string, name: string, text: string): string {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), text);
  return name;
}

test('cases of files that share a name are kept apart, and the same one is kept once', async () => {
  const cwd = freshFolder();
  write(cwd, 'easy/1.in', '1\n1 1\n.\n');
  write(cwd, 'hard/1.in', '1\n1 1\n#\n');
  for (const force of [[], ['--force']]) {
    const { code } = await boardmill(['solve', 'bt', 'easy', 'hard', ...force, ...CRASHING], { cwd });
    expect(code).toBe(1);
  }
  const saved = readdirSync(cwd).filter((name) => name.endsWith('.in'));
  expect(saved.sort()).toEqual(['bacterial-tactics-1-case-1-2.in', 'bacterial-tactics-1-case-1.in']);
  const texts = saved.map((name) => readFileSync(join(cwd, name), 'utf8'));
  expect(texts.sort()).toEqual(['1\n1 1\n#\n', '1\n1 1\n.\n']);
});

test('a file of the user that bears the name is left as it is', async () => {
  const cwd = freshFolder();
  const name = write(cwd, 'bacterial-tactics-1-case-1.in', 'notes\n');
  const { stderr } = await boardmill(['solve', 'bt', write(cwd, '1.in', '1\n1 1\n.\n'), ...CRASHING], {
    cwd,
  });
  expect(readFileSync(join(cwd, name), 'utf8')).toBe('notes\n');
  expect(stderr).toContain(
    'case saved; repeat with: boardmill solve bacterial-tactics bacterial-tactics-1-case-1-2.in ',
  );
});

test('the id of the input goes with the case', async () => {
  const cwd = freshFolder();
  const board = '3 2\nOO\n.X\n..\n';
  const args = ['solve', 'river-pawn', '-', '--retries', '0', '--exec', 'false'];
  const { code } = await boardmill(args, { cwd, stdin: `7 1\n${board}` });
  expect(code).toBe(4);
  expect(readFileSync(join(cwd, 'river-pawn-case-1.in'), 'utf8')).toBe(`7 1\n${board}`);
});
