/** The plan of a run of `explain`: which cases to explain, in which form, and where to write the explanations. */
import { statSync } from 'node:fs';
import type { CaseRange } from '../../core/range.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import type { WantedReport } from '../../engine/output/report-file.js';
import type { ExplanationFormat, ExplanationOutput } from '../../engine/output-settings.js';
import { EXPLAINED_GAMES } from '../../explain/page-file/boards.js';
import type { Problem } from '../../problems/problem.js';
import { usageError } from '../arguments/usage-error.js';

import { notePrinter } from '../exit.js';
import { namedOrStandardInput } from '../inputs/with-input.js';
import { localeHasUtf8, standardOutputWidth, wantsColor } from '../status/standard-output.js';

/** The values of the arguments and options of `explain`. */
interface ExplainArguments {
  readonly input: string | null;
  readonly case: number | null;
  readonly cases: CaseRange | null;
  readonly json: boolean;
  readonly proof: boolean;
  readonly html: string | null;
  readonly svg: string | null;
  readonly moves: boolean;
  readonly force: boolean;
  readonly jobs: number | null;
  readonly timeout: number | null;
  readonly quiet: boolean;
}

/** The cases to explain, and the form of their explanations. */
export interface CasesPlan {
  readonly problem: Problem;
  readonly input: string;
  /** The cases that the user has chosen; null for all cases. */
  readonly wanted: CaseRange | null;
  /** Whether the input must have a single case, because the user has not chosen one. */
  readonly isSingle: boolean;
  readonly output: ExplanationOutput;
  readonly jobs: number;
  readonly timeoutSeconds: number | null;
}

export interface ExplainPlan extends CasesPlan {
  /** The page and the drawing of a single case, if the user wants them. */
  readonly reports: Readonly<Record<'page' | 'drawing', WantedReport>>;
  /** The folder for the drawings of all cases; null if the user does not want them. */
  readonly folder: string | null;
  readonly force: boolean;
}

/** Checks the options. Fails with kind `usage` if they contradict each other, or if boardmill cannot explain the problem. */
export function planExplanation(args: ExplainArguments, problem: Problem): ExplainPlan {
  const { html, svg } = args;
  assertExplainable(problem);
  const wanted = args.case === null ? args.cases : onlyCase(args.case);
  const folder = svg !== null && isFolder(svg) ? svg : null;
  const drawing = folder === null ? svg : null;
  assertSingle(wanted, html, drawing);
  return {
    problem,
    input: namedOrStandardInput(args.input),
    wanted,
    isSingle: html !== null || drawing !== null,
    output: {
      printed: choosePrintedForm(args, html !== null || svg !== null),
      drawing: svg === null ? null : { hasMoves: args.moves },
      hasBoard: html !== null,
    },
    reports: {
      page: { path: html, kind: 'page', role: 'page' },
      drawing: { path: drawing, kind: 'drawing', role: 'drawing' },
    },
    folder,
    force: args.force,
    jobs: limitJobs(args.jobs, notePrinter(args.quiet)),
    timeoutSeconds: args.timeout,
  };
}

/**
 * Plans a page about a case of an input, for `play`. Returns null if the user gave no input. Fails with kind `usage` if
 * boardmill cannot explain the problem.
 */
export function planExplanationPage(
  problem: Problem,
  input: string | null,
  caseNumber: number | null,
): CasesPlan | null {
  assertExplainable(problem);
  if (input === null && caseNumber !== null) throw usageError('--case needs an input');
  if (input === null) return null;
  return {
    problem,
    input,
    wanted: caseNumber === null ? null : onlyCase(caseNumber),
    isSingle: true,
    output: { printed: null, drawing: null, hasBoard: true },
    jobs: 1,
    timeoutSeconds: null,
  };
}

function assertExplainable({ name, loadExplainer }: Problem): void {
  if (loadExplainer === undefined)
    throw usageError(`${name} cannot be explained: boardmill explains only ${EXPLAINED_GAMES.join(', ')}`);
}

function onlyCase(caseNumber: number): CaseRange {
  return { from: caseNumber, to: caseNumber };
}

/** Text is printed only if the user asks for nothing else. */
function choosePrintedForm({ json, proof }: ExplainArguments, hasFiles: boolean): ExplanationFormat | null {
  if (json) return { kind: 'json', hasProof: proof };
  if (hasFiles) return null;
  return {
    kind: 'text',
    width: standardOutputWidth(),
    hasColor: wantsColor(process.stdout, process.env),
    localeHasUtf8: localeHasUtf8(process.env),
  };
}

/** Fails with kind `usage` if the user wants several cases and a file that can show only one. */
function assertSingle(wanted: CaseRange | null, html: string | null, drawing: string | null): void {
  if (wanted === null || wanted.from === wanted.to) return;
  if (html !== null) throw usageError('a page shows one case; --case K chooses it');
  if (drawing !== null)
    throw usageError(
      `--svg ${drawing} is one file; name a folder (${drawing}/) for several cases, or --case K for one`,
    );
}

/** Whether a path names a folder: an existing one, or one that has to be created and whose name ends with a slash. */
function isFolder(path: string): boolean {
  return path.endsWith('/') || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
