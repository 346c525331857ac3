/** Tests modules whose cases have a grid: which of them have boards, and how users choose the sizes of these. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { formats } from '../../src/formats/language/formats.js';
import type { RecordValue } from '../../src/formats/language/tree.js';
import type { TreeGrid } from '../../src/formats/tree/grid.js';
import { ModuleCaseGenerator } from '../../src/problems/generated-cases.js';
import { type DefinedProblem, defineProblem } from '../../src/problems/modules/define-problem.js';
import { createModuleProblem } from '../../src/problems/modules/module-problem.js';
import type { CaseColumns } from '../../src/problems/output-columns.js';
import { ANY_BOARDS, type Problem, type RandomCasesRequest } from '../../src/problems/problem.js';
import { runs } from '../support/random-tests.js';

const { counted, either, grid, int, ints, list, many } = formats;

const problemOf = (problem: DefinedProblem<never, never, never>) =>
  createModuleProblem(problem.description, { typed: './g.mjs', url: 'file:///g.mjs' });
const withInput = (input: object) =>
  problemOf(defineProblem({ name: 'g', input } as never) as DefinedProblem<never, never, never>);

const RECTANGLES = withInput(counted({ r: int(1, 3), c: int(1, 'r'), map: grid('r', 'c', '.#') }));

const fixed = (size: number) => ({ from: size, to: size });
const request = (
  wishes: Partial<RandomCasesRequest['boards']>,
  given: Partial<RandomCasesRequest> = {},
): RandomCasesRequest => ({
  seed: '1',
  profile: 'random',
  cases: 5,
  maxSize: null,
  set: null,
  boards: { ...ANY_BOARDS, ...wishes },
  ...given,
});

describe('the board of a case', () => {
  test('is its only grid, with the letters of the input', () => {
    const { caseColumns, inputFormat } = RECTANGLES;
    const text = Buffer.from('2 2\n.#\n..\n');
    const value = inputFormat.createParser().parse(text, 0, text.length, null)!;
    expect(caseColumns?.rows(value)).toBe(2);
    expect(caseColumns?.cols(value)).toBe(2);
    expect(caseColumns?.board(value)).toEqual(['.#', '..']);
  });

  test('has the columns of the same board in a game', async () => {
    const game = await loadProblem('darkraft');
    const text = Buffer.from('2 3\nLRX\nXXL\n');
    const columnsIn = ({ inputFormat, caseColumns }: Problem<never, never>) => {
      const value = inputFormat.createParser().parse(text, 0, text.length, null)!;
      const read = Object.entries(caseColumns as CaseColumns<never>);
      return Object.fromEntries(read.map(([name, of]) => [name, of(value)]));
    };
    const strips = withInput(counted({ r: int(), c: int(), map: grid('r', 'c', 'LRX') }));
    expect(columnsIn(strips as never)).toEqual(columnsIn(game as never));
  });

  test('is not remembered by the grid, so a solver that changes cells sees its changes in the lines', () => {
    const value = RECTANGLES.cases.createSource(request({ rows: fixed(2), cols: fixed(2) })).caseAt(0);
    RECTANGLES.caseColumns!.board(value);
    const map = value.map as TreeGrid;
    map.cells.fill(1);
    expect(map.lines).toEqual(['##', '##']);
  });

  test.each([
    ['two grids', counted({ a: grid(2, 2, '.#'), b: grid(2, 2, '.#') })],
    ['a list of grids', counted({ n: int(1, 3), all: list('n', { a: grid(2, 2, '.#') }) })],
    ['a grid in an alternative', counted({ e: either('t', { A: { a: grid(2, 2, '.#') }, B: {} }) })],
    ['a grid and a list of grids', counted({ a: grid(1, 1, '.'), l: list(1, { b: grid(1, 1, '.') }) })],
    ['no grid', counted({ n: int(1, 3) })],
    ['a grid in the head', counted({ n: int(1, 3) }, { head: { a: grid(2, 2, '.#') } })],
  ])('is missing in cases with %s', (_, input) => {
    const problem = withInput(input);
    expect(problem.caseColumns).toBeUndefined();
    expect(() => problem.cases.createSource(request({ cols: fixed(2) }))).toThrow(
      '--cols is for boards: cases with exactly one grid; g has none',
    );
  });
});

/** A range of sizes, of which the smallest is possible. */
const sizes = fc
  .record({ from: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 0, max: 2 }) })
  .map(({ from, more }) => ({ from, to: Math.min(3, from + more) }));

const isWithin = (size: number, range: { from: number; to: number } | null) =>
  range === null || (size >= range.from && size <= range.to);

describe('--rows and --cols', () => {
  const wishes = fc.record({ rows: fc.option(sizes), cols: fc.option(sizes) });
  /** Whether some boards have these sizes. If only the columns are chosen, the profile may leave too few rows for them. */
  const hasBoard = ({ rows, cols }: { rows: { to: number } | null; cols: { from: number } | null }) =>
    (cols?.from ?? 1) <= (rows?.to ?? 1);

  test.each([
    ['the tag of an alternative', { e: list(1, either('n', { A: {}, B: {}, C: {} })) }, 3],
    ['a number in a list', { e: list(1, { n: int(0, 3) }) }, 4],
    ['a number in an alternative', { e: either('t', { A: { n: int(0, 3) }, B: {} }) }, 5],
  ])('do not choose %s that has the name of the number of rows', (_, namesake, values) => {
    const { cases } = withInput(counted({ ...namesake, n: int(1, 2), g: grid('n', 1, '.#') }));
    const all = [...cases.enumerate!({ rows: fixed(1), cols: null, set: null }).candidatesFrom(0n)];
    expect(new Set(all.map((value) => JSON.stringify(value!.e))).size).toBe(values);
    expect(all.every((value) => value!.n === 1)).toBe(true);
    expect(all.length).toBe(2 * values);
    const source = cases.createSource(request({ rows: fixed(1) }, { cases: 50 }));
    const drawn = Array.from({ length: 50 }, (_, index) => source.caseAt(index));
    expect(new Set(drawn.map(({ e }) => JSON.stringify(e))).size).toBeGreaterThan(1);
    expect(drawn.every(({ n }) => n === 1)).toBe(true);
  });

  test('choose the sizes of drawn boards, whatever the profile and the largest size are', () => {
    const profiles = fc.constantFrom<RandomCasesRequest['profile'][]>('tiny', 'random', 'contest-max');
    fc.assert(
      fc.property(
        wishes.filter(hasBoard),
        profiles,
        fc.option(fc.constant(1)),
        (wished, profile, maxSize) => {
          const source = RECTANGLES.cases.createSource(request(wished, { profile, maxSize }));
          for (let index = 0; index < 5; index++) {
            const { rows, cols } = source.caseAt(index).map as TreeGrid;
            expect(isWithin(rows, wished.rows) && isWithin(cols, wished.cols)).toBe(true);
            expect(cols).toBeLessThanOrEqual(rows);
          }
        },
      ),
    );
  });

  test('leave nothing of what was asked for out under the profile tiny and a largest size', () => {
    const wide = withInput(counted({ r: int(1, 50), map: grid('r', 'r', '.#') }));
    const source = wide.cases.createSource(
      request({ rows: { from: 2, to: 9 } }, { profile: 'tiny', maxSize: 3 }),
    );
    const seen = new Set(Array.from({ length: 200 }, (_, index) => source.caseAt(index).r));
    expect([...seen].sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('list the boards of these sizes in the order of all boards', () => {
    const list = (rows: RandomCasesRequest['boards']['rows'], cols: RandomCasesRequest['boards']['cols']) => {
      const { count, candidatesFrom } = RECTANGLES.cases.enumerate!({ rows, cols, set: null });
      const cases = [...candidatesFrom(0n)].map((value) =>
        JSON.stringify([value!.r, (value!.map as TreeGrid).lines]),
      );
      expect(count).toBe(BigInt(cases.length));
      return cases;
    };
    const all = list(null, null);
    const sizesOf = (text: string): [number, string[]] => JSON.parse(text);
    fc.assert(
      fc.property(wishes, ({ rows, cols }) => {
        const expected = all.filter((text) => {
          const [height, lines] = sizesOf(text);
          return isWithin(height, rows) && isWithin(lines[0].length, cols);
        });
        expect(list(rows, cols)).toEqual(expected);
      }),
      { numRuns: runs(30) },
    );
  });

  test('may choose a size that a number of the head says', () => {
    const problem = withInput(counted({ map: grid('r', 2, '.#') }, { head: { r: int(1, 9) } }));
    const source = problem.cases.createSource(request({ rows: fixed(7) }));
    expect((source.caseAt(0) as { map: TreeGrid }).map.rows).toBe(7);
    expect(Buffer.from(source.head!).toString()).toBe('7 5\n');
    const { count, head } = problem.cases.enumerate!({ rows: fixed(2), cols: null, set: null });
    expect([count, Buffer.from(head!).toString().split(' ')[0]]).toEqual([16n, '2']);
  });

  test.each([
    [
      'rows',
      { from: 2, to: 4 },
      counted({ r: int(1, 3), a: grid('r', 2, '.') }),
      '--rows needs sizes from 1 to 3, got 2..4',
    ],
    [
      'rows',
      fixed(0),
      counted({ r: int(1), a: grid('r', 2, '.') }),
      '--rows needs sizes of at least 1, got 0',
    ],
    ['cols', fixed(3), counted({ r: int(1, 3), a: grid('r', 2, '.') }), '--cols 3: a always has 2 cols'],
    ['cols', fixed(3), counted({ r: int(1, 3), a: grid('r', '2*r', '.') }), 'those of a are 2*r'],
    ['rows', fixed(3), counted({ a: grid(many, 2, '.') }), 'those of a end where the input says'],
  ] as const)('--%s %j is refused', (side, range, input, message) => {
    expect(() => withInput(input).cases.createSource(request({ [side]: range }))).toThrow(message);
  });

  test('of a literal size are accepted if it is among them', () => {
    const problem = withInput(counted({ a: grid(2, 3, '.') }));
    const source = problem.cases.createSource(request({ rows: { from: 1, to: 2 }, cols: fixed(3) }));
    expect(source.caseAt(0).a).toMatchObject({ rows: 2, cols: 3 });
  });

  test('of one number must have a size in common', () => {
    const squares = withInput(counted({ n: int(1, 9), a: grid('n', 'n', '.') }));
    const source = squares.cases.createSource(
      request({ rows: { from: 1, to: 4 }, cols: { from: 4, to: 9 } }),
    );
    expect(source.caseAt(0).n).toBe(4);
    expect(() => squares.cases.createSource(request({ rows: fixed(3), cols: fixed(4) }))).toThrow(
      '--rows and --cols both choose n: give only one of them, or sizes in common',
    );
  });

  test('must be within the bounds of the set', () => {
    const problem = problemOf(
      defineProblem({
        name: 'g',
        input: counted({ n: int(1, 9), a: grid('n', 'n', '.') }),
        contest: { sets: { small: { n: [1, 3] } } },
      }) as DefinedProblem<never, never, never>,
    );
    expect(() => problem.cases.createSource(request({ rows: fixed(4) }, { set: 'small' }))).toThrow(
      '--rows needs sizes from 1 to 3, got 4',
    );
    expect(problem.cases.createSource(request({ rows: fixed(3) }, { set: 'small' })).caseAt(0).n).toBe(3);
  });
});

describe('a module with `generate`', () => {
  const draw = (generate: (bounds: Readonly<Record<string, readonly [number, number]>>) => object) => {
    const definition = defineProblem({
      name: 'g',
      input: counted({ n: int(1, 9), b: ints(1, 0, 5), map: grid('n', 2, '.#') }),
      generate: ({ bounds }) => generate(bounds) as never,
    }) as DefinedProblem<never, never, never>;
    const input = new ModuleCaseGenerator(
      definition,
      problemOf(definition),
      request({ rows: { from: 4, to: 5 } }),
    );
    return Buffer.from(input.caseAt(0)).toString();
  };

  test('gets the sizes in `bounds`, and what it leaves out is drawn within them', () => {
    expect(draw(({ n }) => ({ n: n[1] }))).toMatch(/^5\n/);
    expect(draw(() => ({}) satisfies RecordValue)).toMatch(/^[45]\n/);
  });

  test('is told if it makes boards of other sizes', () => {
    expect(() => draw(() => ({ n: 3 }))).toThrow(
      'problem g: `generate` made case 1 with 3 rows, but --rows asks for 4..5; it gets the sizes in `bounds`',
    );
  });
});
