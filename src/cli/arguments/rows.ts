/**
 * Makes the rows of tables of options: first rows of any option, then rows that several commands have. Commands import this
 * file as `row`, so that a table reads as `output: row.output('file for the new input')`.
 */
import type { Range } from '../../core/range.js';
import { joinWithOr } from '../../core/words.js';
import { MAX_MEMORY_LIMIT_BYTES } from '../../engine/limits.js';
import type { ArgumentRow, OptionRow, OptionTraits, ParseOptionText } from './option.js';
import { type NamedProgram, parseNamedProgram, parseProgram } from './parse-program.js';
import {
  parseAnyText,
  parseOutputFolder,
  parseOutputPath,
  parseRange,
  parserOfCountsFrom,
  parseSeconds,
  parseSizeUpTo,
} from './values.js';

/** Makes the row of an option with a value. The value is null if the option is not typed. */
export function valueOption<Value>(
  parse: ParseOptionText<Value>,
  describe: string,
  traits: OptionTraits = {},
): OptionRow<Value | null> {
  return { describe, otherwise: null, parse, ...traits };
}

/** Makes the row of an option without a value. If it is on by default, users switch it off by `--no-NAME`. */
export function flagOption(
  describe: string,
  traits: OptionTraits & { readonly otherwise?: boolean } = {},
): OptionRow<boolean> {
  return { describe, isFlag: true, otherwise: false, parse: () => true, ...traits };
}

/** Makes the row of a flag that one of several words may follow. Without a word, the value of the flag is `bare`. */
export function wordFlagOption<const Word extends string, const Bare extends string>(
  bare: Bare,
  words: readonly Word[],
  describe: string,
): OptionRow<Word | Bare | null> {
  const parse = (text: string) => (text === '' ? bare : (text as Word));
  return { describe, isFlag: true, flagWords: words, otherwise: null, parse };
}

/** Makes the row of an option whose value is one of several words. `withDefault` is the value if the option is not typed. */
export function choiceOption<const Word extends string, const Otherwise extends Word | null>(
  choices: readonly Word[],
  otherwise: Otherwise,
  describe: string,
): OptionRow<Word | Otherwise> {
  // The text is one of these words, because yargs has refused all others.
  return { describe, otherwise, choices, parse: (text) => text as Word };
}

/** Gives options a heading of their own in the help. */
export function optionGroup<Rows extends Readonly<Record<string, OptionRow>>>(
  name: string,
  rows: Rows,
): Rows {
  const grouped = Object.entries(rows).map(([key, row]) => [key, { ...row, group: name }]);
  return Object.fromEntries(grouped) as Rows;
}

/** Makes an option required: the command cannot run without it. */
export function requiredOption<Value>(row: OptionRow<Value | null>): OptionRow<Value> {
  return { ...(row as OptionRow<Value>), isRequired: true };
}

/** Makes an option repeatable: it may be given several times. Its value is the list of all values. */
export function repeatableOption<Value>(row: OptionRow<Value | null>): OptionRow<readonly Value[]> {
  return {
    ...row,
    otherwise: [],
    isRepeatable: true,
    parse: (text, name) => [row.parse(text, name) as Value],
  };
}

/** Gives an option another value for the case that it is not typed. */
export function optionWithDefault<Value>(value: Value, row: OptionRow<Value | null>): OptionRow<Value> {
  return { ...(row as OptionRow<Value>), otherwise: value };
}

/** Makes the row of a required argument. */
export function requiredArgument(describe: string): ArgumentRow<string> {
  return { describe };
}

/** Makes the row of an argument that is one of some games. Completion offers no other problems. */
export function gameArgument(games: readonly string[]): ArgumentRow<string> {
  return { describe: `name or alias of ${joinWithOr(games)} (boardmill problems lists them)`, games };
}

/** Makes the row of an argument that is typed once or several times. */
export function listArgument(describe: string): ArgumentRow<readonly string[]> {
  return { describe };
}

export function optionalArgument(describe: string): ArgumentRow<string | null> {
  return { describe, otherwise: null };
}

/** Makes the row of an optional argument whose value is one of several words. */
export function choiceArgument<Word extends string>(
  choices: readonly Word[],
  describe: string,
): ArgumentRow<Word | null> {
  return { describe, otherwise: null, choices };
}

export const PROBLEM_ARGUMENT = requiredArgument(
  'name or alias of a problem (boardmill problems lists them), or the path of your own: a module or a grammar (.ctd)',
);

export const INPUT_ARGUMENT: ArgumentRow<string | null> = {
  describe: 'input file; - is standard input, which is the default',
  otherwise: null,
};

export const INPUTS_ARGUMENT: ArgumentRow<readonly string[]> = {
  describe:
    'input files, or folders with *.in files (also *.in.gz, *.in.zst, *.in.br; subfolders included); - is standard input, which is the default',
  otherwise: [],
};

export const QUIET_OPTION = flagOption('print nothing but errors on standard error', { alias: 'q' });

export const MEMORY_LIMIT_OPTION = valueOption(
  parseSizeUpTo(MAX_MEMORY_LIMIT_BYTES),
  'address space of each run of the program (ulimit -v), such as 256M (default: no limit)',
  { value: 'SIZE' },
);

export const SANDBOX_OPTION = flagOption(
  'run programs under bubblewrap (bwrap): without network, on a read-only system, in a folder and with processes of their own',
);

/** The file for JUnit XML. Commands that have it write the file also if there are errors. */
export const JUNIT_OPTION = fileOption(
  'file for the results as JUnit XML, which continuous integration reads',
);

/** How errors are printed for a service that shows them beside the lines of files. */
export const ANNOTATIONS_OPTION: OptionRow<'github' | null> = {
  ...choiceOption(
    ['github'],
    null,
    'print each error as a command of GitHub Actions, which shows it at its line of the file',
  ),
  excludes: ['json'],
};

/**
 * Makes the row of `--force`, which lets a command overwrite files that it did not write. All commands share this rule and its
 * words. `also` says what else the option does.
 */
export function forceOption(also = ''): OptionRow<boolean> {
  return flagOption(`overwrite files that this command did not write, or that were changed since${also}`, {
    alias: 'f',
  });
}

/** Makes the row of `--output`. The value `-` stands for standard output. */
export function outputOption(describe: string, traits: OptionTraits = {}): OptionRow<string | null> {
  return valueOption(parseOutputPath, describe, { alias: 'o', completes: 'file', ...traits });
}

/** Makes the row of `--jobs`, the number of workers or programs that are wanted; see `limitJobs`. */
export function jobsOption(describe: string): OptionRow<number | null> {
  return valueOption(parserOfCountsFrom(1), describe, { alias: 'j', value: 'N' });
}

/** `--jobs` of a command that no program solves for. */
export const THREADS_OPTION = jobsOption('number of worker threads (default: number of processors)');

/** Makes the row of an option that names a file. For `--output`, see `outputOption`. */
export function fileOption(describe: string, traits: OptionTraits = {}): OptionRow<string | null> {
  return valueOption(parseAnyText('a file'), describe, { completes: 'file', ...traits });
}

export function folderOption(describe: string, traits: OptionTraits = {}): OptionRow<string | null> {
  return valueOption(parseOutputFolder, describe, { completes: 'folder', ...traits });
}

/** Makes the row of an option that names a program with its arguments. */
export function programOption(
  describe: string,
  traits: OptionTraits = {},
): OptionRow<readonly string[] | null> {
  return valueOption(parseProgram, describe, { completes: 'program', ...traits });
}

/** Makes the row of an option that names a program. Results show the program as the user typed it. */
export function namedProgramOption(
  describe: string,
  traits: OptionTraits = {},
): OptionRow<NamedProgram | null> {
  return valueOption(parseNamedProgram, describe, { completes: 'program', ...traits });
}

/** Makes the row of an option that names a set of the contest. */
export function contestSetOption(describe: string, traits: OptionTraits = {}): OptionRow<string | null> {
  return valueOption(parseAnyText('the name of a set'), describe, { value: 'NAME', ...traits });
}

/** A time in seconds. */
export function secondsOption(describe: string, traits: OptionTraits = {}): OptionRow<number | null> {
  return valueOption(parseSeconds, describe, { value: 'SECONDS', ...traits });
}

/** Makes the row of an option whose value is a whole number of at least `min`. */
export function countOption(
  min: number,
  describe: string,
  traits: OptionTraits = {},
): OptionRow<number | null> {
  return valueOption(parserOfCountsFrom(min), describe, { value: 'N', ...traits });
}

/** Makes the row of an option whose value is a range of whole numbers from 1. */
export function rangeOption(describe: string, traits: OptionTraits = {}): OptionRow<Range | null> {
  return valueOption(parseRange, describe, { value: 'A..B', ...traits });
}

/** Makes the row of an option whose value is any text that is not empty. */
export function textOption(describe: string, traits: OptionTraits = {}): OptionRow<string | null> {
  return valueOption(parseAnyText('a value'), describe, traits);
}
