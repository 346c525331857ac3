import { availableParallelism } from 'node:os';
import { pluralize } from '../core/errors.js';
import { jobsToWarnAbove, maxJobs } from './limits.js';

/**
 * Returns the number of workers to start: the number that `--jobs` asks for (null: one for each processor), but at most as many
 * as this machine can use. If the number is unreasonably large, calls `note` with a message for the user, which names `option`.
 */
export function limitJobs(asked: number | null, note: (message: string) => void, option = '--jobs'): number {
  const processors = availableParallelism();
  const wanted = asked ?? processors;
  const jobs = Math.min(wanted, maxJobs(processors));
  if (wanted > jobsToWarnAbove(processors)) {
    const reason = `this machine has ${pluralize(processors, 'processor')}`;
    const effect =
      jobs < wanted ? `boardmill starts only ${jobs} workers` : 'more workers do not make it faster';
    note(`${option} ${wanted}: ${reason}; ${effect}`);
  }
  return jobs;
}
