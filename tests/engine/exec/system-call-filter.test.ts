/** Tests of the filter of system calls, on a literal machine for the kernel's packet filters. */
import { describe, expect, test } from 'vitest';
import { systemCallFilter } from '../../../src/engine/exec/system-call-filter.js';

const ALLOWED = 0x7fff0000;
const EPERM = 0x50001;
const ENOTTY = 0x50019;
const ENOSYS = 0x50026;
const EOPNOTSUPP = 0x5005f;
const EAFNOSUPPORT = 0x50061;

/** Runs the filter on a call, and returns what the filter returns. */
function run(filter: Uint8Array, architecture: number, call: number, args: readonly number[] = []): number {
  const program = Buffer.from(filter);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, value] of args.entries()) data.writeBigInt64LE(BigInt(value), 16 + 8 * index);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(8 * at);
    const [ifTrue, ifFalse] = [program[8 * at + 2], program[8 * at + 3]];
    const k = program.readUInt32LE(8 * at + 4);
    if (code === 0x20) loaded = data.readUInt32LE(k);
    else if (code === 0x15) at += loaded === k ? ifTrue : ifFalse;
    else if (code === 0x35) at += loaded >= k ? ifTrue : ifFalse;
    else if (code === 0x54) loaded = (loaded & k) >>> 0;
    else if (code === 0x06) return k;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

/** For each machine and each of its architectures, the numbers of the calls that the filter knows, by their names. */
const CALLS: readonly [arch: string, architecture: number, calls: Readonly<Record<string, number>>][] = [
  [
    'x64',
    0xc000003e,
    {
      add_key: 248,
      keyctl: 250,
      io_uring_setup: 425,
      setxattr: 188,
      fsetxattr: 190,
      file_setattr: 469,
      sched_setattr: 314,
      ioprio_set: 251,
      fallocate: 285,
      ioctl: 16,
      socket: 41,
      sched_setaffinity: 203,
      prlimit64: 302,
      setpriority: 141,
    },
  ],
  [
    'x64',
    0x40000003,
    {
      add_key: 286,
      keyctl: 288,
      io_uring_setup: 425,
      setxattr: 226,
      fsetxattr: 228,
      file_setattr: 469,
      sched_setattr: 351,
      ioprio_set: 289,
      fallocate: 324,
      ioctl: 54,
      socket: 359,
      sched_setaffinity: 241,
      prlimit64: 340,
      setpriority: 97,
    },
  ],
  [
    'arm64',
    0xc00000b7,
    {
      add_key: 217,
      keyctl: 219,
      io_uring_setup: 425,
      setxattr: 5,
      fsetxattr: 7,
      file_setattr: 469,
      sched_setattr: 274,
      ioprio_set: 30,
      fallocate: 47,
      ioctl: 29,
      socket: 198,
      sched_setaffinity: 122,
      prlimit64: 261,
      setpriority: 140,
    },
  ],
];

describe.each(CALLS)('on %s with the architecture %i', (arch, architecture, calls) => {
  const filter = systemCallFilter(arch)!;
  const call = (name: string, ...args: number[]) => run(filter, architecture, calls[name], args);

  test('keys, io_uring and attributes of files fail', () => {
    for (const name of ['add_key', 'keyctl', 'io_uring_setup']) expect(call(name, 0, -3), name).toBe(ENOSYS);
    for (const name of ['setxattr', 'fsetxattr', 'file_setattr']) expect(call(name), name).toBe(EOPNOTSUPP);
  });

  test('only sockets of families that have namespaces are made', () => {
    for (const family of [1, 2, 10, 16]) expect(call('socket', family, 1, 0), `${family}`).toBe(ALLOWED);
    // Without a family, for packets, for the cryptography of the kernel, vsock.
    for (const family of [0, 3, 17, 38, 40, 1000]) expect(call('socket', family, 1, 0)).toBe(EAFNOSUPPORT);
  });

  test('calls that may leave something for another run depend on their arguments', () => {
    for (const name of ['sched_setattr', 'sched_setaffinity', 'prlimit64']) {
      for (const own of [0, 2, 77]) expect(call(name, own), name).toBe(ALLOWED);
      expect(call(name, 1), name).toBe(EPERM);
    }
    for (const [name, ofProcess] of [
      ['setpriority', 0],
      ['ioprio_set', 1],
    ] as const) {
      for (const own of [0, 2, 77]) expect(call(name, ofProcess, own), name).toBe(ALLOWED);
      expect(call(name, ofProcess, 1), name).toBe(EPERM);
      for (const other of [1 - ofProcess, 2, 3]) expect(call(name, other, 0), name).toBe(EPERM);
    }
    expect(call('fallocate', 1, 0, 0, 4096)).toBe(ALLOWED);
    for (const mode of [1, 3, 0x10]) expect(call('fallocate', 1, mode, 0, 4096)).toBe(EOPNOTSUPP);
    expect(call('ioctl', 0, 0x5401)).toBe(ALLOWED);
    for (const request of [0x40086602, 0x80086601, 0x401c5820, 0x40305828])
      expect(call('ioctl', 0, request), `${request}`).toBe(ENOTTY);
  });

  test('all other calls are allowed', () => {
    const known = new Set(Object.values(calls));
    const refused = Array.from({ length: 600 }, (_, number) => number).filter(
      (number) => run(filter, architecture, number, [0, 0]) !== ALLOWED && !known.has(number),
    );
    const { setxattr, add_key: addKey } = calls;
    // request_key, lsetxattr, the two other calls of io_uring, and setxattrat.
    expect(refused).toEqual([addKey + 1, setxattr + 1, 426, 427, 463].sort((a, b) => a - b));
  });
});

test('calls of other interfaces fail', () => {
  expect(run(systemCallFilter('x64')!, 0xc000003e, 0x40000000 + 1)).toBe(ENOSYS);
  expect(run(systemCallFilter('x64')!, 0xc00000b7, 1)).toBe(ENOSYS);
  expect(run(systemCallFilter('arm64')!, 0x40000028, 1)).toBe(ENOSYS);
  expect(systemCallFilter('ppc64')).toBeNull();
});
