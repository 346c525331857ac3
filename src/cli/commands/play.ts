/** `boardmill play`: writes a page on which a board game can be played, and opens it in the browser. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { BOARDS_TO_PLAY, emptyBoard } from '../../explain/page-file/boards.js';
import { renderPlayPage } from '../../explain/page-file/render.js';
import type { Problem } from '../../problems/problem.js';
import { parseCountOption, parseSingleValue, usageError } from '../arguments/parse-options.js';
import { chooseProblem } from '../arguments/problem-argument.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT } from '../command.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { pageOfCase } from '../explain/explain-cases.js';
import { planPage } from '../explain/plan.js';
import { openPage } from '../open-page.js';

/** The game that is played if the user names none. */
const FIRST_GAME = 'bacterial-tactics';

export function options(parser: Argv) {
  return parser
    .positional('problem', {
      ...PROBLEM_ARGUMENT,
      demandOption: false,
      default: FIRST_GAME,
      describe: 'name or alias of one of the four board games (boardmill problems lists them)',
    })
    .positional('input', {
      type: 'string',
      describe: 'input with the board; - is standard input (default: a board that boardmill has)',
    })
    .options({
      case: {
        type: 'string',
        requiresArg: true,
        describe: 'number of the case to play, if the input has several; the first case is 1',
      },
      rows: {
        type: 'string',
        requiresArg: true,
        describe: 'number of rows of an empty board, without an input; needs --cols',
      },
      cols: {
        type: 'string',
        requiresArg: true,
        describe: 'number of columns of an empty board, without an input; needs --rows',
      },
    })
    .epilogue(
      formatExamples([
        ['boardmill play zu', 'play river-pawn'],
        ['boardmill play bt big.in --case 57', 'play case 57 of an input'],
        ['boardmill play bt --rows 5 --cols 7', 'play on an empty board'],
      ]),
    )
    .epilogue(
      'play writes the page to a new folder for temporary files, prints its path, and opens it. The page needs no network, and ' +
        'has all that it needs inside: it can be copied, and sent to others. explain --html writes such a page to a file of your choice.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const { problem } = await chooseProblem({ problem: args.problem });
  const page = await makePage(problem, args);
  const path = await writeTemporary(`${problem.name}.html`, page);
  await streamSink(process.stdout).write(Buffer.from(`${path}\n`), null);
  if (!(await openPage(path, process.env))) printMessage('no browser was found; open this file in one');
  return EXIT_CODE.ok;
}

type PlayArguments = ArgumentsOf<typeof options>;

async function makePage(problem: Problem, args: PlayArguments): Promise<string> {
  const plan = planPage(problem, parseSingleValue('input', args.input) ?? null, args.case);
  const empty = parseEmptyBoard(problem, args);
  if (plan !== null && empty !== null) throw usageError('--rows and --cols cannot be used with an input');
  if (plan !== null) return pageOfCase(plan);
  const rows = empty ?? BOARDS_TO_PLAY[problem.name];
  return renderPlayPage({ problem: problem.name, rows, caseNumber: null });
}

/** An empty board has fewer cells, whatever the problem. */
const MAX_EMPTY_CELLS = 100_000;

/** Returns the rows of the empty board that --rows and --cols ask for; null if they ask for none. */
function parseEmptyBoard(problem: Problem, args: PlayArguments): string[] | null {
  const rows = parseCountOption('--rows', args.rows, 1);
  const cols = parseCountOption('--cols', args.cols, 1);
  if (rows === undefined && cols === undefined) return null;
  if (rows === undefined || cols === undefined) throw usageError('--rows and --cols must be used together');
  if (rows * cols > MAX_EMPTY_CELLS) throw usageError(`a board of ${rows} x ${cols} cells is too large`);
  const board = emptyBoard(problem.name, rows, cols);
  const text = Buffer.from(`${rows} ${cols}\n${board.join('\n')}\n`);
  const parser = problem.inputFormat.createParser();
  if (parser.parse(text, 0, text.length, null) === null)
    throw usageError(`no empty board of ${rows} x ${cols} cells: expected ${parser.fault?.expected}`);
  return board;
}

/** Writes a file with this name into a new folder for temporary files. Returns its path. */
async function writeTemporary(name: string, content: string): Promise<string> {
  try {
    const path = join(await mkdtemp(join(tmpdir(), 'boardmill-')), name);
    await writeFile(path, content);
    return path;
  } catch (error) {
    throw new BoardmillError('file', `cannot write the page to ${tmpdir()}: ${systemReason(error)}`);
  }
}
