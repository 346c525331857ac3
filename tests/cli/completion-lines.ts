/** Command lines and what a shell must offer to complete them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { COMMANDS, commandName } from '../../src/cli/command-list.js';
import { unquoteWord } from '../../src/cli/completion/shell-words.js';
import { SHELLS, type Shell } from '../../src/cli/completion/shells.js';
import { COLUMNS } from '../../src/problems/output-columns.js';
import { CASE_PROFILES } from '../../src/problems/problem.js';
import { askFish, type Home, makeHome, typeInto } from './shells.js';

/** Creates a home folder with completion for all shells, and with files to complete. */
export function makeFilledHome(): Home {
  const made = makeHome();
  for (const file of ['big one.in', 'small.in']) writeFileSync(join(made.work, file), '');
  writeFileSync(join(made.work, 'mine'), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(join(made.work, 'parts'));
  return made;
}

/** Returns the words that the shell offers in place of `word`, without quotes and without `--option=`. */
export async function offeredWords(shell: Shell, home: Home, start: string, word: string): Promise<string[]> {
  const typed = `boardmill ${start}`;
  const words =
    shell === 'fish'
      ? [...askFish(typed + word, home).keys()]
      : await insertedWords(shell, home, typed, word);
  return words.map((each) => each.replace(/^--[^=]+=/, '').replace(/\/$/, '')).sort();
}

/** Returns the words that the shell inserts in place of `word`, or no words if it completes nothing. */
async function insertedWords(
  shell: 'bash' | 'zsh',
  home: Home,
  typed: string,
  word: string,
): Promise<string[]> {
  const { line } = await typeInto(shell, typed + word, home);
  return line === typed + word ? [] : wordsOf(line.slice(typed.length));
}

/** Splits a line into words and unquotes them. A blank after a backslash belongs to its word. */
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
export const COMMAND_LINES: readonly [start: string, word: string, offeredWords: readonly string[]][] = [
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
  ['generate bt --profile ', '', [...CASE_PROFILES, 'all']],
  ['bench bt --solver ', 'simd,', ['simd,auto', 'simd,portable']],
  ['solve bt --columns ', 'file,n', ['file,nimber']],
  [
    'solve zu --columns ',
    'board,',
    COLUMNS.filter((name) => !['board', 'nimber'].includes(name))
      .sort()
      .map((each) => `board,${each}`),
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

/** Whether completion.test.ts tries the command line in bash: each kind of offer once, and a quoted and a split word. */
export function isTriedInBash(start: string, word: string): boolean {
  return [
    's',
    'solve bt --solver=po',
    'solve bt big\\ one.in s',
    "solve bt --exec './m",
    'split bt small.in --dir ',
  ].includes(start + word);
}
