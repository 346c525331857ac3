/**
 * Looks for river-pawn boards with long forced wins, by simulated annealing over single cells and pieces: the
 * source of src/problems/river-pawn/long-wins.ts. Needs the build.
 *
 *     node bench/search-river-pawn.mjs 10x10 Red 120 1     size, winner, seconds, seed
 *
 * Prints the best board of each walk, longest first. 10x10 gives some 350 plies in two minutes.
 */
import { Seed } from '../dist/src/core/random.js';
import { problem } from '../dist/src/problems/river-pawn/index.js';

const [size = '10x10', winner = 'Red', seconds = '60', seed = '1'] = process.argv.slice(2);
const [rows, cols] = size.split('x').map(Number);
const STEPS = 60_000;
/** Plies that a step may lose, about, at the start and at the end of a walk. */
const HOT = 6;
const COLD = 0.05;

const LETTERS = '.#XO';
const [OBSTACLE, BLACK] = [LETTERS.indexOf('#'), LETTERS.indexOf('X')];
const solver = problem.createSimdSolver();
const generator = problem.createGenerator();
const answers = [];
const end = performance.now() + Number(seconds) * 1000;
const found = [];
for (let walk = 0; performance.now() < end; walk++) found.push(anneal(new Seed(seed).random(walk)));
found.sort((a, b) => b.plies - a.plies);
for (const { plies, board } of found.slice(0, 10)) console.log(`${winner} ${plies} ${board}`);

function anneal(random) {
  const board = { rows, cols, cells: new Uint8Array(rows * cols) };
  generator.fillBoard(board, { profile: 'random', density: null }, 0, random);
  let plies = pliesOf(board);
  let best = { plies, board: textOf(board) };
  for (let step = 0; step < STEPS && performance.now() < end; step++) {
    const former = board.cells.slice();
    for (let changes = random.between(1, 3); changes > 0; changes--) change(board, random);
    const reached = pliesOf(board);
    const heat = HOT * (1 - step / STEPS) + COLD;
    if (reached >= plies || random.chance(Math.exp((reached - plies) / heat))) plies = reached;
    else board.cells.set(former);
    if (plies > best.plies) best = { plies, board: textOf(board) };
  }
  return best;
}

/** 0 where the game ends otherwise. */
function pliesOf(board) {
  solver.solve([board], 1, answers);
  return answers[0].winner === winner ? answers[0].plies : 0;
}

/** Changes a cell, or swaps a piece with what stands in another cell; Black stays out of row 1. */
function change({ cells }, random) {
  const [cell, other] = [random.below(rows * cols), random.between(cols, rows * cols - 1)];
  if (cells[cell] <= OBSTACLE) cells[cell] ^= OBSTACLE;
  else if (cell >= cols || cells[other] !== BLACK) [cells[cell], cells[other]] = [cells[other], cells[cell]];
}

function textOf({ cells }) {
  const line = (row) =>
    Array.from(cells.subarray(row * cols, (row + 1) * cols), (code) => LETTERS[code]).join('');
  return Array.from({ length: rows }, (_, row) => line(row)).join('/');
}
