/** What is wrong with a command line, in words that name what to type instead. yargs finds the mistakes. */
import type { CommandWords } from './completion/recorder.js';
import { VALUE_KINDS, type ValueKind } from './completion/values.js';
import { CommandLineError, closest } from './parse-options.js';

/** What is known of the command that the user has typed. */
export interface TypedCommand {
  /** As in "solve <problem> [inputs..]"; empty: no command was typed. */
  readonly usage: string;
  /** All words that the user has typed. */
  readonly words: readonly string[];
  /** What could have been typed. */
  readonly known: CommandWords;
}

/** yargs' message, in one line that names the words to mend. */
export function describeMistake(message: string, command: TypedCommand): CommandLineError {
  const text = message.replace(/\s+/g, ' ').trim();
  for (const [pattern, describe] of DESCRIPTIONS) {
    const match = pattern.exec(text);
    if (match !== null) return new CommandLineError(describe(match, command));
  }
  return new CommandLineError(text);
}

type Describe = (match: RegExpExecArray, command: TypedCommand) => string;

const DESCRIPTIONS: readonly (readonly [RegExp, Describe])[] = [
  [/^Unknown arguments?: (.+)$/, ([, names], command) => describeUnknown(names.split(', '), command)],
  [
    /^Not enough non-option arguments: got (\d+)/,
    ([, got], command) => describeMissing(Number(got), command),
  ],
  [/^Missing required arguments?: ([^,]+)/, ([, name]) => `missing option --${name}`],
  [/^Not enough arguments following: (\S+)$/, ([, name], command) => describeNeed(name, command)],
  [
    /Argument: (\S+), Given: (.*), Choices: (.*)$/,
    ([, name, given, choices], { usage }) => {
      const subject = usage.includes(`[${name}]`) ? name : `--${name}`;
      return `${subject} must be one of ${choices.replaceAll('"', '')}, got ${given}`;
    },
  ],
];

/** The first word that is neither an option of the command nor one of its arguments. */
function describeUnknown(names: readonly string[], { words, known }: TypedCommand): string {
  const option = names.find((name) => words.some((word) => isOptionNamed(word, name)));
  if (option === undefined) return `unexpected argument ${names[0]}`;
  const longNames = known.options.map(({ name }) => name);
  const meant = closest(option, longNames);
  const isShort = option.length === 1;
  const question = meant === null || isShort ? '' : `; did you mean --${meant}?`;
  return `unknown option ${isShort ? '-' : '--'}${option}${question}`;
}

function isOptionNamed(word: string, name: string): boolean {
  if (name.length > 1) return word === `--${name}` || word.startsWith(`--${name}=`);
  return /^-[^-]/.test(word) && word.includes(name);
}

/** The first required argument of the command that was not typed. */
function describeMissing(got: number, { usage }: TypedCommand): string {
  const required = usage.match(/<[^>]+>/g) ?? [];
  return required[got] === undefined ? 'missing command' : `missing argument ${required[got]}`;
}

function describeNeed(name: string, { known }: TypedCommand): string {
  const option = known.find(name)?.name ?? name;
  return `--${option} needs ${NEEDS[VALUE_KINDS[option] ?? 'text']}`;
}

const NEEDS: Record<ValueKind, string> = {
  file: 'a file',
  folder: 'a folder',
  program: 'a program',
  solvers: 'a list of solvers',
  text: 'a value',
};
