/** Runs the built boardmill as a user does, but with a state folder of the test run. */
import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder } from '../support/temporary-folder.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'dist/src/cli/main.js');

export interface Outcome {
  /** The exit code of the process, or the signal that ended the process. */
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends SpawnOptions {
  readonly stdin?: string | Uint8Array;
}

/** Where boardmill keeps its ledger. Test files that run in the same process share it. */
const stateFolder = createFolder();

/** Returns the environment variables of boardmill. */
export function environment(): NodeJS.ProcessEnv {
  return { ...process.env, XDG_STATE_HOME: stateFolder, NO_COLOR: '1', CI: '1' };
}

/** Starts boardmill. The caller must read its output and wait until it ends. */
export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcessWithoutNullStreams {
  return startProgram(process.execPath, [MAIN, ...args], options);
}

function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcessWithoutNullStreams {
  const env = { ...environment(), ...options.env };
  return spawn(program, args, { ...options, env }) as ChildProcessWithoutNullStreams;
}

/** Resolves with the exit code of a process, or with the signal that ended it, once its streams are closed. */
export function exitOf(child: ChildProcessWithoutNullStreams): Promise<Outcome['code']> {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
}

/** Resolves with all text of a stream when the stream ends. */
export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Runs boardmill until it ends. Throws if boardmill prints a stack trace. */
export function boardmill(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return outcomeOf(start(args, options), options.stdin);
}

/** Runs a shell script in which `boardmill` is the build. For tests that need redirections or limits. */
export function shell(script: string, options: RunOptions = {}): Promise<Outcome> {
  const fullScript = `boardmill() { '${process.execPath}' '${MAIN}' "$@"; }\n${script}`;
  return outcomeOf(startProgram('sh', ['-c', fullScript], options), options.stdin);
}

async function outcomeOf(
  child: ChildProcessWithoutNullStreams,
  stdin: RunOptions['stdin'] = '',
): Promise<Outcome> {
  // The process may end before it has read all of its input. Writing to it then fails, which is expected.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [code, stdout, stderr] = await Promise.all([
    exitOf(child),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  assertNoStackTrace(child.spawnargs.slice(2), stderr);
  return { code, stdout, stderr };
}

/** Throws an error if boardmill has printed a stack trace. */
export function assertNoStackTrace(args: readonly string[], stderr: string): void {
  if (/^\s+at .*:\d+/m.test(stderr)) throw new Error(`a stack trace from ${args.join(' ')}:\n${stderr}`);
}
