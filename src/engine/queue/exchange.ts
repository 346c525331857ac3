/** Writes and reads the bytes of chunks and answers in Redis. BullMQ gets only the ids of chunks: it stores data as JSON. */
import { KIB } from '../../core/bytes.js';
import type { ByteBudget } from './byte-budget.js';
import { type QueueFrame, statedFrameLength, unpackQueueFrame } from './frame.js';
import { redisAnswerKey, redisKeyOfJobChunks } from './keys.js';
import { MAX_FRAME_BYTES } from './limits.js';
import type { RedisLink } from './redis.js';

/** Seconds after which Redis deletes the bytes of a chunk or of answers, unless a run still waits for the answers. */
const CHUNK_SECONDS = 600;
const ANSWER_SECONDS = 3600;

/**
 * A script for Redis that writes answers, unless the run no longer needs them. KEYS: job, then the answers to its chunks. ARGV:
 * seconds, then the bytes of each answer.
 */
const ANSWER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[i], 'EX', ARGV[1]) end
return 1`;

/** Writes the jobs of a run to Redis, and deletes what is there of a run. */
export class RunExchange {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  /**
   * Writes the chunks of a job to Redis. It uses a transaction, because ioredis would send a single command again and again,
   * without end, if each connection is cut.
   */
  async put(jobId: string, bytes: Buffer): Promise<void> {
    await this.#link.writeTogether((transaction) =>
      transaction.set(redisKeyOfJobChunks(jobId), bytes, 'EX', CHUNK_SECONDS),
    );
  }

  /** Keeps Redis from deleting the chunks of jobs while the run still waits for their answers. */
  async keep(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    await this.#link.writeTogether((transaction) => {
      for (const id of jobIds) transaction.expire(redisKeyOfJobChunks(id), CHUNK_SECONDS);
      return transaction;
    });
  }

  /**
   * Deletes the chunks of a job and their answers from Redis. Called when the run has read the answers, or no longer wants
   * them.
   */
  async forget(jobId: string, chunkIds: readonly string[]): Promise<void> {
    await this.#link.client.del(redisKeyOfJobChunks(jobId), ...chunkIds.map(redisAnswerKey));
  }
}

/** Number of copies of a frame's bytes that are in memory at the same time: the frame itself, and a copy of its parts. */
const COPIES = 2;

/**
 * Number of bytes that are read of a frame whose size is not known yet. If the frame ends before, and also its unpacked form
 * and its copies together take no more than SMALL_FRAME_MEMORY_BYTES, these are all its bytes: Redis gets a single command.
 */
const SMALL_FRAME_BYTES = 32 * KIB;
const SMALL_FRAME_MEMORY_BYTES = 256 * KIB;

/** What reading the first bytes of a frame has led to: the result of the work, or the size that the frame states. */
type Begun<Result> = { readonly result: Result } | { readonly unpacked: number };

/** The size of a packed frame in Redis, and the size of the unpacked frame as the packed frame states it. */
interface FrameSize {
  readonly packed: number;
  readonly unpacked: number;
}

/**
 * Reads the frame at a key of Redis, and calls `work` with it, or with null if there is no frame at the key. No more bytes are
 * read than the budget has room for. They count in the budget until the work is done.
 */
export async function withQueueFrame<Result>(
  link: RedisLink,
  key: string,
  budget: ByteBudget,
  work: (frame: QueueFrame | null) => Promise<Result>,
): Promise<Result> {
  const begun = await budget.use(SMALL_FRAME_MEMORY_BYTES, async (): Promise<Begun<Result>> => {
    const bytes = await readBytes(link, key, SMALL_FRAME_BYTES);
    const unpacked = statedFrameLength(bytes);
    if (unpacked === null) return { result: await work(null) };
    const isSmall =
      bytes.length < SMALL_FRAME_BYTES && memoryOf(bytes.length, unpacked) <= SMALL_FRAME_MEMORY_BYTES;
    return isSmall ? { result: await work(await unpackQueueFrame(bytes)) } : { unpacked };
  });
  if ('result' in begun) return begun.result;
  const size = { packed: await lengthOf(link, key), unpacked: begun.unpacked };
  if (size.packed > MAX_FRAME_BYTES) return work(null);
  return budget.use(memoryOf(size.packed, size.unpacked), async () => work(await readFrame(link, key, size)));
}

function memoryOf(packed: number, unpacked: number): number {
  return packed + COPIES * unpacked;
}

/** Returns the frame at a key, unless it was replaced by another frame since its size was read. */
async function readFrame(link: RedisLink, key: string, size: FrameSize): Promise<QueueFrame | null> {
  const bytes = await readBytes(link, key, size.packed);
  return statedFrameLength(bytes) === size.unpacked ? unpackQueueFrame(bytes) : null;
}

/**
 * Returns the first bytes at a key, at most `maxBytes`; none if the key has a value of another type, such as a list. What says
 * that it is Redis may also reply with nil.
 */
async function readBytes({ client }: RedisLink, key: string, maxBytes: number): Promise<Buffer> {
  const bytes: Buffer | null = await client
    .getrangeBuffer(key, 0, maxBytes - 1)
    .catch((error) => ifOtherType(error, null));
  return bytes ?? Buffer.alloc(0);
}

async function lengthOf({ client }: RedisLink, key: string): Promise<number> {
  return client.strlen(key).catch((error) => ifOtherType(error, 0));
}

/** Returns `value` if the error says that the key has a value of another type than a string; otherwise throws the error. */
function ifOtherType<Value>(error: Error, value: Value): Value {
  if (error.message.startsWith('WRONGTYPE')) return value;
  throw error;
}

/** The answers to a chunk as bytes to write. */
export interface PackedAnswers {
  readonly chunkId: string;
  readonly bytes: Buffer;
}

/** Writes the answers to chunks of a job to Redis, unless the run no longer needs them. */
export async function writeAnswersToRedis(
  link: RedisLink,
  jobId: string,
  answers: readonly PackedAnswers[],
): Promise<void> {
  if (answers.length === 0) return;
  const { client } = link;
  const keys = [redisKeyOfJobChunks(jobId), ...answers.map(({ chunkId }) => redisAnswerKey(chunkId))];
  const values = answers.map(({ bytes }) => bytes);
  await link.write(() => client.eval(ANSWER, keys.length, ...keys, ANSWER_SECONDS, ...values));
}
