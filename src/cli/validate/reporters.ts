/** Prints what `validate` finds: as text, as JSON, or as annotations. */
import { describeFault } from '../../core/errors.js';
import { formatCount } from '../../core/format-count.js';
import { formatErrorAnnotation } from '../../core/github-annotations.js';
import { escapeUnprintable, printJson } from '../../core/printable.js';
import type { ValidationFinding, ValidationSummary } from '../../tools/validate/validation.js';

/** Writes some text to standard output. */
export type PrintText = (text: string) => Promise<void>;

/** Receives the findings in all files. Its methods are called in the order of the files. */
export interface ValidationReporter {
  begin(): Promise<void>;
  beginFile(file: string): Promise<void>;
  addFinding(file: string, finding: ValidationFinding): Promise<void>;
  endFile(file: string, result: FileResult): Promise<void>;
  end(isValid: boolean): Promise<void>;
}

/** The result of validating one file. */
export interface FileResult extends ValidationSummary {
  readonly errors: number;
  /** A question such as "is this an input of river-pawn?". Null if the file does not look like an input of another problem. */
  readonly suggestion: string | null;
}

interface PrintingOptions {
  readonly json: boolean;
  readonly contest: boolean;
  readonly annotations: 'github' | null;
}

/** Returns the reporter that prints on standard output. */
export function printingReporter(
  { json, contest, annotations }: PrintingOptions,
  problem: string,
  print: PrintText,
): ValidationReporter {
  if (json) return jsonReporter(problem, contest, print);
  return annotations === null ? textReporter(print) : githubReporter(print);
}

/** Returns a reporter that passes everything on to several reporters. */
export function combineReporters(reporters: readonly ValidationReporter[]): ValidationReporter {
  const each = async (tell: (reporter: ValidationReporter) => Promise<void>) => {
    for (const reporter of reporters) await tell(reporter);
  };
  return {
    begin: () => each((reporter) => reporter.begin()),
    beginFile: (file) => each((reporter) => reporter.beginFile(file)),
    addFinding: (file, finding) => each((reporter) => reporter.addFinding(file, finding)),
    endFile: (file, result) => each((reporter) => reporter.endFile(file, result)),
    end: (isValid) => each((reporter) => reporter.end(isValid)),
  };
}

function describeOmitted(file: string, rule: ValidationFinding['rule'], count: number): string {
  return `${escapeUnprintable(file)}: ${formatCount(count)} more ${rule} ${count === 1 ? 'error' : 'errors'}`;
}

function textReporter(print: PrintText): ValidationReporter {
  return {
    begin: async () => {},
    beginFile: async () => {},
    addFinding: (input, finding) =>
      print(`${escapeUnprintable(describeFault({ input, ...finding, description: finding.what }))}\n`),
    async endFile(file, { omitted }) {
      for (const [rule, count] of omitted) await print(`${describeOmitted(file, rule, count)}\n`);
    },
    end: async () => {},
  };
}

/**
 * Returns a reporter that prints each finding as a command of GitHub Actions. All other lines begin with a word of boardmill.
 */
function githubReporter(print: PrintText): ValidationReporter {
  return {
    ...textReporter(print),
    addFinding: (file, { what, caseNumber, line, column }) => {
      const where = caseNumber === null ? '' : `case ${caseNumber}: `;
      return print(`${formatErrorAnnotation({ file, line, column }, `${where}${what}`)}\n`);
    },
    async endFile(file, { omitted }) {
      for (const [rule, count] of omitted) await print(`also ${describeOmitted(file, rule, count)}\n`);
    },
  };
}

/** Returns a reporter that prints one JSON document piece by piece, so that a document of any size needs little memory. */
function jsonReporter(problem: string, contest: boolean, print: PrintText): ValidationReporter {
  let files = 0;
  let errors = 0;
  return {
    begin: () => print(`{\n"problem": ${printJson(problem)},\n"contest": ${contest},\n"files": [`),
    beginFile(file) {
      errors = 0;
      return print(`${files++ > 0 ? ',' : ''}\n{"file": ${printJson(file)}, "errors": [`);
    },
    addFinding: (_, { rule, caseNumber, line, column, what, broken }) =>
      print(
        `${errors++ > 0 ? ',' : ''}\n  ${printJson({ line, column, case: caseNumber, rule, what, ...broken })}`,
      ),
    endFile: (_, { cases, omitted }) =>
      print(`], "omitted": ${printJson(Object.fromEntries(omitted))}, "cases": ${cases}}`),
    end: (isValid) => print(`\n],\n"valid": ${isValid}\n}\n`),
  };
}
