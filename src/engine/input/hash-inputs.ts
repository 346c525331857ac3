/** Hashes whole inputs, to compare them with those of an earlier run. */
import { digestOfText } from '../../core/digest.js';
import { assertNotStopped } from '../../core/stop.js';
import { createInputHasher, type SizeAndDigest } from './input-hash.js';
import { withSource } from './with-source.js';

/**
 * Returns the size and the digest of the inputs one after another; of a compressed input, after decompression. After `stop`
 * is aborted, it throws an Interrupted.
 */
export async function hashInputs(inputs: readonly string[], stop: AbortSignal): Promise<SizeAndDigest> {
  let before: SizeAndDigest = { bytes: 0, digest: null };
  for (const input of inputs) before = joinSizesAndDigests(before, await hashInput(input, stop));
  return before;
}

async function hashInput(input: string, stop: AbortSignal): Promise<SizeAndDigest> {
  const hash = createInputHasher();
  let bytes = 0;
  try {
    await withSource(input, stop, async ({ pieces }) => {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
      }
    });
  } finally {
    // The signal closes the input, so that reading it fails.
    assertNotStopped(stop);
  }
  return { bytes, digest: hash.digest() };
}

/** Adds an input to those before it. The first input alone has its own digest. */
export function joinSizesAndDigests(before: SizeAndDigest, input: SizeAndDigest): SizeAndDigest {
  const bytes = before.bytes + input.bytes;
  if (before.digest === null || input.digest === null) return { bytes, digest: input.digest };
  return { bytes, digest: digestOfText(before.digest + input.digest) };
}
