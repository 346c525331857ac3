/** `boardmill explain`: says why the answers are what they are, as text, JSON, drawings or a live page. */
import type { Argv } from 'yargs';
import { MAX_PROOF_ENTRIES } from '../../engine/limits.js';
import { chooseProblem } from '../arguments/problem-argument.js';
import { SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { type ArgumentsOf, formatExamples, INPUT_ARGUMENT, PROBLEM_ARGUMENT } from '../command.js';
import { EXIT_CODE } from '../exit.js';
import { explainCases } from '../explain/explain-cases.js';
import { assertFilesUsable } from '../explain/output-files.js';
import { planExplanation } from '../explain/plan.js';

const EPILOGUE = [
  'Without --case and --cases, explain explains all cases. Cases before the first one that it explains are read and checked, ' +
    'but not solved, and it stops reading after the last one.',
  'Text is printed only if no file is asked for. With --html or --svg, --json prints as well.',
  '--json prints one object per case on a line of its own. docs/explain.md describes its fields. `boardmill verify` checks the ' +
    `proofs that --proof adds. A proof lists at most ${MAX_PROOF_ENTRIES.toLocaleString('en')} rectangles or positions; explain fails with exit code 4 at a case ` +
    'that needs more.',
].join('\n\n');

const { jobs, timeout, quiet } = SOLVING_OPTIONS;

export function options(parser: Argv) {
  return parser
    .positional('problem', {
      ...PROBLEM_ARGUMENT,
      describe: 'name or alias of one of the four board games (boardmill problems lists them)',
    })
    .positional('input', INPUT_ARGUMENT)
    .options({
      case: {
        type: 'string',
        requiresArg: true,
        describe: 'number of the case to explain; the first case is 1',
      },
      cases: {
        type: 'string',
        requiresArg: true,
        describe: 'cases to explain: A..B for cases A to B inclusive',
      },
      json: {
        type: 'boolean',
        default: false,
        describe: 'print one JSON object per case',
      },
      proof: {
        type: 'boolean',
        default: false,
        describe: 'with --json: add a proof, which `boardmill verify` checks',
      },
      html: {
        type: 'string',
        requiresArg: true,
        describe: 'file for a web page on which the case can be played, with the value of every move',
      },
      svg: {
        type: 'string',
        requiresArg: true,
        describe: 'file for a drawing of the board; a folder takes one drawing per case (case-K.svg)',
      },
      moves: {
        type: 'boolean',
        default: false,
        describe: 'with --svg: mark the winning moves',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite the files of --html and --svg even if explain did not write them',
      },
      jobs: { ...jobs, describe: 'number of worker threads (default: number of processors)' },
      timeout: {
        ...timeout,
        describe: 'time limit for each case, such as 5 (seconds) or 500ms (default: none)',
      },
      quiet,
    })
    .epilogue(
      formatExamples([
        [
          'boardmill explain bt big.in --case 57',
          'show case 57: the board, the value of each move, best play',
        ],
        ['boardmill explain zu big.in --json | jq .answer', 'print an explanation of every case as JSON'],
        [
          'boardmill explain zu big.in --case 3 --html case3.html',
          'make a page on which case 3 can be played',
        ],
      ]),
    )
    .epilogue(EPILOGUE);
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const { problem } = await chooseProblem({ problem: args.problem });
  const plan = planExplanation(args, problem);
  await assertFilesUsable(plan);
  await explainCases(plan);
  return EXIT_CODE.ok;
}
