/** A sink that adds up the counts of chunks, and reads the answers to their cases from a file if there is one. */

import { MIB } from '../../core/bytes.js';
import { AnswerCounter } from '../../engine/answer-statistics.js';
import { decodeStatistics } from '../../engine/chunk-statistics.js';
import type { RunPosition } from '../../engine/position.js';
import type { CasesWithoutAnswers, Sink } from '../../engine/sink.js';
import type { AnswerScope } from '../../formats/answer-format.js';
import type { Problem } from '../../problems/problem.js';
import { AnswerScopeParser } from '../cases/case-scopes.js';
import { AnswerReader } from '../compare/answer-reader.js';
import type { InputStatistics } from './input-statistics.js';

/** Answers with this many characters are passed on before those to the whole chunk are read, which may take any memory. */
const MAX_COUNTED_CHARS = MIB;

export class StatisticsSink implements Sink {
  readonly wantsCases: boolean;
  /** Number of answers in the file that belong to no case. */
  surplusAnswers = 0;
  /** The statistics of the input, and those of all inputs. */
  readonly #receivers: readonly InputStatistics[];
  readonly #problem: Problem;
  readonly #answers: AnswerReader | null;
  readonly #scopes: AnswerScopeParser;
  #cases = 0;

  /** `answers` are the bytes of a file with the answers; null if there is no file. */
  constructor(
    receivers: readonly InputStatistics[],
    problem: Problem,
    answers: AsyncIterable<Uint8Array> | null,
  ) {
    this.#receivers = receivers;
    this.#problem = problem;
    this.#answers = answers === null ? null : new AnswerReader(answers, problem.answerFormat);
    this.#scopes = new AnswerScopeParser(problem.inputFormat);
    this.wantsCases = answers !== null && problem.answerFormat.needsCase;
  }

  async write(bytes: Uint8Array, _position: RunPosition | null, cases?: CasesWithoutAnswers): Promise<void> {
    let count = 0;
    for (const { statistics, hashes } of decodeStatistics(bytes)) {
      for (const each of this.#receivers) each.add(statistics, hashes);
      count += statistics.cases;
    }
    if (this.#answers !== null) await this.#readAnswers(this.#answers, count, cases);
  }

  /** Called after all cases are counted. Counts the answers that are left in the file. */
  async finish(): Promise<void> {
    const reader = this.#answers;
    if (reader === null) return;
    const findNext = () =>
      this.#problem.answerFormat.needsCase ? reader.findAnyText() : reader.findNextAnswer(null);
    // An empty answer that is found again and again would never end.
    while ((await findNext()) && reader.extent.end > reader.from) {
      this.surplusAnswers++;
      reader.skipTo(reader.extent.end);
    }
  }

  async abandon(): Promise<boolean> {
    return false;
  }

  async #readAnswers(
    reader: AnswerReader,
    count: number,
    cases: CasesWithoutAnswers | undefined,
  ): Promise<void> {
    let counter = new AnswerCounter(this.#problem.answerFormat);
    for (let index = 0; index < count; index++) {
      const scope = cases === undefined ? null : this.#scopeOf(cases, index);
      this.#cases++;
      if (!(await this.#findAnswer(reader, scope))) {
        for (const statistics of this.#receivers) statistics.missingAnswers++;
        continue;
      }
      this.#addAnswer(counter, reader, scope);
      reader.skipTo(reader.extent.end);
      if (counter.chars < MAX_COUNTED_CHARS) continue;
      this.#passOn(counter);
      counter = new AnswerCounter(this.#problem.answerFormat);
    }
    this.#passOn(counter);
  }

  #passOn(counter: AnswerCounter): void {
    const statistics = counter.toPlain();
    for (const each of this.#receivers) each.addAnswers(statistics);
  }

  #scopeOf({ bytes, starts, head }: CasesWithoutAnswers, index: number): AnswerScope {
    return this.#scopes.scopeOf(bytes.subarray(starts[index], starts[index + 1]), this.#cases, head);
  }

  /** Finds the answer to the current case. Skips answers that belong to no case. */
  async #findAnswer(reader: AnswerReader, scope: AnswerScope | null): Promise<boolean> {
    while (reader.findNextAnswerInMemory(scope) ?? (await reader.findNextAnswer(scope))) {
      const { caseNumber, end } = reader.extent;
      if (!this.#problem.answerFormat.hasLabels || caseNumber === this.#cases) return true;
      if (caseNumber !== null && caseNumber > this.#cases) return false;
      this.surplusAnswers++;
      reader.skipTo(end);
    }
    return false;
  }

  #addAnswer(counter: AnswerCounter, { bytes, extent }: AnswerReader, scope: AnswerScope | null): void {
    const answer = this.#problem.answerFormat.parse(bytes, extent, scope);
    if (answer === null) {
      for (const statistics of this.#receivers) statistics.malformedAnswers++;
      return;
    }
    counter.add(answer, this.#cases);
  }
}
