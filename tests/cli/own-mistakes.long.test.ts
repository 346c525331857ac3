/** What happens if the author of a problem has made a mistake: what own-mistakes.test.ts leaves out. */
import { describe, expect, test } from 'vitest';
import { createSums, EQUAL, FRACTIONS, INPUT, NEAR, SUMS } from './own-sums.js';

const { folder, run, solve, check, withChecker, stress } = createSums();
const { write } = folder;

describe('a wrong module or grammar is refused with its place', () => {
  test.each([
    [
      'a wrong default export',
      'sums.mjs',
      'export default 1;',
      './sums.mjs exports something else than a problem',
    ],
    ['a syntax error', 'sums.mjs', 'const a = ;', './sums.mjs:1:11: SyntaxError'],
    ['an import that is missing', 'sums.mjs', "import './no.mjs';", './sums.mjs:1:9: Cannot find'],
  ])('%s in %s', async (_what, file, code, message) => {
    write(file, code);
    write('all.in', INPUT);
    const outcome = await run(['solve', `./${file}`, 'all.in', '--exec', 'cat']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});

describe('what a module prints', () => {
  test('is compared byte by byte only with --exact', async () => {
    const print = "print: (sum, k) => ['\\n' + sum, sum + ' \\r\\n', sum + '\\n\\n\\n', '\\t' + sum][k - 1],";
    const members = `${SUMS} ${print} answer: int(),`;
    const printed = '\n3\n7 \r\n26\n\n\n\t11\n';
    expect(await check(members, printed, ['--exact', '--chunk', '1'])).toMatchObject({ code: 0 });
    const other = printed.replace('\n\n\n', '\n\n');
    expect(await check(members, other)).toMatchObject({ code: 0 });
  });

  test('may be empty lines if the format says so', async () => {
    const members = "solve: ({ a }) => (a === 3 ? '' : 'x'), answer: line({ empty: true }),";
    expect(await solve(members)).toMatchObject({ code: 0, stdout: 'x\n\nx\nx\n' });
    write('all.ans', 'x\n\nx\ny\n');
    const { code, stdout } = await run(['check', './sums.mjs', 'all.in', 'all.ans']);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('all.ans:4:1: case 4: expected x, got y'),
    });
  });
});

describe('which answers are right', () => {
  test('numbers within a tolerance only if there is one', async () => {
    expect(await check(FRACTIONS, NEAR)).toMatchObject({ code: 1 });
    expect(await check(FRACTIONS, NEAR, ['--tolerance', '1e-6'])).toMatchObject({ code: 0 });
    expect(await check(`${FRACTIONS} tolerance: 1e-6,`, NEAR)).toMatchObject({ code: 0 });
  });

  test('what --checker or `equal` accepts for all cases', async () => {
    expect(await check(SUMS, '4\n5\n00\n11\n', withChecker())).toMatchObject({ code: 0 });
    expect(await check(EQUAL, '4\n7\n26\n11\n')).toMatchObject({ code: 0 });
  });

  test('an `equal` that returns a number is the mistake of the author', async () => {
    const { code, stderr } = await check(EQUAL, '3\n7\n26\n60\n');
    expect(code).toBe(2);
    expect(stderr).toContain('problem sums: `equal` must return true, false or a text, but returned 1');
  });

  test('stress compares in the same ways', async () => {
    expect(await stress('(a == 1 ? 99 : a + b)')).toMatchObject({ code: 0 });
    // `equal` decides, and --tolerance does not replace it.
    expect(await stress('a + b', ['--tolerance', '1e-6'])).toMatchObject({ code: 2 });
    expect(await stress('0 (a + b)', ['--checker', 'false'])).toMatchObject({ code: 1 });
    const failed = await stress('9', withChecker());
    expect(failed).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the checker exited with code 3'),
    });
  });
});
