/**
 * Prevents two runs from writing the same FILE. A lock is a local socket, which the system removes when the process ends in any
 * way. So no stale lock remains, while the creator of a lock file might have ended without removing it.
 */
import { statSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { digestOfText, shortenDigest } from '../../core/digest.js';
import { BoardmillError, systemReason } from '../../core/errors.js';

export interface FileLock {
  release(): Promise<void>;
}

/** Locks FILE. Fails with kind `file` if another process has locked it. */
export async function lockFile(path: string): Promise<FileLock> {
  const server = await tryLock(path);
  if (server === null) throw new BoardmillError('file', describeFileInUse(path));
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/** Returns the message that another run is writing FILE. */
export function describeFileInUse(path: string): string {
  return `${path} is being written by another run of boardmill`;
}

/** Whether another run is writing FILE. */
export async function isFileLocked(path: string): Promise<boolean> {
  const server = await tryLock(path);
  if (server === null) return true;
  await new Promise((done) => server.close(done));
  return false;
}

/** Creates the socket that locks FILE. Returns null if another process has locked FILE. */
async function tryLock(path: string): Promise<Server | null> {
  try {
    const address = lockAddressOf(path);
    return (await listen(address)) ?? (await takeOverStaleSocket(address));
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Returns the address of the socket that locks a file. All paths of a file lead to the same address. */
export function lockAddressOf(path: string): string {
  const absolutePath = resolve(path);
  const folder = statSync(dirname(absolutePath));
  const key = shortenDigest(digestOfText(`${folder.dev}:${folder.ino}:${basename(absolutePath)}`));
  // Linux has socket names outside the file system, and Windows has named pipes. Other systems need a socket file.
  if (process.platform === 'linux') return `\0boardmill-${key}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\boardmill-${key}` : join(tmpdir(), `boardmill-${key}`);
}

/** Listens at the address of a lock. Returns null if the address is in use. */
function listen(address: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(address, () => done(server.unref()));
  });
}

/**
 * Takes over a lock whose socket file has outlived its process: if no process answers at the address, removes the file and
 * creates the lock. Returns null if a process answers.
 */
async function takeOverStaleSocket(address: string): Promise<Server | null> {
  if (address.startsWith('\0') || (await isProcessAnswering(address))) return null;
  await unlink(address).catch(() => {});
  return listen(address);
}

function isProcessAnswering(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
