/** Tests of `boardmill grade` that run the build, with a small problem and programs in C and Python. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { write, names } = folder;

/** Ten times the larger of two numbers, and how far apart they are. All cases can be listed. */
const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'larger',
    input: formats.counted({ a: formats.int(0, 5), b: formats.int(0, 5) }),
    solve: ({ a, b }) => 10 * Math.max(a, b) + Math.abs(a - b),
    print: (answer, number) => \`Case #\${number}: \${answer}\`,
    answer: formats.labelled('Case #', formats.int()),
  });`;

const C_PROGRAM = `#include <stdio.h>
int main(void) {
  int cases, a, b;
  scanf("%d", &cases);
  for (int i = 1; i <= cases; i++) {
    scanf("%d %d", &a, &b);
    int larger = a;
    if (b > a) larger = b;
    printf("Case #%d: %d\\n", i, 11 * larger - (a + b - larger));
  }
  return 0;
}
`;

const PYTHON_PROGRAM = `import sys
numbers = list(map(int, sys.stdin.read().split()))
for case in range(numbers[0]):
    a, b = numbers[2 * case + 1], numbers[2 * case + 2]
    larger = a if a > b else b
    print("Case #%d: %d" % (case + 1, 10 * larger + abs(a - b)))
`;

const grade = (...args: string[]) =>
  boardmill(['grade', './larger.mjs', ...args, '--seed', '7', '-j', '1'], { cwd: folder.path });

interface Survivor {
  readonly line: number;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

function prepare(): void {
  write('larger.mjs', MODULE);
  write('right.c', C_PROGRAM);
  write('right.py', PYTHON_PROGRAM);
  write('weak.in', '1\n3 3\n');
}

describe('grade', () => {
  test('finds tests for what weak tests do not kill, and with them nothing is left that a test could kill', async () => {
    prepare();
    const first = await grade('weak.in', '--program', 'right.c', '--into', 'new', '--json');
    expect([first.code, first.stderr]).toEqual([1, '']);
    const report = JSON.parse(first.stdout);
    expect(report.killed).toBeLessThan(report.mutants);
    const statusOf = (from: string, to: string) =>
      report.survivors.find((each: Survivor) => each.from === from && each.to === to)?.status;
    expect(statusOf('b > a', '0')).toBe('killed by a new test');
    // Both numbers are equal then, so this mutant is right on all 36 cases.
    expect(statusOf('b > a', 'b >= a')).toBe('equal on every case');
    const inputs = readdirSync(folder.at('new')).filter((name) => name.endsWith('.in'));
    expect(inputs.length).toBeGreaterThan(0);
    for (const name of inputs) {
      const answers = ['check', './larger.mjs', `new/${name}`, `new/${name.replace('.in', '.ans')}`];
      expect((await boardmill(answers, { cwd: folder.path })).code).toBe(0);
    }
    const second = await grade('weak.in', 'new', '--program', 'right.c', '--json');
    expect(second.code).toBe(0);
    const again = JSON.parse(second.stdout);
    const killedByNew = report.survivors.filter(({ status }: Survivor) => status === 'killed by a new test');
    expect(again.killed).toBe(report.killed + killedByNew.length);
    expect(again.survivors.map(({ status }: Survivor) => status)).not.toContain('killed by a new test');
  });

  test('the same seed gives the same report, and nothing is written without --into', async () => {
    prepare();
    const before = names();
    // The default time limit is measured.
    const args = ['--program', 'right.c', '--timeout', '5'];
    const [first, second] = [await grade('weak.in', ...args), await grade('weak.in', ...args)];
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout).toMatch(
      /^the tests kill \d+ of \d+ mutants \(\d+ %\); \d+ new tests? kills? \d+ more/m,
    );
    expect(first.stdout).toMatch(/^right\.c:8:\d+: .*: killed by a new test$/m);
    expect(names()).toEqual(before);
  });

  test('mutants of a program in Python are killed, too, and a search without time leaves the others undecided', async () => {
    prepare();
    write('two.in', '2\n3 3\n1 5\n');
    const { code, stdout } = await grade('two.in', '--program', 'right.py', '--time', '0.001', '--json');
    const { mutants, killed, survivors, isSearchComplete } = JSON.parse(stdout);
    expect([code, isSearchComplete, survivors.length]).toEqual([0, false, mutants - killed]);
    expect(killed).toBeGreaterThan(mutants / 2);
    expect(new Set(survivors.map(({ status }: Survivor) => status))).toEqual(new Set(['undecided']));
  });

  test('the report counts mutants by operator and by place, and says which case kills which', async () => {
    prepare();
    write('two.in', '2\n3 3\n1 5\n');
    const { stdout } = await grade('two.in', '--program', 'right.c', '--json');
    const report = JSON.parse(stdout);
    const sum = (scores: { mutants: number; killed: number }[]) =>
      scores.reduce(
        ({ mutants, killed }, each) => ({ mutants: mutants + each.mutants, killed: killed + each.killed }),
        {
          mutants: 0,
          killed: 0,
        },
      );
    const all = { mutants: report.mutants, killed: report.killed };
    expect([sum(report.operators), sum(report.places)]).toEqual([all, all]);
    const kill = report.kills.find(({ from, to }: Survivor) => from === 'b > a' && to === '0');
    expect(kill).toMatchObject({ by: 'two.in', case: 2, how: 'wrong' });
  });

  test('cases for which the right program takes too long kill nothing, and no mutant is called equal on them', async () => {
    prepare();
    write('slow.c', C_PROGRAM.replace('int larger = a;', 'int larger = a;\n    while (a == 5 && b == 4) {}'));
    const { code, stdout } = await grade(
      'weak.in',
      '--program',
      'slow.c',
      '--timeout',
      '0.2',
      '--time',
      '8',
      '--json',
    );
    const statuses = JSON.parse(stdout).survivors.map(({ status }: Survivor) => status);
    expect(code).toBe(statuses.includes('killed by a new test') ? 1 : 0);
    expect(statuses).not.toContain('equal on every case');
    expect(statuses).toContain('undecided');
  });

  test('code that the preprocessor leaves out has no mutants', async () => {
    prepare();
    write('two.in', '2\n3 3\n1 5\n');
    const parts = [
      '#ifdef DEBUG\nint debug(int a) {\n#if 1\n  return a < 2;\n#endif\n  return a > 3; }',
      '#else\nint other(int a) { return a < 4; }\n#endif',
      '#if 0\nint third(int a) { return a < 5; }\n#endif\n',
    ];
    write('conditions.c', `${parts.join('\n')}${C_PROGRAM}`);
    const args = ['--program', 'conditions.c', '--time', '0.001', '--json'];
    const { survivors, kills } = JSON.parse((await grade('two.in', ...args)).stdout);
    const places = [...survivors, ...kills].filter(({ line }: Survivor) => line <= 12);
    expect(new Set(places.map(({ line }: Survivor) => line))).toEqual(new Set([8]));
  });

  test('a program that is not right is refused, with the case on which it is wrong', async () => {
    prepare();
    write('wrong.c', C_PROGRAM.replace('b > a', 'b < a'));
    write('two.in', '2\n3 3\n1 5\n');
    const { code, stderr } = await grade('two.in', '--program', 'wrong.c');
    expect(code).toBe(4);
    expect(stderr).toBe(
      'boardmill: wrong.c is not right: two.in, case 2: expected 54, got 6; grade needs right programs\n',
    );
  });

  test.each([
    [[], 2, 'missing option --program: it names a right program'],
    [
      ['--program', 'larger.mjs'],
      2,
      'larger.mjs: boardmill makes mutants of single files in C, C++ and Python, and this is none',
    ],
    [['--program', 'broken.c'], 2, /^broken\.c: .*error/],
    [['--program', 'right.c', '--program', 'right.c'], 2, '--program right.c was given twice'],
    [['--program', 'missing.c'], 2, 'cannot open missing.c'],
    [
      ['--program', 'right.c', '--into', 'right.py'],
      2,
      /^cannot create files in right\.py: .*right\.py is not a folder/,
    ],
    [
      ['--program', 'right.c', '--into', 'right.py/new'],
      2,
      /^cannot create files in right\.py\/new: .*right\.py is not a folder/,
    ],
  ])('grade %j fails with exit code %i', async (args, expected, message) => {
    prepare();
    write('broken.c', 'int main(void) { return x; }\n');
    const { code, stderr } = await grade('weak.in', ...args);
    expect([code, stderr.split('boardmill: ')[1]]).toEqual([
      expected,
      message instanceof RegExp ? expect.stringMatching(message) : expect.stringContaining(message),
    ]);
  });

  test('an invalid test ends the grading with exit code 3', async () => {
    prepare();
    write('bad.in', '1\n3 9\n');
    const { code, stderr } = await grade('bad.in', '--program', 'right.c');
    expect(code).toBe(3);
    expect(stderr).toContain('bad.in');
  });
});
