/** Explanations of boards, given as rows, and random boards of all four problems. */
import fc from 'fast-check';
import { explainer as explainBacterialTactics } from '../../src/games/bacterial-tactics/explain.js';
import { explainer as explainDarkraft } from '../../src/games/darkraft/explain.js';
import { explainer as explainLinkAndPop } from '../../src/games/link-and-pop/explain.js';
import { explainer as explainRiverPawn } from '../../src/games/river-pawn/explain.js';
import { EXPLANATION_SCHEMA, type Explainer, type Explanation } from '../../src/problems/explanation.js';
import type { Board } from '../../src/problems/problem.js';

const EXPLAINERS: Readonly<Record<string, Explainer>> = {
  'bacterial-tactics': explainBacterialTactics,
  darkraft: explainDarkraft,
  'link-and-pop': explainLinkAndPop,
  'river-pawn': explainRiverPawn,
};

/** The letters of each problem in the order of their codes. Cells of link-and-pop have the codes of two letters. */
const LETTERS: Readonly<Record<string, string>> = {
  'bacterial-tactics': '.#',
  darkraft: 'LRX',
  'river-pawn': '.#XO',
};

/** A board as an input has it. */
export interface ProblemRows {
  readonly problem: string;
  readonly rows: readonly string[];
}

export function boardOfRows({ problem, rows }: ProblemRows): Board {
  const letters = LETTERS[problem] as string | undefined;
  const codeOf = (letter: string) => letters?.indexOf(letter) ?? letter.charCodeAt(0);
  const cells = Uint8Array.from(rows.join('').replaceAll(' ', ''), codeOf);
  const cols = letters === undefined ? rows[0].split(' ').length : rows[0].length;
  return { rows: rows.length, cols, cells };
}

export function explainRows(board: ProblemRows, caseNumber = 1): Explanation {
  const { problem, rows } = board;
  const body = EXPLAINERS[problem].explain(boardOfRows(board), false, 0);
  return { schema: EXPLANATION_SCHEMA, problem, case: caseNumber, board: rows, ...body };
}

/** Random boards of letters, of up to 9 rows and columns. */
function boardsOf(problem: string, letter: fc.Arbitrary<string>, separator = ''): fc.Arbitrary<ProblemRows> {
  const side = fc.integer({ min: 1, max: 9 });
  return fc.tuple(side, side).chain(([rows, cols]) => {
    const row = fc.array(letter, { minLength: cols, maxLength: cols }).map((cells) => cells.join(separator));
    return fc.array(row, { minLength: rows, maxLength: rows }).map((rows) => ({ problem, rows }));
  });
}

/** Boards of up to 6 rows and columns with two reds anywhere, and Black below row 1. */
const riverPawnBoards = fc
  .record({
    rows: fc.integer({ min: 2, max: 6 }),
    cols: fc.integer({ min: 2, max: 6 }),
    obstacles: fc.infiniteStream(fc.boolean()),
    places: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  })
  .map(({ rows, cols, obstacles, places: [black, ...reds] }): ProblemRows => {
    const letters: string[] = [...obstacles.take(rows * cols)].map((isObstacle, i) =>
      isObstacle && i % 2 ? '#' : '.',
    );
    letters[cols + (black % (letters.length - cols))] = 'X';
    for (const red of reds) {
      const free = [...letters.keys()].filter((i) => letters[i] === '.' || letters[i] === '#');
      letters[free[red % free.length]] = 'O';
    }
    const row = (i: number) => letters.slice(i * cols, (i + 1) * cols).join('');
    return { problem: 'river-pawn', rows: Array.from({ length: rows }, (_, i) => row(i)) };
  });

const blocks = fc
  .tuple(fc.constantFrom(...'ABC'), fc.constantFrom(...'UDLRS'))
  .map(([symbol, way]) => symbol + way);

export const BOARDS_OF: Readonly<Record<string, fc.Arbitrary<ProblemRows>>> = {
  'bacterial-tactics': boardsOf('bacterial-tactics', fc.constantFrom('.', '.', '.', '#')),
  darkraft: boardsOf('darkraft', fc.constantFrom(...'LRX')),
  'link-and-pop': boardsOf('link-and-pop', blocks, ' '),
  'river-pawn': riverPawnBoards,
};

/** Random boards of all four problems. */
export const anyBoard = fc.oneof(...Object.values(BOARDS_OF));
