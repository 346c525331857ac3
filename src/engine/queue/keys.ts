/**
 * The names of everything that boardmill keeps in Redis. All keys begin with REDIS_KEY_PREFIX, also those of BullMQ:
 *
 *     boardmill:chunk:ID       the frame of a job, which has one chunk or several, until their answers are read
 *     boardmill:answer:ID      the frame of the answers to a chunk, until the run has read it
 *     boardmill:needs          a set of the ids of requirements of which some run is present
 *     boardmill:needs:ID       what these runs need from a worker process
 *     boardmill:workers          a set of the ids of the worker processes that are present
 *     boardmill:workers:ID     what a worker process says about itself
 *     boardmill:run-ID:...     what BullMQ keeps for the queue of all runs with the same requirements
 */
import { QUEUE_EXPIRY_SECONDS } from './limits.js';
import type { RedisLink } from './redis.js';

export const REDIS_KEY_PREFIX = 'boardmill';

export const redisKeyOfJobChunks = (jobId: string) => `${REDIS_KEY_PREFIX}:chunk:${jobId}`;
export const redisAnswerKey = (chunkId: string) => `${REDIS_KEY_PREFIX}:answer:${chunkId}`;
export const REDIS_REQUIREMENTS_KEY = `${REDIS_KEY_PREFIX}:needs`;
export const redisRequirementsKey = (id: string) => `${REDIS_KEY_PREFIX}:needs:${id}`;
export const REDIS_WORKERS_KEY = `${REDIS_KEY_PREFIX}:workers`;
export const redisWorkerKey = (id: string) => `${REDIS_KEY_PREFIX}:workers:${id}`;
export const queueName = (requirementsId: string) => `run-${requirementsId}`;
export const redisJobKey = (requirementsId: string, jobId: string) =>
  `${REDIS_KEY_PREFIX}:${queueName(requirementsId)}:${jobId}`;

/** The endings of the names of the keys in which BullMQ may store data of a queue. */
const QUEUE_KEYS = [
  'meta',
  'id',
  'wait',
  'active',
  'paused',
  'prioritized',
  'pc',
  'delayed',
  'marker',
  'events',
  'completed',
  'failed',
  'stalled',
  'limiter',
];

/** Keeps what BullMQ stores for the queue in Redis for another QUEUE_EXPIRY_SECONDS, after which Redis deletes it. */
export async function extendQueueExpiry(link: RedisLink, requirementsId: string): Promise<void> {
  await link.writeTogether((transaction) => {
    for (const key of QUEUE_KEYS)
      transaction.expire(`${REDIS_KEY_PREFIX}:${queueName(requirementsId)}:${key}`, QUEUE_EXPIRY_SECONDS);
    return transaction;
  });
}
