/** Tests of the completion scripts in real shells, and of `boardmill completion`, which prints them. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { findOption, optionsOfCommand } from '../../src/cli/arguments/syntax.js';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { rejoinWords, unquoteWord } from '../../src/cli/completion/shell-words.js';
import { SHELLS, type Shell } from '../../src/cli/completion/shells.js';
import { PROFILES } from '../../src/problems/problem.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill } from './in-turn.js';
import { askFish, type Home, makeHome, reasonToSkip, typeInto } from './shells.js';

allowSlowTests();

const home = makeFilledHome();

function makeFilledHome(): Home {
  const made = makeHome();
  for (const file of ['big one.in', 'small.in']) writeFileSync(join(made.work, file), '');
  writeFileSync(join(made.work, 'mine'), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(join(made.work, 'parts'));
  return made;
}

/** Returns the words that the shell offers in place of `word`, without quotes and without `--option=`. */
async function offeredWords(shell: Shell, start: string, word: string): Promise<string[]> {
  const typed = `boardmill ${start}`;
  const words =
    shell === 'fish' ? [...askFish(typed + word, home).keys()] : await insertedWords(shell, typed, word);
  return words.map((each) => each.replace(/^--[^=]+=/, '').replace(/\/$/, '')).sort();
}

/** Returns the words that the shell inserts in place of `word`, or no words if it completes nothing. */
async function insertedWords(shell: 'bash' | 'zsh', typed: string, word: string): Promise<string[]> {
  const { line } = await typeInto(shell, typed + word, home);
  return line === typed + word ? [] : wordsOf(line.slice(typed.length));
}

/** Splits a line into words and unquotes them. a blank after a backslash belongs to its word. */
function wordsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\s+/)
    .map(unquoteWord)
    .filter((word) => word !== '');
}

const commandNames = COMMANDS.map(({ usage }) => commandName(usage));
const problemNames = PROBLEMS.flatMap(({ name, aliases }) => [name, ...aliases]);
const files = ['big one.in', 'mine', 'parts', 'small.in'];
const SOLVERS = ['auto', 'portable', 'simd'];

/** Command lines: the complete words, the word under the cursor, and the words that the shell must offer for it. */
const COMMAND_LINES: readonly [start: string, word: string, offeredWords: readonly string[]][] = [
  ['', '', commandNames],
  ['', 's', ['solve', 'split', 'stats', 'stress']],
  ['', '--v', ['--version']],
  ['nope ', '', []],
  ['help ', 's', ['solve', 'split', 'stats', 'stress']],

  ['solve ', '', problemNames],
  ['solve ', 'b', ['bacterial-tactics', 'bt']],
  ['solve ', "'b", ['bacterial-tactics', 'bt']],
  ['solve ', 'BT', ['bt']],
  ['solve ', '过', ['过河卒']],
  ['solve -j 4 ', 'li', ['link-and-pop']],
  ['solve --jobs=4 -fo x ', 'li', ['link-and-pop']],
  ['solve -fox ', 'li', ['link-and-pop']],
  ['-q -j 4 solve ', 'li', ['link-and-pop']],

  ['solve bt ', '', files],
  ['solve bt big\\ one.in ', 's', ['small.in']],
  ['solve bt -- ', 'sm', ['small.in']],
  ['check bt small.in ', 'sm', ['small.in']],
  ['check bt small.in mine ', 'sm', []],

  ['problems ', '', problemNames],
  ['problems ', '-', ['--cases-loop', '--help', '--json', '--multitest', '--version']],
  ['completion ', '', SHELLS],
  ['solve bt ', '--no', ['--no-progress']],
  ['solve bt ', '--fo', ['--force', '--format']],

  ['solve bt --solver ', '', SOLVERS],
  ['solve bt ', '--solver=', SOLVERS],
  ['solve bt ', '--solver=po', ['portable']],
  ['solve bt --format ', '', ['csv', 'ndjson', 'text']],
  ['solve bt --on-error ', 'm', ['mark']],
  ['generate bt --profile ', '', [...PROFILES, 'all']],
  ['bench bt --solver ', 'simd,', ['simd,auto', 'simd,portable']],
  ['solve bt --columns ', 'file,n', ['file,nimber']],
  [
    'solve zu --columns ',
    'board,',
    ['cols', 'file', 'line', 'rows', 'seconds'].map((each) => `board,${each}`),
  ],
  ['solve bt --exec ./mine ', '--columns=line,nim', []],

  ['solve bt -o ', '', files],
  ['solve bt --stats ', 's', ['small.in']],
  ['solve bt ', '--output=', files],
  ['solve bt ', '--output=sm', ['small.in']],
  ['bench bt --html ', 's', ['small.in']],
  ['bench bt --export-json ', 's', ['small.in']],
  ['split bt small.in --dir ', '', ['parts']],
  ['split bt small.in ', '--dir=', ['parts']],
  ['solve bt --exec ', './m', ['./mine']],
  ['solve bt --exec ', "'./m", ['./mine']],
  ['solve bt ', '--exec=./m', ['./mine']],
  ['solve bt --exec ', 'boardm', ['boardmill']],
  ['bench bt --vs ', 'small.i', ['small.in']],
  ['solve bt -j ', '', []],
  ['solve bt --jobs ', '', []],
  ['solve bt ', '--jobs=', []],
];

/** Returns the name of the shell and, if its tests are skipped, the reason. */
function titleOf(shell: Shell): string {
  const reason = reasonToSkip(shell);
  return reason === null ? shell : `${shell} (skipped: ${reason})`;
}

for (const shell of SHELLS) {
  describe.skipIf(reasonToSkip(shell) !== null)(`completion in ${titleOf(shell)}`, () => {
    test.each(COMMAND_LINES)('the shell completes: boardmill %s%s', async (start, word, expectedWords) => {
      expect(await offeredWords(shell, start, word)).toEqual([...expectedWords].sort());
    });
  });
}

for (const shell of ['bash', 'zsh'] as const) {
  describe.skipIf(reasonToSkip(shell) !== null)(`completion at a terminal in ${titleOf(shell)}`, () => {
    test.each([
      ['bi', 'big\\ one.in '],
      ['"bi', '"big one.in" '],
      ["'bi", "'big one.in' "],
    ])('the shell quotes the completed file name after %s', async (word, completed) => {
      const { line } = await typeInto(shell, `boardmill solve bt ${word}`, home);
      expect(line).toBe(`boardmill solve bt ${completed}`);
    });

    test.each(['"it\'s', "'", 'a "b" "', '\\'])(
      'completion prints no error after the word %s',
      async (word) => {
        const { line, screen } = await typeInto(shell, `boardmill solve bt ${word}`, home);
        expect(line).toMatch(/^boardmill solve bt /);
        expect(screen).not.toMatch(/boardmill:|unexpected|unmatched|error|not found/i);
      },
    );

    test('completion prints nothing if boardmill fails', async () => {
      const broken = makeHome();
      writeFileSync(join(broken.folder, 'bin/boardmill'), '#!/bin/sh\necho complaint >&2\nexit 1\n');
      const { line, screen } = await typeInto(shell, 'boardmill solve b', broken);
      expect(line).toBe('boardmill solve b');
      expect(screen).not.toContain('complaint');
    });
  });
}

describe.skipIf(reasonToSkip('zsh') !== null)(titleOf('zsh'), () => {
  test('zsh completes if the script is sourced after compinit', async () => {
    const sourcing = makeHome();
    rmSync(join(sourcing.folder, 'functions/_boardmill'));
    appendFileSync(join(sourcing.folder, '.zshrc'), 'source <(boardmill completion zsh)\n');
    expect((await typeInto('zsh', 'boardmill sol', sourcing)).line).toBe('boardmill solve ');
  });

  test('zsh shows the descriptions of commands', async () => {
    const { screen } = await typeInto('zsh', 'boardmill s', home);
    expect(screen).toContain(`-- ${describeCommand('split')}`);
  });
});

describe.skipIf(reasonToSkip('fish') !== null)(`descriptions in ${titleOf('fish')}`, () => {
  test('fish shows the descriptions of commands', () => {
    expect(askFish('boardmill s', home).get('split')).toBe(describeCommand('split'));
  });

  test('fish shows the descriptions of options', async () => {
    const { syntax } = await import('../../src/cli/commands/solve.js');
    const force = findOption(optionsOfCommand(syntax), 'force');
    expect(askFish('boardmill solve bt --for', home).get('--force')).toBe(force?.describe);
  });

  test('fish shows the name of the problem as the description of an alias', () => {
    expect(askFish('boardmill solve z', home).get('zu')).toBe('river-pawn');
  });
});

function describeCommand(name: string): string | undefined {
  return COMMANDS.find(({ usage }) => commandName(usage) === name)?.description;
}

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
