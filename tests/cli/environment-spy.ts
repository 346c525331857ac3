/** Programs and modules that note which environment variables they see. */
import { chmodSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestFolder } from '../support/temporary-folder.js';
import { boardmill } from './boardmill.js';

/** The secrets of a user: the one that boardmill itself reads, and any other. */
export const SECRETS = { BOARDMILL_QUEUE: 'redis://:hidden@localhost', GITHUB_TOKEN: 'token' };

/** Writes the two variables that it sees into the file `seen`, and becomes the program of its arguments. */
const SPY = `#!/bin/sh\necho "\${BOARDMILL_QUEUE-none} \${GITHUB_TOKEN-none}" >>"$(dirname "$0")/seen"\nexec "$@"\n`;

export const MODULE = `
import { defineProblem, formats } from 'boardmill';
const { counted, int } = formats;
export default defineProblem({
  name: 'env',
  input: counted({ n: int() }),
  answer: { n: int() },
  solve: () => ({ n: process.env.BOARDMILL_QUEUE === undefined ? 1 : 2 }),
  print: ({ n }) => String(n),
});`;

/** Each runs the spy, before the program that does the work. */
export const COMMANDS: Record<string, readonly string[]> = {
  'solve --exec': ['solve', 'env.mjs', 'a.in', '--exec', './spy echo 1'],
  'check --checker': ['check', 'env.mjs', 'a.in', 'a.out', '--checker', './spy true'],
  'judge --exec': ['judge', 'env.mjs', 'a.in', '--exec', './spy echo 1'],
  'judge --reference': ['judge', 'env.mjs', 'a.in', '--exec', 'echo 1', '--reference', './spy echo 1'],
  'bench --vs': ['bench', 'env.mjs', 'a.in', '--vs', './spy echo 1', '--runs', '1', '--warmup', '0'],
  'stress --generator': [
    ...['stress', 'env.mjs', '--exec', 'echo 1', '--rounds', '1'],
    ...['--generator', `./spy sh -c 'echo 1; echo 5'`],
  ],
};

/** Runs a command, and expects that its program has got the environment of the user without the URL of the queue. */
export async function expectQueueHidden(folder: TestFolder, args: readonly string[]): Promise<void> {
  folder.write('env.mjs', MODULE);
  folder.write('a.in', '1\n5\n');
  folder.write('a.out', '1\n');
  folder.write('spy', SPY);
  chmodSync(folder.at('spy'), 0o755);
  const { code, stderr } = await boardmill(args, { cwd: folder.path, env: SECRETS });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(new Set(folder.read('seen').trimEnd().split('\n'))).toEqual(new Set(['none token']));
}

/** Of these, the quick ones that start their programs in different ways. Most others start theirs as `solve --exec` does. */
export const STARTING_COMMANDS = ['solve --exec', 'check --checker'];
