/** The options that say when an answer is right, for the commands that compare answers. */
import { ProgramFiles } from '../../engine/exec/program-files.js';
import type { AnswerOptions } from '../../tools/compare/matcher.js';
import { parseSingleValue, usageError } from './parse-options.js';
import { parseProgram } from './parse-program.js';

export const ANSWER_OPTIONS = {
  tolerance: {
    type: 'string',
    requiresArg: true,
    describe: 'accept numbers that differ by at most this much, absolutely or relatively, such as 1e-6',
  },
  checker: {
    type: 'string',
    requiresArg: true,
    describe:
      'program that decides whether an answer is right: it gets the paths of an input, an output and an answer, and exits with 0, or with 1 or 2 if the output is wrong',
  },
} as const;

/** The answer options as yargs returns them. */
interface RawAnswerOptions {
  readonly tolerance: unknown;
  readonly checker: unknown;
  readonly exact?: boolean;
}

/** Parses and checks the answer options. */
export async function parseAnswerOptions(args: RawAnswerOptions): Promise<AnswerOptions> {
  const tolerance = parseTolerance(args.tolerance);
  const checker = parseProgram('--checker', args.checker) ?? null;
  const given = [
    ...(args.exact === true ? ['--exact'] : []),
    ...(tolerance === null ? [] : ['--tolerance']),
    ...(checker === null ? [] : ['--checker']),
  ];
  if (given.length > 1) throw usageError(`${given[0]} and ${given[1]} cannot be used together`);
  const paths = checker === null ? [] : (await ProgramFiles.find(checker)).paths;
  return { tolerance, checker, exact: args.exact === true, paths };
}

function parseTolerance(value: unknown): number | null {
  const text = parseSingleValue('--tolerance', value, 'a number');
  if (text === undefined) return null;
  const tolerance = /^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(tolerance)) return tolerance;
  throw usageError(`--tolerance needs a number such as 1e-6, got "${text}"`);
}
