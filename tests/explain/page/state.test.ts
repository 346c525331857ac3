/** What the controls of the page do, without a browser. */
import { describe, expect, test } from 'vitest';
import { boardOf } from '../../../src/explain/page/boards/board-text.js';
import { urlFragmentOf } from '../../../src/explain/page/boards/link.js';
import { drawRandomBoard } from '../../../src/explain/page/boards/random-board.js';
import { PageEngine } from '../../../src/explain/page/engine/engine.js';
import type { PageEngineAnswer } from '../../../src/explain/page/engine/messages.js';
import { pageProblem } from '../../../src/explain/page/games.js';
import * as editing from '../../../src/explain/page/state/editing.js';
import {
  countOccurrences,
  type GameSession,
  isGameOver,
  legalMoves,
  shownNode,
  shownPathOf,
} from '../../../src/explain/page/state/game-tree.js';
import * as newGame from '../../../src/explain/page/state/new-game.js';
import * as playing from '../../../src/explain/page/state/playing.js';
import type { ReplaySession } from '../../../src/explain/page/state/replay.js';
import { GAME_RULES } from '../../../src/explain/page/state/rules.js';
import * as page from '../../../src/explain/page/state/state.js';
import { restorePage, serializePage } from '../../../src/explain/page/state/storage.js';
import { moveVerdictOf } from '../../../src/explain/page/state/verdict.js';
import { explainShownBoard } from '../../../src/explain/page/state/why.js';
import {
  moveOutcomeInWords,
  nameOfMove,
  pageStatusOf,
  shortNameOfMove,
} from '../../../src/explain/page/state/words.js';

const DISH = ['...', '.#.', '...'];
const PAWN = ['...', '...', '.X.', 'O.O'];
const TIE = ['.....', '.....', '..O..', '#..#.', 'O#.X.'];
const BLOCKS = ['AD AU CL', 'HS GU HL', 'CS FD GS'];

type Step = (state: page.PageState) => page.PageState;

/** Answers what a page waits for, as the worker does: with plain data. */
function settle(state: page.PageState): page.PageState {
  const engine = new PageEngine(state.problem);
  let now = state;
  while (now.pending !== null) {
    const answer = JSON.parse(JSON.stringify(engine.answer(now.pending.request))) as PageEngineAnswer;
    now = page.applyEngineAnswer(now, now.pending, answer);
  }
  return now;
}

const open = (name: string, rows: readonly string[]) => settle(page.createPageState(pageProblem(name), rows));

/** Applies steps one after the other, and waits for the engine after each of them. */
function apply(state: page.PageState, ...steps: Step[]): page.PageState {
  return steps.reduce((now, step) => settle(step(now)), state);
}

function gameIn(state: page.PageState): GameSession {
  const game = page.gameOf(state);
  if (game === null) throw new Error('no game is played');
  return game;
}

/** Plays the legal move with this name. */
const play =
  (name: string): Step =>
  (state) => {
    const move = legalMoves(gameIn(state)).find((each) => nameOfMove(each) === name);
    if (move === undefined) throw new Error(`${name} is not legal`);
    return playing.playPageMove(state, move);
  };
const best: Step = playing.playBestMove;
const computer =
  (player: 0 | 1): Step =>
  (state) =>
    playing.setComputerPlays(state, player, true);
const answer: Step = (state) => playing.playForComputer(state, 0.99);
const at = (state: page.PageState) => playing.shownPlaceOf(state.session);
const sayOf = (state: page.PageState) => Object.values(pageStatusOf(state)).slice(0, 2).join(' ').trim();

describe('playing', () => {
  test('a click on a cell with a row and a column offers both, and a choice plays one', () => {
    const asked = playing.clickCell(open('bacterial-tactics', DISH), [1, 3]);
    expect(asked.chosen).toEqual([1, 3]);
    const offered = playing.movesAtCell(gameIn(asked), [1, 3]);
    expect(offered.map(nameOfMove)).toEqual(['row 1, columns 1 to 3', 'column 3, rows 1 to 3']);
    const played = apply(asked, (now) => playing.playPageMove(now, offered[1]));
    expect(page.shownRows(played)).toEqual(['..o', '.#o', '..o']);
    expect(played.chosen).toBeNull();
    expect(sayOf(played)).toBe(
      'Terry is to move. Last move: column 3, rows 1 to 3. With best play, Terry wins (nimber 1).',
    );
  });

  test('a click on a cell with one move plays it, and one on a cell without moves does nothing', () => {
    const start = open('bacterial-tactics', DISH);
    const click = (cell: readonly [number, number]) => (now: page.PageState) => playing.clickCell(now, cell);
    expect(at(apply(start, click([1, 2])))).toEqual([1, 1]);
    expect(playing.clickCell(start, [2, 2])).toEqual(start);
    expect(at(apply(open('darkraft', ['LR']), click([1, 2])))).toEqual([1, 1]);
  });

  test('the second click of a double click plays nothing, because its move is one of an earlier position', () => {
    const start = open('darkraft', ['LRX', 'XLR']);
    const [move] = legalMoves(gameIn(start));
    const twice = (now: page.PageState) => playing.playPageMove(playing.playPageMove(now, move), move);
    expect(at(apply(start, twice, (now) => playing.playPageMove(now, move)))).toEqual([1, 1]);
  });

  test('a piece is clicked before its target, and a second click puts it down again', () => {
    const chosen = playing.clickCell(open('river-pawn', PAWN), [4, 1]);
    expect(chosen.chosen).toEqual([4, 1]);
    expect(playing.clickCell(chosen, [4, 1]).chosen).toBeNull();
    expect(playing.clickCell(chosen, [4, 3]).chosen).toEqual([4, 3]);
    expect(playing.clickCell(chosen, [1, 1]).chosen).toBeNull();
    const moved = apply(chosen, (now) => playing.clickCell(now, [3, 1]));
    expect(page.shownRows(moved)).toEqual(['...', '...', 'OX.', '..O']);
  });

  test('the values of moves are said for the player who makes them', () => {
    const values = (name: string, rows: string[]) =>
      legalMoves(gameIn(open(name, rows))).map(moveOutcomeInWords);
    expect(values('darkraft', ['LL'])).toEqual(['loses, nimber 1', 'loses, nimber 1']);
    expect(values('bacterial-tactics', ['.'])).toEqual(['wins, nimber 0', 'wins, nimber 0']);
    expect(values('river-pawn', ['...', 'OXO'])).toContain('wins in 1 ply');
    expect(new Set(values('river-pawn', TIE))).toContain('tie');
  });

  test('the end of a game has its reason', () => {
    const end = (name: string, rows: string[]) => sayOf(apply(open(name, rows), playing.playBestToEnd));
    expect(end('bacterial-tactics', ['.'])).toBe(
      'Becca wins: the game is over. Terry finds no row or column to fill. Last move: row 1, column 1. The game took 1 move.',
    );
    expect(end('darkraft', ['LL'])).toMatch(/^Second wins: the game is over\. First finds no letter\./);
    expect(end('river-pawn', ['...', 'OXO'])).toMatch(/^Red wins: the game is over\. Red has caught Black\./);
    expect(end('river-pawn', ['O.O', '#.#', '#X#'])).toMatch(/^(Red|Black) wins/);
    const reached = apply(
      open('river-pawn', ['..O', 'X..', '.O.']),
      play('up from row 3, column 2'),
      play('up from row 2, column 1'),
    );
    expect(sayOf(reached)).toMatch(/^Black wins: the game is over\. Black has reached row 1\./);
    const caught = apply(
      open('river-pawn', ['...', '...', 'X.O', '..O']),
      play('left from row 3, column 3'),
      play('right from row 3, column 1'),
    );
    expect(sayOf(caught)).toMatch(/^Black wins: the game is over\. Black has caught a red piece\./);
  });
});

describe('the tree of moves', () => {
  const start = open('bacterial-tactics', DISH);

  test('undo and redo go through the moves of the line on show', () => {
    const played = apply(start, best, best);
    const undone = apply(played, editing.undo, editing.undo);
    expect([at(played), at(undone), at(apply(undone, editing.undo))]).toEqual([
      [2, 2],
      [0, 2],
      [0, 2],
    ]);
    expect(page.shownRows(apply(undone, editing.redo, editing.redo, editing.redo))).toEqual(
      page.shownRows(played),
    );
    expect(at(playing.showMoment(undone, 99))).toEqual([2, 2]);
  });

  test('another move begins a variation, and the moves before stay', () => {
    const first = apply(start, play('row 1, columns 1 to 3'), best);
    const varied = apply(first, editing.undo, editing.undo, play('column 1, rows 1 to 3'));
    expect(at(varied)).toEqual([1, 1]);
    expect(gameIn(varied).nodes).toHaveLength(4);
    expect(gameIn(varied).nodes[0].children).toEqual([1, 3]);
    const back = playing.showPosition(varied, 2);
    expect(page.shownRows(back)).toEqual(page.shownRows(first));
    expect(at(playing.showMoment(back, 0))).toEqual([0, 2]);
  });

  test('a move that was played before leads to the known position without the engine', () => {
    const played = apply(start, play('row 1, columns 1 to 3'), editing.undo);
    const again = play('row 1, columns 1 to 3')(played);
    expect(again.pending).toBeNull();
    expect([at(again), gameIn(again).nodes.length]).toEqual([[1, 1], 2]);
  });

  test('mistakes give a win or a tie away, and inaccuracies only plies', () => {
    const verdict = (name: string, rows: readonly string[], move: string) => {
      const played = apply(open(name, rows), play(move));
      return moveVerdictOf(gameIn(played), 1);
    };
    expect(verdict('darkraft', ['LRX'], 'L at row 1, column 1')).toBe('fine');
    const dish = ['..#.', '....', '...#'];
    expect(verdict('bacterial-tactics', dish, 'row 2, columns 1 to 4')).toBe('fine');
    expect(verdict('bacterial-tactics', dish, 'column 1, rows 1 to 3')).toBe('mistake');
    const state = open('river-pawn', TIE);
    for (const move of legalMoves(gameIn(state))) {
      const played = apply(state, (now) => playing.playPageMove(now, move));
      expect(moveVerdictOf(gameIn(played), 1)).toBe(
        'winner' in move && move.winner === 'Black' ? 'mistake' : 'fine',
      );
    }
    const pawn = open('river-pawn', PAWN);
    const slow = legalMoves(gameIn(pawn)).filter(
      (move) =>
        'plies' in move && move.winner === 'Red' && move.plies !== shownNode(gameIn(pawn)).view.outcome.plies,
    );
    for (const move of slow) {
      const played = apply(pawn, (now) => playing.playPageMove(now, move));
      expect(moveVerdictOf(gameIn(played), 1)).toBe('inaccuracy');
    }
  });

  test('the list of moves has short names', () => {
    const names = (name: string, rows: readonly string[]) =>
      legalMoves(gameIn(open(name, rows)))
        .map(shortNameOfMove)
        .slice(0, 2);
    expect(names('bacterial-tactics', DISH)).toEqual(['row 1: 1-3', 'row 3: 1-3']);
    expect(names('darkraft', ['LR'])).toEqual(['L 1,1', 'R 1,2']);
    expect(names('river-pawn', PAWN)).toEqual(['4,1 ↑', '4,1 →']);
  });
});

describe('the computer', () => {
  test('answers until its user moves again, and its moves are undone together with his', () => {
    const start = apply(open('river-pawn', TIE), computer(1));
    expect(playing.computerMovesNext(start)).toBe(false);
    const moved = apply(start, best);
    expect(playing.computerMovesNext(moved)).toBe(true);
    expect(playing.clickCell(moved, [5, 4])).toBe(moved);
    const answered = apply(moved, answer);
    expect([at(answered), playing.computerMovesNext(answered), answer(answered)]).toEqual([
      [2, 2],
      false,
      answered,
    ]);
    const undone = apply(answered, editing.undo);
    expect([at(undone), playing.computerMovesNext(undone), at(apply(undone, editing.redo))]).toEqual([
      [0, 2],
      false,
      [2, 2],
    ]);
  });

  test('waits while its user looks back, says so, and moves when it is told to', () => {
    const answered = apply(open('river-pawn', TIE), computer(1), best, answer);
    const looking = playing.showMoment(answered, 1);
    expect(playing.computerMovesNext(looking)).toBe(false);
    expect(sayOf(looking)).toContain('The computer waits, because you are looking at an earlier position.');
    expect(playing.computerMovesNext(playing.letComputerMove(looking))).toBe(true);
  });

  test('moves at once when it is switched on at the start of a game that was stepped back', () => {
    const back = apply(open('darkraft', ['LRX', 'XLR']), best, editing.undo);
    expect(playing.computerMovesNext(back)).toBe(false);
    const on = playing.setComputerPlays(back, 0, true);
    expect(playing.computerMovesNext(on)).toBe(true);
    expect(at(apply(on, answer))).toEqual([1, 1]);
  });

  test('that plays at random plays any move, and one that makes mistakes sometimes does', () => {
    const start = apply(open('darkraft', ['LRX', 'XLR']), computer(0));
    const with_ = (skill: page.ComputerSkill, chance: number) =>
      page.shownRows(settle(playing.playForComputer(playing.setSkill(start, skill), chance)));
    const last = page.shownRows(
      apply(start, (now) => ({ ...now, isComputer: [false, false] }), play('R at row 2, column 3')),
    );
    expect(with_('random', 0.999)).toEqual(last);
    expect(with_('fair', 0.34)).toEqual(last);
    expect(with_('fair', 0.36)).toEqual(with_('best', 0));
  });

  test('a tie ends when a position is on the board for the third time', () => {
    let state = apply(open('river-pawn', TIE), computer(0), computer(1));
    for (let moves = 0; playing.computerMovesNext(state); moves++) {
      expect(moves).toBeLessThan(100);
      state = apply(state, answer);
    }
    expect(countOccurrences(gameIn(state))).toBe(3);
    expect(sayOf(state)).toMatch(
      /^Tie: the game is over\. The same position is on the board for the third time\./,
    );
    expect(legalMoves(gameIn(state))).toEqual([]);
  });

  test('a position from which somebody can win may come a third time', () => {
    const back = ['down from row 1, column 3', 'left from row 3, column 4', 'down from row 4, column 5'];
    const around = ['right from row 3, column 3', 'up from row 5, column 5', 'left from row 3, column 4'];
    const last = ['left from row 2, column 3', 'right from row 3, column 3', 'right from row 2, column 2'];
    const state = apply(
      open('river-pawn', ['..O..', '.....', '...X.', '....O', '.....']),
      ...[...back, ...around, ...last].map(play),
    );
    expect(sayOf(state)).toMatch(/^Black is to move\..* With best play, Red wins in \d+ plies\.$/);
    expect(sayOf(apply(state, playing.playBestToEnd))).toMatch(/^Red wins: the game is over\./);
  });
});

describe('best play', () => {
  test('in a tie repeats itself until the game is over', () => {
    const end = apply(open('river-pawn', TIE), playing.playBestToEnd);
    expect(isGameOver(gameIn(end))).toBe(true);
    expect(countOccurrences(gameIn(end))).toBe(3);
    const twice = apply(playing.showMoment(end, 4), playing.playBestToEnd);
    expect(countOccurrences(gameIn(twice))).toBe(3);
  });

  test('takes the plies that the start promises', () => {
    const start = open('river-pawn', PAWN);
    const { plies, winner } = shownNode(gameIn(start)).view.outcome;
    const end = apply(start, playing.playBestToEnd);
    expect(at(end)).toEqual([plies, plies]);
    expect(sayOf(end)).toMatch(
      winner === 0 ? /^Red wins: the game is over\./ : /^Black wins: the game is over\./,
    );
  });

  test('plays the best moves of the game', () => {
    for (const [name, rows] of [
      ['bacterial-tactics', DISH],
      ['darkraft', ['LRX', 'XLR']],
      ['river-pawn', PAWN],
    ] as const) {
      const { problem } = open(name, rows);
      if (problem.show.kind !== 'game') throw new Error('not a game');
      const game = problem.show.start(boardOf(problem.style, rows));
      let position = game.start;
      let state = open(name, rows);
      for (let move = game.bestMoveAt(position); move !== null; move = game.bestMoveAt(position)) {
        position = game.after(position, move);
        state = apply(state, best);
        expect(shownNode(gameIn(state)).view.key).toBe(JSON.stringify(position));
      }
      expect(isGameOver(gameIn(state))).toBe(true);
    }
  });
});

describe('hidden values', () => {
  const hidden = playing.setValuesShown(open('bacterial-tactics', ['..#.', '....', '...#']), false);

  test('are not told to a user who wants to guess, and shown for one position if he asks', () => {
    expect(sayOf(hidden)).toBe('Becca is to move.');
    const asked = playing.revealValues(hidden);
    expect(sayOf(asked)).toMatch(/With best play/);
    expect(sayOf(apply(asked, best))).not.toMatch(/With best play/);
  });

  test('let the page judge a move after it was played', () => {
    expect(sayOf(apply(hidden, play('row 2, columns 1 to 4')))).toContain("Good: Becca's move won.");
    expect(sayOf(apply(hidden, play('column 1, rows 1 to 3')))).toContain(
      "Becca's move lost: row 2, columns 1 to 4 won.",
    );
  });
});

describe('puzzles and new games', () => {
  test.each(['bacterial-tactics', 'darkraft', 'river-pawn'])(
    'each puzzle of %s has a board of its own with exactly one winning first move',
    (name) => {
      const start = open(name, name === 'river-pawn' ? PAWN : name === 'darkraft' ? ['LR'] : DISH);
      for (const level of [0, 1, 2]) {
        let state = apply(start, (now) => newGame.startPuzzles(now, level, 'a'));
        const { puzzles } = state.puzzle!;
        expect(puzzles).toHaveLength(5);
        expect(new Set(puzzles.map(({ rows }) => rows.join())).size).toBe(5);
        for (let number = 0; number < 5; number++) {
          state = apply(state, (now) => page.showPuzzle(now, number));
          const moves = legalMoves(gameIn(state)).map(moveOutcomeInWords);
          expect(moves.filter((value) => value.startsWith('wins'))).toHaveLength(1);
          expect(sayOf(state)).toBe(
            `Level ${level + 1}, puzzle ${number + 1} of 5: find the move that wins.`,
          );
        }
      }
    },
  );

  test('a wrong first move of a puzzle does not give the solution away', () => {
    const state = apply(open('darkraft', ['LR']), (now) => newGame.startPuzzles(now, 0, '1'));
    const wrong = legalMoves(gameIn(state)).find((move) => 'wins' in move && !move.wins)!;
    expect(sayOf(apply(state, (now) => playing.playPageMove(now, wrong)))).toMatch(
      /First's move lost\. Last move/,
    );
  });

  test('the board before the puzzles and before a new game comes back', () => {
    const played = apply(open('bacterial-tactics', DISH), best);
    const puzzle = apply(played, (now) => newGame.startPuzzles(now, 0, '1'));
    expect(page.shownRows(apply(puzzle, newGame.leavePuzzles))).toEqual(page.shownRows(played));
    const other = apply(played, (now) =>
      newGame.startNewGame(now, { side: 'second', rows: 4, cols: 5, skill: 'fair', seed: '7' }),
    );
    expect(other.message).toMatchObject({ text: 'A new game has begun.', canUndo: true });
    expect([other.isComputer, other.skill, page.boardSizeOf(other)]).toEqual([[true, false], 'fair', [4, 5]]);
    expect(page.shownRows(apply(other, editing.undoEdit))).toEqual(page.shownRows(played));
  });

  test('what was switched on before the puzzles comes back, however the user leaves them', () => {
    const before = apply(open('river-pawn', PAWN), computer(1));
    const puzzle = apply(
      before,
      (now) => newGame.startPuzzles(now, 0, '1'),
      (now) => newGame.startPuzzles(now, 1, '1'),
    );
    const ways: Step[] = [
      newGame.leavePuzzles,
      newGame.returnToPageBoard,
      (now) => editing.setEditing(now, true),
      (now) => editing.loadBoardFromText(now, TIE.join('\n'), 'board'),
      (now) => editing.loadBoardFromLink(now, '#rows=---/-X-/O-O'),
    ];
    for (const leave of ways) {
      const { isComputer, hasValues, puzzle: none } = apply(puzzle, leave);
      expect({ isComputer, hasValues, none }).toEqual({
        isComputer: [false, true],
        hasValues: true,
        none: null,
      });
    }
    const refused = apply(puzzle, (now) => editing.loadBoardFromLink(now, '#rows=---/-X-/O-O&moves=99'));
    expect([refused.puzzle, refused.hasValues]).toEqual([puzzle.puzzle, false]);
  });

  test('the board of the page comes back after any other board', () => {
    const other = apply(
      open('bacterial-tactics', DISH),
      (now) => editing.loadBoardFromText(now, '....', 'board'),
      best,
    );
    const own = apply(other, newGame.returnToPageBoard);
    expect([own.rows, at(own), own.message?.canUndo]).toEqual([DISH, [0, 0], true]);
    expect(page.shownRows(apply(own, editing.undoEdit))).toEqual(page.shownRows(other));
  });

  test('the same seed gives the same board, and a size past the limits is refused', () => {
    const start = open('river-pawn', PAWN);
    const draw = (seed: string, rows = 6) =>
      newGame.startNewGame(start, { side: 'both', rows, cols: 5, skill: 'best', seed });
    expect(draw('7').rows).toEqual(draw('7').rows);
    expect(draw('7').rows).not.toEqual(draw('8').rows);
    expect(draw('7', 999).message).toMatchObject({ place: 'new-game', isError: true });
    for (let seed = 0; seed < 50; seed++) expect(apply(start, () => draw(String(seed))).fault).toBeNull();
  });

  test('a large dish has rows and columns for colonies', () => {
    for (let seed = 0; seed < 20; seed++) {
      const rows = drawRandomBoard('bacterial-tactics', [30, 30], `${seed}`);
      expect(rows.filter((row) => !row.includes('#')).length).toBeGreaterThan(0);
    }
  });
});

describe('reasons', () => {
  const why = (state: page.PageState) => Object.values(explainShownBoard(state)!).flat();

  test('of bacterial-tactics are the nimbers of the rectangles', () => {
    const state = apply(open('bacterial-tactics', ['...', '...', '...']), play('row 1, columns 1 to 3'));
    expect(why(state)).toEqual([
      'Rows 2 to 3, columns 1 to 3: nimber 2',
      'The nimber of the board is 2: Terry, who is to move, wins, because this is not 0. A nimber is the smallest number that no move leaves: here moves leave 0 and 1, and none leaves 2.',
    ]);
    expect(why(apply(state, play('column 2, rows 2 to 3'))).at(-1)).toMatch(
      /^2 XOR 2 = 0: Becca, who is to move, loses, because this is 0\. .*: here no move leaves 0\.$/,
    );
  });

  test.each([
    [['##'], 'no move leaves 0'],
    [['.'], 'a move leaves 0, and none leaves 1'],
    [['..'], 'moves leave 0 and 1, and none leaves 2'],
    [['....', '...#', '.#..'], 'moves leave 0 to 2, and none leaves 3'],
  ])('of %j say which numbers moves leave', (rows, words) => {
    const state = open('bacterial-tactics', rows);
    expect(why(state).at(-1)).toMatch(`here ${words}.`);
    const left = new Set(legalMoves(gameIn(state)).map((move) => 'nimber' in move && move.nimber));
    const nimber = Number(/(\d+)$/.exec(words)![1]);
    expect(Array.from({ length: nimber + 1 }, (_, number) => left.has(number))).toEqual([
      ...new Array<boolean>(nimber).fill(true),
      false,
    ]);
  });

  test('of darkraft are the nimbers of the two classes of cells', () => {
    expect(why(open('darkraft', ['LL']))).toEqual([
      'Cells whose row + column is even (light): nimber 1',
      'Cells whose row + column is odd (dark): nimber 1',
      'No ray goes from one kind of cell to the other, so these are two games. 1 XOR 1 = 0: First, who is to move, loses, because this is 0. A nimber is the smallest number that no move leaves: here no move leaves 0.',
    ]);
  });

  test('of river-pawn are the race to row 1 and best play', () => {
    expect(why(open('river-pawn', ['...', 'OXO'])).slice(0, 2)).toEqual([
      'Without red pieces, Black would be in row 1 after 1 move of his own.',
      'Red: right from row 2, column 1 (the end)',
    ]);
    expect(why(open('river-pawn', TIE)).at(-1)).toMatch(/nobody wins\.$/);
    expect(why(open('river-pawn', ['O.O', '###', '.X.']))[0]).toBe('Obstacles cut Black off from row 1.');
  });

  test('of a pop are the rules by which the pair is the first', () => {
    const state = apply(open('link-and-pop', BLOCKS), (now) => playing.showMoment(now, 1));
    expect(why(state)[0]).toBe(
      'Fewest segments: this link has 1 segment, and no two blocks can be linked by fewer.',
    );
    expect(explainShownBoard(apply(state, (now) => playing.showMoment(now, 0)))).toBeNull();
  });
});

describe('replays', () => {
  test('have a frame for each pop and for the moves after it', () => {
    let state = open('link-and-pop', BLOCKS);
    const { lastFrame } = state.session as ReplaySession;
    const frames = Array.from({ length: lastFrame + 1 }, (_, place) => {
      state = apply(state, (now) => playing.showMoment(now, place));
      const { kind, pop, moves } = (state.session as ReplaySession).frame;
      return `${kind} ${pop}: ${moves.length}`;
    });
    expect(frames).toEqual([
      'start 0: 0',
      'pop 1: 0',
      'moves 1: 4',
      'pop 2: 0',
      'pop 3: 0',
      'pop 4: 0',
      'moves 4: 0',
    ]);
    expect(sayOf(state)).toMatch(/^Pop 4 of 4: .* Nothing can be linked any more; 1 block left\.$/);
    expect(sayOf(apply(state, (now) => playing.showMoment(now, 1)))).toBe(
      'Pop 1 of 4. A at row 1, column 1 and A at row 1, column 2, linked by 1 segment.',
    );
    expect(playing.playBestToEnd(state)).toBe(state);
  });

  test('show the frame that was asked for last, although the engine answers another one later', () => {
    const state = open('link-and-pop', BLOCKS);
    const first = playing.showMoment(state, 1);
    const second = playing.showMoment(first, 2);
    const late = new PageEngine(state.problem).answer(first.pending!.request);
    expect(page.applyEngineAnswer(second, first.pending!, late)).toBe(second);
    expect((settle(second).session as ReplaySession).shown).toBe(2);
  });

  test('come back at the step on show, from a link and after a reload', () => {
    const shown = apply(open('link-and-pop', BLOCKS), (now) => playing.showMoment(now, 3));
    const { style } = shown.problem;
    const fresh = page.createPageState(shown.problem, BLOCKS);
    const link = (step: number) => urlFragmentOf(style, { rows: BLOCKS, moves: [], step });
    const last = (shown.session as ReplaySession).lastFrame;
    expect(settle(editing.loadBoardFromLink(fresh, link(3))).session).toEqual(shown.session);
    expect(at(settle(editing.loadBoardFromLink(fresh, link(999))))).toEqual([last, last]);
    expect(settle(restorePage(fresh, serializePage(shown))).session).toEqual(shown.session);
  });

  test('of boards without a pair consist of the start', () => {
    expect(sayOf(open('link-and-pop', ['AS BS']))).toBe(
      'No two blocks can be linked. Nothing can be linked any more; 2 blocks left.',
    );
  });
});

describe('editing', () => {
  const start = editing.setEditing(open('river-pawn', PAWN), true);
  const paint =
    (cell: readonly [number, number], stamp: string): Step =>
    (state) =>
      editing.paintCell(editing.chooseStamp(state, stamp), cell);

  test('painted cells change the board, and can be undone and done again', () => {
    const painted = apply(start, paint([1, 1], '#'), paint([1, 2], '#'), paint([1, 2], '#'));
    expect(painted.rows).toEqual(['##.', '...', '.X.', 'O.O']);
    const undone = apply(painted, editing.undo, editing.undo, editing.undo);
    expect(undone.rows).toEqual(PAWN);
    expect(apply(undone, editing.redo, editing.redo, editing.redo).rows).toEqual(painted.rows);
  });

  test('faults of an edited board are said, and mended boards can be played again', () => {
    const say = (cell: readonly [number, number], stamp: string) => sayOf(apply(start, paint(cell, stamp)));
    expect(say([3, 2], '.')).toBe(
      'This board cannot be played. Expected a board with exactly one X, got none.',
    );
    expect(say([1, 1], 'X')).toBe(
      'This board cannot be played. Row 1, column 1: expected X below row 1, got X in row 1.',
    );
    expect(say([2, 1], 'O')).toBe(
      'This board cannot be played. Row 4, column 3: expected exactly two O, got a third.',
    );
    const mended = apply(start, paint([3, 2], '.'), paint([2, 2], 'X'), (state) =>
      editing.setEditing(state, false),
    );
    expect(page.shownRows(mended)).toEqual(['...', '.X.', '...', 'O.O']);
    expect(gameIn(mended).shown).toBe(0);
  });

  test('editing starts from the position on show, or the page says why it does not', () => {
    const pawn = apply(open('river-pawn', PAWN), play('up from row 4, column 1'), (now) =>
      editing.setEditing(now, true),
    );
    expect(pawn.rows).toEqual(['...', '...', 'OX.', '..O']);
    expect(apply(pawn, editing.undo).rows).toEqual(PAWN);
    const dish = apply(open('bacterial-tactics', DISH), best, (now) => editing.setEditing(now, true));
    expect(dish.rows).toEqual(DISH);
    expect(dish.message!.text).toBe(
      'Editing starts from the first position: the board of an input has no bacteria.',
    );
  });

  test('a game goes on with its moves if its position was opened in the editor, but not changed', () => {
    const played = apply(open('river-pawn', PAWN), play('up from row 4, column 1'));
    const edited = apply(played, (now) => editing.setEditing(now, true));
    const done: Step = (now) => editing.setEditing(now, false);
    expect(apply(edited, done).session).toBe(played.session);
    const painted = apply(edited, paint([1, 1], '#'), done);
    expect([painted.rows[0], at(painted)]).toEqual(['#..', [0, 0]]);
  });

  test('a board keeps its cells when it is resized, within the limits', () => {
    const message = (text: string) => ({ place: 'size', text, isError: true, canUndo: false });
    expect(editing.resizeBoard(start, 5, 2).rows).toEqual(['..', '..', '.X', 'O.', '..']);
    expect(editing.resizeBoard(start, 1, 3).message).toEqual(message('A board has 2 to 256 rows, not 1.'));
    expect(editing.resizeBoard(start, 20, 20).message).toEqual(
      message('A board has at most 256 cells, not 20 x 20 = 400.'),
    );
    expect(editing.resizeBoard(start, Number.NaN, 3).rows).toBe(start.rows);
    expect(editing.resizeBoard(open('link-and-pop', BLOCKS), 1, 4).rows).toEqual(['AD AU CL AS']);
  });

  test('a pasted board can be undone with all moves, and another text changes nothing', () => {
    const played = apply(open('river-pawn', PAWN), best, best);
    const pasted = apply(played, (now) => editing.loadBoardFromText(now, '0 1\n2 2\n.X\nOO\n', 'board'));
    expect(pasted.fault).not.toBeNull();
    const other = apply(played, (now) => editing.loadBoardFromText(now, '0 1\n3 2\n..\n.X\nOO\n', 'board'));
    expect(other.rows).toEqual(['..', '.X', 'OO']);
    expect(other.message).toMatchObject({ place: 'board', text: 'The board was replaced.', canUndo: true });
    expect(editing.undoEdit(other).session).toBe(played.session);
    const several = '2\n1 1\n.\n2 2\n..\n.#\n';
    const first = editing.loadBoardFromText(open('bacterial-tactics', DISH), several, 'board');
    expect([first.rows, first.message?.text]).toEqual([
      ['.'],
      'The board was replaced by the first one of the text.',
    ]);
    const refused = editing.loadBoardFromText(played, 'hello\nworld', 'text');
    expect(refused.session).toBe(played.session);
    expect(refused.message).toEqual({
      place: 'text',
      text: 'Row 1, column 1: "h" is not one of . # X O.',
      isError: true,
      canUndo: false,
    });
  });

  test('a cell that the board has no longer does nothing', () => {
    const small = apply(start, (now) => editing.resizeBoard(now, 3, 2));
    expect(editing.paintCell(small, [4, 1], 'O')).toBe(small);
    const letters = apply(open('darkraft', ['LR', 'RL']), (now) => editing.resizeBoard(now, 1, 1));
    expect(playing.clickCell(letters, [2, 2])).toBe(letters);
  });

  test('a board past the limits is refused', () => {
    const rows = Array.from({ length: 101 }, () => 'AS');
    expect(sayOf(open('link-and-pop', rows))).toBe(
      'This board cannot be played. A board has 1 to 100 rows, not 101.',
    );
  });
});

describe('links', () => {
  const linkTo = (state: page.PageState) => {
    const moves = shownPathOf(gameIn(state)).map(([, index]) => index);
    return urlFragmentOf(state.problem.style, { rows: state.rows, moves, step: 0 });
  };
  const load =
    (fragment: string): Step =>
    (state) =>
      editing.loadBoardFromLink(state, fragment);

  test('bring back a board and the moves up to the position on show', () => {
    const played = apply(open('river-pawn', TIE), best, best, best, editing.undo);
    const loaded = apply(open('river-pawn', PAWN), load(linkTo(played)));
    expect([loaded.rows, at(loaded), page.shownRows(loaded)]).toEqual([TIE, [2, 2], page.shownRows(played)]);
  });

  test('replace a game that can be brought back', () => {
    const played = apply(open('river-pawn', PAWN), best);
    const loaded = apply(played, load('#rows=---/-X-/O-O'));
    expect(loaded.message).toMatchObject({ text: 'The board of the link is on show.', canUndo: true });
    expect(editing.undoEdit(loaded).session).toBe(played.session);
  });

  test('to a board that cannot be played leave a game that can be brought back, also by a reload', () => {
    const played = apply(open('river-pawn', PAWN), best);
    const loaded = apply(played, load('#rows=O-/-X'));
    expect(loaded.fault).toContain('exactly two O');
    expect(loaded.message).toMatchObject({ text: 'The board of the link is on show.', canUndo: true });
    expect(editing.undo(loaded).session).toBe(played.session);
    expect(serializePage(loaded)).toBe(serializePage(played));
    const half = apply(played, (now) => editing.paintCell(editing.setEditing(now, true), [1, 1], 'X'));
    expect([half.fault === null, serializePage(half)]).toEqual([false, serializePage(played)]);
    const editingBegins = apply(played, (now) => editing.setEditing(now, true));
    const painted = apply(editingBegins, (now) => editing.paintCell(now, [1, 1], 'X'));
    expect([painted.fault === null, serializePage(painted)]).toEqual([false, serializePage(played)]);
  });

  test('that are hostile leave the board as it is', () => {
    const start = open('bacterial-tactics', DISH);
    const refusals = {
      '#rows=--/---': 'Row 2 has 3 cells, but row 1 has 2.',
      '#rows=%3Cscript%3E': 'The board in the link cannot be read.',
      '#rows=---/---&moves=99': 'The moves in the link are not legal on its board.',
    };
    for (const [fragment, text] of Object.entries(refusals)) {
      const refused = apply(start, load(fragment));
      expect([refused.rows, refused.session, refused.message?.text]).toEqual([DISH, start.session, text]);
      const opened = settle(load(fragment)(page.createPageState(pageProblem('bacterial-tactics'), DISH)));
      expect([opened.rows, opened.session?.kind, opened.message?.text]).toEqual([DISH, 'game', text]);
    }
    expect(editing.loadBoardFromLink(start, '#elsewhere')).toBe(start);
  });
});

describe('storage', () => {
  const played = apply(
    open('bacterial-tactics', DISH),
    computer(1),
    best,
    answer,
    editing.undo,
    play('row 1, columns 1 to 3'),
  );
  const reload = (text: string, name = 'bacterial-tactics') =>
    settle(restorePage(page.createPageState(pageProblem(name), DISH), text));

  test('brings back the board, all variations, the position on show and the players', () => {
    const { session, isComputer } = reload(serializePage(played));
    expect(isComputer).toEqual([false, true]);
    expect((session as GameSession).nodes.map(({ view }) => view.rows)).toEqual(
      gameIn(played).nodes.map(({ view }) => view.rows),
    );
    expect((session as GameSession).shown).toBe(gameIn(played).shown);
  });

  test('brings back the puzzle that the user was solving, and what was switched on before', () => {
    const puzzle = apply(
      played,
      (now) => newGame.startPuzzles(now, 1, 'a seed'),
      (now) => page.showPuzzle(now, 2),
    );
    const text = serializePage(puzzle);
    const again = reload(text);
    expect([again.rows, again.puzzle, again.hasValues]).toEqual([puzzle.rows, puzzle.puzzle, false]);
    const reloading = restorePage(page.createPageState(pageProblem('bacterial-tactics'), DISH), text);
    expect(reload(serializePage(reloading)).puzzle).toEqual(puzzle.puzzle);
    const left = apply(again, newGame.leavePuzzles);
    expect([left.rows, left.isComputer, left.hasValues]).toEqual([DISH, [false, true], true]);
    const none = page.applyEngineAnswer(reloading, reloading.pending!, { kind: 'puzzles', puzzles: [] });
    expect([none.message?.isError, settle(none).session === null]).toEqual([true, false]);
    for (const wrong of [null, 1, { level: 3, seed: '', number: 0 }, { level: 0, seed: 7, number: 0 }]) {
      expect(reload(JSON.stringify({ ...JSON.parse(text), puzzle: wrong })).puzzle).toBeNull();
    }
  });

  test('keeps the moves of a page that is reloaded again before its board is solved', () => {
    const text = serializePage(played);
    const reloading = restorePage(page.createPageState(pageProblem('bacterial-tactics'), DISH), text);
    expect(serializePage(reloading)).toBe(text);
  });

  test('that somebody has changed is ignored, or brings back what is legal', () => {
    const stored = JSON.parse(serializePage(played));
    const hostile: unknown[] = [
      null,
      'x',
      { ...stored, rows: ['<b>'] },
      { ...stored, rows: [[1]] },
      { ...stored, tree: [[5, 0]] },
      { ...stored, tree: [[0, -1]] },
      { ...stored, tree: Array(5000).fill([0, 0]) },
      { ...stored, shown: 1.5 },
      { ...stored, isComputer: [1, 2] },
      { ...stored, skill: 'evil' },
      { ...stored, problem: 'darkraft' },
    ];
    for (const text of [...hostile.map((value) => JSON.stringify(value)), '{', '']) {
      expect(reload(text).isComputer).toEqual([false, false]);
    }
    const cut = reload(
      JSON.stringify({
        ...stored,
        tree: [
          [0, 0],
          [1, 77],
        ],
        shown: 9,
      }),
    );
    expect(at(cut)).toEqual([1, 1]);
  });
});

describe('the examples of the rules', () => {
  test.each(Object.keys(GAME_RULES).filter((name) => name !== 'link-and-pop'))(
    '%s: each board follows by a legal move',
    (name) => {
      const [first, ...rest] = GAME_RULES[name].example;
      let state = open(name, first.rows);
      for (const { rows } of rest) {
        const next = legalMoves(gameIn(state))
          .map((move) => apply(state, (now) => playing.playPageMove(now, move)))
          .find((after) => page.shownRows(after).join() === rows.join());
        expect(next, rows.join('/')).toBeDefined();
        state = next!;
      }
      expect(isGameOver(gameIn(state))).toBe(true);
    },
  );

  test('link-and-pop: the boards are those after each pop', () => {
    const boards = GAME_RULES['link-and-pop'].example.map(({ rows }) => rows);
    let state = open('link-and-pop', boards[0]);
    const { lastFrame } = state.session as ReplaySession;
    const seen: string[] = [];
    for (let place = 0; place <= lastFrame; place++) {
      state = apply(state, (now) => playing.showMoment(now, place));
      seen.push(page.shownRows(state).join('/'));
    }
    for (const rows of boards) expect(seen).toContain(rows.join('/'));
    expect(seen.at(-1)).toBe(boards.at(-1)!.join('/'));
  });
});
