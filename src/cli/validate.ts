/** `boardmill validate`: everything that is wrong with inputs, and where. */
import type { Argv } from 'yargs';
import { BoardmillError, counted, describeFault } from '../core/errors.js';
import { MAX_TOLD_LAYOUT } from '../engine/limits.js';
import { openSource } from '../engine/read.js';
import { type Finding, type Validated, validate } from '../engine/validate.js';
import { streamSink } from '../engine/write.js';
import type { Problem } from '../problems/problem.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
import { complain, EXIT, report } from './exit.js';
import { expandInputs } from './inputs.js';
import { parseProblem } from './parse-options.js';

const EPILOGUE = [
  'As the validators of contests do, this objects to more than solve. CR LF, a byte order mark, tabs, empty lines, ' +
    'blanks that lead, trail or are doubled, leading zeros, a missing final newline, and words that share a line ' +
    `they should not are errors too (exit 3); the first ${MAX_TOLD_LAYOUT} of each kind are told. In --json, "rule" ` +
    'tells them from "format", what solve refuses, and "contest", a board past the statement\'s limits.',
  'Behind a bad case the next header is looked for. Reading ends at a first line that cannot be read, and at ' +
    'anything behind the last case.',
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
        describe: "also hold each board to the statement's limits (not the number of cases)",
      },
      json: { type: 'boolean', default: false, describe: 'as one JSON document' },
      quiet: { alias: 'q', type: 'boolean', default: false, describe: 'no summary on standard error' },
    })
    .example('$0 validate zu secret/*.in', 'every error, as file:line:column: case K: ...')
    .example('$0 validate bt data --contest --json', 'all inputs below a folder, for programs')
    .epilogue(EPILOGUE);
}

/** Writes to standard output, piece by piece. */
type Print = (text: string) => Promise<void>;

/** How what was found in the files is shown. */
interface Reporter {
  begin(): Promise<void>;
  beginFile(file: string): Promise<void>;
  tell(file: string, finding: Finding): Promise<void>;
  endFile(file: string, result: FileResult): Promise<void>;
  end(isValid: boolean): Promise<void>;
}

interface FileResult extends Validated {
  readonly errors: number;
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const { files } = await expandInputs(args.inputs);
  const { problem } = await entry.load();
  const sink = streamSink(process.stdout);
  const print: Print = (text) => sink.write(Buffer.from(text), null);
  const reporter = args.json ? asJson(problem.name, args.contest, print) : asText(print);
  const summary = { cases: 0, errors: 0, unread: 0 };
  await reporter.begin();
  for (const file of files) {
    try {
      const { cases, errors } = await validateFile(file, problem, args.contest, reporter);
      summary.cases += cases;
      summary.errors += errors;
    } catch (error) {
      if (!(error instanceof BoardmillError) || error.kind !== 'file') throw error;
      report(error);
      summary.unread++;
    }
  }
  await reporter.end(summary.errors === 0 && summary.unread === 0);
  if (!args.quiet) tellSummary(files.length - summary.unread, summary);
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
  try {
    await reporter.beginFile(source.name);
    const findings = validate(source.pieces, problem, { contest });
    let errors = 0;
    let next = await findings.next();
    for (; !next.done; next = await findings.next()) {
      await reporter.tell(source.name, next.value);
      errors++;
    }
    const { cases, untold } = next.value;
    for (const count of untold.values()) errors += count;
    const result = { cases, errors, untold };
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
    tell: (input, finding) => print(`${describeFault({ input, ...finding })}\n`),
    async endFile(file, { untold }) {
      for (const [rule, count] of untold) await print(`${file}: ${count} more of the kind ${rule}\n`);
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
    tell: (_, { rule, caseNumber, line, column, what }) =>
      print(
        `${errors++ > 0 ? ',' : ''}\n  ${JSON.stringify({ line, column, case: caseNumber, rule, what })}`,
      ),
    endFile: (_, { cases, untold }) =>
      print(`], "untold": ${JSON.stringify(Object.fromEntries(untold))}, "cases": ${cases}}`),
    end: (isValid) => print(`\n],\n"valid": ${isValid}\n}\n`),
  };
}

function tellSummary(files: number, { cases, errors }: { cases: number; errors: number }): void {
  const found = errors === 0 ? 'no error' : counted(errors, 'error');
  complain(`${found} in ${counted(cases, 'case')} of ${counted(files, 'file')}`);
}
