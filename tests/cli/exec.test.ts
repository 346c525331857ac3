/** Tests of `solve --exec` with programs that are right, and with programs that fail on one case. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { styleOf } from '../support/inputs.js';
import { program } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, MAIN, type RunOptions, start, textOf } from './boardmill.js';
import { testInvalidCase, testRightPrograms } from './exec-answers.js';
import { boardmill } from './in-turn.js';

const folder = temporaryFolder();
const createFolder = () => mkdtempSync(join(folder, 'run-'));

const solve = (problem: string, stdin: string, args: readonly string[], options: RunOptions = {}) =>
  boardmill(['solve', problem, ...args], { cwd: createFolder(), stdin, ...options });

describe('--exec with a right program', () => {
  testRightPrograms((problem, args) => (problem + args) % 3 === 0);
});

testInvalidCase(styleOf('bacterial-tactics'));

/** An input of bacterial-tactics with six cases. Case 3 is a 1x1 board, and its header is in line 6. */
const SIX_CASES = '6\n1 2\n..\n1 2\n.#\n1 1\n.\n2 1\n.\n.\n1 3\n...\n1 2\n##\n';
const SIX_ANSWERS = [2, 1, 2, 2, 4, 0].map((count, i) => `Case #${i + 1}: ${count}\n`);
/** An input of darkraft with four cases. Case 3 is a 1x1 board, and its header is in line 5. */
const DARKRAFT_INPUT = '1 2\nLL\n1 2\nRR\n1 1\nL\n2 1\nL\nL\n';

test.each(['Case #1: 02', 'Case #01: 2'])(
  'solve refuses %j as judge and check do, and does not print it as the right answer',
  async (answer) => {
    const input = join(createFolder(), 'one.in');
    writeFileSync(input, '1\n1 2\n..\n');
    const exec = ['--exec', `printf '%s\\n' '${answer}'`];
    const [solved, judged, checked] = await Promise.all([
      solve('bt', '', [input, ...exec]),
      boardmill(['judge', 'bt', input, ...exec, '--json']),
      boardmill(['check', 'bt', input, '-'], { stdin: `${answer}\n` }),
    ]);
    expect([solved.code, judged.code, checked.code]).toEqual([4, 1, 1]);
    expect(solved.stdout).toBe('');
    expect(solved.stderr).toContain('the program printed a malformed answer');
  },
);

describe('a program that fails on one case', () => {
  test.each([
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
  ])(
    'with the flawed program $flaw, boardmill names the failed case and answers all others',
    async ({ flaw, reason }) => {
      const exec = ['--exec', program('bacterial-tactics', flaw), '--retries', '0'];
      const marked = [...SIX_ANSWERS];
      marked[2] = 'Case #3: ERROR\n';
      const [stopping, marking] = await Promise.all([
        solve('bt', SIX_CASES, exec),
        solve('bt', SIX_CASES, [...exec, '--on-error', 'mark', '-j', '1']),
      ]);
      expect(stopping.stdout).toBe(SIX_ANSWERS.slice(0, 2).join(''));
      expect(stopping.stderr).toContain(
        `boardmill: <stdin>:6:1: case 3: ${reason}; case saved; repeat with: `,
      );
      expect(stopping.code).toBe(4);
      expect(marking.stdout).toBe(marked.join(''));
      expect(marking.stderr).toContain(`<stdin>:6:1: case 3: ${reason}`);
      expect(marking.code).toBe(1);
    },
  );

  test.each([
    { flaw: 'leave-out-1x1', reason: 'the program printed 0 answers for 1 case' },
    { flaw: 'repeat-1x1', reason: 'the program printed more than 1 answer: "WIN"' },
    {
      flaw: 'garbage-on-1x1',
      reason: 'the program printed a malformed answer: expected WIN or LOSE, got "?!"',
    },
  ])(
    'with $flaw, boardmill finds the failed case even if answers have no "Case #1:"',
    async ({ flaw, reason }) => {
      const { stdout: right } = await solve('darkraft', DARKRAFT_INPUT, []);
      const lines = right.split('\n');
      lines[2] = 'ERROR';
      const exec = ['--exec', program('darkraft', flaw), '--exec-cases', '4', '--on-error', 'mark'];
      const outcome = await solve('darkraft', DARKRAFT_INPUT, exec);
      expect(outcome).toMatchObject({ code: 1, stdout: lines.join('\n') });
      expect(outcome.stderr).toContain(`<stdin>:5:1: case 3: ${reason}`);
    },
  );

  test('the command in the message repeats the failure of the program', async () => {
    const cwd = createFolder();
    const exec = ['--exec', program('bacterial-tactics', 'crash-on-1x1'), '--retries', '0'];
    const { stderr } = await solve('bt', SIX_CASES, exec, { cwd });
    const repeat = /repeat with: boardmill (.*)\n/.exec(stderr)?.[1] ?? '';
    const repeated = spawnSync('sh', ['-c', `'${process.execPath}' '${MAIN}' ${repeat}`], {
      cwd,
      encoding: 'utf8',
    });
    expect(repeated.stderr).toContain('case 1: the program was killed by SIGSEGV');
    expect(repeated.status).toBe(4);
  });

  test('a program that prints wrong case numbers fails on case 1', async () => {
    const { code, stdout, stderr } = await solve('bt', SIX_CASES, [
      '--exec',
      program('bacterial-tactics', 'misnumber'),
    ]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(
      'case 1: the program printed a malformed answer: expected "Case #1:", got "Case #0: 2"',
    );
  });

  test('a label that is cut by a line end is shown as far as that line end', async () => {
    const cwd = createFolder();
    writeFileSync(
      join(cwd, 'labelled.mjs'),
      `import { defineProblem, formats } from 'boardmill';
      const { counted, int, labelled } = formats;
      export default defineProblem({ name: 'labelled', input: counted({ n: int(0, 9) }), answer: labelled('Case #', int()) });`,
    );
    const exec = ['--exec', "printf 'Case\\n#1: 4\\n'"];
    const { code, stderr } = await solve('./labelled.mjs', '1\n4\n', exec, { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain('printed a malformed answer: expected "Case #1:", got "Case";');
  });

  test('a program that prints too many bytes fails on case 1', async () => {
    const { code, stderr } = await solve('bt', SIX_CASES, ['--exec', program('bacterial-tactics', 'flood')]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/case 1: the program printed more than \d+ bytes/);
  });

  test('boardmill accepts the answers of a program that does not read its input', async () => {
    const exec = ['--exec', program('darkraft', 'read-nothing')];
    expect(await solve('darkraft', DARKRAFT_INPUT, exec)).toMatchObject({
      code: 0,
      stdout: 'WIN\n'.repeat(4),
    });
  });
});

describe('the options for a program', () => {
  test.each([
    { args: ['--exec', 'no-such-program'], message: 'cannot run no-such-program: there is no such program' },
    {
      args: ['--exec', './no-such-program'],
      message: 'cannot run ./no-such-program: there is no such program',
    },
    { args: ['--exec', ''], message: '--exec needs a program' },
    {
      args: ['--exec', 'cat | wc'],
      message: '--exec does not run a shell, so "|" has no meaning: quote it, or use sh -c',
    },
    { args: ['--exec', 'cat', '--solver', 'simd'], message: '--exec and --solver cannot be used together' },
    { args: ['--exec-cases', '3'], message: '--exec-cases needs --exec' },
    {
      args: ['--exec', 'cat', '--exec-cases', '0'],
      message: '--exec-cases needs a whole number of at least 1, got "0"',
    },
  ])('solve refuses the options $args', async ({ args, message }) => {
    const output = join(createFolder(), 'out');
    const outcome = await solve('bt', SIX_CASES, [...args, '-o', output]);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(`boardmill: ${message}`);
    expect(() => readFileSync(`${output}.partial`)).toThrow();
  });

  test('--exec interprets quotes and backslashes as a shell does, but expands neither $HOME nor *', async () => {
    const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2))); process.exit(1)`;
    const log = join(createFolder(), 'log');
    await solve('bt', SIX_CASES, [
      '--exec',
      `'${process.execPath}' -e '${script}' ${log} a\\ b "c 'd'" $HOME * ''`,
    ]);
    expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual(['a b', "c 'd'", '$HOME', '*', '']);
  });

  test('--stats reports the solver as exec, and the number of runs of the program as chunks', async () => {
    const { stderr } = await solve('bt', SIX_CASES, [
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

describe('the id of an input, and --resume', () => {
  const cases = '2 2\nOO\n.X\n2 2\nOO\nX.\n2 2\nO.\nOX\n2 2\nOO\n#X\n';

  test('every run of the program gets the id of the input, and --resume refuses another program', async () => {
    const cwd = createFolder();
    const [log, flag] = [join(cwd, 'log'), join(cwd, 'flag')];
    writeFileSync(flag, '');
    writeFileSync(join(cwd, 'zu.in'), `42 4\n${cases}`);
    // The program fails at its third run while the file `flag` exists. Whether Tie is the right answer does not matter here.
    const fail = `[ -e "${flag}" ] && [ "$(wc -l < "${log}")" -ge 2 ] && exit 9`;
    const failing = `sh -c '${fail}; read -r head; echo "$head" >> "${log}"; echo Tie'`;
    writeFileSync(log, '');
    const args = ['zu.in', '-o', 'zu.ans', '--exec-cases', '1', '-j', '1', '--retries', '0'];
    const first = await solve('zu', '', [...args, '--exec', failing], { cwd });
    expect(first.code).toBe(4);
    expect(first.stderr).toContain('case 3: the program exited with code 9');
    const other = await solve('zu', '', [...args, '--exec', 'echo Tie', '--resume'], { cwd });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('zu.ans.checkpoint does not fit this run: --exec was sh -c');
    rmSync(flag);
    const second = await solve('zu', '', [...args, '--exec', failing, '--resume'], { cwd });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(cwd, 'zu.ans'), 'utf8')).toBe('Tie\n'.repeat(4));
    expect(readFileSync(log, 'utf8')).toBe('42 1\n'.repeat(4));
  });
});

describe('when boardmill ends', () => {
  // A program that writes its process id and that of its child into PROGRAM_LOG, and hangs.
  const hanging = (shell: string) =>
    `${shell} -c 'sleep 1000 & echo $$ $! > "$PROGRAM_LOG.new"; mv "$PROGRAM_LOG.new" "$PROGRAM_LOG"; wait'`;
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

  // The operating system decides which of the two signals boardmill sees first.
  test.each([
    { how: 'a second signal', signals: ['SIGINT', 'SIGTERM'] as const, expectedEnds: [130, 143] },
    { how: 'SIGKILL', signals: ['SIGKILL'] as const, expectedEnds: ['SIGKILL'] },
    // With a path, the program runs in the foreground of the shell that starts it.
    { how: 'SIGKILL', signals: ['SIGKILL'] as const, expectedEnds: ['SIGKILL'], shell: '/bin/sh' },
  ])(
    '$how ends the programs and the processes that they started, and no temporary file remains ($shell)',
    async ({ signals, expectedEnds, shell = 'sh' }) => {
      const log = join(createFolder(), 'log');
      const temporary = createFolder();
      const child = start(['solve', 'bt', '--exec', hanging(shell)], {
        env: { PROGRAM_LOG: log, TMPDIR: temporary },
        cwd: createFolder(),
      });
      child.stdin.end(SIX_CASES);
      const stderr = textOf(child.stderr);
      const ids = await until(() => readLog(log));
      expect(ids.map(isAlive)).toEqual([true, true]);
      for (const signal of signals) child.kill(signal);
      expect(expectedEnds).toContain(await exitOf(child));
      await until(() => !ids.some(isAlive));
      await until(() => readdirSync(temporary).length === 0);
      expect(await stderr).not.toMatch(/ at /);
    },
  );
});

test.each(['sh', '/bin/sh'])(
  'no temporary folder remains when a program (%s) kills boardmill while it makes the next run ready',
  async (shell) => {
    const temporary = createFolder();
    const killer = join(createFolder(), 'kill.sh');
    writeFileSync(killer, 'set -- $(cat /proc/$PPID/stat); kill -9 $4');
    for (let round = 0; round < 5; round++) {
      const args = ['solve', 'bt', '--exec', `${shell} ${killer}`, '--exec-cases', '1', '-j', '1'];
      const child = start(args, { env: { TMPDIR: temporary }, cwd: createFolder() });
      child.stdin.on('error', () => {});
      child.stdin.end(SIX_CASES);
      expect(await exitOf(child)).toBe('SIGKILL');
    }
    await until(() => readdirSync(temporary).length === 0);
  },
);

test('while a program runs, the input of the next run is ready, and the next run has not begun', async () => {
  const temporary = createFolder();
  writeFileSync(
    join(temporary, 'one.sh'),
    `mkdir "$TMPDIR/runs" || exit 8
    looks=0
    until [ "$(find "$TMPDIR" -name in -size +0 | wc -l)" = 2 ]; do
      looks=$((looks+1))
      [ $looks -lt 1000 ] || exit 9
    done
    rmdir "$TMPDIR/runs"
    read cases; read rows cols; read row; echo "Case #1: $rows"`,
  );
  const { code, stdout, stderr } = await solve(
    'bt',
    '4\n1 2\n..\n1 2\n.#\n1 1\n.\n1 2\n##\n',
    ['--exec', `sh ${join(temporary, 'one.sh')}`, '--exec-cases', '1', '-j', '1'],
    { env: { TMPDIR: temporary } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe([1, 2, 3, 4].map((number) => `Case #${number}: 1\n`).join(''));
});

test.each([0, 20, 63])(
  'of 64 cases, case %i + 1 on which a program crashes is found in few runs',
  async (bad) => {
    const cwd = createFolder();
    const log = join(cwd, 'runs');
    writeFileSync(
      join(cwd, 'crash.sh'),
      `read t; echo x >> '${log}'; i=0
    while [ $i -lt $t ]; do read n; [ $n = 13 ] && exit 3; i=$((i+1)); echo "Case #$i: $n"; done`,
    );
    writeFileSync(
      join(cwd, 'same.mjs'),
      `import { defineProblem, formats } from 'boardmill';
    const { counted, int, labelled } = formats;
    export default defineProblem({ name: 'same', input: counted({ n: int() }), answer: labelled('Case #', int()) });`,
    );
    const numbers = Array.from({ length: 64 }, (_, i) => (i === bad ? 13 : 7));
    const args = ['--exec', "sh 'crash.sh'", '--on-error', 'mark', '--retries', '0'];
    const { code, stdout } = await solve('./same.mjs', `64\n${numbers.join('\n')}\n`, args, { cwd });
    expect(code).toBe(1);
    const expected = numbers.map((n, i) => `Case #${i + 1}: ${n === 13 ? 'ERROR' : n}\n`);
    expect(stdout).toBe(expected.join(''));
    expect(readFileSync(log, 'utf8').length / 2).toBeLessThan(20);
  },
);

test('a program that leaves out the answer to a case of a grammar loses only that answer', async () => {
  const cwd = createFolder();
  writeFileSync(join(cwd, 'n.ctd'), 'INT(1,99,t) NEWLINE REP(t) INT(0,9,n) NEWLINE END EOF');
  writeFileSync(join(cwd, 'skip.sh'), 'read t; while read n; do [ $n = 0 ] || echo $n; done; true');
  for (const numbers of [
    [5, 0, 6],
    [0, 6],
    [1, 2, 0, 3, 0, 0, 4, 5],
  ]) {
    const input = `${numbers.length}\n${numbers.join('\n')}\n`;
    const args = ['--multitest', '--exec', 'sh skip.sh', '--on-error', 'mark'];
    const { code, stdout } = await solve('./n.ctd', input, args, { cwd });
    const expected = numbers.map((n) => `${n === 0 ? 'ERROR' : n}\n`).join('');
    if (numbers.length > 2) expect({ code, stdout }).toEqual({ code: 1, stdout: expected });
    // One answer to two cases looks like that of a program which takes its input for one case.
    else expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  }
});

describe('a program that fails on several cases together, but on no case alone', () => {
  const script = join(folder, 'only-one.sh');
  const input = `6\n${'1 1\n.\n'.repeat(6)}`;
  const args = ['--exec', `sh '${script}'`, '--exec-cases', '6', '--retries', '0'];
  const answers = Array.from({ length: 6 }, (_, i) => `Case #${i + 1}: 2\n`).join('');
  writeFileSync(script, 'read cases; cat > /dev/null; [ "$cases" = 1 ] || exit 3; echo "Case #1: 2"\n');

  test('boardmill uses the answers that the program gives for each case alone, and prints one note', async () => {
    const { code, stdout, stderr } = await solve('bt', input, args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: answers });
    expect(stderr).toMatch(
      /^boardmill: on cases \d to \d together: the program exited with code 3; solved again in smaller parts, all of them were answered, and those answers are used\n$/,
    );
  });

  test('check says the same', async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, 'x.in'), input);
    writeFileSync(join(cwd, 'x.ans'), answers);
    const checked = await boardmill(['check', 'bt', 'x.in', 'x.ans', ...args.slice(0, 2)], { cwd });
    expect(checked).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('together: the program exited'),
    });
  });

  test('-q suppresses the note about a program that fails only on several cases together', async () => {
    expect(await solve('bt', input, [...args, '-q'])).toEqual({ code: 0, stdout: answers, stderr: '' });
  });
});
