import type { Hash } from 'node:crypto';
import { createDigest } from '../../core/digest.js';
import { HASH_BLOCK_BYTES } from '../limits.js';

/** Hashes all bytes of an input, so that a later run can find out whether the input has changed. */
export interface InputHasher {
  update(bytes: Uint8Array): void;
  /** Returns the hash of all bytes so far, in hexadecimal digits. After this call, more bytes may be added. */
  digest(): string;
  /**
   * Returns an object that continues this hash with parts of the input that other threads have hashed. The first part must
   * begin with the current block.
   */
  join(): HashJoiner;
}

/** The number of bytes of a whole input, and their hash; the hash is null if the run has not hashed the input. */
export interface SizeAndDigest {
  readonly bytes: number;
  readonly digest: string | null;
}

/** Joins the hashes of consecutive parts of an input, which other threads have hashed. */
export interface HashJoiner {
  /** Adds the next part of the input. Returns the hash of all bytes up to its end, as `InputHasher.digest` would. */
  append(part: BlockHashes): string;
}

/** The hashes of the blocks of a part of an input. Any thread can compute them without the bytes before the part. */
export interface BlockHashes {
  /** The hashes of the blocks that end inside the part, in input order: HASH_BYTES for each. */
  readonly whole: Uint8Array;
  /** The hash of the block in which the part ends, up to the end of the part; null if the part ends where a block ends. */
  readonly rest: Uint8Array | null;
}

/** Number of bytes of a SHA-256 hash. */
const HASH_BYTES = 32;

/**
 * Creates a hash of an input. It is SHA-256, because of a weaker hash a stranger could make two inputs that have the same one.
 *
 * The input is hashed in blocks of HASH_BLOCK_BYTES. The hash of all bytes up to the end of a block is the hash of two hashes:
 * that of all bytes before the block, and that of the block. So different threads can hash different blocks.
 */
export function createInputHasher(): InputHasher {
  return new SequentialHash();
}

/**
 * Hashes a part of an input. `bytes` are the bytes from the start of the block in which the part begins to the end of the part.
 */
export function hashBlocks(bytes: Uint8Array): BlockHashes {
  const blocks = Math.floor(bytes.length / HASH_BLOCK_BYTES);
  const whole = new Uint8Array(blocks * HASH_BYTES);
  for (let block = 0; block < blocks; block++) {
    const from = block * HASH_BLOCK_BYTES;
    whole.set(hashOf(bytes.subarray(from, from + HASH_BLOCK_BYTES)), block * HASH_BYTES);
  }
  const rest = bytes.subarray(blocks * HASH_BLOCK_BYTES);
  return { whole, rest: rest.length === 0 ? null : Uint8Array.from(hashOf(rest)) };
}

class SequentialHash implements InputHasher {
  /** The hash of all bytes before the current block. */
  #before: Uint8Array = new Uint8Array(HASH_BYTES);
  #hash: Hash = createDigest();
  /** Number of bytes of the current block that were hashed so far; always less than HASH_BLOCK_BYTES. */
  #blockBytes = 0;
  /** What `digest` has returned last, if no bytes have been added since; otherwise null. */
  #digest: string | null = null;

  join(): HashJoiner {
    return new ConsecutiveHash(this.#before);
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + HASH_BLOCK_BYTES - this.#blockBytes);
      this.#digest = null;
      this.#hash.update(bytes.subarray(at, end));
      this.#blockBytes += end - at;
      if (this.#blockBytes === HASH_BLOCK_BYTES) this.#beginBlock();
      at = end;
    }
  }

  digest(): string {
    this.#digest ??= asHexadecimal(
      this.#blockBytes === 0 ? this.#before : addBlock(this.#before, this.#hash.copy().digest()),
    );
    return this.#digest;
  }

  #beginBlock(): void {
    this.#before = addBlock(this.#before, this.#hash.digest());
    this.#hash = createDigest();
    this.#blockBytes = 0;
  }
}

class ConsecutiveHash implements HashJoiner {
  /** The hash of all bytes before the block in which the next part begins. */
  #before: Uint8Array;

  constructor(before: Uint8Array) {
    this.#before = before;
  }

  append({ whole, rest }: BlockHashes): string {
    for (let at = 0; at < whole.length; at += HASH_BYTES)
      this.#before = addBlock(this.#before, whole.subarray(at, at + HASH_BYTES));
    return asHexadecimal(rest === null ? this.#before : addBlock(this.#before, rest));
  }
}

/** Returns the hash of all bytes up to the end of a block. */
function addBlock(before: Uint8Array, block: Uint8Array): Uint8Array {
  return createDigest().update(before).update(block).digest();
}

function hashOf(bytes: Uint8Array): Uint8Array {
  return createDigest().update(bytes).digest();
}

function asHexadecimal(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}
