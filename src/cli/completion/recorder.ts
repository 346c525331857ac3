/** Records what commands describe to yargs. Completion and error messages so need no separate list of the options. */
import type { Argv, Options } from 'yargs';

export interface OptionDescription {
  /** The long name, without dashes. */
  readonly name: string;
  readonly description: string;
  /** Whether the option has a value, such as `--output FILE`. False for flags such as `--force`. */
  readonly takesValue: boolean;
  /** Whether the option is a flag that is on by default, so that users type `--no-NAME`. */
  readonly isOnByDefault: boolean;
  /** The values that the option can have; empty if any value is possible. */
  readonly choices: readonly string[];
}

/** The options and arguments that a command accepts. */
export interface CommandSyntax {
  readonly options: readonly OptionDescription[];
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
  const recordedMethods: Record<string, (...args: never[]) => void> = {
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
        recordedMethods[method as string]?.(...args);
        return recorder;
      };
    },
  });
  for (const describer of describers) describer(recorder);
  for (const [name, { alias }] of options) for (const other of [alias ?? []].flat()) aliases.set(other, name);
  const recorded = [...options].filter(([, { hidden }]) => hidden !== true).map(toDescription);
  return {
    options: recorded,
    find: (name) => recorded.find((option) => option.name === name || option.name === aliases.get(name)),
    choicesOf: (positional) => choicesOf(positionals.get(positional)),
  };
}

function toDescription([name, option]: [string, Options]): OptionDescription {
  return {
    name,
    description: (option.describe || '').replace(/\s+/g, ' '),
    takesValue: option.type !== 'boolean',
    isOnByDefault: option.type === 'boolean' && option.default === true,
    choices: choicesOf(option),
  };
}

function choicesOf(option: Options | undefined): readonly string[] {
  return (option?.choices ?? []).map(String);
}
