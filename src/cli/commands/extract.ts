/** `boardmill extract`: some cases of an input, as an input of their own. */
import type { Argv } from 'yargs';
import type { CaseRange } from '../../core/range.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { extract } from '../../engine/tools/extract.js';
import { parseOutputOption, parseProblem, parseRangeOption } from '../arguments/parse-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT } from '../exit.js';
import { withInput } from '../inputs/with-input.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', { type: 'string', default: '-', describe: 'a file; none or - is standard input' })
    .options({
      cases: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'which cases: A..B, counted from 1, both included; or A for one',
      },
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the cases (default: standard output)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite a file that extract did not write',
      },
    })
    .epilogue(
      describeExamples([
        ['boardmill extract bt big.in --cases 57 -o one.in', 'a single case'],
        ['boardmill extract zu big.in --cases 1..10 | boardmill solve zu', 'the first ten'],
      ]),
    )
    .epilogue(
      'The cases are copied byte for byte, between a first line (and a terminator) of their own. A bad case before B is an error (exit 3); what follows B is not read.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const range = parseRangeOption('--cases', args.cases, 1) as CaseRange;
  const output = parseOutputOption(args.output) ?? '-';
  await assertDistinct({
    reads: [{ path: args.input, role: 'input' }],
    writes: [{ path: output, role: 'output' }],
  });
  const { problem } = await entry.load();
  await withInput(args.input, problem, async (source) => {
    const sink = await openFreshSink(output, { kind: 'extracted cases', force: args.force });
    try {
      await extract(source, problem.inputFormat, range, sink);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
  });
  return EXIT.ok;
}
