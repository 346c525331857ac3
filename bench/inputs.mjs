/**
 * Generates the inputs of the benchmarks. A recipe and the seed determine every byte, so all machines measure the same
 * inputs. Cases are drawn one after another: with fewer cases, a recipe gives the beginning of the longer input.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const SEED = 20190504;
const PERCENT = 100;

/** For each input: its problem, a description for the report, and a function that draws the board of a case as rows. */
export const RECIPES = {
  'bacterial-tactics-mixed': {
    problem: 'bacterial-tactics',
    what: '15x15, densities 0 / 0.02 / 0.05 / 0.1 / 0.2 / 0.3 in turn',
    board: (draw, index) => grid(draw, 15, 15, sparse('.', '#', [0, 2, 5, 10, 20, 30][index % 6])),
  },
  'bacterial-tactics-sparse': {
    problem: 'bacterial-tactics',
    what: '15x15, density 0.02',
    board: (draw) => grid(draw, 15, 15, sparse('.', '#', 2)),
  },
  darkraft: {
    problem: 'darkraft',
    what: '20x20, L, R and X equally likely',
    board: (draw) => grid(draw, 20, 20, (draw) => 'LRX'[draw(3)]),
  },
  'river-pawn': {
    problem: 'river-pawn',
    what: '10x10, densities 0 to 0.4, pieces at random cells',
    board: riverPawnBoard,
  },
  'link-and-pop': {
    problem: 'link-and-pop',
    what: '30x30, 26 symbols, directions vary by board',
    board: linkAndPopBoard,
  },
};

/** Writes the first `cases` cases of a recipe to a file. */
export async function writeInput(name, cases, path) {
  const { problem, board } = RECIPES[name];
  const generator = xoroshiro128plus(SEED);
  const draw = (below) => uniformInt(generator, 0, below - 1);
  const stream = createWriteStream(path);
  const preamble = { 'bacterial-tactics': `${cases}\n`, 'river-pawn': `0 ${cases}\n` }[problem] ?? '';
  stream.write(preamble);
  for (let index = 0; index < cases; index++) {
    const rows = board(draw, index);
    const cols = problem === 'link-and-pop' ? rows[0].split(' ').length : rows[0].length;
    if (!stream.write(`${rows.length} ${cols}\n${rows.join('\n')}\n`)) await once(stream, 'drain');
  }
  stream.end(problem === 'link-and-pop' ? '0 0\n' : '');
  await once(stream, 'finish');
}

function grid(draw, rows, cols, cell) {
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => cell(draw)).join(''));
}

/** Returns a function that draws `rare` with the given percentage, and `common` for all other cells. */
function sparse(common, rare, percent) {
  return (draw) => (draw(PERCENT) < percent ? rare : common);
}

function riverPawnBoard(draw) {
  const side = 10;
  const percent = draw(41);
  const cells = Array.from({ length: side * side }, () => (draw(PERCENT) < percent ? '#' : '.'));
  const black = side + draw(side * (side - 1));
  const reds = new Set();
  while (reds.size < 2) {
    const cell = draw(side * side);
    if (cell !== black) reds.add(cell);
  }
  cells[black] = 'X';
  for (const cell of reds) cells[cell] = 'O';
  return Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side).join(''));
}

/** Draws a board. Its blocks move in all five ways, not at all, in one direction, or in two directions, by turns. */
function linkAndPopBoard(draw, index) {
  const movers = ['UDLRS', 'S', 'UDLR'[draw(4)], `${'UD'[draw(2)]}${'LR'[draw(2)]}`][index % 4];
  const block = () => `${String.fromCharCode(65 + draw(26))}${movers[draw(movers.length)]}`;
  return Array.from({ length: 30 }, () => Array.from({ length: 30 }, block).join(' '));
}
