/** Runs that a signal ends. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { expect } from 'vitest';
import { bulkInput, styleOf } from '../support/inputs.js';
import type { TestFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';

export const exitCodeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

export const input = bulkInput(styleOf('bacterial-tactics'), 2000, 5, 3);
export const half = input.slice(0, input.length / 2);

/** The answers to these boards need far more room than a pipe has. */
const MANY_BOARDS = '1 1\n.\n'.repeat(200_000);

/** Writes the beginning of an input of a million boards to a run. */
export function writeManyBoards(stdin: Writable): void {
  stdin.on('error', () => {});
  stdin.write('1000000\n');
  stdin.write(MANY_BOARDS);
}

/** Starts a run on many boards. Resolves when it has printed its first answers, which nobody reads. */
export async function startStalledRun(folder: TestFolder) {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '64K'], { cwd: folder.path });
  const stderr = textOf(child.stderr);
  writeManyBoards(child.stdin);
  await once(child.stdout, 'readable');
  return { child, ended: exitOf(child), stderr };
}

/** Expects that after one signal, boardmill answers the cases that it has read, and `--resume` continues. */
export async function expectOrderlyEnd(folder: TestFolder, signal: NodeJS.Signals): Promise<void> {
  const { at, read, size } = folder;
  const child = start(['solve', 'bt', '-', '-o', 'answers', '-j', '2', '--chunk', '1K'], {
    cwd: folder.path,
  });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.write(half);
  // A run that has answered no case leaves no files, so it could not be resumed.
  await until(() => size('answers.partial') > 0);
  child.kill(signal);
  expect(await ended).toBe(exitCodeOf(signal));
  const { cases } = JSON.parse(read('answers.checkpoint')).position.scan;
  const message = `stopped by ${signal} after ${cases} cases; the same command with --resume continues`;
  // On a busy machine the end takes so long that boardmill prints its note about a second signal first.
  const lastLine = (await stderr).replace(/^boardmill: \w+: finishing .*\n/, '');
  expect(lastLine.replace('1 case;', '1 cases;')).toBe(`boardmill: ${message}\n`);
  expect(existsSync(at('answers'))).toBe(false);
  expect(
    (await boardmill(['solve', 'bt', '-', '-o', 'answers', '--resume'], { cwd: folder.path, stdin: input }))
      .code,
  ).toBe(0);
  expect(read('answers')).toBe((await boardmill(['solve', 'bt'], { stdin: input })).stdout);
}

/** Expects that a second signal ends a run at once, even if nobody reads the answers. */
export async function expectEndAtOnce(folder: TestFolder, signal: NodeJS.Signals): Promise<void> {
  const { child, ended, stderr } = await startStalledRun(folder);
  child.kill(signal);
  // boardmill prints a message when it has noticed the first signal.
  await once(child.stderr, 'data');
  child.kill(signal);
  await once(child, 'exit');
  child.stdout.resume();
  expect(await ended).toBe(exitCodeOf(signal));
  expect(await stderr).toBe(
    `boardmill: ${signal}: finishing the cases that are being solved, for at most 4 s; a second signal stops at once\n`,
  );
}
