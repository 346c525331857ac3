/** The option `--queue`, which names a Redis. */
import { parseRedisUrl, type RedisAddress } from '../../engine/queue/redis.js';
import { parseSingleValue, usageError } from './parse-options.js';
import { hiddenQueueUrl, QUEUE_VARIABLE } from './queue-variable.js';

/** The value of `--queue` that means the URL in QUEUE_VARIABLE. */
const FROM_ENVIRONMENT = 'env';

/** Describes the URL in help texts. */
export const QUEUE_URL_HELP = `redis://[user:password@]host[:port][/database], rediss:// for TLS, or unix:///path; env stands for the URL in $${QUEUE_VARIABLE}`;

/** Parses the URL of `--queue`; null if it was not given. */
export function parseQueue(value: unknown): RedisAddress | null {
  const text = parseSingleValue('--queue', value, 'the URL of a Redis');
  if (text === undefined) return null;
  const url = text === FROM_ENVIRONMENT ? hiddenQueueUrl() : text;
  if (url === undefined) throw usageError(`--queue ${FROM_ENVIRONMENT} needs the variable ${QUEUE_VARIABLE}`);
  const address = parseRedisUrl(url);
  if (address !== null) return address;
  const shown = text === FROM_ENVIRONMENT ? `$${QUEUE_VARIABLE}` : '--queue';
  // The text is not shown, because it may contain a password.
  throw usageError(
    `${shown} is not the URL of a Redis, such as redis://localhost:6379, rediss://host or unix:///path`,
  );
}
