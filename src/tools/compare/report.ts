/** What `boardmill check` prints: differences, summaries and JSON. */

import { type BoardmillError, CaseError, describeFaultWithoutPlace } from '../../core/errors.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { formatErrorAnnotation } from '../../core/github-annotations.js';
import { formatJUnit, type JUnitTest } from '../../core/junit.js';
import { escapeCharacter, escapeUnprintable, printJson } from '../../core/printable.js';
import type { WorkOutcome } from '../../engine/input/process-files.js';
import type { AnswerFormat } from '../../formats/answer-format.js';
import type { AnswerComparingSink, AnswerDifference } from './compare.js';

/** The paths of an input and of the answers to check. */
export interface CheckedFiles {
  readonly input: string;
  readonly answers: string;
}

/** The outcome of a comparison. */
type Comparison = Pick<AnswerComparingSink, 'cases' | 'counts' | 'isSame'>;

/** How differences are shown. */
interface DifferenceStyle {
  readonly answerFormat: AnswerFormat;
  /** Whether answers are compared byte by byte, so that whitespace is shown. */
  readonly exact: boolean;
}

/** Describes a difference in one or more lines. `file` is the file with the answers. */
export function describeAnswerDifference(
  difference: AnswerDifference,
  file: string,
  style: DifferenceStyle,
): string {
  const { line, column } = difference.location;
  return `${escapeUnprintable(file)}:${line}:${column}: ${describeWithoutPlace(difference, style)}\n`;
}

/** Returns the command by which GitHub Actions shows a difference at its place in the file with the answers. */
export function annotationOfAnswerDifference(
  difference: AnswerDifference,
  file: string,
  style: DifferenceStyle,
): string {
  const message = describeWithoutPlace(difference, style);
  return `${formatErrorAnnotation({ file, ...difference.location }, message)}\n`;
}

/** Returns the command by which GitHub Actions shows at the input why its answers were not compared. */
export function annotationOfFailure(failure: BoardmillError, input: string): string {
  if (failure instanceof CaseError)
    return `${formatErrorAnnotation(failure, describeFaultWithoutPlace(failure.fault))}\n`;
  return `${formatErrorAnnotation({ file: input, line: 1, column: 1 }, failure.message)}\n`;
}

function describeWithoutPlace(
  { kind, caseNumber, dueCase, expected, got, reason }: AnswerDifference,
  { answerFormat, exact }: DifferenceStyle,
): string {
  // The label of the answer that is expected next, such as `Case #4:`; null after the last case.
  const dueLabel = dueCase === null ? null : answerFormat.label(dueCase);
  const show = (text: string | null) =>
    text === null ? 'no answer' : exact ? printJson(text) : escapeAnswer(text);
  if (kind === 'unexpected') {
    const position =
      dueLabel === null ? 'after the last answer' : `where "${escapeUnprintable(dueLabel)}" was due`;
    return `unexpected text ${position}: ${oneLine(show(got))}`;
  }
  const isShort = exact || ![expected, got].some((text) => text?.includes('\n'));
  const why = reason === null ? '' : `: ${oneLine(escapeAnswer(reason))}`;
  if (isShort) return `case ${caseNumber}: expected ${show(expected)}, got ${show(got)}${why}`;
  return `case ${caseNumber} differs${why}:\n${sideBySide(show(expected), show(got))}`;
}

const MAX_SHOWN_CHARACTERS = 100;

/** Returns the text on one line, cut off if it is long. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}...` : line;
}

const EXPECTED_HEADING = 'expected';
const GOT_HEADING = 'got';

/** Formats two answers of several lines as two columns with headings. Lines that differ begin with `>`. */
function sideBySide(expected: string, got: string): string {
  const left = expected.split('\n');
  const right = got.split('\n');
  const width = Math.max(EXPECTED_HEADING.length, ...left.map(({ length }) => length));
  const formatRow = (sign: string, leftCell: string, rightCell: string) =>
    `  ${sign} ${leftCell.padEnd(width)} | ${rightCell}`.trimEnd();
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    formatRow(left[i] === right[i] ? ' ' : '>', left[i] ?? '', right[i] ?? ''),
  );
  return [formatRow(' ', EXPECTED_HEADING, GOT_HEADING), ...rows].join('\n');
}

/**
 * Replaces all characters except printable ASCII and line feeds by escapes such as `\x1b`, so that answers cannot
 * send commands to the terminal. Whitespace at the ends of lines is removed.
 */
function escapeAnswer(text: string): string {
  return text.replace(/[ \t\r]+$/gm, '').replace(/[^\n -~]/g, escapeCharacter);
}

/** Formats the last line of the output: the number of cases, and how many of them differ. */
export function formatComparisonSummary({ cases, counts, isSame }: Comparison, max: number): string {
  const total = counts.differs + counts.missing + counts.unexpected;
  const parts = [
    counts.differs > 0 ? `${formatCount(counts.differs)} ${counts.differs === 1 ? 'differs' : 'differ'}` : '',
    counts.missing > 0 ? `${formatCount(counts.missing)} without an answer` : '',
    counts.unexpected > 0 ? formatQuantity(counts.unexpected, 'unexpected answer') : '',
    total > max ? describeLimit(max) : '',
  ].filter((part) => part !== '');
  return `${formatQuantity(cases, 'case')}: ${isSame ? 'all answers agree' : parts.join(', ')}\n`;
}

/** Says that `--max` limited the number of differences that were shown. */
function describeLimit(max: number): string {
  if (max === 0) return 'none shown';
  return max === 1 ? 'only the first shown' : `only the first ${formatCount(max)} shown`;
}

/** The outcome of a comparison as `--json` shows it. */
export function comparisonToJson(
  { cases, counts, isSame }: Comparison,
  differences: readonly AnswerDifference[],
): object {
  const listed = differences.map(({ kind, caseNumber, location, expected, got, reason }) => ({
    kind,
    case: caseNumber,
    ...location,
    expected,
    got,
    ...(reason === null ? {} : { reason }),
  }));
  return { cases, agree: isSame, ...counts, differences: listed };
}

/** Prints a JSON document. */
export function formatJson(value: object): string {
  return `${printJson(value, 2)}\n`;
}

/** The outcome of the comparison of one file of a folder. */
export interface FileComparison {
  readonly comparison: Comparison;
  /** The first differences. */
  readonly differences: readonly AnswerDifference[];
}

/** Formats the comparisons of files as a suite of JUnit, with a test for each file. */
export function comparisonsToJUnit(
  problem: string,
  comparisons: readonly (readonly [CheckedFiles, WorkOutcome<FileComparison>])[],
  style: DifferenceStyle,
): string {
  const tests = comparisons.map(([{ input, answers }, ending]): JUnitTest => {
    const outcome =
      'failure' in ending
        ? { kind: 'error' as const, message: (ending.failure as Error).message }
        : outcomeOf(ending.result, answers, style);
    return { name: input, classname: problem, seconds: null, outcome };
  });
  return formatJUnit('boardmill check', [{ name: problem, tests }]);
}

function outcomeOf(
  { comparison, differences }: FileComparison,
  answers: string,
  style: DifferenceStyle,
): JUnitTest['outcome'] {
  if (comparison.isSame) return null;
  const described = differences.map((difference) => describeAnswerDifference(difference, answers, style));
  const message = formatComparisonSummary(comparison, Number.POSITIVE_INFINITY).trimEnd();
  return { kind: 'failure', message, details: described.join('') };
}

/** Describes how the comparisons of the files of a folder have ended. */
export class FolderReport {
  readonly #style: DifferenceStyle;
  readonly #max: number;
  readonly #annotates: boolean;

  /** Creates a report that shows at most `max` differences of each file, as annotations if `annotates` is set. */
  constructor(style: DifferenceStyle, max: number, annotates: boolean) {
    this.#style = style;
    this.#max = max;
    this.#annotates = annotates;
  }

  /** Returns the report's lines about one file: the differences that are shown, then the summary. */
  linesOf({ input, answers }: CheckedFiles, ending: WorkOutcome<FileComparison>): string {
    // GitHub reads a line that begins with `::` as a command, and a file may have such a name.
    const file = `${this.#annotates ? 'compared ' : ''}${escapeUnprintable(input)}`;
    const describe = this.#annotates ? annotationOfAnswerDifference : describeAnswerDifference;
    if ('failure' in ending) {
      const annotation = this.#annotates ? annotationOfFailure(ending.failure as BoardmillError, input) : '';
      return `${annotation}${file}: not checked\n`;
    }
    const { comparison, differences } = ending.result;
    const shown = differences
      .slice(0, this.#max)
      .map((difference) => describe(difference, answers, this.#style));
    // Without --max, the report of a folder shows no differences, so a line about a limit would say nothing.
    return [
      ...shown,
      `${file}: ${formatComparisonSummary(comparison, this.#max || Number.POSITIVE_INFINITY)}`,
    ].join('');
  }

  fileToJson({ input, answers }: CheckedFiles, ending: WorkOutcome<FileComparison>): object {
    const names = { file: input, answers };
    if ('result' in ending)
      return {
        ...names,
        ...comparisonToJson(ending.result.comparison, ending.result.differences.slice(0, this.#max)),
      };
    const { kind, message } = ending.failure as BoardmillError;
    return { ...names, error: { kind, message } };
  }
}

/** The sums over all files of a folder. */
interface Totals {
  readonly cases: number;
  readonly agree: boolean;
  readonly agreeingFiles: number;
  readonly differingFiles: number;
  /** Number of files that could not be compared. */
  readonly failedFiles: number;
}

export function comparisonTotalsOf(
  endings: readonly WorkOutcome<FileComparison>[],
  failedFiles: number,
): Totals {
  const comparisons = endings.flatMap((ending) => ('result' in ending ? [ending.result.comparison] : []));
  const agreeingFiles = comparisons.filter(({ isSame }) => isSame).length;
  return {
    cases: comparisons.reduce((sum, { cases }) => sum + cases, 0),
    agree: failedFiles === 0 && agreeingFiles === comparisons.length,
    agreeingFiles,
    differingFiles: comparisons.length - agreeingFiles,
    failedFiles,
  };
}

/** Formats the last line: how many files agree. */
export function formatComparisonTotals({
  cases,
  agree,
  agreeingFiles,
  differingFiles,
  failedFiles,
}: Totals): string {
  const files = formatQuantity(agreeingFiles + differingFiles + failedFiles, 'file');
  const parts = [
    `${formatQuantity(agreeingFiles, 'file')} ${agreeingFiles === 1 ? 'agrees' : 'agree'}`,
    differingFiles > 0 ? `${formatCount(differingFiles)} ${differingFiles === 1 ? 'differs' : 'differ'}` : '',
    failedFiles > 0 ? `${formatCount(failedFiles)} not checked` : '',
  ].filter((part) => part !== '');
  return `${files}, ${formatQuantity(cases, 'case')}: ${agree ? 'all answers agree' : parts.join(', ')}\n`;
}
