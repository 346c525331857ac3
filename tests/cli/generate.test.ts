/** Tests of `boardmill generate` that run the build. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/problems/registry.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, ROOT, start, temporaryFolder } from './boardmill.js';

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

  test.each(PROBLEMS)(
    'all solvers print the same answers to a generated input of $name',
    async ({ name }) => {
      const { stdout } = await boardmill(['generate', name, '--cases', '60', '--seed', 'any text']);
      const answers = await Promise.all(
        ['portable', 'auto'].map((solver) =>
          boardmill(['solve', name, '--solver', solver], { stdin: stdout }),
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
      /a\.in exists and is not an input that generate wrote; --force overwrites it/,
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

  test('generate ends silently with exit code 141 if the reader closes the pipe', async () => {
    const child = start(['generate', 'bt', '--cases', '100000000', '--seed', '1']);
    const stderr: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await exitOf(child)).toBe(141);
    expect(Buffer.concat(stderr).toString()).toBe('');
  });

  test.each([
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
    [['bt', '--cases', '1', '--rows', '51'], /--rows needs sizes from 1 to 50, got 51\.\.51/],
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
