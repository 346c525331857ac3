/**
 * The rows of a command's table. One row says all that boardmill knows about an option: help, the manual page, completion, the
 * suggestions for mistyped names and the parsed value derive from it.
 */

/**
 * What shells complete in place of a value. A `text` is, for example, a number, a range or a seed: shells cannot complete it.
 */
export type Completed = 'file' | 'folder' | 'program' | 'solvers' | 'text';

/** What a row may say about any option. */
export interface Traits {
  /** The letter that is short for the name. */
  readonly alias?: string;
  readonly completes?: Completed;
  /** The option without which this one has no meaning. */
  readonly needs?: Relation;
  /** The options that cannot be used together with this one. */
  readonly excludes?: readonly Relation[];
}

/** The name of another option, or its name and the reason of the relation to it, which is added to the message. */
export type Relation = string | readonly [name: string, reason: string];

/** A row. `Value` is what the command gets, whether the option is typed or not. */
export interface Option<Value = unknown> extends Traits {
  /** What help, the manual page and completion say about the option. */
  readonly describe: string;
  /** The value if the option is not typed. Help shows that of flags and of choices; other rows describe it. */
  readonly otherwise: Value;
  readonly isFlag?: boolean;
  /** The values that can be typed; missing if any text is possible. */
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
  /** Returns what a typed text stands for. If the text is wrong, the usage error names the option, such as `--jobs`. */
  parse(text: string, option: string): Value;
}

/** Parses the text of an option, such as `--jobs`. If it is wrong, the usage error names the option. */
export type Parse<Value> = (text: string, option: string) => Value;

/** An argument that is not an option, such as `<problem>`. Its name is that in the usage line of the command. */
export interface Argument<Value = unknown> {
  readonly describe: string;
  /** The value if the argument is missing; undefined if it is required. */
  readonly otherwise?: Value;
  readonly choices?: readonly string[];
}

/** All arguments and options of a command, and the texts below them in its help. */
export interface Syntax {
  readonly arguments: Readonly<Record<string, Argument>>;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples?: readonly Example[];
  /** The text below the examples. */
  readonly notes?: string;
}

export type Example = readonly [command: string, explanation: string];

/** The values of a command's arguments and options. */
export type ValuesOf<S extends Syntax> = ValuesOfRows<S['arguments']> & ValuesOfRows<S['options']>;

/** The values of the rows of a table, under their names in camel case. */
export type ValuesOfRows<Rows> = {
  readonly [Name in keyof Rows as CamelCase<Name>]: ValueOf<Rows[Name]>;
};

type ValueOf<Row> =
  Row extends Option<infer Value> ? Value : Row extends Argument<infer Value> ? Value : never;

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest> & string>}`
  : Name;
