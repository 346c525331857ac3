/** Tests of the text that `explain` prints for a terminal. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explanationText } from '../../../src/explain/text/text.js';
import { analyseGame as analyseBacterialTactics } from '../../../src/games/bacterial-tactics/game.js';
import { narrateBacterialTactics } from '../../../src/games/bacterial-tactics/narration.js';
import { analyseGame as analyseDarkraft } from '../../../src/games/darkraft/game.js';
import { narrateDarkraft } from '../../../src/games/darkraft/narration.js';
import { narrateLinkAndPop } from '../../../src/games/link-and-pop/narration.js';
import { replayGame } from '../../../src/games/link-and-pop/replay.js';
import { analyseGame as analyseRiverPawn } from '../../../src/games/river-pawn/game.js';
import { narrateRiverPawn } from '../../../src/games/river-pawn/narration.js';
import type { Narration } from '../../../src/games/shared/narration/narration.js';
import type { AnalyseGame, Game, GameMove } from '../../../src/problems/game.js';
import {
  anyBoard,
  BOARDS_OF,
  boardOfRows,
  explainRows,
  type ProblemRows,
} from '../../support/explained-boards.js';

const PLAIN = { width: 80, hasColor: false } as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours start with a control character.
const COLOR = /\x1b\[[\d;]*m/g;

function textOf(
  problem: string,
  rows: readonly string[],
  layout: Parameters<typeof explanationText>[1] = PLAIN,
): string {
  return explanationText(explainRows({ problem, rows }, 3), layout);
}

describe('the layout', () => {
  test('no line is wider than the terminal, and only colours need control characters', () => {
    fc.assert(
      fc.property(
        anyBoard,
        fc.integer({ min: 20, max: 200 }),
        fc.boolean(),
        (board, width, localeHasUtf8) => {
          const explanation = explainRows(board);
          const text = explanationText(explanation, { width, hasColor: false, localeHasUtf8 });
          for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
          expect(text).toMatch(localeHasUtf8 ? /^[\n -~→…]*$/ : /^[\n -~]*$/);
          expect(text).not.toMatch(/ \n|\n\n\n|\n\n$|undefined|null|NaN/);
          const colored = explanationText(explanation, { width, hasColor: true, localeHasUtf8 });
          expect(colored.replace(COLOR, '')).toBe(text);
        },
      ),
    );
  });

  test('a board that is wider than the terminal is cut off with a mark', () => {
    const text = textOf('bacterial-tactics', ['.'.repeat(30), '#'.repeat(30)], {
      width: 20,
      hasColor: false,
    });
    expect(text).toContain(`\n${'.'.repeat(19)}…\n${'#'.repeat(19)}…\n`);
  });

  test('row and column numbers are left out before the gaps between cells are', () => {
    const rows = ['.'.repeat(11)];
    expect(textOf('bacterial-tactics', rows, { width: 23, hasColor: false })).toContain(
      '\n                    1\n  1 2 3 4 5 6 7 8 9 0 1\n1 . . . . . . . . . . .\n',
    );
    expect(textOf('bacterial-tactics', rows, { width: 22, hasColor: false })).toContain(
      '\n. . . . . . . . . . .\n',
    );
    expect(textOf('bacterial-tactics', rows, { width: 20, hasColor: false })).toContain('\n...........\n');
  });

  test('the text of a large board is bounded, and says what it leaves out', () => {
    const emptyDish = textOf('bacterial-tactics', Array(50).fill('.'.repeat(49)));
    expect(emptyDish.split('\n').length).toBeLessThan(300);
    expect(emptyDish).toMatch(/… \d+ moves later:/);
    const letters = textOf('darkraft', Array(20).fill('L'.repeat(20)));
    expect(letters).toMatch(/… and \d+ more that (win|lose)\n/);
  });
});

describe('what is told', () => {
  test('winning moves come first, with what they leave', () => {
    const text = textOf('bacterial-tactics', ['....', '.#..', '....', '....', '...#']);
    expect(text).toContain('Case 3: 12\nBecca, who moves first, wins: the nimber of the board is 2');
    expect(text).toContain(
      `3 moves win:
  row 1 (4 cells): leaves 4x4, nimber 0
  row 3 (4 cells): leaves 2x4 and 2x4, nimbers 0 and 0
  row 4 (4 cells): leaves 3x4 and 1x4, nimbers 1 and 1

2 moves lose:
  column 1 (nimber 1), column 3 (nimber 1)
`,
    );
  });

  test('a board without a legal move', () => {
    expect(textOf('bacterial-tactics', ['.#', '#.'])).toBe(
      'Case 3: 0\nBecca loses, because every row and every column has a radioactive cell.\n\n  1 2\n1 . #\n2 # .\n',
    );
  });

  test('a whole explanation of darkraft', () => {
    expect(textOf('darkraft', ['RR', 'RR'], { width: 60, hasColor: false })).toBe(
      `Case 3: WIN
The first player wins. The cells whose row + column is even
have the nimber 1, the other cells 0, both together 1. He
wins with the moves that leave 0.

  1 2
1 R R
2 R R

4 moves win:
  R at (1,1): leaves nimber 0
  R at (1,2): leaves nimber 0
  R at (2,1): leaves nimber 0
  R at (2,2): leaves nimber 0

Best play (.: cleared):

1. First: (1,1)            2. Second: (1,2)
  1 2                        1 2
1 . R                      1 . .
2 R .                      2 R .

3. First: (2,1)
  1 2
1 . .
2 . .

Second finds no letter, and loses.
`,
    );
  });

  test('the moves of river-pawn are ordered by what Red wants most', () => {
    const won = textOf('river-pawn', ['....', '.O..', '....', 'O.X.']);
    expect(won).toMatch(/moves? wins?:\n {2}\(\d,\d\) → \(\d,\d\): Red wins after \d+ moves?\n/);
    const tie = textOf('river-pawn', ['.....', '.....', '..O..', '#..#.', 'O#.X.']);
    expect(tie).toContain('Case 3: Tie\nNeither Red (O) nor Black (X) can force a win.');
    expect(tie).toContain('4 moves tie:\n  (3,3) → (2,3),');
    expect(tie).toContain('Now the position is the same as at the start.');
    expect(textOf('river-pawn', ['...#O', '.#..#', '#O#..', '.#..X'])).toContain('Red (O) has no legal move');
  });

  test('link-and-pop tells each pop and the moves after it', () => {
    const text = textOf('link-and-pop', ['AD AU CL', 'HS GU HL', 'CS FD GS'], { width: 30, hasColor: false });
    expect(text).toContain('Case 3: 4 pops, 1 block left\n');
    expect(text).toContain(
      `1. (1,1) and (1,2), 1
segment; 4 moves:
(1,3)→(1,2) (1,2)→(1,1)
(2,2)→(1,2) (2,3)→(2,2)
  1  2  3
1 CL GU .
2 HS HL .
3 CS FD GS
`,
    );
  });

  test('the number of winning moves is that of the explanation, and they are told first', () => {
    fc.assert(
      fc.property(fc.oneof(BOARDS_OF['bacterial-tactics'], BOARDS_OF.darkraft), (board) => {
        const explanation = explainRows(board);
        const moves = explanation.moves as { wins: boolean }[];
        const winning = moves.filter(({ wins }) => wins).length;
        const text = explanationText(explanation, { width: 200, hasColor: false });
        const told = /^(\d+) moves? wins?:/m.exec(text);
        expect(Number(told?.[1] ?? 0)).toBe(winning);
        if (winning > 0 && winning < moves.length)
          expect(told!.index).toBeLessThan(text.search(/ moves? loses?:/));
      }),
    );
  });
});

/** Returns the boards in between, one text for each row. */
function shownBoards({ play }: Narration): string[][] {
  return Array.from(play.steps(), (step) => step.board().map((row) => row.map(({ text }) => text).join('')));
}

/** Plays the moves of an explanation in a game, and returns the rows after each. */
function playedBoards<Position, Move extends GameMove>(
  analyseGame: AnalyseGame<Position, Move>,
  board: ProblemRows,
  keys: readonly (keyof Move)[],
): string[][] {
  const game: Game<Position, Move> = analyseGame(boardOfRows(board));
  const keyOf = (move: Move) => JSON.stringify(keys.map((key) => move[key]));
  let position = game.start;
  return (explainRows(board).play as Move[]).map((played) => {
    const move = game.movesAt(position).find((legal) => keyOf(legal) === keyOf(played));
    position = game.after(position, move!);
    return [...game.rowsAt(position)];
  });
}

describe('the boards in between are those of the game', () => {
  test('bacterial-tactics', () => {
    fc.assert(
      fc.property(BOARDS_OF['bacterial-tactics'], (board) => {
        const keys = ['line', 'index', 'from', 'to'] as const;
        expect(shownBoards(narrateBacterialTactics(explainRows(board)))).toEqual(
          playedBoards(analyseBacterialTactics, board, keys),
        );
      }),
    );
  });

  test('darkraft', () => {
    fc.assert(
      fc.property(BOARDS_OF.darkraft, (board) => {
        expect(shownBoards(narrateDarkraft(explainRows(board)))).toEqual(
          playedBoards(analyseDarkraft, board, ['cell']),
        );
      }),
    );
  });

  test('river-pawn', () => {
    fc.assert(
      fc.property(BOARDS_OF['river-pawn'], (board) => {
        expect(shownBoards(narrateRiverPawn(explainRows(board)))).toEqual(
          playedBoards(analyseRiverPawn, board, ['from', 'to']),
        );
      }),
    );
  });

  test('link-and-pop', () => {
    fc.assert(
      fc.property(BOARDS_OF['link-and-pop'], (board) => {
        const { turns, rowsAfter } = replayGame(boardOfRows(board));
        const rows = turns.map((_, i) =>
          rowsAfter(i + 1, true).map((row) => row.split(' ').join('').replaceAll('..', '. ')),
        );
        expect(shownBoards(narrateLinkAndPop(explainRows(board)))).toEqual(rows);
      }),
    );
  });
});
