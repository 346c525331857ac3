/** Reads what commands describe to yargs, so that completion needs no list of options of its own. */
import type { Argv, Options } from 'yargs';

export interface OptionWord {
  readonly name: string;
  readonly describe: string;
  /** Whether a value follows: `--output FILE`, but not `--force`. */
  readonly takesValue: boolean;
  /** Whether it is `--no-NAME` that changes something. */
  readonly isOnByDefault: boolean;
  readonly choices: readonly string[];
}

/** The words that can follow a command. */
export interface CommandWords {
  readonly options: readonly OptionWord[];
  /** The option of this name or alias, without dashes. */
  find(name: string): OptionWord | undefined;
  /** The values that a positional argument can have; empty: any. */
  choicesOf(positional: string): readonly string[];
}

type Describe = (words: Argv) => unknown;

/**
 * Returns what `describe` functions say about options and positional arguments. They are given an object that
 * takes all calls of yargs' chained methods and notes some. yargs itself would do, but it takes longer to load
 * than everything else that completion needs, and has no public way to ask for descriptions.
 */
export function recordWords(...describe: readonly Describe[]): CommandWords {
  const options = new Map<string, Options>();
  const positionals = new Map<string, Options>();
  const aliases = new Map<string, string>();
  const noted: Record<string, (...args: never[]) => void> = {
    option: (name: string, option: Options) => options.set(name, option),
    options: (all: Record<string, Options>) => {
      for (const [name, option] of Object.entries(all)) options.set(name, option);
    },
    positional: (name: string, positional: Options) => positionals.set(name, positional),
    alias: (name: string, alias: string) => aliases.set(name, alias).set(alias, name),
    help: (name = 'help', text = 'show help') => options.set(name, { type: 'boolean', describe: text }),
    version: () => options.set('version', { type: 'boolean', describe: 'show the version' }),
  };
  const recorder: Argv = new Proxy({} as Argv, {
    get: (_, method) => {
      return (...args: never[]) => {
        noted[method as string]?.(...args);
        return recorder;
      };
    },
  });
  for (const tell of describe) tell(recorder);
  for (const [name, { alias }] of options) for (const other of [alias ?? []].flat()) aliases.set(other, name);
  const words = [...options].filter(([, { hidden }]) => hidden !== true).map(toWord);
  return {
    options: words,
    find: (name) => words.find((word) => word.name === name || word.name === aliases.get(name)),
    choicesOf: (positional) => choicesOf(positionals.get(positional)),
  };
}

function toWord([name, option]: [string, Options]): OptionWord {
  return {
    name,
    describe: (option.describe || '').replace(/\s+/g, ' '),
    takesValue: option.type !== 'boolean',
    isOnByDefault: option.type === 'boolean' && option.default === true,
    choices: choicesOf(option),
  };
}

function choicesOf(option: Options | undefined): readonly string[] {
  return (option?.choices ?? []).map(String);
}
