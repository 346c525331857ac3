/** Cuts a data file into its cases, with the input format and the answer format of a problem. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ByteWriter } from '../../../core/bytes.js';
import { BoardmillError } from '../../../core/errors.js';
import { type Chunk, scanIntoChunks } from '../../../engine/cut/scan.js';
import { openRegularSource } from '../../../engine/input/read.js';
import { MAX_BYTES_PER_READ } from '../../../engine/limits.js';
import type { AnswerScope } from '../../../formats/answer-format.js';
import { assembleInput, assertCasesSeparable } from '../../../formats/assemble-input.js';
import type { Problem } from '../../../problems/problem.js';
import { AnswerReader } from '../../compare/answer-reader.js';
import type { CaseAsInput, CaseCutter } from './cases.js';
import { MAX_CUT_CASES } from './limits.js';
import { entriesBelow } from './read/package-files.js';
import type { DataFile } from './read/test-data.js';
import { INPUT_VALIDATOR_FOLDERS } from './validators/input-validators.js';

/** Returns the path of the package's first checktestdata grammar; null if it has none. */
export function findPackageGrammar(folder: string): string | null {
  for (const name of INPUT_VALIDATOR_FOLDERS.filter((each) => existsSync(join(folder, each)))) {
    const files = entriesBelow(folder, name).sort();
    const grammar = files.find((file) => file.endsWith('.ctd'));
    if (grammar !== undefined) return join(folder, grammar);
  }
  return null;
}

/**
 * Returns a function that cuts data files. If the answer file of a data file does not have an answer for each case, the data
 * file is not cut, and `warn` gets the reason.
 */
export function createCaseCutter(problem: Problem, warn: (message: string) => void): CaseCutter {
  assertCasesSeparable(problem.inputFormat);
  return async (file) => {
    const obstacle = await findObstacle(problem, file);
    if (obstacle === null) return cut(problem, file);
    warn(`${file.name} is not cut into cases: ${obstacle}`);
    return null;
  };
}

/** Returns why a data file cannot be cut into cases; null if it can. */
async function findObstacle(problem: Problem, file: DataFile): Promise<string | null> {
  let cases = 0;
  try {
    for await (const _ of cut(problem, file)) cases++;
  } catch (error) {
    if (error instanceof BoardmillError && error.kind === 'input') return error.message;
    throw error;
  }
  return cases > MAX_CUT_CASES ? `it has more than ${MAX_CUT_CASES} cases` : null;
}

async function* cut(problem: Problem, file: DataFile): AsyncGenerator<CaseAsInput> {
  const answers = new AnswerCutter(problem, file);
  await answers.open();
  const input = await openRegularSource(file.inputPath);
  let head: Uint8Array | null = null;
  const items = scanIntoChunks(input.pieces, {
    inputFormat: problem.inputFormat,
    onError: 'stop',
    chunkBytes: () => MAX_BYTES_PER_READ,
    onHead: (found) => {
      head = found.head;
      answers.useHead(found.head);
    },
    hash: null,
    startPosition: null,
  });
  try {
    for await (const item of items) {
      if (item.kind === 'chunk') yield* cutChunk(problem, item, head, answers);
      else if (item.fault !== null) throw new BoardmillError('input', `expected ${item.fault.expected}`);
    }
    await answers.expectEnd();
  } finally {
    await Promise.all([input.close(), answers.close()]);
  }
}

async function* cutChunk(
  { inputFormat }: Problem,
  { bytes, starts, firstCase }: Chunk,
  head: Uint8Array | null,
  answers: AnswerCutter,
): AsyncGenerator<CaseAsInput> {
  for (let index = 0; index + 1 < starts.length; index++) {
    const caseNumber = firstCase + index;
    const answer = await answers.next(caseNumber, bytes, starts[index], starts[index + 1]);
    const input = assembleInput(inputFormat, [bytes.subarray(starts[index], starts[index + 1])], head);
    yield { caseNumber, input, answer };
  }
}

/** Cuts an answer file into its answers. Each gets the label of case 1, because it becomes an answer file of its own. */
class AnswerCutter {
  readonly #problem: Problem;
  readonly #file: DataFile;
  readonly #parser;
  #reader: AnswerReader | null = null;
  #close: () => Promise<void> = async () => {};

  constructor(problem: Problem, file: DataFile) {
    this.#problem = problem;
    this.#file = file;
    this.#parser = problem.inputFormat.createParser();
  }

  async open(): Promise<void> {
    const source = await openRegularSource(this.#file.answerPath);
    this.#close = () => source.close();
    this.#reader = new AnswerReader(source.pieces, this.#problem.answerFormat);
  }

  close(): Promise<void> {
    return this.#close();
  }

  useHead(head: Uint8Array | null): void {
    this.#parser.useHead(head);
  }

  /** Returns the next answer, which belongs to the case in bytes[from, to). */
  async next(caseNumber: number, bytes: Uint8Array, from: number, to: number): Promise<Uint8Array> {
    const { answerFormat } = this.#problem;
    const reader = this.#reader!;
    const scope = answerFormat.needsCase ? this.#scopeOf(caseNumber, bytes, from, to) : null;
    if (!(await reader.findNextAnswer(scope))) throw this.#error(`it has no answer to case ${caseNumber}`);
    const answer = answerFormat.parse(reader.bytes, reader.extent, scope);
    if (answer === null) throw this.#error(`its answer to case ${caseNumber} is malformed`);
    const out = new ByteWriter();
    answerFormat.print(answer, 1, out);
    reader.skipTo(reader.lineEndIndex());
    return out.take();
  }

  async expectEnd(): Promise<void> {
    if (await this.#reader!.findAnyText()) throw this.#error('it has more answers than there are cases');
  }

  #scopeOf(caseNumber: number, bytes: Uint8Array, from: number, to: number): AnswerScope {
    this.#parser.useIndex?.(caseNumber - 1);
    return { value: this.#parser.parse(bytes, from, to, null), head: this.#parser.headValue };
  }

  #error(reason: string): BoardmillError {
    return new BoardmillError('input', `${this.#file.answerPath}: ${reason}`);
  }
}
