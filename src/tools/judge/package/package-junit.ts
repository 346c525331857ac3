/**
 * The results of a problem package as suites of JUnit: one for each submission, and those for wrong inputs and answers.
 */
import type { JUnitSuite, JUnitTest } from '../../../core/junit.js';
import type { DisputedAnswer } from './disputed-answers.js';
import type { ProgramReport, TestReport } from './package-reports.js';
import type { InputFinding } from './validators/input-validators.js';

/**
 * Returns the suites. A test fails if its verdict is not permitted, or if the submission as a whole does not fit. `stopped`
 * says that an error or a signal has ended the run; null if none has.
 */
export function junitSuitesOfPackage(
  inputs: readonly string[],
  reports: readonly ProgramReport[],
  findings: readonly InputFinding[],
  disputes: readonly DisputedAnswer[],
  stopped: string | null,
): JUnitSuite[] {
  const suites = reports.map((report) => ({ name: report.program, tests: testsOf(report, inputs) }));
  const checks = [
    { name: 'input validators', tests: findings.map(testOfFinding) },
    { name: 'answers of accepted programs', tests: disputes.map(testOfDispute) },
    { name: 'the whole package', tests: stopped === null ? [] : [testOfStop(stopped)] },
  ];
  return [...suites, ...checks.filter(({ tests }) => tests.length > 0)];
}

function testsOf(report: ProgramReport, inputs: readonly string[]): JUnitTest[] {
  const { program, status, reason, fits } = report;
  const whole = (outcome: JUnitTest['outcome']): JUnitTest => ({
    name: 'does what the package expects',
    classname: program,
    seconds: null,
    outcome,
  });
  if (status === 'skipped') return [whole({ kind: 'skipped', message: reason ?? '' })];
  if (status === 'unjudged') return [whole({ kind: 'error', message: reason ?? '' })];
  if (status === 'broken')
    return [whole(fits === true ? null : { kind: 'failure', message: `not built: ${reason}` })];
  return [...inputs.map((input) => testOnFile(report, input)), whole(outcomeOfFit(report))];
}

function testOnFile({ program, tests }: ProgramReport, input: string): JUnitTest {
  const test = tests.find((each) => each.input === input);
  const base = { name: input, classname: program };
  if (test !== undefined) return { ...base, seconds: test.countedSeconds, outcome: outcomeOfTest(test) };
  const message = 'not run: earlier files decide whether the submission does what is expected';
  return { ...base, seconds: null, outcome: { kind: 'skipped', message } };
}

function outcomeOfTest({ isPermitted, verdict, message, cases }: TestReport): JUnitTest['outcome'] {
  if (isPermitted !== false) return null;
  const failing = (cases ?? []).filter((each) => each.verdict !== 'AC');
  const details = failing.map((each) => `case ${each.caseNumber}: ${each.verdict} ${each.message ?? ''}`);
  const what = `${verdict}${message === null ? '' : `: ${message}`}`;
  return { kind: 'failure', message: what, details: [what, ...details].join('\n') };
}

function outcomeOfFit({ fits, expectation, tests }: ProgramReport): JUnitTest['outcome'] {
  if (fits !== false) return null;
  const verdicts = [...new Set(tests.map(({ verdict }) => verdict))].join(', ');
  return { kind: 'failure', message: `expected ${expectation ?? 'nothing'}; got ${verdicts}` };
}

function testOfStop(message: string): JUnitTest {
  const outcome = { kind: 'error', message } as const;
  return { name: 'all submissions are judged', classname: 'the whole package', seconds: null, outcome };
}

function testOfFinding({ input, validator, location, message }: InputFinding): JUnitTest {
  const place = location === null ? input : `${input}:${location.line}:${location.column}`;
  const classname = validator ?? 'input validators';
  return { name: place, classname, seconds: null, outcome: { kind: 'failure', message } };
}

function testOfDispute({ answer, programs, message }: DisputedAnswer): JUnitTest {
  const what = `${programs.join(', ')}: another answer${message === null ? '' : `: ${message}`}`;
  const outcome = { kind: 'failure', message: what } as const;
  return { name: answer, classname: 'answers of accepted programs', seconds: null, outcome };
}
