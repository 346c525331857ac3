/**
 * Proofs for small boards: the oracles and all solvers of each problem agree on every board of the smallest sizes. The
 * numbers of boards stand in docs/reliability.md.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { createSimdSolver as createBacteria } from '../../src/games/bacterial-tactics/kernel.js';
import { createSimdSolver as createDarkraft } from '../../src/games/darkraft/kernel.js';
import { createSimdSolver as createLinks } from '../../src/games/link-and-pop/kernel.js';
import { createSimdSolver as createPawns } from '../../src/games/river-pawn/kernel.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { solveLiterally as solveBacteria } from '../oracles/bacterial-tactics.js';
import { solveLiterally as solveDarkraft } from '../oracles/darkraft.js';
import { solveLiterally as solveLinks } from '../oracles/link-and-pop.js';
import { solveLiterally as solvePawns } from '../oracles/river-pawn.js';
import { everyBoard } from '../support/every-board.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const KERNELS = new URL('../../build/workers/kernels/', import.meta.url);

interface Proof {
  readonly name: string;
  readonly oracle: (board: Board) => unknown;
  /** Missing if the game has no kernel. */
  readonly createSimd?: (kernel: WebAssembly.Module) => Solver<unknown>;
  /** The sizes, as rows and columns `A..B`. */
  readonly sizes: readonly string[];
  /** Number of boards of these sizes. */
  readonly boards: number;
}

const PROOFS: readonly Proof[] = [
  {
    name: 'bacterial-tactics',
    oracle: solveBacteria,
    createSimd: createBacteria,
    sizes: ['1..4 x 1..4', '2..3 x 5', '5 x 2..3', '1 x 5..11', '5..11 x 1'],
    boards: 150_666,
  },
  {
    name: 'darkraft',
    oracle: solveDarkraft,
    createSimd: createDarkraft,
    sizes: ['1..2 x 1..4', '3..4 x 1..2', '1 x 5..7', '5..7 x 1'],
    boards: 21_216,
  },
  {
    name: 'link-and-pop',
    oracle: solveLinks,
    createSimd: createLinks,
    sizes: ['1..2 x 1..2', '1 x 3..4', '3..4 x 1'],
    boards: 29_480,
  },
  {
    name: 'river-pawn',
    oracle: solvePawns,
    createSimd: createPawns,
    sizes: ['2..3 x 1..3', '4..7 x 1', '4 x 2', '2 x 4'],
    boards: 20_000,
  },
];

function rangeOf(text: string) {
  const [from, to = from] = text.split('..').map(Number);
  return { from, to };
}

function answersOf(solver: Solver<unknown>, boards: readonly Board[]): unknown[] {
  const answers: unknown[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}

const PAGE = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

describe.each(PROOFS)('$name', ({ name, oracle, createSimd, sizes, boards: count }) => {
  test('the oracle and all solvers agree on every board of the smallest sizes', async () => {
    const parts = await Promise.all(
      sizes.map((size) => everyBoard(name, rangeOf(size.split(' x ')[0]), rangeOf(size.split(' x ')[1]))),
    );
    const boards = parts.flat();
    expect(boards.length).toBe(count);
    const expected = boards.map(oracle);
    expect(answersOf((await loadProblem(name)).solvers.createPortable(), boards)).toEqual(expected);
    if (createSimd === undefined) return;
    const simd = createSimd(loadPlainKernel(name, KERNELS));
    expect(answersOf(simd, boards)).toEqual(expected);
    expect(simd.fallbackCases).toBe(0);
    const line = `| ${name} | ${sizes.join(', ').replaceAll('..', ' to ')} | ${count.toLocaleString('en-US')} |`;
    expect(PAGE).toContain(line);
  });
});
