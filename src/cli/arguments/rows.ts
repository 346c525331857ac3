/**
 * Makes the rows of tables of options: first rows of any option, then rows that several commands have. Commands import this
 * file as `row`, so that a table reads as `output: row.output('file for the new input')`.
 */
import type { Range } from '../../core/range.js';
import { MAX_MEMORY_LIMIT_BYTES } from '../../engine/limits.js';
import type { Argument, Option, Parse, Traits } from './option.js';
import { type NamedProgram, parseNamedProgram, parseProgram } from './parse-program.js';
import { anyText, countFrom, parseOutput, parseRange, parseSeconds, sizeUpTo } from './values.js';

/** Makes the row of an option with a value. The value is null if the option is not typed. */
export function option<Value>(
  parse: Parse<Value>,
  describe: string,
  traits: Traits = {},
): Option<Value | null> {
  return { describe, otherwise: null, parse, ...traits };
}

/** Makes the row of an option without a value. If it is on by default, users switch it off by `--no-NAME`. */
export function flag(
  describe: string,
  traits: Traits & { readonly otherwise?: boolean } = {},
): Option<boolean> {
  return { describe, isFlag: true, otherwise: false, parse: () => true, ...traits };
}

/** Makes the row of an option whose value is one of several words. `otherwise` is the value if the option is not typed. */
export function choice<const Word extends string, const Otherwise extends Word | null>(
  choices: readonly Word[],
  otherwise: Otherwise,
  describe: string,
): Option<Word | Otherwise> {
  // The text is one of these words, because yargs has refused all others.
  return { describe, otherwise, choices, parse: (text) => text as Word };
}

/** Makes an option required: the command cannot run without it. */
export function required<Value>(row: Option<Value | null>): Option<Value> {
  return { ...(row as Option<Value>), isRequired: true };
}

/** Makes an option repeatable: it may be given several times. Its value is the list of all values. */
export function repeatable<Value>(row: Option<Value | null>): Option<readonly Value[]> {
  return {
    ...row,
    otherwise: [],
    isRepeatable: true,
    parse: (text, name) => [row.parse(text, name) as Value],
  };
}

/** Gives an option another value for the case that it is not typed. */
export function otherwise<Value>(value: Value, row: Option<Value | null>): Option<Value> {
  return { ...(row as Option<Value>), otherwise: value };
}

/** Makes the row of a required argument. */
export function argument(describe: string): Argument<string> {
  return { describe };
}

/** Makes the row of an argument that is typed once or several times. */
export function listArgument(describe: string): Argument<readonly string[]> {
  return { describe };
}

export function optionalArgument(describe: string): Argument<string | null> {
  return { describe, otherwise: null };
}

/** Makes the row of an optional argument whose value is one of several words. */
export function choiceArgument<Word extends string>(
  choices: readonly Word[],
  describe: string,
): Argument<Word | null> {
  return { describe, otherwise: null, choices };
}

export const PROBLEM = argument(
  'name or alias of a problem (boardmill problems lists them), or the path of your own: a module or a grammar (.ctd)',
);

export const INPUT: Argument<string> = {
  describe: 'input file; - is standard input, which is the default',
  otherwise: '-',
};

export const INPUTS: Argument<readonly string[]> = {
  describe:
    'input files, or folders with *.in files (also *.in.gz, *.in.zst, *.in.br; subfolders included); - is standard input, which is the default',
  otherwise: [],
};

export const QUIET = flag('print nothing but errors on standard error', { alias: 'q' });

export const MEMORY_LIMIT = option(
  sizeUpTo(MAX_MEMORY_LIMIT_BYTES),
  'address space of each run of the program (ulimit -v), such as 256M (default: no limit)',
);

export const SANDBOX = flag(
  'run programs under bubblewrap (bwrap): without network, on a read-only system, in a folder and with processes of their own',
);

/**
 * Makes the row of `--force`, which lets a command overwrite files that it did not write. All commands share this rule and its
 * words. `also` says what else the option does.
 */
export function force(also = ''): Option<boolean> {
  return flag(`overwrite files that this command did not write, or that were changed since${also}`, {
    alias: 'f',
  });
}

/** Makes the row of `--output`. The value `-` stands for standard output. */
export function output(describe: string, traits: Traits = {}): Option<string | null> {
  return option(parseOutput, describe, { alias: 'o', completes: 'file', ...traits });
}

/** Makes the row of `--jobs`, the number of workers or programs that are wanted; see `limitJobs`. */
export function jobs(describe: string): Option<number | null> {
  return option(countFrom(1), describe, { alias: 'j' });
}

/** Makes the row of an option that names a file. For `--output`, see `output`. */
export function file(describe: string, traits: Traits = {}): Option<string | null> {
  return option(anyText('a file'), describe, { completes: 'file', ...traits });
}

export function folder(describe: string, traits: Traits = {}): Option<string | null> {
  return option(anyText('a folder'), describe, { completes: 'folder', ...traits });
}

/** Makes the row of an option that names a program with its arguments. */
export function program(describe: string, traits: Traits = {}): Option<readonly string[] | null> {
  return option(parseProgram, describe, { completes: 'program', ...traits });
}

/** Makes the row of an option that names a program. Results show the program as the user typed it. */
export function namedProgram(describe: string, traits: Traits = {}): Option<NamedProgram | null> {
  return option(parseNamedProgram, describe, { completes: 'program', ...traits });
}

/** Makes the row of an option that names a set of the contest. */
export function set(describe: string, traits: Traits = {}): Option<string | null> {
  return option(anyText('the name of a set'), describe, traits);
}

/** A time in seconds. */
export function seconds(describe: string, traits: Traits = {}): Option<number | null> {
  return option(parseSeconds, describe, traits);
}

/** Makes the row of an option whose value is a whole number of at least `min`. */
export function count(min: number, describe: string, traits: Traits = {}): Option<number | null> {
  return option(countFrom(min), describe, traits);
}

/** Makes the row of an option whose value is a range of whole numbers from 1. */
export function range(describe: string, traits: Traits = {}): Option<Range | null> {
  return option(parseRange, describe, traits);
}

/** Makes the row of an option whose value is any text that is not empty. */
export function text(describe: string, traits: Traits = {}): Option<string | null> {
  return option(anyText('a value'), describe, traits);
}
