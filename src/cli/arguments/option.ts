/**
 * The rows of a command's table of options. Each row says all that boardmill knows about one option: help, the manual page,
 * completion, the suggestions for mistyped names and the parsed value are made from it.
 */

/** What shells complete where a value is typed. A `text`, such as a number, a range or a seed, cannot be completed. */
export type CompletionKind = 'file' | 'folder' | 'program' | 'text';

/** The optional parts of the row of an option. */
export interface OptionTraits {
  /** The letter that is the short form of the name. */
  readonly alias?: string;
  readonly completes?: CompletionKind;
  /** What help and the manual page call the value, such as `SECONDS`. Without it, the kind of the value decides. */
  readonly value?: string;
  /** The words that the value may list, separated by commas. */
  readonly listOf?: readonly string[];
  /** The heading below which help shows the option. Options without one stand first. */
  readonly group?: string;
  /** The option without which this option has no meaning. */
  readonly needs?: OptionRelation;
  /** The options that cannot be used together with this one. */
  readonly excludes?: readonly OptionRelation[];
}

/** The name of another option, or its name and why the two options belong together or exclude each other. */
export type OptionRelation = string | readonly [name: string, reason: string];

/** The row of an option. `Value` is the type of the value that the command receives, whether the option is typed or not. */
export interface OptionRow<Value = unknown> extends OptionTraits {
  /** What help, the manual page and completion say about the option. */
  readonly describe: string;
  /** The value if the option is not typed. Help shows it for flags and choices; in all other rows, `describe` mentions it. */
  readonly otherwise: Value;
  readonly isFlag?: boolean;
  /** The words that may follow a flag as its value. Any other word that follows is an argument. */
  readonly flagWords?: readonly string[];
  /** The values that can be typed; missing if any text is possible. */
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
  /** Converts the typed text to a value. If the text is wrong, fails with a usage error that names the option. */
  parse(text: string, option: string): Value;
}

/** Converts the typed text of an option, such as `--jobs`, to a value. A usage error names the option. */
export type ParseOptionText<Value> = (text: string, option: string) => Value;

/** An argument that is not an option, such as `<problem>`. Its name is the one in the usage line of the command. */
export interface ArgumentRow<Value = unknown> {
  readonly describe: string;
  /** The value if the argument is not typed; undefined if the argument is required. */
  readonly otherwise?: Value;
  readonly choices?: readonly string[];
  /** The names of the built-in problems that the argument may be; undefined if it may be any, or is no problem. */
  readonly games?: readonly string[];
}

/** All arguments and options of a command, and the texts that its help shows below them. */
export interface CommandSyntax {
  readonly arguments: Readonly<Record<string, ArgumentRow>>;
  readonly options: Readonly<Record<string, OptionRow>>;
  readonly examples?: readonly Example[];
  /** The text that help shows below the examples. */
  readonly notes?: string;
}

export type Example = readonly [command: string, explanation: string];

/** The types of the values of a command's arguments and options. */
export type CommandLineValues<S extends CommandSyntax> = ValuesOfRows<S['arguments']> &
  ValuesOfRows<S['options']>;

/** The types of the values of a table's rows, under their names in camel case. */
export type ValuesOfRows<Rows> = {
  readonly [Name in keyof Rows as CamelCase<Name>]: ValueOf<Rows[Name]>;
};

type ValueOf<Row> =
  Row extends OptionRow<infer Value> ? Value : Row extends ArgumentRow<infer Value> ? Value : never;

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest> & string>}`
  : Name;
