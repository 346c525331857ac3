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

function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 16);
}

describe('generate', () => {
  test.each([
    ['bacterial-tactics', 'tiny', 100, 'd7d976f07c947c71'],
    ['bt', 'hard', 8, '102c6130e0271637'],
    ['zu', 'hard', 8, '4ea986adf1abf885'],
    ['link-and-pop', 'random', 50, 'cbd7df546c7cb7bf'],
  ])('%s, %s: the kernels and an alias change no byte', async (name, profile, cases, expected) => {
    const words = ['generate', name, '--cases', `${cases}`, '--seed', '7', '--profile', profile];
    const { code, stdout, stderr } = await boardmill(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sha256(stdout)).toBe(expected);
  });

  test.each(PROBLEMS)(
    '$name: all solvers answer a generated input, with the same bytes',
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

  test.each(PROBLEMS)('$name: generate makes the bundled samples', async ({ name }) => {
    for (const [file, cases, profile] of [
      ['tiny', '100', 'tiny'],
      ['random', `${fixtureOf(name).randomSampleCases}`, 'random'],
    ]) {
      const words = ['generate', name, '--cases', cases, '--seed', '1', '--profile', profile];
      const { stdout } = await boardmill(words);
      expect(stdout).toBe(readFileSync(join(ROOT, 'data', name, 'sample', `${file}.in`), 'latin1'));
    }
  });

  test('without a seed: one is drawn, and told so that the run can be repeated', async () => {
    const words = ['generate', 'darkraft', '--cases', '3'];
    const drawn = await boardmill(words);
    const seed = /^boardmill: random seed (\d+) \(repeat with --seed \1\)$/m.exec(drawn.stderr)?.[1];
    expect(seed).toBeDefined();
    const repeated = await boardmill([...words, '--seed', seed!]);
    expect(repeated).toEqual({ code: 0, stdout: drawn.stdout, stderr: '' });
    expect((await boardmill([...words, '-q'])).stderr).toBe('');
  });

  test('-o FILE: the same bytes, nothing beside it; ours is overwritten, a foreign file with --force', async () => {
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

  test('what a cut-off solve left beside FILE is refused, and dropped with --force', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    writeFileSync(`${file}.checkpoint`, '{}');
    const words = ['generate', 'zu', '--cases', '2', '--seed', '1', '-o', file];
    expect((await boardmill(words)).code).toBe(2);
    expect((await boardmill([...words, '-f'])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['a.in']);
  });

  test('stopped by a signal: neither FILE nor a part of it is left', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.in');
    const child = start(['generate', 'bt', '--cases', '100000000', '--seed', '1', '-o', file]);
    child.stderr.resume();
    await until(() => existsSync(`${file}.partial`));
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('closed pipe: silent, 141', async () => {
    const child = start(['generate', 'bt', '--cases', '100000000', '--seed', '1']);
    const complaints: Buffer[] = [];
    child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes));
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await exitOf(child)).toBe(141);
    expect(Buffer.concat(complaints).toString()).toBe('');
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
  ])('wrong usage %j', async (words, message) => {
    const { code, stdout, stderr } = await boardmill(['generate', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('a file that cannot be created is wrong usage as well', async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await boardmill(['generate', 'bt', '--cases', '1', '--seed', '1', '-o', folder]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is a directory/);
  });
});
