/**
 * Records what commands describe to yargs. Completion, error messages and the manual page so need no separate list of
 * the options.
 */
import type { Argv, Options } from 'yargs';

export interface OptionDescription {
  /** The long name, without dashes. */
  readonly name: string;
  /** Other names of the option, such as the letter `o` of `-o`, without dashes. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** Whether the option has a value, such as `--output FILE`. False for flags such as `--force`. */
  readonly takesValue: boolean;
  /** Whether the option is a flag that is on by default, so that users type `--no-NAME`. */
  readonly isOnByDefault: boolean;
  /** The values that the option can have; empty if any value is possible. */
  readonly choices: readonly string[];
  /** The value of an option that is not given; undefined if its description says what happens then. */
  readonly default: unknown;
}

/** An argument that is not an option, such as `<problem>`. */
export interface PositionalDescription {
  readonly name: string;
  readonly description: string;
}

/** The options and arguments that a command accepts. */
export interface CommandSyntax {
  readonly options: readonly OptionDescription[];
  readonly positionals: readonly PositionalDescription[];
  /** The texts above and below the options in the help. */
  readonly usage: string;
  readonly epilogues: readonly string[];
  /** Returns the option of this name or alias, which is written without dashes. */
  find(name: string): OptionDescription | undefined;
  /** Returns the values that a positional argument can have; empty if any value is possible. */
  choicesOf(positional: string): readonly string[];
}

/** A function that describes options and arguments to yargs, such as the `options` of a command. */
type Describer = (parser: Argv) => unknown;

/**
 * Returns the options and positional arguments that the functions describe. Each function gets an object that accepts
 * all calls of yargs' chained methods and records some of them. yargs itself takes longer to load than everything
 * else that completion needs, and it has no public function that returns the descriptions.
 */
export function recordSyntax(...describers: readonly Describer[]): CommandSyntax {
  const options = new Map<string, Options>();
  const positionals = new Map<string, Options>();
  const aliases = new Map<string, string>();
  const epilogues: string[] = [];
  let usageText = '';
  const recordedMethods: Record<string, (...args: never[]) => void> = {
    option: (name: string, option: Options) => options.set(name, option),
    options: (all: Record<string, Options>) => {
      for (const [name, option] of Object.entries(all)) options.set(name, option);
    },
    positional: (name: string, positional: Options) => positionals.set(name, positional),
    alias: (name: string, alias: string) => aliases.set(name, alias).set(alias, name),
    help: (name = 'help', text = 'show help') => options.set(name, { type: 'boolean', describe: text }),
    usage: (text: string) => {
      usageText = text;
    },
    epilogue: (text: string) => epilogues.push(text),
    version: () => options.set('version', { type: 'boolean', describe: 'show the version' }),
  };
  const recorder: Argv = new Proxy({} as Argv, {
    get: (_, method) => {
      return (...args: never[]) => {
        recordedMethods[method as string]?.(...args);
        return recorder;
      };
    },
  });
  for (const describer of describers) describer(recorder);
  for (const [name, { alias }] of options) for (const other of [alias ?? []].flat()) aliases.set(other, name);
  const recorded = [...options]
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, option]) => toDescription(name, option, namesFor(aliases, name)));
  return {
    options: recorded,
    positionals: [...positionals].map(([name, { describe }]) => ({ name, description: toLine(describe) })),
    usage: usageText,
    epilogues,
    find: (name) => recorded.find((option) => option.name === name || option.name === aliases.get(name)),
    choicesOf: (positional) => choicesOf(positionals.get(positional)),
  };
}

/** Returns the aliases that stand for the name. Some of them are recorded in both directions. */
function namesFor(aliases: ReadonlyMap<string, string>, name: string): string[] {
  return [...aliases].filter(([, meant]) => meant === name).map(([alias]) => alias);
}

/** Returns a description without line breaks. */
function toLine(description: Options['describe']): string {
  return (description || '').replace(/\s+/g, ' ');
}

function toDescription(name: string, option: Options, aliases: readonly string[]): OptionDescription {
  return {
    name,
    aliases,
    description: toLine(option.describe),
    takesValue: option.type !== 'boolean',
    isOnByDefault: option.type === 'boolean' && option.default === true,
    choices: choicesOf(option),
    default: option.default,
  };
}

function choicesOf(option: Options | undefined): readonly string[] {
  return (option?.choices ?? []).map(String);
}
