/** The options of `solve --queue`, and the dispatcher that connects a run with the queue. */
import { resolve } from 'node:path';
import { fileKindOf } from '../../core/files/files.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { assertWatchedFilesUnchanged } from '../../engine/guarded-dispatcher.js';
import { compressionOf } from '../../engine/input/decompress.js';
import type { RedisAddress } from '../../engine/queue/redis.js';
import { guardsOfRequest, type SolveRequest } from '../../library/solve-request.js';
import { usageError } from '../arguments/usage-error.js';
import { requirementsOf } from './requirements-of.js';

/** Seconds that a run with `-q` waits for its first worker process. Such a run cannot tell the user that it is waiting. */
export const WORKER_WAIT_SECONDS_IF_QUIET = 60;

/** The settings of a run that uses a queue. */
export interface QueueUse {
  readonly address: RedisAddress;
  /** Whether worker processes read the bytes of the inputs themselves. */
  readonly isInputShared: boolean;
  /** The largest number of workers that the run uses; null if there is no limit. */
  readonly maxWorkers: number | null;
  /** How long the run waits for its first worker process, in milliseconds; null if there is no limit. */
  readonly waitWorkersMs: number | null;
}

/** The options of `solve` that belong to a queue. */
interface QueueOptions {
  readonly queue: RedisAddress | null;
  readonly sharedInput: boolean;
  readonly waitWorkers: number | null;
  readonly quiet: boolean;
  readonly jobs: number | null;
}

/** Returns how a run over these inputs uses a queue; null if it uses none. `jobs` is the number of workers of `--jobs`. */
export async function planQueue(
  args: QueueOptions,
  inputs: readonly string[],
  jobs: number,
): Promise<QueueUse | null> {
  const { queue: address } = args;
  if (address === null) return null;
  if (args.sharedInput) for (const input of inputs) await assertShareable(input);
  const seconds = args.waitWorkers ?? (args.quiet ? WORKER_WAIT_SECONDS_IF_QUIET : null);
  return {
    address,
    isInputShared: args.sharedInput,
    maxWorkers: args.jobs === null ? null : jobs,
    waitWorkersMs: seconds === null ? null : seconds * 1000,
  };
}

/** Fails if worker processes could not read the input at any position. */
async function assertShareable(input: string): Promise<void> {
  const isFile = input !== '-' && (await fileKindOf(input, 'open')) === 'regular';
  if (isFile && compressionOf(input) === null) return;
  const shown = input === '-' ? 'standard input' : resolve(input);
  throw usageError(
    `--shared-input needs an uncompressed file, of which worker processes can read a part: ${shown} is none`,
  );
}

/** Connects to the queue. Fails with kind `worker` if the connection fails, and with kind `interrupted` after a signal. */
export async function openQueueDispatcher(
  { address, isInputShared, maxWorkers, waitWorkersMs }: QueueUse,
  request: SolveRequest,
  { note, stop }: { note: (message: string) => void; stop: AbortSignal },
): Promise<Dispatcher> {
  const { QueueDispatcher } = await import('../../engine/queue/queue-dispatcher.js');
  const requirements = await requirementsOf(request, isInputShared);
  // Worker processes compare their files with the files in the requirements. So these must still be the files for which the
  // checkpoint was made.
  assertWatchedFilesUnchanged(guardsOfRequest(request));
  const isChunkSizeFixed = request.chunkBytes !== null;
  return QueueDispatcher.open({
    address,
    requirements,
    maxWorkers,
    waitWorkersMs,
    isChunkSizeFixed,
    note,
    stop,
  });
}
