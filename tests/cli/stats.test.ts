import { expect, test } from 'vitest';
import type { StatsReport } from '../../src/tools/stats/report.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess } from './boardmill.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

test('stats --json counts all inputs together and each by itself, up to the first error of an input', async () => {
  folder.write('data/a.in', '3\n1 1\n.\n1 2\n.#\n1 1\n.\n');
  folder.write('data/b.in', '2\n2 1\n#\n.\n1 1\n.\n');
  folder.write('data/c.in', '2\n1 1\n#\n1 1\n?\n');
  const args = ['stats', 'bt', 'data', '--symmetries', '--json', '-j', '2', '--html', 'report.html'];
  const { code, stdout, stderr } = await boardmill(args, { cwd: folder.path });
  expect(code).toBe(3);
  expect(stderr).toBe('boardmill: data/c.in:5:1: case 2: expected row 1 of 1 (1 of ".#"), got "?"\n');
  const report = JSON.parse(stdout) as StatsReport;
  expect(report).toMatchObject({
    problem: 'bacterial-tactics',
    answersFrom: 'solver',
    cases: 6,
    sizes: [
      { size: { rows: 1, cols: 1 }, cases: 4 },
      { size: { rows: 1, cols: 2 }, cases: 1 },
      { size: { rows: 2, cols: 1 }, cases: 1 },
    ],
    density: { of: 'cells that are #', min: 0, max: 1 },
    duplicates: 2,
    duplicatesAreExact: true,
    duplicatesUpToSymmetry: { duplicates: 3, areExact: true },
    sets: { 1: 6, 2: 6 },
  });
  // Only the board that is one radioactive cell has no opening. In all others, one line can be filled once.
  expect(report.nimbers).toMatchObject({ min: 0, max: 1, different: 2 });
  expect(report.nimbers!.histogram).toEqual([
    { from: 0, to: 0, cases: 1 },
    { from: 1, to: 1, cases: 5 },
  ]);
  const answers = report.answers!;
  expect(answers.reduce((sum, { cases }) => sum + cases, 0)).toBe(6);
  expect(answers).toContainEqual({ answer: 2, cases: 3 });
  expect(report.limits).toContainEqual({ name: 'rows', limit: 'smallest', value: '1', cases: 5 });
  expect(report.files.map(({ file, cases, duplicates }) => [file, cases, duplicates])).toEqual([
    ['data/a.in', 3, 1],
    ['data/b.in', 2, 0],
    ['data/c.in', 1, 0],
  ]);
  expect(report.files.map(({ error }) => error === null)).toEqual([true, true, false]);
  const page = folder.read('report.html');
  expect(page).toContain('3 files: 6 cases of bacterial-tactics (1 of them only up to the first error).');
  expect(page).not.toContain('<script');
  expect(page).toMatch(/<h2[^>]*>Nimbers</);
});

test('stats --symmetries is refused for a problem without symmetries', async () => {
  folder.write('one.ctd', 'INT(1, 9) NEWLINE EOF\n');
  folder.write('one.in', '5\n');
  const { code, stderr } = await boardmill(['stats', './one.ctd', 'one.in', '--symmetries'], {
    cwd: folder.path,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^boardmill: --symmetries is for boards .*; one has none; see /);
});

test('stats counts what is equal up to symmetry with --symmetries only, and nimbers where the solver has them', async () => {
  folder.write('a.in', '1 2\nLR\n1 2\nLR\n2 1\nX\nL\n2 1\nL\nX\n');
  folder.write('a.ans', 'WIN\nWIN\nWIN\nWIN\n');
  const stats = async (...options: readonly string[]) =>
    (await boardmill(['stats', 'darkraft', 'a.in', '-j', '1', ...options], { cwd: folder.path })).stdout;
  expect(await stats()).toContain('equal to an earlier one\n\nSets');
  expect(await stats('--symmetries')).toMatch(/equal to an earlier one up to /);
  const plain = JSON.parse(await stats('--json')) as StatsReport;
  expect(plain).toMatchObject({ duplicates: 1, duplicatesUpToSymmetry: null });
  expect(plain.files[0]).toMatchObject({ duplicatesUpToSymmetry: null, nimbers: plain.nimbers });
  expect(await stats()).toMatch(/^Nimbers\n {2}\d+ .*%\n(.*\n)* {2}nimber: /m);
  const expected = await stats('--expected', 'a.ans', '--json');
  expect((JSON.parse(expected) as StatsReport).nimbers).toBeNull();
  const riverPawn = await boardmill(['stats', 'zu', '-', '--json', '-j', '1'], {
    stdin: '0 1\n3 3\nO.O\n...\nX..\n',
  });
  expect(JSON.parse(riverPawn.stdout)).toMatchObject({ cases: 1, nimbers: null });
});

test('stats counts the nimbers that a module states', async () => {
  folder.write(
    'heaps.mjs',
    `import { defineProblem, formats } from 'boardmill';
     const { counted, int, ints } = formats;
     const nimber = ({ heaps }) => heaps.reduce((sum, heap) => sum ^ heap, 0);
     export default defineProblem({
       name: 'heaps',
       input: counted({ n: int(1, 9), heaps: ints('n', 0, 9) }),
       nimber: async (position) => nimber(position),
       solve: (position) => (nimber(position) === 0 ? 'second' : 'first'),
     });`,
  );
  const args = ['stats', './heaps.mjs', '-', '--json', '-j', '1'];
  const stdin = '4\n2\n3 3\n1\n5\n3\n1 2 3\n2\n4 1\n';
  const { code, stdout } = await boardmill(args, { stdin, cwd: folder.path });
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    report: { nimbers: { min: 0, max: 5, different: 2 } },
  });
  expect(JSON.parse(stdout).nimbers.histogram).toEqual([
    { from: 0, to: 0, cases: 2 },
    { from: 5, to: 5, cases: 2 },
  ]);
});

test('stats joins the bars of many nimbers, and lists each of them in the JSON', async () => {
  const board = (cols: number) => `1 ${cols}\n${'X'.repeat(cols)}\n`;
  const input = Array.from({ length: 35 }, (_, i) => board(i + 1)).join('');
  const { stdout } = await boardmill(['stats', 'darkraft', '-', '--json', '-j', '1'], { stdin: input });
  const { nimbers } = JSON.parse(stdout) as StatsReport;
  expect(nimbers!.histogram.every(({ from, to }) => from === to)).toBe(true);
  expect(nimbers!.histogram.reduce((sum, { cases }) => sum + cases, 0)).toBe(35);
});

test('stats shows histograms as wide as the terminal at most', async () => {
  folder.write('n.ctd', 'INT(0,99,t) NEWLINE REP(t) INT(1,50,n) NEWLINE END');
  folder.write('n.in', `40\n${Array.from({ length: 40 }, (_, i) => `${1 + (i % 30)}\n`).join('')}`);
  folder.write(
    'n.ans',
    `${Array.from({ length: 39 }, (_, i) => `${'even odd'.split(' ')[i % 2]}\n`).join('')}`,
  );
  const args = ['stats', 'n.ctd', 'n.in', '--multitest', '--expected', 'n.ans'];
  const { code, stdout } = await boardmillInOwnProcess(args, { cwd: folder.path, env: { LC_ALL: 'C' } });
  expect(code).toBe(1);
  const lines = stdout.split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBe(80);
  expect(lines[0]).toBe('n.in: 40 cases of n');
  expect(lines).toContain('Sizes (by n)');
  expect(stdout).toMatch(/^ {2}1 {9}#+ +2 +5\.0 %$/m);
  expect(stdout).toContain('n = 50, its largest value: in no case');
  expect(stdout).toContain('10 cases (25.0 %) equal to an earlier one');
  expect(stdout).toMatch(/^ {2}even {2}#+ 20 +50\.0 %$/m);
  expect(stdout).toContain('the file has no answer to 1 case');
});

test('stats says why there are no answers, and refuses what cannot be', async () => {
  folder.write('n.ctd', 'INT(0,99,t) NEWLINE REP(t) INT(1,50,n) NEWLINE END');
  folder.write('n.in', '0\n');
  const { code, stdout } = await boardmill(['stats', folder.at('n.ctd'), folder.at('n.in'), '--multitest']);
  expect(code).toBe(0);
  expect(stdout).toContain('left out: n has no solver; --expected FILE reads the answers from a file');
  const refused = await boardmill(['stats', 'bt', 'a.in', 'b.in', '--expected', 'x'], { cwd: folder.path });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'boardmill: --expected takes one input, got 2; see `boardmill stats --help`\n',
  ]);
});

test('stats of a grammar tells sizes apart by numbers that every case has', async () => {
  const parts =
    'INT(1,5,n) NEWLINE IF(n>4) INT(1,2,z) NEWLINE REP(z) INT(1,9) NEWLINE END ELSE INT(6,7,y) NEWLINE END';
  folder.write('if.ctd', `WHILE(!ISEOF) ${parts} END`);
  folder.write('if.in', '1\n6\n5\n1\n9\n3\n7\n');
  const args = ['stats', 'if.ctd', 'if.in', '--multitest'];
  const { code, stdout } = await boardmill(args, { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toMatch(/Sizes \(by n\)/);
  const { stdout: json } = await boardmill([...args, '--json'], { cwd: folder.path });
  const { sizes, numbers } = JSON.parse(json) as StatsReport;
  expect(sizes).toEqual([1, 5, 3].map((n) => ({ size: { n }, cases: 1 })));
  expect(numbers.map(({ name, min, max }) => [name, min, max])).toEqual([
    ['n', 1, 5],
    ['z', 1, 1],
    ['y', 6, 7],
  ]);
});

test('stats prints no report if no input has a case that can be read', async () => {
  folder.write('bad.in', 'x\n');
  const { code, stdout, stderr } = await boardmill(['stats', 'bt', 'bad.in', 'gone.in', '--json'], {
    cwd: folder.path,
  });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr.split('\n')).toEqual([
    'boardmill: bad.in:1:1: expected the number of cases (0 to 2^53 - 1), got "x"',
    expect.stringMatching(/gone\.in/),
    '',
  ]);
});

test('the statistics are those of the input, even if `solve` of a module changes its fields', async () => {
  folder.write(
    'median.mjs',
    `import { defineProblem, formats } from 'boardmill';
     const { counted, int, ints, grid } = formats;
     export default defineProblem({
       name: 'median',
       input: counted({ n: int(1, 9), a: ints('n', 0, 99), g: grid(1, 2, '.#') }),
       contest: { sets: { small: { a: [0, 3] } } },
       solve({ a, g }) {
         a.sort((x, y) => x - y);
         g.cells.fill(1);
         return (a[a.length - 1] += 50);
       },
     });`,
  );
  folder.write('cases.in', '4\n3\n3 1 2\n..\n3\n1 2 3\n..\n3\n2 3 1\n.#\n3\n3 1 2\n..\n');
  const { code, stdout } = await boardmill(['stats', './median.mjs', 'cases.in', '--json'], {
    cwd: folder.path,
  });
  expect(code).toBe(0);
  const { duplicates, numbers, sets, answers } = JSON.parse(stdout);
  expect({ duplicates, sets, answers }).toMatchObject({
    duplicates: 1,
    answers: [{ answer: '53', cases: 4 }],
  });
  expect(numbers.find(({ name }: { name: string }) => name === 'a')).toMatchObject({ min: 1, max: 3 });
  expect(JSON.stringify(sets)).toContain('4');
});
