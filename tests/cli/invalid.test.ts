/** Malformed inputs as data: data/<problem>/invalid/NAME.in, and what must come of each in NAME.expect.json. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/problems/registry.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { boardmill, ROOT } from './boardmill.js';

allowSlowTests();

interface Expected {
  readonly code: number;
  readonly stdout: readonly string[];
  /** Without the `boardmill: ` in front. */
  readonly stderr: readonly string[];
}

interface Expectation {
  readonly stop: Expected;
  /** Missing where `--on-error mark` changes nothing: the fault belongs to no case there is. */
  readonly mark?: Expected;
}

function expectationOf(folder: string, name: string): Expectation {
  return JSON.parse(readFileSync(join(folder, `${name}.expect.json`), 'utf8')) as Expectation;
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe.each(PROBLEMS)('$name', ({ name: problem }) => {
  const folder = join(ROOT, 'data', problem, 'invalid');
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.in') ? [file.slice(0, -3)] : []));

  const runs = names.flatMap((name) => {
    const { stop, mark } = expectationOf(folder, name);
    return [{ name, policy: 'stop', ...stop }, ...(mark ? [{ name, policy: 'mark', ...mark }] : [])];
  });

  test.concurrent.each(runs)('$name --on-error $policy', async ({ name, policy, code, stdout, stderr }) => {
    const args = ['solve', problem, `${name}.in`, '-j', '1', '--solver', 'portable', '--on-error', policy];
    const outcome = await boardmill(args, { cwd: folder });
    expect({ ...outcome, stdout: linesOf(outcome.stdout), stderr: linesOf(outcome.stderr) }).toEqual({
      code,
      stdout,
      stderr: stderr.map((line) => `boardmill: ${line}`),
    });
  });

  test('standard input is named <stdin>, and chunks of one case change nothing', async () => {
    for (const name of names.filter((_, i) => i % 8 === 0)) {
      const { code, stdout, stderr } = expectationOf(folder, name).stop;
      const stdin = readFileSync(join(folder, `${name}.in`));
      const outcome = await boardmill(['solve', problem, '-j', '2', '--chunk', '1'], { stdin });
      const told = stderr.map((line) => `boardmill: ${line.replace(`${name}.in`, '<stdin>')}`);
      expect({ name, ...outcome, stdout: linesOf(outcome.stdout), stderr: linesOf(outcome.stderr) }).toEqual({
        name,
        code,
        stdout,
        stderr: told,
      });
    }
  });
});
