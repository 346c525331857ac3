/** `boardmill validate`: everything that is wrong with inputs, and where. */
import type { Argv } from 'yargs';
import { BoardmillError, describeFault, pluralize } from '../../core/errors.js';
import { MAX_REPORTED_LAYOUT_FINDINGS } from '../../engine/limits.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { openSource } from '../../engine/read.js';
import { type ValidationFinding, type ValidationSummary, validate } from '../../engine/tools/validate.js';
import type { Problem } from '../../problems/problem.js';
import { parseProblem } from '../arguments/parse-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage, reportError } from '../exit.js';
import { expandInputs } from '../inputs/expand-inputs.js';
import { askForProblem, InputBeginning } from '../inputs/recognize.js';

const EPILOGUE = [
  'Like the validators of contests, validate is stricter than solve. CR LF, a byte order mark, tabs, empty lines, ' +
    'leading, trailing and doubled blanks, leading zeros, a missing final newline, and tokens that belong on ' +
    `separate lines are errors too (exit 3); the first ${MAX_REPORTED_LAYOUT_FINDINGS} of each kind are reported one by one. In --json, "rule" ` +
    'is the kind; "format" is what solve refuses too, "contest" a board beyond the statement\'s limits.',
  'After a bad case, validate looks for the next header. It stops at a first line that it cannot read, and at ' +
    'anything after the last case.',
].join('\n\n');

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('inputs', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'files; a folder: all *.in in it and below; none or - is standard input',
    })
    .options({
      contest: {
        type: 'boolean',
        default: false,
        describe: "also check each board against the statement's limits (not the number of cases)",
      },
      json: { type: 'boolean', default: false, describe: 'as one JSON document' },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'print no summary and no notes on standard error',
      },
    })
    .epilogue(
      describeExamples([
        ['boardmill validate zu secret/*.in', 'every error, as file:line:column: case K: ...'],
        ['boardmill validate bt data --contest --json', 'all inputs below a folder, for programs'],
      ]),
    )
    .epilogue(EPILOGUE);
}

/** Writes to standard output, piece by piece. */
type Print = (text: string) => Promise<void>;

/** How what was found in the files is shown. */
interface Reporter {
  begin(): Promise<void>;
  beginFile(file: string): Promise<void>;
  addFinding(file: string, finding: ValidationFinding): Promise<void>;
  endFile(file: string, result: FileResult): Promise<void>;
  end(isValid: boolean): Promise<void>;
}

interface FileResult extends ValidationSummary {
  readonly errors: number;
  /** Whether the file is another problem's input; null: nothing speaks for that. */
  readonly question: string | null;
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const { files, unusable } = await expandInputs(args.inputs);
  await assertDistinct({ reads: files.map((path) => ({ path, role: 'input' })), writes: [] });
  const { problem } = await entry.load();
  const sink = streamSink(process.stdout);
  const print: Print = (text) => sink.write(Buffer.from(text), null);
  const reporter = args.json ? asJson(problem.name, args.contest, print) : asText(print);
  const summary = { cases: 0, errors: 0, unread: 0 };
  for (const error of unusable) reportError(error);
  summary.unread += unusable.length;
  await reporter.begin();
  for (const file of files) {
    try {
      const { cases, errors, question } = await validateFile(file, problem, args.contest, reporter);
      summary.cases += cases;
      summary.errors += errors;
      if (question !== null && !args.quiet) printMessage(`${file}: ${question}`);
    } catch (error) {
      if (!(error instanceof BoardmillError) || error.kind !== 'file') throw error;
      reportError(error);
      summary.unread++;
    }
  }
  await reporter.end(summary.errors === 0 && summary.unread === 0);
  const read = files.length + unusable.length - summary.unread;
  if (!args.quiet && read > 0) printSummary(read, summary);
  if (summary.unread > 0) return EXIT.usage;
  return summary.errors > 0 ? EXIT.invalidInput : EXIT.ok;
}

async function validateFile(
  file: string,
  problem: Problem,
  contest: boolean,
  reporter: Reporter,
): Promise<FileResult> {
  const source = await openSource(file);
  const beginning = new InputBeginning(source.pieces);
  try {
    await reporter.beginFile(source.name);
    const findings = validate(beginning.pieces, problem, { contest });
    let errors = 0;
    let next = await findings.next();
    for (; !next.done; next = await findings.next()) {
      await reporter.addFinding(source.name, next.value);
      errors++;
    }
    const { cases, omitted } = next.value;
    for (const count of omitted.values()) errors += count;
    const question = errors === 0 ? null : await askForProblem(beginning.bytes, problem);
    const result = { cases, errors, omitted, question };
    await reporter.endFile(source.name, result);
    return result;
  } finally {
    await source.close();
  }
}

function asText(print: Print): Reporter {
  return {
    begin: async () => {},
    beginFile: async () => {},
    addFinding: (input, finding) =>
      print(`${describeFault({ input, ...finding, description: finding.what })}\n`),
    async endFile(file, { omitted }) {
      for (const [rule, count] of omitted) await print(`${file}: ${count} more of the kind ${rule}\n`);
    },
    end: async () => {},
  };
}

/** One document, written as it comes: its size is not bounded, what is held of it is. */
function asJson(problem: string, contest: boolean, print: Print): Reporter {
  let files = 0;
  let errors = 0;
  return {
    begin: () => print(`{\n"problem": ${JSON.stringify(problem)},\n"contest": ${contest},\n"files": [`),
    beginFile(file) {
      errors = 0;
      return print(`${files++ > 0 ? ',' : ''}\n{"file": ${JSON.stringify(file)}, "errors": [`);
    },
    addFinding: (_, { rule, caseNumber, line, column, what }) =>
      print(
        `${errors++ > 0 ? ',' : ''}\n  ${JSON.stringify({ line, column, case: caseNumber, rule, what })}`,
      ),
    endFile: (_, { cases, omitted }) =>
      print(`], "omitted": ${JSON.stringify(Object.fromEntries(omitted))}, "cases": ${cases}}`),
    end: (isValid) => print(`\n],\n"valid": ${isValid}\n}\n`),
  };
}

function printSummary(files: number, { cases, errors }: { cases: number; errors: number }): void {
  const found = errors === 0 ? 'no error' : pluralize(errors, 'error');
  printMessage(`${found} in ${pluralize(cases, 'case')} of ${pluralize(files, 'file')}`);
}
