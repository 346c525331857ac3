/** What strace prints, as operations on files. */
import { expect, test } from 'vitest';
import { operationsOf, parseCalls } from './record.js';

const hex = (path: string) => [...Buffer.from(path)].map((byte) => `\\x${byte.toString(16)}`).join('');
const opened = (thread: number, path: string, descriptor: number) =>
  `${thread} openat(AT_FDCWD, "${hex(path)}", O_RDONLY) = ${descriptor}`;

test('a thread is given a descriptor that another thread is about to close', () => {
  const trace = [
    opened(1, 'library', 24),
    '1 close(24 <unfinished ...>',
    opened(2, 'new', 24),
    '1 <... close resumed>) = 0',
    '2 fsync(24) = 0',
  ];
  expect(operationsOf(parseCalls(trace.join('\n')), '/')).toEqual([{ kind: 'sync', path: '/new', begin: 0 }]);
});
