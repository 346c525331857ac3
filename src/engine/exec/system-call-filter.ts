/**
 * The filter of system calls for programs in a sandbox, as a program of the kernel's packet filter (seccomp, in classic BPF).
 * Namespaces do not separate keys of the kernel, and what a program sets for other processes would stay for the next run in the
 * same sandbox. All other calls are allowed.
 *
 * Sources: linux/seccomp.h, linux/filter.h, linux/audit.h, and the tables of system calls of each architecture.
 */

/** Descriptor from which bubblewrap reads the filter. */
export const FILTER_DESCRIPTOR = 8;

/** The codes of the instructions. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_NOT_LESS = 0x35;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. Of an argument, the lower 32 bits are looked at, which have a whole `int`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const offsetOfArgument = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;

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
  /** add_key, request_key, keyctl */
  readonly keys: readonly number[];
  /** setxattr, lsetxattr, fsetxattr, setxattrat */
  readonly attributes: readonly number[];
  /** sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr, prlimit64: argument 0 is a process, 0 the caller */
  readonly ofProcess: readonly number[];
  readonly setpriority: number;
  readonly ioprioSet: number;
}

const X64: CallTable = {
  architecture: 0xc000003e,
  firstForeign: 0x40000000,
  keys: [248, 249, 250],
  attributes: [188, 189, 190, 463],
  ofProcess: [142, 144, 203, 314, 302],
  setpriority: 141,
  ioprioSet: 251,
};
const I386: CallTable = {
  architecture: 0x40000003,
  keys: [286, 287, 288],
  attributes: [226, 227, 228, 463],
  ofProcess: [154, 156, 241, 351, 340],
  setpriority: 97,
  ioprioSet: 289,
};
/** The table that new architectures share. */
const GENERIC = {
  keys: [217, 218, 219],
  attributes: [5, 6, 7, 463],
  ofProcess: [118, 119, 122, 274, 261],
  setpriority: 140,
  ioprioSet: 30,
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

function rulesOf({ firstForeign, keys, attributes, ofProcess, setpriority, ioprioSet }: CallTable) {
  return [
    { code: LOAD, k: NUMBER },
    ...(firstForeign === undefined
      ? []
      : [{ code: JUMP_IF_NOT_LESS, k: firstForeign, ifFalse: 1 }, fail(ENOSYS)]),
    ...keys.flatMap((call) => [ifCall(call, 1), fail(ENOSYS)]),
    ...attributes.flatMap((call) => [ifCall(call, 1), fail(EOPNOTSUPP)]),
    ...ofProcess.flatMap((call) => onlyWith(call, [[0, 0]])),
    // These two may change only the caller: `which` is 0 (PRIO_PROCESS) or 1 (IOPRIO_WHO_PROCESS), and `who` is 0.
    ...onlyWith(setpriority, [
      [0, 0],
      [1, 0],
    ]),
    ...onlyWith(ioprioSet, [
      [0, 1],
      [1, 0],
    ]),
    { code: RETURN, k: ALLOW },
  ];
}

/** Allows a call only if some arguments have these values. */
function onlyWith(
  call: number,
  values: readonly (readonly [argument: number, value: number])[],
): Instruction[] {
  const checks = values.flatMap(([argument, value]) => [
    { code: LOAD, k: offsetOfArgument(argument) },
    { code: JUMP_IF_EQUAL, k: value, ifTrue: 1 },
    fail(EPERM),
  ]);
  return [ifCall(call, checks.length + 1), ...checks, { code: RETURN, k: ALLOW }];
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
