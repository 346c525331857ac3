/** A run that waits in the middle of its input, while a test changes its files. */
import type { TestFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, type Outcome, start, textOf } from './boardmill.js';

export const INPUT = '2\n1 1\n.\n1 2\n##\n';
export const ANSWERS = 'Case #1: 2\nCase #2: 0\n';

/**
 * Starts a run, and resolves when the run has answered the first case and waits for the second.
 * `finish` sends the rest of the input and resolves with the outcome.
 */
export async function startHalfway({ path, size }: TestFolder, ...args: string[]) {
  const child = start(['solve', 'bt', '-', '-o', 'out', '-j', '1', '--chunk', '1', ...args], {
    cwd: path,
  });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  const [first] = INPUT.split('1 2\n');
  child.stdin.write(`${first}1 2\n`);
  await until(() => size('out.partial') > 0);
  const finish = async (): Promise<Pick<Outcome, 'code' | 'stderr'>> => {
    child.stdin.end('##\n');
    return { code: await ended, stderr: await stderr };
  };
  return { finish };
}
