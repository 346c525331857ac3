/** `solve --exec`: programs that are right, and programs that go wrong at one case. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { compile, hasCompiler, program } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, ROOT, type RunOptions, start, temporaryFolder, textOf } from './boardmill.js';

allowSlowTests();

const folder = temporaryFolder();
const freshFolder = () => mkdtempSync(join(folder, 'run-'));
const SEED = 20;

const solve = (problem: string, stdin: string, args: readonly string[], options: RunOptions = {}) =>
  boardmill(['solve', problem, ...args], { cwd: freshFolder(), stdin, ...options });

describe.each(STYLES)('$name', (style) => {
  const { name } = style;
  const stdin = bulkInput(style, 9, 4, SEED);

  test.concurrent.each([
    ['the contest', []],
    ['few cases', ['--exec-cases', '4', '-j', '3', '--format', 'ndjson']],
    ['small chunks', ['--exec-cases', '1000', '--chunk', '60', '-j', '2']],
  ])(`a right program answers as boardmill does: runs of %s (seed ${SEED})`, async (_, args) => {
    const [own, theirs] = await Promise.all([
      solve(name, stdin, args.includes('ndjson') ? ['--format', 'ndjson'] : []),
      solve(name, stdin, [...args, '--exec', program(name)]),
    ]);
    expect(theirs).toEqual({ code: 0, stdout: own.stdout, stderr: '' });
    expect(own.stdout).not.toBe('');
  });

  test.concurrent('a bad case is told as by solve, and does not come to the program', async () => {
    const broken = stdin.replace(/\n\d+ \d+\n\S+(?![\s\S]*\n\d+ \d+\n\S)/, '$&?');
    for (const policy of ['stop', 'mark']) {
      const [own, theirs] = await Promise.all([
        solve(name, broken, ['--on-error', policy]),
        solve(name, broken, ['--on-error', policy, '--exec', program(name)]),
      ]);
      expect(theirs).toEqual(own);
      expect(own.code).toBe(policy === 'stop' ? 3 : 1);
    }
  });
});

/** Six cases; the third is a 1x1 board, in the sixth line. */
const SIX = '6\n1 2\n..\n1 2\n.#\n1 1\n.\n2 1\n.\n.\n1 3\n...\n1 2\n##\n';
const SIX_ANSWERS = [2, 1, 2, 2, 4, 0].map((count, i) => `Case #${i + 1}: ${count}\n`);
/** The same for darkraft. */
const BOARDS = '1 2\nLL\n1 2\nRR\n1 1\nL\n2 1\nL\nL\n';

describe('a program that goes wrong at one case', () => {
  test.concurrent.each([
    { flaw: 'crash-on-1x1', reason: 'the program was killed by SIGSEGV' },
    {
      flaw: 'exit-on-1x1',
      reason: 'the program exited with code 3; its last line on standard error: "assertion failed: rows > 1"',
    },
    { flaw: 'leave-out-1x1', reason: 'the program printed 0 answers for 1 case' },
    { flaw: 'repeat-1x1', reason: 'the program printed more than 1 answer: "Case #1: 2"' },
    {
      flaw: 'garbage-on-1x1',
      reason: 'the program printed a malformed answer: expected "Case #1:", got "?!"',
    },
    { flaw: 'hang-on-1x1', reason: 'no answer within 2 s', args: ['--timeout', '2', '--exec-cases', '2'] },
  ])('$flaw: the case is named, all others are answered', async ({ flaw, reason, args = [] }) => {
    const exec = ['--exec', program('bacterial-tactics', flaw), '--retries', '0', ...args];
    const marked = [...SIX_ANSWERS];
    marked[2] = 'Case #3: ERROR\n';
    const [stopping, marking] = await Promise.all([
      solve('bt', SIX, exec),
      solve('bt', SIX, [...exec, '--on-error', 'mark', '-j', '1']),
    ]);
    expect(stopping.stdout).toBe(SIX_ANSWERS.slice(0, 2).join(''));
    expect(stopping.stderr).toContain(`boardmill: <stdin>:6:1: case 3: ${reason}; case saved; repeat with: `);
    expect(stopping.code).toBe(4);
    expect(marking.stdout).toBe(marked.join(''));
    expect(marking.stderr).toContain(`<stdin>:6:1: case 3: ${reason}`);
    expect(marking.code).toBe(1);
  });

  test.concurrent.each([
    { flaw: 'leave-out-1x1', reason: 'the program printed 0 answers for 1 case' },
    { flaw: 'repeat-1x1', reason: 'the program printed more than 1 answer: "WIN"' },
    {
      flaw: 'garbage-on-1x1',
      reason: 'the program printed a malformed answer: expected WIN or LOSE, got "?!"',
    },
  ])('$flaw without labels to go by', async ({ flaw, reason }) => {
    const { stdout: right } = await solve('darkraft', BOARDS, []);
    const lines = right.split('\n');
    lines[2] = 'ERROR';
    const exec = ['--exec', program('darkraft', flaw), '--exec-cases', '4', '--on-error', 'mark'];
    const outcome = await solve('darkraft', BOARDS, exec);
    expect(outcome).toMatchObject({ code: 1, stdout: lines.join('\n') });
    expect(outcome.stderr).toContain(`<stdin>:5:1: case 3: ${reason}`);
  });

  test.concurrent('the command that repeats the failure does so', async () => {
    const cwd = freshFolder();
    const exec = ['--exec', program('bacterial-tactics', 'crash-on-1x1'), '--retries', '0'];
    const { stderr } = await solve('bt', SIX, exec, { cwd });
    const repeat = /repeat with: boardmill (.*)\n/.exec(stderr)?.[1] ?? '';
    const main = join(ROOT, 'dist/src/cli/main.js');
    const shell = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' ${repeat}`], {
      cwd,
      encoding: 'utf8',
    });
    expect(shell.stderr).toContain('case 1: the program was killed by SIGSEGV');
    expect(shell.status).toBe(4);
  });

  test.concurrent('wrong numbers in all labels', async () => {
    const { code, stdout, stderr } = await solve('bt', SIX, [
      '--exec',
      program('bacterial-tactics', 'misnumber'),
    ]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(
      'case 1: the program printed a malformed answer: expected "Case #1:", got "Case #0: 2"',
    );
  });

  test.concurrent('a flood of output ends it', async () => {
    const { code, stderr } = await solve('bt', SIX, ['--exec', program('bacterial-tactics', 'flood')]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/case 1: the program printed more than \d+ bytes/);
  });

  test.concurrent('one that reads nothing and prints the right number of answers is believed', async () => {
    const exec = ['--exec', program('darkraft', 'read-nothing')];
    expect(await solve('darkraft', BOARDS, exec)).toMatchObject({ code: 0, stdout: 'WIN\n'.repeat(4) });
  });
});

describe('the command line', () => {
  test.concurrent.each([
    { args: ['--exec', 'no-such-program'], told: 'cannot run no-such-program: there is no such program' },
    { args: ['--exec', './no-such-program'], told: 'cannot run ./no-such-program: there is no such program' },
    { args: ['--exec', ''], told: '--exec needs a program' },
    {
      args: ['--exec', 'cat | wc'],
      told: '--exec does not run a shell, so "|" has no meaning: quote it, or use sh -c',
    },
    { args: ['--exec', 'cat', '--solver', 'simd'], told: '--exec and --solver cannot be used together' },
    { args: ['--exec-cases', '3'], told: '--exec-cases needs --exec' },
    {
      args: ['--exec', 'cat', '--exec-cases', '0'],
      told: '--exec-cases needs a whole number of at least 1, got "0"',
    },
  ])('$args', async ({ args, told }) => {
    const output = join(freshFolder(), 'out');
    const outcome = await solve('bt', SIX, [...args, '-o', output]);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(`boardmill: ${told}`);
    expect(() => readFileSync(`${output}.partial`)).toThrow();
  });

  test.concurrent('quotes as in a shell, and nothing else of one', async () => {
    const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2))); process.exit(1)`;
    const log = join(freshFolder(), 'log');
    await solve('bt', SIX, [
      '--exec',
      `'${process.execPath}' -e '${script}' ${log} a\\ b "c 'd'" $HOME * ''`,
    ]);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual(['a b', "c 'd'", '$HOME', '*', '']);
  });

  test.concurrent('--stats says who solved, and how many runs', async () => {
    const { stderr } = await solve('bt', SIX, [
      '--exec',
      program('bacterial-tactics'),
      '--exec-cases',
      '4',
      '--stats',
      '-',
    ]);
    expect(JSON.parse(stderr)).toMatchObject({
      solver: 'exec',
      cases: 6,
      chunks: 2,
      retries: 0,
      fallbackCases: 0,
    });
  });
});

describe('id and --resume', () => {
  const cases = '2 2\nOO\n.X\n2 2\nOO\nX.\n2 2\nO.\nOX\n2 2\nOO\n#X\n';

  test.concurrent('the id comes to every run, in a resumed one too; another program is refused', async () => {
    const cwd = freshFolder();
    const [log, flag] = [join(cwd, 'log'), join(cwd, 'flag')];
    writeFileSync(flag, '');
    writeFileSync(join(cwd, 'zu.in'), `42 4\n${cases}`);
    // It fails at its third run.
    const failing = `sh -c 'n=$(wc -l < "$PROGRAM_LOG"); if [ -e "$PROGRAM_FLAG" ] && [ "$n" -ge 2 ]; then exit 9; fi; exec "$@"' sh ${program('river-pawn')}`;
    const env = { PROGRAM_LOG: log, PROGRAM_FLAG: flag };
    writeFileSync(log, '');
    const args = ['zu.in', '-o', 'zu.ans', '--exec-cases', '1', '-j', '1', '--retries', '0'];
    const first = await solve('zu', '', [...args, '--exec', failing], { cwd, env });
    expect(first.code).toBe(4);
    expect(first.stderr).toContain('case 3: the program exited with code 9');
    const other = await solve('zu', '', [...args, '--exec', program('river-pawn'), '--resume'], { cwd, env });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('zu.ans.checkpoint does not fit this run: --exec was sh -c');
    rmSync(flag);
    const second = await solve('zu', '', [...args, '--exec', failing, '--resume'], { cwd, env });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const own = await solve('zu', `42 4\n${cases}`, []);
    expect(readFileSync(join(cwd, 'zu.ans'), 'utf8')).toBe(own.stdout);
    expect(readFileSync(log, 'utf8')).toBe('42 1\n'.repeat(4));
  });
});

describe('the end', () => {
  // A program that says who it and its child are, and hangs.
  const hanging = `sh -c 'sleep 1000 & echo $$ $! > "$PROGRAM_LOG.new"; mv "$PROGRAM_LOG.new" "$PROGRAM_LOG"; wait'`;
  const isAlive = (id: number) => {
    try {
      process.kill(id, 0);
      return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };

  const readLog = (log: string) => {
    try {
      return readFileSync(log, 'utf8').trim().split(' ').map(Number);
    } catch {
      return undefined;
    }
  };

  // Which of two signals is seen first is the system's choice.
  test.concurrent.each([
    { how: 'a second signal', signals: ['SIGINT', 'SIGTERM'] as const, expectedEnds: [130, 143] },
    { how: 'SIGKILL', signals: ['SIGKILL'] as const, expectedEnds: ['SIGKILL'] },
  ])(
    '$how ends the programs, and what they have started, and leaves no file',
    async ({ signals, expectedEnds }) => {
      const log = join(freshFolder(), 'log');
      const temporary = freshFolder();
      const child = start(['solve', 'bt', '--exec', hanging], {
        env: { PROGRAM_LOG: log, TMPDIR: temporary },
        cwd: freshFolder(),
      });
      child.stdin.end(SIX);
      const told = textOf(child.stderr);
      const ids = await until(() => readLog(log));
      expect(ids.map(isAlive)).toEqual([true, true]);
      for (const signal of signals) child.kill(signal);
      expect(expectedEnds).toContain(await exitOf(child));
      await until(() => !ids.some(isAlive));
      await until(() => readdirSync(temporary).length === 0);
      expect(await told).not.toMatch(/ at /);
    },
  );
});

describe.skipIf(!hasCompiler)('a C++ program (needs g++)', () => {
  test('with booleans where nimbers belong, is believed by solve and told by check', async () => {
    const command = compile('booleans', folder);
    const style = styleOf('bacterial-tactics');
    const input = join(folder, 'boards.in');
    writeFileSync(input, bulkInput(style, 400, 6, SEED));
    const wrong = await boardmill([
      'solve',
      'bt',
      input,
      '--exec',
      command,
      '--exec-cases',
      '50',
      '-o',
      `${input}.wrong`,
    ]);
    expect(wrong).toEqual({ code: 0, stdout: '', stderr: '' });
    const check = await boardmill(['check', 'bt', input, `${input}.wrong`]);
    expect(check.code).toBe(1);
    expect(check.stdout).toMatch(/\n400 cases: \d+ differ/);
    expect(await boardmill(['check', 'bt', input, `${input}.wrong`, '--exec', command])).toEqual({
      code: 0,
      stdout: '400 cases: all answers agree\n',
      stderr: '',
    });
  });
});

describe('a program that fails on several cases together, and on none of them alone', () => {
  const script = join(folder, 'only-one.sh');
  const input = `6\n${'1 1\n.\n'.repeat(6)}`;
  const args = ['--exec', `sh '${script}'`, '--exec-cases', '6', '--retries', '0'];
  const answers = Array.from({ length: 6 }, (_, i) => `Case #${i + 1}: 2\n`).join('');
  writeFileSync(script, 'read cases; cat > /dev/null; [ "$cases" = 1 ] || exit 3; echo "Case #1: 2"\n');

  test('is believed case by case, and standard error says so once', async () => {
    const { code, stdout, stderr } = await solve('bt', input, args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: answers });
    expect(stderr).toMatch(
      /^boardmill: on cases \d to 6 together: the program exited with code 3; each of them was answered when solved alone, and those answers are used\n$/,
    );
  });

  test('-q silences that', async () => {
    expect(await solve('bt', input, [...args, '-q'])).toEqual({ code: 0, stdout: answers, stderr: '' });
  });
});
