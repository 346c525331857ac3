/** The bytes of chunks and of their answers in Redis. BullMQ gets only their ids, because it keeps all that it gets as JSON. */
import type { ByteBudget } from './byte-budget.js';
import { type Frame, PREFIX_BYTES, statedLength, unpackFrame } from './frame.js';
import { answerKey, chunkKey } from './keys.js';
import { MAX_FRAME_BYTES } from './limits.js';
import type { RedisLink } from './redis.js';

/** Seconds after which Redis deletes the bytes of a chunk, and answers, unless a run still waits for them. */
const CHUNK_SECONDS = 600;
const ANSWER_SECONDS = 3600;

/** Writes answers, unless the run no longer needs them. KEYS: chunk, answer. ARGV: bytes, seconds. */
const ANSWER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
return 1`;

/** What a run does with its chunks and their answers. */
export class RunExchange {
  readonly #link: RedisLink;

  constructor(link: RedisLink) {
    this.#link = link;
  }

  /** Writes a chunk, as a transaction: ioredis would send a single command again without end if each connection is cut. */
  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#link.writeTogether((transaction) =>
      transaction.set(chunkKey(id), bytes, 'EX', CHUNK_SECONDS),
    );
  }

  async dropAnswer(id: string): Promise<void> {
    await this.#link.client.del(answerKey(id));
  }

  /** Keeps the chunks from being deleted while the run still waits for their answers. */
  async keep(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#link.writeTogether((transaction) => {
      for (const id of ids) transaction.expire(chunkKey(id), CHUNK_SECONDS);
      return transaction;
    });
  }

  /** The run has the answers to a chunk, or no longer wants them. */
  async forget(id: string): Promise<void> {
    await this.#link.client.del(chunkKey(id), answerKey(id));
  }
}

/** How many bytes a packed frame has in Redis, and the frame itself, as it states. */
interface FrameSize {
  readonly packed: number;
  readonly unpacked: number;
}

/** How often the bytes of a frame are in memory: the frame, and the copy of its parts that others work with. */
const COPIES = 2;

/**
 * Reads the frame of a key, and works with it. The frame is null if the key does not exist, or has no frame. How large it is
 * is known before it is read, and it counts in the budget until the work is done.
 */
export async function useFrame<Result>(
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
    const unpacked = statedLength(await client.getrangeBuffer(key, 0, PREFIX_BYTES - 1));
    return unpacked === null ? null : { packed, unpacked };
  } catch (error) {
    return nullIfOtherType(error);
  }
}

/** Returns the frame of a key, unless it has become another one since its size was read. */
async function readFrame({ client }: RedisLink, key: string, size: FrameSize): Promise<Frame | null> {
  try {
    const bytes = await client.getrangeBuffer(key, 0, size.packed - 1);
    return statedLength(bytes) === size.unpacked ? await unpackFrame(bytes) : null;
  } catch (error) {
    return nullIfOtherType(error);
  }
}

/** Returns null if the error says that a key has no bytes, but something else, such as a list. */
function nullIfOtherType(error: unknown): null {
  if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null;
  throw error;
}

/** Writes the answers to a chunk, unless the run no longer needs them. */
export async function writeAnswer(link: RedisLink, id: string, bytes: Buffer): Promise<void> {
  const { client } = link;
  await link.write(() => client.eval(ANSWER, 2, chunkKey(id), answerKey(id), bytes, ANSWER_SECONDS));
}
