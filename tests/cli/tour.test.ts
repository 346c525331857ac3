/** Test that runs the commands of the README's tour in their order, in a folder that is empty at first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, shell, temporaryFolder } from './boardmill.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

interface Step {
  readonly command: string;
  /** The exit code that the comment after the command names, or 0 if it names none. */
  readonly code: number;
}

/** Returns the shell commands of these README sections. A here-document belongs to the command that reads it. */
function stepsOf(...sections: string[]): Step[] {
  const blocks = sections.flatMap((title) => {
    const [, rest] = README.split(`\n## ${title}\n`);
    return [...rest.split('\n## ')[0].matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
  });
  const commands = blocks.join('').match(/^.*<<'END'\n[\s\S]*?\nEND$|^.+$/gm) ?? [];
  return commands.map((command) => ({
    command,
    code: Number(/# exit code (\d+)/.exec(command)?.[1] ?? 0),
  }));
}

test('every command of the README tour exits with the code that its comment names', {
  timeout: 600_000,
}, async () => {
  const cwd = temporaryFolder();
  const steps = stepsOf('A tour', 'With your own program');
  expect(steps.length).toBeGreaterThan(20);
  for (const { command, code } of steps) {
    const outcome = await shell(command, { cwd });
    expect({ command, code: outcome.code, stderr: outcome.stderr }).toEqual({
      command,
      code,
      stderr: code === 0 ? expect.not.stringMatching(/(?<!no )error|refus|exists/) : expect.anything(),
    });
  }
  // A case that was saved before would be tried first, and reported as such.
  await shell('rm stress-*', { cwd });
  const { stdout } = await shell("boardmill stress bt --exec 'node mine.mjs' --seed 1", { cwd });
  expect(README).toContain(`--seed 1\n${stdout}`);
});
