/** Follows a page of the documentation as a reader does: writes the files that it shows, and types its commands. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { ROOT, shell } from '../cli/boardmill.js';

/** A file of the page: a block of code after a line such as `<!-- file: sums.mjs -->`. */
interface ShownFile {
  readonly name: string;
  readonly text: string;
}

/** A command of the page: it stands after `$ ` in a `console` block, or on a line of an `sh` block after `<!-- typed -->`. */
interface ShownCommand {
  readonly command: string;
  /** What the command prints, in which `...` stands for any text. Null in an `sh` block, which shows no output. */
  readonly output: string | null;
  /** The exit code that the comment after the command names, or 0 if it names none. */
  readonly code: number;
}

type Step = ShownFile | ShownCommand;

/** Returns the files and the commands of the page in their order. */
function stepsOf(page: string): Step[] {
  const blocks = page.matchAll(/(?:<!-- (?:file: (\S+)|(typed)) -->\n)?```(\w*)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, name, typed, language, text]): Step[] => {
    if (name !== undefined) return [{ name, text }];
    if (typed !== undefined) return linesIn(text);
    return language === 'console' ? commandsIn(text) : [];
  });
}

function commandsIn(block: string): ShownCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command] = part.split('\n', 1);
      return { command, output: part.slice(command.length + 1), code: codeOf(command) };
    });
}

function linesIn(block: string): ShownCommand[] {
  const commands = block.split('\n').filter((line) => line !== '');
  return commands.map((command) => ({ command, output: null, code: codeOf(command) }));
}

function codeOf(command: string): number {
  return Number(/# exit code (\d+)/.exec(command)?.[1] ?? 0);
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
    if ('name' in step) writeShownFile(join(cwd, step.name), step.text);
    else await expectOutcome(step, cwd);
  }
  const files = steps.filter((step) => 'name' in step).length;
  return { files, commands: steps.length - files };
}

function writeShownFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function expectOutcome(shown: ShownCommand, cwd: string): Promise<void> {
  const { command, output, code } = shown;
  if (output === null) return expectNoComplaint(shown, cwd);
  const outcome = await shell(`exec 2>&1\n${command}`, { cwd });
  expect({ command, code: outcome.code, output: outcome.stdout }).toEqual({
    command,
    code,
    output: output.includes('...') ? expect.stringMatching(patternOf(output)) : output,
  });
}

/** Runs a command whose output the page does not show. A command that succeeds must not complain. */
async function expectNoComplaint({ command, code }: ShownCommand, cwd: string): Promise<void> {
  const outcome = await shell(command, { cwd });
  expect({ command, code: outcome.code, stderr: outcome.stderr }).toEqual({
    command,
    code,
    stderr: code === 0 ? expect.not.stringMatching(/(?<!no )error|refus|exists/) : expect.anything(),
  });
}
