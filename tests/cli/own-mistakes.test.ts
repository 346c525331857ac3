/** What happens if the author of a problem has made a mistake, and how answers are compared as the author or the user wants. */
import { describe, expect, test } from 'vitest';
import { createSums, EQUAL, FRACTIONS, INPUT, NEAR, SUMS } from './own-sums.js';

const { folder, run, writeModule, solve, check, withChecker, stress } = createSums();
const { read, write, names } = folder;

const UNLUCKY = (what: string) => `solve({ a, b }) { if (a === 13) { ${what} } return a + b; },`;

/** What `solve` does in a case, and a part of the message about it. */
const FAILURES: readonly [what: string, code: string, message: string][] = [
  ['an error', "throw new Error('bad luck');", 'bad luck'],
  ['a thrown text', "throw 'bad luck';", 'bad luck'],
  ['nothing thrown', 'throw undefined;', 'undefined'],
  ['a rejected promise', "return Promise.reject(new Error('bad luck'));", 'bad luck'],
  ['an endless recursion', 'const f = () => f() + 1; f();', 'Maximum call stack size exceeded'],
  ['process.exit', 'process.exit(0);', ''],
  [
    'an error that is thrown later, outside of `solve`',
    "setImmediate(() => { throw new Error('bad luck'); }); return new Promise(() => {});",
    '',
  ],
  ['a `print` that throws', "return 'unprintable';", 'bad luck'],
];

/** What `solve` does in a case that only --timeout ends. A blocked thread takes no processor time. */
const HANGING: readonly [what: string, code: string, message: string][] = [
  ['a `solve` that hangs', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', '0.5 s'],
  ['a promise that never settles', 'return new Promise(() => {});', '0.5 s'],
];

describe('a failure of `solve` costs only its case', () => {
  test.each([
    ['', FAILURES, []],
    [', with --timeout', HANGING, ['--timeout', '0.5']],
  ] as const)('under --on-error mark, whatever it is%s', async (_, failures, args) => {
    const branches = failures.map(([, code], i) => `if (a === ${i}) { ${code} }`);
    const members = `solve({ a, b }) { ${branches.join(' ')} return a + b; },
      print(sum) { if (sum === 'unprintable') throw new Error('bad luck'); return String(sum); },`;
    const input = `${2 * failures.length}\n${failures.map((_each, i) => `20 ${i}\n${i} 7\n`).join('')}`;
    const { code, stdout, stderr } = await solve(
      members,
      ['--on-error', 'mark', '--chunk', '1', ...args],
      input,
    );
    const answers = failures.map((_each, i) => `${20 + i}\nERROR\n`).join('');
    expect({ code, stdout }).toEqual({ code: 1, stdout: answers });
    for (const [i, [what, , message]] of failures.entries()) {
      const line = stderr
        .split('\n')
        .find((each) => each.includes(`all.in:${2 * i + 3}:1: case ${2 * i + 2}: `));
      expect(line, what).toContain(message);
    }
  });

  test('under --on-error stop, the answers before it are written and the case is saved', async () => {
    const { code, stdout, stderr } = await solve(UNLUCKY("throw new Error('bad luck');"));
    expect({ code, stdout }).toEqual({ code: 4, stdout: '3\n7\n' });
    expect(stderr).toContain('all.in:4:1: case 3: its solver failed: bad luck');
    const saved = names().find((name) => !['all.in', 'sums.mjs'].includes(name))!;
    expect(stderr).toContain(saved);
    expect(read(saved)).toBe('1\n13 13\n');
  });
});

test('a mistake in what a module prints ends the run with exit code 2, also under --on-error mark', async () => {
  // tests/problems/module-solver.test.ts has the others.
  const { code, stdout, stderr } = await solve("solve: () => 'a\\nb',", ['--on-error', 'mark']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('sums printed an answer that its format `answer` does not read');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('under --on-error mark, the cases before such a mistake are written, marked or answered', async () => {
  const mistaken = 'solve({ a, b }) { return a === 13 ? undefined : a + b; },';
  const input = '4\n1 2\n3 x\n4 5\n13 13\n';
  const { code, stdout, stderr } = await solve(mistaken, ['--on-error', 'mark'], input);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '3\nERROR\n9\n' });
  expect(stderr).toContain('all.in:3:3: case 2: ');
  expect(stderr).toContain('all.in:5:1: case 4: solve returned undefined');
});

describe('what a module prints', () => {
  test('goes to standard output byte by byte, with a line end if it has none', async () => {
    const print = "print: (sum, k) => ['\\n' + sum, sum + ' \\r\\n', sum + '\\n\\n\\n', '\\t' + sum][k - 1],";
    const members = `solve: ({ a, b }) => a + b, ${print} answer: int(),`;
    const printed = '\n3\n7 \r\n26\n\n\n\t11\n';
    expect(await solve(members)).toEqual({ code: 0, stdout: printed, stderr: '' });
    write('all.ans', printed.replace('\n\n\n', '\n\n'));
    const check = await run(['check', './sums.mjs', 'all.in', 'all.ans', '-j', '1', '--exact']);
    expect(check).toMatchObject({ code: 1, stdout: expect.stringContaining('4 cases: 1 differs') });
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
  // tests/problems/modules.test.ts has all mistakes.
  test.each([
    ['no default export', 'sums.mjs', 'export const a = 1;', './sums.mjs has no default export'],
    [
      'an unknown name in a count',
      'sums.mjs',
      "import { defineProblem, formats } from 'boardmill';\nexport default defineProblem({ name: 'sums', input: formats.counted({ n: formats.int(), a: formats.ints('m') }) });",
      './sums.mjs:2:16: problem sums: input.a: its count is "m"',
    ],
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

test('a bad input is positioned', async () => {
  const inputs: [name: string, input: string, message: string][] = [
    ['huge-token', `2\n1 2\n3 ${'9'.repeat(1 << 20)}\n`, ':3:3: case 2: expected b'],
    ['fraction', '2\n1 2\n3 4.5\n', ':3:3: case 2: expected b'],
    ['missing-value', '2\n1 2\n3\n', ': case 2: expected b'],
    ['one-case-too-many', '1\n1 2\n3 4\n', ':3:1: '],
    ['no-number-of-cases', 'x\n', ':1:1: expected the number of cases'],
    ['nothing', '', ':1:1: '],
    ['a-byte-that-is-not-a-text', '2\n1 2\n\u00ff 1\n', ':3:1: case 2: expected a'],
  ];
  writeModule('solve: ({ a, b }) => a + b,');
  for (const [name, input] of inputs) write(`${name}.in`, input);
  const files = inputs.map(([name]) => `${name}.in`);
  const { code, stdout, stderr } = await run(['solve', './sums.mjs', '-j', '1', ...files]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  for (const [name, , message] of inputs) {
    const lines = stderr.split('\n').filter((line) => line.includes(`${name}.in:`));
    expect(lines.join('\n'), name).toMatch(new RegExp(`${name}\\.in(:\\d+:\\d+)?${message}`));
    expect(lines.join('\n').length).toBeLessThan(1000);
  }
  expect(names().filter((name) => name.endsWith('.ans'))).toEqual([]);
});

describe('which answers are right', () => {
  /** The differences of an answer file whose second answer is not near the right one. */
  const ONE_DIFFERS = {
    code: 1,
    stdout: expect.stringMatching(/^mine\.ans:2:1: case 2: .*\n4 cases: 1 differs/),
  };

  test('numbers within --tolerance', async () => {
    const far = NEAR.replace('0.75', '0.76');
    expect(await check(FRACTIONS, far, ['--tolerance', '1e-6'])).toMatchObject(ONE_DIFFERS);
    expect(await check(FRACTIONS, NEAR, ['--tolerance', 'much'])).toMatchObject({ code: 2 });
  });

  test('numbers within the tolerance of the module', async () => {
    const tolerant = `${FRACTIONS} tolerance: 1e-6,`;
    expect(await check(tolerant, NEAR.replace('0.75', '0.76'))).toMatchObject(ONE_DIFFERS);
  });

  test('what --checker accepts', async () => {
    const { code, stdout } = await check(SUMS, '7\n8\n00\n11\n', withChecker());
    expect(code).toBe(1);
    expect(stdout).toContain('mine.ans:1:1: case 1: expected 3, got 7: seven is never right');
    expect(stdout).toContain('4 cases: 2 differ');
  });

  test('a checker that fails ends the run', async () => {
    const { code, stderr } = await check(SUMS, '3\n9\n26\n11\n', withChecker());
    expect(code).toBe(4);
    expect(stderr).toContain('case 2: the checker exited with code 3: who is nine?');
  });

  test('what `equal` of the module accepts', async () => {
    const { code, stdout } = await check(EQUAL, '4\n50\n27\n11\n');
    expect(code).toBe(1);
    expect(stdout).toContain('mine.ans:2:1: case 2: expected 7, got 50: fifty is too much');
    expect(stdout).toContain('mine.ans:3:1: case 3: expected 26, got 27\n');
    expect(stdout).toContain('4 cases: 2 differ');
  });

  test('`equal` of the module is not replaced by --tolerance, but by --checker', async () => {
    expect(await check(EQUAL, '4\n50\n27\n11\n', ['--tolerance', '1e-6'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--tolerance cannot be used with ./sums.mjs, whose `equal` decides which answers are right',
      ),
    });
    const checked = await check(EQUAL, '7\n7\n26\n11\n', withChecker());
    expect(checked.stdout).toContain('case 1: expected 3, got 7: seven is never right');
  });

  test('an `equal` that throws is the mistake of the author', async () => {
    const { code, stderr } = await check(EQUAL, '3\n7\n26\n100\n');
    expect(code).toBe(2);
    expect(stderr).toContain('problem sums: `equal` failed: a hundred');
  });

  test('an `equal` or a checker that hangs ends the run with its case', async () => {
    const hanging = `${SUMS} answer: int(), equal() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); },`;
    const { code, stderr } = await check(hanging, '3\n8\n26\n11\n', ['--timeout', '0.3']);
    expect(code).toBe(2);
    expect(stderr).toContain('./sums.mjs: `equal` has not returned within 0.3 s for case 2');
    const slow = await check(SUMS, '3\n7\n26\n11\n', ['--timeout', '0.3', '--checker', "sh -c 'sleep 999'"]);
    expect(slow.code).toBe(4);
    expect(slow.stderr).toContain('case 1: the checker has not ended within 0.3 s');
  });

  test('stress compares in the same ways', async () => {
    const wrong = await stress('(a == 2 ? 50 : a + b)');
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('fifty is too much') });
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
