/**
 * Completes the word under the cursor for a shell.
 *
 * On each Tab, the completion scripts of all shells call `boardmill --complete SHELL WORD...`. Scripts that list
 * every option themselves would answer a tenth of a second sooner. But users install a script once, for example in
 * ~/.bashrc. Such a script would keep offering the options of an old version, and the same rules would be needed in
 * three shell languages.
 */
import { findProblem, PROBLEMS } from '../../catalog/registry.js';
import { columnsOf } from '../../problems/output-columns.js';
import type { CommandSyntax } from '../arguments/option.js';
import { findOption, isOnByDefault, type NamedOption, optionsOfCommand } from '../arguments/syntax.js';
import { optionAwaitingValue, readTypedWords, type TypedWord, takesValue } from '../arguments/words.js';
import { COMMANDS, type CommandEntry, commandName, findCommand, HELP_COMMAND } from '../command-list.js';
import { putCommandFirst } from '../command-word.js';
import { rejoinWords, unquoteWord } from './shell-words.js';
import type { Shell } from './shells.js';

/** A word that can replace the word under the cursor. */
interface Candidate {
  readonly word: string;
  /** The description of the word; empty if it has none. */
  readonly description: string;
}

/**
 * The completions that boardmill offers for the word under the cursor. For kind `words`, boardmill lists them. For the other
 * kinds, the shell itself finds files, folders or programs.
 */
interface Offer {
  readonly kind: 'words' | 'files' | 'folders' | 'programs';
  readonly candidates: readonly Candidate[];
}

const FILE_NAMES_OFFER: Offer = { kind: 'files', candidates: [] };
const FOLDER_NAMES_OFFER: Offer = { kind: 'folders', candidates: [] };
const PROGRAM_NAMES_OFFER: Offer = { kind: 'programs', candidates: [] };
const EMPTY_OFFER: Offer = { kind: 'words', candidates: [] };

function offerWords(candidates: readonly Candidate[]): Offer {
  return { kind: 'words', candidates };
}

/**
 * Returns the text that the completion script of the shell reads: a line with the kind of the offer, then a line for each
 * candidate. `words` has the words after `boardmill` on the command line, with the quotes that the user typed. The last of them
 * is the word under the cursor.
 */
export async function completeWord(shell: Shell, words: readonly string[]): Promise<string> {
  const typed = (shell === 'bash' ? rejoinWords(words) : words).map(unquoteWord);
  const current = typed.at(-1) ?? '';
  const offer = await findOffer(typed.slice(0, -1), current);
  return [offer.kind, ...FORMAT_CANDIDATES[shell](offer.candidates, current)]
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * Formats the candidates for each shell. zsh and fish filter the candidates themselves, by rules that their users can
 * set. bash does not, so it gets only the candidates that match.
 */
const FORMAT_CANDIDATES: Record<
  Shell,
  (candidates: readonly Candidate[], current: string) => readonly string[]
> = {
  bash: (candidates, current) => startingWith(valuePart(current), candidates),
  zsh: (candidates) =>
    candidates.map(({ word, description }) => `${word.replaceAll(':', '\\:')}:${description}`),
  fish: (candidates) => candidates.map(({ word, description }) => `${word}\t${description}`),
};

/** Returns the words that start with `prefix`. If no word does, upper-case and lower-case letters count as equal. */
function startingWith(prefix: string, candidates: readonly Candidate[]): readonly string[] {
  const words = candidates.map(({ word }) => word);
  const exact = words.filter((word) => word.startsWith(prefix));
  if (exact.length > 0) return exact;
  return words.filter((word) => word.toLowerCase().startsWith(prefix.toLowerCase()));
}

/** Returns the value in a word such as `--solver=po`, which is `po`. The completion scripts put `--solver=` back in front. */
function valuePart(current: string): string {
  return /^--[^=]+=(.*)$/s.exec(current)?.[1] ?? current;
}

/** Returns the words that may follow the earlier words of a command line. */
async function findOffer(earlier: readonly string[], current: string): Promise<Offer> {
  const [name, ...others] = await putCommandFirst(earlier[0] === HELP_COMMAND ? earlier.slice(1) : earlier);
  if (name === undefined || name.startsWith('-')) {
    return current.startsWith('-') ? offerOptions(optionsOfCommand(null)) : offerCommands();
  }
  const entry = findCommand(name);
  return entry === undefined ? EMPTY_OFFER : offerArguments(entry, others, current);
}

/** Returns the words that may follow a command's name and the earlier arguments. */
async function offerArguments(
  entry: CommandEntry,
  earlier: readonly string[],
  current: string,
): Promise<Offer> {
  const { syntax } = await entry.load();
  const options = optionsOfCommand(syntax);
  const words = readTypedWords(earlier, options);
  const waiting = optionAwaitingValue(words, options);
  if (waiting !== undefined) return offerValues(waiting, current, words);
  const areOptionsOver = words.some(({ role }) => role === 'end');
  if (areOptionsOver || !current.startsWith('-')) {
    const name = positionalAt(entry, words.filter(({ role }) => role === 'argument').length);
    if (name !== undefined) return offerPositional(name, syntax, current);
    return areOptionsOver || current !== '' ? EMPTY_OFFER : offerOptions(options);
  }
  const inline = /^--([^=]+)=/.exec(current);
  if (inline === null) return offerOptions(options);
  const option = findOption(options, inline[1]);
  return takesValue(option) ? offerValues(option, valuePart(current), words) : EMPTY_OFFER;
}

function offerCommands(): Offer {
  return offerWords(COMMANDS.map(({ usage, description }) => ({ word: commandName(usage), description })));
}

function offerOptions(options: readonly NamedOption[]): Offer {
  return offerWords(
    options.map((option) => ({
      word: `--${isOnByDefault(option) ? 'no-' : ''}${option.name}`,
      description: option.describe,
    })),
  );
}

/**
 * Returns the name of the positional argument at this index. A name that ends in `..` stands for all further
 * arguments.
 */
function positionalAt({ usage }: CommandEntry, index: number): string | undefined {
  const names = usage.split(' ').slice(1);
  const name = names[index] ?? names.find((each) => each.includes('..'));
  return name?.replace(/[^\w-]/g, '');
}

function offerPositional(name: string, syntax: CommandSyntax, current: string): Offer {
  const argument = syntax.arguments[name];
  // A word with a slash is the path of a module or of a grammar.
  if (name === 'problem') return current.includes('/') ? FILE_NAMES_OFFER : offerProblems(argument?.games);
  const choices = argument?.choices;
  return choices !== undefined ? offerWords(withoutDescription(choices)) : FILE_NAMES_OFFER;
}

function offerProblems(games: readonly string[] | undefined): Offer {
  return offerWords(
    PROBLEMS.filter(({ name }) => games?.includes(name) !== false).flatMap(
      ({ name, aliases, title, source }) => [
        { word: name, description: `${title} (${source})` },
        ...aliases.map((word) => ({ word, description: name })),
      ],
    ),
  );
}

async function offerValues(
  option: NamedOption,
  current: string,
  earlier: readonly TypedWord[],
): Promise<Offer> {
  const { choices, listOf, completes } = option;
  if (choices !== undefined) return offerWords(withoutDescription(choices));
  if (listOf !== undefined) return offerList(await wordsOfList(option, listOf, earlier), current);
  switch (completes) {
    case 'file':
      return FILE_NAMES_OFFER;
    case 'folder':
      return FOLDER_NAMES_OFFER;
    case 'program':
      return PROGRAM_NAMES_OFFER;
    default:
      return EMPTY_OFFER;
  }
}

/** Returns the words of a list. Of the columns, these are the ones that answers to the typed problem can have. */
async function wordsOfList(
  { name }: NamedOption,
  listOf: readonly string[],
  earlier: readonly TypedWord[],
): Promise<readonly string[]> {
  const problem = findProblem(earlier.find(({ role }) => role === 'argument')?.text ?? '');
  if (name !== 'columns' || problem === undefined) return listOf;
  const hasProgram = earlier.some(({ option }) => option?.name === 'exec');
  return columnsOf((await problem.load()).problem, hasProgram);
}

/** Offers the words that can follow in a list such as `simd,portable`. */
function offerList(words: readonly string[], current: string): Offer {
  const listed = current.split(',').slice(0, -1);
  const left = words.filter((word) => !listed.includes(word));
  return offerWords(withoutDescription(left.map((word) => [...listed, word].join(','))));
}

function withoutDescription(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, description: '' }));
}
