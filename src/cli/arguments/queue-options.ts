/** The option `--queue`, which names a Redis server. */
import { parseRedisUrl, type RedisAddress } from '../../engine/queue/redis.js';
import type { OptionRow } from './option.js';
import { hiddenQueueUrl, QUEUE_VARIABLE } from './queue-variable.js';
import * as row from './rows.js';
import { usageError } from './usage-error.js';
import { assertGiven } from './values.js';

/** The value of `--queue` that stands for the URL in the environment variable QUEUE_VARIABLE. */
const FROM_ENVIRONMENT = 'env';

/** Describes the form of a queue's URL in help texts. */
export const QUEUE_URL_HELP = `redis://[user:password@]host[:port][/database], rediss:// for TLS, or unix:///path; env stands for the URL in $${QUEUE_VARIABLE}`;

/** Returns the row of `--queue`. The value of this option is the address of a Redis server. */
export function queueOption(describe: string): OptionRow<RedisAddress | null> {
  return row.valueOption(parseQueue, describe, { value: 'URL' });
}

/** Returns the address of the Redis server whose URL is in the environment; null if there is no URL. */
export function queueOfEnvironment(): RedisAddress | null {
  return hiddenQueueUrl() === undefined ? null : parseQueue(FROM_ENVIRONMENT, '--queue');
}

function parseQueue(text: string, option: string): RedisAddress {
  const url =
    assertGiven(text, option, 'the URL of a Redis server') === FROM_ENVIRONMENT ? hiddenQueueUrl() : text;
  if (url === undefined)
    throw usageError(`${option} ${FROM_ENVIRONMENT} needs the variable ${QUEUE_VARIABLE}`);
  const address = parseRedisUrl(url);
  if (address !== null) return address;
  const shown = text === FROM_ENVIRONMENT ? `$${QUEUE_VARIABLE}` : option;
  // The message does not show the typed text, because it may contain a password.
  throw usageError(
    `${shown} is not the URL of a Redis server, such as redis://localhost:6379, rediss://host or unix:///path`,
  );
}
