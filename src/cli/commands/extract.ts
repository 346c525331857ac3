/** `boardmill extract`: copies some cases of an input into a new input. */
import type { Argv } from 'yargs';
import type { CaseRange } from '../../core/range.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { extract } from '../../tools/cases/extract.js';
import { parseOutputOption, parseRangeOption } from '../arguments/parse-options.js';
import { chooseProblem, GRAMMAR_OPTIONS } from '../arguments/problem-argument.js';
import { type ArgumentsOf, formatExamples, INPUT_ARGUMENT, PROBLEM_ARGUMENT } from '../command.js';
import { EXIT_CODE } from '../exit.js';
import { withInput } from '../inputs/with-input.js';

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .positional('input', INPUT_ARGUMENT)
    .options({
      cases: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'cases to copy: A..B for cases A to B inclusive, or A for one case; the first case is 1',
      },
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the new input (default: standard output)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite the output file even if extract did not write it',
      },
      ...GRAMMAR_OPTIONS,
    })
    .epilogue(
      formatExamples([
        ['boardmill extract bt big.in --cases 57 -o one.in', 'copy case 57 to one.in'],
        ['boardmill extract zu big.in --cases 1..10 | boardmill solve zu', 'solve only the first ten cases'],
      ]),
    )
    .epilogue(
      'extract copies the cases, with the blanks that validate accepts, and adds the first line and the terminator that the input format needs. It stops reading after case B. If case B or an earlier case is bad, extract fails with exit code 3.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const chosen = await chooseProblem(args);
  const { problem } = chosen;
  const range = parseRangeOption('--cases', args.cases, 1) as CaseRange;
  const output = parseOutputOption(args.output) ?? '-';
  await assertDistinct({
    reads: [{ path: args.input, role: 'input' }],
    writes: [{ path: output, role: 'output' }],
  });
  await withInput(args.input, problem, async (source) => {
    const sink = await openFreshSink(output, { kind: 'extracted cases', force: args.force });
    try {
      await extract(source, problem.inputFormat, range, sink);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
  });
  return EXIT_CODE.ok;
}
