/** What `explain` is asked to do: which cases, in which form, and where to. */
import { statSync } from 'node:fs';
import type { CaseRange } from '../../core/range.js';
import type { ExplanationOutput } from '../../engine/output-settings.js';
import type { Problem } from '../../problems/problem.js';
import { hasUtf8 } from '../../stats/text.js';
import {
  parseCountOption,
  parseFileOption,
  parseJobs,
  parseRangeOption,
  parseSeconds,
  usageError,
} from '../arguments/parse-options.js';
import { printMessage } from '../exit.js';
import { wantsColor } from '../status/color.js';

/** The options of the command as yargs returns them. */
export interface ExplainArguments {
  readonly input: string;
  readonly case: unknown;
  readonly cases: unknown;
  readonly json: boolean;
  readonly proof: boolean;
  readonly html: unknown;
  readonly svg: unknown;
  readonly moves: boolean;
  readonly force: boolean;
  readonly jobs: unknown;
  readonly timeout: unknown;
  readonly quiet: boolean;
}

/** Where the explanations go. */
export type Target =
  | { readonly kind: 'stdout' }
  /** A page, or a drawing, of a single case. */
  | { readonly kind: 'page' | 'drawing'; readonly path: string }
  /** A folder with a drawing of each case. */
  | { readonly kind: 'folder'; readonly path: string };

/** Which cases to explain, and in which form. */
export interface CasesPlan {
  readonly problem: Problem;
  readonly input: string;
  /** The cases that the user wants; null for all. */
  readonly wanted: CaseRange | null;
  /** Whether the input must have a single case if the user names none. */
  readonly isSingle: boolean;
  readonly output: ExplanationOutput;
  readonly jobs: number;
  readonly timeoutSeconds: number | null;
}

export interface ExplainPlan extends CasesPlan {
  readonly target: Target;
  readonly force: boolean;
}

/** Checks the options. Fails with kind `usage` if they contradict each other, or if nobody can explain the problem. */
export function planExplanation(args: ExplainArguments, problem: Problem): ExplainPlan {
  const { html, svg, ...given } = {
    ...args,
    html: fileOf('--html', args.html),
    svg: fileOf('--svg', args.svg),
  };
  const forms = [
    ...(given.json ? ['--json'] : []),
    ...(html === null ? [] : ['--html']),
    ...(svg === null ? [] : ['--svg']),
  ];
  if (forms.length > 1) throw usageError(`${forms[0]} and ${forms[1]} cannot be used together`);
  if (given.proof && !given.json) throw usageError('--proof needs --json');
  if (given.moves && svg === null) throw usageError('--moves needs --svg');
  assertExplainable(problem);
  const wanted = parseWanted(args);
  const target = chooseTarget(html, svg, wanted);
  return {
    problem,
    input: args.input,
    wanted,
    isSingle: target.kind === 'page' || target.kind === 'drawing',
    output: chooseOutput(given, html, svg),
    target,
    force: args.force,
    jobs: parseJobs(args.jobs, (message) => {
      if (!args.quiet) printMessage(message);
    }),
    timeoutSeconds: parseSeconds('--timeout', args.timeout) ?? null,
  };
}

/**
 * Plans a page of a case of an input, for `play`. Returns null if the user gave no input. Fails with kind `usage` if nobody can
 * explain the problem.
 */
export function planPage(problem: Problem, input: string | null, caseNumber: unknown): CasesPlan | null {
  assertExplainable(problem);
  const single = parseCountOption('--case', caseNumber, 1);
  if (input === null && single !== undefined) throw usageError('--case needs an input');
  if (input === null) return null;
  return {
    problem,
    input,
    wanted: single === undefined ? null : { from: single, to: single },
    isSingle: true,
    output: { kind: 'board' },
    jobs: 1,
    timeoutSeconds: null,
  };
}

function assertExplainable({ name, loadExplainer }: Problem): void {
  if (loadExplainer === undefined)
    throw usageError(`${name} cannot be explained: boardmill explains the four board games only`);
}

function fileOf(option: string, value: unknown): string | null {
  return parseFileOption(option, value) ?? null;
}

function parseWanted(args: ExplainArguments): CaseRange | null {
  const single = parseCountOption('--case', args.case, 1);
  const range = parseRangeOption('--cases', args.cases, 1);
  if (single !== undefined && range !== undefined)
    throw usageError('--case and --cases cannot be used together');
  return single === undefined ? (range ?? null) : { from: single, to: single };
}

function chooseOutput(
  { json, proof, moves }: Pick<ExplainArguments, 'json' | 'proof' | 'moves'>,
  html: string | null,
  svg: string | null,
): ExplanationOutput {
  if (html !== null) return { kind: 'board' };
  if (svg !== null) return { kind: 'svg', hasMoves: moves };
  if (json) return { kind: 'json', hasProof: proof };
  return {
    kind: 'text',
    width: process.stdout.columns || DEFAULT_WIDTH,
    hasColor: wantsColor(process.stdout, process.env),
    hasUtf8: hasUtf8(process.env),
  };
}

/** The width of the text if it does not go to a terminal. */
const DEFAULT_WIDTH = 80;

function chooseTarget(html: string | null, svg: string | null, wanted: CaseRange | null): Target {
  const isRange = wanted !== null && wanted.from < wanted.to;
  if (html !== null) {
    if (isRange) throw usageError('a page shows one case; --case K chooses it');
    return { kind: 'page', path: html };
  }
  if (svg === null) return { kind: 'stdout' };
  if (isFolder(svg)) return { kind: 'folder', path: svg };
  if (isRange)
    throw usageError(
      `--svg ${svg} is one file; name a folder (${svg}/) for several cases, or --case K for one`,
    );
  return { kind: 'drawing', path: svg };
}

/** Whether a path names a folder: one that exists, or one that is to be made and whose name ends with a slash. */
function isFolder(path: string): boolean {
  return path.endsWith('/') || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
