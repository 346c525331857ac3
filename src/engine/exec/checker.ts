/**
 * The program of `--checker`, as a matcher. It follows the protocol of testlib: `CMD input output answer` with the paths of
 * three files, exit code 0 if the output is right, 1 or 2 if it is wrong.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import type { AnswerExtent, AnswerScope } from '../../formats/answer-format.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { CHECKER_SECONDS } from '../limits.js';
import type { AnswerMatcher, AnswerMismatch, AnswerPair, ByteRange } from '../match.js';
import { findExecutable } from './program.js';

export interface CheckerOptions {
  readonly problem: Problem;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Largest number of runs of the checker at the same time. */
  readonly jobs: number;
}

/** The exit codes with which a checker says that an answer is wrong: a wrong answer, and a malformed one. */
const WRONG_CODES: readonly unknown[] = [1, 2];

export class Checker implements AnswerMatcher {
  readonly #options: CheckerOptions;
  readonly #limitRuns: LimitFunction;
  /** A folder that only this user can read. Each run has its own files in it. */
  readonly #folder: string;
  #runs = 0;

  /** Prepares to run a checker. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: CheckerOptions): Promise<Checker> {
    await findExecutable(options.argv);
    return new Checker(options);
  }

  private constructor(options: CheckerOptions) {
    this.#options = options;
    this.#limitRuns = pLimit(options.jobs);
    this.#folder = mkdtempSync(join(tmpdir(), 'boardmill-checker-'));
    // A second signal ends the process at once, so the folder must be removed on exit too.
    process.once('exit', () => this.close());
  }

  /** Only the checker decides. */
  matchNow(): undefined {
    return undefined;
  }

  matchLater(pair: AnswerPair): Promise<AnswerMismatch | null> {
    return this.#limitRuns(() => this.#run(pair));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(pair: AnswerPair): Promise<AnswerMismatch | null> {
    const { inputFormat } = this.#options.problem;
    const number = ++this.#runs;
    const [input, output, answer] = ['in', 'out', 'ans'].map((ending) =>
      join(this.#folder, `${number}.${ending}`),
    );
    await writeFile(input, assembleInput(inputFormat, pair.caseBytes, 1, pair.head.bytes));
    await writeFile(output, this.#renumbered(pair.got, pair));
    await writeFile(answer, this.#renumbered(pair.expected, pair));
    try {
      return await this.#callChecker([input, output, answer], pair);
    } finally {
      for (const file of [input, output, answer]) rmSync(file, { force: true });
    }
  }

  /** Returns the text of an answer as the answer to case 1, which is the only case that the checker sees. */
  #renumbered({ bytes, from, to }: ByteRange, pair: AnswerPair): Uint8Array {
    const format = this.#options.problem.answerFormat;
    const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
    const scope = format.needsCase ? this.#scopeOf(pair) : null;
    const isFound = format.find(bytes, from, to, true, extent, scope);
    const answer = isFound ? format.parse(bytes, extent, scope) : null;
    // The checker also gets malformed answers, which it may describe better.
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

  #callChecker(files: readonly string[], { caseNumber }: AnswerPair): Promise<AnswerMismatch | null> {
    const [program, ...args] = this.#options.argv;
    return new Promise((resolve, reject) => {
      const limits = { timeout: CHECKER_SECONDS * 1000, killSignal: 'SIGKILL' } as const;
      execFile(program, [...args, ...files], limits, (error, _stdout, stderr) => {
        if (error === null) resolve(null);
        else if (WRONG_CODES.includes(error.code)) resolve({ equalBytes: 0, reason: lastLine(stderr) });
        else reject(this.#failure(caseNumber, error, stderr));
      });
    });
  }

  #failure(caseNumber: number, error: { code?: unknown; signal?: unknown }, stderr: string): BoardmillError {
    const how = error.signal == null ? `exited with code ${error.code}` : `was killed by ${error.signal}`;
    const message = lastLine(stderr);
    const said = message === null ? '' : `: ${message}`;
    return new BoardmillError('worker', `case ${caseNumber}: the checker ${how}${said}`);
  }
}

/** Returns the last line that a checker printed on standard error; null if it printed nothing. */
function lastLine(stderr: string): string | null {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : line;
}
