import xxhash from 'xxhash-wasm';

/** Tells two runs of bytes apart. */
export interface InputHash {
  update(bytes: Uint8Array): void;
  /** Of all bytes so far; more may follow. */
  digest(): string;
}

/**
 * XXH64. The coordinator hashes every byte of an input while the workers solve: it takes a third of the time of
 * SHA-256, and an input that changed by accident is missed once in 2^64 times.
 */
export async function openInputHash(): Promise<InputHash> {
  const { create64 } = await xxhash();
  const hash = create64();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => hash.digest().toString(16).padStart(16, '0'),
  };
}
