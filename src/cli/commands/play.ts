/** `boardmill play`: writes a page on which a board game can be played, and opens it in the browser. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder, writeInternalFile } from '../../core/files/files.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { BOARDS_TO_PLAY, EXPLAINED_GAMES, emptyBoard } from '../../explain/page-file/boards.js';
import { renderPlayPage } from '../../explain/page-file/render.js';
import type { Problem } from '../../problems/problem.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { usageError } from '../arguments/usage-error.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { pageOfCase } from '../explain/explain-cases.js';
import { planExplanationPage } from '../explain/plan.js';
import { openPage } from '../open-page.js';

/** The game that is played if the user names none. */
const FIRST_GAME = 'bacterial-tactics';

export const syntax = {
  arguments: {
    problem: {
      ...row.gameArgument(EXPLAINED_GAMES),
      otherwise: FIRST_GAME,
    },
    input: row.optionalArgument(
      'input with the board; - is standard input (default: a board that boardmill has)',
    ),
  },
  options: {
    case: row.countOption(1, 'number of the case to play, if the input has several; the first case is 1'),
    rows: row.countOption(1, 'number of rows of an empty board, without an input; needs --cols'),
    cols: row.countOption(1, 'number of columns of an empty board, without an input; needs --rows'),
  },
  examples: [
    ['boardmill play zu', 'play river-pawn'],
    ['boardmill play bt big.in --case 57', 'play case 57 of an input'],
    ['boardmill play bt --rows 5 --cols 7', 'play on an empty board'],
  ],
  notes:
    'play writes the page to a new folder for temporary files, prints its path, and opens it. The page needs no network, and ' +
    'has all that it needs inside: it can be copied, and sent to others. explain --html writes such a page to a file of your choice.',
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const { problem } = await openProblemArgument({ problem: args.problem });
  const page = await makePage(problem, args);
  const path = join(makeTemporaryFolder(join(tmpdir(), 'boardmill-')), `${problem.name}.html`);
  writeInternalFile(path, page);
  await streamSink(process.stdout).write(Buffer.from(`${path}\n`), null);
  if (!(await openPage(path, process.env))) printMessage('no browser was found; open this file in one');
  return EXIT_CODE.ok;
}

type PlayArguments = CommandLineValues<typeof syntax>;

async function makePage(problem: Problem, args: PlayArguments): Promise<string> {
  if (args.input === '') throw usageError('input needs a value');
  const plan = planExplanationPage(problem, args.input, args.case);
  const empty = chooseEmptyBoard(problem, args);
  if (plan !== null && empty !== null) throw usageError('--rows and --cols cannot be used with an input');
  if (plan !== null) return pageOfCase(plan);
  const rows = empty ?? BOARDS_TO_PLAY[problem.name];
  return renderPlayPage({ problem: problem.name, rows, caseNumber: null });
}

/** The largest number of cells of an empty board, for all problems. */
const MAX_EMPTY_CELLS = 100_000;

/** Returns the rows of an empty board of the size `--rows` and `--cols`; null if the user gave neither. */
function chooseEmptyBoard(problem: Problem, { rows, cols }: PlayArguments): string[] | null {
  if (rows === null && cols === null) return null;
  if (rows === null || cols === null) throw usageError('--rows and --cols must be used together');
  if (rows * cols > MAX_EMPTY_CELLS) throw usageError(`a board of ${rows} x ${cols} cells is too large`);
  const board = emptyBoard(problem.name, rows, cols);
  const text = Buffer.from(`${rows} ${cols}\n${board.join('\n')}\n`);
  const parser = problem.inputFormat.createParser();
  if (parser.parse(text, 0, text.length, null) === null)
    throw usageError(`no empty board of ${rows} x ${cols} cells: expected ${parser.fault?.expected}`);
  return board;
}
