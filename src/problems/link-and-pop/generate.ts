/**
 * Boards of link-and-pop.
 *
 * `hard`: games with the most turns of checking. A pop is dear where the hole it leaves wanders across the
 * whole board, and that takes blocks which are visited before the one that they follow. Of boards whose
 * symbols and ways go on regularly, (a row + b col) mod k, a search has kept those with most turns and all
 * blocks popped: 6,300 turns on 30 x 30, where random boards take 1,000 to 3,900.
 */
import { climb } from '../../core/climb.js';
import type { Random } from '../../core/random.js';
import type { Board, BoardGenerator, BoardStyle } from '../problem.js';
import { analyse } from './solve.js';

/** The statement's symbols. The engine knows small letters as well, but programs for the contest need not. */
const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const STATIONARY = 'S';

/** Ways of moving on one board: all, one, or two of them. */
const WAYS = ['UDLR', 'UDLR', 'U', 'D', 'L', 'R', 'UL', 'UR', 'DL', 'DR', 'UD', 'LR'];
const MOVER_SHARES = [0, 0.2, 0.5, 0.8, 1, 1];

/** Symbol (a row + b col) mod k, way number (d row + e col) of `ways`, modulo how many there are. */
interface RegularPattern {
  readonly k: number;
  readonly a: number;
  readonly b: number;
  readonly ways: string;
  readonly d: number;
  readonly e: number;
}

/** Found at 30 x 30; behind each, turns and pops there. */
const MOST_TURNS_PATTERNS: readonly RegularPattern[] = [
  { k: 3, a: 2, b: 1, ways: 'ULDR', d: 2, e: 2 }, // 6313, 450
  { k: 7, a: 6, b: 3, ways: 'UD', d: 1, e: 1 }, // 6302, 448
  { k: 4, a: 0, b: 3, ways: 'UD', d: 1, e: 0 }, // 6300, 450
  { k: 4, a: 1, b: 0, ways: 'LR', d: 0, e: 1 }, // 6300, 450
  { k: 13, a: 4, b: 6, ways: 'UD', d: 1, e: 1 }, // 6269, 446
  { k: 9, a: 8, b: 8, ways: 'ULDR', d: 2, e: 2 }, // 5800, 447
];

/** Some 20 ms each on 30 x 30, where they end: larger boards take seconds. */
const HARD_CLIMB_STEPS = 4;
const MAX_CLIMBED_CELLS = 900;
/** Part of its turns that a game may lose to irregular blocks. */
const MIN_KEPT_SHARE = 0.8;

export function createGenerator(): BoardGenerator {
  return { minCells: 1, fillBoard };
}

function fillBoard(board: Board, { profile, density }: BoardStyle, _index: number, random: Random): void {
  if (profile === 'hard') fillForManyTurns(board, random);
  else fillRandomly(board, random.pick(WAYS), density ?? random.pick(MOVER_SHARES), random);
}

function fillRandomly({ rows, cols, cells }: Board, ways: string, moverShare: number, random: Random): void {
  const symbolCount = random.between(1, Math.min(SYMBOLS.length, rows * cols));
  for (let cell = 0; cell < rows * cols; cell++) {
    cells[cell * 2] = SYMBOLS.charCodeAt(random.below(symbolCount));
    cells[cell * 2 + 1] = charCodeOf(random.chance(moverShare) ? random.pick(ways) : STATIONARY);
  }
}

/** Which symbol is which letter makes no difference; a few irregular blocks do, and so they are tried out. */
function fillForManyTurns(board: Board, random: Random): void {
  const pattern = random.pick(MOST_TURNS_PATTERNS);
  const letters = shuffled(SYMBOLS, random).slice(0, pattern.k);
  fillWithPattern(board, pattern, letters);
  const { rows, cols, cells } = board;
  climb({
    steps: rows * cols <= MAX_CLIMBED_CELLS ? HARD_CLIMB_STEPS : 0,
    enough: (turns) => turns * MIN_KEPT_SHARE,
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
