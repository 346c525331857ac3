/** The bytes of chunks and of their answers in Redis. BullMQ gets only their ids, because it keeps all that it gets as JSON. */
import { ANSWER_SECONDS, CHUNK_SECONDS, MAX_FRAME_BYTES } from '../limits.js';
import { answerKey, chunkKey, waitingKey } from './keys.js';
import type { RedisLink } from './redis.js';

/** Deletes the chunk and its answers if no run waits for them any more. KEYS: waiting, chunk, answer. ARGV: run. */
const FORGET = `
redis.call('SREM', KEYS[1], ARGV[1])
if redis.call('SCARD', KEYS[1]) == 0 then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
return 1`;

/** Writes answers, unless nobody needs them any more. KEYS: chunk, answer. ARGV: bytes, seconds. */
const ANSWER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
return 1`;

/** What a run does with its chunks and their answers. */
export class RunExchange {
  readonly #link: RedisLink;
  readonly #run: string;

  /** `run` is a name that no other run has. */
  constructor(link: RedisLink, run: string) {
    this.#link = link;
    this.#run = run;
  }

  /** Writes a chunk. */
  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#link.whenNotFull(() =>
      this.#link.client
        .multi()
        .sadd(waitingKey(id), this.#run)
        .expire(waitingKey(id), CHUNK_SECONDS)
        .set(chunkKey(id), bytes, 'EX', CHUNK_SECONDS)
        .exec()
        .then(throwFirstError),
    );
  }

  /** Returns the frame of the answers, and null if there are none. From now on the run waits for them. */
  async takeAnswer(id: string): Promise<Buffer | null> {
    const { client } = this.#link;
    const size = await client.strlen(answerKey(id));
    if (size > MAX_FRAME_BYTES) await this.dropAnswer(id);
    return size === 0 || size > MAX_FRAME_BYTES ? null : client.getBuffer(answerKey(id));
  }

  async dropAnswer(id: string): Promise<void> {
    await this.#link.client.del(answerKey(id));
  }

  /** Keeps the chunks from being deleted while the run still waits for them. */
  async keep(ids: readonly string[]): Promise<void> {
    const pipeline = this.#link.client.pipeline();
    for (const id of ids) {
      pipeline.expire(waitingKey(id), CHUNK_SECONDS);
      pipeline.expire(chunkKey(id), CHUNK_SECONDS);
    }
    await pipeline.exec();
  }

  /** The run has the answers, or no longer wants them. */
  async forget(id: string): Promise<void> {
    await this.#link.client.eval(FORGET, 3, waitingKey(id), chunkKey(id), answerKey(id), this.#run);
  }
}

/** Fails if one of the commands of a transaction has failed. */
function throwFirstError(replies: [error: Error | null, result: unknown][] | null): void {
  for (const [error] of replies ?? []) if (error !== null) throw error;
}

/** Returns the frame of a chunk; null if Redis no longer has it, or if it is larger than any that boardmill writes. */
export async function readChunkBytes({ client }: RedisLink, id: string): Promise<Buffer | null> {
  const size = await client.strlen(chunkKey(id));
  return size === 0 || size > MAX_FRAME_BYTES ? null : client.getBuffer(chunkKey(id));
}

/** Writes the answers to a chunk, unless no run needs them any more. */
export async function writeAnswer(link: RedisLink, id: string, bytes: Buffer): Promise<void> {
  const { client } = link;
  await link.whenNotFull(() => client.eval(ANSWER, 2, chunkKey(id), answerKey(id), bytes, ANSWER_SECONDS));
}
