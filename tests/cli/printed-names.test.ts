/** Tests of names that contain control characters and controls of the direction of writing, in messages and in reports. */
import { beforeEach, describe, expect, test } from 'vitest';
import { escapeLines } from '../../src/core/printable.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

/** ESC [2J clears a terminal, U+202E reverses what follows, and the line feed begins a line of its own. */
const NAME = 'x\x1b[2J\u202e\nboardmill: forged';
const SHOWN = 'x\\x1b[2J\\u202e\\x0aboardmill: forged';

beforeEach(() => {
  folder.write(`data/${NAME}.in`, '2\n1 1\n.\n1 2\n#x\n');
  folder.write(`data/${NAME}.ans`, 'Case #1: 5\n');
  folder.write('data/good.in', '1\n1 1\n.\n');
  folder.write('data/good.ans', 'Case #1: 2\n');
});

const COMMANDS = [
  'validate bt data',
  'check bt data --max 3',
  `check bt data/${NAME}.in data/${NAME}.ans`,
  'stats bt data',
  `stats bt data/${NAME}.in`,
  'judge bt data --exec cat --matrix',
  'solve bt data -f',
];

describe('a name with control characters', () => {
  test.each(COMMANDS)('%j shows escapes', async (command) => {
    const args = command.split(' ').reduce<string[]>(joinName, []);
    const { stdout, stderr } = await boardmill(args, { cwd: folder.path });
    expect(stdout + stderr).toContain(SHOWN);
    expect(escapeLines(stdout)).toBe(stdout);
    expect(escapeLines(stderr)).toBe(stderr);
    expect(stdout + stderr).not.toMatch(/^boardmill: forged/m);
  });

  test.each([
    'validate bt data --json',
    'check bt data --json',
    'stats bt data --json',
    'judge bt data --exec cat --json',
  ])('%s has the name as it is, with escapes of JSON', async (command) => {
    const { stdout } = await boardmill(command.split(' '), { cwd: folder.path });
    expect(stdout).toContain('x\\u001b[2J\\u202e\\nboardmill: forged');
    expect(escapeLines(stdout)).toBe(stdout);
  });
});

test('problems shows escapes in the sample of a grammar', async () => {
  folder.write('g.ctd', 'STRING("\\033[2J\u202e") NEWLINE INT(1,2) NEWLINE');
  const { code, stdout } = await boardmill(['problems', './g.ctd'], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toContain('\\x1b[2J\\u202e');
  expect(escapeLines(stdout)).toBe(stdout);
});

/** Puts the words of NAME together again, which has a blank. */
function joinName(words: string[], word: string): string[] {
  const isPart = word.startsWith('forged') && words.length > 0;
  return isPart ? [...words.slice(0, -1), `${words.at(-1)} ${word}`] : [...words, word];
}
