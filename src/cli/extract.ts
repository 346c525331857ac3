/** `boardmill extract`: some cases of an input, as an input of their own. */
import type { Argv } from 'yargs';
import { type CaseRange, extract } from '../engine/cut.js';
import { openFreshSink } from '../engine/write.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
import { EXIT } from './exit.js';
import { parseProblem, parseRangeOption, single, usageError } from './parse-options.js';
import { withInput } from './with-input.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', { type: 'string', default: '-', describe: 'a file; none or - is standard input' })
    .options({
      cases: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'which: A..B, from 1, both included; A alone is A..A',
      },
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for them (default: standard output)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite a file that boardmill did not make',
      },
    })
    .example('$0 extract bt big.in --cases 57 -o one.in', 'a single case')
    .example('$0 extract zu big.in --cases 1..10 | $0 solve zu', 'the first ten')
    .epilogue(
      'The cases stand as they stood, between a first line (and a terminator) of their own. A bad case before B is an error (exit 3); what follows B is not read.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const range = parseRangeOption('--cases', args.cases, 1) as CaseRange;
  const output = single('--output', args.output) ?? '-';
  if (output !== '-' && output === args.input) throw usageError(`${output} is both input and output`);
  const { problem } = await entry.load();
  await withInput(args.input, async (source) => {
    const sink = await openFreshSink(output, { force: args.force });
    try {
      await extract(source, problem.format, range, sink);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
  });
  return EXIT.ok;
}
