/** The statistics of answers, for `stats`: of those that a worker finds, and of those that a file has. */
import { KIB } from '../core/bytes.js';
import type { AnswerFormat } from '../formats/answer-format.js';
import { answerInWords } from '../problems/answer-in-words.js';

/** `stats` counts answers with at most this many characters of JSON one by one, and all other answers together. */
const MAX_CHARS_OF_DISTINCT_ANSWER = 64 * KIB;

/** An answer, as JSON and as people read it, and the number of cases that have this answer. */
type AnswerCount = readonly [json: string, text: string, cases: number];

export interface AnswerStatistics {
  /** The answers in the order in which they appear first. */
  readonly counts: readonly AnswerCount[];
  /** Number of cases whose answers are too long to be counted one by one. */
  readonly longAnswers: number;
}

interface MutableCount {
  readonly text: string;
  cases: number;
}

/** Computes the statistics of some answers. */
export class AnswerCounter {
  /** Number of characters of all different answers. */
  chars = 0;
  readonly #format: AnswerFormat<unknown>;
  /** By the JSON of the answer. */
  readonly #counts = new Map<string, MutableCount>();
  /** The same counts by answers that are no objects: most of them are numbers or words that come again and again. */
  readonly #plainAnswers = new Map<unknown, MutableCount>();
  #longAnswers = 0;

  constructor(format: AnswerFormat<unknown>) {
    this.#format = format;
  }

  /** Adds the answer to the case with this number. */
  add(answer: unknown, caseNumber: number): void {
    const repeated = this.#plainAnswers.get(answer);
    if (repeated !== undefined) repeated.cases++;
    else this.#addPrinted(answer, caseNumber);
  }

  toPlain(): AnswerStatistics {
    const counts = [...this.#counts].map(([json, { text, cases }]) => [json, text, cases] as const);
    return { counts, longAnswers: this.#longAnswers };
  }

  #addPrinted(answer: unknown, caseNumber: number): void {
    const json = JSON.stringify(this.#format.toJson(answer));
    if (json.length > MAX_CHARS_OF_DISTINCT_ANSWER) {
      this.#longAnswers++;
      return;
    }
    let count = this.#counts.get(json);
    if (count === undefined) {
      count = { text: answerInWords(this.#format, answer, caseNumber), cases: 0 };
      this.#counts.set(json, count);
      this.chars += json.length + count.text.length;
    }
    count.cases++;
    if (typeof answer !== 'object') this.#plainAnswers.set(answer, count);
  }
}
