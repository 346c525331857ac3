/** The programs that tests of `--exec` run: programs without a flaw, and programs that fail in one way. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../fixtures/programs', import.meta.url));

/** The problems that solver.awk solves. A run of it takes 2 ms of processor time, and a run of solver.mjs 130 ms. */
export const SOLVED_BY_AWK = ['bacterial-tactics', 'darkraft'];

/** Returns the command of a program without a flaw, or of a program with one of the flaws in solver.mjs. */
export function program(problem: string, flaw = ''): string {
  if (!SOLVED_BY_AWK.includes(problem)) {
    return `'${process.execPath}' '${join(FOLDER, 'solver.mjs')}' ${problem} ${flaw}`;
  }
  const command = `awk -f '${join(FOLDER, 'solver.awk')}' ${problem} ${flaw}`;
  return flaw === 'crash-on-1x1' ? `sh -c '"$@" || kill -s SEGV $$' sh ${command}` : command;
}

/** Returns the command with the path of its program, which a shell can then run in the foreground. */
export function withPath(command: string): string {
  const [name] = command.split(' ', 1);
  const path = execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();
  return path + command.slice(name.length);
}

/** Whether g++ is installed. */
export const hasCompiler = spawnSync('g++', ['--version']).status === 0;

/** Whether Python 3 is installed. */
export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Compiles a C++ program of tests/fixtures/programs into `folder`. Returns the path of the compiled program. */
export function compile(name: string, folder: string): string {
  const file = join(folder, name);
  execFileSync('g++', ['-O1', '-o', file, join(FOLDER, `${name}.cpp`)]);
  return file;
}
