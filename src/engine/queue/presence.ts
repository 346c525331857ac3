/**
 * Records which runs and worker processes are present: runs write their requirements into Redis, and worker processes write
 * which of these requirements they meet.
 */
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import { MIB } from '../../core/bytes.js';
import { parseJsonOrNull } from '../../core/json.js';
import {
  extendQueueExpiry,
  REDIS_REQUIREMENTS_KEY,
  REDIS_WORKERS_KEY,
  redisRequirementsKey,
  redisWorkerKey,
} from './keys.js';
import {
  MAX_REQUIREMENTS_BYTES,
  MAX_WORKER_PROCESS_ID_BYTES,
  MAX_WORKER_PROCESS_NAME_BYTES,
  MAX_WORKER_PROCESS_STATUS_BYTES,
  MAX_WORKERS_OF_WORKER_PROCESS,
  PRESENCE_SECONDS,
} from './limits.js';
import type { RedisLink } from './redis.js';
import {
  idOfRequirements,
  printRequirements,
  REQUIREMENTS_ID_CHARS,
  REQUIREMENTS_ID_PATTERN,
  type RunRequirements,
} from './requirements.js';

/**
 * Largest numbers of runs and of worker processes that are read from Redis, and the largest total size of the statuses of
 * worker processes that is read at a time.
 */
export const MAX_RUNS_READ = 256;
const MAX_LISTED_WORKER_PROCESSES = 4096;
const MAX_BYTES_OF_WORKER_PROCESSES = 16 * MIB;

/** The schema of the id and the name under which a worker process appears. */
export const WorkerProcessSchema = v.object({
  /** A random id: in containers, two processes may have the same process id on machines of the same name. */
  id: v.pipe(v.string(), v.minLength(1), v.maxBytes(MAX_WORKER_PROCESS_ID_BYTES)),
  /**
   * The name of the worker process in messages: the name of its machine, the number of the process, and the beginning of its
   * id.
   */
  name: v.pipe(v.string(), v.maxBytes(MAX_WORKER_PROCESS_NAME_BYTES)),
});

export type WorkerProcessIdentity = v.InferOutput<typeof WorkerProcessSchema>;

const WorkerSchema = v.object({
  ...WorkerProcessSchema.entries,
  /** Number of worker threads of the worker process. */
  jobs: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_WORKERS_OF_WORKER_PROCESS)),
  /** By the id of requirements: null if the worker process meets these requirements, otherwise the reason why not. */
  verdicts: v.record(v.string(), v.nullable(v.string())),
});

/** The status that a worker process writes about itself into Redis. */
export type WorkerStatus = v.InferOutput<typeof WorkerSchema>;

/** Writes into Redis that a run with these requirements is present. */
export async function announceRun(link: RedisLink, requirements: RunRequirements): Promise<void> {
  const id = idOfRequirements(requirements);
  await link.writeTogether((transaction) =>
    transaction
      .sadd(REDIS_REQUIREMENTS_KEY, id)
      .expire(REDIS_REQUIREMENTS_KEY, PRESENCE_SECONDS)
      .set(redisRequirementsKey(id), printRequirements(requirements), 'EX', PRESENCE_SECONDS),
  );
  await extendQueueExpiry(link, id);
}

/**
 * Returns the ids of the requirements of all runs that are present, but at most MAX_RUNS_READ ids. The requirements
 * themselves are not read yet.
 */
export async function listRequirementIds({ client }: RedisLink): Promise<string[]> {
  const ids = await listMembers(client, REDIS_REQUIREMENTS_KEY, MAX_RUNS_READ, REQUIREMENTS_ID_CHARS);
  const there = await presentMembers(
    client,
    REDIS_REQUIREMENTS_KEY,
    ids.filter((id) => REQUIREMENTS_ID_PATTERN.test(id)),
    redisRequirementsKey,
  );
  return [...there.keys()];
}

/** Returns the text of the requirements of a run; null if Redis no longer has the text, or if it is too long. */
export async function readRequirementsText({ client }: RedisLink, id: string): Promise<string | null> {
  return readText(client, redisRequirementsKey(id), MAX_REQUIREMENTS_BYTES);
}

/** Writes into Redis that a worker process is present, and its status. */
export async function announceWorker(link: RedisLink, status: WorkerStatus): Promise<void> {
  await link.writeTogether((transaction) =>
    transaction
      .sadd(REDIS_WORKERS_KEY, status.id)
      .expire(REDIS_WORKERS_KEY, PRESENCE_SECONDS)
      .set(redisWorkerKey(status.id), JSON.stringify(status), 'EX', PRESENCE_SECONDS),
  );
}

/** Removes a worker process from Redis when it ends. */
export async function removeWorker(link: RedisLink, id: string): Promise<void> {
  await link.writeTogether((transaction) => transaction.srem(REDIS_WORKERS_KEY, id).del(redisWorkerKey(id)));
}

/** Returns the statuses of the worker processes that are present. A text that is not a valid status is left out. */
export async function listWorkers({ client }: RedisLink): Promise<WorkerStatus[]> {
  const ids = await listMembers(
    client,
    REDIS_WORKERS_KEY,
    MAX_LISTED_WORKER_PROCESSES,
    MAX_WORKER_PROCESS_ID_BYTES,
  );
  const there = await presentMembers(client, REDIS_WORKERS_KEY, ids, redisWorkerKey);
  let bytes = 0;
  const wanted = [...there].filter(([, length]) => {
    const isWanted =
      length <= MAX_WORKER_PROCESS_STATUS_BYTES && bytes + length <= MAX_BYTES_OF_WORKER_PROCESSES;
    if (isWanted) bytes += length;
    return isWanted;
  });
  const texts = await Promise.all(
    wanted.map(([id]) => readText(client, redisWorkerKey(id), MAX_WORKER_PROCESS_STATUS_BYTES)),
  );
  return texts.flatMap((text, index) => {
    const read = v.safeParse(WorkerSchema, text === null ? null : parseJsonOrNull(text));
    return read.success && read.output.id === wanted[index][0] ? [read.output] : [];
  });
}

/** A script for Redis: returns some members of a set, but none that is too long. KEYS: set. ARGV: members, bytes. */
const LIST = `
local found = {}
for _, member in ipairs(redis.call('SRANDMEMBER', KEYS[1], ARGV[1])) do
  if #member <= tonumber(ARGV[2]) then found[#found + 1] = member end
end
return found`;

async function listMembers(
  client: Redis,
  set: string,
  maxMembers: number,
  maxBytes: number,
): Promise<string[]> {
  return (await client.eval(LIST, 1, set, maxMembers, maxBytes)) as string[];
}

/**
 * Returns the members of a set whose text Redis still has, with the length of that text in bytes. Removes all other members
 * from the set.
 */
async function presentMembers(
  client: Redis,
  set: string,
  members: readonly string[],
  keyOf: (member: string) => string,
): Promise<Map<string, number>> {
  if (members.length === 0) return new Map();
  const pipeline = client.pipeline();
  for (const member of members) pipeline.strlen(keyOf(member));
  const replies = (await pipeline.exec()) ?? [];
  const there = new Map<string, number>();
  const gone: string[] = [];
  for (const [index, [error, length]] of replies.entries()) {
    // An error means that the key has another type than boardmill writes, so the member is removed, too.
    if (error !== null || length === 0) gone.push(members[index]);
    else there.set(members[index], length as number);
  }
  if (gone.length > 0) await client.srem(set, ...gone);
  return there;
}

/** Returns the text of a key; null if the key has no text, or if the text is longer than `maxBytes` bytes. */
async function readText(client: Redis, key: string, maxBytes: number): Promise<string | null> {
  const bytes = await client.getrangeBuffer(key, 0, maxBytes).catch((error: Error) => {
    if (error.message.startsWith('WRONGTYPE')) return Buffer.alloc(0);
    throw error;
  });
  return bytes.length === 0 || bytes.length > maxBytes ? null : bytes.toString('utf8');
}
