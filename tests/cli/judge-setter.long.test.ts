/** `judge --package` as a setter uses it: its options alone and in pairs, with a planted mistake of each class. */
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { parse } from 'junit2json';
import { beforeEach, describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { type Files, RIGHT, SUM_DATA, WRONG, writePackage } from '../tools/judge/package/package-folder.js';
import { boardmill, exitOf, start } from './boardmill.js';
import { boardmill as boardmillInTurn } from './in-turn.js';

allowSlowTests();

const folder = folderForEachTest();

/** A grammar of one case a file, and data in which the wrong program is wrong on two files. */
const FILES: Files = {
  ...SUM_DATA,
  'problem.yaml': 'problem_format_version: 2025-09\nname: Sum\nuuid: 1\nlimits: {time_limit: 20}\n',
  'data/secret/3.in': '70 8\n',
  'data/secret/3.ans': '78\n',
  'input_validators/sum.ctd': 'INT(1, 100) SPACE INT(1, 100) NEWLINE EOF\n',
  'submissions/accepted/right.sh': RIGHT,
  'submissions/wrong_answer/one.sh': WRONG,
  'submissions/wrong_answer/two.sh': `# the same\n${WRONG}`,
  'submissions/wrong_answer/other.sh': 'echo 1\n',
};

const options = () => ({
  cwd: folder.path,
  env: { XDG_CACHE_HOME: folder.at('cache'), XDG_STATE_HOME: folder.at('state') },
});
const judge = (...args: string[]) => boardmill(['judge', '--package', 'sum', ...args], options());
const write = (files: Files = {}) => writePackage(folder.at('sum'), { ...FILES, ...files });

beforeEach(() => void write());

/** Replaces times and the gaps between columns, which differ from run to run. */
const steady = (text: string) => text.replace(/\d+\.\d\d/g, 'T').replace(/ {2,}/g, '  ');

describe('reports', () => {
  test('the matrix has verdicts and times, and equal wrong answers are found', async () => {
    const { code, stdout } = await judge('--matrix', '--all');
    expect(code).toBe(0);
    const [matrix, table] = steady(stdout).split('\n\n');
    expect(matrix.split('\n')).toEqual([
      expect.stringMatching(/^file\s+\[1\]\s+\[2\]\s+\[3\]\s+\[4\]$/),
      'data/sample/1.in  AC T  AC T  WA T  AC T',
      'data/secret/3.in  AC T  WA T  WA T  WA T',
      'data/secret/group/2.in  AC T  WA T  WA T  WA T',
    ]);
    expect(table).toContain('[2] submissions/wrong_answer/one.sh  1  2  0  0  0  T s');
    expect(table).toContain(
      'these 2 print the same on all files: submissions/wrong_answer/one.sh, submissions/wrong_answer/two.sh\n',
    );
  });

  test('a submission that ends early leaves gaps in the matrix, and skipped tests in JUnit XML', async () => {
    write({ 'submissions/accepted/wrong.sh': WRONG });
    const early = await judge('--matrix', '--junit', 'early.xml', '--only', 'submissions/accepted/*');
    expect(early.code).toBe(1);
    expect(steady(early.stdout)).toContain('data/secret/group/2.in  AC T  -\n');
    expect(early.stderr).toContain(
      '[2/2] submissions/accepted/wrong.sh: 1 AC, 1 WA; NOT as expected (not run on 1 file)',
    );
    const all = await judge('--all', '--junit', 'all.xml', '--only', 'submissions/accepted/*', '--quiet');
    expect(all.stderr).toBe('');
    const [first, second] = await Promise.all(
      ['early.xml', 'all.xml'].map((name) => parse(folder.read(name))),
    );
    expect(first).toMatchObject({ tests: 8, failures: 2, skipped: 1 });
    expect(second).toMatchObject({ tests: 8, failures: 3 });
    expect(second).toMatchObject({
      testsuite: [
        { name: 'submissions/accepted/right.sh', failures: 0 },
        {
          name: 'submissions/accepted/wrong.sh',
          testcase: [
            { name: 'data/sample/1.in' },
            { name: 'data/secret/3.in', failure: [{ message: 'WA: token 1: expected "78", got "3"' }] },
            { name: 'data/secret/group/2.in' },
            { name: 'does what the package expects', failure: [{ message: 'expected AC; got AC, WA' }] },
          ],
        },
      ],
    });
  });

  test('a page shows the smallest failing case of each chosen program, made smaller', async () => {
    const { code } = await judge(
      '--html',
      'page.html',
      '--only',
      'submissions/wrong_answer/o*',
      '--only',
      '*/accepted/*',
    );
    expect(code).toBe(0);
    const page = folder.read('page.html');
    expect(page).not.toContain('two.sh');
    expect(page).toContain('<h3>submissions/wrong_answer/one.sh</h3>');
    expect(page).toMatch(
      /WA \(made smaller from data\/secret\/3\.in\): token 1: expected &quot;2&quot;, got &quot;3&quot;/,
    );
    expect(page).toContain('<pre>1 1\n</pre>');
  });

  test('a validator that fails on smaller cases does not end the judge', async () => {
    const validator =
      '#!/bin/sh\n[ "$(cat "$1")" = "70 8" ] || exit 9\n[ "$(cat)" = 78 ] && exit 42\nexit 43\n';
    writePackage(folder.at('own'), {
      'problem.yaml': FILES['problem.yaml'],
      'input_validators/sum.ctd': FILES['input_validators/sum.ctd'],
      'data/secret/3.in': '70 8\n',
      'data/secret/3.ans': '78\n',
      'output_validator/check/run': validator,
      'submissions/accepted/right.sh': RIGHT,
      'submissions/wrong_answer/one.sh': WRONG,
    });
    const { code } = await boardmill(['judge', '--package', 'own', '--html', 'own.html'], options());
    expect(code).toBe(0);
    expect(folder.read('own.html')).toContain('WA (data/secret/3.in)');
  });

  test('names and outputs of strangers stay texts in a page, a table and JUnit XML', async () => {
    const name = 'a|<b>&"\u001b[31m.sh';
    write({ [`submissions/accepted/${name}`]: "printf '</pre><script>alert(1)</script>\\033[2J'\n" });
    const { stdout } = await judge('--html', 'p.html', '--junit', 'j.xml', '--export-markdown', 't.md');
    expect(stdout).not.toContain('\u001b');
    const page = folder.read('p.html');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('\u001b');
    expect(page).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('a|&lt;b&gt;&amp;&quot;');
    expect(await parse(folder.read('j.xml'))).toMatchObject({
      testsuite: [{ name: expect.stringContaining('a|<b>&"') }, {}, {}, {}, {}],
    });
    const row = folder
      .read('t.md')
      .split('\n')
      .find((line) => line.includes('accepted/a'));
    expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(11);
    expect(row).not.toContain('<b>');
  });

  test('the smallest file on which most programs fail is kept', async () => {
    const { stderr } = await judge('--keep', 'small.in', '--all');
    expect(folder.read('small.in')).toBe('70 8\n');
    expect(stderr).toContain('small.in: data/secret/3.in on which 3 submissions fail (chosen greedily)');
    const none = await judge('--keep', 'none.in', '--only', 'submissions/accepted/*');
    expect(existsSync(folder.at('none.in'))).toBe(false);
    expect(none.stderr).toContain('none.in was not written: no submission has failed on a file');
  });

  test('cases are kept if the format of a file has several', async () => {
    const count = 'read t; while [ $t -gt 0 ]; do read n; read line;';
    writePackage(folder.at('many'), {
      'problem.yaml': 'limits: {time_limit: 20}\n',
      'input_validators/sums.ctd': readFileSync(
        new URL('../fixtures/own/counted.ctd', import.meta.url),
        'utf8',
      ),
      'data/secret/1.in': '3\n2\n1 2\n1\n7\n3\n1 1 1\n',
      'data/secret/1.ans': '3\n7\n3\n',
      'submissions/accepted/right.sh': `${count} s=0; for x in $line; do s=$((s + x)); done; echo $s; t=$((t - 1)); done\n`,
      'submissions/wrong_answer/three.sh': `${count} echo 3; t=$((t - 1)); done\n`,
    });
    const args = ['judge', '--package', 'many', '--multitest', '--keep', 'k.in', '--matrix', 'cases'];
    const { code, stdout, stderr } = await boardmill([...args, '--html', 'm.html'], options());
    expect([code, stderr]).toEqual([0, expect.stringContaining('k.in: 1 case on which 1 submission fails')]);
    expect(folder.read('k.in')).toBe('1\n1\n7\n');
    expect(steady(stdout)).toContain('data/secret/1.in:2  -  WA T\n');
    expect(folder.read('m.html')).toMatch(/made smaller from data\/secret\/1\.in, case 2/);
  });

  test('all is reported, although a validator fails on a submission', async () => {
    write({
      'output_validator/run': '#!/bin/sh\ngrep -qx 1 && exit 1\nexit 42\n',
    });
    const { code, stdout, stderr } = await judge('--junit', 'report.xml', '--all');
    expect(code).toBe(4);
    expect(steady(stdout)).toContain('submissions/accepted/right.sh  3  0  0  0  0  T s');
    expect(steady(stdout)).toContain('submissions/wrong_answer/other.sh  -  -  -  -  -  not judged');
    expect(stderr).toContain('1 submission could not be judged, because an output validator failed');
    expect(folder.read('report.xml')).toMatch(/<error message="the output validator output_validator failed/);
  });

  test('reports of others are not replaced', async () => {
    folder.write('mine.xml', 'precious');
    const { code, stderr } = await judge('--junit', 'mine.xml');
    expect([code, folder.read('mine.xml')]).toEqual([2, 'precious']);
    expect(stderr).toContain('mine.xml');
    expect((await judge('--junit', 'x.out', '--html', 'x.out')).code).toBe(2);
    expect((await judge('--junit', 'mine.xml', '--force')).code).toBe(0);
  });

  test('files in a folder to which a link of the package leads are not replaced either', async () => {
    renameSync(folder.at('sum/data/secret'), folder.at('tests'));
    symlinkSync('../../tests', folder.at('sum/data/secret'));
    for (const name of ['sum/data/secret/3.in', 'tests/3.in']) {
      const { code, stderr } = await judge('--junit', name, '--force');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `boardmill: ${name} is both a file of the package and --junit\n`,
      });
    }
    expect(folder.read('tests/3.in')).toBe(FILES['data/secret/3.in']);
  });

  test('files of the package are not replaced, with --force neither', async () => {
    folder.write('sum/statement/problem.tex', 'mine');
    const own = ['problem.yaml', 'data/secret/3.in', 'submissions/accepted/right.sh'];
    for (const name of [...own, 'statement/problem.tex']) {
      const { code, stderr } = await judge('--keep', `sum/${name}`, '--force');
      expect([code, folder.read(`sum/${name}`)]).toEqual([2, FILES[name] ?? 'mine']);
      expect(stderr).toContain(`${name} is both a file of the package and --keep`);
    }
  });
});

describe('--check-inputs', () => {
  test('names inputs that a validator refuses, and answers that no accepted program prints', async () => {
    write({
      'data/secret/4.in': '0 1\n',
      'data/secret/4.ans': '1\n',
      'data/secret/5.in': '4 4\n',
      'data/secret/5.ans': '9\n',
    });
    const { code, stdout } = await judge('--check-inputs', '--junit', 'inputs.xml');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'data/secret/4.in:1:1: expected an integer from 1 to 100, got "0" (input_validators/sum.ctd)\n',
    );
    expect(stdout).toContain(
      'data/secret/5.ans: submissions/accepted/right.sh prints another answer: token 1: expected "9", got "8"\n',
    );
    const document = await parse(folder.read('inputs.xml'));
    expect(document).toMatchObject({
      testsuite: expect.arrayContaining([
        expect.objectContaining({ name: 'input validators', failures: 1 }),
        expect.objectContaining({ name: 'answers of accepted programs', failures: 1 }),
      ]),
    });
  });

  test('with --json prints objects', async () => {
    write({ 'data/secret/4.in': '0 1\n', 'data/secret/4.ans': '2\n' });
    const { code, stdout } = await judge('--check-inputs', '--json', '--only', 'submissions/accepted/*');
    const objects = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(code).toBe(1);
    expect(objects[0]).toEqual({
      input: 'data/secret/4.in',
      validator: 'input_validators/sum.ctd',
      valid: false,
      line: 1,
      column: 1,
      message: 'expected an integer from 1 to 100, got "0"',
    });
    expect(objects).toHaveLength(6);
    expect(objects[5]).toEqual({
      answer: 'data/secret/4.ans',
      valid: false,
      programs: ['submissions/accepted/right.sh'],
      message: 'token 1: expected "2", got "1"',
    });
    expect(objects[1]).toMatchObject({
      program: 'submissions/accepted/right.sh',
      seconds: expect.any(Number),
    });
    expect(objects[1]).toHaveProperty('cpuSeconds', expect.any(Number));
  });

  test('refuses VIVA in those words', async () => {
    write({ 'input_validators/old.viva': '' });
    const { code, stderr } = await judge('--check-inputs');
    expect(code).toBe(2);
    expect(stderr).toContain('input_validators/old.viva is a VIVA validator, and judge does not run those');
  });
});

describe('while it runs', () => {
  test('a line for each submission is printed where there is no terminal', async () => {
    const lines = (await judge()).stderr.split('\n').filter((line) => line.startsWith('boardmill: ['));
    expect(lines).toEqual([
      'boardmill: [1/4] submissions/accepted/right.sh: 3 AC; as expected',
      'boardmill: [2/4] submissions/wrong_answer/one.sh: 1 AC, 2 WA; as expected',
      'boardmill: [3/4] submissions/wrong_answer/other.sh: 3 WA; as expected',
      'boardmill: [4/4] submissions/wrong_answer/two.sh: 1 AC, 2 WA; as expected',
    ]);
    expect((await judge('--no-progress')).stderr).not.toContain('[1/4]');
  });

  test.each([
    ['a table', [], /^program .*\nsubmissions\/accepted\/right\.sh +3 .*\n$/],
    ['JSON', ['--json'], /^(\{"program":"submissions\/accepted\/right\.sh",.*\}\n){3}$/],
  ])('a signal ends it with the finished submissions as %s', async (_what, args, expected) => {
    // It says that it runs, and then waits until it is killed.
    write({ 'submissions/wrong_answer/one.sh': `echo >"${folder.at('started')}"; exec sleep 1000\n` });
    const reports = ['--junit', 'r.xml', '--html', 'r.html', '--export-markdown', 'r.md'];
    const child = start(['judge', '--package', 'sum', ...reports, ...args], options());
    let stdout = '';
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes;
    });
    child.stderr.resume();
    const exit = exitOf(child);
    await until(() => existsSync(folder.at('started')));
    child.kill('SIGTERM');
    expect(await exit).toBe(143);
    expect(stdout).toMatch(expected);
    for (const name of ['r.xml', 'r.html', 'r.md']) {
      expect(folder.read(name)).toContain(
        `This run was stopped by SIGTERM when 1 of 4 submissions had been judged.`,
      );
      expect(folder.read(name)).toContain('submissions/accepted/right.sh');
      expect(folder.read(name)).not.toContain('one.sh');
    }
    expect(folder.read('r.xml')).toContain(
      '<testcase name="all submissions are judged" classname="the whole package"><error',
    );
  });
});

describe('the command line', () => {
  test.each([
    [['--package', 'sum', '--only', 'nothing/*'], '--only nothing/*: no submission has such a path'],
    [['bt', 'a.in', '--exec', './a', '--all'], '--all needs --package'],
    [['bt', 'a.in', '--exec', './a', '--check-inputs'], '--check-inputs needs --package'],
    [['bt', 'a.in', '--exec', './a', '--only', 'x'], '--only needs --package'],
    [['bt', '--matrix', 'cases', '--exec', './a'], '--matrix cases is for --package'],
    [['--package', 'sum', '--matrix=files'], '--matrix must be one of'],
    [['--package', 'sum', '--matrix', '--json'], '--json and --matrix cannot be used together'],
    [['--package', 'sum', '--multitest'], '--multitest cannot be used with --package without'],
    [['--package', 'sum', '--matrix', 'cases'], '--matrix cases needs --multitest'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await boardmillInTurn(['judge', ...args], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
