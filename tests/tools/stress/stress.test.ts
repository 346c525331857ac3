/** Tests when the search of `stress` ends, and which failures it counts as different. */

import { describe, expect, test } from 'vitest';
import { Deadline } from '../../../src/core/deadline.js';
import { TOKEN_COMPARATOR } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import { Recovery } from '../../../src/engine/recover.js';
import { formats } from '../../../src/formats/language/formats.js';
import { problem } from '../../../src/games/darkraft/index.js';
import { defineProblem } from '../../../src/problems/modules/define-problem.js';
import type { ProblemDefinition } from '../../../src/problems/modules/definition.js';
import { createModuleProblem } from '../../../src/problems/modules/module-problem.js';
import { ANY_BOARDS, type Problem, type RandomCasesRequest } from '../../../src/problems/problem.js';
import {
  type BatchGroups,
  type CaseBatch,
  drawRandomRounds,
  generateRoundInputs,
} from '../../../src/tools/cases/batches.js';
import { createRandomCaseGenerator } from '../../../src/tools/cases/draw.js';
import { type Counterexample, type StressOptions, stressSolver } from '../../../src/tools/stress/stress.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { InProcess } from '../../support/in-process.js';
import { bytesOf } from '../../support/inputs.js';

const solver = new InProcess(problem);

const NO_SIGNAL = new AbortController().signal;

const stuckSolver = dispatcherOf(() => new Promise(() => {}));

/** Returns a solver that fails as `failureOf` says, and otherwise gives the right answers. */
function solverWith(failureOf: (input: string) => ChunkFailure | null): Dispatcher {
  return dispatcherOf(async (task) => {
    const failure = failureOf(Buffer.from(task.bytes).toString());
    if (failure !== null) throw failure;
    return solver.solve(task);
  });
}

const failsOn = (pattern: RegExp, kind: ChunkFailure['kind'] = 'crash') =>
  solverWith((input) => (pattern.test(input) ? new ChunkFailure(kind, `${kind}!`, null) : null));

const ROUNDS = {
  seed: '1',
  rounds: Number.POSITIVE_INFINITY,
  jobs: 1,
  casesPerBatch: 40,
  boards: ANY_BOARDS,
};

const rounds = (options: Partial<typeof ROUNDS> = {}) =>
  drawRandomRounds({
    ...ROUNDS,
    ...options,
    problem,
    openDrawer: (request) => createRandomCaseGenerator(problem, request),
  });

test('cases grow although the sum over the cases of an input is bounded', async () => {
  const { int, ints, counted } = formats;
  const { description } = defineProblem({
    name: 'shared',
    input: counted({ n: int(1, 1000), a: ints('n') }, { cases: int(1, 1000), total: { n: 1000 } }),
    answer: { sum: int() },
  }) as unknown as ProblemDefinition;
  const shared = createModuleProblem(description, {
    typed: './shared.mjs',
    url: 'file:///shared.mjs',
  }) as Problem;
  const openDrawer = (request: RandomCasesRequest) => createRandomCaseGenerator(shared, request);
  const drawn = drawRandomRounds({ ...ROUNDS, rounds: 6, casesPerBatch: 1000, problem: shared, openDrawer });
  const sizes: number[] = [];
  for await (const batches of drawn)
    for (const { cases } of batches)
      sizes.push(Math.max(...cases.map((bytes) => Number.parseInt(Buffer.from(bytes).toString(), 10))));
  expect(Math.max(...sizes)).toBe(3);
});

const batchOf = (text: string, savedAs: string | null = null): CaseBatch => ({
  origin: 'a test',
  round: savedAs === null ? 1 : null,
  head: copyHeadToSharedMemory(null),
  cases: [bytesOf(text)],
  savedAs,
});

/** Cuts batches into groups of `jobs`. */
async function* groupBatches(batches: readonly CaseBatch[], jobs: number): BatchGroups {
  for (let at = 0; at < batches.length; at += jobs) yield batches.slice(at, at + jobs);
}

/** Runs a search. Returns its result, and what was found as texts: "crash 1 1 L". */
async function search(tested: Dispatcher, options: Partial<StressOptions>, trusted: Dispatcher = solver) {
  const recovery = (dispatcher: Dispatcher) => new Recovery(dispatcher, { retries: 0, onRetry: () => {} });
  const counterexamples: Counterexample[] = [];
  const result = await stressSolver({
    problem,
    trustedSolver: recovery(trusted),
    testedSolver: recovery(tested),
    comparator: TOKEN_COMPARATOR,
    groups: rounds(),
    failuresWanted: 1,
    jobs: 1,
    areValid: async () => true,
    deadline: new Deadline(Number.POSITIVE_INFINITY, NO_SIGNAL),
    caseSeconds: 0,
    shrinkSeconds: 10,
    onProgress: () => {},
    onFailure: async (counterexample) => void counterexamples.push(counterexample),
    ...options,
  });
  const found = counterexamples.map(({ failure, shrunkCases }) =>
    `${failure.kind} ${Buffer.concat(shrunkCases)}`.replace(/\s+/g, ' ').trim(),
  );
  return { ...result, found, counterexamples };
}

describe('the end of a search', () => {
  test('a round that does not end in time is given up, and counts for nothing', async () => {
    const limits = () => ({ deadline: new Deadline(0.1, NO_SIGNAL), caseSeconds: 0.1 });
    const cutOff = { rounds: 0, cases: 0, failures: 0, ending: { kind: 'cut-off' } };
    expect(await search(stuckSolver, limits())).toMatchObject(cutOff);
    expect(await search(solver, limits(), stuckSolver)).toMatchObject(cutOff);
  });

  test('a search without a time limit ends after its rounds, and knows the largest board', async () => {
    const result = await search(solver, { groups: rounds({ rounds: 4 }) });
    expect(result).toMatchObject({ rounds: 4, cases: 160, ending: { kind: 'tried-all' } });
    expect(result.largest.board).toEqual({ rows: 3, cols: 3 });
  });

  test('a trusted solver without an answer ends the search, which reports the failures before it', async () => {
    const groups = groupBatches(
      ['1 1\nL\n', '1 1\nX\n', '1 1\nR\n'].map((text) => batchOf(text)),
      2,
    );
    const result = await search(failsOn(/L/), { groups, failuresWanted: 9 }, failsOn(/X/, 'timeout'));
    expect(result.found).toEqual(['crash 1 1 L']);
    expect(result.ending).toMatchObject({
      kind: 'undecided',
      error: { kind: 'worker', reason: 'timeout!', caseBytes: Buffer.from('1 1\nX\n') },
    });
  });

  test('a search for a failure of a solver that hangs on a case among others names this case', async () => {
    const batch = { ...batchOf(''), cases: ['1 1\nL\n', '1 2\nXX\n', '1 1\nR\n'].map(bytesOf) };
    const tested = dispatcherOf(async (task) => {
      if (task.isSolvedOneByOne) throw new ChunkFailure('timeout', 'slow!', { from: 2, to: 2 });
      return failsOn(/XX/, 'timeout').solve(task);
    });
    const { counterexamples } = await search(tested, { groups: groupBatches([batch], 1), shrinkSeconds: 0 });
    expect(counterexamples[0].failure).toMatchObject({ kind: 'timeout' });
    expect(counterexamples[0].shrunkCases).toEqual([bytesOf('1 2\nXX\n')]);
  });
});

describe('the deadline', () => {
  /** Counts the runs of two programs. Each takes a second, and none starts after the deadline. */
  function countRuns(seconds: number) {
    const clock = { runs: 0 };
    const deadline = new Deadline(seconds - 0.5, NO_SIGNAL, () => clock.runs * 1000);
    const timed = (dispatcher: Dispatcher): Dispatcher =>
      dispatcherOf(async (task) => {
        const runs = task.isSolvedOneByOne ? task.starts.length - 1 : 1;
        for (let run = 0; run < runs; run++) {
          deadline.assertTimeLeft();
          clock.runs++;
        }
        return dispatcher.solve(task);
      });
    return { clock, deadline, timed };
  }

  const plain = dispatcherOf((task) => solver.solve(task));
  const [manyL, lateL] = [failsOn(/L/), failsOn(/L/, 'timeout')];

  test.each([
    { what: 'the search', tested: plain, trusted: plain },
    { what: 'shrinking', tested: manyL, trusted: plain },
    { what: 'one case after another', tested: lateL, trusted: plain },
    { what: 'narrowing down a failure of the reference', tested: plain, trusted: lateL },
  ])(
    '$what starts no run after the deadline, and the reference is not blamed',
    async ({ tested, trusted }) => {
      for (let seconds = 1; seconds <= 30; seconds++) {
        const { clock, deadline, timed } = countRuns(seconds);
        const groups = rounds({ rounds: 1000, casesPerBatch: 20 });
        const failuresWanted = 99;
        const result = await search(timed(tested), { deadline, groups, failuresWanted }, timed(trusted));
        expect(clock.runs).toBe(seconds);
        expect(result.ending).toEqual({ kind: 'time-up' });
      }
    },
  );

  test('cases that are not shrunk by the deadline do not count as a different failure', async () => {
    for (let seconds = 1; seconds <= 60; seconds++) {
      const { deadline, timed } = countRuns(seconds);
      const groups = rounds({ rounds: 1000, casesPerBatch: 20 });
      const { found, failures } = await search(
        timed(manyL),
        { deadline, groups, failuresWanted: 9 },
        timed(plain),
      );
      expect(found.slice(1)).toEqual([]);
      expect(failures).toBe(found.length);
    }
  });

  test('what was found by the deadline is reported, as small as it is by then', async () => {
    const lengths: number[] = [];
    for (let seconds = 2; seconds <= 200; seconds += 3) {
      const { deadline, timed } = countRuns(seconds);
      const groups = groupBatches(
        [{ ...batchOf(''), cases: ['2 2\nXX\nXX\n', '3 3\nXXX\nXLX\nXXX\n'].map(bytesOf) }],
        1,
      );
      const { counterexamples } = await search(
        timed(manyL),
        { deadline, groups, shrinkSeconds: 1e9 },
        timed(plain),
      );
      expect(counterexamples).toHaveLength(1);
      const [{ shrunkCases, failure }] = counterexamples;
      expect(failure).toMatchObject({ kind: 'crash', expected: expect.any(Uint8Array) });
      expect(Buffer.from(failure.expected).toString().trim().split('\n')).toHaveLength(shrunkCases.length);
      lengths.push(Buffer.concat(shrunkCases).length);
    }
    expect(lengths[0]).toBe('2 2\nXX\nXX\n3 3\nXXX\nXLX\nXXX\n'.length);
    expect(lengths.at(-1)).toBe('1 1\nL\n'.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  });

  test('a failure in a round that the deadline has cut is reported, and only compared cases count', async () => {
    const texts = ['1 1\nX\n', '1 1\nL\n', '1 1\nR\n'];
    const [early, cut] = [2, 5].map(countRuns);
    const groups = () =>
      groupBatches(
        texts.map((text) => batchOf(text)),
        3,
      );
    const none = await search(early.timed(plain), { deadline: early.deadline, groups: groups() });
    expect(none).toMatchObject({ rounds: 0, cases: 2, lastRoundCases: 2, ending: { kind: 'time-up' } });
    const { found, cases } = await search(cut.timed(manyL), {
      deadline: cut.deadline,
      groups: groups(),
      failuresWanted: 9,
    });
    expect({ found, cases }).toEqual({ found: ['crash 1 1 L'], cases: 3 });
  });
});

describe('different failures', () => {
  const tested = solverWith((input) => {
    if (/L.*L/s.test(input)) return new ChunkFailure('timeout', 'slow!', null);
    if (/R/.test(input)) return new ChunkFailure('crash', 'dead!', null);
    return null;
  });

  test('failures differ by their kind and by their smallest cases, and each is reported once', async () => {
    const groups = rounds({ rounds: 12, casesPerBatch: 1 });
    const { found, ending, failures } = await search(tested, {
      groups,
      failuresWanted: 99,
      shrinkSeconds: 60,
    });
    expect(ending.kind).toBe('tried-all');
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(failures);
    expect(found).toEqual(expect.arrayContaining(['crash 1 1 R', 'timeout 1 2 LL']));
  });

  test('a failure does not hide other failures in its batch, whether answers are wrong or missing', async () => {
    const lists = ['1 1\nR\n', '1 1\nL\n', '2 2\nXX\nXX\n', '1 1\nX\n'].map((text) => bytesOf(text));
    const groups = () => groupBatches([{ ...batchOf(''), cases: lists }], 1);
    const crashing = await search(failsOn(/1 1\nR|2 2/), { groups: groups(), failuresWanted: 9 });
    expect(crashing.found.map((each) => each.slice(0, 9)).toSorted()).toEqual(['crash 1 1', 'crash 2 2']);
    // It gives a wrong answer to every case.
    const lying = dispatcherOf(async (task) => {
      const { output, ...result } = await solver.solve(task);
      const text = Buffer.from(output).toString();
      const swapped = text.replace(/WIN|LOSE/g, (word) => (word === 'WIN' ? 'LOSE' : 'WIN'));
      return { ...result, output: Uint8Array.from(Buffer.from(swapped)) };
    });
    const wrong = await search(lying, { groups: groups(), failuresWanted: 9, areValid: async () => false });
    // No case can be shrunk here, so each wrong answer is found with the cases after it.
    expect(wrong.found).toHaveLength(lists.length);
  });

  test('the search stops after the wanted number of failures', async () => {
    const groups = rounds({ casesPerBatch: 1 });
    const { found, ending } = await search(tested, { groups, failuresWanted: 2 });
    expect(ending.kind).toBe('found');
    expect(found).toHaveLength(2);
  });

  test('a case that was saved before is reported as it is, and not found again', async () => {
    const batches = [batchOf('1 1\nR\n', 'a.in'), batchOf('2 2\nRX\nXX\n', 'b.in'), batchOf('2 2\nRX\nXX\n')];
    const { found, regressionCases, cases } = await search(tested, {
      groups: groupBatches(batches, 2),
      failuresWanted: 9,
    });
    expect(found).toEqual(['crash 1 1 R', 'crash 2 2 RX XX']);
    expect({ regressionCases, cases }).toEqual({ regressionCases: 2, cases: 1 });
  });

  test('a smaller case that the trusted solver cannot solve is not a counterexample', async () => {
    const groups = groupBatches([batchOf('3 3\nXXX\nXRX\nXXX\n')], 1);
    const trusted = solverWith((input) => (input.length < 7 ? new ChunkFailure('crash', 'no!', null) : null));
    const { found, ending } = await search(tested, { groups }, trusted);
    expect(ending.kind).toBe('found');
    expect(found[0]).toMatch(/^crash (1 2|2 1) /);
  });
});

test('printed rounds are the same for any number of inputs at the same time', async () => {
  const print = async (round: number) => ({
    head: copyHeadToSharedMemory(null),
    cases: [],
    command: `gen ${round}`,
  });
  for (const jobs of [1, 3, 8]) {
    const origins: string[] = [];
    for await (const group of generateRoundInputs({ seed: '1', rounds: 4, jobs }, print))
      origins.push(...group.map(({ origin }) => origin));
    expect(origins).toEqual([1, 2, 3, 4].map((round) => `round ${round} (gen ${round})`));
  }
});
