/**
 * Measures the portable and the SIMD solver of each problem alone, without files and threads. The boards have the
 * contest's largest size in one series, and random sizes in another. Run this program before and after a change to a
 * solver. The package mitata measures and prints the times.
 *
 *   npm run build && node bench/solvers.mjs [problem..]
 */
import { bench, group, run, summary } from 'mitata';
import { loadProblem, PROBLEMS } from '../build/src/catalog/registry.js';
import { chooseSolver } from '../build/src/problems/choose-solver.js';
import { ANY_BOARDS } from '../build/src/problems/problem.js';

const SEED = 'solvers';
/** Number of boards that are solved together. The printed times are for all these boards together. */
const BOARDS_PER_BATCH = 64;

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : PROBLEMS.map((entry) => entry.name)) {
  for (const profile of ['contest-max', 'random']) await register(await loadProblem(name), profile);
}
await run();

async function register(problem, profile) {
  const boards = boardsOf(problem, profile);
  group(`${problem.name}, ${BOARDS_PER_BATCH} ${profile} boards`, () => {
    summary(() => {
      /** @type {('portable' | 'simd')[]} */
      const choices = problem.solvers.createSimd === undefined ? ['portable'] : ['portable', 'simd'];
      for (const choice of choices) {
        const solver = chooseSolver(problem, choice);
        const answers = [];
        bench(choice, () => solver.solve(boards, BOARDS_PER_BATCH, answers));
      }
    });
  });
}

function boardsOf(problem, profile) {
  const source = problem.cases.createSource({
    seed: SEED,
    profile,
    cases: BOARDS_PER_BATCH,
    maxSize: null,
    set: null,
    boards: ANY_BOARDS,
  });
  return Array.from({ length: BOARDS_PER_BATCH }, (_, index) => {
    const { rows, cols, cells } = source.caseAt(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * problem.inputFormat.cellBytes) };
  });
}
