/**
 * The program of `--checker`. It follows the protocol of testlib: `CMD input output answer` with the paths of
 * three files, exit code 0 if the output is right, 1 or 2 if it is wrong.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { makeTemporaryFolder } from '../../core/files/files.js';
import type { AnswerExtent, AnswerScope } from '../../formats/answer-format.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import type { AnswerMismatch, AnswerPair, ByteRange } from '../comparators.js';
import { signalProcessGroup } from './process-group.js';
import { findExecutable } from './program.js';

/** Number of characters that boardmill keeps from the end of a checker's standard error. It shows the last line of them. */
const CHECKER_STDERR_CHARS = 4096;

interface CheckerOptions {
  readonly problem: Problem;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Time limit for one run of the checker, in seconds. */
  readonly timeoutSeconds: number;
}

/** How one run of the checker has ended. */
interface CheckerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isTimedOut: boolean;
  /** The last line that the checker printed on standard error; null if it printed nothing. */
  readonly message: string | null;
}

/** The exit codes of a checker that rejects an answer: 1 for a wrong answer, 2 for a malformed one. */
const WRONG_CODES: readonly (number | null)[] = [1, 2];

export class Checker {
  readonly #options: CheckerOptions;
  readonly #running = new Set<ChildProcess>();
  /** A folder that only this user can read. Each run has its own files in it. */
  readonly #folder: string;
  #runs = 0;
  #isEnded = false;

  /** Prepares to run a checker. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: CheckerOptions): Promise<Checker> {
    await findExecutable(options.argv);
    return new Checker(options);
  }

  private constructor(options: CheckerOptions) {
    this.#options = options;
    this.#folder = makeTemporaryFolder(join(tmpdir(), 'boardmill-checker-'));
    // A second signal ends the process at once, so the checkers must end and the folder must be removed on exit too.
    process.once('exit', this.#closeOnExit);
  }

  /** Ends the running checkers, which then give no verdict. No further checker starts. */
  giveUp(): void {
    this.#isEnded = true;
    for (const checker of this.#running) endChecker(checker);
  }

  /** Ends the running checkers, and removes the files that they have read. */
  close(): void {
    this.giveUp();
    process.off('exit', this.#closeOnExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #closeOnExit = () => this.close();

  /** Runs the checker on a case. Fails with kind `worker` if the checker gives no verdict. */
  async ask(pair: AnswerPair): Promise<AnswerMismatch | null> {
    const { inputFormat } = this.#options.problem;
    const number = ++this.#runs;
    const [input, output, answer] = ['in', 'out', 'ans'].map((ending) =>
      join(this.#folder, `${number}.${ending}`),
    );
    await writeFile(input, assembleInput(inputFormat, [pair.caseBytes], pair.head.bytes));
    await writeFile(output, this.#renumbered(pair.got, pair));
    await writeFile(answer, this.#renumbered(pair.expected, pair));
    try {
      return this.#verdict(await this.#runChecker([input, output, answer]), pair.caseNumber);
    } finally {
      for (const file of [input, output, answer]) rmSync(file, { force: true });
    }
  }

  /** Returns the text of an answer with the case number 1, because the checker sees an input with only this case. */
  #renumbered({ bytes, from, to }: ByteRange, pair: AnswerPair): Uint8Array {
    const format = this.#options.problem.answerFormat;
    const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
    const scope = format.needsCase ? this.#scopeOf(pair) : null;
    const isFound = format.find(bytes, from, to, true, extent, scope);
    const answer = isFound ? format.parse(bytes, extent, scope) : null;
    // The checker gets malformed answers, too: it may describe the mistake better than boardmill.
    if (answer === null) return Buffer.concat([bytes.subarray(from, to), Buffer.from('\n')]);
    const out = new ByteWriter();
    format.print(answer, 1, out);
    return out.take();
  }

  #scopeOf({ caseNumber, caseBytes, head }: AnswerPair): AnswerScope {
    const parser = this.#options.problem.inputFormat.createParser();
    parser.useHead(head.bytes);
    parser.useIndex?.(caseNumber - 1);
    return { value: parser.parse(caseBytes, 0, caseBytes.length, null), head: parser.headValue };
  }

  #verdict({ code, signal, isTimedOut, message }: CheckerEnd, caseNumber: number): AnswerMismatch | null {
    if (code === 0) return null;
    if (WRONG_CODES.includes(code)) return { equalBytes: 0, reason: message };
    const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    const said = message === null ? '' : `: ${message}`;
    const what = isTimedOut ? `has not ended within ${this.#options.timeoutSeconds} s` : `${how}${said}`;
    throw new BoardmillError('worker', `case ${caseNumber}: the checker ${what}`);
  }

  /**
   * Runs the checker in a process group of its own. So a signal to boardmill's own group, such as that of ^C, does not make a
   * checker fail, and the processes that a checker has started end together with it.
   */
  async #runChecker(files: readonly string[]): Promise<CheckerEnd> {
    // If another comparison has ended the run meanwhile, the folder with the files for the checker no longer exists.
    if (this.#isEnded) throw new Error('the checker is closed');
    const [program, ...args] = this.#options.argv;
    const checker = spawn(program, [...args, ...files], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#running.add(checker);
    checker.once('exit', () => signalProcessGroup(checker, 'SIGKILL'));
    const tail = tailOf(checker.stderr);
    const limit = startLimit(checker, this.#options.timeoutSeconds);
    try {
      const [code, signal] = await once(checker, 'close');
      return { code, signal, isTimedOut: limit.isOver() && code === null, message: lastLine(tail()) };
    } catch (error) {
      throw new BoardmillError('worker', `the checker cannot be run: ${systemReason(error)}`);
    } finally {
      limit.clear();
      this.#running.delete(checker);
    }
  }
}

/** Reads a stream to its end, and returns a function that returns the last characters that were read. */
function tailOf(stream: Readable): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-CHECKER_STDERR_CHARS);
  });
  return () => tail;
}

/** Starts a timer that ends the checker after the given seconds. */
function startLimit(checker: ChildProcess, seconds: number): { isOver(): boolean; clear(): void } {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endChecker(checker);
  }, seconds * 1000);
  return { isOver: () => isOver, clear: () => clearTimeout(timer) };
}

/** Ends a checker. Also stops reading its standard error, which a process that outlives the checker may keep open. */
function endChecker(checker: ChildProcess): void {
  signalProcessGroup(checker, 'SIGKILL');
  checker.stderr?.destroy();
}

/** Returns the last line that a checker printed on standard error; null if it printed nothing. */
function lastLine(stderr: string): string | null {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : line;
}
