/** Tests with malformed inputs: all of them in this process, and some through the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { boardmill } from './in-turn.js';
import { folderOf, linesOf, runsOf, withoutAdvice } from './invalid-inputs.js';
import { solveHere } from './solve-here.js';

describe.each(PROBLEMS)('malformed inputs of $name', ({ name: problem }) => {
  const runs = runsOf(problem);

  test.each(runs)('the answers before $name.in, and its messages, with --on-error $policy', async (run) => {
    const bytes = readFileSync(join(folderOf(problem), `${run.name}.in`));
    const { answers, messages } = await solveHere(problem, bytes, {
      name: `${run.name}.in`,
      policy: run.policy,
    });
    expect({ answers, messages }).toEqual({ answers: run.stdout, messages: run.stderr });
  });

  test('messages call standard input <stdin>, and chunks of one case do not change the outcome', async () => {
    const stops = runs.filter(({ policy }) => policy === 'stop');
    expect(stops).not.toEqual([]);
    for (const { name, code, stdout, stderr } of stops.filter((_, i) => i % 8 === 0)) {
      const stdin = readFileSync(join(folderOf(problem), `${name}.in`));
      const outcome = await boardmill(['solve', problem, '-j', '1', '--chunk', '1'], { stdin });
      expect({ name, code: outcome.code, stdout: linesOf(outcome.stdout) }).toEqual({ name, code, stdout });
      const expectedLines = stderr.map((line) => `boardmill: ${line.replace(`${name}.in`, '<stdin>')}`);
      expect(linesOf(outcome.stderr).map(withoutAdvice)).toEqual(expectedLines);
    }
  });

  test('--on-error mark answers ERROR in place of each bad case', async () => {
    const { name, code, stdout, stderr } = runs.find(({ policy }) => policy === 'mark')!;
    const args = ['solve', problem, `${name}.in`, '-j', '1', '--on-error', 'mark'];
    const outcome = await boardmill(args, { cwd: folderOf(problem) });
    expect(outcome).toEqual({
      code,
      stdout: stdout.map((line) => `${line}\n`).join(''),
      stderr: stderr.map((line) => `boardmill: ${line}\n`).join(''),
    });
  });
});
