/** Tests which answers of a module are refused, because their digits may be wrong or nobody can read them, and what the messages advise. */
import { expect, test } from 'vitest';
import { TreeAnswerFormat } from '../../src/formats/answers/answers.js';
import { formats } from '../../src/formats/language/formats.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';
import { ModuleSolver } from '../../src/problems/modules/module-solver.js';
import type { CaseFailure } from '../../src/problems/problem.js';

const { int, labelled, single } = formats;
const input = single({ n: int() });

async function solve(problem: ReturnType<typeof defineProblem<unknown, unknown, unknown>>): Promise<unknown> {
  const answers: unknown[] = [];
  const solver = new ModuleSolver(problem, new TreeAnswerFormat(problem.description.answer));
  await solver.solve(
    [{ n: 1 }],
    1,
    answers as Parameters<typeof solver.solve>[2],
    {
      firstCase: 1,
      head: {},
    } as Parameters<typeof solver.solve>[3],
  );
  return answers[0];
}

test('an integer above 2^53 must be a bigint, unless the author allows other digits', async () => {
  const large = 2 ** 60;
  expect(await solve(defineProblem({ name: 'a', input, solve: () => large }))).toMatchObject({
    reason: 'solve returned 1152921504606847000, a number above 2^53, which is not exact: return a bigint',
  });
  expect(await solve(defineProblem({ name: 'a', input, solve: () => BigInt(large) }))).toMatchObject({
    printed: '1152921504606846976',
  });
  for (const exact of [2 ** 53 - 1, 1e15, 0.5, -7])
    expect(await solve(defineProblem({ name: 'a', input, solve: () => exact }))).toMatchObject({
      printed: String(exact),
    });
  expect(await solve(defineProblem({ name: 'a', input, tolerance: 1e-6, solve: () => 1e20 }))).toMatchObject({
    printed: '100000000000000000000',
  });
});

test('an answer that int() cannot read names bigint()', async () => {
  const answer = await solve(defineProblem({ name: 'a', input, answer: int(), solve: () => 2n ** 60n }));
  expect(answer).toMatchObject({
    reason: expect.stringContaining('int() reads integers up to 2^53, bigint() reads integers of any size'),
  });
  const long = defineProblem({ name: 'a', input, answer: int(), solve: () => '9'.repeat(9_000_000) });
  expect(await solve(long)).toMatchObject({ reason: expect.stringContaining('got "99999') });
  const small = await solve(defineProblem({ name: 'a', input, answer: int(), solve: () => 'x' }));
  expect(small).toMatchObject({ reason: expect.not.stringContaining('bigint') });
});

test.each([
  [
    'print returns no string',
    defineProblem({ name: 'a', input, solve: () => 1, print: () => 7 as unknown as string }),
    'print of a must return a string, but returned 7',
  ],
  [
    'no print for an object',
    defineProblem({ name: 'a', input, solve: () => ({}) as number }),
    'define `print`',
  ],
  [
    'no result',
    defineProblem({ name: 'a', input, solve: () => undefined as unknown as number }),
    'solve returned undefined',
  ],
  [
    'no integer',
    defineProblem({ name: 'a', input, answer: int(), solve: () => 'a' }),
    'expected an integer, got "a"',
  ],
  [
    'another label',
    defineProblem({ name: 'a', input, answer: labelled('Case #'), solve: () => 1 }),
    'after "Case #1:"',
  ],
  ['an empty line', defineProblem({ name: 'a', input, solve: () => '' }), 'does not read'],
] as const)("an author's mistake in what is printed: %s", async (_what, problem, message) => {
  expect(await solve(problem)).toMatchObject({ reason: expect.stringContaining(message) });
});

/** Solves four cases with n from 1 to 4. Returns whether the solver has returned a promise, the answers, and the nimbers. */
async function solveFour(solveOne: (n: number) => unknown, hasNimbers = false) {
  const problem = defineProblem({
    name: 'a',
    input: formats.untilEnd({ n: int() }),
    solve: ({ n }) => solveOne(n) as number,
    ...(hasNimbers ? { nimber: async ({ n }: { n: number }) => n + 10 } : {}),
  });
  const solver = new ModuleSolver(problem, new TreeAnswerFormat(problem.description.answer));
  const answers: Parameters<typeof solver.solve>[2] = [];
  const nimbers: number[] = [];
  const context = { firstCase: 1, head: {}, ...(hasNimbers ? { nimbers } : {}) };
  const solving = solver.solve([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }], 4, answers, context);
  await solving;
  const shown = answers.map((answer) =>
    'printed' in answer ? answer.printed : (answer as CaseFailure).reason,
  );
  return { isPromise: solving instanceof Promise, answers: shown, nimbers };
}

test.each([
  ['at once', (n: number) => '1 '.repeat(n)],
  ['later', async (n: number) => '1 '.repeat(n)],
])(
  'the length of an answer that comes %s is that of the case in the input, although `solve` changes it',
  async (_, ones) => {
    const spoilt = { given: 3, asked: 3 };
    const problem = defineProblem({
      name: 'a',
      input: single({ n: int() }),
      answer: { v: formats.ints('n') },
      solve: (value) => {
        value.n = spoilt.given;
        return ones(spoilt.asked);
      },
      print: (text: string) => text,
    });
    const right = { reason: expect.stringContaining('expected 1 integer') };
    // A case of one integer: three are too many, although the changed case asks for them.
    expect(await solve(problem as never)).toMatchObject(right);
    spoilt.asked = 1;
    expect(await solve(problem as never)).toMatchObject({ printed: '1 ' });
  },
);

test('a solver whose `solve` returns no promise returns none either', async () => {
  const fail = (n: number) => {
    if (n === 2) throw new Error('bad luck');
    return n;
  };
  expect(await solveFour(fail)).toMatchObject({
    isPromise: false,
    answers: ['1', 'its solver failed: bad luck', '3', '4'],
  });
});

test('promises among the results of `solve` are awaited in turn, and one that is rejected fails only its case', async () => {
  const started: number[] = [];
  const mixed = (n: number) => {
    started.push(n);
    if (n === 1) return n;
    // biome-ignore lint/suspicious/noThenProperty: whatever can be awaited counts as a promise
    if (n === 3) return { then: (resolve: (value: number) => void) => resolve(30) };
    return Promise.resolve().then(() => {
      if (n === 2) throw new Error('bad luck');
      expect(started).toEqual([1, 2, 3, 4]);
      return 40;
    });
  };
  expect(await solveFour(mixed)).toMatchObject({
    isPromise: true,
    answers: ['1', 'its solver failed: bad luck', '30', '40'],
  });
});

test('each answer comes with the nimber of its case', async () => {
  expect(await solveFour((n) => (n === 3 ? Promise.reject(new Error('bad luck')) : n), true)).toMatchObject({
    answers: ['1', '2', 'its solver failed: bad luck', '4'],
    nimbers: [11, 12, undefined, 14],
  });
});
