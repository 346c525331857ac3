/** Tests of `boardmill grade` that run the build, with a small problem and programs in C and Python. */
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { C_PROGRAM, createGradings, type Survivor } from './grade-subjects.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const { folder, prepare, grade } = createGradings();
const { write } = folder;

describe('grade', () => {
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

  test('a mutant that gives one answer to all cases of a grammar is killed, and ends nothing', async () => {
    write('sums.ctd', 'WHILE(!ISEOF)\n  INT(0,9) SPACE INT(0,9) NEWLINE\nEND\n');
    const python =
      'import sys\nfor line in sys.stdin:\n    a, b = map(int, line.split())\n    print(a + b)\n';
    write('sums.py', python);
    write('sums.in', '1 2\n3 4\n5 0\n');
    const args = ['grade', 'sums.ctd', 'sums.in', '--multitest', '--program', 'sums.py'];
    const options = ['--time', '0.001', '--seed', '7', '-j', '1', '--json'];
    const { code, stdout, stderr } = await boardmill([...args, ...options], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, '']);
    const early = JSON.parse(stdout).kills.filter(({ operator }: Survivor) => operator === 'early break');
    expect(early).toMatchObject([{ by: 'sums.in', case: null, how: 'crash' }]);
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
      'larger.mjs is no program in C, C++ or Python in one file, so boardmill can make no mutants of it',
    ],
    [['--program', 'long.c'], 2, 'long.c has more than 131072 bytes, so boardmill makes no mutants of it'],
    [['--program', 'broken.c'], 2, /^broken\.c does not compile: the compiler exited with code 1: .*error/],
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
    write('long.c', `${C_PROGRAM}${' '.repeat(131_072)}`);
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
