/** Longer tests of `boardmill grade`: new tests, repeated reports, answers beside tests, and right programs that are slow. */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { C_PROGRAM, createGradings, type Survivor } from './grade-subjects.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

const { folder, prepare, grade } = createGradings();
const { write, names } = folder;

describe('grade', () => {
  test('finds tests for what weak tests do not kill, and with them nothing is left that a test could kill', async () => {
    prepare();
    // The name of the first new test is taken by a link that leads to no file.
    mkdirSync(folder.at('new'));
    symlinkSync('nothing', folder.at('new/grade-1.in'));
    const first = await grade('weak.in', '--program', 'right.c', '--into', 'new', '--json');
    expect([first.code, first.stderr]).toEqual([1, '']);
    const report = JSON.parse(first.stdout);
    expect(report.killed).toBeLessThan(report.mutants);
    const statusOf = (from: string, to: string) =>
      report.survivors.find((each: Survivor) => each.from === from && each.to === to)?.status;
    expect(statusOf('b > a', '0')).toBe('killed by a new test');
    // Both numbers are equal then, so this mutant is right on all 36 cases.
    expect(statusOf('b > a', 'b >= a')).toBe('equal on every case');
    rmSync(folder.at('new/grade-1.in'));
    expect(readdirSync(folder.at('new'))).not.toContain('grade-1.ans');
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

  test('answers beside a test are compared with the right ones', async () => {
    prepare();
    write('two.in', '2\n3 3\n1 5\n');
    write('two.ans', 'Case #1: 30\nCase #2: 54\n');
    write('sums.ctd', 'INT(1,9,t) NEWLINE\nREP(t) INT(0,5) SPACE INT(0,5) NEWLINE END\n');
    const larger = ['./larger.mjs', 'two.in', '--program', 'right.c', '--time', '0.001'];
    // The grammar has no solver, so the right answers are those of the first program.
    const sums = ['sums.ctd', ...larger.slice(1)];
    const gradeOf = (words: string[]) => boardmill(['grade', ...words, '-q'], { cwd: folder.path });
    for (const words of [larger, sums]) expect((await gradeOf(words)).stderr).toBe('');
    write('two.ans', 'Case #1: 30\nCase #2: 45\n');
    const wrong = (who: string) => ({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^boardmill: two\\.ans:2:10: .*45.*; the right answers are those of ${who}\n$`, 's'),
      ),
    });
    expect(await gradeOf(larger)).toMatchObject(wrong('the solver'));
    expect(await gradeOf(sums)).toMatchObject(wrong('right\\.c'));
    write('two.ans', 'Case #1: 30\n');
    expect(await gradeOf(larger)).toMatchObject({ code: 4, stderr: expect.stringContaining('case 2') });
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
});
