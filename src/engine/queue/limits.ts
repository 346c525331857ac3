/** The bounds on which several parts of a queue rely: runs, worker processes, and the frames between them. */
import { assertRelation } from '../../core/assert.js';
import { KIB, MIB } from '../../core/bytes.js';
import { MAX_CHUNK_OPTION_BYTES } from '../limits.js';

/**
 * Time that solving a chunk of a queue should take, in milliseconds. A chunk costs a few milliseconds on its way through Redis,
 * however small it is.
 */
export const QUEUED_CHUNK_TARGET_MS = 500;

/**
 * Largest size of a chunk of a queue, however cheap its cases are, unless `--chunk` asks for more; and of all chunks of a job
 * that has several.
 */
export const MAX_QUEUED_CHUNK_BYTES = 4 * MIB;

/** Largest number of chunks in a job. */
export const MAX_CHUNKS_PER_JOB = 64;

/** Largest frame that is read from Redis, and its size after inflating it. Redis keeps values of at most 512 MiB. */
export const MAX_FRAME_BYTES = 2 * MAX_CHUNK_OPTION_BYTES;

/** Largest size of the header of a chunk's frame, which has only settings, names of columns and two paths. */
export const MAX_CHUNK_HEADER_BYTES = 64 * KIB;

/** Largest size of the reason of a job's failure that a run reads, and the number of its characters that the run keeps. */
export const MAX_FAILURE_REASON_BYTES = MIB;
export const MAX_FAILURE_REASON_CHARS = 4096;

/** Largest size of a run's requirements, and of a worker process's status, which has verdicts on MAX_KNOWN_RUNS runs. */
export const MAX_REQUIREMENTS_BYTES = 64 * KIB;
export const MAX_WORKER_PROCESS_STATUS_BYTES = 512 * KIB;

/**
 * Largest number of worker processes that a run excludes from its chunks. If it would exclude more, something else must be
 * wrong, and the run ends.
 */
export const MAX_EXCLUDED_WORKER_PROCESSES = 100;

/** Largest size of the id of a worker process, which is a UUID, and of its name. */
export const MAX_WORKER_PROCESS_ID_BYTES = 36;
export const MAX_WORKER_PROCESS_NAME_BYTES = 300;

/** Largest number of worker threads that a run believes one worker process to have, and all worker processes together. */
export const MAX_WORKERS_OF_WORKER_PROCESS = 4096;
export const MAX_WORKERS_OF_RUN = 16_384;

/** How long Redis may be away before a run fails, in milliseconds. */
export const REDIS_PATIENCE_MS = 60_000;

/** Seconds for which a run or a worker process counts as present after its last sign of life in Redis. */
export const PRESENCE_SECONDS = 30;

/** Seconds after which Redis deletes what BullMQ keeps for a queue, unless a run or a worker process still uses the queue. */
export const QUEUE_EXPIRY_SECONDS = 86_400;

/** Milliseconds between two signs of life that a run or a worker process writes to Redis. */
export const PRESENCE_INTERVAL_MS = 10_000;

/** Milliseconds after which a worker process looks for new runs again, and a run looks for worker processes again. */
export const PRESENCE_LOOK_INTERVAL_MS = 250;

/** Milliseconds that a run waits for a suitable worker process while all present worker processes refuse the run. */
export const REFUSAL_PATIENCE_MS = 3000;

/** Number of failed jobs and of events that BullMQ keeps for a queue. Successful jobs are not kept. */
export const MAX_KEPT_FAILED_JOBS = 100;
export const MAX_KEPT_EVENTS = 1000;

/**
 * Milliseconds within which a worker process ends after SIGTERM: chunks that it has not solved by then go to other worker
 * processes.
 */
export const WORKER_SHUTDOWN_TIMEOUT_MS = 25_000;

/**
 * Largest time in milliseconds that a run or a worker process spends on removing its data from Redis when it ends. Redis
 * deletes the rest later.
 */
export const ORDERLY_END_MS = 3000;

assertRelation(2 * PRESENCE_INTERVAL_MS < PRESENCE_SECONDS * 1000, 'one late sign of life is no absence');
