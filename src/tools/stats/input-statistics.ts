/** What `stats` knows about one input, or about several together: the counts of all chunks, added up in bounded memory. */
import { ValueCounts } from '../../core/value-counts.js';
import type { AnswerStatistics } from '../../engine/answer-statistics.js';
import type { CaseHashes, ChunkStatistics } from '../../engine/chunk-statistics.js';
import type { MeasuredNumber } from '../../formats/cases/measure.js';
import { RepeatedCaseCounter } from '../cases/equal-cases.js';
import { KeyCounts, type KeyLimits } from './key-counts.js';

export interface StatisticsLimits extends KeyLimits {
  /** Number of different cases that are remembered, to count equal ones. */
  readonly maxRememberedCases: number;
}

/** What the counts of a problem have in common. */
export interface StatisticsSubject {
  readonly numbers: readonly MeasuredNumber[];
  /** The names of the sets of the contest. */
  readonly sets: readonly string[];
  /** Whether cases that are equal up to symmetries are counted. */
  readonly findsSymmetricCases: boolean;
  /** Whether the answers are known, by solving or from a file. */
  readonly hasAnswers: boolean;
  /** Whether the nimbers of the cases are known. */
  readonly hasNimbers: boolean;
}

export class InputStatistics {
  cases = 0;
  readonly numbers: readonly ValueCounts[];
  readonly atMin: number[];
  readonly atMax: number[];
  readonly densities = new ValueCounts();
  readonly casesInSets: number[];
  /** The sizes: the values of all numbers with the role `size`. */
  readonly sizes: KeyCounts<readonly number[]>;
  /** The answers as JSON, shown as people read them. Null if the answers are not known. */
  readonly answers: KeyCounts<string> | null;
  /** Number of cases to which a file of answers has no answer, or one that cannot be read. */
  missingAnswers = 0;
  malformedAnswers = 0;
  readonly equalCases: RepeatedCaseCounter;
  /** The nimbers of the cases; null if they are not known. */
  readonly nimbers: ValueCounts | null;
  /** Cases that are equal up to symmetries; null if they are not counted. */
  readonly symmetricCases: RepeatedCaseCounter | null;

  constructor(subject: StatisticsSubject, limits: StatisticsLimits) {
    this.numbers = subject.numbers.map(() => new ValueCounts());
    this.atMin = subject.numbers.map(() => 0);
    this.atMax = subject.numbers.map(() => 0);
    this.casesInSets = subject.sets.map(() => 0);
    this.sizes = new KeyCounts(limits);
    this.answers = subject.hasAnswers ? new KeyCounts(limits) : null;
    this.nimbers = subject.hasNimbers ? new ValueCounts() : null;
    this.equalCases = new RepeatedCaseCounter(limits.maxRememberedCases);
    this.symmetricCases = subject.findsSymmetricCases
      ? new RepeatedCaseCounter(limits.maxRememberedCases)
      : null;
  }

  /** Adds the statistics of a chunk. Chunks must come in the order of the input. */
  add(chunk: ChunkStatistics, { exact, symmetric }: CaseHashes): void {
    this.cases += chunk.cases;
    for (const [index, counts] of this.numbers.entries()) counts.addAll(chunk.numbers[index]);
    addEach(this.atMin, chunk.atMin);
    addEach(this.atMax, chunk.atMax);
    addEach(this.casesInSets, chunk.sets);
    if (chunk.densities !== null) this.densities.addAll(chunk.densities);
    for (const [values, cases] of chunk.sizes) this.sizes.add(values.join(' '), values, cases);
    if (chunk.answers !== null) this.addAnswers(chunk.answers);
    if (chunk.nimbers !== null) this.nimbers?.addAll(chunk.nimbers);
    this.equalCases.addAll(exact);
    if (symmetric !== null) this.symmetricCases?.addAll(symmetric);
  }

  /** Adds the statistics of answers, which a worker has found or a file has. */
  addAnswers({ counts, longAnswers }: AnswerStatistics): void {
    for (const [json, text, cases] of counts) this.answers?.add(json, text, cases, json.length + text.length);
    this.answers?.addOthers(longAnswers);
  }
}

function addEach(sums: number[], values: readonly number[]): void {
  for (const [index, value] of values.entries()) sums[index] += value;
}
