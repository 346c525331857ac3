/** Nothing that a user owns is lost: what boardmill refuses to write, and what it notices under way. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import {
  boardmill,
  exitOf,
  folderForEachTest,
  type Outcome,
  shell as runShell,
  start,
  textOf,
} from './boardmill.js';

allowSlowTests();

const INPUT = '2\n1 1\n.\n1 2\n##\n';
const ANSWERS = 'Case #1: 2\nCase #2: 0\n';

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  write('g.in', INPUT);
});

const run = (...args: string[]) => boardmill(args, { cwd: folder.path, stdin: INPUT });
const solve = (...args: string[]) => run('solve', 'bt', '-j', '1', ...args);
const shell = (script: string) => runShell(script, { cwd: folder.path, stdin: INPUT });

describe('a file that a run reads or writes is none of its other outputs', () => {
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
  ])('%s %s %s %s %s %s %s', async (...args) => {
    const before = folder.names();
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: \S+ is both .* and .*\n$/);
    expect(read('g.in')).toBe(INPUT);
    expect(folder.names()).toEqual(before);
  });

  test.each([
    ['input and standard output', 'boardmill solve bt g.in >> g.in'],
    ['input and standard output', 'boardmill solve bt < g.in >> g.in'],
    ['input and standard output', 'boardmill validate bt g.in >> g.in'],
    ['input and output', 'boardmill solve bt -f -o g.in < g.in'],
    ['input and --stats', 'boardmill solve bt -f --stats g.in < g.in'],
    ['output and standard output', 'boardmill solve bt hard.in -f -o out > out'],
    [
      '--stats and standard error',
      'boardmill solve bt hard.in --stats err 2> err; code=$?; cat err >&2; exit $code',
    ],
    ['input and output', 'boardmill extract bt --cases 1 -f -o g.in < g.in'],
    ['answers to check and standard output', 'echo > a; boardmill check bt g.in a >> a'],
  ])('%s: %s', async (roles, script) => {
    const { code, stderr } = await shell(script);
    expect(stderr).toContain(`is both ${roles}`);
    expect(code).toBe(2);
    expect(read('g.in')).toBe(INPUT);
  });

  test.each([
    'solve bt g.in -q --stats - 2>> g.in',
    'validate bt g.in 2>> g.in',
    'solve bt 2>> g.in < g.in',
    'bench bt g.in --runs 1 2>> g.in',
  ])(
    'input and standard error: %s is refused without a word, which would go into the input',
    async (line) => {
      expect(await shell(`boardmill ${line}`)).toEqual({ code: 2, stdout: '', stderr: '' });
      expect(read('g.in')).toBe(INPUT);
    },
  );

  test('standard output and standard error may go to one file', async () => {
    expect((await shell('boardmill solve bt g.in > all 2>&1')).code).toBe(0);
    expect(read('all')).toBe(ANSWERS);
  });
});

describe('a command replaces what the same command wrote, and an empty file', () => {
  /** How each kind of output is made. */
  const WRITERS: Record<string, string[]> = {
    solve: ['solve', 'bt', 'g.in', '-o'],
    generate: ['generate', 'bt', '--cases', '1', '--seed', '1', '-o'],
    extract: ['extract', 'bt', 'g.in', '--cases', '1', '-o'],
    'solve --stats': ['solve', 'bt', 'g.in', '--stats'],
  };

  test.each(Object.keys(WRITERS))('%s', async (writer) => {
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
  });

  test('a file that was edited is not ours any more, whatever its time of modification says', async () => {
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

  test('what generate made is an input: solve does not replace it, from a pipe either', async () => {
    await run('generate', 'bt', '--cases', '2', '--seed', '1', '-o', 'made.in');
    const made = read('made.in');
    expect((await solve('-', '-o', 'made.in')).code).toBe(2);
    expect((await shell('boardmill solve bt -o made.in < made.in')).code).toBe(2);
    expect(read('made.in')).toBe(made);
  });

  test('exports of bench are refused before anything is measured', async () => {
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
  ])('a %s path that cannot be written is found before the run', async (_, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^boardmill: cannot create .*\n$/);
    expect(folder.names()).toEqual(['g.in']);
  });

  test('stress refuses the names of its files before it begins, and leaves them alone', async () => {
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

describe('what another run, or somebody else, left beside FILE', () => {
  test.each([[[]], [['--resume']]])('a foreign FILE.partial is refused with %j', async (words) => {
    write('out.partial', 'mine\n');
    const { code, stderr } = await solve('g.in', '-o', 'out', ...words);
    expect(code).toBe(2);
    expect(stderr).toContain('out.partial exists without a checkpoint; --force overwrites it');
    expect(read('out.partial')).toBe('mine\n');
    expect(folder.names()).toEqual(['g.in', 'out.partial']);
  });

  test('a FILE.partial with another name is not continued: the other name would change with it', async () => {
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

  test('what a killed generate left is named for what it is', async () => {
    write('made.in.partial', 'half of it');
    const { code, stderr } = await run('generate', 'bt', '--cases', '1', '--seed', '1', '-o', 'made.in');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'boardmill: made.in.partial exists, left by a killed run or by another program; --force overwrites it\n',
    });
  });

  test('a foreign FILE.checkpoint.new is refused', async () => {
    write('out.checkpoint.new', 'mine\n');
    expect((await solve('g.in', '-o', 'out')).code).toBe(2);
    expect(read('out.checkpoint.new')).toBe('mine\n');
  });

  test.each(['out.partial', 'out.checkpoint', 'out.checkpoint.new'])(
    '%s that is a link is not written through, with --force either',
    async (name) => {
      write('precious', '');
      symlinkSync('precious', at(name));
      await solve('g.in', '-o', 'out', '--force');
      expect(read('precious')).toBe('');
      expect(read('out')).toBe(ANSWERS);
    },
  );

  test('answers of another hand are not taken for a run that had answered nothing yet', async () => {
    const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1'], { cwd: folder.path });
    const ended = exitOf(child);
    child.stdin.on('error', () => {});
    await appears(at('out.checkpoint'));
    child.kill('SIGKILL');
    await ended;
    rmSync(at('out.partial'));
    write('out', 'mine\n');
    expect((await solve('g.in', '-o', 'out', '--resume')).code).toBe(2);
    expect(read('out')).toBe('mine\n');
  });

  test('a run that was killed while it named its file goes on', async () => {
    const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1', '--chunk', '1'], { cwd: folder.path });
    const ended = exitOf(child);
    child.stdin.on('error', () => {});
    child.stdin.write(INPUT);
    await appears(at('out.checkpoint'));
    await until(() => read('out.partial').includes('#1'));
    child.kill('SIGKILL');
    await ended;
    linkSync(at('out.partial'), at('out'));
    expect(await solve('g.in', '-o', 'out', '--resume')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('out')).toBe(ANSWERS);
    expect(folder.names()).toEqual(['g.in', 'out']);
  });
});

const appears = (file: string) => until(() => existsSync(file));

/** A run that has answered the first case and waits for the second. */
async function halfWay(...args: string[]) {
  const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1', '--chunk', '1', ...args], {
    cwd: folder.path,
  });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  const [first] = INPUT.split('1 2\n');
  child.stdin.write(`${first}1 2\n`);
  await until(() => existsSync(at('out.partial')) && read('out.partial') !== '');
  const finish = async (): Promise<Pick<Outcome, 'code' | 'stderr'>> => {
    child.stdin.end('##\n');
    return { code: await ended, stderr: await stderr };
  };
  return { finish };
}

describe('under way', () => {
  test.each<[string, () => void]>([
    [
      'replaced',
      () => {
        unlinkSync(at('out.partial'));
        write('out.partial', 'Case #1: 2\n');
      },
    ],
    ['cut', () => write('out.partial', '')],
    ['longer', () => appendFileSync(at('out.partial'), 'more\n'.repeat(20))],
    ['edited', () => write('out.partial', 'Case #1: 9\n')],
    ['removed', () => unlinkSync(at('out.partial'))],
  ])('FILE.partial is %s: FILE does not appear, exit 4', async (_, change) => {
    const { finish } = await halfWay();
    change();
    const { code, stderr } = await finish();
    expect(stderr).toMatch(
      /^boardmill: somebody else (changed|removed) out\.partial while boardmill was writing it, so out was not written\n$/,
    );
    expect(code).toBe(4);
    expect(existsSync(at('out'))).toBe(false);
  });

  test('FILE.partial is copied over itself: the same bytes are no reason to fail', async () => {
    const { finish } = await halfWay();
    write('out.partial', read('out.partial'));
    expect(await finish()).toEqual({ code: 0, stderr: '' });
    expect(read('out')).toBe(ANSWERS);
  });

  test('a foreign FILE appears: it is kept, and --resume with --force moved away goes on', async () => {
    const { finish } = await halfWay();
    write('out', 'mine\n');
    const { code, stderr } = await finish();
    expect(code).toBe(2);
    expect(stderr).toBe(
      'boardmill: out appeared while boardmill was running, and was left as it is; the new output is in out.partial\n',
    );
    expect(read('out')).toBe('mine\n');
    expect(read('out.partial')).toBe(ANSWERS);
    renameSync(at('out'), at('elsewhere'));
    expect((await solve('g.in', '-o', 'out', '--resume')).code).toBe(0);
    expect(read('out')).toBe(ANSWERS);
  });

  test('answers that were ours are changed by somebody else: they are kept', async () => {
    await solve('g.in', '-o', 'out');
    const { finish } = await halfWay();
    write('out', 'mine\n');
    expect((await finish()).code).toBe(2);
    expect(read('out')).toBe('mine\n');
  });

  test('with --force a foreign FILE that appears is replaced', async () => {
    const { finish } = await halfWay('--force');
    write('out', 'mine\n');
    expect((await finish()).code).toBe(0);
    expect(read('out')).toBe(ANSWERS);
  });
});

describe('a checkpoint in which a number was changed is not believed', () => {
  const CASES = 400;
  const input = `${CASES}\n${'1 1\n.\n'.repeat(CASES)}`;
  const marred = `${input.slice(0, -2)}?\n`;

  beforeEach(async () => {
    write('marred.in', marred);
    write('big.in', input);
    expect((await solve('marred.in', '-o', 'out', '--chunk', '64')).code).toBe(3);
  });

  const NUMBERS = /"(cases|offset|promised|failedCases|line|column|outputBytes)":(\d+)/g;

  test('whichever it is', async () => {
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

  test('with a right digest a wrong place is noticed all the same', async () => {
    const { digest: _, ...content } = JSON.parse(read('out.checkpoint'));
    content.position.line++;
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    write('out.checkpoint', `${JSON.stringify({ ...content, digest })}\n`);
    const { code, stderr } = await solve('big.in', '-o', 'out', '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('is not the input of the interrupted run');
  });
});

describe('a program that is another by now', () => {
  const MINE = '#!/bin/sh\ncat > /dev/null\necho "Case #1: 2"\n';
  const BAD = '2\n1 1\n.\n1 1\n?\n';

  beforeEach(() => {
    write('mine', MINE);
    write('bad.in', BAD);
    write('good.in', BAD.replace('?', '.'));
  });

  test.each([
    ['the executable', './mine', 'the content of ./mine was'],
    ['an argument that is a file', 'sh mine', 'the content of mine was'],
  ])('%s: --resume is refused', async (_, exec, says) => {
    await shell('chmod +x mine');
    const args = ['--exec', exec, '--exec-cases', '1', '-o', 'out'];
    expect((await solve('bad.in', ...args)).code).toBe(3);
    appendFileSync(at('mine'), '# compiled anew\n');
    const { code, stderr } = await solve('good.in', ...args, '--resume');
    expect(code).toBe(2);
    expect(stderr).toContain('out.checkpoint does not fit this run: ');
    expect(stderr).toContain(says);
    write('mine', MINE);
    expect((await solve('good.in', ...args, '--resume')).code).toBe(0);
  });

  test('one that changes under way: FILE does not appear', async () => {
    write('mine', `${MINE}[ -e changed ] || { touch changed; echo "# new" >> mine; }\n`);
    const { code, stderr } = await solve('good.in', '--exec', 'sh ./mine', '--exec-cases', '1', '-o', 'out');
    expect(stderr).toMatch(
      /^boardmill: \.\/mine changed during the run, so its answers may come from two programs/,
    );
    expect(code).toBe(4);
    expect(existsSync(at('out'))).toBe(false);
  });
});

describe('a run that has answered nothing leaves nothing behind', () => {
  test('the wrong problem for a folder of inputs, and its name is asked for', async () => {
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
  ])('%s on an input of another problem', async (problem, input, fitting) => {
    const solved = await boardmill(['solve', problem, '-o', at('out')], { cwd: folder.path, stdin: input });
    expect(solved.code).toBe(3);
    expect(solved.stderr).toMatch(new RegExp(`; is this an input of ${fitting}\\?\\n$`));
    const validated = await boardmill(['validate', problem], { cwd: folder.path, stdin: input });
    expect(validated.stderr).toContain(`is this an input of ${fitting}?`);
    expect(folder.names()).toEqual(['g.in']);
  });

  test('an input that is only wrong is not said to be another problem’s', async () => {
    const { stderr } = await boardmill(['solve', 'bt'], { stdin: '1\n1 1\nz\n' });
    expect(stderr).not.toContain('is this');
  });

  test('a failing program, with --stats', async () => {
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

  test('a signal before the first answer, and no --resume is promised', async () => {
    const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1'], { cwd: folder.path });
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    await appears(at('out.checkpoint'));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await stderr).toBe('boardmill: stopped by SIGINT after 0 cases\n');
    expect(folder.names()).toEqual(['g.in']);
  });
});

describe('split again, with fewer parts', () => {
  const split = (every: string) => run('split', 'bt', 'g.in', '--every', every, '--dir', 'parts');

  test('removes the parts that are left over, and the answers to them', async () => {
    await split('1');
    await solve('parts');
    expect(readdirSync(at('parts'))).toHaveLength(4);
    expect((await split('2')).code).toBe(0);
    expect(readdirSync(at('parts')).sort()).toEqual(['part-0001.ans', 'part-0001.in']);
  });

  test('leaves answers that were changed, and says so', async () => {
    await split('1');
    await solve('parts');
    appendFileSync(at('parts/part-0002.ans'), 'a note\n');
    const { stderr } = await split('2');
    expect(stderr).toContain(
      'part-0002.ans belongs to no part of this split, but boardmill did not write it, so it was kept',
    );
    expect(readdirSync(at('parts')).sort()).toEqual(['part-0001.ans', 'part-0001.in', 'part-0002.ans']);
  });

  test('makes no folder for an input without a good case', async () => {
    write('bad.in', '1\n1 1\nx\n');
    expect((await run('split', 'bt', 'bad.in', '--every', '1', '--dir', 'new/parts')).code).toBe(3);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('refuses to split one of its own parts', async () => {
    await split('2');
    copyFileSync(at('parts/part-0001.in'), at('copy.in'));
    const { code } = await run('split', 'bt', 'parts/part-0001.in', '--every', '1', '--dir', 'parts');
    expect(code).toBe(2);
    expect(read('parts/part-0001.in')).toBe(read('copy.in'));
  });
});

describe('links', () => {
  test.each(['answers', 'folder/answers'])(
    '-o on a link that leads nowhere yet: %s comes to be',
    async (target) => {
      mkdirSync(at('folder'));
      symlinkSync(target, at('link'));
      expect((await solve('g.in', '-o', 'link')).code).toBe(0);
      expect(read(target)).toBe(ANSWERS);
      expect(read('link')).toBe(ANSWERS);
      unlinkSync(at('link'));
      expect(read(target)).toBe(ANSWERS);
    },
  );

  test('a loop of links is refused', async () => {
    symlinkSync('one', at('two'));
    symlinkSync('two', at('one'));
    const { code, stderr } = await solve('g.in', '-o', 'one');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^boardmill: cannot create one: .*\n$/);
  });
});

test('after a full disk no empty checkpoint is left', async () => {
  // A limit on the size of files stands for the disk.
  write('big.in', `2000\n${'1 1\n.\n'.repeat(2000)}`);
  const { code } = await shell('ulimit -f 1; boardmill solve bt big.in -o out -j 1 --chunk 64');
  expect(code).toBe(4);
  expect(folder.names().filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('/dev/stdout is standard output, wherever that goes, and /dev/stdin standard input', async () => {
  expect((await shell('boardmill solve bt g.in -o /dev/stdout > out')).code).toBe(0);
  expect(read('out')).toBe(ANSWERS);
  expect(await solve('/dev/stdin')).toEqual({ code: 0, stdout: ANSWERS, stderr: '' });
});

test('a FIFO or a device takes no part in this', async () => {
  expect((await solve('g.in', '-o', '/dev/null', '--stats', '/dev/null')).code).toBe(0);
});
