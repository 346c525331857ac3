/** Tests with a FIFO, or a link to a device, in the place of each small file that a command reads: an error, and no waiting. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, MAIN, shell, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const { at, write } = folder;

const INPUT = '1\n1 1\n.\n';
const ANSWER = 'Case #1: 1\n';
const SEPARATE_DATA = 'data/secret/1';

beforeEach(() => {
  write('a.in', INPUT);
  write('n.ctd', 'INT(1, 9) NEWLINE\n');
  mkdirSync(at('tests'));
  write('tests/a.in', INPUT);
  mkdirSync(at('package/data/secret'), { recursive: true });
  mkdirSync(at('package/submissions/accepted'), { recursive: true });
  // A format that has all files in which tests and groups have settings.
  write('package/problem.yaml', 'problem_format_version: 2023-07-draft\nlimits: {time_limit: 20}\n');
  write(`package/${SEPARATE_DATA}.in`, INPUT);
  write(`package/${SEPARATE_DATA}.ans`, ANSWER);
  write('package/submissions/accepted/a.py', 'print("Case #1: 1")\n');
});

/** Opens a FIFO for writing. Returns null if no process has it open for reading. */
function openToWrite(path: string): { descriptor: number } | null {
  try {
    return { descriptor: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
  } catch {
    return null;
  }
}

/** Puts a FIFO, or a link to a device that never ends, in the place of a file. */
const STRANGE_FILES: [string, (path: string) => void][] = [
  ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
  ['a link to /dev/zero', (path) => symlinkSync('/dev/zero', path)],
];

/** A command, and a file whose name it chooses itself. */
const CHOOSING_NAMES = (
  [
    ['generate bt --suite suite --seed 1', 'suite/tiny.ans'],
    ['generate ./n.ctd --cases 1 --dir inputs', 'inputs/001.in'],
    ['split bt a.in --every 1 --dir parts', 'parts/part-0001.in'],
    ['explain bt a.in --svg drawings/', 'drawings/case-1.svg'],
  ] as const
).flatMap(([command, file]): [string, string][] => [
  [command, file],
  [`${command} --force`, file],
]);
const STRESS: [string, string, string] = [
  'stress bt --exec cat --rounds 1 --seed 2',
  'stress-bacterial-tactics-2.got',
  'exists and stress did not write it; move it away, or use another --seed',
];

/** The command, the file that is strange, and what the message says about it. */
const COMMANDS: [string, string, string][] = [
  [
    'solve bt a.in -o a.ans',
    'a.ans.checkpoint',
    'cannot open a.ans.checkpoint: it is not a regular file; --force starts over',
  ],
  [
    'solve bt a.in -o a.ans --resume',
    'a.ans.checkpoint',
    'cannot open a.ans.checkpoint: it is not a regular file; --force starts over',
  ],
  [
    'solve bt a.in -o a.ans',
    'a.ans.checkpoint.new',
    'cannot open a.ans.checkpoint.new: it is not a regular file; --force starts over',
  ],
  [
    'solve bt tests',
    'tests/a.ans',
    'cannot create tests/a.ans: it is not a regular file; no file was solved',
  ],
  STRESS,
  ...CHOOSING_NAMES.map(([command, file]): [string, string, string] => [
    command,
    file,
    `cannot create ${file}: it is not a regular file`,
  ]),
  ['check bt tests', 'tests/a.ans', 'cannot open tests/a.ans: it is not a regular file'],
  ['judge bt tests --exec cat', 'tests/a.ans', 'cannot open tests/a.ans: it is not a regular file'],
  ['validate ./a.ctd a.in', 'a.ctd', 'cannot open ./a.ctd: it is not a regular file'],
  ['solve ./a.mjs a.in', 'a.mjs', 'cannot open ./a.mjs: it is not a regular file'],
  ['merge part -o whole', 'part', 'cannot open part: it is not a regular file'],
  ...[
    'problem.yaml',
    '.timelimit',
    'domjudge-problem.ini',
    'data/testdata.yaml',
    `${SEPARATE_DATA}.yaml`,
    `${SEPARATE_DATA}.ans`,
    `${SEPARATE_DATA}.in`,
    'submissions/submissions.yaml',
    'submissions/accepted/a.py',
    'submissions/accepted/b/c.py',
  ].map((file): [string, string, string] => [
    'judge --package package',
    `package/${file}`,
    `package/${file}: it is not a regular file`,
  ]),
];

describe.each(STRANGE_FILES)('%s in the place of a file', (_, make) => {
  test.each(COMMANDS)('%s refuses %s', async (command, file, message) => {
    if (file === 'package/.timelimit' || file === 'package/domjudge-problem.ini')
      write('package/problem.yaml', 'name: x\n');
    execFileSync('rm', ['-f', at(file)]);
    mkdirSync(dirname(at(file)), { recursive: true });
    make(at(file));
    const { code, stderr } = await boardmill(command.split(' '), { cwd: folder.path });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('stress leaves it out where it looks for regression cases', async () => {
    make(at('stress-bacterial-tactics-1.in'));
    const args = ['stress', 'bt', '--exec', 'cat', '--rounds', '1', '--seed', '2'];
    const { stderr } = await boardmill(args, { cwd: folder.path });
    expect(stderr).toContain(
      'cannot open stress-bacterial-tactics-1.in: it is not a regular file; the file is not tried',
    );
  });
});

describe.each([
  ['missing', () => {}],
  ['empty', () => write('elsewhere', '')],
])('a link to a file that is %s, in the place of a file whose name boardmill chooses', (_, make) => {
  test.each([
    ['solve bt tests', 'tests/a.ans', 'is a link'],
    ['solve bt tests --out-dir out', 'out/a.ans', 'is a link'],
    ['solve bt tests --out-dir out --force', 'out/a.ans', 'is a link'],
    STRESS,
    ...CHOOSING_NAMES.map(([command, file]) => [command, file, 'is a link']),
  ])('%s does not write where %s leads', async (command, file, message) => {
    make();
    mkdirSync(dirname(at(file)), { recursive: true });
    symlinkSync(at('elsewhere'), at(file));
    const { code, stderr } = await boardmill(command.split(' '), { cwd: folder.path });
    expect(stderr).toContain(message);
    expect(stderr).toContain(file);
    expect(code).toBe(2);
    expect(statSync(at('elsewhere'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});

const LONG_NAME = 'a'.repeat(245);
const LONG_FOLDER = LONG_NAME + LONG_NAME;
const TOO_LONG = /^boardmill: cannot create \S+a: name too long\n$/;

test.each([
  ['generate bt --seed 1 --suite', LONG_FOLDER, TOO_LONG],
  ['generate ./n.ctd --cases 1 --seed 1 --dir', LONG_FOLDER, TOO_LONG],
  ['split bt a.in --every 1 --dir', LONG_FOLDER, TOO_LONG],
  ['stress --exec cat --reference cat --rounds 1 --seed 1', `./${LONG_NAME}.ctd`, /^[^:]*1 round/],
])('%s: a name that is too long is no bug of boardmill', async (command, name, message) => {
  write(`${LONG_NAME}.ctd`, 'INT(1, 9) NEWLINE\n');
  const { stdout, stderr } = await boardmill([...command.split(' '), name], { cwd: folder.path });
  expect(stdout + stderr).toMatch(message);
});

test.each(['check bt a.in /dev/zero', 'stats bt a.in --expected /dev/zero'])(
  '%s: a device has no answers',
  async (command) => {
    const { code, stderr } = await boardmill(command.split(' '), { cwd: folder.path });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'boardmill: cannot open /dev/zero: it is not a regular file\n',
    });
  },
);

// A signal must reach a process of its own.
test.each(['solve bt fifo', 'check bt a.in fifo', 'stats bt a.in --expected fifo', 'verify bt a.in fifo'])(
  '%s: one signal ends the wait for the first bytes of a FIFO',
  async (command) => {
    execFileSync('mkfifo', [at('fifo')]);
    const args = command.split(' ');
    const child = start(args, { cwd: folder.path });
    const [ended, stderr] = [exitOf(child), textOf(child.stderr)];
    const writer = await until(() => openToWrite(at('fifo')));
    child.kill('SIGTERM');
    expect(await stderr).toContain('stopped by SIGTERM');
    expect(await ended).toBe(143);
    closeSync(writer.descriptor);
  },
);

test('only the user may read and write an entry of the ledger, whatever the umask is', async () => {
  const env = { ...process.env, XDG_STATE_HOME: at('state') };
  await shell('umask 0 && node "$MAIN" solve bt a.in -o a.ans', {
    cwd: folder.path,
    env: { ...env, MAIN },
  });
  const entries = readdirSync(at('state/boardmill/answers'));
  expect(entries).toHaveLength(1);
  const { mode } = statSync(join(at('state/boardmill/answers'), entries[0]));
  expect(mode & 0o777).toBe(0o600);
});
