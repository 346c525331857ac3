/** What is wrong with a command line, in words that name what to type instead. yargs finds the mistakes. */
import type { CommandWords } from '../completion/recorder.js';
import { VALUE_KINDS, type ValueKind } from '../completion/values.js';
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

/**
 * Fails at an option that is none, or a flag that is given a value. yargs would take --no-output for "the output is
 * false", --output.x for a part of an object, --outPut for --out-put, and --force=maybe for no.
 */
export function assertOptionsKnown({ words, known }: TypedCommand): void {
  const last = words.includes('--') ? words.indexOf('--') : words.length;
  for (const word of words.slice(0, last)) {
    if (!word.startsWith('--')) continue;
    const [, name = '', value] = /^--([a-z][a-z-]*)(=.*)?$/s.exec(word) ?? [];
    const option = known.find(name);
    const isNegation = known.find(name.replace(/^no-/, ''))?.isOnByDefault === true;
    if (option?.name !== name && !isNegation) {
      throw new CommandLineError(describeUnknownOption(word.slice(2).replace(/=.*$/s, ''), known));
    }
    const isFlag = isNegation || option?.takesValue === false;
    if (isFlag && value !== undefined) throw new CommandLineError(`--${name} takes no value, got ${word}`);
  }
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
  return option.length === 1 ? `unknown option -${option}` : describeUnknownOption(option, known);
}

function describeUnknownOption(name: string, known: CommandWords): string {
  const meant = closest(
    name,
    known.options.map((option) => option.name),
  );
  return `unknown option --${name}${meant === null ? '' : `; did you mean --${meant}?`}`;
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
