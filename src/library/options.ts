/** The options of the library's functions. None is required. They are read before the first `await`, so this loads little. */
import { BoardmillError } from '../core/errors.js';
import { formatCount } from '../core/format-count.js';
import { MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS } from '../engine/limits.js';
import type { ErrorPolicy } from '../engine/output-settings.js';
import type { GrammarUse } from '../problems/grammar-use.js';
import type { Column } from '../problems/output-columns.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../problems/output-formats.js';
import type { SolverChoice } from '../problems/problem.js';
import {
  checkValue,
  FLAG_RULE,
  FUNCTION_RULE,
  NAME_RULE,
  type OptionRule,
  oneOfRule,
  readOptions,
  TEXT_RULE,
  wholeNumberRule,
} from './check-options.js';

/** How an input is solved. The command line has the same options. They are read at the call, and may be changed after it. */
export interface SolveOptions extends Partial<GrammarUse> {
  /**
   * Number of worker threads, or of programs that run at the same time. Default: the number of processors. If the machine
   * cannot use as many, fewer are started, and `onWarning` says so.
   */
  readonly jobs?: number;
  /** Bytes of input per chunk. Default: adapted to how long cases take. */
  readonly chunkBytes?: number;
  /** Which of the problem's solvers to use. Default: `auto`. */
  readonly solver?: SolverChoice;
  /** The program that solves, and its arguments. Default: the solver of the problem. */
  readonly exec?: readonly string[];
  /** Largest number of cases per run of the program. Default: what the contest allows in one file. */
  readonly execCases?: number;
  /** What happens at a bad or failing case. `stop`, the default: the run fails. `mark`: the case gets an error. */
  readonly onError?: ErrorPolicy;
  /** Time limit for one case, in seconds, at most 2,000,000. Default: none. */
  readonly timeout?: number;
  /** Number of times that a chunk is tried again after its worker failed. Default: 1. */
  readonly retries?: number;
  /** Aborting this signal stops the run at once. The cases that are being solved then are given up. */
  readonly signal?: AbortSignal;
  /**
   * Called with each message that the user should see although nothing failed, and with a message for each marked case. If it
   * throws, the run fails; if it returns a promise that fails, nothing happens.
   */
  readonly onWarning?: (message: string) => void;
}

/** How `solveFile` solves an input and writes the answers. */
export interface SolveFileOptions extends SolveOptions {
  /** The output format of the answers. Default: `text`. */
  readonly format?: OutputFormat;
  /** The columns that the formats `ndjson` and `csv` add to each answer. Default: none. */
  readonly columns?: readonly Column[];
  /** Whether to overwrite an answer file that boardmill did not write, and to drop an interrupted run. */
  readonly force?: boolean;
  /** Whether to continue an interrupted run from its checkpoint. */
  readonly resume?: boolean;
  /**
   * With `exec`: files and folders, besides the program, on which the answers depend. `resume` fails if one of them has
   * changed. Default: none.
   */
  readonly alsoCompare?: readonly string[];
}

/** For each option, the rule that its value must follow. */
const OPTION_RULES: Record<keyof SolveOptions, OptionRule> = {
  jobs: wholeNumberRule(1),
  chunkBytes: wholeNumberRule(1),
  solver: oneOfRule(['auto', 'simd', 'portable']),
  exec: {
    expected: 'an array with the name of a program and its arguments, all texts without NUL characters',
    accepts: (value) =>
      Array.isArray(value) &&
      NAME_RULE.accepts(value[0]) &&
      value.every((word) => typeof word === 'string' && !word.includes('\0')),
  },
  execCases: wholeNumberRule(1),
  onError: oneOfRule(['stop', 'mark']),
  timeout: {
    expected: `a number of seconds from ${MIN_TIMEOUT_SECONDS} to ${formatCount(MAX_TIMEOUT_SECONDS)}`,
    accepts: (value) =>
      typeof value === 'number' && value >= MIN_TIMEOUT_SECONDS && value <= MAX_TIMEOUT_SECONDS,
  },
  retries: wholeNumberRule(0),
  signal: { expected: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  onWarning: FUNCTION_RULE,
  multitest: FLAG_RULE,
  casesLoop: {
    expected: 'null or a whole number of at least 1',
    accepts: (value) => value === null || wholeNumberRule(1).accepts(value),
  },
  answers: TEXT_RULE,
};

const FILE_OPTION_RULES = {
  format: oneOfRule(OUTPUT_FORMATS),
  columns: {
    expected: 'an array with the names of columns',
    accepts: (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  },
  force: FLAG_RULE,
  resume: FLAG_RULE,
  alsoCompare: {
    expected: 'an array of paths',
    accepts: (value: unknown) => Array.isArray(value) && value.every(NAME_RULE.accepts),
  },
};

/** Checks the arguments of `solveFile`, and reads its options. Fails with kind `usage`. */
export function readSolveFileOptions(paths: object, given: SolveFileOptions): SolveFileOptions {
  for (const [name, value] of Object.entries(paths)) checkValue(`\`${name}\``, NAME_RULE, value);
  const options = readSolveOptions(given, FILE_OPTION_RULES);
  if (options.exec === undefined && (options.alsoCompare ?? []).length > 0)
    throw new BoardmillError('usage', '`alsoCompare` needs `exec`');
  if (options.resume === true && options.force === true) {
    const reason = 'one continues a run, the other starts it over';
    throw new BoardmillError('usage', `\`resume\` and \`force\` cannot be used together: ${reason}`);
  }
  return options;
}

/**
 * Reads the options, and fails with kind `usage` if one is wrong. `more` has the rules for options that only one of the
 * functions accepts.
 */
export function readSolveOptions<Options extends SolveOptions>(
  given: Options,
  more: Readonly<Record<Exclude<keyof Options & string, keyof SolveOptions>, OptionRule>>,
): Options {
  const options = readOptions(given, { ...OPTION_RULES, ...more } as never);
  const { exec, execCases, solver = 'auto' } = options;
  if (exec !== undefined && solver !== 'auto')
    throw new BoardmillError('usage', '`exec` and `solver` cannot be used together');
  if (exec === undefined && execCases !== undefined)
    throw new BoardmillError('usage', '`execCases` needs `exec`');
  return options;
}
