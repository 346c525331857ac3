/**
 * Keeps two runs on one FILE apart. The lock is a local socket that the system itself takes away with its
 * process, however that ends: nothing can be left behind, and no process number is guessed at.
 */
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { digestOfText } from '../../core/digest.js';
import { BoardmillError, systemReason } from '../../core/errors.js';

export interface Lock {
  release(): Promise<void>;
}

/** Fails with kind `file` if another process holds FILE. */
export async function lockFile(path: string): Promise<Lock> {
  const server = await tryLock(path);
  if (server === null)
    throw new BoardmillError('file', `${path} is being written by another run of boardmill`);
  return { release: () => new Promise((done) => server.close(() => done())) };
}

async function tryLock(path: string): Promise<Server | null> {
  try {
    const address = await addressOf(path);
    return (await listen(address)) ?? (await takeOver(address));
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** The same file has the same address, by whatever path it is named. */
async function addressOf(path: string): Promise<string> {
  const full = resolve(path);
  const folder = await stat(dirname(full));
  const key = digestOfText(`${folder.dev}:${folder.ino}:${basename(full)}`).slice(0, 32);
  // Linux has names outside the file system, Windows has pipes; elsewhere a socket file must do.
  if (process.platform === 'linux') return `\0boardmill-${key}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\boardmill-${key}` : join(tmpdir(), `boardmill-${key}`);
}

function listen(address: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(address, () => done(server.unref()));
  });
}

/** A socket file may outlive its process: if nobody answers, it is taken over. */
async function takeOver(address: string): Promise<Server | null> {
  if (address.startsWith('\0') || (await isAnswered(address))) return null;
  await unlink(address).catch(() => {});
  return listen(address);
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
