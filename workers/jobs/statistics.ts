/** The job of `stats`: solves chunks, and returns statistics of their cases in place of answers. */
import xxhash from 'xxhash-wasm';
import { ByteWriter } from '../../src/core/bytes.js';
import { ValueCounts } from '../../src/core/value-counts.js';
import { AnswerCounter } from '../../src/engine/answer-statistics.js';
import { type ChunkStatistics, encodeStatistics } from '../../src/engine/chunk-statistics.js';
import type { ChunkResult, WorkerTask } from '../../src/engine/messages.js';
import type { StatisticsJob } from '../../src/engine/output-settings.js';
import type { CaseMeasure, CaseMeasurement } from '../../src/formats/cases/measure.js';
import type { RecordValue } from '../../src/formats/language/tree.js';
import { copyOfRecord } from '../../src/formats/tree/copy-value.js';
import type { AnswerPrinting } from '../../src/problems/output-formats.js';
import {
  type BatchContext,
  CaseFailure,
  type CaseSymmetries,
  type Problem,
  type SetMembershipTest,
  type Solver,
  type SolverChoice,
} from '../../src/problems/problem.js';
import { batchSizeOf, ChunkSolver } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';
import { createWarmSolver } from './solve.js';

/** A function that returns the hash XXH64 of bytes. */
type HashBytes = Awaited<ReturnType<typeof xxhash>>['h64Raw'];

/** Creates the worker that computes statistics of chunks. */
export async function createStatisticsWorker(
  problem: Problem,
  choice: SolverChoice,
  { solves, findsSymmetricCases }: StatisticsJob,
): Promise<ChunkWorker> {
  const { h64Raw } = await xxhash();
  const solver = solves ? createWarmSolver(problem, choice) : null;
  return new StatisticsWorker(problem, solver, findsSymmetricCases, h64Raw);
}

export class StatisticsWorker implements ChunkWorker {
  readonly #solver: ChunkSolver<unknown, unknown>;
  readonly #statistics: StatisticsOfChunk;

  /** `solver` is null if the cases are not solved. */
  constructor(
    problem: Problem,
    solver: Solver<unknown, unknown> | null,
    findsSymmetricCases: boolean,
    hash: HashBytes,
  ) {
    const symmetries = findsSymmetricCases ? (problem.cases.symmetries ?? null) : null;
    this.#statistics = new StatisticsOfChunk(problem, solver !== null, symmetries, hash);
    const formats = { inputFormat: problem.inputFormat, answerFormat: NO_PRINTING };
    const isModule = problem.reference.kind === 'module';
    const counting = new CountingSolver(solver, this.#statistics, isModule);
    const batchCases = solver === null ? undefined : batchSizeOf(solver);
    this.#solver = new ChunkSolver(formats, counting, false, batchCases);
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
  readonly #isModule: boolean;

  /** `isModule`: the solver is that of a module, which may change the fields of the cases that it gets. */
  constructor(solver: Solver<unknown, unknown> | null, statistics: StatisticsOfChunk, isModule: boolean) {
    this.#solver = solver;
    this.#statistics = statistics;
    this.#isModule = isModule;
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
    const nimbers = this.#statistics.wantsNimbers ? [] : undefined;
    // The statistics are those of the cases as the input has them.
    const given = this.#isModule && this.#solver !== null ? copiesOf(cases, count) : cases;
    const solving = this.#solver?.solve(given, count, answers, { ...context, nimbers });
    if (solving instanceof Promise) await solving;
    for (let i = 0; i < count; i++) {
      if (this.#solver === null) answers[i] = null;
      if (answers[i] instanceof CaseFailure) continue;
      this.#statistics.add(cases[i], answers[i], context.firstCase + i, context.head);
      if (nimbers !== undefined) this.#statistics.addNimber(nimbers[i]);
    }
  }
}

function copiesOf(cases: readonly unknown[], count: number): RecordValue[] {
  return cases.slice(0, count).map((each) => copyOfRecord(each as RecordValue));
}

/** Collects the statistics of the cases of one chunk. */
class StatisticsOfChunk {
  readonly #problem: Problem;
  readonly #isSolved: boolean;
  /** Null if cases that are equal up to symmetries do not matter. */
  readonly #symmetries: CaseSymmetries<unknown> | null;
  readonly #hash: HashBytes;
  readonly #measure: CaseMeasure;
  /** The indices of the measured numbers with the role `size`. */
  readonly #sizeIndices: readonly number[];
  readonly #sets: readonly SetMembershipTest[];
  readonly #out = new ByteWriter();
  #cases = 0;
  #exactHashes = new BigUint64Array(1024);
  #symmetricHashes = new BigUint64Array(1024);
  #sizes = new SizeCounts();
  #numbers: ValueCounts[] = [];
  #atMin: number[] = [];
  #atMax: number[] = [];
  #densities: ValueCounts | null = null;
  #casesInSets: number[] = [];
  /** Null if the cases are not solved. */
  #answers: AnswerCounter | null = null;
  #nimbers: ValueCounts | null = null;

  constructor(
    problem: Problem,
    isSolved: boolean,
    symmetries: CaseSymmetries<unknown> | null,
    hash: HashBytes,
  ) {
    this.#problem = problem;
    this.#isSolved = isSolved;
    this.#symmetries = symmetries;
    this.#hash = hash;
    this.#measure = problem.cases.createMeasure();
    this.#sizeIndices = this.#measure.numbers.flatMap(({ role }, index) => (role === 'size' ? [index] : []));
    this.#sets = problem.contest?.createSetTests() ?? [];
  }

  /** Whether the solver is asked for the nimbers of the cases. */
  get wantsNimbers(): boolean {
    return this.#isSolved && this.#problem.hasNimbers === true;
  }

  /** Begins the statistics of a chunk of an input with this head. */
  begin(head: Uint8Array | null): void {
    for (const set of this.#sets) set.useHead?.(head);
    this.#cases = 0;
    this.#sizes = new SizeCounts();
    this.#numbers = this.#measure.numbers.map(() => new ValueCounts());
    this.#atMin = this.#measure.numbers.map(() => 0);
    this.#atMax = this.#measure.numbers.map(() => 0);
    this.#densities = null;
    this.#casesInSets = this.#sets.map(() => 0);
    this.#answers = this.#isSolved ? new AnswerCounter(this.#problem.answerFormat) : null;
    this.#nimbers = this.wantsNimbers ? new ValueCounts() : null;
  }

  /** Adds a case and its answer, which is null if the case was not solved. */
  add(value: unknown, answer: unknown, caseNumber: number, head: unknown): void {
    this.#reserveHash();
    const text = this.#print(value);
    this.#exactHashes[this.#cases] = this.#hash(text);
    for (let i = 0; i < this.#sets.length; i++)
      if (this.#sets[i].includes(value, text, answer)) this.#casesInSets[i]++;
    if (this.#symmetries !== null)
      this.#symmetricHashes[this.#cases] = this.#hashOfVariants(value, this.#symmetries);
    this.#cases++;
    this.#addMeasurement(this.#measure.measure(value, head));
    this.#answers?.add(answer, caseNumber);
  }

  addNimber(nimber: number): void {
    this.#nimbers?.add(nimber);
  }

  /** Returns the statistics as bytes. */
  take(): Uint8Array<ArrayBuffer> {
    const statistics: ChunkStatistics = {
      cases: this.#cases,
      sizes: this.#sizes.toPlain(),
      numbers: this.#numbers.map((counts) => counts.toPlain()),
      atMin: this.#atMin,
      atMax: this.#atMax,
      densities: this.#densities?.toPlain() ?? null,
      sets: this.#casesInSets,
      answers: this.#answers?.toPlain() ?? null,
      nimbers: this.#nimbers?.toPlain() ?? null,
      hasSymmetries: this.#symmetries !== null,
    };
    const hashesOf = (hashes: BigUint64Array) => hashes.subarray(0, this.#cases);
    return encodeStatistics(statistics, hashesOf(this.#exactHashes), hashesOf(this.#symmetricHashes));
  }

  /** Returns the case in canonical layout. The bytes are overwritten when the next case is printed. */
  #print(value: unknown): Uint8Array {
    this.#problem.inputFormat.printCase(value, this.#out);
    return this.#out.lend();
  }

  /** The smallest hash of all cases that are equal to this one up to symmetries. */
  #hashOfVariants(value: unknown, symmetries: CaseSymmetries<unknown>): bigint {
    let smallest: bigint | null = null;
    for (const variant of symmetries.variantsOf(value)) {
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

  #addMeasurement({ lows, highs, isAtMin, isAtMax, density }: CaseMeasurement): void {
    for (let index = 0; index < this.#numbers.length; index++) {
      this.#atMin[index] += isAtMin[index];
      this.#atMax[index] += isAtMax[index];
      if (this.#measure.numbers[index].role === 'elements')
        this.#numbers[index].widen(lows[index], highs[index]);
      else this.#numbers[index].add(lows[index]);
    }
    this.#sizes.add(lows, this.#sizeIndices);
    if (density === null) return;
    this.#densities ??= new ValueCounts();
    this.#densities.add(density * 1000, 1, Math.round(density * 1000));
  }
}

/** A size up to one of its numbers, the numbers that can follow, and how many cases end here. */
interface SizePrefix {
  readonly values: readonly number[];
  readonly next: Map<number, SizePrefix>;
  cases: number;
}

/** Counts sizes, which are lists of numbers, without making a list or a text for each case. */
class SizeCounts {
  readonly #root: SizePrefix = { values: [], next: new Map(), cases: 0 };
  /** The sizes in the order in which they appear first. */
  readonly #sizes: SizePrefix[] = [];

  /** Adds a case whose size consists of the numbers with these indices. */
  add(numbers: ArrayLike<number>, indices: readonly number[]): void {
    let at = this.#root;
    for (let i = 0; i < indices.length; i++) at = follow(at, numbers[indices[i]]);
    if (at.cases++ === 0) this.#sizes.push(at);
  }

  toPlain(): ChunkStatistics['sizes'] {
    return this.#sizes.map(({ values, cases }) => [values, cases] as const);
  }
}

function follow({ values, next }: SizePrefix, value: number): SizePrefix {
  const known = next.get(value);
  if (known !== undefined) return known;
  const added = { values: [...values, value], next: new Map(), cases: 0 };
  next.set(value, added);
  return added;
}

function doubled(hashes: BigUint64Array): BigUint64Array<ArrayBuffer> {
  const larger = new BigUint64Array(2 * hashes.length);
  larger.set(hashes);
  return larger;
}
