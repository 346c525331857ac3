/** `boardmill index`: writes an index of an input, with which `solve --shard` reads only its shard. */
import type { Argv } from 'yargs';
import { version } from '../../core/version.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { type ErrorPolicy, scanTermsOf } from '../../engine/output-settings.js';
import { openSource } from '../../engine/read.js';
import { printIndex } from '../../engine/shard-index.js';
import { indexInput } from '../../engine/tools/index-input.js';
import { parseFileOption, usageError } from '../arguments/parse-options.js';
import { chooseProblem, GRAMMAR_OPTIONS } from '../arguments/problem-argument.js';
import { assertRereadable } from '../arguments/shard-options.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT, QUIET_OPTION } from '../command.js';
import { EXIT_CODE } from '../exit.js';
import { sizeOfFile } from '../inputs/shard-input.js';
import { withInput } from '../inputs/with-input.js';

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .positional('input', { type: 'string', demandOption: true, describe: 'input file' })
    .options({
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'file for the index',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite the output file even if index did not write it',
      },
      'on-error': {
        choices: ['stop', 'mark'] as const,
        requiresArg: true,
        default: 'stop',
        describe: 'the same value as for solve: it changes where the case after a bad case begins',
      },
      quiet: QUIET_OPTION,
      ...GRAMMAR_OPTIONS,
    })
    .epilogue(
      formatExamples([
        ['boardmill index bt big.in -o big.idx', 'scan big.in once'],
        [
          'boardmill solve bt big.in --shard 3/8 --index big.idx -o big.ans.3',
          'begin near the third shard, without reading the first two',
        ],
      ]),
    )
    .epilogue(
      'Without an index, solve --shard scans all that comes before its shard, which takes some seconds per gigabyte. If the input is changed after it was indexed, solve or merge refuses to go on.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const chosen = await chooseProblem(args);
  const { problem } = chosen;
  const { input } = args;
  const output = parseFileOption('--output', args.output) as string;
  await assertRereadable('index', input);
  if (output === '-') throw usageError('index needs --output FILE: solve reads the index from a file');
  await assertDistinct({
    reads: [{ path: input, role: 'input' }, ...chosen.paths.map((path) => ({ path, role: 'problem' }))],
    writes: [{ path: output, role: 'output' }],
  });
  const onError = args.onError as ErrorPolicy;
  const identity = await chosen.identify();
  const terms = scanTermsOf({ version: version(), problem: { name: problem.name, identity }, onError });
  const fileBytes = sizeOfFile(input);
  await withInput(input, problem, async (source, stop) => {
    const sink = await openFreshSink(output, { kind: 'index', force: args.force });
    try {
      const sources = [source];
      const open = async () => sources.pop() ?? openSource(input, { stop });
      const index = await indexInput(open, { inputFormat: problem.inputFormat, onError });
      await sink.write(Buffer.from(printIndex({ ...index, terms, fileBytes })), null);
    } catch (error) {
      await sink.abandon();
      throw error;
    }
    await sink.finish();
  });
  return EXIT_CODE.ok;
}
