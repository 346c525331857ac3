/**
 * The filter of system calls for programs in a sandbox, as a program of the kernel's packet filter (seccomp, in classic BPF).
 * Namespaces do not separate keys of the kernel. What a program sets for the shell that has started it, or as attributes of its
 * folders, would stay for the next run in the same sandbox. Space that is reserved behind the end of a file has no bound. Some
 * families of sockets have no namespaces, so they reach the machine or its host (vsock). All other calls are allowed, but
 * io_uring, which makes calls that no filter sees.
 *
 * Sources: linux/seccomp.h, linux/filter.h, linux/audit.h, and the tables of system calls of each architecture.
 */

/** Descriptor from which bubblewrap reads the filter. */
export const FILTER_FILE_DESCRIPTOR = 8;

/** The codes of the instructions. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_NOT_LESS = 0x35;
const AND = 0x54;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. Of an argument, the lower 32 bits are looked at, which have a whole `int`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const offsetOfArgument = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOTTY = 25;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;

/** The letters of the calls of ioctl that set flags of files (`f`), or attributes and reserved space (`X`), in their place. */
const FILE_IOCTLS = [0x66 << 8, 0x58 << 8];
const LETTER_OF_IOCTL = 0xff00;

/** The families of sockets that a namespace of the network separates: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** The number of `socket` for `socketcall`, which has the family in memory, where no filter sees it. */
const SOCKET_OF_SOCKETCALL = 1;

/** The id that the shell which starts the program has in its sandbox. */
const SHELL = 1;

interface Instruction {
  readonly code: number;
  /** The value of the instruction. */
  readonly k: number;
  /** Numbers of instructions to skip if the condition of a jump holds, and if not. */
  readonly ifTrue?: number;
  readonly ifFalse?: number;
}

/** The numbers of system calls of one architecture. */
interface CallTable {
  /** The value of `AUDIT_ARCH_...`. */
  readonly architecture: number;
  /** From this number on, calls belong to another interface, and fail; missing if there is none. */
  readonly firstForeign?: number;
  /** add_key, request_key, keyctl, io_uring_setup, io_uring_enter, io_uring_register */
  readonly missing: readonly number[];
  /** setxattr, lsetxattr, fsetxattr, setxattrat, file_setattr */
  readonly attributes: readonly number[];
  /** sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr, prlimit64, whose argument 0 is a process */
  readonly ofProcess: readonly number[];
  readonly setpriority: number;
  readonly ioprioSet: number;
  readonly fallocate: number;
  readonly ioctl: number;
  readonly socket: number;
  /** The call in place of `socket` and others that old programs make; missing if there is none. */
  readonly socketcall?: number;
}

const X64: CallTable = {
  architecture: 0xc000003e,
  firstForeign: 0x40000000,
  missing: [248, 249, 250, 425, 426, 427],
  attributes: [188, 189, 190, 463, 469],
  ofProcess: [142, 144, 203, 314, 302],
  setpriority: 141,
  ioprioSet: 251,
  fallocate: 285,
  ioctl: 16,
  socket: 41,
};
const I386: CallTable = {
  architecture: 0x40000003,
  missing: [286, 287, 288, 425, 426, 427],
  attributes: [226, 227, 228, 463, 469],
  ofProcess: [154, 156, 241, 351, 340],
  setpriority: 97,
  ioprioSet: 289,
  fallocate: 324,
  ioctl: 54,
  socket: 359,
  socketcall: 102,
};
/** The table that new architectures share. */
const GENERIC = {
  missing: [217, 218, 219, 425, 426, 427],
  attributes: [5, 6, 7, 463, 469],
  ofProcess: [118, 119, 122, 274, 261],
  setpriority: 140,
  ioprioSet: 30,
  fallocate: 47,
  ioctl: 29,
  socket: 198,
};

/** The tables of the calls that programs can make on a machine, by `process.arch`. */
const TABLES: Readonly<Record<string, readonly CallTable[]>> = {
  x64: [X64, I386],
  arm64: [{ ...GENERIC, architecture: 0xc00000b7 }],
  riscv64: [{ ...GENERIC, architecture: 0xc00000f3 }],
};

/** Returns the filter for this machine; null if boardmill does not know the system calls of its architecture. */
export function systemCallFilter(arch: string = process.arch): Uint8Array | null {
  const tables = TABLES[arch];
  if (tables === undefined) return null;
  const blocks = tables.flatMap((table) => onlyFor(table.architecture, rulesOf(table)));
  // Calls of any other architecture fail.
  return assemble([{ code: LOAD, k: ARCHITECTURE }, ...blocks, fail(ENOSYS)]);
}

/** The rules if the call is one of this architecture. The other architectures come after them. */
function onlyFor(architecture: number, rules: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_IF_EQUAL, k: architecture, ifFalse: rules.length }, ...rules];
}

function rulesOf(table: CallTable): Instruction[] {
  const { firstForeign, missing, attributes, ofProcess, setpriority, ioprioSet, fallocate, ioctl } = table;
  const { socket, socketcall } = table;
  return [
    { code: LOAD, k: NUMBER },
    ...(firstForeign === undefined
      ? []
      : [{ code: JUMP_IF_NOT_LESS, k: firstForeign, ifFalse: 1 }, fail(ENOSYS)]),
    ...missing.flatMap((call) => [ifCall(call, 1), fail(ENOSYS)]),
    ...attributes.flatMap((call) => [ifCall(call, 1), fail(EOPNOTSUPP)]),
    ...ofProcess.flatMap((call) => onlyIf(call, [isNot(0, SHELL)], EPERM)),
    // `which` is PRIO_PROCESS or IOPRIO_WHO_PROCESS, as a group of processes and a user have the shell, too.
    ...onlyIf(setpriority, [is(0, 0), isNot(1, SHELL)], EPERM),
    ...onlyIf(ioprioSet, [is(0, 1), isNot(1, SHELL)], EPERM),
    // Another mode reserves space without a bound, as FALLOC_FL_KEEP_SIZE does.
    ...onlyIf(fallocate, [is(1, 0)], EOPNOTSUPP),
    ...withoutFileIoctls(ioctl),
    ...onlyIf(socket, [isOneOf(0, SOCKET_FAMILIES)], EAFNOSUPPORT),
    ...(socketcall === undefined ? [] : onlyIf(socketcall, [isNot(0, SOCKET_OF_SOCKETCALL)], EAFNOSUPPORT)),
    { code: RETURN, k: ALLOW },
  ];
}

/** Skips the instruction after these ones if an argument is one of some values, or is not a value. */
type Condition = readonly Instruction[];

function is(argument: number, value: number): Condition {
  return isOneOf(argument, [value]);
}

function isOneOf(argument: number, values: readonly number[]): Condition {
  return [
    { code: LOAD, k: offsetOfArgument(argument) },
    ...values.map((k, index) => ({ code: JUMP_IF_EQUAL, k, ifTrue: values.length - index })),
  ];
}

function isNot(argument: number, value: number): Condition {
  return [
    { code: LOAD, k: offsetOfArgument(argument) },
    { code: JUMP_IF_EQUAL, k: value, ifFalse: 1 },
  ];
}

/** Allows a call only if all conditions hold. Otherwise the call fails with this error. */
function onlyIf(call: number, conditions: readonly Condition[], error: number): Instruction[] {
  const checks = conditions.flatMap((condition) => [...condition, fail(error)]);
  return [ifCall(call, checks.length + 1), ...checks, { code: RETURN, k: ALLOW }];
}

function withoutFileIoctls(ioctl: number): Instruction[] {
  const checks = [
    { code: LOAD, k: offsetOfArgument(1) },
    { code: AND, k: LETTER_OF_IOCTL },
    ...FILE_IOCTLS.flatMap((letter) => [{ code: JUMP_IF_EQUAL, k: letter, ifFalse: 1 }, fail(ENOTTY)]),
  ];
  return [ifCall(ioctl, checks.length + 1), ...checks, { code: RETURN, k: ALLOW }];
}

/** Skips this many instructions unless the call, whose number is loaded, is this one. */
function ifCall(call: number, skipped: number): Instruction {
  return { code: JUMP_IF_EQUAL, k: call, ifFalse: skipped };
}

function fail(error: number): Instruction {
  return { code: RETURN, k: FAIL | error };
}

/** Returns the bytes of the instructions: of each a `struct sock_filter`. All these machines are little-endian. */
function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, { code, k, ifTrue = 0, ifFalse = 0 }] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(k, 8 * index + 4);
  }
  return bytes;
}
