/** Tests of what a submission of a package can do to the verdicts, its own and those of others. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_SANDBOX_FOLDER_BYTES } from '../../../../src/engine/exec/sandbox-command.js';
import { commandOf } from '../../../support/processes.js';
import { launcher } from '../../../support/sandbox.js';
import { folderForEachTest } from '../../../support/temporary-folder.js';
import { type Files, judge, LATER_YAML, RIGHT, SUM_DATA, summaryOf, writePackage } from './package-folder.js';

const folder = folderForEachTest();

beforeEach(() => {
  const before = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = folder.at('cache');
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });
});

/** Returns the command lines of processes that name a file in the folder of the test. */
function commandsHere(): string[] {
  return readdirSync('/proc')
    .map(commandOf)
    .filter((command) => command.includes(folder.path));
}

const packageOf = (files: Files) => writePackage(folder.at('package'), { ...SUM_DATA, ...files });
const buildsFolder = () => folder.at('cache/boardmill/builds');

test('a submission finds no right answer beside its input', async () => {
  const thief = 'cat "$(dirname "$(readlink /proc/self/fd/0)")"/*.ans || echo 0\n';
  const judged = await judge(packageOf({ 'submissions/accepted/thief.sh': thief }));
  expect(summaryOf(judged)).toEqual({ 'accepted/thief.sh': 'WA WA, misfit' });
});

describe('a submission that changes the tests is found out', () => {
  test.each([
    ['a right answer', 'data/sample/1.ans'],
    ['an input', 'data/secret/group/2.in'],
    ['a file for the working folder', 'data/secret/group/2.files', '/part'],
    ['a new file for the working folder', 'data/secret/group/2.files', '/.new'],
  ])('%s', async (_, name, below = '') => {
    const vandal = `echo 7 >"${folder.at(`package/${name}${below}`)}"\n${RIGHT}`;
    const files = packageOf({
      'problem.yaml': LATER_YAML,
      'data/secret/group/2.files/part': '42',
      'submissions/accepted/a.sh': vandal,
      'submissions/accepted/b.sh': RIGHT,
    });
    const failure = await judge(files, { jobs: 1 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'worker',
      message: expect.stringMatching(
        `${name} was changed while submissions were judged, perhaps by one of them`,
      ),
    });
  });
});

/** Replaces the given files by a program that prints 3. */
const INFECT = (files: string) => `for f in ${files}; do printf 'echo 3\\n' >"$f"; done\n${RIGHT}`;

describe('a program in the cache of builds that was changed', () => {
  test('is not run by the same judge', async () => {
    const infect = INFECT(`"${buildsFolder()}"/*/program/b.sh`);
    const files = packageOf({ 'submissions/accepted/a.sh': infect, 'submissions/accepted/b.sh': RIGHT });
    await expect(judge(files, { jobs: 1 })).rejects.toMatchObject({
      kind: 'worker',
      message: expect.stringContaining('was changed after it was built'),
    });
  });

  test('is built again by the next one', async () => {
    const files = packageOf({ 'submissions/accepted/b.sh': RIGHT });
    await judge(files);
    for (const build of readdirSync(buildsFolder()))
      folder.write(`cache/boardmill/builds/${build}/program/b.sh`, 'echo 3\n');
    const judged = await judge(files);
    expect(summaryOf(judged)).toEqual({ 'accepted/b.sh': 'AC AC, fits' });
    expect(judged.warnings).toContainEqual(expect.stringContaining('so it is built again'));
    expect((await judge(files)).warnings).toEqual([]);
  });
});

describe('the cache of builds', () => {
  const files = { 'submissions/accepted/b.sh': RIGHT };

  test('is made so that only the user can open it, and made so if it was not', async () => {
    await judge(packageOf(files));
    expect(statSync(buildsFolder()).mode & 0o777).toBe(0o700);
    chmodSync(buildsFolder(), 0o755);
  });

  test.each<[string, () => void, string]>([
    [
      'is a link',
      () => symlinkSync(folder.enter('elsewhere'), join(folder.path, '../cache/boardmill/builds')),
      'it is a link',
    ],
    ['can be written by others', () => chmodSync(buildsFolder(), 0o777), 'other users can write into it'],
  ])('is refused if it %s', async (_, prepare, reason) => {
    const path = packageOf(files);
    mkdirSync(folder.at('cache/boardmill'), { recursive: true });
    if (reason !== 'it is a link') mkdirSync(buildsFolder());
    prepare();
    await expect(judge(path)).rejects.toMatchObject({
      kind: 'file',
      message: expect.stringContaining(reason),
    });
  });
});

test('helper modules of Python leave nothing in the build', async () => {
  const judged = await judge(
    packageOf({
      'submissions/accepted/py/main.py': 'from helper import add\nprint(add(*map(int, input().split())))\n',
      'submissions/accepted/py/helper.py': 'def add(a, b):\n    return a + b\n',
    }),
    { jobs: 1 },
  );
  expect(summaryOf(judged)).toEqual({ 'accepted/py': 'AC AC, fits' });
  const [build] = readdirSync(buildsFolder());
  expect(existsSync(join(buildsFolder(), build, 'program/__pycache__'))).toBe(false);
  expect(readFileSync(join(buildsFolder(), build, 'digest'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
});

/** Nests folders until their path is too long for the system. */
const NEST_DEEPLY = `name=$(printf '%0200d' 0); i=0
  while [ $i -lt 30 ]; do mkdir $name; cd -P ./$name 2>/dev/null; i=$((i + 1)); done; cd /`;

/** A build script that makes a program which is right on the first test, after these commands. */
const BUILD = (commands: string) =>
  `#!/bin/sh\n${commands}\nprintf '#!/bin/sh\necho 3\n' >run\nchmod +x run\n`;

describe.skipIf(launcher === null)('a build script in a sandbox', () => {
  const judgeBuild = async (commands: string, files: Files = {}) => {
    const path = packageOf({
      'submissions/accepted/a/build': BUILD(commands),
      'submissions/accepted/b.sh': RIGHT,
      ...files,
    });
    return summaryOf(await judge(path, { sandbox: launcher }));
  };
  const BOTH = { 'accepted/a': 'AC WA, misfit', 'accepted/b.sh': 'AC AC, fits' };

  test.each([
    ['a link to it', (file: string) => `ln -s "${file}" .boardmill-digest; ln -s "${file}" digest`],
    ['a FIFO', () => 'mkfifo .boardmill-digest digest'],
    ['a folder', () => 'mkdir .boardmill-digest digest'],
    ['a link to nothing', () => 'ln -s /nothing .boardmill-digest; ln -s /nothing digest'],
  ])('cannot have a file of the user overwritten by %s where the digest was', async (_what, commands) => {
    folder.write('diary', 'mine\n');
    expect(await judgeBuild(commands(folder.at('diary')))).toEqual(BOTH);
    expect(readFileSync(folder.at('diary'), 'utf8')).toBe('mine\n');
  });

  test('may leave links to folders around them, which are not followed', async () => {
    expect(await judgeBuild('ln -s . a; ln -s . b')).toEqual(BOTH);
  });

  test('makes no program by a link out of its folder', async () => {
    for (const target of ['/etc/hostname', '/bin/cat', '../digest', '.'])
      expect(await judgeBuild(`ln -s ${target} run; exit`)).toEqual({
        ...BOTH,
        'accepted/a': 'broken, misfit',
      });
    expect(await judgeBuild('mkfifo run; exit')).toEqual({ ...BOTH, 'accepted/a': 'broken, misfit' });
  });

  test('makes a program that cannot be started, and only it is not judged', async () => {
    const judged = await judgeBuild(`printf '#!/proc/self/exe\n' >run; chmod +x run; exit`);
    expect(judged).toEqual({ ...BOTH, 'accepted/a': 'unjudged' });
  });

  test('may make a program by a link, and links like parts of an installation', async () => {
    const commands = `mkdir bin; ln -s bin/run run; ln -s /etc lib; ln -s ${folder.path} conf`;
    expect(await judgeBuild(commands)).toEqual(BOTH);
  });

  test('that nests folders too deeply fails, and its folders are removed', async () => {
    const judged = await judgeBuild(`(${NEST_DEEPLY})`);
    expect(judged).toEqual({ ...BOTH, 'accepted/a': 'broken, misfit' });
    expect(readdirSync(buildsFolder())).toHaveLength(1);
  });

  test('may leave a link to a file that changes', async () => {
    expect(await judgeBuild('ln -s /proc/uptime a')).toEqual(BOTH);
  });
});

describe.skipIf(launcher === null)('a validator in a sandbox', () => {
  test('may nest folders too deeply, which are removed', async () => {
    mkdirSync(folder.at('tmp'));
    vi.stubEnv('TMPDIR', folder.at('tmp'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const judged = await judge(
      packageOf({
        'problem.yaml': 'validation: custom\nlimits:\n  time_limit: 20\n',
        'output_validators/v.sh': `${NEST_DEEPLY}\nexit 42\n`,
        'submissions/accepted/b.sh': RIGHT,
      }),
      { sandbox: launcher },
    );
    expect([summaryOf(judged), judged.warnings]).toEqual([{ 'accepted/b.sh': 'AC AC, fits' }, []]);
    expect(readdirSync(folder.at('tmp'))).toEqual([]);
  });

  test.each([
    ['a link to the file', (path: string) => `ln -s ${path}/diary "$3judgemessage.txt"`],
    [
      'a link to its folder',
      (path: string) => `ln -s ${path}/diary judgemessage.txt; rm -r feedback; ln -s ${path} feedback`,
    ],
    ['a FIFO', () => 'mkfifo "$3judgemessage.txt"'],
  ])('cannot show a file of the user in place of its message by %s', async (_what, commands) => {
    folder.write('judgemessage.txt', 'mine');
    folder.write('diary', 'mine');
    const { programs } = await judge(
      packageOf({
        'problem.yaml': 'validation: custom\nlimits:\n  time_limit: 20\n',
        'output_validators/v.sh': `${commands(folder.path)}\nexit 42\n`,
        'submissions/accepted/b.sh': RIGHT,
      }),
      { sandbox: launcher },
    );
    expect(programs[0].tests.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['AC', null],
      ['AC', null],
    ]);
  });
});

describe.skipIf(launcher === null)('in a sandbox, a submission cannot', () => {
  const judgeBoth = async (attack: string) => {
    const path = packageOf({ 'submissions/accepted/a.sh': attack, 'submissions/accepted/b.sh': RIGHT });
    return summaryOf(await judge(path, { jobs: 1, sandbox: launcher }));
  };

  test('read the right answers, although it knows where they are', async () => {
    const thief = `cat $(find "${folder.at('package')}" -name '*.ans') | head -n 1; echo 0\n`;
    const path = packageOf({ 'submissions/accepted/a.sh': thief.replace('echo 0', '') });
    expect(summaryOf(await judge(path))['accepted/a.sh']).toContain('AC');
    expect((await judgeBoth(thief))['accepted/a.sh']).toBe('WA WA, misfit');
  });

  test('change a right answer', async () => {
    const vandal = `echo 7 >"${folder.at('package/data/sample/1.ans')}"\n${RIGHT}`;
    expect(await judgeBoth(vandal)).toEqual({
      'accepted/a.sh': 'AC AC, fits',
      'accepted/b.sh': 'AC AC, fits',
    });
  });

  test('change a built program', async () => {
    const attack = INFECT(`"${buildsFolder()}"/*/program/*.sh`);
    expect(await judgeBoth(attack)).toEqual({
      'accepted/a.sh': 'AC AC, fits',
      'accepted/b.sh': 'AC AC, fits',
    });
  });

  test.each(['TERM', 'KILL', 'STOP'])(
    'avoid a verdict by sending SIG%s to the shell that has started it',
    async (signal) => {
      const path = packageOf({ 'submissions/accepted/a.sh': `kill -${signal} $PPID\n${RIGHT}` });
      expect(summaryOf(await judge(path, { sandbox: launcher }))).toEqual({ 'accepted/a.sh': 'AC AC, fits' });
    },
  );

  test.each([
    ['says that it has ended, and does not', "os.write(shell, b'status 0\\n')\nwhile True: pass\n"],
    ['floods it', "while True: os.write(shell, b'x' * 65536)\n"],
  ])('keep the judge from ending by taking the output of the shell: it %s', async (_, attack) => {
    const takeOutput = `import ctypes, os
syscall = ctypes.CDLL(None).syscall
PIDFD_OPEN, PIDFD_GETFD = 434, 438
shell = syscall(PIDFD_GETFD, syscall(PIDFD_OPEN, os.getppid(), 0), 1, 0)
`;
    const path = packageOf({ 'submissions/rejected/a.py': takeOutput + attack });
    const { programs } = await judge(path, { sandbox: launcher });
    // The kernel refuses, which ends the program with an error.
    expect(programs[0].tests[0].verdict).toBe('RTE');
    expect(programs[0].fits).toBe(true);
    await expect.poll(commandsHere).toEqual([]);
  });

  test('fill the disk', async () => {
    const attack = `fallocate -l ${MAX_SANDBOX_FOLDER_BYTES + 1} x 2>/dev/null && exit 1\n`;
    const path = packageOf({
      'problem.yaml': LATER_YAML,
      'data/secret/group/2.files/part': '42',
      'submissions/accepted/a.sh': `${attack}touch y || exit 1\n[ -e part ] && cat part && exit\n${RIGHT}`,
    });
    expect(summaryOf(await judge(path, { sandbox: launcher }))).toEqual({ 'accepted/a.sh': 'AC AC, fits' });
    expect((await judge(path)).isAsExpected).toBe(false);
  });

  describe('choose by its first line which folders of the user it sees', () => {
    beforeEach(() => {
      folder.write('home/conf/secret', '3\n');
      mkdirSync(folder.at('home/bin'));
      copyFileSync(realpathSync('/bin/sh'), folder.at('home/bin/victim-sh'));
    });
    const judgeThief = (firstLine: string) => {
      const thief = `#!${firstLine}\ncat "${folder.at('home/conf/secret')}" || echo 0\n`;
      return judge(packageOf({ 'submissions/wrong_answer/she/run': thief }), { sandbox: launcher });
    };

    test.each([
      ['names a file of the user', () => folder.at('home/bin/victim-sh')],
      ['has env start it', () => `/usr/bin/env ${folder.at('home/bin/victim-sh')}`],
      ['seems to name one of the system', () => `/usr/..${folder.at('home/bin/victim-sh')}`],
    ])('which %s', async (_what, firstLine) => {
      const judged = await judgeThief(firstLine());
      expect(summaryOf(judged)).toEqual({ 'wrong_answer/she': 'unjudged' });
      expect(judged.programs[0].reason).toBe(
        `the interpreter ${folder.at('home/bin/victim-sh')} cannot be used in a sandbox: it is neither in a folder of the system nor on PATH`,
      );
    });

    test('unless the user has put the interpreter on PATH', async () => {
      vi.stubEnv('PATH', `${folder.at('home/bin')}${delimiter}${process.env.PATH}`);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(summaryOf(await judgeThief('/usr/bin/env victim-sh'))['wrong_answer/she']).toContain('AC WA');
    });
  });

  test('stop programs in other languages from being built and run', async () => {
    const judged = await judge(
      packageOf({
        'submissions/accepted/c.c':
          '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n',
        'submissions/accepted/p.py': 'print(sum(map(int, input().split())))\n',
        'submissions/accepted/j.js':
          "const t = require('fs').readFileSync(0, 'utf8').split(' ');\nconsole.log(+t[0] + +t[1]);\n",
        'submissions/accepted/s/build':
          "#!/bin/sh\nprintf '#!/bin/sh\\nread a b\\necho $((a + b))\\n' >run\nchmod +x run\n",
      }),
      { sandbox: launcher },
    );
    for (const [name, summary] of Object.entries(summaryOf(judged)))
      expect([name, summary]).toEqual([name, expect.stringMatching(/^(AC AC, fits|skipped)$/)]);
  });

  test('lack a compiler that a manager of versions chooses in the home of the user', async () => {
    const manager = `[ "$1" = --print ] && exec echo ${folder.at('toolchain')}\n. ${folder.at('settings')}\nexit 9\n`;
    const compiler = `. "$(dirname "$0")/../share/library" || exit\nwhile [ "$1" != -o ]; do shift; done
      printf '#!/bin/sh\\nread a b\\necho $((a + b))\\n' >"$2"\nchmod +x "$2"\n`;
    writePackage(folder.path, {
      'manager/rustc': `#!/bin/sh\n${manager}`,
      'toolchain/bin/rustc': `#!/bin/sh\n${compiler}`,
      'toolchain/share/library': '',
      settings: '',
    });
    vi.stubEnv('PATH', `${folder.at('manager')}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const path = packageOf({ 'submissions/accepted/r.rs': '' });
    expect(summaryOf(await judge(path, { sandbox: launcher }))).toEqual({ 'accepted/r.rs': 'AC AC, fits' });
  });

  test('be judged by a validator that does not work', async () => {
    const judged = await judge(
      packageOf({
        'problem.yaml': 'validation: custom\nlimits:\n  time_limit: 20\n',
        'output_validators/v.sh':
          'read -r got\nread -r want <"$2"\necho said >"$3judgemessage.txt"\n[ "$got" = "$want" ] && exit 42\nexit 43\n',
        'submissions/accepted/b.sh': RIGHT,
      }),
      { sandbox: launcher },
    );
    expect(summaryOf(judged)).toEqual({ 'accepted/b.sh': 'AC AC, fits' });
  });
});
