/** Tests of `boardmill completion`, of the words that boardmill offers to shells, and of the script of bash. */
import { describe, expect, test } from 'vitest';
import { PROBLEMS, type ProblemEntry } from '../../src/catalog/registry.js';
import { completeWord } from '../../src/cli/completion/complete.js';
import { rejoinWords, unquoteWord } from '../../src/cli/completion/shell-words.js';
import { COMMAND_LINES, isTriedInBash, makeFilledHome, offeredWords } from './completion-lines.js';
import { boardmill } from './in-turn.js';
import { reasonToSkip } from './shells.js';

describe('the words that boardmill offers', () => {
  test.each(COMMAND_LINES)('boardmill %s%s', async (start, word, expectedWords) => {
    const typed = start.split(/(?<!\\) /).filter((each) => each !== '');
    const [kind, ...words] = (await completeWord('bash', [...typed, word])).trimEnd().split('\n');
    if (kind === 'words') expect(words.sort()).toEqual([...expectedWords].sort());
    // What the shell finds itself: files, folders and programs.
    else expect(expectedWords.join(), kind).toMatch(/^((big one|small)\.in|(\.\/)?mine|parts|boardmill|,)*$/);
  });

  test.each(['explain', 'play', 'verify'])('after %s are only games that it knows', async (command) => {
    const fifth = { ...PROBLEMS[0], name: 'fifth-game', aliases: [] };
    const all = PROBLEMS as ProblemEntry[];
    all.push(fifth);
    try {
      expect(await completeWord('bash', ['solve', 'fi'])).toBe('words\nfifth-game\n');
      expect(await completeWord('bash', [command, 'fi'])).toBe('words\n');
      expect(await completeWord('bash', [command, 'dark'])).toBe('words\ndarkraft\n');
    } finally {
      all.pop();
    }
  });

  test('come with descriptions for shells that show them', async () => {
    const { stdout } = await boardmill(['--complete', 'fish', 'solve', 'z']);
    expect(stdout).toMatch(/^words\n/);
    expect(stdout).toContain('\nzu\triver-pawn\n');
    expect((await boardmill(['--complete', 'zsh', 'sp'])).stdout).toMatch(/^split:\w/m);
  });
});

describe.skipIf(reasonToSkip('bash') !== null)('completion in bash', () => {
  const home = makeFilledHome();
  const lines = COMMAND_LINES.filter(([start, word]) => isTriedInBash(start, word));

  test.each(lines)('bash completes: boardmill %s%s', async (start, word, expectedWords) => {
    expect(lines).toHaveLength(5);
    expect(await offeredWords('bash', home, start, word)).toEqual([...expectedWords].sort());
  });
});

test.each([
  ['plain', 'plain'],
  ["'big one'.in", 'big one.in'],
  ['"a \\"b\\" \\n"', 'a "b" \\n'],
  ['big\\ one.in', 'big one.in'],
  ["'open", 'open'],
  ['"open \\', 'open '],
  ['open\\', 'open'],
])('unquote turns %s into %s', (typed, word) => {
  expect(unquoteWord(typed)).toBe(word);
});

test('rejoinWords joins the words that bash splits at = and :', () => {
  const splitWords = ['solve', '--solver', '=', 'simd', 'file', ':', '//a', 'b'];
  expect(rejoinWords(splitWords)).toEqual(['solve', '--solver=simd', 'file://a', 'b']);
});

describe('boardmill completion', () => {
  test.each([
    ['/usr/bin/fish', 'fish'],
    ['/bin/zsh', 'zsh'],
    ['/bin/bash', 'bash'],
    ['/bin/ksh', 'bash'],
    ['', 'bash'],
  ])('boardmill completion with SHELL=%s prints the script for %s', async (path, shell) => {
    const { stdout } = await boardmill(['completion'], { env: { SHELL: path } });
    expect(stdout).toContain(`Completion of boardmill in ${shell}`);
    expect({ stdout, code: 0, stderr: '' }).toEqual(await boardmill(['completion', shell]));
  });

  test('boardmill completion exits with code 2 if it does not know the shell', async () => {
    const { code, stdout, stderr } = await boardmill(['completion', 'ksh']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: shell must be one of bash, zsh, fish, got "ksh"/);
  });
});
