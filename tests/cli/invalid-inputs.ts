/** The malformed inputs data/<problem>/invalid/NAME.in. NAME.expect.json has the expected outcome. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './boardmill.js';

export interface ExpectedOutcome {
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

/** A run on a malformed input, and its outcome. */
export interface InvalidRun extends ExpectedOutcome {
  readonly name: string;
  readonly policy: 'stop' | 'mark';
}

export const folderOf = (problem: string) => join(ROOT, 'data', problem, 'invalid');

/** Returns all runs on the malformed inputs of a problem. */
export function runsOf(problem: string): InvalidRun[] {
  const folder = folderOf(problem);
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.in') ? [file.slice(0, -3)] : []));
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, `${name}.expect.json`), 'utf8');
    const { stop, mark } = JSON.parse(text) as Expectation;
    const both: InvalidRun[] = [{ name, policy: 'stop', ...stop }];
    return mark === undefined ? both : [...both, { name, policy: 'mark', ...mark }];
  });
}

export const linesOf = (text: string) => text.split('\n').slice(0, -1);

/** Returns a message without what to type in place of the input, which depends on the command line (advice.test.ts). */
export const withoutAdvice = (message: string) => message.replace(/; the input lacks ".*/, '');
