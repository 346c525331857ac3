/** Formats the results of a problem package as text: the table of submissions, remarks below it, the matrix, and JSON. */
import { formatQuantity } from '../../core/format-count.js';
import { escapeUnprintable, printJson } from '../../core/printable.js';
import { VERDICTS, type Verdict } from '../../engine/verdict.js';
import { fitTable } from '../../tools/bench/tables.js';
import type { CaseVerdict } from '../../tools/judge/package/cases.js';
import type { DisputedAnswer } from '../../tools/judge/package/disputed-answers.js';
import type { ProgramReport, TestReport } from '../../tools/judge/package/package-reports.js';
import type { InputFinding } from '../../tools/judge/package/validators/input-validators.js';
import {
  programColumnName,
  type VerdictMatrixRow,
  verdictMatrixTexts,
} from '../../tools/judge/report/matrix.js';

/** What the row of a submission shows, also while it is being judged. */
export type ShownProgram = Pick<ProgramReport, 'program' | 'status' | 'expectation' | 'fits' | 'tests'>;

/** The columns of the table: for each heading, a function that returns the text of a cell. */
type Columns = Readonly<Record<string, (shown: ShownProgram, index: number) => string>>;

const VERDICT_COLUMNS: Columns = Object.fromEntries(
  VERDICTS.map((verdict) => [
    verdict,
    ({ status, tests }: ShownProgram) => (status === 'judged' ? String(countOf(verdict, tests)) : '-'),
  ]),
);

const FITS: Columns = { fits: ({ fits }) => (fits === null ? '-' : fits ? 'yes' : 'NO') };
const EXPECTED: Columns = { expected: ({ expectation }) => escapeUnprintable(expectation ?? 'nothing') };
const SLOWEST_FILE: Columns = { slowest: (shown) => describeSlowest(shown, true) };
const SLOWEST: Columns = { slowest: (shown) => describeSlowest(shown, false) };

/** The columns after the names, for terminals that are less and less wide. */
const LAYOUTS: readonly Columns[] = [
  { ...VERDICT_COLUMNS, ...SLOWEST_FILE, ...EXPECTED, ...FITS },
  { ...VERDICT_COLUMNS, ...SLOWEST, ...EXPECTED, ...FITS },
  { ...VERDICT_COLUMNS, ...SLOWEST, ...FITS },
];

/** Returns the headings and the rows of the whole table. If it is numbered, names begin with the number of their column. */
export function programTable(
  programs: readonly ShownProgram[],
  isNumbered: boolean,
  columns: Columns = LAYOUTS[0],
): [headings: string[], rows: string[][]] {
  const nameOf = ({ program }: ShownProgram, index: number) =>
    `${isNumbered ? `${programColumnName(index)} ` : ''}${escapeUnprintable(program)}`;
  const rowOf = (shown: ShownProgram, index: number) => [
    nameOf(shown, index),
    ...Object.values(columns).map((cellOf) => cellOf(shown, index)),
  ];
  return [['program', ...Object.keys(columns)], programs.map(rowOf)];
}

function countOf(verdict: Verdict, tests: readonly TestReport[]): number {
  return tests.filter((test) => test.verdict === verdict).length;
}

const STATUS_WORDS = { broken: 'not built', skipped: 'skipped', unjudged: 'not judged' } as const;

/** Describes on which file a submission took longest, and how long, by the time that counts. */
function describeSlowest({ status, tests }: ShownProgram, namesFile: boolean): string {
  if (status !== 'judged') return STATUS_WORDS[status];
  const [first] = tests;
  if (first === undefined) return '-';
  const slowest = tests.reduce(
    (one, other) => (other.countedSeconds > one.countedSeconds ? other : one),
    first,
  );
  return `${slowest.countedSeconds.toFixed(2)} s${namesFile ? ` ${escapeUnprintable(slowest.input)}` : ''}`;
}

const COLUMN_GAP = '  ';

/**
 * Lays out the table in lines of at most `width` characters: with as many columns as fit. If the last columns do not fit beside
 * the names, names are shortened.
 */
export function tableLines(programs: readonly ShownProgram[], isNumbered: boolean, width: number): string[] {
  for (const columns of LAYOUTS) {
    const lines = alignedLines(...programTable(programs, isNumbered, columns));
    if (lines.every(({ length }) => length <= width)) return lines;
  }
  const narrow = programTable(programs, isNumbered, LAYOUTS.at(-1));
  return fitTable(...narrow, width)
    .join('\n')
    .trimEnd()
    .split('\n');
}

function alignedLines(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const align = (cell: string, column: number) =>
    isCount(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  return all.map((row) => row.map(align).join(COLUMN_GAP).trimEnd());
}

/** Whether this column of the table has numbers of verdicts. */
function isCount(column: number): boolean {
  return column > 0 && column <= VERDICTS.length;
}

/** Returns the remarks below the table: on submissions that behave unexpectedly, and on cases of files. */
export function remarksOn(reports: readonly ProgramReport[]): string[] {
  return [...reports.flatMap(describeMisfit), ...reports.flatMap(describeCases)];
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
  const message = test.message === null ? '' : `: ${escapeUnprintable(collapseWhitespace(test.message))}`;
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

export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Describes what has become of a submission: "3 AC, 1 WA; as expected". */
export function describeSubmission({ status, reason, fits, tests, notRun }: ProgramReport): string {
  if (status !== 'judged') return `${STATUS_WORDS[status]}: ${reason ?? ''}`;
  const counts = VERDICTS.filter((verdict) => countOf(verdict, tests) > 0);
  const verdicts = counts.map((verdict) => `${countOf(verdict, tests)} ${verdict}`).join(', ');
  const fit = fits === null ? '' : fits ? '; as expected' : '; NOT as expected';
  return `${verdicts}${fit}${notRun === 0 ? '' : ` (not run on ${formatQuantity(notRun, 'file')})`}`;
}

/** Returns the rows of the matrix: one for each file, and below a file that was cut, those for its cases. */
export function verdictMatrixOf(
  files: readonly string[],
  reports: readonly ProgramReport[],
): VerdictMatrixRow[] {
  return files.flatMap((file) => {
    const tests = reports.map((report) => report.tests.find(({ input }) => input === file));
    const isAnyCut = tests.some((test) => (test?.cases ?? null) !== null);
    const cells = tests.map((test) =>
      test === undefined ? null : { ...cellOf(test), isBad: test.isPermitted === false },
    );
    return [{ test: file, cells }, ...(isAnyCut ? caseRows(file, tests) : [])];
  });
}

/**
 * Returns a row for each case on which a submission fails. Submissions that are right on the whole file are right on its cases.
 */
function caseRows(file: string, tests: readonly (TestReport | undefined)[]): VerdictMatrixRow[] {
  const numbers = tests.flatMap((test) => test?.cases ?? []).map(({ caseNumber }) => caseNumber);
  return [...new Set(numbers)]
    .sort((one, other) => one - other)
    .map((number) => ({
      test: `${file}:${number}`,
      cells: tests.map((test) => {
        const found = test?.cases?.find(({ caseNumber }) => caseNumber === number);
        return found === undefined ? null : { ...cellOf(found), isBad: false };
      }),
    }));
}

function cellOf(run: CaseVerdict & { readonly countedSeconds?: number }) {
  const seconds = run.countedSeconds ?? run.cpuSeconds ?? run.seconds;
  return { verdict: run.verdict, seconds, message: run.message };
}

export function verdictMatrixLines(
  rows: readonly VerdictMatrixRow[],
  programs: number,
  columns: number,
): string[] {
  const [headings, cells] = verdictMatrixTexts(rows, programs);
  const shown = cells.map(([name, ...others]) => [escapeUnprintable(name), ...others]);
  return fitTable(headings, shown, columns).join('\n').trimEnd().split('\n');
}

/** Formats a submission as lines of JSON: one for each data file, followed by one for each of its cases. */
export function jsonLinesOfSubmission(report: ProgramReport): string {
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

/** Describes an input that a validator refuses: `data/secret/2.in:3:1: ...`. */
export function describeFinding({ input, validator, location, message }: InputFinding): string {
  const place = location === null ? '' : `:${location.line}:${location.column}`;
  const by = validator === null ? '' : ` (${validator})`;
  return escapeUnprintable(collapseWhitespace(`${input}${place}: ${message}${by}`));
}

export function jsonOfFinding({ input, validator, location, message }: InputFinding): string {
  const { line = null, column = null } = location ?? {};
  return `${printJson({ input, validator, valid: false, line, column, message })}\n`;
}

/** Describes an answer file with which all accepted programs disagree. */
export function describeDispute({ answer, programs, message }: DisputedAnswer): string {
  const who = programs.length === 1 ? programs[0] : `all ${programs.length} accepted programs`;
  const verb = programs.length === 1 ? 'prints' : 'print';
  return escapeUnprintable(
    `${answer}: ${who} ${verb} another answer${message === null ? '' : `: ${collapseWhitespace(message)}`}`,
  );
}

export function jsonOfDispute({ answer, programs, message }: DisputedAnswer): string {
  return `${printJson({ answer, valid: false, programs, message })}\n`;
}
