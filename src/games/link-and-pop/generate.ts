/**
 * Generates boards of link-and-pop.
 *
 * The profile `hard` makes games with the most turns. In a turn, the game checks every block once, and a block moves
 * if it can. A pop causes many turns if the hole of the popped block travels across the whole board. That happens if
 * each block that moves into the hole is checked before the block that left the hole. A search tried boards with
 * regular symbols and ways of moving, (a row + b col) mod k. Among the boards of which (almost) all blocks are popped,
 * the search kept the boards with the most turns. These boards take 6,300 turns on 30 x 30. Random boards take
 * 1,000 to 3,900.
 */
import { hillClimb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board } from '../../formats/boards/board.js';
import type { BoardGenerator, RandomBoardStyle } from '../shared/board-parts.js';
import { CONTEST_SYMBOLS, STATIONARY_BLOCK } from './letters.js';
import { analyse } from './solve.js';

/** Sets of ways of moving. Each random board takes one of these sets, and `UDLR` twice as often as another set. */
const WAY_SETS = ['UDLR', 'UDLR', 'U', 'D', 'L', 'R', 'UL', 'UR', 'DL', 'DR', 'UD', 'LR'];
/** Shares of blocks that move. The generator picks one share for each random board. */
const MOVER_SHARES = [0, 0.2, 0.5, 0.8, 1, 1];

/**
 * A regular board: the block at (row, col) has symbol number (a row + b col) mod k, and the letter of `ways` with the
 * index (d row + e col) mod `ways.length` as its way of moving.
 */
interface RegularPattern {
  readonly k: number;
  readonly a: number;
  readonly b: number;
  readonly ways: string;
  readonly d: number;
  readonly e: number;
}

/** The patterns whose 30 x 30 boards take the most turns. The comment after a pattern gives its numbers of turns and pops. */
const MOST_TURNS_PATTERNS: readonly RegularPattern[] = [
  { k: 3, a: 2, b: 1, ways: 'ULDR', d: 2, e: 2 }, // 6313, 450
  { k: 7, a: 6, b: 3, ways: 'UD', d: 1, e: 1 }, // 6302, 448
  { k: 4, a: 0, b: 3, ways: 'UD', d: 1, e: 0 }, // 6300, 450
  { k: 4, a: 1, b: 0, ways: 'LR', d: 0, e: 1 }, // 6300, 450
  { k: 13, a: 4, b: 6, ways: 'UD', d: 1, e: 1 }, // 6269, 446
  { k: 9, a: 8, b: 8, ways: 'ULDR', d: 2, e: 2 }, // 5800, 447
];

/** Number of hill-climbing steps for each board. A step takes about 20 ms on a 30 x 30 board. */
const HARD_CLIMB_STEPS = 4;
/** Largest number of cells of a board that hill climbing changes. A game on a larger board takes seconds. */
const MAX_CLIMBED_CELLS = 900;
/** A changed board must keep at least this share of the turns of its pattern. */
const MIN_KEPT_SHARE = 0.8;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(
  board: Board,
  { profile, density }: RandomBoardStyle,
  _index: number,
  random: Random,
): void {
  if (profile === 'hard') fillForManyTurns(board, random);
  else fillRandomly(board, random.pick(WAY_SETS), density ?? random.pick(MOVER_SHARES), random);
}

function fillRandomly({ rows, cols, cells }: Board, ways: string, moverShare: number, random: Random): void {
  const symbolCount = random.between(1, Math.min(CONTEST_SYMBOLS.length, rows * cols));
  for (let cell = 0; cell < rows * cols; cell++) {
    cells[cell * 2] = CONTEST_SYMBOLS.charCodeAt(random.below(symbolCount));
    cells[cell * 2 + 1] = charCodeOf(random.chance(moverShare) ? random.pick(ways) : STATIONARY_BLOCK);
  }
}

/**
 * Fills a board with a pattern, and then changes a few symbols as long as the game stays nearly as long. The letters
 * of the symbols are chosen at random. The choice of letters does not change the length of the game.
 */
function fillForManyTurns(board: Board, random: Random): void {
  const pattern = random.pick(MOST_TURNS_PATTERNS);
  const letters = shuffled(CONTEST_SYMBOLS, random).slice(0, pattern.k);
  fillWithPattern(board, pattern, letters);
  const { rows, cols, cells } = board;
  hillClimb({
    steps: rows * cols <= MAX_CLIMBED_CELLS ? HARD_CLIMB_STEPS : 0,
    alwaysAcceptedScore: (turns) => turns * MIN_KEPT_SHARE,
    score: () => analyse(board).pops.reduce((sum, { turns }) => sum + turns, 0),
    change() {
      const at = 2 * random.below(rows * cols);
      const previous = cells[at];
      cells[at] = charCodeOf(random.pick(letters));
      return { at, previous };
    },
    undo({ at, previous }) {
      cells[at] = previous;
    },
  });
}

function fillWithPattern(
  { rows, cols, cells }: Board,
  { k, a, b, ways, d, e }: RegularPattern,
  letters: string,
): void {
  for (let row = 0, at = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++, at += 2) {
      cells[at] = letters.charCodeAt((a * row + b * col) % k);
      cells[at + 1] = ways.charCodeAt((d * row + e * col) % ways.length);
    }
  }
}

function shuffled(letters: string, random: Random): string {
  const result = [...letters];
  for (let left = result.length; left > 1; left--) {
    const at = random.below(left);
    [result[at], result[left - 1]] = [result[left - 1], result[at]];
  }
  return result.join('');
}

function charCodeOf(text: string): number {
  return text.charCodeAt(0);
}
