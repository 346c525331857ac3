/** The script that measures what the tests miss, on a small project of which we know what its tests miss. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { measure } from '../../scripts/mutants/measure.mjs';
import { mutantsOf } from '../../scripts/mutants/places.mjs';
import { reportOf, textOf } from '../../scripts/mutants/report.mjs';
import { ROOT } from '../cli/boardmill.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

describe('a planted project', { timeout: 120_000 }, () => {
  const root = join(folder, 'project');
  const FILES = {
    '.gitignore': 'node_modules\n',
    'vitest.config.ts': "export default { test: { include: ['tests/*.test.ts'] } };\n",
    'src/sum.ts': `
      export const sum = (a: number, b: number) => a + b;
      export function countTo(end: number) {
        let count = 0;
        while (count !== end) count++;
        return count;
      }
      export const product = (a: number, b: number) => a * b;
      export const double = (a: number) => a + a;
      export const half = (a: number) => a / 2;
    `,
    'src/square.ts': `
      export const square = (a: number) => a * a;
    `,
    'tests/together.test.ts': `
      import { expect, test } from 'vitest';
      import { square } from '../src/square.ts';
      import { double } from '../src/sum.ts';
      test('both', () => expect(double(0) + square(2)).toBe(4));
    `,
    'tests/sum.test.ts': `
      import { expect, test } from 'vitest';
      import { countTo, half, sum } from '../src/sum.ts';
      test('sum', () => expect(sum(2, 3)).toBe(5));
      test('half', () => expect(half(0)).toBe(0));
      test('count', () => expect(countTo(2)).toBe(2));
    `,
    'tests/half.long.test.ts': `
      import { expect, test } from 'vitest';
      import { half } from '../src/sum.ts';
      test('half', () => expect(half(4)).toBe(2));
    `,
    // Fails the first time that a mutant is active.
    'tests/unsteady.test.ts': `
      import { existsSync, writeFileSync } from 'node:fs';
      import { expect, test } from 'vitest';
      import { double } from '../src/sum.ts';
      test('double', () => {
        const fails = process.env.BOARDMILL_MUTANT !== undefined && !existsSync('has-failed');
        if (fails) writeFileSync('has-failed', '');
        expect(double(0)).toBe(fails ? 1 : 0);
      });
    `,
    'tests/broken.test.ts': `
      import { expect, test } from 'vitest';
      import { product } from '../src/sum.ts';
      test('product', () => expect(product(2, 3)).toBe(7));
    `,
  };

  const SOURCES = ['src/sum.ts', 'src/square.ts'] as const;

  /** Measures the mutants of some places, and returns the verdicts by these places. */
  async function measured(
    work: string,
    places: readonly string[],
    tests: readonly string[],
    times: { graceMs?: number; aloneMs?: number } = {},
  ) {
    const mutants = SOURCES.flatMap((source) => mutantsOf(source, FILES[source]))
      .filter(({ from, operator }) => places.includes(from) && operator !== 'arrow')
      .map((mutant, index) => ({ ...mutant, number: index + 1 }));
    const lines: string[] = [];
    const verdicts = await measure({
      root,
      work: join(folder, work),
      mutants,
      tests,
      jobs: 1,
      isBuilt: false,
      ...times,
      say: (line: string) => void lines.push(line),
    });
    return { mutants, verdicts, said: lines.join('\n') };
  }

  beforeAll(plant);

  test('mutants are killed by the tests that reach them, or not covered', async () => {
    const places = ['a + b', 'a * b', 'a + a', 'a / 2'];
    const { mutants, verdicts, said } = await measured('work', places, ['tests']);
    expect(verdicts.map(({ status, by }) => [status, by])).toEqual([
      ['killed', 'npm test'],
      ['not covered', null],
      ['survived', null],
      ['killed', 'npm run test:all'],
    ]);
    expect(verdicts[0].how).toMatch(/^tests\/sum\.test\.ts > sum > expected -1 to be 5/);
    expect(verdicts[1].unusable).toEqual(['tests/broken.test.ts']);
    expect(verdicts[2].unconfirmed).toEqual([
      'tests/unsteady.test.ts > double > expected +0 to be 1 // Object.is equality',
    ]);
    expect(said).toContain('without a mutant:\n  tests/broken.test.ts');

    const report = textOf(
      reportOf({ rooms: ['src'], count: 4, seed: 7, tests: ['tests'], places: 9, mutants, verdicts }),
    );
    expect(report).toMatch(/^src\/sum\.ts +4 +1 +2 +1 +1$/m);
    expect(report).toContain(`npm run mutants -- --only ${mutants[1].id}\n`);

    const again = await measured('work', places, ['tests']);
    expect(again.verdicts).toEqual(verdicts);
    expect(again.said).toContain('4 mutants were judged by an earlier run');
  });

  test('a work folder serves one run at a time, and one that a dead process has left', async () => {
    mkdirSync(join(folder, 'locked'));
    writeFileSync(join(folder, 'locked/running'), `${process.pid}`);
    await expect(measured('locked', ['a + b'], ['tests'])).rejects.toThrow(
      `the process ${process.pid} measures the same mutants`,
    );
    const { pid } = spawnSync('true');
    writeFileSync(join(folder, 'locked/running'), `${pid}`);
    const { verdicts } = await measured('locked', ['a + b'], ['tests/sum.test.ts']);
    expect(verdicts.map(({ status }) => status)).toEqual(['killed']);
    expect(existsSync(join(folder, 'locked/running'))).toBe(false);
  });

  test('if no test passes without a mutant, or no test has the name, there are no verdicts', async () => {
    await expect(measured('broken', ['a * b'], ['tests/broken.test.ts'])).rejects.toThrow(
      /^no test file passes in the copy without a mutant: tests\/broken\.test\.ts > product > expected 6 to be 7/,
    );
    await expect(measured('nope', ['a * b'], ['tests/sum.test.ts', 'tests/nope'])).rejects.toThrow(
      'no test file is called tests/nope',
    );
  });

  test('of mutants that run together, those are killed that fail alone', async () => {
    const tests = ['tests/together.test.ts'];
    const { mutants, verdicts } = await measured('together', ['a + a', 'a * a'], tests, { aloneMs: 0 });
    expect(mutants.map(({ to }, index) => [to, verdicts[index].status, verdicts[index].how])).toEqual([
      ['(a) - (a)', 'survived', null],
      ['(a) / (a)', 'killed', 'tests/together.test.ts > both > expected 1 to be 4 // Object.is equality'],
    ]);
  });

  test('a mutant with which the tests do not end is killed', async () => {
    const { mutants, verdicts } = await measured('other', ['count++'], ['tests/{s*,none}.test.ts'], {
      graceMs: 1000,
    });
    const found = mutants.map(({ from, to }, index) => [from, to, verdicts[index].how]);
    expect(found).toEqual([['count++', 'count--', 'tests/sum.test.ts > the tests took too long']]);
    expect(verdicts[0].tests).toEqual(['tests/sum.test.ts']);
  });

  function plant() {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    cpSync(join(ROOT, 'scripts/mutants'), join(root, 'scripts/mutants'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    execFileSync('git', ['init', '--quiet'], { cwd: root });
  }
});

test.each([
  [['--rooms='], 'got ""'],
  [['--rooms', 'src/core/bytes.ts+tests/core'], 'got "tests/core"'],
  [['--kernels', 'nope'], 'there is no kernel nope'],
  [['--kernels', 'darkraft', '--jobs', '2'], 'not --jobs'],
  [['--rooms', 'src/core/bytes.ts', '--json', join(folder, 'missing/x.json')], join(folder, 'missing')],
  [['--rooms', 'src/core/bytes.ts', '--tests', 'tests/core,tests/nope'], 'no test file is called tests/nope'],
])('%j is refused before anything is copied', (args, message) => {
  const script = join(ROOT, 'scripts/mutants.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  expect(readdirSync(folder).filter((name) => name.startsWith('boardmill-mutants-'))).toEqual([]);
});

test('a room is drawn from once, however its path is written', () => {
  const script = join(ROOT, 'scripts/mutants.mjs');
  const rooms = './src/core/words.ts,src/core/../core/words.ts';
  const listed = spawnSync(process.execPath, [
    script,
    '--rooms',
    rooms,
    '--count',
    '2',
    '--seed',
    '1',
    '--list',
  ]);
  expect(listed.stdout.toString()).toMatch(/^2 of \d+ mutants of src\/core\/words\.ts, seed 1\n/);
});
