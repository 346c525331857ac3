/** Tests of `boardmill generate` that run the build. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, ROOT, start } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

/** Returns the first 16 hexadecimal digits of the SHA-256 of a text. */
function digestOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 16);
}

describe('generate', () => {
  test.each([
    ['bacterial-tactics', 'tiny', 100, 'd7d976f07c947c71'],
    ['bt', 'hard', 8, '102c6130e0271637'],
    ['zu', 'hard', 8, '4ea986adf1abf885'],
    ['link-and-pop', 'random', 50, 'cbd7df546c7cb7bf'],
  ])(
    'generate prints the bytes with the recorded digest: problem %s, profile %s',
    async (name, profile, cases, expected) => {
      const words = ['generate', name, '--cases', `${cases}`, '--seed', '7', '--profile', profile];
      const { code, stdout, stderr } = await boardmill(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(digestOf(stdout)).toBe(expected);
    },
  );

  test.each(PROBLEMS.slice(0, 1))(
    'all solvers print the same answers to a generated input of $name',
    async ({ name }) => {
      const { stdout } = await boardmill(['generate', name, '--cases', '60', '--seed', 'any text']);
      const answers = await Promise.all(
        ['portable', 'auto'].map((solver) =>
          boardmill(['solve', name, '-j', '1', '--solver', solver], { stdin: stdout }),
        ),
      );
      expect(answers[0]).toMatchObject({ code: 0, stderr: '' });
      expect(answers[1]).toEqual(answers[0]);
    },
  );

  test.each(PROBLEMS)('generate prints the bundled sample inputs of $name', async ({ name }) => {
    for (const [file, cases, profile] of [
      ['tiny', '100', 'tiny'],
      ['random', `${fixtureOf(name).randomSampleCases}`, 'random'],
    ]) {
      const words = ['generate', name, '--cases', cases, '--seed', '1', '--profile', profile];
      const { stdout } = await boardmill(words);
      expect(stdout).toBe(readFileSync(join(ROOT, 'data', name, 'sample', `${file}.in`), 'latin1'));
    }
  });

  test('without --seed, generate prints the random seed, which repeats the same input', async () => {
    const words = ['generate', 'darkraft', '--cases', '3'];
    const seedless = await boardmill(words);
    const seed = /^boardmill: random seed (\d+) \(repeat with --seed \1\)$/m.exec(seedless.stderr)?.[1];
    expect(seed).toBeDefined();
    const repeated = await boardmill([...words, '--seed', seed!]);
    expect(repeated).toEqual({ code: 0, stdout: seedless.stdout, stderr: '' });
    expect((await boardmill([...words, '-q'])).stderr).toBe('');
  });

  test('generate -o FILE replaces a file that generate wrote, and needs --force for another file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    const words = ['generate', 'zu', '--cases', '500', '--seed', '1'];
    const { stdout } = await boardmill(words);
    for (let run = 0; run < 2; run++) {
      expect(await boardmill([...words, '-o', file])).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(readFileSync(file, 'latin1')).toBe(stdout);
      expect(readdirSync(folder)).toEqual(['a.in']);
    }
    writeFileSync(file, 'mine\n');
    const refused = await boardmill([...words, '-o', file]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /a\.in exists: it was an input that generate wrote, and was changed since; --force overwrites it/,
    );
    expect(readFileSync(file, 'latin1')).toBe('mine\n');
    expect((await boardmill([...words, '-o', file, '-f'])).code).toBe(0);
    expect(readFileSync(file, 'latin1')).toBe(stdout);
  });

  test('generate refuses FILE if FILE.checkpoint exists, and removes the checkpoint with --force', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    writeFileSync(`${file}.checkpoint`, '{}');
    const words = ['generate', 'zu', '--cases', '2', '--seed', '1', '-o', file];
    expect((await boardmill(words)).code).toBe(2);
    expect((await boardmill([...words, '-f'])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['a.in']);
  });

  test('a generate that a signal stops leaves neither FILE nor FILE.partial', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    const child = start(['generate', 'bt', '--cases', '100000000', '--seed', '1', '-o', file]);
    child.stderr.resume();
    await until(() => existsSync(`${file}.partial`));
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('one signal ends a generate that is drawing a case, and no file remains', async () => {
    const folder = temporaryFolder();
    const endless =
      'WHILE(1==1) INT(1,9,x) SPACE INT(1,9,y) NEWLINE ASSERT(x+y==10) IF(x==1) INT(2,1,q) END END EOF';
    writeFileSync(join(folder, 'a.ctd'), endless);
    const child = start(['generate', './a.ctd', '-o', 'a.in'], { cwd: folder });
    // The random seed is printed just before the case is drawn.
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    // Which shells report as 143.
    expect(await exitOf(child)).toBe('SIGTERM');
    expect(readdirSync(folder)).toEqual(['a.ctd']);
  });

  test('generate ends silently with exit code 141 if the reader closes the pipe', async () => {
    const child = start(['generate', 'bt', '--cases', '100000000', '--seed', '1']);
    const stderr: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await exitOf(child)).toBe(141);
    expect(Buffer.concat(stderr).toString()).toBe('');
  });

  test('--profile all lists every board, and slices of the list are the parts of the whole', async () => {
    const all = (...words: string[]) =>
      boardmill(['generate', 'darkraft', '--profile', 'all', '--rows', '1..2', '--cols', '1..3', ...words]);
    const [whole, first, second, rest, count, partCount] = await Promise.all([
      all(),
      all('--cases', '300'),
      all('--cases', '301..600'),
      all('--cases', '601..1e3'),
      all('--count'),
      all('--cases', '850..1000', '--count'),
    ]);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout.startsWith('1 1\nL\n1 1\nR\n1 1\nX\n1 2\nLL\n')).toBe(true);
    expect(first.stdout + second.stdout + rest.stdout).toBe(whole.stdout);
    expect([count.stdout, partCount.stdout]).toEqual(['858\n', '9\n']);
    const pawns = ['generate', 'zu', '--profile', 'all', '--rows', '2', '--cols', '2', '--cases', '2..3'];
    expect((await boardmill(pawns)).stdout).toBe('0 2\n2 2\n.O\nOX\n2 2\n#O\nXO\n');
  });

  test('--profile all lists the valid cases of a module, and the cases of a grammar', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'rising.mjs'),
      `import { defineProblem, formats } from 'boardmill';
      const { counted, int, ints } = formats;
      export default defineProblem({
        name: 'rising',
        input: counted({ n: int(1, 3), a: ints('n', 1, 3) }),
        valid: ({ a }) => a.every((value, index) => index === 0 || a[index - 1] < value),
      });`,
    );
    writeFileSync(
      join(folder, 'pair.ctd'),
      'INT(1,9,t) NEWLINE REP(t) INT(1,2,a) SPACE INT(a,2) NEWLINE END',
    );
    const all = (...words: string[]) =>
      boardmill(['generate', ...words, '--profile', 'all'], { cwd: folder });
    const [count, part, grammar] = await Promise.all([
      all('./rising.mjs', '--count'),
      all('./rising.mjs', '--cases', '4..6'),
      all('pair.ctd', '--multitest'),
    ]);
    expect(count).toEqual({ code: 0, stdout: '7\n', stderr: '' });
    expect(part).toEqual({ code: 0, stdout: '3\n2\n1 2\n2\n1 3\n2\n2 3\n', stderr: '' });
    expect(grammar).toEqual({ code: 0, stdout: '3\n1 1\n1 2\n2 2\n', stderr: '' });
  });

  test('a signal stops --profile all, and no file remains', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    const child = start(['generate', 'bt', '--profile', 'all', '--rows', '6', '--cols', '6', '-o', file]);
    child.stderr.resume();
    await until(() => existsSync(`${file}.partial`));
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  const ALL = ['--profile', 'all', '--rows', '1', '--cols', '1..2'];
  test.each([
    [['bt', ...ALL, '--cases', '1..0'], /--cases needs a number such as 1000 or a range .*, got "1\.\.0"/],
    [['bt', ...ALL, '--cases', '0..3'], /--cases needs a number/],
    [['bt', ...ALL, '--cases', '7..9'], /--cases 7\.\.9: there are only 6 cases/],
    [['bt', ...ALL, '--seed', '1'], /--seed cannot be used with --profile all/],
    [['bt', ...ALL, '--density', '0.5'], /--density cannot be used with --profile all/],
    [['bt', ...ALL, '--set', '1'], /--set cannot be used with --profile all/],
    [['bt', '--profile', 'all', '--rows', '1'], /--profile all needs the sizes of the boards/],
    [['bt', '--cases', '1', '--count'], /--count needs --profile all/],
    [['bt', ...ALL, '--count', '-o', 'a.in'], /--count prints a number/],
    [
      ['bt', '--profile', 'all', '--rows', '15', '--cols', '15'],
      /at most 9007199254740991 cases, but there are about 10\^67; --cases A\.\.B/,
    ],
    [['bt'], /cases/],
    [['bt', '--cases', '-1'], /--cases needs a whole number of at least 0, got "-1"/],
    [['bt', '--cases', '1.5'], /--cases needs a whole number/],
    [['bt', '--cases', '1e-3'], /--cases needs a whole number/],
    [['darkraft', '--cases', '0'], /--cases 0: an input of darkraft must have at least one case/],
    [['chess', '--cases', '1'], /no problem is named "chess"/],
    [
      ['bt', '--cases', '1', '--rows', '4..2'],
      /--rows needs a range such as 2\.\.8 or one number, .*"4\.\.2"/,
    ],
    [['bt', '--cases', '1', '--cols', '2-4-6'], /--cols needs a range/],
    [['bt', '--cases', '1', '--rows', '51'], /--rows needs sizes from 1 to 50, got 51/],
    [['zu', '--cases', '1', '--rows', '2', '--cols', '1'], /has 3 to 256 cells, but no size from 2x1/],
    [['bt', '--cases', '1', '--density', '1.5'], /--density needs a share from 0 to 1, got "1\.5"/],
    [['bt', '--cases', '1', '--density', '-1'], /--density needs a share from 0 to 1/],
    [
      ['bt', '--cases', '1', '--density', '0.1', '--profile', 'hard'],
      /--density cannot be used with --profile hard/,
    ],
    [['bt', '--cases', '1', '--profile', 'large'], /profile.*large/s],
    [['bt', '--cases', '1', '--seed', '1', '--seed', '2'], /--seed was given 2 times/],
  ])('generate refuses the arguments %j with exit code 2', async (words, message) => {
    const { code, stdout, stderr } = await boardmill(['generate', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('generate exits with code 2 if -o names a folder', async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await boardmill(['generate', 'bt', '--cases', '1', '--seed', '1', '-o', folder]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is a directory/);
  });
});
