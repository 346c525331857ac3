/** Finds the compilers and interpreters that are installed. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findExecutable } from '../../../../engine/exec/program.js';
import { MAX_COMPILER_MESSAGE_BYTES } from '../limits.js';
import type { CommandRunner } from './command-runner.js';
import type { ToolCommand } from './languages.js';

/** Milliseconds in which a tool must print the path of its interpreter. */
const ANSWER_MS = 20_000;

/**
 * Runs a tool where no package is. rustup, for example, looks in the current folder for a file that names the rustc to run, and
 * these tools run without a sandbox.
 */
const ELSEWHERE = 'cd / && exec "$@"';

/** Looks for compilers and interpreters, and remembers the result, so that each is looked for only once. */
export class ToolFinder {
  readonly #commands: CommandRunner;
  readonly #found = new Map<string, Promise<string | null>>();

  /** `commands` runs the tools that print a path. */
  constructor(commands: CommandRunner) {
    this.#commands = commands;
  }

  /**
   * Returns the path of the first tool of a command that is installed; null if none is installed. With `question`, the tool is
   * run with these arguments, and the path of the interpreter that it prints is returned.
   */
  async find({ tools }: ToolCommand, question: readonly string[] | undefined): Promise<string | null> {
    for (const tool of tools) {
      const path = await this.#findOne(tool, question);
      if (path !== null) return path;
    }
    return null;
  }

  /** Returns the folder in which a tool is installed; null if the tool does not print such a folder. */
  async findHome(path: string, question: readonly string[] | undefined): Promise<string | null> {
    if (question === undefined) return null;
    const home = await this.#once(['home', path], () => this.#answerOf([path, ...question]));
    return home !== null && existsSync(join(home, 'bin', basename(path))) ? home : null;
  }

  #findOne(tool: string, question: readonly string[] | undefined): Promise<string | null> {
    return this.#once([tool, question], () => this.#lookUp(tool, question));
  }

  #once(what: readonly unknown[], find: () => Promise<string | null>): Promise<string | null> {
    const key = JSON.stringify(what);
    const found = this.#found.get(key) ?? find();
    this.#found.set(key, found);
    return found;
  }

  async #lookUp(tool: string, question: readonly string[] | undefined): Promise<string | null> {
    const path = await findExecutable([tool]).catch(() => null);
    return path === null || question === undefined ? path : this.#answerOf([path, ...question]);
  }

  async #answerOf(argv: readonly string[]): Promise<string | null> {
    const limits = { timeoutMs: ANSWER_MS, outputBytes: MAX_COMPILER_MESSAGE_BYTES };
    const words = ['sh', '-c', ELSEWHERE, 'sh', ...argv];
    const { stdout, failure } = await this.#commands.run(words, { limits, files: null });
    const answer = Buffer.from(stdout).toString().trim();
    return failure === null && answer.startsWith('/') ? answer : null;
  }
}
