/** Tests of `--resume` after runs that were killed or that ended at an invalid case. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { styleOf } from '../support/inputs.js';
import { exitOf, start } from './boardmill.js';
import { CASES, createRuns, FILE, input, testKilledRuns, testStrays } from './resumed-runs.js';

const runs = createRuns();
const { folder, solve, checkpointedCases, untilCheckpointed, killRun, outcomeWithoutInterruption } = runs;
const { at, read, write } = folder;

/** Changes the content of the checkpoint, and writes it with the right digest. */
function changeCheckpoint(change: (checkpoint: { terms: Record<string, string> }) => void): void {
  const { digest: _, ...content } = JSON.parse(read(`${FILE}.checkpoint`));
  change(content);
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  write(`${FILE}.checkpoint`, `${JSON.stringify({ ...content, digest })}\n`);
}

const half = input.slice(0, input.length / 2);

let killedRunFolder = '';

// One run is killed. Tests get copies of the files that it has left.
beforeAll(async () => {
  killedRunFolder = folder.enter('killed');
  await killRun('bt', [], half);
});

const copyKilledRun = () => cpSync(killedRunFolder, folder.path, { recursive: true });

describe('after SIGKILL, --resume gives the bytes and the exit code of a run that was not interrupted', () => {
  // Both policies, and the formats that no test below has. resume.long.test.ts has all problems and other combinations.
  testKilledRuns(
    [
      {
        style: styleOf('bacterial-tactics'),
        args: ['--on-error', 'mark', '--format', 'ndjson'],
        isDamaged: true,
      },
      {
        style: styleOf('link-and-pop'),
        args: ['--on-error', 'stop', '--format', 'csv', '--columns', 'line,rows,cols'],
        isDamaged: true,
      },
    ],
    runs,
  );

  test('a killed run that read standard input is resumed from an input file', async () => {
    write('all.in', input);
    copyKilledRun();
    expect(await solve('bt', ['all.in', '-o', FILE, '--resume'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect({ code: 0, answers: read(FILE) }).toEqual(await outcomeWithoutInterruption('bt', [], input));
    expect(folder.names()).toEqual([FILE, 'all.in']);
  });
});

describe('a run that was killed between renaming FILE.partial and removing the checkpoint', () => {
  test('--resume completes a run that was killed after it renamed FILE.partial to FILE', async () => {
    copyKilledRun();
    renameSync(at(`${FILE}.partial`), at(FILE));
    expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
    expect({ code: 0, answers: read(FILE) }).toEqual(await outcomeWithoutInterruption('bt', [], input));
  });

  test('--resume refuses a FILE of another program and keeps it', async () => {
    copyKilledRun();
    renameSync(at(`${FILE}.partial`), at('elsewhere'));
    write(FILE, 'mine\n');
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
    expect(code).toBe(2);
    expect(stderr).toContain(`${FILE} exists and is not an answer file that boardmill wrote`);
    expect(read(FILE)).toBe('mine\n');
  });
});

test('--resume ignores a checkpoint that was only partly written', async () => {
  copyKilledRun();
  write(`${FILE}.checkpoint.new`, read(`${FILE}.checkpoint`).slice(0, 40));
  expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
  expect(folder.names()).toEqual([FILE]);
});

describe('a run that ended at an invalid case', () => {
  const good = input.split('\n');
  const line = Math.floor((2 * good.length) / 3);
  const bad = good.with(line, `${good[line]}?`).join('\n');

  test('after an invalid case was corrected, --resume continues from the checkpoint', async () => {
    expect((await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad)).code).toBe(3);
    const done = checkpointedCases();
    expect(done).toBeGreaterThan(CASES / 2);
    const { code } = await solve('bt', ['-', '-o', FILE, '--resume', '--stats', 'stats.json'], input);
    expect({ code, answers: read(FILE) }).toEqual(await outcomeWithoutInterruption('bt', [], input));
    expect(JSON.parse(read('stats.json'))).toMatchObject({ cases: CASES, resumedCases: done });
  });

  test('if an answered case was changed as well, --resume refuses and names the line', async () => {
    await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad);
    const partial = read(`${FILE}.partial`);
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input.replace('#', '.'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /<stdin> does not match the checkpoint: it is not the input of that run: something differs before line \d+, /,
    );
    expect(read(`${FILE}.partial`).length).toBeLessThanOrEqual(partial.length);
    expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
  });

  testStrays(
    [
      ['a word that leaves an empty line', 'stray', '\n\n'],
      ['another board', '1 1\n.\n', ''],
    ],
    runs,
  );

  test('if other text behind the last case takes the place of what was there, --resume refuses', async () => {
    await solve('bt', ['-', '-o', FILE], `${input}stray\n`);
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], `${input}.\n`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/something differs at line \d+, /);
  });

  test('--resume refuses an input that is shorter than the part that the interrupted run read', async () => {
    await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad);
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input.slice(0, 100));
    expect(code).toBe(2);
    expect(stderr).toMatch(/it has 100 bytes, the run had read \d+/);
  });
});

describe('a checkpoint or FILE.partial that does not fit the run', () => {
  beforeEach(copyKilledRun);

  /** Runs solve, asserts that it refuses and changes nothing, and returns its message. */
  const expectRefusal = async (problem: string, args: readonly string[], text = input) => {
    const before = read(`${FILE}.checkpoint`);
    const { code, stderr } = await solve(problem, ['-', '-o', FILE, ...args], text);
    expect(code).toBe(2);
    expect(read(`${FILE}.checkpoint`)).toBe(before);
    expect(existsSync(at(FILE))).toBe(false);
    return stderr;
  };

  test.each([
    {
      what: 'problem',
      problem: 'darkraft',
      args: [],
      message: 'problem was bacterial-tactics, is darkraft',
    },
    {
      what: 'output format',
      problem: 'bt',
      args: ['--format', 'ndjson'],
      message: '--format was text, is ndjson',
    },
    {
      what: 'error policy',
      problem: 'bt',
      args: ['--on-error', 'mark'],
      message: '--on-error was stop, is mark',
    },
  ])(
    '--resume refuses a checkpoint with another $what, and names the difference',
    async ({ problem, args, message }) => {
      expect(await expectRefusal(problem, ['--resume', ...args])).toContain(message);
    },
  );

  test('--resume refuses a checkpoint of another version of boardmill', async () => {
    changeCheckpoint(({ terms }) => {
      terms.version = '0.0.1';
    });
    expect(await expectRefusal('bt', ['--resume'])).toContain('version was 0.0.1, is ');
  });

  test.each([
    { what: 'is not JSON', spoil: () => '{]' },
    { what: 'is other JSON', spoil: () => '{"terms":{},"mark":{"input":{"offset":0}}}' },
    {
      what: 'has a negative number of bytes',
      spoil: (text: string) => text.replace(/"outputBytes":\d+/, '"outputBytes":-1'),
    },
  ])('--resume refuses a checkpoint that $what', async ({ spoil }) => {
    write(`${FILE}.checkpoint`, spoil(read(`${FILE}.checkpoint`)));
    expect(await expectRefusal('bt', ['--resume'])).toContain('is not a checkpoint of boardmill');
  });

  test('--resume refuses a FILE.partial that was changed', async () => {
    write(`${FILE}.partial`, read(`${FILE}.partial`).replace('Case #1: ', 'Case #1: 9'));
    expect(await expectRefusal('bt', ['--resume'])).toContain(
      `${FILE}.partial does not match its checkpoint: it is not what that run wrote`,
    );
  });

  test('--resume refuses a FILE.partial that was truncated', async () => {
    truncateSync(at(`${FILE}.partial`), 5);
    expect(await expectRefusal('bt', ['--resume'])).toContain(
      `${FILE}.partial does not match its checkpoint: it is not what that run wrote`,
    );
  });

  test('--resume refuses a checkpoint if FILE.partial is missing', async () => {
    renameSync(at(`${FILE}.partial`), at('elsewhere'));
    expect(await expectRefusal('bt', ['--resume'])).toContain(`${FILE}.partial is missing`);
  });

  test('after an interrupted run, a run with neither --resume nor --force is refused', async () => {
    expect(await expectRefusal('bt', [])).toMatch(
      /interrupted; --resume continues after [\d,]+ cases?, --force starts over/,
    );
  });

  test('--force discards the interrupted run and starts over', async () => {
    const { code } = await solve('bt', ['-', '-o', FILE, '--force', '--stats', 'stats.json'], input);
    expect(code).toBe(0);
    expect(JSON.parse(read('stats.json'))).toMatchObject({ cases: CASES, resumedCases: 0 });
    expect(folder.names()).toEqual([FILE, 'stats.json']);
  });

  test('--resume refuses to replace a FILE that another program created', async () => {
    write(FILE, 'mine\n');
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
    expect(code).toBe(2);
    expect(stderr).toContain(`${FILE} exists and is not an answer file that boardmill wrote`);
    expect(read(FILE)).toBe('mine\n');
  });
});

test('--resume without a checkpoint starts from the beginning and prints a note', async () => {
  const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
  expect(code).toBe(0);
  expect(stderr).toBe(`boardmill: there is no checkpoint of ${FILE}: starting from the beginning\n`);
});

test('a second run on FILE is refused during the first run, even under another path', async () => {
  mkdirSync(at('real'));
  symlinkSync('real', at('linked'));
  const first = start(['solve', 'bt', '-', '-o', `real/${FILE}`, '-j', '1'], { cwd: folder.path });
  const ended = exitOf(first);
  folder.enter('real');
  first.stdin.write(half);
  await untilCheckpointed(1);
  for (const path of [FILE, join('..', 'linked', FILE)]) {
    for (const args of [[], ['--resume'], ['--force']]) {
      const { code, stderr } = await solve('bt', ['-', '-o', path, ...args], input);
      expect(code).toBe(2);
      expect(stderr).toContain('is being written by another run');
    }
  }
  first.stdin.end(input.slice(half.length));
  expect(await ended).toBe(0);
  expect(folder.names()).toEqual([FILE]);
  expect({ code: 0, answers: read(FILE) }).toEqual(await outcomeWithoutInterruption('bt', [], input));
});

test('solve -o with a link writes the answers to the target of the link', async () => {
  write('target', '');
  symlinkSync('target', at(FILE));
  expect((await solve('bt', ['-', '-o', FILE], input)).code).toBe(0);
  expect({ code: 0, answers: read('target') }).toEqual(await outcomeWithoutInterruption('bt', [], input));
});
