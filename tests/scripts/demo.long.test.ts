/** `npm start` solves the samples of all games, and says that its answers are right. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { environment, ROOT } from '../cli/boardmill.js';

test('the demo has a line for each game, and all answers are right', async () => {
  const demo = promisify(execFile)(process.execPath, [join(ROOT, 'scripts/demo.mjs')], {
    env: environment(),
  });
  const [headings, ...lines] = (await demo).stdout.trim().split('\n');
  expect(headings).toMatch(/^problem +files +cases +ms +verdict$/);
  const games = lines.map((line) => /^(\S+) +\d+ +[1-9]\d* +\d+ +ok$/.exec(line)?.[1]);
  expect(games).toEqual(PROBLEMS.map(({ name }) => name).sort());
});
