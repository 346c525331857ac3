/** What the controls of the page do, without a browser. */
import { describe, expect, test } from 'vitest';
import { pageProblem } from '../../../src/explain/page/games.js';
import { fragmentOf } from '../../../src/explain/page/link.js';
import {
  type GameSession,
  indicesOfMoves,
  lastPlaceOf,
  legalMoves,
  type ReplaySession,
  shownRows,
} from '../../../src/explain/page/session.js';
import * as page from '../../../src/explain/page/state.js';
import { nameOfMove, nameOfValue, statusOf } from '../../../src/explain/page/words.js';

const DISH = ['...', '.#.', '...'];
const PAWN = ['...', '...', '.X.', 'O.O'];
const TIE = ['.....', '.....', '..O..', '#..#.', 'O#.X.'];
const BLOCKS = ['AD AU CL', 'HS GU HL', 'CS FD GS'];

const open = (name: string, rows: readonly string[]) =>
  page.solveBoard(page.createState(pageProblem(name), rows));

function gameIn(state: page.PageState): GameSession {
  const game = page.gameOf(state);
  if (game === null) throw new Error('no game is played');
  return game;
}

/** Applies steps one after the other. */
function apply(
  state: page.PageState,
  ...steps: ((state: page.PageState) => page.PageState)[]
): page.PageState {
  return steps.reduce((now, step) => step(now), state);
}

const at = (state: page.PageState) => [state.session?.at, state.session && lastPlaceOf(state.session)];
const sayOf = (state: page.PageState) => Object.values(statusOf(state)).slice(0, 2).join(' ').trim();

describe('playing', () => {
  test('a click on a cell with a row and a column offers both, and a choice plays one', () => {
    const start = open('bacterial-tactics', DISH);
    const asked = page.clickCell(start, [1, 3]);
    expect(asked.chosen).toEqual([1, 3]);
    expect(page.movesAtCell(gameIn(asked), [1, 3]).map(nameOfMove)).toEqual([
      'row 1, columns 1 to 3',
      'column 3, rows 1 to 3',
    ]);
    const played = page.playPageMove(asked, page.movesAtCell(gameIn(asked), [1, 3])[1]);
    expect(shownRows(played.session!)).toEqual(['..o', '.#o', '..o']);
    expect(played.chosen).toBeNull();
    expect(sayOf(played)).toBe(
      'Terry is to move. With best play, Terry wins (nimber 1). Last move: column 3, rows 1 to 3.',
    );
  });

  test('a click on a cell with one move plays it, and one on a cell without moves does nothing', () => {
    const start = open('bacterial-tactics', DISH);
    expect(at(page.clickCell(start, [1, 2]))).toEqual([1, 1]);
    expect(page.clickCell(start, [2, 2])).toEqual(start);
    expect(at(page.clickCell(open('darkraft', ['LR']), [1, 2]))).toEqual([1, 1]);
  });

  test('a piece is clicked before its target, and a second click puts it down again', () => {
    const start = open('river-pawn', PAWN);
    const chosen = page.clickCell(start, [4, 1]);
    expect(chosen.chosen).toEqual([4, 1]);
    expect(page.clickCell(chosen, [4, 1]).chosen).toBeNull();
    expect(page.clickCell(chosen, [4, 3]).chosen).toEqual([4, 3]);
    expect(page.clickCell(chosen, [1, 1]).chosen).toBeNull();
    expect(shownRows(page.clickCell(chosen, [3, 1]).session!)).toEqual(['...', '...', 'OX.', '..O']);
  });

  test('undo and redo go through the moves, and another move replaces those that were undone', () => {
    const played = apply(open('bacterial-tactics', DISH), page.playBestMove, page.playBestMove);
    const undone = apply(played, page.undo, page.undo);
    expect([at(played), at(undone), at(page.undo(undone))]).toEqual([
      [2, 2],
      [0, 2],
      [0, 2],
    ]);
    expect(apply(undone, page.redo, page.redo, page.redo)).toEqual(played);
    expect(at(page.playBestMove(undone))).toEqual([1, 1]);
    expect(at(page.showMoment(undone, 99))).toEqual([2, 2]);
  });

  test('the computer answers until its user moves again, and its moves are undone together with his', () => {
    const start = page.setComputer(open('river-pawn', TIE), 1, true);
    expect(page.isComputersTurn(start)).toBe(false);
    const moved = page.playBestMove(start);
    expect(page.isComputersTurn(moved)).toBe(true);
    expect(page.clickCell(moved, [5, 4])).toBe(moved);
    const answered = page.playForComputer(moved);
    expect([at(answered), page.isComputersTurn(answered), page.playForComputer(answered)]).toEqual([
      [2, 2],
      false,
      answered,
    ]);
    const undone = page.undo(answered);
    expect([at(undone), page.isComputersTurn(undone), at(page.redo(undone))]).toEqual([
      [0, 2],
      false,
      [2, 2],
    ]);
    expect(page.isComputersTurn(page.showMoment(answered, 1))).toBe(false);
  });

  test('the computer stops playing for both sides when a tie repeats itself', () => {
    let state = apply(
      open('river-pawn', TIE),
      (now) => page.setComputer(now, 0, true),
      (now) => page.setComputer(now, 1, true),
    );
    while (page.isComputersTurn(state)) state = page.playForComputer(state);
    expect(sayOf(state)).toMatch(
      /With best play, nobody wins\. .* This is the position (of the start|after \d+ moves?) again\.$/,
    );
  });

  test('best play in a tie is the shortest line that returns to an earlier position', () => {
    const start = open('river-pawn', TIE);
    const { moves, repeats } = gameIn(start).game.repeatingLineFrom!(gameIn(start).game.start);
    const end = page.playBestToEnd(start);
    expect(at(end)).toEqual([moves.length, moves.length]);
    expect(gameIn(end).positions.at(-1)).toEqual(gameIn(end).positions[repeats]);
    expect(moves.length).toBe(repeats + 4);
    const later = page.playBestToEnd(page.playBestMove(start));
    expect(sayOf(later)).toMatch(/again\.$/);
  });

  test('best play takes the plies that the start promises', () => {
    const start = open('river-pawn', PAWN);
    const { plies, winner } = gameIn(start).game.outcomeAt(gameIn(start).game.start);
    const end = page.playBestToEnd(start);
    expect(at(end)).toEqual([plies, plies]);
    expect(sayOf(end)).toMatch(
      winner === 0 ? /^Red wins: the game is over\./ : /^Black wins: the game is over\./,
    );
    expect(legalMoves(gameIn(end))).toEqual([]);
  });

  test('the values of moves are said for the player who makes them', () => {
    const values = (name: string, rows: string[]) => legalMoves(gameIn(open(name, rows))).map(nameOfValue);
    expect(values('darkraft', ['LL'])).toEqual(['loses, nimber 1', 'loses, nimber 1']);
    expect(values('bacterial-tactics', ['.'])).toEqual(['wins, nimber 0', 'wins, nimber 0']);
    expect(values('river-pawn', ['...', 'OXO'])).toContain('wins in 1 ply');
    expect(new Set(values('river-pawn', TIE))).toContain('tie');
  });

  test('a user who wants to guess is not told who wins', () => {
    const state = page.showValues(open('bacterial-tactics', DISH), false);
    expect(sayOf(state)).toBe('Becca is to move.');
  });
});

describe('replays', () => {
  test('have a frame for each pop and for the moves after it', () => {
    const state = open('link-and-pop', BLOCKS);
    const { frames } = state.session as ReplaySession;
    expect(frames.map(({ kind, pop, moves }) => `${kind} ${pop}: ${moves.length}`)).toEqual([
      'start 0: 0',
      'pop 1: 0',
      'moves 1: 4',
      'pop 2: 0',
      'pop 3: 0',
      'pop 4: 0',
      'moves 4: 0',
    ]);
    const end = page.showMoment(state, frames.length - 1);
    expect(sayOf(end)).toMatch(/^Pop 4 of 4: .* Nothing can be linked any more; 1 block left\.$/);
    expect(sayOf(page.showMoment(state, 1))).toBe(
      'Pop 1 of 4. A at row 1, column 1 and A at row 1, column 2, linked by 1 segment.',
    );
    expect(page.playBestToEnd(state)).toBe(state);
  });

  test('of boards without a pair consist of the start', () => {
    expect(sayOf(open('link-and-pop', ['AS BS']))).toBe(
      'No two blocks can be linked. Nothing can be linked any more; 2 blocks left.',
    );
  });
});

describe('editing', () => {
  const start = page.edit(open('river-pawn', PAWN), true);
  const paint = (cell: readonly [number, number], stamp: string) => (state: page.PageState) =>
    page.paintCell(page.chooseStamp(state, stamp), cell);

  test('painted cells change the board, and can be undone and done again', () => {
    const painted = apply(start, paint([1, 1], '#'), paint([1, 2], '#'), paint([1, 2], '#'));
    expect(painted.rows).toEqual(['##.', '...', '.X.', 'O.O']);
    const undone = apply(painted, page.undo, page.undo, page.undo);
    expect(undone.rows).toEqual(PAWN);
    expect(apply(undone, page.redo, page.redo, page.redo).rows).toEqual(painted.rows);
    expect(page.needsSolving(painted)).toBe(true);
  });

  test('mistakes of an edited board are said, and mended boards can be played again', () => {
    const say = (cell: readonly [number, number], stamp: string) =>
      sayOf(apply(start, paint(cell, stamp), page.solveBoard));
    expect(say([3, 2], '.')).toBe(
      'This board cannot be played. Expected a board with exactly one X, got none.',
    );
    expect(say([1, 1], 'X')).toBe(
      'This board cannot be played. Row 1, column 1: expected X below row 1, got X in row 1.',
    );
    expect(say([2, 1], 'O')).toBe(
      'This board cannot be played. Row 4, column 3: expected exactly two O, got a third.',
    );
    const mended = apply(
      start,
      paint([3, 2], '.'),
      page.solveBoard,
      paint([2, 2], 'X'),
      page.solveBoard,
      (state) => page.edit(state, false),
    );
    expect(shownRows(gameIn(mended))).toEqual(['...', '.X.', '...', 'O.O']);
  });

  test('a board keeps its cells when it is resized, within the limits', () => {
    expect(page.resizeBoard(start, 5, 2).rows).toEqual(['..', '..', '.X', 'O.', '..']);
    expect(page.resizeBoard(start, 1, 3)).toEqual({ ...start, notice: 'A board has 2 to 256 rows, not 1.' });
    expect(page.resizeBoard(start, 20, 20).notice).toBe('A board has at most 256 cells, not 20 x 20 = 400.');
    expect(page.resizeBoard(start, Number.NaN, 3).rows).toBe(start.rows);
    expect(page.resizeBoard(page.createState(pageProblem('link-and-pop'), BLOCKS), 1, 4).rows).toEqual([
      'AD AU CL AS',
    ]);
  });

  test('a pasted board takes the place of the board, and another text does not', () => {
    expect(page.loadText(start, '0 1\n2 2\n.X\nOO\n').rows).toEqual(['.X', 'OO']);
    expect(page.loadText(start, 'hello\nworld')).toEqual({
      ...start,
      notice: 'Row 1, column 1: "h" is not one of . # X O.',
    });
  });

  test('a refused text is named, also if the board itself cannot be played', () => {
    const unplayable = page.solveBoard(page.paintCell(start, [1, 1], 'X'));
    expect(sayOf(page.loadText(unplayable, '...'))).toBe(
      'This board cannot be played. A board has 2 to 256 rows, not 1. Row 1, column 1: expected X below row 1, got X in row 1.',
    );
  });

  test('a link takes the place of the moves that were played on the same board, and solving again changes nothing', () => {
    const played = page.playBestToEnd(open('darkraft', ['LRX', 'XLR']));
    const fragment = fragmentOf(played.problem.style, {
      rows: played.rows,
      moves: indicesOfMoves(gameIn(played)).slice(0, 1),
    });
    const loaded = page.loadBoardFromLink(played, fragment);
    expect(at(loaded)).toEqual([1, 1]);
    expect(page.solveBoard(loaded)).toBe(loaded);
  });

  test('a cell that the board has no longer does nothing', () => {
    const small = page.solveBoard(page.resizeBoard(start, 3, 2));
    expect(page.paintCell(small, [4, 1], 'O')).toBe(small);
    expect(page.clickCell(page.resizeBoard(open('darkraft', ['LR', 'RL']), 1, 1), [2, 2])).toMatchObject({
      chosen: null,
    });
  });

  test('the play starts again on an edited board', () => {
    const played = page.playBestMove(open('darkraft', ['LRX']));
    expect(at(page.edit(played, true))).toEqual([0, 1]);
    expect(page.gameOf(page.edit(played, true))).toBeNull();
    expect(page.edit(page.edit(played, true), false).session).toEqual({ ...played.session, at: 0 });
  });

  test('a board past the limits is refused', () => {
    const rows = Array.from({ length: 101 }, () => 'AS');
    expect(sayOf(open('link-and-pop', rows))).toBe(
      'This board cannot be played. A board has 1 to 100 rows, not 101.',
    );
  });
});

describe('links', () => {
  test('bring back a board and the moves on it', () => {
    const played = apply(open('river-pawn', TIE), page.playBestMove, page.playBestMove);
    const moves = indicesOfMoves(gameIn(played));
    const fragment = fragmentOf(played.problem.style, { rows: played.rows, moves });
    const loaded = page.loadBoardFromLink(open('river-pawn', PAWN), fragment);
    expect(loaded.rows).toEqual(TIE);
    expect(gameIn(loaded).positions).toEqual(gameIn(played).positions);
  });

  test('that are hostile leave the board as it is', () => {
    const start = open('bacterial-tactics', DISH);
    const refusals = {
      '#rows=--/---': 'Row 2 has 3 cells, but row 1 has 2.',
      '#rows=%3Cscript%3E': 'The board in the link cannot be read.',
      '#rows=---/---&moves=99': 'The moves in the link are not legal on its board.',
    };
    for (const [fragment, notice] of Object.entries(refusals)) {
      expect(page.loadBoardFromLink(start, fragment)).toEqual({ ...start, notice });
    }
    expect(page.loadBoardFromLink(start, '#elsewhere')).toBe(start);
  });
});
