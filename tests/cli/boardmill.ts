/** Runs the built program as a user does, in a folder and with a state folder of its own. */
import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'dist/src/cli/main.js');

export interface Outcome {
  /** Exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends SpawnOptions {
  readonly stdin?: string | Uint8Array;
}

/** A folder that goes away after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'boardmill-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const stateFolder = temporaryFolder();

/** Starts it; everything of it is the caller's business. */
export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcessWithoutNullStreams {
  return startProgram(process.execPath, [MAIN, ...args], options);
}

function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcessWithoutNullStreams {
  const env = { ...process.env, XDG_STATE_HOME: stateFolder, NO_COLOR: '1', CI: '1', ...options.env };
  return spawn(program, args, { ...options, env }) as ChildProcessWithoutNullStreams;
}

/** Resolves with the exit code, or the signal that ended it, once its streams are closed. */
export function exitOf(child: ChildProcessWithoutNullStreams): Promise<Outcome['code']> {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
}

export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Runs it to its end. Fails on a stack trace, whatever else came of it. */
export function boardmill(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return outcomeOf(start(args, options), options.stdin);
}

/** Runs a script in which `boardmill` is the built program: for redirections and limits that only a shell can set up. */
export function shell(script: string, options: RunOptions = {}): Promise<Outcome> {
  const whole = `boardmill() { '${process.execPath}' '${MAIN}' "$@"; }\n${script}`;
  return outcomeOf(startProgram('sh', ['-c', whole], options), options.stdin);
}

async function outcomeOf(
  child: ChildProcessWithoutNullStreams,
  stdin: RunOptions['stdin'] = '',
): Promise<Outcome> {
  // It may be done before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [code, stdout, stderr] = await Promise.all([
    exitOf(child),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  if (/^\s+at .*:\d+/m.test(stderr)) {
    throw new Error(`a stack trace from ${child.spawnargs.slice(2).join(' ')}:\n${stderr}`);
  }
  return { code, stdout, stderr };
}
