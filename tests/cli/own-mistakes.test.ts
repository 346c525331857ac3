/** What happens if the author of a problem has made a mistake, and how answers are compared as the author or the user wants. */
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { read, write, names } = folder;

const run = (args: readonly string[], stdin = '') => boardmill(args, { cwd: folder.path, stdin });

/** Writes the module sums.mjs, whose cases are pairs of integers. `members` are what it defines apart from its format. */
function writeModule(members: string): void {
  write(
    'sums.mjs',
    `import { defineProblem, formats } from 'boardmill';
     const { int, line, lines, counted, labelled } = formats;
     export default defineProblem({
       name: 'sums',
       input: counted({ a: int(), b: int() }),
       ${members}
     });`,
  );
}

const INPUT = '4\n1 2\n3 4\n13 13\n5 6\n';
const solve = (members: string, args: readonly string[] = [], input = INPUT) => {
  writeModule(members);
  write('all.in', input);
  return run(['solve', './sums.mjs', 'all.in', '-j', '1', ...args]);
};

const UNLUCKY = (what: string) => `solve({ a, b }) { if (a === 13) { ${what} } return a + b; },`;

describe('a failure of `solve` costs only its case', () => {
  const MARKED = '3\n7\nERROR\n11\n';

  test.each([
    ['an error', "throw new Error('bad luck');", 'bad luck'],
    ['a thrown text', "throw 'bad luck';", 'bad luck'],
    ['nothing thrown', 'throw undefined;', 'undefined'],
    ['a rejected promise', "return Promise.reject(new Error('bad luck'));", 'bad luck'],
    ['an endless recursion', 'const f = () => f() + 1; f();', 'Maximum call stack size exceeded'],
  ])('%s, under --on-error mark', async (_what, code, message) => {
    const { stderr, ...outcome } = await solve(UNLUCKY(code), ['--on-error', 'mark']);
    expect(outcome).toEqual({ code: 1, stdout: MARKED });
    expect(stderr).toContain('all.in:4:1: case 3: ');
    expect(stderr).toContain(message);
  });

  test('under --on-error stop, the answers before it are written and the case is saved', async () => {
    const { code, stdout, stderr } = await solve(UNLUCKY("throw new Error('bad luck');"));
    expect({ code, stdout }).toEqual({ code: 4, stdout: '3\n7\n' });
    expect(stderr).toContain('all.in:4:1: case 3: its solver failed: bad luck');
    const saved = names().find((name) => !['all.in', 'sums.mjs'].includes(name))!;
    expect(stderr).toContain(saved);
    expect(read(saved)).toBe('1\n13 13\n');
  });

  test('a `solve` that hangs, with --timeout', async () => {
    const args = ['--on-error', 'mark', '--timeout', '1'];
    const { code, stdout, stderr } = await solve(UNLUCKY('for (;;);'), args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: MARKED });
    expect(stderr).toMatch(/all\.in:4:1: case 3: .*1 s/);
  });

  test('a promise that never settles, with --timeout', async () => {
    const args = ['--on-error', 'mark', '--timeout', '1'];
    const { code, stdout } = await solve(UNLUCKY('return new Promise(() => {});'), args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: MARKED });
  });

  test('process.exit', async () => {
    const { code, stdout, stderr } = await solve(UNLUCKY('process.exit(0);'), ['--on-error', 'mark']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: MARKED });
    expect(stderr).toContain('all.in:4:1: case 3: ');
  });

  test('an error that is thrown later, outside of `solve`', async () => {
    const later = "setImmediate(() => { throw new Error('bad luck'); }); return new Promise(() => {});";
    const { code, stdout } = await solve(UNLUCKY(later), ['--on-error', 'mark']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: MARKED });
  });

  test('a `print` that throws', async () => {
    const members = `solve: ({ a, b }) => a + b,
      print(sum) { if (sum === 26) throw new Error('bad luck'); return String(sum); },`;
    const { code, stdout, stderr } = await solve(members, ['--on-error', 'mark']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: MARKED });
    expect(stderr).toContain('bad luck');
  });
});

describe('a mistake in what a module prints ends the run with exit code 2', () => {
  test.each([
    [
      'print returns no string',
      'solve: () => 1, print: () => 7,',
      'print of sums must return a string, but returned 7',
    ],
    ['no print for an object', 'solve: () => ({}),', 'define `print`'],
    ['no result', 'solve() {},', 'solve returned undefined'],
    [
      'two lines for a line',
      "solve: () => 'a\\nb',",
      'sums printed an answer that its format `answer` does not read',
    ],
    ['no integer', "solve: () => 'a', answer: int(),", 'expected an integer, got "a"'],
    ['another label', "solve: () => 1, answer: labelled('Case #'),", 'after "Case #1:"'],
    ['an empty line', "solve: () => '',", 'does not read'],
  ])('%s', async (_what, members, message) => {
    const { code, stdout, stderr } = await solve(members, ['--on-error', 'mark']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('what a module prints', () => {
  test('goes to standard output byte by byte, with a line end if it has none', async () => {
    const print = "print: (sum, k) => ['\\n' + sum, sum + ' \\r\\n', sum + '\\n\\n\\n', '\\t' + sum][k - 1],";
    const members = `solve: ({ a, b }) => a + b, ${print} answer: int(),`;
    const printed = '\n3\n7 \r\n26\n\n\n\t11\n';
    expect(await solve(members)).toEqual({ code: 0, stdout: printed, stderr: '' });
    write('all.ans', printed);
    const check = (exact: readonly string[]) =>
      run(['check', './sums.mjs', 'all.in', 'all.ans', '-j', '1', ...exact]);
    expect(await check(['--exact', '--chunk', '1'])).toMatchObject({ code: 0 });
    write('all.ans', printed.replace('\n\n\n', '\n\n'));
    expect(await check(['--exact'])).toMatchObject({ code: 1 });
    expect(await check([])).toMatchObject({ code: 0 });
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

  test('with console.log goes to standard error', async () => {
    const { code, stdout, stderr } = await solve(
      "solve({ a, b }) { console.log('at', a); process.stdout.write('!\\n'); return a + b; },",
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '3\n7\n26\n11\n' });
    expect(stderr).toContain('at 13\n!\n');
  });
});

describe('a wrong module or grammar is refused with its place', () => {
  test.each([
    ['no default export', 'sums.mjs', 'export const a = 1;', './sums.mjs has no default export'],
    [
      'a wrong default export',
      'sums.mjs',
      'export default 1;',
      './sums.mjs exports something else than a problem',
    ],
    [
      'an unknown name in a count',
      'sums.mjs',
      "import { defineProblem, formats } from 'boardmill';\nexport default defineProblem({ name: 'sums', input: formats.counted({ n: formats.int(), a: formats.ints('m') }) });",
      './sums.mjs:2:16: problem sums: input.a: its count is "m"',
    ],
    ['a syntax error', 'sums.mjs', 'const a = ;', './sums.mjs:1:11: SyntaxError'],
    ['an import that is missing', 'sums.mjs', "import './no.mjs';", './sums.mjs:1:9: Cannot find'],
    ['a syntax error', 'sums.ctd', 'INT(1, 2) NEWLINE\nREP(\n', 'sums.ctd:'],
    [
      'an unknown variable',
      'sums.ctd',
      'INT(1, 2, t) NEWLINE\nREP(t) INT(1, x) NEWLINE END EOF\n',
      'sums.ctd:2:15: ',
    ],
  ])('%s in %s', async (_what, file, code, message) => {
    write(file, code);
    write('all.in', INPUT);
    const outcome = await run(['solve', `./${file}`, 'all.in', '--exec', 'cat']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});

describe('a bad input is positioned', () => {
  test.each([
    ['a huge token', `2\n1 2\n3 ${'9'.repeat(1 << 20)}\n`, 'all.in:3:3: case 2: expected b'],
    ['a fraction', '2\n1 2\n3 4.5\n', 'all.in:3:3: case 2: expected b'],
    ['a missing value', '2\n1 2\n3\n', 'case 2: expected b'],
    ['one case too many', '1\n1 2\n3 4\n', 'all.in:3:1: '],
    ['no number of cases', 'x\n', 'all.in:1:1: expected the number of cases'],
    ['nothing at all', '', 'all.in:1:1: '],
    ['a byte that is not a text', '2\n1 2\n\u00ff 1\n', 'all.in:3:1: case 2: expected a'],
  ])('%s', async (_what, input, message) => {
    const { code, stdout, stderr } = await solve('solve: ({ a, b }) => a + b,', [], input);
    expect(code).toBe(3);
    expect('3\n').toContain(stdout);
    expect(stderr).toContain(message);
    expect(stderr.length).toBeLessThan(1000);
  });
});

describe('which answers are right', () => {
  const ROOTS = 'solve: ({ a, b }) => a / b, answer: formats.number(),';
  const check = async (members: string, answers: string, args: readonly string[] = []) => {
    writeModule(members);
    write('all.in', INPUT);
    write('mine.ans', answers);
    return run(['check', './sums.mjs', 'all.in', 'mine.ans', '-j', '1', ...args]);
  };
  const NEAR = '0.5000001\n0.7500001\n1.0\n0.8333333\n';

  test('numbers within --tolerance', async () => {
    expect(await check(ROOTS, NEAR)).toMatchObject({ code: 1 });
    expect(await check(ROOTS, NEAR, ['--tolerance', '1e-6'])).toMatchObject({ code: 0 });
    const { code, stdout } = await check(ROOTS, NEAR.replace('0.75', '0.76'), ['--tolerance', '1e-6']);
    expect(code).toBe(1);
    expect(stdout).toContain('mine.ans:2:1: case 2: ');
    expect(await check(ROOTS, NEAR, ['--tolerance', 'much'])).toMatchObject({ code: 2 });
  });

  test('numbers within the tolerance of the module', async () => {
    const tolerant = `${ROOTS} tolerance: 1e-6,`;
    expect(await check(tolerant, NEAR)).toMatchObject({ code: 0 });
    expect(await check(tolerant, NEAR.replace('0.75', '0.76'))).toMatchObject({ code: 1 });
  });

  const CHECKER = `
    const { readFileSync } = require('fs');
    const [input, output, answer] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8').trim());
    if (output === '7') { console.error('seven is never right'); process.exit(1); }
    if (output === '8') process.exit(2);
    if (output === '9') { console.error('who is nine?'); process.exit(3); }
    process.exit(input.startsWith('1\\n') && output.length === answer.length ? 0 : 1);
  `;
  const SUMS = 'solve: ({ a, b }) => a + b,';
  const withChecker = ['--checker', `'${process.execPath}' checker.cjs`];

  test('what --checker accepts', async () => {
    write('checker.cjs', CHECKER);
    expect(await check(SUMS, '4\n5\n00\n11\n', withChecker)).toMatchObject({ code: 0 });
    const { code, stdout } = await check(SUMS, '7\n8\n00\n11\n', withChecker);
    expect(code).toBe(1);
    expect(stdout).toContain('mine.ans:1:1: case 1: expected 3, got 7: seven is never right');
    expect(stdout).toContain('4 cases: 2 differ');
  });

  test('a checker that fails ends the run', async () => {
    write('checker.cjs', CHECKER);
    const { code, stderr } = await check(SUMS, '3\n9\n26\n11\n', withChecker);
    expect(code).toBe(4);
    expect(stderr).toContain('case 2: the checker exited with code 3: who is nine?');
  });

  const EQUAL = `${SUMS} answer: int(),
    equal(expected, got, { a }) {
      if (got === 100) throw new Error('a hundred');
      if (got === 50) return 'fifty is too much';
      if (got === 60) return 1;
      return a === 1 && got > expected;
    },`;

  test('what `equal` of the module accepts', async () => {
    expect(await check(EQUAL, '4\n7\n26\n11\n')).toMatchObject({ code: 0 });
    const { code, stdout } = await check(EQUAL, '4\n50\n27\n11\n');
    expect(code).toBe(1);
    expect(stdout).toContain('mine.ans:2:1: case 2: expected 7, got 50: fifty is too much');
    expect(stdout).toContain('mine.ans:3:1: case 3: expected 26, got 27\n');
  });

  test.each([
    ['throws', '100', 'problem sums: `equal` failed: a hundred'],
    ['returns a number', '60', 'problem sums: `equal` must return true, false or a text, but returned 1'],
  ])('an `equal` that %s is the mistake of the author', async (_what, answer, message) => {
    const { code, stderr } = await check(EQUAL, `3\n7\n26\n${answer}\n`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('an `equal` or a checker that hangs ends the run with its case', async () => {
    const hanging = `${SUMS} answer: int(), equal() { for (;;); },`;
    const { code, stderr } = await check(hanging, '3\n8\n26\n11\n', ['--timeout', '0.3']);
    expect(code).toBe(2);
    expect(stderr).toContain('./sums.mjs: `equal` has not returned within 0.3 s for case 2');
    const slow = await check(SUMS, '3\n7\n26\n11\n', ['--timeout', '0.3', '--checker', "sh -c 'sleep 999'"]);
    expect(slow.code).toBe(4);
    expect(slow.stderr).toContain('case 1: the checker has not ended within 0.3 s');
  });

  test('stress compares in the same ways', async () => {
    writeModule(`${EQUAL} valid: ({ a, b }) => a > 0 && b > 0 || 'not positive',
      generate: ({ index }) => ({ a: index === 0 ? 2 : 1, b: 3 }),`);
    write('checker.cjs', CHECKER);
    const program = (answer: string) => {
      write(
        'program.cjs',
        `const [, ...all] = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);
         for (let i = 0; i < all.length; i += 2) { const [a, b] = [all[i], all[i + 1]]; console.log(${answer}); }`,
      );
      const exec = `'${process.execPath}' program.cjs`;
      return ['stress', './sums.mjs', '--exec', exec, '--seed', '1', '--rounds', '2', '-j', '1'];
    };
    expect(await run(program('a === 1 ? 99 : a + b'))).toMatchObject({ code: 0 });
    const wrong = await run(program('a === 2 ? 50 : a + b'));
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('fifty is too much') });
    expect(await run([...program('a + b + 1e-9'), '--tolerance', '1e-6'])).toMatchObject({ code: 1 });
    expect(await run([...program('"0" + (a + b)'), '--checker', 'false'])).toMatchObject({ code: 1 });
    const failed = await run([...program('9'), ...withChecker]);
    expect(failed).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the checker exited with code 3'),
    });
  });
});

test.each([
  ['({ index }) => ({ m: 5 })', '`generate` returned a field m; a case has a, b'],
  ['async () => ({ a: 1 })', '`generate` must not be async: it returned a Promise'],
])("generate: %s is the author's mistake", async (generate, mistake) => {
  writeModule(`generate: ${generate},`);
  const { code, stderr } = await run(['generate', './sums.mjs', '--cases', '2', '--seed', '1']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(mistake) });
});

test('fields that generate leaves out fit those that it makes', async () => {
  write(
    'lists.mjs',
    `import { defineProblem, formats } from 'boardmill';
     const { int, ints, counted } = formats;
     export default defineProblem({
       name: 'lists', input: counted({ n: int(1, 1000), a: ints('n', 0, 9) }), generate: () => ({ n: 5 }),
     });`,
  );
  const { code, stdout } = await run(['generate', './lists.mjs', '--cases', '3', '--seed', '1']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^3\n(5\n\d( \d){4}\n){3}$/);
});

test('generate makes no other number of cases than a contest file may have', async () => {
  write(
    'few.mjs',
    `import { defineProblem, formats } from 'boardmill';
     const cases = formats.int(1, 3);
     export default defineProblem({ name: 'few', input: formats.counted({ n: formats.int(1, 5) }, { cases }) });`,
  );
  const { code, stdout, stderr } = await run(['generate', './few.mjs', '--cases', '4', '--seed', '1']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--cases 4: an input of few has 1 to 3 cases');
});

test('generate makes only one case of a problem whose input is one case', async () => {
  write(
    'one.mjs',
    `import { defineProblem, formats } from 'boardmill';
     export default defineProblem({ name: 'one', input: formats.single({ n: formats.int(1, 5) }) });`,
  );
  const { code, stdout, stderr } = await run(['generate', './one.mjs', '--cases', '6', '--seed', '1']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--cases 6: an input of one is one case');
});
