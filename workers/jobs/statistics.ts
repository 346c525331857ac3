/** The job of `stats`: solves chunks, and returns statistics of their cases in place of answers. */
import xxhash from 'xxhash-wasm';
import { ByteWriter } from '../../src/core/bytes.js';
import { ValueCounts } from '../../src/core/value-counts.js';
import {
  type ChunkStatistics,
  encodeStatistics,
  MAX_COUNTED_ANSWER_CHARS,
} from '../../src/engine/chunk-statistics.js';
import type { ChunkResult, WorkerTask } from '../../src/engine/messages.js';
import type { StatisticsJob } from '../../src/engine/output-settings.js';
import type { CaseMeasure, Measurement } from '../../src/formats/cases/measure.js';
import { answerInWords } from '../../src/problems/answer-in-words.js';
import type { AnswerPrinting } from '../../src/problems/output-formats.js';
import {
  type BatchContext,
  CaseFailure,
  type Problem,
  type SetTest,
  type Solver,
  type SolverChoice,
} from '../../src/problems/problem.js';
import { ChunkSolver } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';
import { createWarmSolver } from './solve.js';

/** A function that returns the hash XXH64 of bytes. */
type HashBytes = Awaited<ReturnType<typeof xxhash>>['h64Raw'];

/** Creates the worker that computes statistics of chunks. `solves` says whether it also solves the cases. */
export async function createStatisticsWorker(
  problem: Problem,
  choice: SolverChoice,
  { solves }: StatisticsJob,
): Promise<ChunkWorker> {
  const { h64Raw } = await xxhash();
  return new CaseCounter(problem, solves ? createWarmSolver(problem, choice) : null, h64Raw);
}

export class CaseCounter implements ChunkWorker {
  readonly #solver: ChunkSolver<unknown, unknown>;
  readonly #statistics: StatisticsOfChunk;

  /** `solver` is null if the cases are not solved. */
  constructor(problem: Problem, solver: Solver<unknown, unknown> | null, hash: HashBytes) {
    this.#statistics = new StatisticsOfChunk(problem, solver !== null, hash);
    const formats = { inputFormat: problem.inputFormat, answerFormat: NO_PRINTING };
    this.#solver = new ChunkSolver(formats, new CountingSolver(solver, this.#statistics), false);
  }

  /** Returns a result with the statistics of the chunk in place of its answers. */
  async solve(task: WorkerTask): Promise<ChunkResult> {
    this.#statistics.begin(task.head.bytes);
    const result = await this.#solver.solve(task);
    return { ...result, output: this.#statistics.take() };
  }
}

const NO_PRINTING: AnswerPrinting<unknown> = { label: () => '', print: () => {}, toJson: () => null };

/** Lets another solver solve the cases, if there is one, and adds the cases with their answers to the statistics. */
class CountingSolver implements Solver<unknown, unknown> {
  readonly #solver: Solver<unknown, unknown> | null;
  readonly #statistics: StatisticsOfChunk;

  constructor(solver: Solver<unknown, unknown> | null, statistics: StatisticsOfChunk) {
    this.#solver = solver;
    this.#statistics = statistics;
  }

  get name() {
    return this.#solver?.name ?? 'portable';
  }

  get lanes(): number {
    return this.#solver?.lanes ?? 1;
  }

  get fallbackCases(): number {
    return this.#solver?.fallbackCases ?? 0;
  }

  async solve(
    cases: readonly unknown[],
    count: number,
    answers: unknown[],
    context: BatchContext,
  ): Promise<void> {
    await this.#solver?.solve(cases, count, answers, context);
    for (let i = 0; i < count; i++) {
      if (this.#solver === null) answers[i] = null;
      if (answers[i] instanceof CaseFailure) continue;
      this.#statistics.add(cases[i], answers[i], context.firstCase + i, context.head);
    }
  }
}

/** Collects the statistics of the cases of one chunk. */
class StatisticsOfChunk {
  readonly #problem: Problem;
  readonly #isSolved: boolean;
  readonly #hash: HashBytes;
  readonly #measure: CaseMeasure;
  readonly #sets: readonly SetTest[];
  readonly #out = new ByteWriter();
  #cases = 0;
  #exactHashes = new BigUint64Array(1024);
  #symmetricHashes = new BigUint64Array(1024);
  #sizes = new Map<string, { readonly values: readonly number[]; cases: number }>();
  #numbers: ValueCounts[] = [];
  #atMin: number[] = [];
  #atMax: number[] = [];
  #densities: ValueCounts | null = null;
  #casesInSets: number[] = [];
  #answers = new Map<string, { readonly text: string; cases: number }>();
  #longAnswers = 0;

  constructor(problem: Problem, isSolved: boolean, hash: HashBytes) {
    this.#problem = problem;
    this.#isSolved = isSolved;
    this.#hash = hash;
    this.#measure = problem.cases.createMeasure();
    this.#sets = problem.contest?.createSetTests() ?? [];
  }

  /** Begins the statistics of a chunk of an input with this head. */
  begin(head: Uint8Array | null): void {
    for (const set of this.#sets) set.useHead?.(head);
    this.#cases = 0;
    this.#sizes = new Map();
    this.#numbers = this.#measure.numbers.map(() => new ValueCounts());
    this.#atMin = this.#measure.numbers.map(() => 0);
    this.#atMax = this.#measure.numbers.map(() => 0);
    this.#densities = null;
    this.#casesInSets = this.#sets.map(() => 0);
    this.#answers = new Map();
    this.#longAnswers = 0;
  }

  /** Adds a case and its answer, which is null if the case was not solved. */
  add(value: unknown, answer: unknown, caseNumber: number, head: unknown): void {
    this.#reserveHash();
    const text = this.#print(value);
    this.#exactHashes[this.#cases] = this.#hash(text);
    if (this.#problem.cases.symmetries !== undefined)
      this.#symmetricHashes[this.#cases] = this.#hashOfVariants(value);
    this.#cases++;
    this.#addMeasurement(this.#measure.measure(value, head));
    for (const [index, set] of this.#sets.entries())
      if (set.includes(value, text, answer)) this.#casesInSets[index]++;
    if (this.#isSolved) this.#addAnswer(answer, caseNumber);
  }

  /** Returns the statistics as bytes. */
  take(): Uint8Array<ArrayBuffer> {
    const statistics: ChunkStatistics = {
      cases: this.#cases,
      sizes: [...this.#sizes.values()].map(({ values, cases }) => [values, cases] as const),
      numbers: this.#numbers.map((counts) => counts.toPlain()),
      atMin: this.#atMin,
      atMax: this.#atMax,
      densities: this.#densities?.toPlain() ?? null,
      sets: this.#casesInSets,
      answers: this.#isSolved
        ? [...this.#answers].map(([json, { text, cases }]) => [json, text, cases])
        : null,
      longAnswers: this.#longAnswers,
      hasSymmetries: this.#problem.cases.symmetries !== undefined,
    };
    const hashesOf = (hashes: BigUint64Array) => hashes.subarray(0, this.#cases);
    return encodeStatistics(statistics, hashesOf(this.#exactHashes), hashesOf(this.#symmetricHashes));
  }

  #print(value: unknown): Uint8Array {
    this.#problem.inputFormat.printCase(value, this.#out);
    return this.#out.take();
  }

  /** The smallest hash of all cases that are equal to this one up to symmetries. */
  #hashOfVariants(value: unknown): bigint {
    let smallest: bigint | null = null;
    for (const variant of this.#problem.cases.symmetries!.variantsOf(value)) {
      const hash = this.#hash(this.#print(variant));
      if (smallest === null || hash < smallest) smallest = hash;
    }
    return smallest!;
  }

  #reserveHash(): void {
    if (this.#cases < this.#exactHashes.length) return;
    this.#exactHashes = doubled(this.#exactHashes);
    this.#symmetricHashes = doubled(this.#symmetricHashes);
  }

  #addMeasurement({ lows, highs, isAtMin, isAtMax, density }: Measurement): void {
    const size: number[] = [];
    for (const [index, { role }] of this.#measure.numbers.entries()) {
      this.#atMin[index] += isAtMin[index];
      this.#atMax[index] += isAtMax[index];
      if (role === 'elements') this.#numbers[index].widen(lows[index], highs[index]);
      else this.#numbers[index].add(lows[index]);
      if (role === 'size') size.push(lows[index]);
    }
    this.#addSize(size);
    if (density === null) return;
    this.#densities ??= new ValueCounts();
    this.#densities.add(Math.round(density * 1000));
  }

  #addSize(values: readonly number[]): void {
    const key = values.join(' ');
    const known = this.#sizes.get(key);
    if (known === undefined) this.#sizes.set(key, { values, cases: 1 });
    else known.cases++;
  }

  #addAnswer(answer: unknown, caseNumber: number): void {
    const { answerFormat } = this.#problem;
    const json = JSON.stringify(answerFormat.toJson(answer));
    const known = this.#answers.get(json);
    if (known !== undefined) known.cases++;
    else if (json.length > MAX_COUNTED_ANSWER_CHARS) this.#longAnswers++;
    else this.#answers.set(json, { text: answerInWords(answerFormat, answer, caseNumber), cases: 1 });
  }
}

function doubled(hashes: BigUint64Array): BigUint64Array<ArrayBuffer> {
  const larger = new BigUint64Array(2 * hashes.length);
  larger.set(hashes);
  return larger;
}
