/** Derives from the table of a command the names that a user may type, and the values of what was typed. */
import type { CommandSyntax, CompletionKind, OptionRelation, OptionRow } from './option.js';
import * as row from './rows.js';
import { usageError } from './usage-error.js';

/** The options that all commands have. */
export const COMMON_OPTIONS = {
  version: row.flagOption('show the version', { alias: 'V' }),
  help: row.flagOption('show help', { alias: 'h' }),
};

/** The row of an option, and the option's long name without dashes. */
export interface NamedOption extends OptionRow {
  readonly name: string;
}

/** Returns the options that a user may type: those of the command and those that all commands have. */
export function optionsOfCommand(syntax: CommandSyntax | null): readonly NamedOption[] {
  return Object.entries({ ...syntax?.options, ...COMMON_OPTIONS }).map(([name, row]) => ({ name, ...row }));
}

/** Returns the option with this name or letter, which is given without dashes. */
export function findOption(options: readonly NamedOption[], name: string): NamedOption | undefined {
  return options.find((option) => option.name === name || option.alias === name);
}

/** What help and the manual page call a value, by what shells complete there. */
const VALUE_NAMES: Readonly<Record<CompletionKind, string>> = {
  file: 'FILE',
  folder: 'DIR',
  program: 'CMD',
  text: 'TEXT',
};

/** Returns the name of an option's value, such as `FILE` or `text|ndjson|csv`. */
export function valueNameOf({ choices, value, listOf, completes = 'text' }: OptionRow): string {
  return choices?.join('|') ?? value ?? (listOf === undefined ? VALUE_NAMES[completes] : 'LIST');
}

/** Returns the names of an option, and that of its value: `-o, --output FILE`, `--[no-]progress`. */
export function optionLabelOf(name: string, row: OptionRow): string {
  const names = [
    ...(row.alias === undefined ? [] : [`-${row.alias}`]),
    `--${isOnByDefault(row) ? '[no-]' : ''}${name}`,
  ].join(', ');
  if (row.flagWords !== undefined) return `${names} [${row.flagWords.join('|')}]`;
  return row.isFlag ? names : `${names} ${valueNameOf(row)}`;
}

/** Whether the option is a flag that is on by default, so that users switch it off by `--no-NAME`. */
export function isOnByDefault(option: OptionRow | undefined): boolean {
  return option?.isFlag === true && option.otherwise === true;
}

/** The result of yargs: for each name, the typed text, a list of texts, or whether a flag is on. */
type Typed = Readonly<Record<string, unknown>>;

/**
 * Returns the values of the arguments and options under their names in camel case. Fails with a usage error that names the
 * option if an option is given too often, has a wrong value, or cannot be used together with another one.
 */
export function readOptionValues(syntax: CommandSyntax, typed: Typed): Readonly<Record<string, unknown>> {
  const rows = Object.entries(syntax.options);
  for (const [name, row] of rows) assertGivenOnce(name, row, typed[name]);
  const values = new Map(rows.map(([name, row]) => [name, readOption(name, row, typed[name])]));
  const isGiven = (name: string) => values.get(name) !== syntax.options[name]?.otherwise;
  for (const [name, row] of rows) if (isGiven(name)) assertFits(name, row, isGiven);
  const operands = Object.entries(syntax.arguments).map(([name, row]) => [
    name,
    typed[name] ?? row.otherwise,
  ]);
  return Object.fromEntries(
    [...operands, ...values].map(([name, value]) => [camelCase(String(name)), value]),
  );
}

/** Returns the first of these options that the user has given; undefined if none was given. */
export function firstGivenOption<Name extends string>(
  { options }: CommandSyntax,
  values: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => values[camelCase(name)] !== options[name]?.otherwise);
}

/** A flag may be repeated. Its last value counts. */
function assertGivenOnce(name: string, { isFlag, isRepeatable }: OptionRow, typed: unknown): void {
  if (isFlag || isRepeatable || !Array.isArray(typed)) return;
  throw usageError(`--${name} was given ${typed.length} times`);
}

function readOption(name: string, row: OptionRow, typed: unknown): unknown {
  if (typed === undefined) return row.otherwise;
  const all = [typed].flat();
  if (row.flagWords !== undefined) return row.parse(String(all.at(-1)), `--${name}`);
  if (row.isFlag) return all.at(-1);
  const values = all.map((text) => row.parse(String(text), `--${name}`));
  return row.isRepeatable ? values.flat() : values[0];
}

/** Fails if an option is given without an option that it needs, or together with one that it excludes. */
function assertFits(name: string, { needs, excludes }: OptionRow, isGiven: (name: string) => boolean): void {
  if (needs !== undefined) {
    const [other, reason] = partsOf(needs);
    if (!isGiven(other)) throw usageError(`--${name} needs --${other}${reason}`);
  }
  for (const [other, reason] of (excludes ?? []).map(partsOf)) {
    if (isGiven(other)) throw usageError(`--${name} and --${other} cannot be used together${reason}`);
  }
}

function partsOf(relation: OptionRelation): readonly [name: string, reason: string] {
  return typeof relation === 'string' ? [relation, ''] : [relation[0], `: ${relation[1]}`];
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
