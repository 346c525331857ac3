/**
 * How the time of a case grows with its board, solvers alone on one core, next to what theory says.
 *
 *   npm run build && node bench/growth.mjs [problem..]
 *
 * Writes runs/<date-machine>/growth.md, .json and a picture a problem.
 */

import { growthExponent, median } from '../dist/src/bench/statistics.js';
import { formatSeconds, markdownTable } from '../dist/src/bench/tables.js';
import { BoardSource } from '../dist/src/engine/tools/generate.js';
import { loadProblem } from '../dist/src/index.js';
import { chooseSolver } from '../dist/src/problems/choose-solver.js';
import { PROBLEMS } from '../dist/src/problems/registry.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';
import { plotGrowth } from './plots.mjs';
import { describeRun, openRunFolder } from './run-folder.mjs';

const SEED = 'growth';
/** A point: so many boards at the most, so long at the most, the median of so many rounds. */
const BOARDS = 512;
const WARM_MS = 300;
const POINT_MS = 1500;
const ROUNDS = 5;

const { about, keep } = openRunFolder();
const chosen = process.argv.slice(2);
const names = chosen.length > 0 ? chosen : PROBLEMS.map(({ name }) => name);
const results = [];
for (const name of names) results.push(await measure(name));
const text = `${describe()}\n`;
console.log(text);
keep('growth.md', text);
keep('growth.json', `${JSON.stringify({ about, results }, null, 2)}\n`);

async function measure(name) {
  const { sides, density, theory } = fixtureOf(name).growth;
  const problem = await loadProblem(name);
  const points = ['portable', 'simd'].flatMap((series) => {
    const solver = chooseSolver(problem, series);
    return sides.flatMap((side) => {
      const seconds = secondsPerBoard(solver, boardsOf(problem, side, density));
      if (seconds !== null) console.error(`${name} ${series} ${side}: ${formatSeconds(seconds)}`);
      return seconds === null ? [] : [{ series, side, seconds }];
    });
  });
  const series = ['portable', 'simd'].map((name) => describeSeries(points, name, theory[name]));
  const dashed = series.flatMap(({ fitted, name }) =>
    fitted.map((point) => theoryAt(point, fitted.at(-1), name, theory[name])),
  );
  keep(`growth-${name}.svg`, plotGrowth(points, dashed, name));
  return { name, points, series };
}

function theoryAt({ side }, last, series, exponent) {
  return { series, side, seconds: last.seconds * (side / last.side) ** exponent };
}

function describeSeries(points, name, theory) {
  const own = points.filter(({ series }) => series === name);
  // Below the upper half of the sides, start-up and small tables count for more.
  const fitted = own.slice(own.length >> 1);
  const exponent = growthExponent(fitted.map(({ side, seconds }) => ({ x: side, y: seconds })));
  return { name, exponent, theory, fitted };
}

function boardsOf(problem, side, density) {
  const range = { from: side, to: side };
  const source = new BoardSource({
    problem,
    seed: SEED,
    profile: 'random',
    rows: range,
    cols: range,
    density,
  });
  return Array.from({ length: BOARDS }, (_, index) => {
    const { rows, cols, cells } = source.board(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * problem.inputFormat.cellBytes) };
  });
}

/** Null where the kernel left some of the boards to the portable solver. */
function secondsPerBoard(solver, boards) {
  const answers = [];
  const before = solver.fallbackCases;
  const batch = solver.name === 'portable' ? 1 : 64;
  // The compiler settles first; then it shows how many boards a round can afford.
  solveFor(solver, boards, batch, WARM_MS, Number.POSITIVE_INFINITY);
  const count = solveFor(solver, boards, batch, POINT_MS / ROUNDS, boards.length);
  if (solver.fallbackCases > before) return null;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (let at = 0; at < count; at += batch)
      solver.solve(boards.slice(at, at + batch), Math.min(batch, count - at), answers);
    return (performance.now() - begin) / 1000 / count;
  });
  return median(rounds);
}

/** Solves boards, over and over, until time is up or so many are done; returns how many. */
function solveFor(solver, boards, batch, ms, most) {
  const answers = [];
  const begin = performance.now();
  let count = 0;
  while (count < most && performance.now() - begin < ms) {
    const at = count % boards.length;
    solver.solve(boards.slice(at, at + batch), batch, answers);
    count += batch;
  }
  return count;
}

function describe() {
  const parts = results.map(({ name, points, series }) => {
    const sides = [...new Set(points.map(({ side }) => side))];
    const rows = series.map(({ name: solver, exponent, theory }) => [
      solver,
      ...sides.map((side) => {
        const point = points.find((one) => one.series === solver && one.side === side);
        return point === undefined ? '-' : formatSeconds(point.seconds);
      }),
      Number.isFinite(exponent) ? exponent.toFixed(1) : '-',
      String(theory),
    ]);
    const { density, why } = fixtureOf(name).growth;
    return [
      `## ${name}`,
      '',
      `Density ${density.toFixed(2)}. Theory: ${why}.`,
      '',
      markdownTable(['side', ...sides.map(String), 'exponent', 'theory'], rows),
      `![time a case by the side of the board](growth-${name}.svg)`,
      '',
    ].join('\n');
  });
  return [
    '# How cost grows',
    '',
    `Time a case, square boards, solvers alone. ${describeRun(about)}.`,
    '',
    ...parts,
  ].join('\n');
}
