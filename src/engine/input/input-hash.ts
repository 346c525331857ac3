import xxhash, { type XXHashAPI } from 'xxhash-wasm';
import { HASH_BLOCK_BYTES } from '../limits.js';

/** Hashes all bytes of an input, so that a later run can find out whether the input has changed. */
export interface InputHash {
  update(bytes: Uint8Array): void;
  /** Returns the hash of all bytes so far, as 16 hexadecimal digits. After this call, more bytes may be added. */
  digest(): string;
  /**
   * Returns an object that continues this hash with parts of the input that other threads have hashed. The first part must
   * begin with the current block.
   */
  join(): JoinedHash;
}

/** The number of bytes of a whole input, and their hash; the hash is null if the run has not hashed the input. */
export interface InputExtent {
  readonly bytes: number;
  readonly digest: string | null;
}

/** Joins the hashes of consecutive parts of an input, which other threads have hashed. */
export interface JoinedHash {
  /** Adds the next part of the input. Returns the hash of all bytes up to the end of the part, as `InputHash.digest` would. */
  append(part: BlockHashes): string;
}

/** The hashes of the blocks of a part of an input. Any thread can compute them without the bytes before the part. */
export interface BlockHashes {
  /** The hashes of the blocks that end inside the part, in input order. */
  readonly whole: BigUint64Array;
  /** The hash of the block in which the part ends, up to the end of the part; null if the part ends where a block ends. */
  readonly rest: bigint | null;
}

/** The WebAssembly code that computes hashes, which all inputs of a run share. Null before the first input. */
let library: Promise<XXHashAPI> | null = null;

function loadLibrary(): Promise<XXHashAPI> {
  library ??= xxhash();
  return library;
}

/**
 * Creates a hash of an input. XXH64 takes a third of the time of SHA-256, and misses an accidental change of the input once in
 * 2^64 times.
 *
 * The input is hashed in blocks of HASH_BLOCK_BYTES. The hash of all bytes up to the end of a block is the hash of that block's
 * own hash, with the hash of all bytes before the block as the seed. So different threads can hash different blocks.
 */
export async function openInputHash(): Promise<InputHash> {
  return new SequentialHash(await loadLibrary());
}

/**
 * Returns a function that hashes a part of an input. `bytes` are the bytes from the start of the block in which the part begins
 * to the end of the part.
 */
export async function openBlockHasher(): Promise<(bytes: Uint8Array) => BlockHashes> {
  const { h64Raw } = await loadLibrary();
  return (bytes) => {
    const whole = new BigUint64Array(Math.floor(bytes.length / HASH_BLOCK_BYTES));
    for (let block = 0; block < whole.length; block++) {
      whole[block] = h64Raw(bytes.subarray(block * HASH_BLOCK_BYTES, (block + 1) * HASH_BLOCK_BYTES));
    }
    const rest = bytes.subarray(whole.length * HASH_BLOCK_BYTES);
    return { whole, rest: rest.length === 0 ? null : h64Raw(rest) };
  };
}

class SequentialHash implements InputHash {
  readonly #library: XXHashAPI;
  /** The hash of all bytes before the current block. */
  #before = 0n;
  #hash: ReturnType<XXHashAPI['create64']>;
  /** Number of bytes of the current block that were hashed so far; always less than HASH_BLOCK_BYTES. */
  #blockBytes = 0;

  constructor(library: XXHashAPI) {
    this.#library = library;
    this.#hash = library.create64();
  }

  join(): JoinedHash {
    return new ConsecutiveHash(this.#library, this.#before);
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + HASH_BLOCK_BYTES - this.#blockBytes);
      this.#hash.update(bytes.subarray(at, end));
      this.#blockBytes += end - at;
      if (this.#blockBytes === HASH_BLOCK_BYTES) this.#beginBlock();
      at = end;
    }
  }

  digest(): string {
    return asHexadecimal(this.#blockBytes === 0 ? this.#before : this.#withCurrentBlock());
  }

  #beginBlock(): void {
    this.#before = this.#withCurrentBlock();
    this.#hash = this.#library.create64();
    this.#blockBytes = 0;
  }

  #withCurrentBlock(): bigint {
    return addBlock(this.#library, this.#before, this.#hash.digest());
  }
}

class ConsecutiveHash implements JoinedHash {
  readonly #library: XXHashAPI;
  /** The hash of all bytes before the block in which the next part begins. */
  #before: bigint;

  constructor(library: XXHashAPI, before: bigint) {
    this.#library = library;
    this.#before = before;
  }

  append({ whole, rest }: BlockHashes): string {
    for (const block of whole) this.#before = addBlock(this.#library, this.#before, block);
    return asHexadecimal(rest === null ? this.#before : addBlock(this.#library, this.#before, rest));
  }
}

const blockDigest = new Uint8Array(8);
const blockDigestView = new DataView(blockDigest.buffer);

/**
 * Computes the hash of all bytes up to the end of a block from the hash of the bytes before the block and the hash of the
 * block.
 */
function addBlock({ h64Raw }: XXHashAPI, before: bigint, block: bigint): bigint {
  blockDigestView.setBigUint64(0, block);
  return h64Raw(blockDigest, before);
}

function asHexadecimal(digest: bigint): string {
  return digest.toString(16).padStart(16, '0');
}
