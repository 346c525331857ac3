/** The options that say when an answer is right, for the commands that compare answers. */
import { Checker } from '../../engine/exec/checker.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { JUDGING_SECONDS } from '../../engine/limits.js';
import { LocalPool } from '../../engine/local-pool.js';
import {
  type AnswerMatcher,
  type AnswerPair,
  BYTE_MATCHER,
  limitMatches,
  type MatchLimits,
  type OpenedMatcher,
  TOKEN_MATCHER,
  tokensOrElse,
  toleranceMatcher,
} from '../../engine/match.js';
import type { Problem } from '../../problems/problem.js';
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

/** The answer options after parsing. */
export interface AnswerOptions {
  readonly tolerance: number | null;
  readonly checker: readonly string[] | null;
  readonly exact: boolean;
  /** The paths of the files of the checker. */
  readonly paths: readonly string[];
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

/** When comparisons end. */
interface MatcherLimits extends MatchLimits {
  /** Seconds that a checker, or `equal` of a module, may take for a case. Null or missing: JUDGING_SECONDS. */
  readonly timeoutSeconds?: number | null;
}

/**
 * Opens the matcher that the options choose. Without an option, the author of the problem decides, with `equal` or
 * `tolerance`; tokens are compared if the author says nothing.
 */
export async function openMatcher(
  problem: Problem,
  { tolerance, checker, exact }: AnswerOptions,
  jobs: number,
  limits: MatcherLimits = {},
): Promise<OpenedMatcher> {
  const simple = (matcher: AnswerMatcher) => ({ matcher, close: async () => {} });
  if (exact) return simple(BYTE_MATCHER);
  if (checker !== null) {
    const opened = await Checker.open({ problem, argv: checker, timeoutSeconds: secondsOf(limits) });
    limits.giveUp?.addEventListener('abort', () => opened.giveUp());
    const ask = limitMatches((pair) => opened.ask(pair), jobs, limits);
    return {
      matcher: { matchNow: () => undefined, matchLater: ask },
      close: async () => opened.close(),
    };
  }
  if (tolerance !== null) return simple(toleranceMatcher(tolerance));
  if (problem.author?.hasEqual === true) return openAuthorMatcher(problem, jobs, limits);
  const { tolerance: authorTolerance = null } = problem.author ?? {};
  return simple(authorTolerance === null ? TOKEN_MATCHER : toleranceMatcher(authorTolerance));
}

/** Whether answers agree if their tokens are equal, because neither the options nor the author of the problem say more. */
export function comparesTokens({ author }: Problem, { tolerance, checker, exact }: AnswerOptions): boolean {
  const saysAuthor = author !== undefined && (author.hasEqual || author.tolerance !== null);
  return tolerance === null && checker === null && !exact && !saysAuthor;
}

/** Opens a matcher that asks `equal` of the problem's module, in worker threads. */
function openAuthorMatcher(problem: Problem, jobs: number, limits: MatcherLimits): OpenedMatcher {
  const timeoutSeconds = secondsOf(limits);
  const pool = new LocalPool({ problem: problem.reference, solver: 'auto' }, { jobs, timeoutSeconds });
  limits.giveUp?.addEventListener('abort', () => pool.giveUp());
  const askEqual = async ({ caseNumber, caseBytes, head, expected, got }: AnswerPair) => {
    const task = {
      caseNumber,
      caseBytes: caseBytes.slice(),
      head,
      expected: expected.bytes.slice(expected.from, expected.to),
      got: got.bytes.slice(got.from, got.to),
    };
    const reason = await pool.callAuthor('callEqual', task, () => caseNumber);
    return reason === null ? null : { equalBytes: 0, reason: reason === '' ? null : reason };
  };
  return { matcher: tokensOrElse(limitMatches(askEqual, jobs, limits)), close: () => pool.close() };
}

function secondsOf({ timeoutSeconds }: MatcherLimits): number {
  return timeoutSeconds ?? JUDGING_SECONDS;
}
