/** Tests that boardmill overwrites no file of the user: refusals before a run, and changes noticed during a run. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { lockAddressOf } from '../../src/engine/output/lock.js';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { exitOf, start, textOf } from './boardmill.js';
import { ANSWERS, INPUT, startHalfway } from './halfway.js';
import { boardmill } from './in-turn.js';
import { ownedFolder } from './owned-folder.js';

allowSlowTests();

const { folder, shell, run, solve, expectRefusal, expectSilentRefusal, expectNoOutputAfter } = ownedFolder();
const { at, read, write } = folder;

describe('an output that is also an input or another output of the same run', () => {
  beforeEach(() => {
    linkSync(at('g.in'), at('hard.in'));
    symlinkSync('g.in', at('soft.in'));
    mkdirSync(at('folder'));
    write('mine', '#!/bin/sh\nexit 1\n');
  });

  test.each([
    ['solve', 'bt', 'g.in', '--stats', 'g.in'],
    ['solve', 'bt', 'g.in', '--stats', 'hard.in', '-f'],
    ['solve', 'bt', 'soft.in', '--stats', './folder/../g.in', '--force'],
    ['solve', 'bt', 'g.in', '-o', 'hard.in', '--force'],
    ['solve', 'bt', 'g.in', '-o', 'out', '--stats', 'out', '--force'],
    ['solve', 'bt', 'g.in', '-o', 'out', '--stats', 'out.partial'],
    ['solve', 'bt', 'g.in', '-o', 'out', '--stats', 'out.checkpoint'],
    ['solve', 'bt', 'g.in', '--ext', '.in', '-f'],
    ['solve', 'bt', 'g.in', 'hard.in', '--ext', '.in', '-f'],
    ['solve', 'bt', 'g.in', '-o', 'mine', '-f', '--exec', 'sh ./mine'],
    ['extract', 'bt', 'g.in', '--cases', '1', '-o', 'soft.in', '-f'],
    ['bench', 'bt', 'g.in', '--html', 'g.in', '-f'],
    ['bench', 'bt', 'g.in', '--html', 'out', '--export-json', 'out', '-f'],
    ['bench', 'bt', 'g.in', '--vs', 'sh ./mine', '--export-slowest', 'mine', '-f'],
  ])('an output that is also another file of the run is refused: %s %s %s %s %s %s %s', async (...args) => {
    const before = folder.names();
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: \S+ is both .* and .*\n$/);
    expect(read('g.in')).toBe(INPUT);
    expect(folder.names()).toEqual(before);
  });

  test.each([
    ['input and standard output', 'boardmill solve bt g.in >> g.in'],
    ['input and output', 'boardmill solve bt -f -o g.in < g.in'],
    [
      '--stats and standard error',
      'boardmill solve bt hard.in --stats err 2> err; code=$?; cat err >&2; exit $code',
    ],
    ['answers to check and standard output', 'echo > a; boardmill check bt g.in a >> a'],
  ])('boardmill refuses a file that is both %s: %s', expectRefusal);

  test.each([['solve bt g.in -q --stats - 2>> g.in'], ['bench bt g.in --runs 1 2>> g.in']])(
    'if standard error is redirected to the input, boardmill refuses without a message: %s',
    expectSilentRefusal,
  );

  test('standard output and standard error may go to the same file', async () => {
    expect((await shell('boardmill solve bt g.in > all 2>&1')).code).toBe(0);
    expect(read('all')).toBe(ANSWERS);
  });
});

describe('a command replaces only files that the same command wrote, and empty files', () => {
  /** The arguments that write each kind of output. The name of the output file follows them. */
  const WRITERS: Record<string, string[]> = {
    solve: ['solve', 'bt', 'g.in', '-o'],
    generate: ['generate', 'bt', '--cases', '1', '--seed', '1', '-o'],
    extract: ['extract', 'bt', 'g.in', '--cases', '1', '-o'],
    'solve --stats': ['solve', 'bt', 'g.in', '--stats'],
  };

  test.each(Object.keys(WRITERS))(
    'without --force, %s replaces only files that it wrote, and empty files',
    async (writer) => {
      expect((await run(...WRITERS[writer], 'file')).code).toBe(0);
      const written = read('file');
      for (const other of Object.keys(WRITERS).filter((name) => name !== writer)) {
        const { code, stderr } = await run(...WRITERS[other], 'file');
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(/^boardmill: file exists and is not .*; --force overwrites it\n$/),
        });
        expect(read('file')).toBe(written);
      }
      expect((await run(...WRITERS[writer], 'file')).code).toBe(0);
      write('file', '');
      expect((await run(...WRITERS[writer], 'file')).code).toBe(0);
      write('file', 'mine\n');
      expect((await run(...WRITERS[writer], 'file')).code).toBe(2);
      expect(read('file')).toBe('mine\n');
      expect((await run(...WRITERS[writer], 'file', '--force')).code).toBe(0);
      expect(read('file')).not.toBe('mine\n');
    },
  );

  test('solve does not replace answers that were edited, even if their modification time is unchanged', async () => {
    mkdirSync(at('data'));
    copyFileSync(at('g.in'), at('data/g.in'));
    await solve('data');
    await shell('cp -p data/g.ans ref; sed s/2/9/ ref > data/g.ans; touch -r ref data/g.ans');
    const edited = read('data/g.ans');
    expect(edited).not.toBe(ANSWERS);
    expect((await solve('data')).code).toBe(2);
    expect((await solve('data/g.in', '-o', 'data/g.ans')).code).toBe(2);
    await shell('cp -p data/g.ans moved; touch -r ref moved; mv moved data/g.ans');
    expect((await solve('data')).code).toBe(2);
    expect(read('data/g.ans')).toBe(edited);
  });

  test('solve -o does not replace an input that generate wrote, even if it reads standard input', async () => {
    await run('generate', 'bt', '--cases', '2', '--seed', '1', '-o', 'made.in');
    const generated = read('made.in');
    expect((await solve('-', '-o', 'made.in')).code).toBe(2);
    expect((await shell('boardmill solve bt -o made.in < made.in')).code).toBe(2);
    expect(read('made.in')).toBe(generated);
  });

  test('bench refuses to replace a file that it did not write before it measures anything', async () => {
    write('report.html', 'mine\n');
    const { code, stdout, stderr } = await run('bench', 'bt', 'g.in', '--html', 'report.html');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: report\.html exists and is not a report that boardmill wrote; .*\n$/);
    expect(folder.names()).toEqual(['g.in', 'report.html']);
  });

  test.each([
    ['--stats', ['solve', 'bt', 'g.in', '-o', 'out', '--stats', 'nowhere/s.json']],
    ['--html', ['bench', 'bt', 'g.in', '--html', 'nowhere/r.html']],
    ['--export-json', ['bench', 'bt', 'g.in', '--export-json', '/proc/r.json']],
  ])('if the file of %s cannot be created, boardmill refuses before the run starts', async (_, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: cannot create .*\n$/);
    expect(folder.names()).toEqual(['g.in']);
  });

  test('stress refuses to start if a file that it did not write has the name of one of its files', async () => {
    write('stress-darkraft-7.got', 'mine\n');
    const exec = program('darkraft', 'garbage-on-1x1');
    const { code, stderr } = await run('stress', 'darkraft', '--exec', exec, '--seed', '7');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'boardmill: stress-darkraft-7.got exists and stress did not write it; move it away, or use another --seed\n',
    });
    expect(read('stress-darkraft-7.got')).toBe('mine\n');
  });
});

describe('files that another run or another program left beside FILE', () => {
  test.each([[[]], [['--resume']]])(
    'solve with the options %j refuses a FILE.partial that another program wrote',
    async (words) => {
      write('out.partial', 'mine\n');
      const { code, stderr } = await solve('g.in', '-o', 'out', ...words);
      expect(code).toBe(2);
      expect(stderr).toContain('out.partial exists without a checkpoint; --force overwrites it');
      expect(read('out.partial')).toBe('mine\n');
      expect(folder.names()).toEqual(['g.in', 'out.partial']);
    },
  );

  test('a folder in the place of FILE.partial is an error of that file, with --force too', async () => {
    mkdirSync(folder.at('out.partial'));
    expect((await solve('g.in', '-o', 'out', '--force')).stderr).toMatch(
      /^boardmill: cannot remove out\.partial: [^\n]+\n$/,
    );
    expect(folder.names()).toEqual(['g.in', 'out.partial']);
  });

  test('--resume refuses a FILE.partial with a second hard link, because that file would change too', async () => {
    write('bad.in', INPUT.replace('##', '#?'));
    expect((await solve('bad.in', '-o', 'out')).code).toBe(3);
    linkSync(at('out.partial'), at('backup'));
    const before = read('backup');
    const { code, stderr } = await solve('g.in', '-o', 'out', '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('out.partial has another name (a hard link), which would change with it');
    expect(read('backup')).toBe(before);
    unlinkSync(at('backup'));
    expect((await solve('g.in', '-o', 'out', '--resume')).code).toBe(0);
  });

  test('generate refuses a FILE.partial that a killed run left, and names the possible causes', async () => {
    write('made.in.partial', 'half of it');
    const { code, stderr } = await run('generate', 'bt', '--cases', '1', '--seed', '1', '-o', 'made.in');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'boardmill: made.in.partial exists, left by a killed run or by another program; --force overwrites it\n',
    });
  });

  test('solve refuses a FILE.checkpoint.new that another program wrote', async () => {
    write('out.checkpoint.new', 'mine\n');
    expect((await solve('g.in', '-o', 'out')).code).toBe(2);
    expect(read('out.checkpoint.new')).toBe('mine\n');
  });

  test.each(['out.partial', 'out.checkpoint', 'out.checkpoint.new'])(
    'solve --force replaces a link named %s and does not write to its target',
    async (name) => {
      write('precious', '');
      symlinkSync('precious', at(name));
      await solve('g.in', '-o', 'out', '--force');
      expect(read('precious')).toBe('');
      expect(read('out')).toBe(ANSWERS);
    },
  );
});

/** Whether a run writes FILE. To try the lock would disturb the run. */
const isLocked = (file: string) =>
  readFileSync('/proc/net/unix', 'latin1').includes(lockAddressOf(file).replace('\0', '@'));

describe('changes by another program during a run', () => {
  test('if FILE.partial is edited by another program, FILE does not appear and the exit code is 4', () =>
    expectNoOutputAfter(() => write('out.partial', 'Case #1: 9\n')));

  test('a FILE that another program creates during the run is kept', async () => {
    const { finish } = await startHalfway(folder);
    write('out', 'mine\n');
    const { code, stderr } = await finish();
    expect(code).toBe(2);
    expect(stderr).toBe(
      'boardmill: out appeared while boardmill was running, and was left as it is; the new output is in out.partial\n',
    );
    expect(read('out')).toBe('mine\n');
    expect(read('out.partial')).toBe(ANSWERS);
    // Nobody is told that boardmill wrote it.
    const again = await solve('g.in', '-o', 'out', '--resume');
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('out exists and is not an answer file that boardmill wrote'),
    });
    renameSync(at('out'), at('elsewhere'));
    expect((await solve('g.in', '-o', 'out', '--resume')).code).toBe(0);
    expect(read('out')).toBe(ANSWERS);
  });

  test('old answers in FILE that another program changes during the run are kept', async () => {
    await solve('g.in', '-o', 'out');
    const { finish } = await startHalfway(folder);
    write('out', 'mine\n');
    expect((await finish()).code).toBe(2);
    expect(read('out')).toBe('mine\n');
  });

  test('solve --force replaces a FILE that another program creates during the run', async () => {
    const { finish } = await startHalfway(folder, '--force');
    write('out', 'mine\n');
    expect((await finish()).code).toBe(0);
    expect(read('out')).toBe(ANSWERS);
  });
});

describe('a checkpoint in which a number was changed', () => {
  const CASES = 400;
  const input = `${CASES}\n${'1 1\n.\n'.repeat(CASES)}`;
  const badInput = `${input.slice(0, -2)}?\n`;

  beforeEach(async () => {
    write('damaged.in', badInput);
    write('big.in', input);
    expect((await solve('damaged.in', '-o', 'out', '--chunk', '64')).code).toBe(3);
  });

  const NUMBERS = /"(cases|offset|promised|failedCases|line|column|outputBytes)":(\d+)/g;

  test('--resume refuses a checkpoint if any number in it was changed', async () => {
    const checkpoint = read('out.checkpoint');
    const fields = [...checkpoint.matchAll(NUMBERS)];
    expect(fields.length).toBeGreaterThanOrEqual(7);
    for (const { index, 0: field, 2: value } of fields) {
      const changed = field.replace(value, String(Number(value) + 1));
      write('out.checkpoint', checkpoint.slice(0, index) + changed + checkpoint.slice(index + field.length));
      const { code, stderr } = await solve('big.in', '-o', 'out', '--resume');
      expect({ field, code, stderr }).toEqual({
        field,
        code: 2,
        stderr: expect.stringContaining('out.checkpoint is not a checkpoint of boardmill, or was changed'),
      });
    }
    write('out.checkpoint', checkpoint);
    expect((await solve('big.in', '-o', 'out', '--resume')).code).toBe(0);
  });

  test('--resume refuses a checkpoint with a wrong line number even if its digest is right', async () => {
    const { digest: _, ...content } = JSON.parse(read('out.checkpoint'));
    content.position.line++;
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    write('out.checkpoint', `${JSON.stringify({ ...content, digest })}\n`);
    const { code, stderr } = await solve('big.in', '-o', 'out', '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('is not the input of that run');
  });
});

describe('a program that was changed', () => {
  const PROGRAM_TEXT = '#!/bin/sh\ncat > /dev/null\necho "Case #1: 2"\n';
  const BAD_INPUT = '2\n1 1\n.\n1 1\n?\n';

  beforeEach(() => {
    write('mine', PROGRAM_TEXT);
    write('bad.in', BAD_INPUT);
    write('good.in', BAD_INPUT.replace('?', '.'));
  });

  test.each([
    ['the executable', './mine', 'the content of ./mine was'],
    ['an argument that is a file', 'sh mine', 'the content of mine was'],
  ])('--resume of a run with --exec is refused if %s was changed', async (_, exec, message) => {
    await shell('chmod +x mine');
    const args = ['--exec', exec, '--exec-cases', '1', '-o', 'out'];
    expect((await solve('bad.in', ...args)).code).toBe(3);
    appendFileSync(at('mine'), '# compiled anew\n');
    const { code, stderr } = await solve('good.in', ...args, '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('out.checkpoint does not fit this run: ');
    expect(stderr).toContain(message);
    write('mine', PROGRAM_TEXT);
    expect((await solve('good.in', ...args, '--resume')).code).toBe(0);
  });

  test('if a program changes during the run, FILE does not appear', async () => {
    write('mine', `${PROGRAM_TEXT}[ -e changed ] || { touch changed; echo "# new" >> mine; }\n`);
    const { code, stderr } = await solve('good.in', '--exec', 'sh ./mine', '--exec-cases', '1', '-o', 'out');
    expect(stderr).toMatch(
      /^boardmill: \.\/mine changed during the run, so its answers may come from two programs/,
    );
    expect(code).toBe(4);
    expect(existsSync(at('out'))).toBe(false);
  });
});

describe('a run that answers no case leaves no file behind', () => {
  test('solve with the wrong problem for a folder writes no file, and suggests the right problem', async () => {
    mkdirSync(at('zu'));
    for (const name of ['a', 'b', 'c']) write(`zu/${name}.in`, '0 1\n3 3\n#.#\nO.O\n.X.\n');
    const { code, stderr } = await solve('zu');
    expect(code).toBe(3);
    expect(stderr.match(/; is this an input of river-pawn\?\n/g)).toHaveLength(3);
    expect(readdirSync(at('zu')).sort()).toEqual(['a.in', 'b.in', 'c.in']);
    expect((await run('solve', 'zu', 'zu')).code).toBe(0);
  });

  test.each<[string, string, string]>([
    ['bt', '1 1\nL\n', 'darkraft'],
    ['darkraft', INPUT, 'bacterial-tactics'],
    ['zu', '1 2\nBS BL\n0 0\n', 'link-and-pop'],
    ['link-and-pop', '3 1\n3 3\n#.#\nO.O\n.X.\n', 'river-pawn'],
  ])(
    'solve and validate %s suggest the right problem for an input of another problem',
    async (problem, input, rightProblem) => {
      const solved = await boardmill(['solve', problem, '-o', at('out')], { cwd: folder.path, stdin: input });
      expect(solved.code).toBe(3);
      expect(solved.stderr).toMatch(new RegExp(`; is this an input of ${rightProblem}\\?\\n$`));
      const validated = await boardmill(['validate', problem], { cwd: folder.path, stdin: input });
      expect(validated.stderr).toContain(`is this an input of ${rightProblem}?`);
      expect(folder.names()).toEqual(['g.in']);
    },
  );

  test('boardmill does not suggest another problem if the input fits no problem', async () => {
    const { stderr } = await boardmill(['solve', 'bt'], { stdin: '1\n1 1\nz\n' });
    expect(stderr).not.toContain('is this');
  });

  test('no output file remains if a program fails on the first case of a run with --stats', async () => {
    const { code } = await solve(
      'g.in',
      '-o',
      'out',
      '--stats',
      's.json',
      '--exec',
      'false',
      '--retries',
      '0',
    );
    expect(code).toBe(4);
    expect(folder.names().filter((name) => !name.endsWith('.in'))).toEqual([]);
  });

  test('after a signal before the first answer, no file remains and the message does not mention --resume', async () => {
    const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1'], { cwd: folder.path });
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    await until(() => isLocked(at('out')));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await stderr).toBe('boardmill: stopped by SIGINT after 0 cases\n');
    expect(folder.names()).toEqual(['g.in']);
  });
});

test('no FILE.checkpoint.new remains after a run that filled the disk', async () => {
  // A limit on the file size simulates a full disk.
  write('big.in', `2000\n${'1 1\n.\n'.repeat(2000)}`);
  const { code } = await shell('ulimit -f 1; boardmill solve bt big.in -o out -j 1 --chunk 64');
  expect(code).toBe(4);
  expect(folder.names().filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('boardmill treats /dev/stdout as standard output and /dev/stdin as standard input', async () => {
  expect((await shell('boardmill solve bt g.in -o /dev/stdout > out')).code).toBe(0);
  expect(read('out')).toBe(ANSWERS);
  expect(await solve('/dev/stdin')).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
});

test('two outputs of a run may be the same device', async () => {
  expect((await solve('g.in', '-o', '/dev/null', '--stats', '/dev/null')).code).toBe(0);
});
