/** Longer tests of `boardmill grade`: repeated reports, searches without time, and right programs that are slow. */
import { describe, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { C_PROGRAM, createGradings, type Survivor } from './grade-subjects.js';

allowSlowTests();

const { folder, prepare, grade } = createGradings();
const { write, names } = folder;

describe('grade', () => {
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
