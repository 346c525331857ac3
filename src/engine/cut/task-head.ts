import type { InputHeadOfTask } from '../messages.js';

let headsShared = 0;

/**
 * Copies the head of an input to memory that all threads share, so that the bytes are not copied again for each chunk. Called
 * once for each input.
 */
export function copyHeadToSharedMemory(head: Uint8Array | null): InputHeadOfTask {
  const number = ++headsShared;
  if (head === null) return { number, bytes: null };
  const bytes = new Uint8Array(new SharedArrayBuffer(head.length));
  bytes.set(head);
  return { number, bytes };
}
