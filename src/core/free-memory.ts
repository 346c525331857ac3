import { MessageChannel } from 'node:worker_threads';

/** Freeing less memory than this would take longer than leaving it to the garbage collector. */
const MIN_FREED_BYTES = 1 << 14;

/** A port without a receiver. What is moved through it belongs to nobody any more. */
const closedPort = new MessageChannel().port1;
closedPort.close();

/**
 * Frees the memory of bytes that nothing uses any more, so that the next bytes can have it. The garbage collector would see it
 * late, because the objects of a large buffer are small, and would run once for each few megabytes. The bytes are empty after
 * that. `bytes` must be all bytes of a buffer of their own.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength && byteLength >= MIN_FREED_BYTES)
    closedPort.postMessage(null, [buffer]);
}
