/** Tests of the examples: the commands of examples/README.md print the answers that stand beside the inputs. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Outcome, shell } from '../cli/boardmill.js';
import { boardmill } from '../cli/in-turn.js';
import { hasCompiler } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { FOLDER, PROBLEMS, withoutEnding } from './example-problems.js';

allowSlowTests();

const PAGE = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const LARGEST_LINES = 39;

/** Returns the command of examples/README.md that solves an example. */
function commandOf(problem: string): string {
  const command = PAGE.match(new RegExp(`\`(boardmill solve ${problem} [^\`]*)\``))?.[1];
  if (command === undefined) throw new Error(`examples/README.md has no command for ${problem}`);
  return command;
}

/** Runs a command line in the folder. A shell is only needed if the command line has quotes. */
function run(command: string, cwd: string): Promise<Outcome> {
  return command.includes("'") ? shell(command, { cwd }) : boardmill(command.split(' ').slice(1), { cwd });
}

/** Copies the examples, because some commands write files. */
function copyOfExamples(): string {
  const folder = temporaryFolder();
  cpSync(FOLDER, folder, { recursive: true });
  return folder;
}

test('every input has a problem, answers and a command', () => {
  const inputs = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.in'),
  );
  expect(PROBLEMS.map(withoutEnding).sort()).toEqual(inputs.map(withoutEnding).sort());
  expect(PROBLEMS.length).toBe(9);
});

describe.each(PROBLEMS)('%s', (problem) => {
  const name = withoutEnding(problem);
  const isCompiled = problem.startsWith('shelves');

  test('is short', () => {
    expect(readFileSync(join(FOLDER, problem), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(
      LARGEST_LINES,
    );
  });

  test.skipIf(isCompiled && !hasCompiler)('its command prints the answers', async () => {
    const cwd = copyOfExamples();
    if (isCompiled) compile(join(cwd, dirname(problem)));
    const { code, stdout, stderr } = await run(commandOf(problem), cwd);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: readFileSync(join(FOLDER, `${name}.ans`), 'utf8'),
      stderr: '',
    });
  });
});

/** Compiles the program as examples/shelves/README.md says. */
function compile(folder: string): void {
  execFileSync('g++', ['-O2', '-o', 'main', 'main.cpp'], { cwd: folder });
}

test('`equal` accepts another right answer, and its text says why an answer is wrong', async () => {
  const cwd = copyOfExamples();
  const check = ['check', 'two-weights.mjs', 'two-weights.in', '-', '--json'];
  const right = await boardmill(check, { cwd, stdin: 'YES 3 2\nNO\nYES 2 1\n' });
  expect(right.code).toBe(0);
  const wrong = await boardmill(check, { cwd, stdin: 'YES 1 2\nNO\nNO\n' });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('the two weights do not weigh g grams');
  expect(wrong.stdout).toContain('there is a solution');
});
