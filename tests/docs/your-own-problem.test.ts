/**
 * Test that follows docs/your-own-problem.md as a reader does, in a folder that is empty at first: it writes the files
 * that the page shows, types the page's commands in their order, and compares what they print with what the page shows.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, shell, temporaryFolder } from '../cli/boardmill.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const PAGE = readFileSync(join(ROOT, 'docs/your-own-problem.md'), 'utf8');

/** A file of the page: a block of code after a line such as `<!-- file: sums.mjs -->`. */
interface ShownFile {
  readonly name: string;
  readonly text: string;
}

/** A command of the page. It stands after `$ ` in a `console` block, and its output follows it. */
interface ShownCommand {
  readonly command: string;
  /** What the command prints. In it, `...` stands for any text. */
  readonly output: string;
  /** The exit code that the comment after the command names, or 0 if it names none. */
  readonly code: number;
}

type Step = ShownFile | ShownCommand;

/** Returns the files and the commands of the page in their order. */
function stepsOf(page: string): Step[] {
  const blocks = page.matchAll(/(?:<!-- file: (\S+) -->\n)?```(\w*)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, name, language, text]): Step[] => {
    if (name !== undefined) return [{ name, text }];
    return language === 'console' ? commandsIn(text) : [];
  });
}

function commandsIn(block: string): ShownCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command] = part.split('\n', 1);
      const code = Number(/# exit code (\d+)/.exec(command)?.[1] ?? 0);
      return { command, output: part.slice(command.length + 1), code };
    });
}

/** Returns the pattern of a text in which `...` stands for any text. */
function patternOf(output: string): RegExp {
  const parts = output.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

test('the commands of the tutorial print what the page shows', async () => {
  const cwd = temporaryFolder();
  const steps = stepsOf(PAGE);
  expect(steps.filter((step) => 'name' in step).length).toBeGreaterThan(4);
  expect(steps.filter((step) => 'command' in step).length).toBeGreaterThan(12);
  for (const step of steps) {
    if ('name' in step) writeFileSync(join(cwd, step.name), step.text);
    else await expectOutput(step, cwd);
  }
});

async function expectOutput({ command, output, code }: ShownCommand, cwd: string): Promise<void> {
  const outcome = await shell(`exec 2>&1\n${command}`, { cwd });
  expect({ command, code: outcome.code, output: outcome.stdout }).toEqual({
    command,
    code,
    output: output.includes('...') ? expect.stringMatching(patternOf(output)) : output,
  });
}

test('the module and the library example of the README work', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [module, library] = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/boardmill'));
  writeFileSync(join(cwd, 'sums.mjs'), module);
  writeFileSync(join(cwd, 'library.mjs'), library);
  writeFileSync(join(cwd, 'big.in'), '2\n2\n20 22\n1\n-1\n');
  const board = '1 1\n3 2\nO.\n.X\nO.\n';
  const { code, stdout, stderr } = await shell('node library.mjs', { cwd, stdin: board });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^1 \{ winner: .* \}\n(?:WIN|LOSE)\n$/);
  expect(readFileSync(join(cwd, 'big.ans'), 'utf8')).toBe('Case #1: 42\nCase #2: -1\n');
});
