/**
 * Answers a shell that asks how the word under the cursor may go on.
 *
 * The scripts of all shells call `boardmill --complete SHELL WORD...` on each Tab. The alternative, scripts that hold
 * every option, would answer a tenth of a second sooner. But a script is installed once, into ~/.bashrc: it would go on
 * offering the options of the version that wrote it, and would need the same rules in three shell languages.
 */
import { PROBLEMS } from '../../problems/registry.js';
import { COMMANDS, type CommandEntry, commandName } from '../command-list.js';
import { describeProgram } from '../run-command.js';
import { type CommandWords, type OptionWord, recordWords } from './recorder.js';
import { mergeBroken, unquote } from './shell-words.js';
import type { Shell } from './shells.js';
import { VALUE_KINDS } from './values.js';

interface Candidate {
  readonly word: string;
  readonly describe: string;
}

/** What may stand under the cursor: words that boardmill knows, or what the shell itself finds. */
interface Offer {
  readonly kind: 'words' | 'files' | 'folders' | 'programs';
  readonly words: readonly Candidate[];
}

const FILES: Offer = { kind: 'files', words: [] };
const FOLDERS: Offer = { kind: 'folders', words: [] };
const PROGRAMS: Offer = { kind: 'programs', words: [] };
const NOTHING: Offer = { kind: 'words', words: [] };

function offerWords(words: readonly Candidate[]): Offer {
  return { kind: 'words', words };
}

/**
 * The text that a shell's script reads: a line with the kind of the offer, then a line for each word.
 * `words` follow `boardmill` on the command line, quoted as the user typed them; the last is under the cursor.
 */
export async function complete(shell: Shell, words: readonly string[]): Promise<string> {
  const typed = (shell === 'bash' ? mergeBroken(words) : words).map(unquote);
  const current = typed.at(-1) ?? '';
  const offer = await findOffer(typed.slice(0, -1), current);
  return [offer.kind, ...PRINT[shell](offer.words, current)].map((line) => `${line}\n`).join('');
}

/** zsh and fish choose among the words as their users have set them up; bash shows what it is given. */
const PRINT: Record<Shell, (words: readonly Candidate[], current: string) => readonly string[]> = {
  bash: (words, current) => startingWith(valuePart(current), words),
  zsh: (words) => words.map(({ word, describe }) => `${word.replaceAll(':', '\\:')}:${describe}`),
  fish: (words) => words.map(({ word, describe }) => `${word}\t${describe}`),
};

/** Words that start with `prefix`; if none does, those that do but for upper and lower case. */
function startingWith(prefix: string, candidates: readonly Candidate[]): readonly string[] {
  const words = candidates.map(({ word }) => word);
  const exact = words.filter((word) => word.startsWith(prefix));
  if (exact.length > 0) return exact;
  return words.filter((word) => word.toLowerCase().startsWith(prefix.toLowerCase()));
}

/** `po` of `--solver=po`: the scripts put back what stands before it. */
function valuePart(current: string): string {
  return /^--[^=]+=(.*)$/s.exec(current)?.[1] ?? current;
}

async function findOffer(earlier: readonly string[], current: string): Promise<Offer> {
  const command = earlier.findIndex((word) => !word.startsWith('-'));
  if (command === -1) {
    return current.startsWith('-') ? offerOptions(recordWords(describeProgram)) : offerCommands();
  }
  const entry = COMMANDS.find(({ usage }) => commandName(usage) === earlier[command]);
  return entry === undefined ? NOTHING : offerFor(entry, earlier.slice(command + 1), current);
}

async function offerFor(entry: CommandEntry, earlier: readonly string[], current: string): Promise<Offer> {
  const words = recordWords((await entry.load()).options, describeProgram);
  const { awaiting, positionals, isPastDashes } = walk(earlier, words);
  if (awaiting !== undefined) return offerValues(awaiting, current);
  if (isPastDashes || !current.startsWith('-')) {
    const name = positionalAt(entry, positionals);
    if (name !== undefined) return offerPositional(name, words);
    return isPastDashes || current !== '' ? NOTHING : offerOptions(words);
  }
  const inline = /^--([^=]+)=/.exec(current);
  if (inline === null) return offerOptions(words);
  const option = words.find(inline[1]);
  return option?.takesValue ? offerValues(option, valuePart(current)) : NOTHING;
}

/** Where the command line stands after the words that are complete. */
interface Place {
  /** The option whose value comes next. */
  readonly awaiting: OptionWord | undefined;
  /** The number of positional arguments so far. */
  readonly positionals: number;
  /** Whether `--` has ended the options. */
  readonly isPastDashes: boolean;
}

function walk(earlier: readonly string[], words: CommandWords): Place {
  let awaiting: OptionWord | undefined;
  let positionals = 0;
  for (const [i, word] of earlier.entries()) {
    if (awaiting !== undefined) awaiting = undefined;
    else if (word === '--') {
      positionals += earlier.length - i - 1;
      return { awaiting, positionals, isPastDashes: true };
    } else if (/^-./.test(word)) awaiting = optionAwaiting(word, words);
    else positionals++;
  }
  return { awaiting, positionals, isPastDashes: false };
}

/** The option that takes the next word as its value: `--output`, `-o`, the last letter of `-fo`. */
function optionAwaiting(word: string, words: CommandWords): OptionWord | undefined {
  const name = /^--([^=]+)$/.exec(word)?.[1] ?? /^-[a-zA-Z]*([a-zA-Z])$/.exec(word)?.[1];
  const option = name === undefined ? undefined : words.find(name);
  return option?.takesValue ? option : undefined;
}

function offerCommands(): Offer {
  return offerWords(COMMANDS.map(({ usage, describe }) => ({ word: commandName(usage), describe })));
}

function offerOptions({ options }: CommandWords): Offer {
  return offerWords(
    options.map(({ name, describe, isOnByDefault }) => ({
      word: `--${isOnByDefault ? 'no-' : ''}${name}`,
      describe,
    })),
  );
}

/** The name of the positional argument at this index; the last of `inputs..` are all `inputs`. */
function positionalAt({ usage }: CommandEntry, index: number): string | undefined {
  const names = usage.split(' ').slice(1);
  const name = names[index] ?? names.find((each) => each.includes('..'));
  return name?.replace(/[^\w-]/g, '');
}

function offerPositional(name: string, words: CommandWords): Offer {
  if (name === 'problem') return offerProblems();
  const choices = words.choicesOf(name);
  return choices.length > 0 ? offerWords(withoutDescription(choices)) : FILES;
}

function offerProblems(): Offer {
  return offerWords(
    PROBLEMS.flatMap(({ name, aliases, title, source }) => [
      { word: name, describe: `${title} (${source})` },
      ...aliases.map((word) => ({ word, describe: name })),
    ]),
  );
}

async function offerValues({ name, choices }: OptionWord, current: string): Promise<Offer> {
  if (choices.length > 0) return offerWords(withoutDescription(choices));
  switch (VALUE_KINDS[name]) {
    case 'file':
      return FILES;
    case 'folder':
      return FOLDERS;
    case 'program':
      return PROGRAMS;
    case 'solvers':
      return offerSolvers(current);
    default:
      return NOTHING;
  }
}

/** The next word of a list such as `simd,portable`. */
async function offerSolvers(current: string): Promise<Offer> {
  const { SOLVING_OPTIONS } = await import('../arguments/solving-options.js');
  const listed = current.split(',').slice(0, -1);
  const left = SOLVING_OPTIONS.solver.choices.filter((solver) => !listed.includes(solver));
  return offerWords(withoutDescription(left.map((solver) => [...listed, solver].join(','))));
}

function withoutDescription(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, describe: '' }));
}
