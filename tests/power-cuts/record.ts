/** Records what a run does to files, by strace, of which the program knows nothing. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, MAIN } from '../cli/boardmill.js';
import { createFolder } from '../support/temporary-folder.js';

/** A file operation that has succeeded. Descriptors are those of the recorded process. */
export type FileOperation =
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'makeFolder'; readonly path: string }
  | { readonly kind: 'link'; readonly from: string; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  /** A sync holds for what was done before it began. `path` leads to a file or to a folder. */
  | { readonly kind: 'sync'; readonly path: string; readonly begin: number };

/** An operation, and the path under which its file was opened, which may have another name by now. */
interface SystemCall {
  readonly name: string;
  readonly args: string;
  readonly result: number;
  /** Number of system calls that had ended when this one began. */
  readonly begin: number;
}

const CALLS =
  'openat,creat,write,pwrite64,writev,pwritev,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,' +
  'fsync,fdatasync,close,chdir';

/** Says why the machine cannot record; null if it can. */
export function whyNotRecordable(): string | null {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  return status === 0 ? null : 'strace (a package of Debian) is missing, or may not trace programs here';
}

export interface Recording {
  readonly operations: readonly FileOperation[];
  readonly code: number;
}

/** Runs boardmill in a folder, and returns what it did to files, in order. */
export async function record(
  args: readonly string[],
  cwd: string,
  feed: (write: (text: string) => void) => Promise<void>,
): Promise<Recording> {
  const file = join(createFolder(), 'trace');
  const words = [
    '-f',
    '-qq',
    '-s',
    '10000000',
    '-xx',
    '-e',
    `trace=${CALLS}`,
    '-o',
    file,
    process.execPath,
    MAIN,
  ];
  const child = spawn('strace', [...words, ...args], {
    cwd,
    env: environment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)));
  child.stdin.on('error', () => {});
  await feed((text) => child.stdin.write(text));
  child.stdin.end();
  const code = await ended;
  return { operations: operationsOf(parseCalls(readFileSync(file, 'latin1')), cwd), code };
}

/**
 * Returns the system calls that have succeeded, in the order in which they ended. `close` stands where it began, because another
 * thread may be given the descriptor before it ends.
 */
export function parseCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, { name: string; args: string; begin: number }>();
  const add = (name: string, text: string, begin: number) => {
    const [, args, result] = /^(.*)\)\s+= (-?\d+)/.exec(text) ?? [];
    if (Number(result) >= 0) calls.push({ name, args, result: Number(result), begin });
  };
  for (const line of trace.split('\n')) {
    const [, thread, resumed, name, rest] = /^(\d+) +(<\.\.\. )?(\w+)(?: resumed>|\()(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (name === 'close') {
      if (resumed === undefined) calls.push({ name, args: rest, result: 0, begin: calls.length });
    } else if (resumed !== undefined) {
      const start = unfinished.get(thread)!;
      add(name, start.args + rest, start.begin);
    } else if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, { name, args: rest.slice(0, -' <unfinished ...>'.length), begin: calls.length });
    } else {
      add(name, rest, calls.length);
    }
  }
  return calls;
}

/** Translates system calls into operations on paths. A descriptor keeps the path with which it was opened. */
export function operationsOf(calls: readonly SystemCall[], cwd: string): FileOperation[] {
  const paths = new Map<number, string>();
  const operations: FileOperation[] = [];
  /** Number of operations that had ended when as many system calls had. */
  const endedAfter: number[] = [0];
  for (const { name, args, result, begin } of calls) {
    const [first, second] = stringsIn(args).map((path) => resolve(cwd, path.toString()));
    const descriptor = Number.parseInt(args, 10);
    const path = paths.get(descriptor);
    if (name === 'openat' || name === 'creat') {
      paths.set(result, first);
      if (args.includes('O_CREAT')) operations.push({ kind: 'create', path: first });
      if (args.includes('O_TRUNC')) operations.push({ kind: 'truncate', path: first, size: 0 });
    } else if (name === 'close') {
      paths.delete(descriptor);
    } else if (name.startsWith('rename') || name.startsWith('link')) {
      operations.push({ kind: name.startsWith('link') ? 'link' : 'rename', from: first, path: second });
    } else if (name.startsWith('unlink')) {
      operations.push({ kind: 'unlink', path: first });
    } else if (name.startsWith('mkdir')) {
      operations.push({ kind: 'makeFolder', path: first });
    } else if (path !== undefined && name.includes('write')) {
      const bytes = Buffer.concat(stringsIn(args)).subarray(0, result);
      operations.push({ kind: 'write', path, bytes });
    } else if (path !== undefined && name === 'ftruncate') {
      operations.push({ kind: 'truncate', path, size: Number(args.split(', ')[1]) });
    } else if (path !== undefined && name.endsWith('sync')) {
      operations.push({ kind: 'sync', path, begin: endedAfter[begin] });
    }
    endedAfter.push(operations.length);
  }
  return operations;
}

/** Returns the strings among the arguments of a system call, whose bytes strace prints in hexadecimal. */
function stringsIn(args: string): Buffer[] {
  return [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text]) =>
    Buffer.from(text.replaceAll('\\x', ''), 'hex'),
  );
}
