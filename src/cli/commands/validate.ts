/** `boardmill validate`: reports every error in the inputs, with its line and column. */

import { BoardmillError } from '../../core/errors.js';
import { formatQuantity } from '../../core/format-count.js';
import { openSource } from '../../engine/input/read.js';
import { assertDistinctFiles, type UsedFile } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { filesOfReports, type ReportFile, withReportFiles } from '../../engine/output/report-file.js';
import type { Problem } from '../../problems/problem.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { validateInput } from '../../tools/validate/validate.js';
import { MAX_REPORTED_LAYOUT_FINDINGS, type ValidationOptions } from '../../tools/validate/validation.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { assertContestHasSet, GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, printMessage, reportError } from '../exit.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { suggestCorrection } from '../inputs/recognize.js';
import {
  combineReporters,
  type FileResult,
  type PrintText,
  printingReporter,
  type ValidationReporter,
} from '../validate/reporters.js';
import { ValidationJUnitReport } from '../validate/validation-suite.js';

const EPILOGUE = [
  'Like the validators of contests, validate is stricter than solve. It also reports CR LF, a byte order mark, tabs, ' +
    'empty lines, leading, trailing and doubled spaces, leading zeros, a missing final newline, and tokens that belong ' +
    `on separate lines. Of each of these rules, it lists the first ${MAX_REPORTED_LAYOUT_FINDINGS} errors and counts the others. The exit code ` +
    'is 3 if there is an error.',
  'In the output of --json, "rule" names the rule that is broken. The rule "format" means that solve refuses the case ' +
    'too, unless only whitespace differs from a grammar; "valid" means that the author\'s valid refuses a case; "contest" means that a case, or a sum over all cases, exceeds the limits of the contest; "damaged" means that a compressed input is ' +
    'damaged or cut off. With the rule "contest", "constraint" is the limit that is broken, and "set" the set that has it, or ' +
    'null for the widest limits.',
  'With several inputs, validate prints a line on standard error for each of them. The last line says what was checked.',
  'After an invalid case, validate continues at the next size line. It stops if it cannot read the first line of the input, ' +
    'and at text after the last case.',
].join('\n\n');

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
  options: {
    contest: row.flagOption(
      "also check each case, and sums over all cases, but not the number of cases, against the contest's limits: those of --set, of the set that the id of a river-pawn input names, or else the widest ones",
    ),
    set: row.contestSetOption(
      'with --contest: the set of the contest whose limits apply (`boardmill problems` lists the sets)',
      { needs: 'contest' },
    ),
    json: row.flagOption('print the errors as JSON'),
    junit: row.JUNIT_OPTION,
    annotations: row.ANNOTATIONS_OPTION,
    force: row.forceOption(),
    quiet: row.flagOption('print only errors on standard error, and no summary', { alias: 'q' }),
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill validate zu secret/*.in', 'print every error as file:line:column: case K: ...'],
    [
      'boardmill validate bt data --contest --json',
      'print the errors of all inputs in the folder data as JSON',
    ],
  ],
  notes: EPILOGUE,
} satisfies CommandSyntax;

type ValidateArguments = CommandLineValues<typeof syntax>;

export function run(args: ValidateArguments): Promise<number> {
  const reports = filesOfValidation(args);
  return withReportFiles(reports, args.force, (files) =>
    validate(args, filesOfReports(reports), files.junit),
  );
}

function filesOfValidation({ junit }: Pick<ValidateArguments, 'junit'>) {
  return { junit: { path: junit, kind: 'report' as const, role: '--junit' } };
}

/** Validates all inputs, and returns the exit code. `writes` are the files that the command writes. */
async function validate(
  args: ValidateArguments,
  writes: readonly UsedFile[],
  junit: ReportFile | undefined,
): Promise<number> {
  const chosen = await openProblemArgument(args, { isForValidation: true });
  const { problem } = chosen;
  if (args.contest && !hasLimits(problem))
    throw usageError(`--contest has no limits to check: ${problem.name} states none of a contest`);
  assertContestHasSet(problem, args.set);
  const { files, unusableInputs } = await expandInputs(args.inputs);
  assertDistinctFiles({ reads: files.map((path) => ({ path, role: 'input' })), writes });
  const sink = streamSink(process.stdout);
  const print: PrintText = (text) => sink.write(Buffer.from(text), null);
  const suite = new ValidationJUnitReport();
  const reporter = combineReporters([printingReporter(args, problem.name, print), suite]);
  const summary = { cases: 0, errors: 0, unread: 0 };
  for (const error of unusableInputs) {
    reportError(error);
    suite.addUnread(error.message, error);
  }
  summary.unread += unusableInputs.length;
  const author = new AuthorFunctionPool(problem, 1);
  const wishes = { contest: args.contest, set: args.set, ...validWishes(problem, author) };
  await reporter.begin();
  for (const file of files) {
    try {
      const { cases, errors, suggestion } = await validateFile(file, problem, wishes, reporter);
      summary.cases += cases;
      summary.errors += errors;
      if (files.length > 1 && !args.quiet) printMessage(`${file}: ${describeErrors(errors, cases)}`);
      if (suggestion !== null && !args.quiet) printMessage(`${file}: ${suggestion}`);
    } catch (error) {
      if (!(error instanceof BoardmillError) || error.kind !== 'file') throw error;
      reportError(error);
      suite.addUnread(file, error);
      summary.unread++;
    }
  }
  await author.close();
  await reporter.end(summary.errors === 0 && summary.unread === 0);
  await junit?.write(suite.toXml(problem.name));
  const read = files.length + unusableInputs.length - summary.unread;
  if (!args.quiet && read > 0)
    printMessage(describeResult(read, summary, describeStrictness(problem, wishes)));
  if (summary.unread > 0) return EXIT_CODE.usage;
  return summary.errors > 0 ? EXIT_CODE.invalidInput : EXIT_CODE.ok;
}

/** Passes the cases to the function `valid` of a module, if the module has one. */
function validWishes(problem: Problem, author: AuthorFunctionPool): Partial<ValidationOptions> {
  if (problem.author?.hasValid !== true) return {};
  return { findInvalid: (...wish) => author.findInvalid(...wish) };
}

/** Reads one file and reports its findings. */
async function validateFile(
  file: string,
  problem: Problem,
  options: ValidationOptions,
  reporter: ValidationReporter,
): Promise<FileResult> {
  const source = await openSource(file);
  try {
    await reporter.beginFile(source.name);
    const findings = validateInput(source.pieces, problem, options);
    let errors = 0;
    let next = await findings.next();
    for (; !next.done; next = await findings.next()) {
      await reporter.addFinding(source.name, next.value);
      errors++;
    }
    const { cases, omitted } = next.value;
    for (const count of omitted.values()) errors += count;
    const suggestion = errors === 0 ? null : await suggestCorrection(source, problem);
    const result = { cases, errors, omitted, suggestion };
    await reporter.endFile(source.name, result);
    return result;
  } finally {
    await source.close();
  }
}

function describeErrors(errors: number, cases: number): string {
  const found = errors === 0 ? 'no error' : formatQuantity(errors, 'error');
  return `${found} in ${formatQuantity(cases, 'case')}`;
}

function describeResult(
  files: number,
  { cases, errors }: { cases: number; errors: number },
  strictness: string,
): string {
  return `${describeErrors(errors, cases)} of ${formatQuantity(files, 'file')}; ${strictness}`;
}

/** Describes which rules were checked, and which were not. */
function describeStrictness(
  problem: Problem,
  { contest, set }: Pick<ValidationOptions, 'contest' | 'set'>,
): string {
  if (problem.reading !== undefined)
    return `checked: all that the grammar says; ${problem.reading.description}`;
  const checked = [
    ...(problem.reference.kind === 'built-in' ? ['layout', 'sizes', 'letters'] : ['layout', 'values']),
    ...(problem.author?.hasValid === true ? ['`valid` of the module'] : []),
    ...(contest && hasLimits(problem) ? [describeLimits(problem, set)] : []),
  ];
  const missing = describeMissingChecks(problem, contest);
  return `checked: ${checked.join(', ')}${missing === null ? '' : `; not checked: ${missing}`}`;
}

/** Whether the contest of the problem has limits that the input format does not check. */
function hasLimits({ contest, totals }: Problem): boolean {
  return contest !== undefined || totals !== undefined;
}

function describeLimits({ contest }: Problem, set: string | null): string {
  if (set !== null) return `limits of set ${set} of the contest`;
  const widest = 'widest limits of the contest';
  const hasIds = Object.values(contest?.data.sets ?? {}).some((limits) => 'ids' in limits);
  return hasIds ? `limits of the set that the input names, or else the ${widest}` : widest;
}

function describeMissingChecks(problem: Problem, checksContest: boolean): string | null {
  if (!checksContest) return hasLimits(problem) ? 'limits of the contest (--contest)' : null;
  const { contest, cases } = problem;
  return contest?.data.cases != null && cases.countBounds?.max == null ? 'number of cases' : null;
}
