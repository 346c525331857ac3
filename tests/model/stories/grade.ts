/**
 * Tests are graded, new tests are written, and all of them are graded once more: each mutant that was said to be killed by a new
 * test is killed by one, and nothing that was killed is not killed any more.
 */
import fc from 'fast-check';
import { hasPython } from '../../support/programs.js';
import type { World } from '../world.js';
import { defineStory } from './story.js';

/** The numbers of a case are at most this. */
const LARGEST = 2;

/** The larger one of two numbers. All cases can be listed. */
const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'larger',
    input: formats.counted({ a: formats.int(0, ${LARGEST}), b: formats.int(0, ${LARGEST}) }),
    solve: ({ a, b }) => Math.max(a, b),
    answer: formats.int(),
  });`;

/** It has few mutants: each of them is run many times, and Python starts slowly. */
const PROGRAM = `for _ in range(int(input())):
    a, b = map(int, input().split())
    print(a if a > b else b)
`;

interface Plan {
  /** The tests, each a list of cases. */
  readonly tests: readonly (readonly (readonly [number, number])[])[];
  readonly seed: number;
  readonly jobs: number;
}

interface Mutant {
  readonly line: number;
  readonly column: number;
  readonly operator: string;
  readonly to: string;
}

interface Report {
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly (Mutant & { readonly status: string; readonly test?: string })[];
  readonly kills: readonly Mutant[];
  readonly isSearchComplete: boolean;
}

export const grade = defineStory<Plan>({
  name: 'grade',
  what: 'tests are graded, with and without new ones',
  weight: 1,
  isSlow: true,
  features: ['weak tests', 'several workers'],
  plans: fc.record({
    tests: fc.array(fc.array(anyCase(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    seed: fc.nat(999),
    jobs: fc.constantFrom(1, 2),
  }),
  shows: ({ jobs, tests }) => [
    ...(jobs > 1 ? ['several workers'] : []),
    ...(tests.flat().length < 4 ? ['weak tests'] : []),
  ],
  describe: ({ tests, seed, jobs }) => `grade ${JSON.stringify(tests)}, seed ${seed}, -j ${jobs}`,
  play: (world, plan) => (hasPython ? play(world, plan) : Promise.resolve()),
});

function anyCase(): fc.Arbitrary<readonly [number, number]> {
  const number = fc.nat(LARGEST);
  return fc.tuple(number, number);
}

async function play(world: World, { tests, seed, jobs }: Plan): Promise<void> {
  world.put('larger.mjs', Buffer.from(MODULE));
  world.put('right.py', Buffer.from(PROGRAM));
  for (const [i, cases] of tests.entries())
    world.put(
      `tests/${i}.in`,
      Buffer.from(`${cases.length}\n${cases.map((each) => each.join(' ')).join('\n')}\n`),
    );
  const grade = (...words: readonly string[]) =>
    gradeTests(world, [...words, '--seed', `${seed}`, '-j', `${jobs}`]);
  const first = await grade('tests', '--into', 'new');
  const found = first.survivors.filter(({ status }) => status === 'killed by a new test');
  world.expect('all cases of the module can be tried', first.isSearchComplete);
  for (const { test } of found) world.expect(`${test} must be there`, test !== undefined && world.has(test));
  if (found.length === 0) return;

  const second = await grade('tests', 'new');
  world.expect('there are as many mutants as before', second.mutants === first.mutants);
  const killed = new Set(second.kills.map(nameOf));
  const missing = [...first.kills, ...found].map(nameOf).filter((name) => !killed.has(name));
  world.expect(`these mutants must be killed, too: ${missing.join(', ')}`, missing.length === 0);
  world.expect('the tests kill nothing else', second.killed === first.killed + found.length);
  const left = second.survivors.map(({ status }) => status);
  world.expect(
    'a second search must find nothing',
    left.every((status) => status === 'equal on every case'),
  );
}

const nameOf = ({ line, column, operator, to }: Mutant) => `${line}:${column} ${operator} ${to}`;

/** Grades tests. Expects counts that add up, and the exit code that belongs to them. */
async function gradeTests(world: World, words: readonly string[]): Promise<Report> {
  const outcome = await world.run(['grade', './larger.mjs', ...words, '--program', 'right.py', '--json']);
  world.expectOutcome(outcome, { codes: [0, 1] });
  const report: Report = JSON.parse(outcome.stdout);
  const { mutants, killed, survivors } = report;
  const isFound = survivors.some(({ status }) => status === 'killed by a new test');
  world.expectOutcome(outcome, { codes: [isFound ? 1 : 0] });
  world.expect('each mutant is killed or survives', killed + survivors.length === mutants);
  return report;
}
