/** Tests with the malformed inputs data/<problem>/invalid/NAME.in. NAME.expect.json has the expected outcome. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { ROOT } from './boardmill.js';
import { boardmill } from './in-turn.js';

allowSlowTests();

interface ExpectedOutcome {
  readonly code: number;
  /** Lines on standard output. */
  readonly stdout: readonly string[];
  /** Lines on standard error, without the prefix `boardmill: `. */
  readonly stderr: readonly string[];
}

interface Expectation {
  /** Outcome with `--on-error stop`. */
  readonly stop: ExpectedOutcome;
  /** Outcome with `--on-error mark`. Missing if it is that of `stop`, because the fault belongs to no case. */
  readonly mark?: ExpectedOutcome;
}

function expectationOf(folder: string, name: string): Expectation {
  return JSON.parse(readFileSync(join(folder, `${name}.expect.json`), 'utf8')) as Expectation;
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

/** Returns the lines without what to type in place of the input, which depends on the command line (advice.test.ts). */
const messagesOf = (text: string) => linesOf(text).map((line) => line.replace(/; the input lacks ".*/, ''));

describe.each(PROBLEMS)('malformed inputs of $name', ({ name: problem }) => {
  const folder = join(ROOT, 'data', problem, 'invalid');
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.in') ? [file.slice(0, -3)] : []));

  const runs = names.flatMap((name) => {
    const { stop, mark } = expectationOf(folder, name);
    return [{ name, policy: 'stop', ...stop }, ...(mark ? [{ name, policy: 'mark', ...mark }] : [])];
  });

  test.concurrent.each(runs)(
    'solve --on-error $policy has the expected outcome for $name.in',
    async ({ name, policy, code, stdout, stderr }) => {
      const args = ['solve', problem, `${name}.in`, '-j', '1', '--solver', 'portable', '--on-error', policy];
      const outcome = await boardmill(args, { cwd: folder });
      expect({ ...outcome, stdout: linesOf(outcome.stdout), stderr: messagesOf(outcome.stderr) }).toEqual({
        code,
        stdout,
        stderr: stderr.map((line) => `boardmill: ${line}`),
      });
    },
  );

  test('messages call standard input <stdin>, and chunks of one case do not change the outcome', async () => {
    for (const name of names.filter((_, i) => i % 8 === 0)) {
      const { code, stdout, stderr } = expectationOf(folder, name).stop;
      const stdin = readFileSync(join(folder, `${name}.in`));
      const outcome = await boardmill(['solve', problem, '-j', '2', '--chunk', '1'], { stdin });
      const expectedLines = stderr.map((line) => `boardmill: ${line.replace(`${name}.in`, '<stdin>')}`);
      expect({
        name,
        ...outcome,
        stdout: linesOf(outcome.stdout),
        stderr: messagesOf(outcome.stderr),
      }).toEqual({
        name,
        code,
        stdout,
        stderr: expectedLines,
      });
    }
  });
});
