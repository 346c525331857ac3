/** `boardmill explain`: shows why the answers are right, as text, JSON, drawings or a live page. */

import { formatCount } from '../../core/format-count.js';
import { MAX_PROOF_ENTRIES } from '../../engine/limits.js';
import { EXPLAINED_GAMES } from '../../explain/page-file/boards.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { EXIT_CODE } from '../exit.js';
import { explainCases } from '../explain/explain-cases.js';
import { assertFilesUsable } from '../explain/output-files.js';
import { planExplanation } from '../explain/plan.js';

const EPILOGUE = [
  'Without --case and --cases, explain explains all cases. Cases before the first one that it explains are read and checked, ' +
    'but not solved, and it stops reading after the last one.',
  'Text is printed only if no file is asked for. With --html or --svg, --json prints as well.',
  '--json prints one object per case on a line of its own. docs/explain.md describes its fields. `boardmill verify` checks the ' +
    `proofs that --proof adds. A proof lists at most ${formatCount(MAX_PROOF_ENTRIES)} rectangles or positions; explain fails with exit code 4 at a case ` +
    'that needs more.',
].join('\n\n');

export const syntax = {
  arguments: {
    problem: row.gameArgument(EXPLAINED_GAMES),
    input: row.INPUT_ARGUMENT,
  },
  options: {
    case: row.countOption(1, 'number of the case to explain; the first case is 1', { excludes: ['cases'] }),
    cases: row.rangeOption('cases to explain: A..B for cases A to B inclusive'),
    json: row.flagOption('print one JSON object per case'),
    proof: row.flagOption('with --json: add a proof, which `boardmill verify` checks', { needs: 'json' }),
    html: row.fileOption('file for a web page on which the case can be played, with the value of every move'),
    svg: row.fileOption('file for a drawing of the board; a folder takes one drawing per case (case-K.svg)'),
    moves: row.flagOption('with --svg: mark the winning moves', { needs: 'svg' }),
    force: row.forceOption(),
    jobs: row.THREADS_OPTION,
    timeout: row.secondsOption('time limit for each case, such as 5 (seconds) or 500ms (default: none)'),
    quiet: row.QUIET_OPTION,
  },
  examples: [
    ['boardmill explain bt big.in --case 57', 'show case 57: the board, the value of each move, best play'],
    ['boardmill explain zu big.in --json | jq .answer', 'print an explanation of every case as JSON'],
    ['boardmill explain zu big.in --case 3 --html case3.html', 'make a page on which case 3 can be played'],
  ],
  notes: EPILOGUE,
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const { problem } = await openProblemArgument({ problem: args.problem });
  const plan = planExplanation(args, problem);
  await assertFilesUsable(plan);
  await explainCases(plan);
  return EXIT_CODE.ok;
}
