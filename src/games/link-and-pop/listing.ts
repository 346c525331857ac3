/**
 * Which boards `--profile all` lists: one board for each renaming of the symbols, the one in which new symbols appear in
 * the order A, B, C, ... The names of the symbols do not matter to the game. So 2 x 2 has 9,375 boards: 15 ways to say
 * which of the four blocks have the same symbol, times 5^4 ways of moving. With all names it has 130^4 = 285,610,000.
 */
import type { BoardAutomaton } from '../shared/board-parts.js';

/** The ways of moving, in the order of the problem statement. */
const WAYS = 'UDLRS';
const SYMBOLS = 26;
const FIRST_SYMBOL = 'A'.charCodeAt(0);

/** The state is the number of different symbols so far. A cell's value is 5 times its symbol's index plus its way's index. */
export const boardAutomaton: BoardAutomaton = {
  states: SYMBOLS + 1,
  width: (used) => WAYS.length * Math.min(used + 1, SYMBOLS),
  next: (used, value) => Math.max(used, Math.floor(value / WAYS.length) + 1),
  missing: () => 0,
  count: (rows, cols) => countBoards(rows * cols),
  write(cells, cell, value) {
    cells[2 * cell] = FIRST_SYMBOL + Math.floor(value / WAYS.length);
    cells[2 * cell + 1] = WAYS.charCodeAt(value % WAYS.length);
  },
};

/** A cache of the results of `countBoards` by number of cells, because many sizes have the same number. */
const counts = new Map<number, bigint>();

function countBoards(cells: number): bigint {
  const known = counts.get(cells);
  if (known !== undefined) return known;
  const count = countRenamings(cells) * BigInt(WAYS.length) ** BigInt(cells);
  counts.set(cells, count);
  return count;
}

/**
 * Number of ways to divide the cells into at most 26 classes: the sum of the Stirling numbers of the second kind S(cells, k)
 * for k from 1 to 26. By inclusion and exclusion, it is the sum over j of j^cells / j! times the sum over i <= 26 - j of
 * (-1)^i / i!. All fractions are multiplied by 26! here, so that they are whole.
 */
function countRenamings(cells: number): bigint {
  factors ??= Array.from({ length: SYMBOLS + 1 }, (_, base) => factorOf(base));
  const sum = factors.reduce((total, factor, base) => total + factor * BigInt(base) ** BigInt(cells), 0n);
  return sum / factorial(SYMBOLS);
}

/** factors[j]: the factor of j^cells in the sum of `countRenamings`. */
let factors: readonly bigint[] | null = null;

function factorOf(base: number): bigint {
  let factor = 0n;
  for (let i = 0; i <= SYMBOLS - base; i++) {
    const term = factorial(SYMBOLS) / (factorial(base) * factorial(i));
    factor += i % 2 === 0 ? term : -term;
  }
  return factor;
}

function factorial(n: number): bigint {
  let product = 1n;
  for (let factor = 2; factor <= n; factor++) product *= BigInt(factor);
  return product;
}
