/**
 * docs/pairs.md says what every option does with every kind of problem. One command is tried again, which the seed of the tests
 * draws; BOARDMILL_TEST_TIMES=all tries all.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_NAMES, ignoredOptions, sectionOf, tryCommand } from '../../scripts/pairs/pairs.mjs';
import { COMMANDS } from '../../src/cli/command-list.js';
import { ROOT } from '../cli/boardmill.js';
import { Random } from '../support/random.js';
import { SEED } from '../support/random-tests.js';
import { hasRedis } from '../support/redis.js';
import { launcher } from '../support/sandbox.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const PAGE = readFileSync(join(ROOT, 'docs/pairs.md'), 'utf8');
/** Commands that take no problem, or open a page. */
const WITHOUT_KINDS = ['merge', 'verify', 'play', 'worker', 'completion'];
/** It takes minutes, so it is tried only with all. */
const SLOW = 'grade';

function drawnCommands(): string[] {
  if (process.env.BOARDMILL_TEST_TIMES === 'all') return COMMAND_NAMES;
  const random = new Random(SEED);
  return [random.pick(COMMAND_NAMES.filter((name) => name !== SLOW))];
}

/** Leaves out what depends on whether this machine can run a sandbox and a Redis server. */
function withoutMissing(section: string): string {
  const options = [
    ...(launcher === null ? ['--sandbox'] : []),
    ...(hasRedis ? [] : ['--queue', '--shared-input', '--wait-workers']),
  ];
  return options.reduce(
    (text, option) => text.replaceAll(new RegExp(`\\| \`${option}\` .*\n|, \`${option}\``, 'g'), ''),
    section,
  );
}

test('the page has a section for each command that takes a problem', () => {
  const names = COMMANDS.map(({ usage }) => usage.split(' ')[0]);
  expect([...PAGE.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(COMMAND_NAMES);
  const tried = new Set(COMMAND_NAMES.map((name) => name.split(' ')[0]));
  expect([...tried, ...WITHOUT_KINDS].sort()).toEqual(names.sort());
});

test.each(drawnCommands())('%s does what the page says, and ignores no option', async (command) => {
  const tried = await tryCommand(command);
  expect(ignoredOptions(tried)).toEqual([]);
  expect(`${withoutMissing(PAGE)}\n`).toContain(`\n${withoutMissing(sectionOf(tried))}\n`);
});
