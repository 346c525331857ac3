/** Makes pipes of the system. What Node itself makes for a child process is a socket, which boardmill reads in another way. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './temporary-folder.js';

const folder = createFolder();
let pipes = 0;

/** The two ends of a pipe. The caller closes the descriptor for reading when a child process has got it. */
export interface Pipe {
  readonly reader: number;
  readonly writer: WriteStream;
}

export function makePipe(): Pipe {
  const fifo = join(folder, `pipe-${++pipes}`);
  execFileSync('mkfifo', ['-m', '600', fifo]);
  // A FIFO that is open for both directions lets itself be opened for either without waiting.
  const both = openSync(fifo, constants.O_RDWR);
  const reader = openSync(fifo, constants.O_RDONLY);
  const writer = createWriteStream('', { fd: openSync(fifo, constants.O_WRONLY) });
  closeSync(both);
  rmSync(fifo);
  // A process may end before it has read everything, which is no error of the test.
  writer.on('error', () => {});
  return { reader, writer };
}
