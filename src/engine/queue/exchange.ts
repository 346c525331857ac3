/** Writes and reads the bytes of chunks and answers in Redis. BullMQ gets only the ids of chunks: it stores data as JSON. */
import type { ByteBudget } from './byte-budget.js';
import { type Frame, PACKED_PREFIX_BYTES, statedFrameLength, unpackFrame } from './frame.js';
import { answerKey, chunkKey } from './keys.js';
import { MAX_FRAME_BYTES } from './limits.js';
import type { RedisLink } from './redis.js';

/** Seconds after which Redis deletes the bytes of a chunk or of answers, unless a run still waits for the answers. */
const CHUNK_SECONDS = 600;
const ANSWER_SECONDS = 3600;

/** A script for Redis that writes answers, unless the run no longer needs them. KEYS: chunk, answer. ARGV: bytes, seconds. */
const ANSWER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
return 1`;

/** Writes the chunks of a run to Redis, and reads their answers. */
export class RunExchange {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  /**
   * Writes a chunk to Redis. It uses a transaction, because ioredis would send a single command again and again, without end,
   * if each connection is cut.
   */
  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#link.writeTogether((transaction) =>
      transaction.set(chunkKey(id), bytes, 'EX', CHUNK_SECONDS),
    );
  }

  async dropAnswer(id: string): Promise<void> {
    await this.#link.client.del(answerKey(id));
  }

  /** Keeps Redis from deleting the chunks while the run still waits for their answers. */
  async keep(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#link.writeTogether((transaction) => {
      for (const id of ids) transaction.expire(chunkKey(id), CHUNK_SECONDS);
      return transaction;
    });
  }

  /** Deletes a chunk and its answers from Redis. Called when the run has the answers to the chunk, or no longer wants them. */
  async forget(id: string): Promise<void> {
    await this.#link.client.del(chunkKey(id), answerKey(id));
  }
}

/** The size of a packed frame in Redis, and the size of the unpacked frame as the packed frame states it. */
interface FrameSize {
  readonly packed: number;
  readonly unpacked: number;
}

/** Number of copies of a frame's bytes that are in memory at the same time: the frame itself, and a copy of its parts. */
const COPIES = 2;

/**
 * Reads the frame at a key of Redis, and calls `work` with it, or with null if there is no frame at the key. The size of the
 * frame is asked for first, and counts in the budget until the work is done.
 */
export async function withFrame<Result>(
  link: RedisLink,
  key: string,
  budget: ByteBudget,
  work: (frame: Frame | null) => Promise<Result>,
): Promise<Result> {
  const size = await sizeOfFrame(link, key);
  if (size === null) return work(null);
  return budget.use(size.packed + COPIES * size.unpacked, async () => work(await readFrame(link, key, size)));
}

async function sizeOfFrame({ client }: RedisLink, key: string): Promise<FrameSize | null> {
  try {
    const packed = await client.strlen(key);
    if (packed > MAX_FRAME_BYTES) return null;
    const unpacked = statedFrameLength(await client.getrangeBuffer(key, 0, PACKED_PREFIX_BYTES - 1));
    return unpacked === null ? null : { packed, unpacked };
  } catch (error) {
    return nullIfOtherType(error);
  }
}

/** Returns the frame at a key, unless it was replaced by another frame since its size was read. */
async function readFrame({ client }: RedisLink, key: string, size: FrameSize): Promise<Frame | null> {
  try {
    const bytes = await client.getrangeBuffer(key, 0, size.packed - 1);
    return statedFrameLength(bytes) === size.unpacked ? await unpackFrame(bytes) : null;
  } catch (error) {
    return nullIfOtherType(error);
  }
}

/** Returns null if the error says that the key has a value of another type, such as a list; otherwise throws the error. */
function nullIfOtherType(error: unknown): null {
  if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null;
  throw error;
}

/** Writes the answers to a chunk to Redis, unless the run no longer needs them. */
export async function writeAnswer(link: RedisLink, id: string, bytes: Buffer): Promise<void> {
  const { client } = link;
  await link.write(() => client.eval(ANSWER, 2, chunkKey(id), answerKey(id), bytes, ANSWER_SECONDS));
}
