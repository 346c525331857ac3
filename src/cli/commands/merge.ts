/** `boardmill merge`: joins the answers to all shards of an input into the answers of one run, or the shards of a census. */

import { pluralize } from '../../core/errors.js';
import { fileKindOf } from '../../core/files/files.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import {
  type AnswerPart,
  assertPartUnchanged,
  findAnswerParts,
  joinAnswerParts,
} from '../../engine/output/join-parts.js';
import { fileKindOfAnswers } from '../../engine/output/ledger.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import { censusToJson } from '../../tools/census/census-report.js';
import { type CensusPart, findCensusParts, joinCensusParts } from '../../tools/census/census-state.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import * as row from '../arguments/rows.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { withSignals } from '../signals.js';

export const syntax = {
  arguments: {
    parts: row.listArgument('the files that solve or census wrote with --shard 1/N to N/N, in any order'),
  },
  options: {
    output: row.outputOption(
      'file for the answers to the whole input, or for all counts of a census (default: standard output)',
    ),
    force: row.forceOption(),
    quiet: row.QUIET_OPTION,
  },
  examples: [
    ['boardmill merge big.ans.1 big.ans.2 big.ans.3 -o big.ans', 'join the answers to three shards'],
    ['boardmill merge big.ans.* -o big.ans', 'the same; the records big.ans.*.shard may be among the files'],
  ],
  notes:
    'merge writes the bytes that one run of solve would have written. It needs the record that solve --shard wrote beside each part, and refuses parts that are missing, given twice, changed, or made from another input or with other options. The parts of a census need no record.',
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const output = args.output ?? '-';
  const census = findCensusParts(args.parts);
  if (census !== null) return mergeCensus(census, output, args.force);
  const parts = await findAnswerParts(args.parts);
  assertDistinctFiles({
    reads: parts.flatMap(({ path, recordPath }) => [
      { path, role: 'a part' },
      { path: recordPath, role: 'the record of a part' },
    ]),
    writes: [{ path: output, role: 'output' }],
  });
  // Output on a stream cannot be taken back, so the parts are checked once more before anything is written.
  if (await isStream(output)) for (const part of parts) await assertPartUnchanged(part);
  await writeJoined(parts, output, args.force);
  return reportMarked(parts, args.quiet);
}

/** Writes the counts of a whole census, whose shards are counted. */
async function mergeCensus(parts: readonly CensusPart[], output: string, force: boolean): Promise<number> {
  const text = censusToJson(joinCensusParts(parts));
  assertDistinctFiles({
    reads: parts.map(({ path }) => ({ path, role: 'a part' })),
    writes: [{ path: output, role: 'output' }],
  });
  const sink = await openFreshSink(output, { kind: 'census', force });
  await writeAndFinishSink(sink, () => sink.write(Buffer.from(text), null));
  return EXIT_CODE.ok;
}

async function writeJoined(parts: readonly AnswerPart[], output: string, force: boolean): Promise<void> {
  await withSignals(async (stop) => {
    const kind = fileKindOfAnswers(parts[0].record.settingsFingerprint);
    const sink = await openFreshSink(output, { kind, force }, stop);
    await writeAndFinishSink(sink, () => joinAnswerParts(parts, sink, stop));
  });
}

async function isStream(output: string): Promise<boolean> {
  return output === '-' || (await fileKindOf(output, 'create')) === 'special';
}

/** Reports the number of marked cases. Returns the exit code that one run over the whole input would have. */
function reportMarked(parts: readonly AnswerPart[], isQuiet: boolean): number {
  const marked = parts.reduce((sum, { record }) => sum + record.failedCases, 0);
  if (marked === 0) return EXIT_CODE.ok;
  if (!isQuiet)
    printMessage(`${pluralize(marked, 'case')} of the input ${marked === 1 ? 'is' : 'are'} marked`);
  return EXIT_CODE.differs;
}
