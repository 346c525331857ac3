/** Tests of programs in sandboxes. What a program must not do in a sandbox is also tried without one, where it can do it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ProgramRunner } from '../../../src/engine/exec/program.js';
import type { ProgramSettings } from '../../../src/engine/exec/program-shell.js';
import { prepareProgram } from '../../../src/engine/exec/sandbox.js';
import {
  FOLDERS_EMPTIED_BETWEEN_RUNS,
  MAX_SANDBOX_FOLDER_BYTES,
} from '../../../src/engine/exec/sandbox-command.js';
import { bytesOf } from '../../support/inputs.js';
import { commandOf } from '../../support/processes.js';
import { launcher } from '../../support/sandbox.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const folder = temporaryFolder();
const hasCompiler = spawnSync('g++', ['--version']).status === 0;
const LIMITS = { timeoutMs: null, outputBytes: 1 << 20 };
const [secret, target] = [join(folder, 'secret'), join(folder, 'target')];
writeFileSync(secret, 'the secret\n');

const server = createServer((socket) => socket.end('connected\n'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const { port } = server.address() as { port: number };

async function open(argv: readonly string[], isSandboxed: boolean, settings: ProgramSettings = {}) {
  const prepared = await prepareProgram(argv, isSandboxed ? launcher : null);
  return new ProgramRunner(prepared.argv, { ...settings, sandbox: prepared.sandbox });
}

/** Runs a program once for each input. Returns what it prints, or why it failed. */
async function outputsOf(argv: readonly string[], isSandboxed: boolean, inputs: readonly string[] = ['']) {
  const program = await open(argv, isSandboxed);
  const outputs: string[] = [];
  for (const input of inputs) {
    const { stdout, failure } = await program.run(bytesOf(input), LIMITS);
    outputs.push(failure?.reason ?? Buffer.from(stdout).toString());
  }
  program.close();
  return outputs;
}

/** Whether this process may write a file; in many containers, not even root may write one of the kernel's. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a path is that of a device, such as /dev/null. */
const isDevice = (path: string) => statSync(path, { throwIfNoEntry: false })?.isCharacterDevice() ?? false;

const shell = (script: string) => ['sh', '-c', script];
/** Prints the name of the folder outside, which each sandbox has of its own. */
const NAME = 'grep -om1 "boardmill-[0-9a-f-]*" /proc/self/mountinfo';
const NODE_CONNECTS = `require('net').connect(${port}, '127.0.0.1').on('error', () => console.log('none')).pipe(process.stdout)`;

/** Programs that print one text without a sandbox, and another one in a sandbox. */
const ATTACKS: Record<string, readonly [argv: readonly string[], without: string, within: string]> = {
  'read files of the user': [shell(`cat ${secret} 2>/dev/null || echo none`), 'the secret\n', 'none\n'],
  'write files of the user': [
    shell(`{ echo x >${target}; } 2>/dev/null && echo written || echo refused`),
    'written\n',
    'refused\n',
  ],
  'write into the system': [
    shell(
      '{ touch /usr/boardmill-test && rm /usr/boardmill-test; } 2>/dev/null && echo written || echo refused',
    ),
    process.getuid?.() === 0 ? 'written\n' : 'refused\n',
    'refused\n',
  ],
  // The user root may write these without any capability, and could have the kernel start programs outside.
  'set what the kernel does': [
    shell('{ true >>/proc/sys/kernel/core_pattern; } 2>/dev/null && echo opened || echo refused'),
    isWritable('/proc/sys/kernel/core_pattern') ? 'opened\n' : 'refused\n',
    'refused\n',
  ],
  // The modes that they have anyway.
  'change the modes of devices': [
    shell('chmod 666 /dev/null /dev/full 2>/dev/null && echo done || echo refused'),
    process.getuid?.() === 0 ? 'done\n' : 'refused\n',
    'refused\n',
  ],
  // The kernel asks the same before it shows the memory of a process, lets it be traced, or lends its files.
  'trace the shell that has started it, or the first process': [
    shell('cat /proc/$PPID/maps /proc/1/maps 2>/dev/null | grep -q . && echo seen || echo refused'),
    'seen\n',
    'refused\n',
  ],
  'change the limits, the priority or the scheduling of the shell that has started it': [
    shell(
      '{ prlimit --pid $PPID --core=0 || renice -n 5 -p $PPID || renice -n 5 -g 0 || chrt --batch -p 0 $PPID; } >/dev/null 2>&1 && echo done || echo refused',
    ),
    'done\n',
    'refused\n',
  ],
  'open network connections': [[process.execPath, '-e', NODE_CONNECTS], 'connected\n', 'none\n'],
  'see or kill boardmill': [
    shell(`kill -0 ${process.pid} 2>/dev/null && echo seen || echo none`),
    'seen\n',
    'none\n',
  ],
};

describe.skipIf(launcher === null)('in a sandbox', () => {
  test.each(Object.entries(ATTACKS))('a program cannot %s', async (_, [argv, without, within]) => {
    expect(await outputsOf(argv, false)).toEqual([without]);
    expect(await outputsOf(argv, true)).toEqual([within]);
  });

  test('nothing but the files of a run, and folders that are emptied, is mounted so that it can be written', async () => {
    const script = "awk '$6 ~ /^rw/ { print $5 }' /proc/self/mountinfo";
    const paths = [
      ...FOLDERS_EMPTIED_BETWEEN_RUNS.map(({ path }) => path),
      '/boardmill/out',
      '/boardmill/err',
    ];
    const [output] = await outputsOf(shell(script), true);
    // Only root could change devices. The folder of terminals is of the sandbox, and nobody can make files in it.
    const isOther = (path: string) =>
      !path.startsWith('/dev/pts') && (process.getuid?.() === 0 || !isDevice(path));
    expect(output.trim().split('\n').filter(isOther).sort()).toEqual(paths.sort());
  });

  test('devices and terminals can be used', async () => {
    const script = 'echo x >/dev/null; head -c 4 /dev/urandom | wc -c; exec 5<>/dev/ptmx && ls /dev/pts';
    expect(await outputsOf(shell(script), true)).toEqual(['4\n0\nptmx\n']);
  });

  test('a program that lies beside temporary files can be run, and writes nothing there', async () => {
    const place = mkdtempSync('/var/tmp/boardmill-tests-');
    try {
      const program = join(place, 'program.sh');
      writeFileSync(program, '#!/bin/sh\necho x 2>/dev/null >"$0.left" || echo refused\n', { mode: 0o755 });
      expect(await outputsOf([program], true)).toEqual(['refused\n']);
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('what bubblewrap says if it cannot start is in the reason', async () => {
    const { argv, sandbox } = await prepareProgram(['true'], launcher);
    const command = [...sandbox!.command.slice(0, -1), '--bind', '/boardmill-missing', '/mnt', '--'];
    const program = new ProgramRunner(argv, { sandbox: { ...sandbox!, command } });
    const { failure } = await program.run(bytesOf(''), LIMITS);
    program.close();
    expect(failure).toEqual({
      kind: 'no-start',
      reason: expect.stringMatching(
        /^was not started: .*; its last line on standard error: "bwrap: .*boardmill-missing/,
      ),
    });
  });

  test('no signal of a program ends its sandbox', async () => {
    const signals = 'HUP INT QUIT USR1 USR2 PIPE ALRM TERM CHLD TSTP STOP KILL';
    const script = `${NAME}; for s in ${signals}; do kill -s $s 1; done 2>/dev/null; sleep 0.1; echo alive`;
    const [first, second] = await outputsOf(shell(script), true, ['', '']);
    expect(first).toMatch(/^boardmill-.*\nalive\n$/);
    expect(second).toBe(first);
  });

  test('no process of a run is left for the next one', async () => {
    const script = `cat /proc/[0-9]*/comm 2>/dev/null | grep -c sleep
      setsid sh -c "sleep 1000 & sleep 1000" >/dev/null 2>&1 & sleep 1000 & exit 0`;
    expect(await outputsOf(shell(script), true, ['', '', ''])).toEqual(['0\n', '0\n', '0\n']);
  });

  test('no process outlives the sandbox', async () => {
    // A number of seconds that no other process of this machine sleeps.
    const seconds = `1000.${process.pid}${Date.now()}`;
    const isRunning = (text: string) =>
      readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(text));
    const daemon = shell(`setsid sleep ${seconds} >/dev/null 2>&1 & sleep 1000`);
    // At first, only the command line of bubblewrap contains the number, and later the daemon itself is there.
    for (const begun of [seconds, `sleep\0${seconds}`]) {
      const program = await open(daemon, true);
      const run = program.run(bytesOf(''), LIMITS);
      await until(() => isRunning(begun));
      program.close();
      expect((await run).failure?.reason).toBe('was killed by SIGKILL');
      await until(() => !isRunning(seconds));
    }
  });

  test('a run finds none of the files of an earlier run, in the same sandbox', async () => {
    const script = `${NAME}; ls -A . /tmp /dev/shm; for d in . /tmp /dev/shm; do
      mkdir "$d/sub" && echo x >"$d/sub/.left"; done`;
    const [first, second] = await outputsOf(shell(script), true, ['', '']);
    expect(first).toMatch(/^boardmill-/);
    expect(second).toBe(first);
  });

  test.each(['ipcmk -M 4096', 'ipcmk -S 1', 'ipcmk -Q', ': >/dev/mqueue/left'])(
    'a run finds nothing of what an earlier run made with "%s"',
    async (make) => {
      const count = '{ tail -qn +2 /proc/sysvipc/*; ls /dev/mqueue; } | wc -l';
      const outputs = await outputsOf(shell(`${count}; ${make} >/dev/null; ${count}`), true, ['', '', '']);
      expect(outputs).toEqual(Array(3).fill('0\n1\n'));
    },
  );

  test.each([
    ['leaves what cannot be removed', 'mkdir -p /tmp/left/sub; chmod 0 /tmp/left'],
    ['hides files in a folder that it closes', 'echo x >/tmp/left; chmod 311 /tmp'],
    ['makes objects of System V', 'ipcmk -Q >/dev/null'],
    ['changes the mode of a folder', 'chmod 700 /dev/shm'],
    ['changes the mode of its own folder', 'chmod 1755 .'],
  ])('a run that %s is followed by a new sandbox', async (_, attack) => {
    const script = `${NAME}; ls -d /tmp/left 2>&1; read -r a; [ "$a" != attack ] || { ${attack}; }`;
    const [first, second, third] = await outputsOf(shell(script), true, ['attack\n', 'b\n', 'c\n']);
    expect(first).toContain('No such file');
    expect(second).toContain('No such file');
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  test('a run that closes the files of boardmill does not disturb the next one', async () => {
    const script =
      'cat; echo b; chmod 0 /boardmill/out /boardmill/err; chmod 0 /boardmill/in 2>/dev/null; exit 0';
    expect(await outputsOf(shell(script), true, ['a\n', 'c\n'])).toEqual(['a\nb\n', 'c\nb\n']);
  });

  test('a program can write so many bytes in its folders, and nowhere else', async () => {
    const tooMany = MAX_SANDBOX_FOLDER_BYTES + 1;
    const fill = (path: string) =>
      `fallocate -l ${tooMany} ${path} 2>&1; fallocate -l 4096 ${path} && echo filled`;
    for (const path of ['x', '/tmp/x', '/dev/shm/x'])
      expect(await outputsOf(shell(fill(path)), true)).toEqual([
        expect.stringMatching(/(No space left on device|File size limit exceeded)\nfilled\n$/),
      ]);
    const elsewhere =
      'for d in / /boardmill /dev /var /proc; do touch $d/x 2>/dev/null && echo $d; done; exit 0';
    expect(await outputsOf(shell(elsewhere), true)).toEqual(['']);
    const replace = 'for f in in out err; do rm -f /boardmill/$f 2>/dev/null && echo $f; done; exit 0';
    expect(await outputsOf(shell(replace), true)).toEqual(['']);
  });

  test('a program and its files are found by relative paths, and a script by its first line', async () => {
    const script = join(folder, 'mine.sh');
    writeFileSync(script, '#!/usr/bin/env node\nprocess.stdin.pipe(process.stdout);\n');
    chmodSync(script, 0o755);
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await outputsOf(['./mine.sh'], true, ['a\n', 'b\n'])).toEqual(['a\n', 'b\n']);
      expect(await outputsOf(['cat', 'secret'], true)).toEqual(['the secret\n']);
    } finally {
      process.chdir(before);
    }
  });

  test('limits of time, memory and output hold, and runs are measured', async () => {
    const outcomeOf = async (argv: readonly string[], limits: object, settings: ProgramSettings = {}) => {
      const program = await open(argv, true, { isMeasured: true, ...settings });
      const outcome = await program.run(bytesOf(''), { ...LIMITS, ...limits });
      program.close();
      return outcome;
    };
    const kindOf = async (...args: Parameters<typeof outcomeOf>) => (await outcomeOf(...args)).failure?.kind;
    // The first ends before the sandbox has begun.
    for (const timeoutMs of [1, 200]) expect(await kindOf(['sleep', '1000'], { timeoutMs })).toBe('timeout');
    expect((await outcomeOf(['yes'], { outputBytes: 10 })).failure?.reason).toBe(
      'printed more than 10 bytes',
    );
    expect((await outcomeOf(shell('echo why >&2; exit 3'), {})).failure?.reason).toContain('"why"');
    const memoryBytes = 64 << 20;
    const large = shell('x=$(head -c 200000000 /dev/zero | tr "\\0" x); echo "$x" | wc -c');
    expect(await kindOf(large, {}, { memoryBytes })).toBe('crash');
    const busy = shell('i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done');
    const { usage } = await outcomeOf(busy, {}, { memoryBytes });
    expect(usage?.cpuSeconds).toBeGreaterThan(0);
    expect(usage?.peakBytes).toBeGreaterThan(0);
  });

  test.skipIf(!hasCompiler)(
    'a program has no keys of the kernel, no io_uring, no sockets of the machine and no space behind its output (needs g++)',
    async () => {
      const source = join(folder, 'keys.cpp');
      writeFileSync(
        source,
        `#include <cerrno>
      #include <cstdio>
      #include <fcntl.h>
      #include <sched.h>
      #include <sys/ioctl.h>
      #include <sys/resource.h>
      #include <sys/socket.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      void try_(const char *name, long result) { if (result >= 0) printf("%s ", name); }
      int main() {
        try_("add_key", syscall(SYS_add_key, "user", "boardmill", "x", 1, -3));
        try_("keyctl", syscall(SYS_keyctl, 0, -3, 0));
        try_("/proc/keys", open("/proc/keys", O_RDONLY));
        char params[256] = {0};
        try_("io_uring", syscall(SYS_io_uring_setup, 1, params));
        try_("reserve", fallocate(1, 1, 0, 4096));
        int flags;
        try_("flags", ioctl(open("/tmp", O_RDONLY), 0x80086601, &flags));
        cpu_set_t cpus;
        sched_getaffinity(0, sizeof cpus, &cpus);
        try_("affinity", sched_setaffinity(getpid(), sizeof cpus, &cpus));
        try_("nice", setpriority(PRIO_PROCESS, getpid(), 3));
        for (int family = 0; family < 64; family++)
          if (socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_DGRAM, 0) >= 0) printf("%d ", family);
        puts("");
      }`,
      );
      execFileSync('g++', [source, '-o', join(folder, 'keys')]);
      expect(await outputsOf([join(folder, 'keys')], true)).toEqual(['affinity nice 1 2 10 16 \n']);
    },
  );

  test('nothing is left of a sandbox', async () => {
    const program = await open(shell(NAME), true);
    const { stdout } = await program.run(bytesOf(''), LIMITS);
    const name = Buffer.from(stdout).toString().trim();
    expect(readdirSync(join(tmpdir(), name)).sort()).toEqual(['err', 'filter', 'in', 'out']);
    program.close();
    await until(() => !existsSync(join(tmpdir(), name)));
  });
});
