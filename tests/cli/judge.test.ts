/** Tests of `boardmill judge` that run the build: programs that fail in every way, and where the right answers come from. */
import { chmodSync, mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read, write, names } = folder;

const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'squares',
    input: formats.counted({ a: formats.int(0, 1000) }),
    solve: ({ a }) => a * a,
    print: (answer, number) => \`Case #\${number}: \${answer}\`,
    answer: formats.labelled('Case #', formats.int()),
  });`;

/** An awk program that answers right, and does \`other\` before the answer to the number 7. */
const program = (other: string) => `#!/usr/bin/awk -f
NR > 1 {
  if ($1 == 7) { ${other} }
  print "Case #" NR - 1 ": " $1 * $1; fflush()
}
`;

const PROGRAMS: Readonly<Record<string, string>> = {
  right: '',
  wrong: '$1 = 8',
  // It sleeps, so that the programs beside it keep their processor.
  slow: 'system("exec sleep 60")',
  crashing: 'exit 3',
  greedy: 's = "x"; while (1) s = s s',
  chatty: 'print "hello"',
};

const input = (numbers: readonly number[]) => `${numbers.length}\n${numbers.join('\n')}\n`;
const answers = (numbers: readonly number[]) =>
  numbers.map((number, index) => `Case #${index + 1}: ${number ** 2}\n`).join('');
const NUMBERS = [1, 2, 3, 7, 5, 6, 7, 8];

/** Writes a program that can be run. */
function writeProgram(name: string, text: string): void {
  write(name, text);
  chmodSync(at(name), 0o755);
}

beforeEach(() => {
  write('squares.mjs', MODULE);
  for (const [name, other] of Object.entries(PROGRAMS)) writeProgram(name, program(other));
});

const judge = (...args: string[]) => {
  const jobs = args.some((word) => word === '-j' || word === '--jobs') ? [] : ['-j', '1'];
  return boardmill(['judge', './squares.mjs', ...args, ...jobs], { cwd: folder.path });
};
const all = Object.keys(PROGRAMS).flatMap((name) => ['--exec', `./${name}`]);

interface Result {
  readonly program: string;
  readonly input: string;
  readonly case: number;
  readonly verdict: string;
  readonly seconds: number;
  readonly expected: unknown;
  readonly got: unknown;
  readonly reason?: string;
}

const resultsIn = (stdout: string): Result[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('each program', () => {
  test('gets the verdict that it deserves on each case, in the order of inputs, cases and programs', async () => {
    const numbers = [1, 7, 5];
    write('a.in', input(numbers));
    write('b.in', input([7]));
    const { code, stdout } = await judge(
      'a.in',
      'b.in',
      ...all,
      '--timeout',
      // Time for the greedy program to take its memory on a busy machine, too.
      '3',
      '--memory-limit',
      '100M',
      '--json',
      ...['-j', '2'],
    );
    expect(code).toBe(1);
    const results = resultsIn(stdout);
    const expectedVerdicts = ['AC', 'WA', 'TLE', 'RTE', 'MLE', 'WA'];
    const expected = [
      ...numbers.map((number, i) => ['a.in', i + 1, number] as const),
      ['b.in', 1, 7] as const,
    ].flatMap(([file, number, value]) =>
      Object.keys(PROGRAMS).map((name, i) => [
        `./${name}`,
        file,
        number,
        value === 7 ? expectedVerdicts[i] : 'AC',
      ]),
    );
    expect(results.map((each) => [each.program, each.input, each.case, each.verdict])).toEqual(expected);
    const wrong = results.find(({ verdict }) => verdict === 'WA');
    expect(wrong).toMatchObject({ expected: 49, got: 64 });
    const crash = results.find(({ verdict }) => verdict === 'RTE');
    expect(crash?.reason).toBe('the program exited with code 3');
  });

  test('is not said to print the same as another one if both are wrong in different ways', async () => {
    write('a.in', input([1, 2]));
    const say = (text: string) => ['--exec', `printf '${text}'`];
    const { code, stdout } = await judge('a.in', ...say('one\\n'), ...say('two\\n'), ...say('two \\n'));
    expect(code).toBe(1);
    expect(stdout).toContain("these 2 print the same on all cases: printf 'two\\n', printf 'two \\n'\n");
  });

  test('whose answer is not ASCII is shown as it printed it', async () => {
    write('a.in', input([1]));
    const { stdout } = await judge('a.in', '--exec', "printf 'Case #1: é—\\377'", '--json');
    expect(resultsIn(stdout)[0]).toMatchObject({ verdict: 'WA', got: 'Case #1: é—\udcff' });
    write('a.ans', 'Case #1: 1\n');
    write('b.ans', 'Case #1: é\n');
    const checked = await boardmill(['check', './squares.mjs', 'a.in', 'b.ans', '--json'], {
      cwd: folder.path,
    });
    expect(checked.stdout).toContain('"got": "Case #1: é"');
  });

  test('that fails with SIGSEGV under a memory limit is told the limit', async () => {
    write('a.in', input([1]));
    write('segv.sh', 'kill -SEGV $$');
    const exec = ['--exec', 'sh segv.sh', '--json'];
    const reasonOf = async (args: string[]) =>
      resultsIn((await judge('a.in', ...exec, ...args)).stdout)[0].reason;
    expect(await reasonOf(['--memory-limit', '256M'])).toBe(
      'the program was killed by SIGSEGV (it may use 256.0 MiB of address space)',
    );
    expect(await reasonOf([])).toBe('the program was killed by SIGSEGV');
  });

  test('is slowest on a case whose input is named with its folder if another one has the same name', async () => {
    for (const name of ['x', 'y']) mkdirSync(at(name));
    for (const name of ['x/a.in', 'y/a.in', 'y/b.in']) write(name, input([1]));
    const slowestCase = async (...inputs: string[]) => {
      const { stdout } = await judge(...inputs, '--exec', './right');
      return stdout.split('\n')[1].trim().split(/ {2,}/)[7];
    };
    expect(await slowestCase('x/a.in', 'y/a.in')).toMatch(/^[xy]\/a\.in:1$/);
    expect(await slowestCase('x/a.in', 'y/b.in')).toMatch(/^[ab]\.in:1$/);
  });

  test('is a row of the table, and --keep writes a small input on which all of them fail', async () => {
    write('a.in', input(NUMBERS));
    const { code, stdout, stderr } = await judge(
      ...['a.in', '--exec', './right', '--exec', './wrong', '--exec', './crashing', '--matrix'],
      ...['--keep', 'small.in', '--export-markdown', 'table.md'],
    );
    expect(code).toBe(1);
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows[0]).toEqual(['case', '[1]', '[2]', '[3]']);
    expect(rows[4]).toEqual(['a.in:4', 'AC', 'WA', 'RTE']);
    expect(rows[11].slice(0, 6)).toEqual(['[2] ./wrong', '6', '2', '0', '0', '0']);
    expect(stdout).toContain('suggested time limit: 1 s (the slowest right program, ./right, needs ');
    expect(read('small.in')).toBe(input([7]));
    expect(stderr).toContain('small.in: 1 case on which 2 programs fail (chosen greedily)');
    expect(read('table.md')).toMatch(/^\| program \| AC \| WA \|/);
  });

  test('is kept with the file on which most programs fail if an input is one case', async () => {
    write(
      'squares.mjs',
      MODULE.replace('counted', 'single')
        .replace(/print.*,/, '')
        .replace(/answer:.*/, ''),
    );
    for (const number of [3, 7, 1]) write(`${number}.in`, `${number}\n`);
    for (const number of [3, 7])
      writeProgram(`not-${number}`, `#!/usr/bin/awk -f\n$1 != ${number} { print $1 * $1 }\n`);
    const { code, stderr } = await judge(
      ...['.', '--exec', './not-3', '--exec', './not-7', '--keep', 'small.in'],
    );
    expect(code).toBe(1);
    expect(read('small.in')).toBe('3\n');
    expect(stderr).toBe(
      'boardmill: small.in: 1 case on which 1 program fails (chosen greedily)\n' +
        'boardmill: ./not-7 has failed, but does not fail on small.in\n',
    );
  });

  test('is accepted if it is right on every case, however many inputs and processors there are', async () => {
    for (let i = 10; i < 16; i++) write(`${i}.in`, input([i, i + 1]));
    const { code, stdout } = await judge(
      '.',
      '--exec',
      './right',
      '--jobs',
      '3',
      '--exec-cases',
      '1',
      '--json',
    );
    expect(code).toBe(0);
    const order = resultsIn(stdout).map((each) => `${each.input}:${each.case}`);
    expect(order).toEqual([...order].sort());
    expect(order).toHaveLength(12);
  });

  test('that fails only after other cases gets the verdict for the case on which it failed', async () => {
    writeProgram(
      'forgetful',
      '#!/usr/bin/awk -f\nNR > 4 { exit 3 }\nNR > 1 { print "Case #" NR - 1 ": " $1 * $1; fflush() }\n',
    );
    write('a.in', input([1, 2, 3, 4]));
    const { stdout, stderr } = await judge('a.in', '--exec', './forgetful', '--json', '--keep', 'small.in');
    expect(stderr).toBe(
      'boardmill: small.in: 1 case on which 0 programs fail (chosen greedily)\n' +
        'boardmill: ./forgetful has failed, but does not fail on small.in\n',
    );
    const failed = resultsIn(stdout).filter(({ verdict }) => verdict !== 'AC');
    expect(failed).toMatchObject([
      {
        case: 4,
        verdict: 'RTE',
        reason: 'the program exited with code 3, but only in one run with other cases',
      },
    ]);
  });

  test('that crashes after its first answer is to blame only for the case on which it crashes', async () => {
    write('numbers.ctd', 'INT(1, 9, t) NEWLINE REP(t) INT(0, 9) NEWLINE END EOF');
    writeProgram('short', '#!/usr/bin/awk -f\nNR > 1 { if ($1 == 2) exit 3; print $1 * $1; fflush() }\n');
    write('a.in', input([1, 2, 3]));
    write('a.ans', '1\n4\n9\n');
    const args = ['judge', 'numbers.ctd', '--multitest', 'a.in', '--exec', './short', '--json', '-j', '1'];
    const { stdout } = await boardmill(args, { cwd: folder.path });
    expect(resultsIn(stdout).map(({ verdict }) => verdict)).toEqual(['AC', 'RTE', 'AC']);
  });
});

describe('the right answers', () => {
  test('come from NAME.ans, which may contradict the solver', async () => {
    write('a.in', input([2, 3]));
    write('a.ans', 'Case #1: 4\nCase #2: 10\n');
    const { stdout } = await judge('a.in', '--exec', './right', '--json');
    expect(resultsIn(stdout).map(({ verdict, expected }) => [verdict, expected])).toEqual([
      ['AC', 4],
      ['WA', 10],
    ]);
  });

  test.each([
    [
      'too few answers',
      'Case #1: 4\n',
      /a\.ans:2:1: answer to case 2: expected "Case #2:" and .*, got the end of the file/,
    ],
    ['a malformed answer', 'Case #1: 4\nCase #2: x\n', /a\.ans:2:10: answer to case 2: expected .*, got "?x/],
    [
      'too many answers',
      `${answers([2, 3])}Case #3: 1\n`,
      /a\.ans:3:1: expected no answer after that to the last case/,
    ],
  ])('in a file with %s are an error', async (_name, text, message) => {
    write('a.in', input([2, 3]));
    write('a.ans', text);
    write('b.in', input([5]));
    const { code, stdout, stderr } = await judge('a.in', 'b.in', '--exec', './right', '--json');
    expect(code).toBe(3);
    expect(stderr).toMatch(message);
    expect(stdout).toContain('"input":"b.in","case":1,"verdict":"AC"');
  });

  test.each(['a.ans', 'b.ans'])('are not %s any more once a program has changed it', async (name) => {
    for (const stem of ['a', 'b']) {
      write(`${stem}.in`, input(NUMBERS));
      write(`${stem}.ans`, answers(NUMBERS));
    }
    // The new file has the bytes of the old one. It is refused because nobody compares bytes.
    write('right', program(`system("cp ${name} copy && mv copy ${name}")`));
    const { code, stderr } = await judge('a.in', 'b.in', '--exec', './right', '-j', '1');
    expect(code).toBe(4);
    expect(stderr).toContain(`${name} was changed while programs were judged, perhaps by one of them`);
  });

  test('come from --reference, whose failure is its own fault', async () => {
    write('a.in', input([2, 7]));
    const good = await judge('a.in', '--exec', './wrong', '--reference', './right', '--json');
    expect(resultsIn(good.stdout).map(({ verdict }) => verdict)).toEqual(['AC', 'WA']);
    const bad = await judge('a.in', '--exec', './right', '--reference', './crashing');
    expect(bad.code).toBe(4);
    expect(bad.stderr).toContain('case 2: the reference exited with code 3');
  });
});

test('a bad input is an error, after the cases before it and beside the other inputs', async () => {
  write('a.in', '3\n1\n2\nx\n');
  write('b.in', input([5]));
  const args = ['a.in', 'b.in', 'none.in', '--exec', './right', '--json', '--junit', 'out.xml'];
  const { code, stdout, stderr } = await judge(...args);
  expect(code).toBe(3);
  expect(resultsIn(stdout).map((each) => `${each.input}:${each.case}`)).toEqual([
    'a.in:1',
    'a.in:2',
    'b.in:1',
  ]);
  expect(stderr).toContain('a.in:4:1: case 3: expected');
  const [a, b, none] = read('out.xml').split('<testcase ').slice(1);
  expect(a).toContain('<error message="a.in:4:1: case 3: expected');
  expect(b).not.toContain('<error');
  expect(none).toContain('<error message="cannot open none.in: no such file or directory">');
});

test('an error that ends the run is in all reports, after the cases before it', async () => {
  write('a.in', input([1, 2, 7, 8]));
  const files = ['--junit', 'r.xml', '--export-markdown', 'r.md', '--html', 'r.html'];
  const programs = ['--exec', './right', '--reference', './crashing', '--exec-cases', '1'];
  const { code, stderr } = await judge('a.in', ...programs, ...files);
  const error = 'a.in:4:1: case 3: the reference exited with code 3';
  expect([code, stderr]).toEqual([4, expect.stringContaining(error)]);
  for (const name of ['r.xml', 'r.md', 'r.html']) expect(read(name)).toContain(error);
  expect(read('r.xml')).toContain('name="the whole run"');
  expect(read('r.md')).toMatch(/^Not judged to the end: /);
  expect(read('r.md')).toMatch(/\| \.\/right \| 2 \| 0 \|/);
});

test('mistakes on the command line are refused before a program runs', async () => {
  write('a.in', input([2]));
  write('mine.in', 'kept');
  write('a.ans', answers([2]));
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['a.in'], 'missing option --exec'],
    [['a.in', '--exec', './right', '--exec', './right'], '--exec ./right was given twice'],
    [['a.in', '--exec', './none'], 'cannot run ./none'],
    [['a.in', '--exec', './right', '--keep', 'a.in', '-f'], 'input'],
    [['a.in', '--exec', './right', '--junit', 'a.ans', '-f'], 'right answers'],
    [
      ['a.in', '--exec', './right', '--keep', 'mine.in'],
      'mine.in exists and is not an input that judge wrote',
    ],
    [['a.in', '--exec', './right', '--json', '--matrix'], '--json and --matrix cannot be used together'],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await judge(...args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).toContain(message);
  }
  expect(read('mine.in')).toBe('kept');
  expect(names()).not.toContain('mine.in.partial');
});

describe('if the length of an answer depends on its case', () => {
  const PREFIX_SUMS = `
    import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'prefix-sums',
      input: formats.counted({ n: formats.int(1, 9), xs: formats.ints('n', 0, 99) }),
      solve: ({ xs }) => xs.map((_, i) => xs.slice(0, i + 1).reduce((sum, x) => sum + x, 0)),
      print: (sums) => sums.join(' '),
      answer: formats.ints('n'),
    });`;
  const LISTS = [[1, 2, 3], [4], [5, 6], [7, 8, 9, 10], [11, 12]];
  const SUMS = [[1, 3, 6], [4], [5, 11], [7, 15, 24, 34], [11, 23]];
  const listInput = `${LISTS.length}\n${LISTS.map((xs) => `${xs.length}\n${xs.join(' ')}\n`).join('')}`;

  /** Prints the sums of each list in a line. Where a list begins with 7, its last sum is \`added\` too large. */
  const summing = (added: number) => `#!/usr/bin/awk -f
NR > 1 && NR % 2 == 1 {
  sum = 0; line = ""
  for (i = 1; i <= NF; i++) { sum += $i; line = line " " (sum + (i == NF && $1 == 7 ? ${added} : 0)) }
  print line
}
`;

  test.each([
    ['the solver', false],
    ['an answer file', true],
  ])('each case is judged by its own length, with the right answers of %s', async (_, hasFile) => {
    write('prefix-sums.mjs', PREFIX_SUMS);
    write('lists.in', listInput);
    if (hasFile) write('lists.ans', `${SUMS.flat().join('\n')}\n`);
    writeProgram('exact', summing(0));
    writeProgram('inexact', summing(1));
    const args = ['--exec', './exact', '--exec', './inexact', '--exec-cases', '2', '--keep', 'small.in'];
    const { code, stdout, stderr } = await boardmill(
      ['judge', './prefix-sums.mjs', 'lists.in', ...args, '--json'],
      { cwd: folder.path },
    );
    expect(stderr).toBe('boardmill: small.in: 1 case on which 1 program fails (chosen greedily)\n');
    expect(code).toBe(1);
    const expected = SUMS.flatMap((sums, index) => [
      { program: './exact', case: index + 1, verdict: 'AC', expected: sums, got: sums },
      index === 3
        ? { program: './inexact', case: 4, verdict: 'WA', expected: sums, got: [7, 15, 24, 35] }
        : { program: './inexact', case: index + 1, verdict: 'AC', expected: sums, got: sums },
    ]);
    expect(resultsIn(stdout)).toMatchObject(expected);
    expect(read('small.in')).toBe('1\n4\n7 8 9 10\n');
  });
});
