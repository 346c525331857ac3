/**
 * Searches for river-pawn boards on which the winner needs many plies, by simulated annealing: each step changes up to
 * three cells or pieces. The boards in src/games/river-pawn/long-wins.ts were found by this program.
 * Run `npm run build` first, because the program uses the compiled code.
 *
 *     node bench/search-river-pawn.mjs 10x10 Red 120 1
 *
 * The arguments are size, winner, seconds and seed. The program starts a new search from a random board until the time
 * is up, and prints the ten best results, longest game first. On 10x10 boards, it finds games of about 350 plies in two
 * minutes.
 */
import { Seed } from '../build/src/core/random.js';
import { problem } from '../build/src/games/river-pawn/index.js';

const [size = '10x10', winner = 'Red', seconds = '60', seed = '1'] = process.argv.slice(2);
const [rows, cols] = size.split('x').map(Number);
/** Number of steps of one search by simulated annealing. */
const STEPS = 60_000;
/**
 * Temperature of the simulated annealing at the start of a search, in plies. If a step makes the game shorter by this
 * many plies, the search accepts the step with probability 1/e.
 */
const START_TEMPERATURE = 6;
/** Final temperature of the simulated annealing, in plies. */
const END_TEMPERATURE = 0.05;

const LETTERS = '.#XO';
const [OBSTACLE, BLACK] = [LETTERS.indexOf('#'), LETTERS.indexOf('X')];
const solver = problem.solvers.createSimd();
const generator = problem.parts.createGenerator();
const answers = [];
const endTime = performance.now() + Number(seconds) * 1000;
const searchResults = [];
for (let search = 0; performance.now() < endTime; search++)
  searchResults.push(anneal(new Seed(seed).random(search)));
searchResults.sort((a, b) => b.plies - a.plies);
for (const { plies, board } of searchResults.slice(0, 10)) console.log(`${winner} ${plies} ${board}`);

function anneal(random) {
  const board = { rows, cols, cells: new Uint8Array(rows * cols) };
  generator.fillBoard(board, { profile: 'random', density: null }, 0, random);
  let plies = pliesOf(board);
  let best = { plies, board: textOf(board) };
  for (let step = 0; step < STEPS && performance.now() < endTime; step++) {
    const cellsBefore = board.cells.slice();
    for (let changes = random.between(1, 3); changes > 0; changes--) changeCell(board, random);
    const newPlies = pliesOf(board);
    const temperature = START_TEMPERATURE * (1 - step / STEPS) + END_TEMPERATURE;
    if (newPlies >= plies || random.chance(Math.exp((newPlies - plies) / temperature))) plies = newPlies;
    else board.cells.set(cellsBefore);
    if (plies > best.plies) best = { plies, board: textOf(board) };
  }
  return best;
}

/** Returns the number of plies until the wanted winner wins. Returns 0 if the game has another result. */
function pliesOf(board) {
  solver.solve([board], 1, answers);
  return answers[0].winner === winner ? answers[0].plies : 0;
}

/** Changes a free cell to an obstacle or back, or swaps a piece with another cell. Black never moves to row 1. */
function changeCell({ cells }, random) {
  const [cell, other] = [random.below(rows * cols), random.between(cols, rows * cols - 1)];
  if (cells[cell] <= OBSTACLE) cells[cell] ^= OBSTACLE;
  else if (cell >= cols || cells[other] !== BLACK) [cells[cell], cells[other]] = [cells[other], cells[cell]];
}

function textOf({ cells }) {
  const line = (row) =>
    Array.from(cells.subarray(row * cols, (row + 1) * cols), (code) => LETTERS[code]).join('');
  return Array.from({ length: rows }, (_, row) => line(row)).join('/');
}
