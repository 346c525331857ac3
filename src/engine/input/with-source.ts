import { openSource } from './read.js';
import type { Source } from './source.js';

/**
 * Opens an input, calls `work` with it, and closes it. When `stop` is aborted, the input is closed at once, which ends the
 * reading even if the program that writes to our standard input is slow.
 */
export async function withSource<Result>(
  path: string,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  return closeSourceAfter(await openSource(path), stop, work);
}

/** Calls `work` with an open source, and closes it afterwards, or at once when `stop` is aborted. */
export async function closeSourceAfter<Result>(
  source: Source,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const close = () => void source.close();
  stop.addEventListener('abort', close);
  // The signal may have come while this input was being opened, or while an earlier input was being read.
  if (stop.aborted) close();
  try {
    return await work(source);
  } finally {
    stop.removeEventListener('abort', close);
    await source.close();
  }
}
