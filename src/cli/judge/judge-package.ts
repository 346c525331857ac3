/** `boardmill judge --package`: judges the submissions of a problem package, and prints a table or JSON. */
import { resolve } from 'node:path';
import { openProblem } from '../../catalog/open-problem.js';
import { formatQuantity } from '../../core/format-count.js';
import { escapeLines, escapeUnprintable, printJson } from '../../core/printable.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { VERDICTS } from '../../engine/verdict.js';
import type { GrammarUse } from '../../problems/grammar-use.js';
import type { Problem } from '../../problems/problem.js';
import type { CaseCutter, CaseVerdict } from '../../tools/judge/package/cases.js';
import { createCaseCutter, findGrammar } from '../../tools/judge/package/cut-cases.js';
import {
  type JudgePackageRequest,
  judgeContestPackage,
  type ProgramReport,
  type TestReport,
} from '../../tools/judge/package/judge-package.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, notePrinter } from '../exit.js';
import { withGrace } from '../signals.js';

/** The parsed and checked command line of `boardmill judge --package`. */
export interface JudgePackageOptions
  extends Omit<JudgePackageRequest, 'cutCases' | 'stop' | 'giveUp' | 'warn' | 'onProgram'> {
  /** Whether `--matrix` was given: files on which a submission fails are divided into cases, to find those that fail. */
  readonly matrix: boolean;
  /** The problem that the user named, by which files are divided into cases; null to use the grammar in the package. */
  readonly problem: Problem | null;
  /** The options for the grammar in the package. */
  readonly grammarUse: GrammarUse;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Judges a package, prints the results on standard output, and returns the exit code. */
export async function judgePackage(options: JudgePackageOptions): Promise<number> {
  const stdout = streamSink(process.stdout);
  const print = (text: string) => stdout.write(Buffer.from(escapeLines(text)), null);
  const warn = notePrinter(options.quiet);
  const reports: ProgramReport[] = [];
  return withGrace('finishing the runs that have begun', warn, async ({ stop, giveUp }) => {
    const { timeLimit, skipped, isAsExpected } = await judgeContestPackage({
      ...options,
      cutCases: options.matrix ? await openCutter(options, warn) : null,
      stop,
      giveUp,
      warn,
      onProgram: async (report) => {
        if (options.json) await print(formatJsonLines(report));
        else reports.push(report);
      },
    });
    if (!options.json) await print(formatTable(reports));
    warn(`time limit ${timeLimit.seconds} s (${timeLimit.origin})`);
    if (skipped > 0) warn(`${formatQuantity(skipped, 'submission')} skipped`);
    return isAsExpected ? EXIT_CODE.ok : EXIT_CODE.differs;
  });
}

async function openCutter(
  { folder, problem, grammarUse }: JudgePackageOptions,
  warn: (message: string) => void,
): Promise<CaseCutter> {
  if (problem !== null) return createCaseCutter(problem, warn);
  const grammar = findGrammar(folder);
  if (grammar === null)
    throw usageError('--matrix needs a <problem>, because the package has no grammar (.ctd) of its inputs');
  if (!grammarUse.multitest)
    throw usageError(
      "--matrix needs --multitest: without it, each file of the package's grammar is one case, which cannot be cut",
    );
  const opened = await openProblem(resolve(grammar), grammarUse);
  opened.problem.assertUsable?.();
  return createCaseCutter(opened.problem, warn);
}

/** Formats a submission as lines of JSON: one for each data file, followed by one for each of its cases. */
function formatJsonLines(report: ProgramReport): string {
  const { program, status, reason, expectation, fits, tests } = report;
  const lines =
    status === 'judged'
      ? tests.flatMap((test) => jsonOfTest(report, test))
      : [{ program, input: null, case: null, verdict: null, status, reason, expectation, fits }];
  return lines.map((line) => `${printJson(line)}\n`).join('');
}

function jsonOfTest({ program, expectation, fits }: ProgramReport, test: TestReport): object[] {
  const { input, isPermitted, cases } = test;
  const jsonOf = (caseNumber: number | null, { verdict, seconds, cpuSeconds, message }: CaseVerdict) => ({
    program,
    input,
    case: caseNumber,
    verdict,
    seconds: rounded(seconds),
    cpuSeconds: rounded(cpuSeconds),
    ...(message === null ? {} : { message }),
  });
  return [
    { ...jsonOf(null, test), expectation, permitted: isPermitted, fits },
    ...(cases ?? []).map((each) => jsonOf(each.caseNumber, each)),
  ];
}

/** Times are measured with a precision of at best a millisecond, so they are rounded. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Number(seconds.toFixed(3));
}

const HEADINGS = ['program', ...VERDICTS, 'slowest', 'expected', 'fits'];

/** Formats the table with a row for each submission, and below it remarks on submissions that behave unexpectedly. */
function formatTable(reports: readonly ProgramReport[]): string {
  const rows = [HEADINGS, ...reports.map(tableRow)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (isCount(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  );
  return `${[...lines, ...reports.flatMap(describeMisfit), ...reports.flatMap(describeCases)].join('\n')}\n`;
}

/** Whether this column of the table has numbers of verdicts. */
function isCount(column: number): boolean {
  return column > 0 && column <= VERDICTS.length;
}

function tableRow({ program, status, expectation, fits, tests }: ProgramReport): string[] {
  const counts = VERDICTS.map((verdict) => tests.filter((test) => test.verdict === verdict).length);
  const isJudged = status === 'judged';
  const statusText = status === 'broken' ? 'not built' : 'skipped';
  return [
    escapeUnprintable(program),
    ...counts.map((count) => (isJudged ? String(count) : '-')),
    isJudged ? describeSlowest(tests) : statusText,
    escapeUnprintable(expectation ?? 'nothing'),
    fits === null ? '-' : fits ? 'yes' : 'NO',
  ];
}

function describeSlowest(tests: readonly TestReport[]): string {
  const slowest = tests.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  return `${slowest.seconds.toFixed(2)} s ${escapeUnprintable(slowest.input)}`;
}

/** Describes why a submission was not judged, or the first file on which it did something that is not permitted. */
function describeMisfit({ program, reason, expectation, fits, tests }: ProgramReport): string[] {
  const name = escapeUnprintable(program);
  if (reason !== null) return [`${name}: ${escapeUnprintable(reason)}`];
  if (fits !== false) return [];
  const test = tests.find(({ isPermitted }) => isPermitted === false);
  if (test === undefined) {
    const verdicts = [...new Set(tests.map(({ verdict }) => verdict))].join(', ');
    return [`${name}: expected ${escapeUnprintable(expectation ?? '')}; got ${verdicts}`];
  }
  const message = test.message === null ? '' : `: ${escapeUnprintable(oneLine(test.message))}`;
  return [`${name}: ${test.verdict} on ${escapeUnprintable(test.input)}${message}`];
}

/** Describes which cases a submission fails, for each file that was divided into cases. */
function describeCases({ program, tests }: ProgramReport): string[] {
  return tests.flatMap(({ input, cases }) => {
    if (cases === null) return [];
    const failed = cases.filter(({ verdict }) => verdict !== 'AC');
    const named = failed
      .slice(0, MAX_NAMED_CASES)
      .map(({ caseNumber, verdict }) => `${caseNumber} ${verdict}`);
    const more = failed.length > named.length ? `, and ${failed.length - named.length} more` : '';
    const what = failed.length === 0 ? 'no case alone' : `case ${named.join(', ')}${more}`;
    return [`${escapeUnprintable(program)} fails on ${escapeUnprintable(input)}: ${what}`];
  });
}

const MAX_NAMED_CASES = 20;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
