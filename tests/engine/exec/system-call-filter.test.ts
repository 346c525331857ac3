/** Tests of the filter of system calls, on a literal machine for the kernel's packet filters. */
import { describe, expect, test } from 'vitest';
import { systemCallFilter } from '../../../src/engine/exec/system-call-filter.js';

const ALLOWED = 0x7fff0000;
const EPERM = 0x50001;
const ENOSYS = 0x50026;
const EOPNOTSUPP = 0x5005f;

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
      request_key: 249,
      keyctl: 250,
      setxattr: 188,
      fsetxattr: 190,
      prlimit64: 302,
      sched_setaffinity: 203,
      sched_setscheduler: 144,
      setpriority: 141,
      ioprio_set: 251,
    },
  ],
  [
    'x64',
    0x40000003,
    {
      add_key: 286,
      request_key: 287,
      keyctl: 288,
      setxattr: 226,
      fsetxattr: 228,
      prlimit64: 340,
      sched_setaffinity: 241,
      sched_setscheduler: 156,
      setpriority: 97,
      ioprio_set: 289,
    },
  ],
  [
    'arm64',
    0xc00000b7,
    {
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      setxattr: 5,
      fsetxattr: 7,
      prlimit64: 261,
      sched_setaffinity: 122,
      sched_setscheduler: 119,
      setpriority: 140,
      ioprio_set: 30,
    },
  ],
];

describe.each(CALLS)('on %s with the architecture %i', (arch, architecture, calls) => {
  const filter = systemCallFilter(arch)!;
  const call = (name: string, ...args: number[]) => run(filter, architecture, calls[name], args);

  test('keys and extended attributes fail', () => {
    for (const name of ['add_key', 'request_key', 'keyctl']) expect(call(name, 0, -3), name).toBe(ENOSYS);
    for (const name of ['setxattr', 'fsetxattr']) expect(call(name), name).toBe(EOPNOTSUPP);
  });

  test('a program may change its own limits and priorities, but no others', () => {
    for (const name of ['prlimit64', 'sched_setaffinity', 'sched_setscheduler']) {
      expect(call(name, 0, 5), name).toBe(ALLOWED);
      for (const other of [1, 77, -1]) expect(call(name, other), name).toBe(EPERM);
    }
    expect(call('setpriority', 0, 0, 19)).toBe(ALLOWED);
    for (const [which, who] of [
      [0, 1],
      [1, 0],
      [2, 0],
    ])
      expect(call('setpriority', which, who)).toBe(EPERM);
    expect(call('ioprio_set', 1, 0, 3)).toBe(ALLOWED);
    for (const [which, who] of [
      [1, 1],
      [2, 0],
      [3, 0],
    ])
      expect(call('ioprio_set', which, who)).toBe(EPERM);
  });

  test('all other calls are allowed', () => {
    const known = new Set(Object.values(calls));
    const refused = Array.from({ length: 600 }, (_, number) => number).filter(
      (number) => run(filter, architecture, number, [0, 0]) !== ALLOWED && !known.has(number),
    );
    // lsetxattr and setxattrat; the calls that a program may make only for itself are made for it.
    expect(refused).toEqual([calls.setxattr + 1, 463]);
  });
});

test('calls of other interfaces fail', () => {
  expect(run(systemCallFilter('x64')!, 0xc000003e, 0x40000000 + 1)).toBe(ENOSYS);
  expect(run(systemCallFilter('x64')!, 0xc00000b7, 1)).toBe(ENOSYS);
  expect(run(systemCallFilter('arm64')!, 0x40000028, 1)).toBe(ENOSYS);
  expect(systemCallFilter('ppc64')).toBeNull();
});
