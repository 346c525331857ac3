/**
 * Writes results as JUnit XML, which continuous integration reads: suites of tests, each of which has passed, failed, was
 * skipped, or could not be tried (`error`).
 */
import { escapeMarkup, printElement } from './markup.js';

/** How a test ended, unless it has passed. */
interface JUnitOutcome {
  readonly kind: 'failure' | 'error' | 'skipped';
  /** The reason on one line. */
  readonly message: string;
  /** All that there is to say, in any number of lines. */
  readonly details?: string;
}

export interface JUnitTest {
  readonly name: string;
  /** What the test belongs to; readers show tests below it. */
  readonly classname: string;
  /** Null if the test took no time that was measured. */
  readonly seconds: number | null;
  /** Null if the test has passed. */
  readonly outcome: JUnitOutcome | null;
}

export interface JUnitSuite {
  readonly name: string;
  readonly tests: readonly JUnitTest[];
}

/** Formats suites as an XML document. */
export function formatJUnit(name: string, suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ tests }) => tests);
  const content = suites.map((suite) => indent(formatSuite(suite), 1)).join('');
  const root = printElement('testsuites', { name, ...countsOf(all) }, `\n${content}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function formatSuite({ name, tests }: JUnitSuite): string {
  const content = tests.map((test) => indent(formatTest(test), 1)).join('');
  return printElement('testsuite', { name, ...countsOf(tests) }, `\n${content}`);
}

function formatTest({ name, classname, seconds, outcome }: JUnitTest): string {
  const time = seconds === null ? {} : { time: seconds.toFixed(3) };
  return printElement(
    'testcase',
    { name, classname, ...time },
    outcome === null ? '' : formatOutcome(outcome),
  );
}

function formatOutcome({ kind, message, details }: JUnitOutcome): string {
  return printElement(kind, { message: onOneLine(message) }, escapeMarkup(details ?? ''));
}

/** An XML parser replaces the line ends in an attribute by spaces. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function countsOf(tests: readonly JUnitTest[]): Record<string, string> {
  const count = (kind: JUnitOutcome['kind']) =>
    String(tests.filter(({ outcome }) => outcome?.kind === kind).length);
  const seconds = tests.reduce((sum, test) => sum + (test.seconds ?? 0), 0);
  return {
    tests: String(tests.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds.toFixed(3),
  };
}

/** Indents the first line of an element. Its other lines may be text, which must not change. */
function indent(element: string, level: number): string {
  return `${'  '.repeat(level)}${element}\n`;
}
