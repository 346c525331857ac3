/** Follows a page of the documentation as a reader does: writes the files that it shows, and types its commands. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT, shell } from '../cli/boardmill.js';

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

/** Returns the sections of the page that are wanted, by the titles of their headings of the second level. */
function sectionsOf(page: string, isWanted: (title: string) => boolean): string {
  const sections = page.split(/^## /m);
  return sections.filter((section) => isWanted(section.split('\n', 1)[0])).join('');
}

/**
 * Writes the files of a page and runs its commands in a folder, in their order. Fails if a command prints something else than
 * the page shows. Returns the number of files and commands. `isWanted` chooses sections by their titles.
 */
export async function followPage(
  path: string,
  cwd: string,
  isWanted: (title: string) => boolean = () => true,
): Promise<{ files: number; commands: number }> {
  const steps = stepsOf(sectionsOf(readFileSync(join(ROOT, path), 'utf8'), isWanted));
  for (const step of steps) {
    if ('name' in step) writeFileSync(join(cwd, step.name), step.text);
    else await expectOutput(step, cwd);
  }
  const files = steps.filter((step) => 'name' in step).length;
  return { files, commands: steps.length - files };
}

async function expectOutput({ command, output, code }: ShownCommand, cwd: string): Promise<void> {
  const outcome = await shell(`exec 2>&1\n${command}`, { cwd });
  expect({ command, code: outcome.code, output: outcome.stdout }).toEqual({
    command,
    code,
    output: output.includes('...') ? expect.stringMatching(patternOf(output)) : output,
  });
}
