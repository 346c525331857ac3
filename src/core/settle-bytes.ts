import { realpathSync } from 'node:fs';

let isDone = false;

/**
 * Does once, before a thread has work, what would later make V8 drop all compiled code that reads bytes. V8 compiles such code
 * on two assumptions: that the hidden class of a Uint8Array stays as it is, and that no memory is ever transferred to another
 * thread. The first Buffer that Node's native code makes (here for a path) ends one, and the first transfer the other.
 */
export function settleBytes(): void {
  if (isDone) return;
  isDone = true;
  realpathSync.native('/', 'buffer');
  const memory = new ArrayBuffer(1);
  structuredClone(memory, { transfer: [memory] });
}
