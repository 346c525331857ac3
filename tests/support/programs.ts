/** Small programs that solve cases, right and wrong ones, as `--exec` takes them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../fixtures/programs', import.meta.url));

/** A right program, or one with a flaw that solver.mjs knows. */
export function program(problem: string, flaw = ''): string {
  return `'${process.execPath}' '${join(FOLDER, 'solver.mjs')}' ${problem} ${flaw}`;
}

export const hasCompiler = spawnSync('g++', ['--version']).status === 0;

/** Compiles a C++ program of the fixtures into `folder`; returns the command. */
export function compile(name: string, folder: string): string {
  const file = join(folder, name);
  execFileSync('g++', ['-O1', '-o', file, join(FOLDER, `${name}.cpp`)]);
  return file;
}
