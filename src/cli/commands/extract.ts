import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { extractCases } from '../../tools/cases/extract.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { EXIT_CODE } from '../exit.js';
import { namedOrStandardInput, withInput } from '../inputs/with-input.js';

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, input: row.INPUT_ARGUMENT },
  options: {
    cases: row.requiredOption(
      row.rangeOption(
        'cases to copy: A..B for cases A to B inclusive, or A for one case; the first case is 1',
      ),
    ),
    output: row.outputOption('file for the new input (default: standard output)'),
    force: row.forceOption(),
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill extract bt big.in --cases 57 -o one.in', 'copy case 57 to one.in'],
    ['boardmill extract zu big.in --cases 1..10 | boardmill solve zu', 'solve only the first ten cases'],
  ],
  notes:
    'extract copies the cases, with the whitespace that validate accepts, and adds the first line and the terminator that the input format needs. It stops reading after case B. If case B or an earlier case is invalid, extract fails with exit code 3.',
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const chosen = await openProblemArgument(args);
  const { problem } = chosen;
  const range = args.cases;
  const output = args.output ?? '-';
  const input = namedOrStandardInput(args.input);
  assertDistinctFiles({
    reads: [{ path: input, role: 'input' }],
    writes: [{ path: output, role: 'output' }],
  });
  await withInput(input, problem, async (source, stop) => {
    const sink = await openFreshSink(output, { kind: 'extracted cases', force: args.force }, stop);
    try {
      await extractCases(source, problem.inputFormat, range, sink);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
  });
  return EXIT_CODE.ok;
}
