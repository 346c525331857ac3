/** An input for runs whose answers nobody reads. */
import type { start } from './boardmill.js';

const BOARDS = Buffer.from('1 1\nL\n'.repeat(10_000));

/** Writes boards to the child as long as it reads. The result counts the bytes that were written. */
export function writeBoards(child: ReturnType<typeof start>) {
  const written = { bytes: 0 };
  const writeMore = () => {
    written.bytes += BOARDS.length;
    if (!child.stdin.destroyed) child.stdin.write(BOARDS, (error) => error || writeMore());
  };
  child.stdin.on('error', () => {});
  writeMore();
  return written;
}
