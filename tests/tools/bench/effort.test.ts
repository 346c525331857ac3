/**
 * Tests that count the work of the solvers on fixed boards. No clock is used, so a change that makes a solver do more
 * work fails these tests on any machine. If a change makes a solver do less work, write the new numbers into this file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import { createSimdSolver as bacterialTacticsKernel } from '../../../src/games/bacterial-tactics/kernel.js';
import { countSolvingWork as bacterialTactics } from '../../../src/games/bacterial-tactics/solve.js';
import { createSimdSolver as darkraftKernel } from '../../../src/games/darkraft/kernel.js';
import { countSolvingWork as darkraft } from '../../../src/games/darkraft/solve.js';
import { createSimdSolver as linkAndPopKernel } from '../../../src/games/link-and-pop/kernel.js';
import { countSolvingWork as linkAndPop } from '../../../src/games/link-and-pop/solve.js';
import { createSimdSolver as riverPawnKernel } from '../../../src/games/river-pawn/kernel.js';
import { countSolvingWork as riverPawn } from '../../../src/games/river-pawn/solve.js';
import { ANY_BOARDS, type Board, type CaseProfile, type Solver } from '../../../src/problems/problem.js';
import { ROOT } from '../../cli/boardmill.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const SEED = 'effort';

/** Yields generated boards, which are the same on every machine. */
async function* boardsOf(name: string, profile: CaseProfile, count: number): AsyncGenerator<Board> {
  const problem = await loadProblem(name);
  const request = { seed: SEED, profile, cases: count, maxSize: null, set: null, boards: ANY_BOARDS };
  const source = problem.cases.createSource(request);
  for (let index = 0; index < count; index++) yield source.caseAt(index);
}

type Counts = Record<string, number>;

const PORTABLE: [string, (board: Board) => Counts, Counts][] = [
  ['bacterial-tactics', bacterialTactics, { rectangles: 52_202 }],
  ['darkraft', darkraft, { rectangles: 936_000 }],
  ['link-and-pop', linkAndPop, { pops: 8917, turns: 24_259, lines: 58_795 }],
  ['river-pawn', riverPawn, { states: 1_929_284, decided: 1_494_634, levels: 198 }],
];

test.each(PORTABLE)(
  'the portable solver of %s does the expected work on 20 boards of the largest size of the contest',
  async (name, effort, expected) => {
    const total: Counts = {};
    for await (const board of boardsOf(name, 'contest-max', 20)) {
      for (const [unit, count] of Object.entries(effort(board))) total[unit] = (total[unit] ?? 0) + count;
    }
    expect(total).toEqual(expected);
  },
);

type CreateKernel = (wasm: WebAssembly.Module) => Solver<unknown>;

interface KernelCase {
  readonly name: string;
  readonly profile: CaseProfile;
  readonly create: CreateKernel;
  /** The function of the kernel that the solver calls for each group of boards. */
  readonly entry: string;
  readonly expected: { readonly calls: number; readonly fallbackCases: number };
}

const bacteria = { name: 'bacterial-tactics', create: bacterialTacticsKernel };
const dark = { name: 'darkraft', create: darkraftKernel, entry: 'solve' };
const link = { name: 'link-and-pop', create: linkAndPopKernel, entry: 'play' };
const river = { name: 'river-pawn', create: riverPawnKernel, entry: 'solveBoards' };

const KERNELS: KernelCase[] = [
  { ...bacteria, entry: 'solveBits', profile: 'contest-max', expected: { calls: 2, fallbackCases: 0 } },
  { ...bacteria, entry: 'solveBytes', profile: 'contest-max', expected: { calls: 4, fallbackCases: 0 } },
  { ...bacteria, entry: 'solveBits', profile: 'random', expected: { calls: 0, fallbackCases: 0 } },
  { ...bacteria, entry: 'solveBytes', profile: 'random', expected: { calls: 21, fallbackCases: 0 } },
  { ...dark, profile: 'contest-max', expected: { calls: 32, fallbackCases: 0 } },
  { ...dark, profile: 'random', expected: { calls: 32, fallbackCases: 0 } },
  { ...link, profile: 'random', expected: { calls: 512, fallbackCases: 0 } },
  { ...river, profile: 'random', expected: { calls: 1, fallbackCases: 0 } },
];

test.each(KERNELS)(
  'the SIMD solver of $name calls its kernel ($entry) the expected number of times for 512 boards ($profile)',
  async (kernel) => {
    const { name, profile, create, entry, expected } = kernel;
    const boards: Board[] = [];
    for await (const { rows, cols, cells } of boardsOf(name, profile, 512)) {
      boards.push({ rows, cols, cells: cells.slice() });
    }
    const calls = countCalls(entry);
    const wasm = readFileSync(join(ROOT, `build/workers/kernels/${name}.wasm`));
    const solver = create(new WebAssembly.Module(wasm));
    solver.solve(boards, boards.length, []);
    expect({ calls: calls(), fallbackCases: solver.fallbackCases }).toEqual(expected);
  },
);

/**
 * Counts the calls to `entry` of all kernels that are created from now on. The number rises if lanes stay empty or if
 * boards are solved alone. The returned function ends the counting and returns the number.
 */
function countCalls(entry: string): () => number {
  let calls = 0;
  const { Instance } = WebAssembly;
  class CountingInstance {
    readonly exports: WebAssembly.Exports;

    constructor(module: WebAssembly.Module, imports?: Record<string, Record<string, unknown>>) {
      const { exports } = new Instance(module, imports);
      const original = exports[entry] as (...args: number[]) => unknown;
      const counted = (...args: number[]) => {
        calls++;
        return original(...args);
      };
      this.exports = { ...exports, [entry]: counted };
    }
  }
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Instance: { value: CountingInstance } }));
  return () => {
    vi.unstubAllGlobals();
    return calls;
  };
}
