/** What real shells complete after `boardmill`, and the command that prints their scripts. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { type OptionDescription, recordSyntax } from '../../src/cli/completion/recorder.js';
import { rejoinWords, unquote } from '../../src/cli/completion/shell-words.js';
import { SHELLS, type Shell } from '../../src/cli/completion/shells.js';
import { VALUE_KINDS } from '../../src/cli/completion/values.js';
import { PROFILES } from '../../src/problems/problem.js';
import { PROBLEMS } from '../../src/problems/registry.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill } from './boardmill.js';
import { askFish, type Home, makeHome, typeInto, whyNot } from './shells.js';

allowSlowTests();

const home = makeFilledHome();

function makeFilledHome(): Home {
  const made = makeHome();
  for (const file of ['big one.in', 'small.in']) writeFileSync(join(made.work, file), '');
  writeFileSync(join(made.work, 'mine'), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(join(made.work, 'parts'));
  return made;
}

/** The words that the shell offers in place of `word`, without quotes, and without `--option=` before them. */
async function offered(shell: Shell, start: string, word: string): Promise<string[]> {
  const typed = `boardmill ${start}`;
  const words =
    shell === 'fish' ? [...askFish(typed + word, home).keys()] : await inserted(shell, typed, word);
  return words.map((each) => each.replace(/^--[^=]+=/, '').replace(/\/$/, '')).sort();
}

async function inserted(shell: 'bash' | 'zsh', typed: string, word: string): Promise<string[]> {
  const { line } = await typeInto(shell, typed + word, home);
  return line === typed + word ? [] : wordsOf(line.slice(typed.length));
}

/** The words of a line, in which `\ ` is a blank that ends no word. */
function wordsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\s+/)
    .map(unquote)
    .filter((word) => word !== '');
}

const commandNames = COMMANDS.map(({ usage }) => commandName(usage));
const problemNames = PROBLEMS.flatMap(({ name, aliases }) => [name, ...aliases]);
const files = ['big one.in', 'mine', 'parts', 'small.in'];
const SOLVERS = ['auto', 'portable', 'simd'];

/** Complete words, the word under the cursor, and what is offered for it. */
const LINES: readonly [start: string, word: string, offer: readonly string[]][] = [
  ['', '', commandNames],
  ['', 's', ['solve', 'split', 'stress']],
  ['', '--v', ['--version']],
  ['nope ', '', []],
  ['help ', 's', ['solve', 'split', 'stress']],

  ['solve ', '', problemNames],
  ['solve ', 'b', ['bacterial-tactics', 'bt']],
  ['solve ', "'b", ['bacterial-tactics', 'bt']],
  ['solve ', 'BT', ['bt']],
  ['solve ', '过', ['过河卒']],
  ['solve -j 4 ', 'li', ['link-and-pop']],
  ['solve --jobs=4 -fo x ', 'li', ['link-and-pop']],

  ['solve bt ', '', files],
  ['solve bt big\\ one.in ', 's', ['small.in']],
  ['solve bt -- ', 'sm', ['small.in']],
  ['check bt small.in ', 'sm', ['small.in']],
  ['check bt small.in mine ', 'sm', []],

  ['problems ', '', ['--help', '--json', '--version']],
  ['completion ', '', SHELLS],
  ['solve bt ', '--no', ['--no-progress']],
  ['solve bt ', '--fo', ['--force', '--format']],

  ['solve bt --solver ', '', SOLVERS],
  ['solve bt ', '--solver=', SOLVERS],
  ['solve bt ', '--solver=po', ['portable']],
  ['solve bt --format ', '', ['ndjson', 'text']],
  ['solve bt --on-error ', 'm', ['mark']],
  ['generate bt --profile ', '', PROFILES],
  ['bench bt --solver ', 'simd,', ['simd,auto', 'simd,portable']],

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

/** Names the shell, and why its tests are skipped. */
function titleOf(shell: Shell): string {
  const reason = whyNot(shell);
  return reason === null ? shell : `${shell} (skipped: ${reason})`;
}

for (const shell of SHELLS) {
  describe.skipIf(whyNot(shell) !== null)(`${titleOf(shell)} completes`, () => {
    test.each(LINES)('boardmill %s%s', async (start, word, offer) => {
      expect(await offered(shell, start, word)).toEqual([...offer].sort());
    });
  });
}

for (const shell of ['bash', 'zsh'] as const) {
  describe.skipIf(whyNot(shell) !== null)(`${titleOf(shell)} at a terminal`, () => {
    test.each([
      ['bi', 'big\\ one.in '],
      ['"bi', '"big one.in" '],
      ["'bi", "'big one.in' "],
    ])('quotes the file that starts with %s', async (word, completed) => {
      const { line } = await typeInto(shell, `boardmill solve bt ${word}`, home);
      expect(line).toBe(`boardmill solve bt ${completed}`);
    });

    test.each(['"it\'s', "'", 'a "b" "', '\\'])('prints no error after %s', async (word) => {
      const { line, screen } = await typeInto(shell, `boardmill solve bt ${word}`, home);
      expect(line).toMatch(/^boardmill solve bt /);
      expect(screen).not.toMatch(/boardmill:|unexpected|unmatched|error|not found/i);
    });

    test('prints nothing where boardmill itself fails', async () => {
      const broken = makeHome();
      writeFileSync(join(broken.folder, 'bin/boardmill'), '#!/bin/sh\necho complaint >&2\nexit 1\n');
      const { line, screen } = await typeInto(shell, 'boardmill solve b', broken);
      expect(line).toBe('boardmill solve b');
      expect(screen).not.toContain('complaint');
    });
  });
}

describe.skipIf(whyNot('zsh') !== null)(titleOf('zsh'), () => {
  test('completes where the script is sourced after compinit', async () => {
    const sourcing = makeHome();
    rmSync(join(sourcing.folder, 'functions/_boardmill'));
    appendFileSync(join(sourcing.folder, '.zshrc'), 'source <(boardmill completion zsh)\n');
    expect((await typeInto('zsh', 'boardmill sol', sourcing)).line).toBe('boardmill solve ');
  });

  test('shows descriptions', async () => {
    const { screen } = await typeInto('zsh', 'boardmill s', home);
    expect(screen).toContain(`-- ${describeCommand('split')}`);
  });
});

describe.skipIf(whyNot('fish') !== null)(`${titleOf('fish')} shows descriptions`, () => {
  test('of commands', () => {
    expect(askFish('boardmill s', home).get('split')).toBe(describeCommand('split'));
  });

  test('of options', async () => {
    const force = (await optionsOf('solve')).find(({ name }) => name === 'force');
    expect(askFish('boardmill solve bt --for', home).get('--force')).toBe(force?.description);
  });

  test('of problems: an alias names its problem', () => {
    expect(askFish('boardmill solve z', home).get('zu')).toBe('river-pawn');
  });
});

function describeCommand(name: string): string | undefined {
  return COMMANDS.find(({ usage }) => commandName(usage) === name)?.description;
}

async function optionsOf(command: string): Promise<readonly OptionDescription[]> {
  const entry = COMMANDS.find(({ usage }) => commandName(usage) === command);
  const { options } = await entry!.load();
  return recordSyntax(options).options;
}

describe('each option that takes a value', () => {
  let withValue: OptionDescription[];
  beforeAll(async () => {
    const all = await Promise.all(commandNames.map(optionsOf));
    withValue = all.flat().filter(({ takesValue, choices }) => takesValue && choices.length === 0);
  });

  test('has an entry in VALUE_KINDS, which says how shells complete it', () => {
    expect(withValue.map(({ name }) => name).filter((name) => !(name in VALUE_KINDS))).toEqual([]);
  });

  test('there is no entry for another', () => {
    const names = withValue.map(({ name }) => name);
    expect(Object.keys(VALUE_KINDS).filter((name) => !names.includes(name))).toEqual([]);
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
])('%s means %s', (typed, meant) => {
  expect(unquote(typed)).toBe(meant);
});

test('words that bash broke at = and : are put together', () => {
  const broken = ['solve', '--solver', '=', 'simd', 'file', ':', '//a', 'b'];
  expect(rejoinWords(broken)).toEqual(['solve', '--solver=simd', 'file://a', 'b']);
});

describe('boardmill completion', () => {
  test.each([
    ['/usr/bin/fish', 'fish'],
    ['/bin/zsh', 'zsh'],
    ['/bin/bash', 'bash'],
    ['/bin/ksh', 'bash'],
    ['', 'bash'],
  ])('with SHELL=%s prints the script for %s', async (path, shell) => {
    const { stdout } = await boardmill(['completion'], { env: { SHELL: path } });
    expect(stdout).toContain(`Completion of boardmill in ${shell}`);
    expect({ stdout, code: 0, stderr: '' }).toEqual(await boardmill(['completion', shell]));
  });

  test('for another shell: exit 2', async () => {
    const { code, stdout, stderr } = await boardmill(['completion', 'ksh']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: shell must be one of bash, zsh, fish, got "ksh"/);
  });
});
