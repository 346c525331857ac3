/**
 * Measures how the time per case grows with the size of the board, and compares the growth with the theory. Only the
 * solvers run, on one core.
 *
 *   npm run build && node bench/growth.mjs [problem..]
 *
 * Writes growth.md, growth.json and a plot for each problem to runs/<date-machine>/.
 */

import { loadProblem, PROBLEMS } from '../build/src/catalog/registry.js';
import { chooseSolver } from '../build/src/problems/choose-solver.js';
import { formatSeconds } from '../build/src/tools/bench/numbers.js';
import { growthExponent, median } from '../build/src/tools/bench/statistics.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';
import { plotGrowth } from './plots.mjs';
import { describeMachine, openRunFolder } from './run-folder.mjs';

const SEED = 'growth';
/** Number of boards that are generated for each board size. One round solves at most this many boards. */
const BOARDS_PER_SIZE = 512;
/** Duration of the warm-up of a solver for each board size, in milliseconds. */
const WARM_UP_MS = 300;
/** Approximate duration of all rounds for one solver and one board size, in milliseconds. */
const MEASURE_MS = 1500;
/** Number of measured rounds for each solver and board size. The result is the median of these rounds. */
const ROUNDS = 5;

const { about, writeResult } = openRunFolder();
const chosen = process.argv.slice(2);
const problemNames = chosen.length > 0 ? chosen : PROBLEMS.map(({ name }) => name);
const results = [];
for (const name of problemNames) results.push(await measureProblem(name));
const reportText = `${formatReport()}\n`;
console.log(reportText);
writeResult('growth.md', reportText);
writeResult('growth.json', `${JSON.stringify({ about, results }, null, 2)}\n`);

async function measureProblem(name) {
  const { sides, density, theory } = fixtureOf(name).growth;
  const problem = await loadProblem(name);
  /** @type {('portable' | 'simd')[]} */
  const solvers = problem.solvers.createSimd === undefined ? ['portable'] : ['portable', 'simd'];
  const points = solvers.flatMap((series) => {
    const solver = chooseSolver(problem, series);
    return sides.flatMap((side) => {
      const seconds = secondsPerBoard(solver, boardsOf(problem, side, density));
      if (seconds !== null) console.error(`${name} ${series} ${side}: ${formatSeconds(seconds)}`);
      return seconds === null ? [] : [{ series, side, seconds }];
    });
  });
  const series = solvers.map((name) => fitSeries(points, name, theory[name]));
  const theoryPoints = series.flatMap(({ fitted, name }) =>
    fitted.map((point) => theoryAt(point, fitted.at(-1), name, theory[name])),
  );
  writeResult(`growth-${name}.svg`, plotGrowth(points, theoryPoints, name));
  return { name, points, series };
}

/**
 * Returns the time per board that the theory predicts for boards with this side. The prediction is scaled so that it is
 * exact for the largest measured board.
 */
function theoryAt({ side }, largest, series, exponent) {
  return { series, side, seconds: largest.seconds * (side / largest.side) ** exponent };
}

/** Fits the growth exponent of one solver to its times for the larger half of the board sizes. */
function fitSeries(points, name, theory) {
  const seriesPoints = points.filter(({ series }) => series === name);
  const fitted = seriesPoints.slice(seriesPoints.length >> 1);
  const exponent = growthExponent(fitted.map(({ side, seconds }) => ({ x: side, y: seconds })));
  return { name, exponent, theory, fitted };
}

function boardsOf(problem, side, density) {
  const range = { from: side, to: side };
  const source = problem.cases.createSource({
    seed: SEED,
    profile: 'random',
    cases: BOARDS_PER_SIZE,
    maxSize: null,
    set: null,
    boards: { rows: range, cols: range, density },
  });
  return Array.from({ length: BOARDS_PER_SIZE }, (_, index) => {
    const { rows, cols, cells } = source.caseAt(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * problem.inputFormat.cellBytes) };
  });
}

/** Measures the seconds that a solver takes per board. Returns null if the kernel cannot solve some of the boards. */
function secondsPerBoard(solver, boards) {
  const answers = [];
  const fallbackCasesBefore = solver.fallbackCases;
  const batch = solver.name === 'portable' ? 1 : 64;
  // The first call of solveFor is a warm-up for the compiler. The second call finds out how many boards a round can
  // solve.
  solveFor(solver, boards, batch, WARM_UP_MS, Number.POSITIVE_INFINITY);
  const count = solveFor(solver, boards, batch, MEASURE_MS / ROUNDS, boards.length);
  if (solver.fallbackCases > fallbackCasesBefore) return null;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (let start = 0; start < count; start += batch)
      solver.solve(boards.slice(start, start + batch), Math.min(batch, count - start), answers);
    return (performance.now() - begin) / 1000 / count;
  });
  return median(rounds);
}

/**
 * Solves the boards repeatedly, until `ms` milliseconds have passed or `maxBoards` boards are solved. Returns the number
 * of solved boards.
 */
function solveFor(solver, boards, batch, ms, maxBoards) {
  const answers = [];
  const begin = performance.now();
  let count = 0;
  while (count < maxBoards && performance.now() - begin < ms) {
    const start = count % boards.length;
    solver.solve(boards.slice(start, start + batch), batch, answers);
    count += batch;
  }
  return count;
}

function formatReport() {
  const parts = results.map(({ name, points, series }) => {
    const sides = [...new Set(points.map(({ side }) => side))];
    const rows = series.map(({ name: solver, exponent, theory }) => [
      solver,
      ...sides.map((side) => {
        const point = points.find((each) => each.series === solver && each.side === side);
        return point === undefined ? '-' : formatSeconds(point.seconds);
      }),
      Number.isFinite(exponent) ? exponent.toFixed(1) : '-',
      String(theory),
    ]);
    const { density, why } = fixtureOf(name).growth;
    return [
      `## ${name}`,
      '',
      `The density of the boards is ${density.toFixed(2)}. Theory: ${why}`,
      '',
      markdownTable(['side', ...sides.map(String), 'exponent', 'theory'], rows),
      `![Time per case by side of the board](growth-${name}.svg)`,
      '',
    ].join('\n');
  });
  return [
    '# How the time per case grows with the board',
    '',
    `The tables show the time per case for square boards. Only the solvers run, on one core. ${describeMachine(about)}.`,
    '',
    ...parts,
  ].join('\n');
}
