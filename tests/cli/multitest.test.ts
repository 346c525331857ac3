/** A grammar's file is one case; with `--multitest`, the iterations of its last loop are the cases. */
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

allowSlowTests();
const folder = folderForEachTest();
const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

/** Prints the sum of all numbers but the first one. */
const SUM = '{ for (i = 1; i <= NF; i++) if (count++ > 0) sum += $i } END { print sum + 0 }\n';
/** Prints twice each number but the first one. */
const TWICE = '{ for (i = 1; i <= NF; i++) if (count++ > 0) print 2 * $i }\n';
const exec = (file: string) => ['--exec', `awk -f ${file}`];

beforeEach(() => {
  folder.write('one.ctd', 'INT(1, 100, n) NEWLINE REP(n, SPACE) INT(1, 9) END NEWLINE EOF\n');
  folder.write('one.in', '3\n4 5 6\n');
  folder.write('sum.awk', SUM);
  folder.write('twice.awk', TWICE);
});

describe('a file is one case', () => {
  test('and its answer is the whole output', async () => {
    expect(await run('solve', 'one.ctd', 'one.in', ...exec('sum.awk'))).toEqual({
      code: 0,
      stdout: '15\n',
      stderr: '',
    });
    const twice = await run('solve', 'one.ctd', 'one.in', ...exec('twice.awk'), '--format', 'ndjson');
    expect(twice.stdout).toBe('{"case":1,"answer":"8\\n10\\n12"}\n');
    folder.write('one.ans', '8\n10\n12\n');
    expect(await run('check', 'one.ctd', 'one.in', 'one.ans', ...exec('twice.awk'))).toMatchObject({
      code: 0,
    });
    folder.write('one.ans', '8\n10\n13\n');
    expect(await run('check', 'one.ctd', 'one.in', 'one.ans', ...exec('twice.awk'))).toMatchObject({
      code: 1,
    });
  });

  test('which other commands see as well', async () => {
    const validated = await run('validate', 'one.ctd', 'one.in');
    expect(validated.stderr).toContain('no error in 1 case of 1 file');
    expect(validated.stderr).toContain('each input is one case (--multitest: the cases are the iterations');
    expect((await run('extract', 'one.ctd', 'one.in', '--cases', '1')).stdout).toBe('3\n4 5 6\n');
    expect((await run('problems', 'one.ctd')).stdout).toContain('The whole input is one test case.');
    expect((await run('stats', 'one.ctd', 'one.in')).stdout).toContain('one.in: 1 case of one');
    const { code, stderr } = await run('solve', 'one.ctd', 'one.in', '--single', ...exec('sum.awk'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option --single')]);
  });

  test.each<[text: string, fault: string, options: string[]]>([
    ['', 'one.in:1:1: expected a test case, got the end of the input', []],
    ['\n', 'one.in:2:1: expected a test case, got the end of the input', ['--on-error', 'mark']],
    ['1\n1\n2\n', 'one.in:3:1: case 1: expected the end of the input, got "2"', []],
  ])('and no answer without a case, or with text after it: %j', async (text, fault, options) => {
    folder.write('one.in', text);
    const solve = ['solve', 'one.ctd', 'one.in', ...exec('sum.awk')];
    const refused = { code: 3, stdout: '', stderr: `boardmill: ${fault}\n` };
    expect(await run(...solve, ...options)).toEqual(refused);
    expect((await run('check', 'one.ctd', 'one.in', 'one.in', ...exec('sum.awk'))).code).toBe(3);
    expect((await run('judge', 'one.ctd', 'one.in', ...exec('sum.awk'))).code).toBeGreaterThan(1);
  });

  test('that is marked as a whole if text follows it', async () => {
    folder.write('one.in', '1\n1\n2\n');
    const { code, stdout } = await run(
      'solve',
      'one.ctd',
      'one.in',
      ...exec('sum.awk'),
      '--on-error',
      'mark',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'ERROR\n' });
  });

  test('a single() module without answer, too', async () => {
    folder.write(
      'rows.mjs',
      `import { defineProblem, formats } from 'boardmill';
      export default defineProblem({
        name: 'rows',
        input: formats.single({ n: formats.int(1, 9) }),
        solve: ({ n }) => n,
        print: (n) => '*\\n'.repeat(n),
      });`,
    );
    folder.write('rows.in', '3\n');
    expect(await run('solve', './rows.mjs', 'rows.in')).toMatchObject({ code: 0, stdout: '*\n*\n*\n' });
  });
});

describe('--multitest', () => {
  test('makes the iterations of the last loop the cases', async () => {
    const solved = await run('solve', 'one.ctd', 'one.in', '--multitest', ...exec('twice.awk'));
    expect(solved).toEqual({ code: 0, stdout: '8\n10\n12\n', stderr: '' });
    const validated = await run('validate', 'one.ctd', 'one.in', '--multitest');
    expect(validated.stderr).toContain('no error in 3 cases of 1 file');
    expect(validated.stderr).toContain('the iterations of the loop at one.ctd:1:24 (without --multitest:');
    const other = await run('solve', 'one.ctd', 'one.in', '--cases-loop', '1', ...exec('twice.awk'));
    expect(other.stdout).toBe('8\n10\n12\n');
  });

  test('judges no case right of a program that answers once for several cases', async () => {
    const programs = ['--reference', ...exec('twice.awk').slice(1), ...exec('sum.awk'), ...exec('twice.awk')];
    const judged = await run('judge', 'one.ctd', 'one.in', '--multitest', '--json', ...programs);
    const verdicts = judged.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (name: string) =>
      verdicts.filter(({ program }) => program.includes(name)).map(({ verdict }) => verdict);
    expect([judged.code, of('sum.awk'), of('twice.awk')]).toEqual([
      1,
      ['WA', 'WA', 'WA'],
      ['AC', 'AC', 'AC'],
    ]);
    expect(judged.stdout).toContain('leave out --multitest');
  });

  /** Programs for one.ctd that answer with 2n, one of them not if n is 5, the other not for the last of several cases. */
  const TWICE = "const [t, ...n] = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/).map(Number);";
  const node = (name: string) => `'${process.execPath}' ${name}`;

  test('judges and stresses a program that answers all but one case as one that is wrong on that case', async () => {
    folder.write('skips.cjs', `${TWICE} for (const each of n) if (each !== 5) console.log(2 * each);`);
    folder.write('two.in', '2\n4\n5\n');
    const reference = ['--multitest', '--reference', ...exec('twice.awk').slice(1)];
    const judged = await run(
      'judge',
      'one.ctd',
      'two.in',
      '--json',
      ...reference,
      '--exec',
      node('skips.cjs'),
    );
    const verdicts = judged.stdout.trim().split('\n');
    expect(verdicts.map((line) => JSON.parse(line).verdict)).toEqual(['AC', 'WA']);
    folder.write(
      'last.cjs',
      `${TWICE} for (const each of t > 1 ? n.slice(0, -1) : n) console.log(2 * each);`,
    );
    const words = ['--seed', '1', '--rounds', '4', '-q', ...reference, '--exec', node('last.cjs')];
    const stressed = await run('stress', 'one.ctd', ...words);
    expect(stressed.code).toBe(1);
    expect(folder.read('stress-one-1.in')).toMatch(/^2\n\d \d\n$/);
  });

  test('never answers with one answer for several cases', async () => {
    for (const more of [[], ['--on-error', 'mark'], ['--answers', 'tokens:1']]) {
      const solved = await run('solve', 'one.ctd', 'one.in', '--multitest', ...more, ...exec('sum.awk'));
      expect([solved.code, solved.stdout]).toEqual([4, '']);
      expect(solved.stderr).toContain(
        'the program printed 1 answer for 3 cases: with --multitest it must answer each case; if its input is one case, which has one answer, leave out --multitest',
      );
    }
  });

  test('writes separators between cases only, so that validate accepts what was copied', async () => {
    for (const cases of ['1', '2', '3', '1..2', '2..3', '1..3']) {
      const { stdout } = await run('extract', 'one.ctd', 'one.in', '--multitest', '--cases', cases);
      folder.write('part.in', stdout);
      expect(await run('validate', 'one.ctd', 'part.in')).toMatchObject({ code: 0 });
    }
    await run('split', 'one.ctd', 'one.in', '--multitest', '--every', '1', '--dir', 'parts');
    expect(await run('validate', 'one.ctd', 'parts')).toMatchObject({ code: 0 });
    expect(folder.read('parts/part-0002.in')).toBe('1\n5\n');
    folder.write(
      'cat.cjs',
      "process.stdout.write(JSON.stringify(require('fs').readFileSync(0, 'utf8')) + '\\n')",
    );
    const seen = await run(
      'solve',
      'one.ctd',
      'one.in',
      '--multitest',
      '--exec-cases',
      '1',
      '--exec',
      `'${process.execPath}' cat.cjs`,
    );
    expect(seen.stdout).toBe(['"1\\n4\\n"', '"1\\n5\\n"', '"1\\n6\\n"', ''].join('\n'));
  });

  test('is refused for a grammar without a loop, with --answers all, and without a grammar', async () => {
    folder.write('flat.ctd', 'INT(1,9) NEWLINE\n');
    const refusals: [string[], string][] = [
      [['flat.ctd', '--multitest'], 'flat.ctd:1:1: expected a loop at the top level'],
      [['one.ctd', '--multitest', '--cases-loop', '2'], '--cases-loop 2: there is one loop at the top level'],
      [['one.ctd', '--multitest', '--answers', 'all'], '--answers all takes the whole output as one answer'],
      [['bt', '--multitest'], '--multitest needs a grammar'],
    ];
    for (const [words, message] of refusals) {
      const { code, stderr } = await run('solve', ...words, 'one.in', ...exec('sum.awk'));
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  test('names what else works if only validate can use the grammar', async () => {
    folder.write(
      'kept.ctd',
      'INT(0,9,n) NEWLINE WHILE(n>0) REP(n) INT(0,9) NEWLINE END INT(0,9,n) NEWLINE END\n',
    );
    folder.write('kept.in', '2\n4\n5\n0\n');
    const refused = await run('solve', 'kept.ctd', 'kept.in', '--multitest', ...exec('sum.awk'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('without it every command can, which takes the whole input as one case');
    expect(await run('solve', 'kept.ctd', 'kept.in', ...exec('sum.awk'))).toMatchObject({
      code: 0,
      stdout: '9\n',
    });
  });
});

test.each<[tail: string, text: string, fault: string]>([
  ['STRING("end") NEWLINE', '2\n4\n5\n', 'a.in:4:1: expected "end", got the end of the input'],
  ['STRING("end") NEWLINE', '2\n4\n5\nen', 'a.in:4:1: expected "end", got "en"'],
  ['EOF', '2\n4\n5\nx\n', 'a.in:4:1: expected the end of the input, which says that it has 2 cases, got "x"'],
])('with --multitest, what must follow the cases is looked for: %s in %j', async (tail, text, fault) => {
  folder.write('a.ctd', `INT(1,9,t) NEWLINE REP(t) INT(0,9) NEWLINE END ${tail}`);
  folder.write('a.in', text);
  const solve = ['solve', 'a.ctd', 'a.in', '--multitest', '--exec', 'sed -n 2p', '--exec-cases', '1'];
  for (const options of [[], ['--on-error', 'mark'], ['--chunk', '1', '-j', '2']])
    expect(await run(...solve, ...options)).toEqual({
      code: 3,
      stdout: '4\n5\n',
      stderr: `boardmill: ${fault}\n`,
    });
});

test('with --multitest, a terminator is no case, whatever follows it', async () => {
  folder.write('a.ctd', 'SET(x=1) WHILE(x != 0, NEWLINE) INT(0,50,x) END NEWLINE EOF');
  folder.write('a.in', '5\n7\n0\n8\n');
  expect(await run('solve', 'a.ctd', 'a.in', '--multitest', '--exec', 'sed /^0/d')).toEqual({
    code: 3,
    stdout: '5\n7\n',
    stderr: 'boardmill: a.in:4:1: expected the end of the input after "0", got "8"\n',
  });
});

test('with --multitest, an input that lacks its terminator is invalid, after the answers to its cases', async () => {
  folder.write('a.ctd', 'WHILE(!MATCH("0")) INT(1,9) NEWLINE END STRING("0") NEWLINE');
  folder.write('a.in', '4\n5\n');
  folder.write('a.ans', '4\n5\n');
  const fault = { code: 3, stderr: 'boardmill: a.in:3:1: expected a case, got the end of the input\n' };
  const program = ['--multitest', '--exec', 'head -n 1', '--exec-cases', '1'];
  expect(await run('solve', 'a.ctd', 'a.in', ...program)).toEqual({ ...fault, stdout: '4\n5\n' });
  expect(await run('check', 'a.ctd', 'a.in', 'a.ans', ...program)).toMatchObject({ code: 3 });
  expect(await run('stats', 'a.ctd', 'a.in', '--multitest')).toMatchObject(fault);
  folder.write('a.in', '4\n5\n0\n');
  expect(await run('solve', 'a.ctd', 'a.in', ...program)).toMatchObject({ code: 0, stdout: '4\n5\n' });
});

test('with --multitest, text after the line that ends the cases is refused', async () => {
  folder.write('a.ctd', 'WHILE(!MATCH(".")) INT(0,50,x) NEWLINE END STRING(".") NEWLINE EOF');
  folder.write('a.in', '5\n7\n.\n8\n');
  expect(await run('solve', 'a.ctd', 'a.in', '--multitest', '--exec', 'grep -v "^\\."')).toEqual({
    code: 3,
    stdout: '5\n7\n',
    stderr: 'boardmill: a.in:4:1: expected the end of the input after the last case, got "8"\n',
  });
});

describe('generate', () => {
  test('of a grammar of one case writes one input, or with --dir many', async () => {
    const { code, stdout } = await run('generate', 'one.ctd', '--seed', '1');
    expect(code).toBe(0);
    folder.write('g.in', stdout);
    expect(await run('validate', 'one.ctd', 'g.in')).toMatchObject({ code: 0 });
    const files = await run('generate', 'one.ctd', '--cases', '3', '--seed', '1', '--dir', 'tests');
    expect(files).toEqual({ code: 0, stdout: '', stderr: 'boardmill: 3 inputs in tests\n' });
    expect(await run('validate', 'one.ctd', 'tests')).toMatchObject({ code: 0 });
    expect(folder.read('tests/001.in')).toBe(stdout);
    expect(folder.read('tests/003.in')).not.toBe(stdout);
    const listed = 'INT(1,2,n) NEWLINE REP(n,SPACE) INT(0,1) END NEWLINE\n';
    folder.write('small.ctd', listed);
    await run('generate', 'small.ctd', '--profile', 'all', '--dir', 'all');
    expect(['001', '002', '003', '006'].map((name) => folder.read(`all/${name}.in`))).toEqual([
      '1\n0\n',
      '1\n1\n',
      '2\n0 0\n',
      '2\n1 1\n',
    ]);
  });

  test('shows the corrected command, and replaces no file of others', async () => {
    const several = await run('generate', 'one.ctd', '--cases', '3', '--seed', '1');
    expect(several.code).toBe(2);
    expect(several.stderr).toContain('boardmill generate one.ctd --cases 3 --seed 1 --dir DIR');
    folder.write('tests/002.in', 'mine\n');
    const refused = await run('generate', 'one.ctd', '--cases', '3', '--seed', '1', '--dir', 'tests');
    expect([refused.code, folder.read('tests/002.in')]).toEqual([2, 'mine\n']);
    const many = await run('generate', 'one.ctd', '--multitest', '--cases', '3', '--dir', 'tests');
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('--dir is for inputs of one case')]);
    expect((await run('generate', 'one.ctd', '--dir', 'tests')).stderr).toContain('missing option --cases');
  });

  test('holds an ASSERT after the last loop, or names it', async () => {
    const grammar = (most: number) =>
      `SET(s=0) INT(1,9,n) NEWLINE REP(n) INT(1,9,x) NEWLINE SET(s=s+x) END\nASSERT(s<=${most})\n`;
    folder.write('sum.ctd', grammar(30));
    for (const seed of ['1', '2', '3']) {
      await run('generate', 'sum.ctd', '--multitest', '--cases', '9', '--seed', seed, '-o', 's.in', '-f');
      expect(await run('validate', 'sum.ctd', 's.in')).toMatchObject({ code: 0 });
    }
    folder.write('sum.ctd', grammar(8));
    const refused = await run('generate', 'sum.ctd', '--multitest', '--cases', '9', '--seed', '1');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toBe(
      'boardmill: sum.ctd:2:1: expected ASSERT(s<=8) to be true, got none in 1000 attempts\n',
    );
  });
});

test('stress saves an input that validate accepts', async () => {
  folder.write('wrong.awk', TWICE.replace('2 * $i', '($i > 3 ? 0 : 2 * $i)'));
  const words = ['stress', 'one.ctd', '--multitest', '--seed', '1', '--reference', 'awk -f twice.awk'];
  expect(await run(...words, ...exec('wrong.awk'), '--time', '60')).toMatchObject({ code: 1 });
  expect(folder.read('stress-one-1.in')).toBe('1\n4\n');
});

test('--exec answers the same whatever the layout of the input, the chunks and the number of runs at the same time', async () => {
  folder.write('pairs.ctd', 'INT(1, 9999, t) NEWLINE REP(t) INT(0, 99) SPACE INT(0, 99) NEWLINE END EOF\n');
  folder.write('add.awk', 'NR > 1 && NF == 2 { print $1 + $2 }\n');
  folder.write('late.awk', 'NR > 1 && NF == 2 { if ($1 == 77 && $2 == 78) exit 3; print $1 + $2 }\n');
  folder.write('words.awk', 'NR > 1 && NF == 2 { print ($1 == 0 && $2 == 1) ? "no  number" : $1 + $2 }\n');
  const pairs = Array.from({ length: 700 }, (_, i) => [i % 100, (i + 1) % 100]);
  const lines = pairs.map(([a, b]) => `${a} ${b}`);
  folder.write('plain.in', `700\n${lines.join('\n')}\n`);
  folder.write('sloppy.in', `700 \r\n\r\n${lines.map((line) => line.replace(' ', '\t')).join('\r\n')}`);
  const solve = (input: string, program: string, ...more: string[]) =>
    run('solve', 'pairs.ctd', input, '--multitest', ...exec(program), ...more);
  const expected = pairs.map(([a, b]) => `${a + b}\n`).join('');
  for (const input of ['plain.in', 'sloppy.in'])
    for (const more of [[], ['--chunk', '500', '-j', '3'], ['--exec-cases', '90', '-j', '1']])
      expect(await solve(input, 'add.awk', ...more)).toEqual({ code: 0, stdout: expected, stderr: '' });
  folder.write('bad.in', `700\n${lines.with(600, '1 x').join('\n')}\n`);
  const failed = await solve('bad.in', 'add.awk', '--chunk', '500');
  expect([failed.code, failed.stdout]).toEqual([3, `${expected.split('\n').slice(0, 600).join('\n')}\n`]);
  expect(failed.stderr).toContain('bad.in:602:3: case 601');
  const crashed = await solve('plain.in', 'late.awk', '--chunk', '500', '--retries', '0');
  expect([crashed.code, crashed.stdout]).toEqual([4, `${expected.split('\n').slice(0, 77).join('\n')}\n`]);
  const odd = await solve('plain.in', 'words.awk');
  expect(odd.stdout).toBe(expected.replaceAll(/^1\n/gm, 'no  number\n'));
  const csv = await solve('plain.in', 'add.awk', '--format', 'csv');
  expect(csv.stdout.split('\n').slice(0, 3)).toEqual(['case,answer', '1,1', '2,3']);
});

test('validate counts the cases of a grammar that only it can use, as the grammar itself finds them', async () => {
  folder.write(
    'sum.ctd',
    'SET(sum=0)\nWHILE(!ISEOF) INT(1,5,n) NEWLINE SET(sum=sum+n) IF(sum > 6) INT(1,2,z) NEWLINE END END\n',
  );
  folder.write('end.ctd', 'SET(n=1)\nWHILE(n > 0) IF(n < 9) INT(0,9,n) END NEWLINE END\n');
  folder.write(
    'inner.ctd',
    'SET(s=0)\nREP(2) REP(3,SPACE) INT(1,9,n) SET(s=s+n) END NEWLINE REP(s) END END\n',
  );
  folder.write('inner.in', '1 2 3\n4 5 6\n');
  folder.write('sum.in', '5\n2\n1\n3\n2\n4\n1\n');
  folder.write('bad.in', '5\n2\n1\n3\n9\n');
  folder.write('end.in', '5\n3\n0\n');
  const count = async (grammar: string, input: string) =>
    (await run('validate', grammar, input, '--multitest')).stderr;
  expect(await count('sum.ctd', 'sum.in')).toMatch(/^boardmill: no error in 4 cases of 1 file/);
  expect(await count('sum.ctd', 'bad.in')).toMatch(/^boardmill: 1 error in 3 cases of 1 file/);
  expect(await count('inner.ctd', 'inner.in')).toMatch(/^boardmill: no error in 2 cases of 1 file/);
  expect(await count('end.ctd', 'end.in')).toMatch(/^boardmill: no error in 2 cases of 1 file/);
});

test.each([
  ['solve', '--exec', 'cat'],
  ['judge', '--exec', 'cat', '--reference', 'cat'],
  ['extract', '--cases', '1'],
  ['split', '--every', '1', '--dir', 'parts'],
  ['stats'],
])('%s refuses a grammar in which an earlier case decides what a case is', async (command, ...options) => {
  folder.write(
    'sum.ctd',
    'SET(s=0) WHILE(!ISEOF) INT(1,5,n) NEWLINE SET(s=s+n)\nREP(s) INT(1,2) NEWLINE END END\n',
  );
  folder.write('sum.in', '1\n1\n');
  const { code, stdout, stderr } = await run(command, 'sum.ctd', 'sum.in', '--multitest', ...options);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    'sum.ctd:2:5: expected this not to depend on the s that an earlier case may have set',
  );
});
