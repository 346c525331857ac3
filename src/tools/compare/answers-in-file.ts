/** The right answers to the cases of an input, as a file has them. */
import { skipWhitespace } from '../../core/bytes.js';
import { BoardmillError, describeMismatch } from '../../core/errors.js';
import type { Source } from '../../engine/input/source.js';
import { copyAnswer, type PrintedAnswer } from '../../engine/printed-answer.js';
import type { AnswerFormat, AnswerScope } from '../../formats/answer-format.js';
import { quoteAnswer } from '../../formats/answers/answer-text.js';
import type { RightAnswers } from '../judge/judge.js';
import { AnswerReader } from './answer-reader.js';

export class RightAnswersInFile implements RightAnswers {
  readonly #name: string;
  readonly #format: AnswerFormat;
  readonly #reader: AnswerReader;

  constructor({ name, pieces }: Source, format: AnswerFormat) {
    this.#name = name;
    this.#format = format;
    this.#reader = new AnswerReader(pieces, format);
  }

  /** Returns the answer to the next case. Fails with kind `input` if the file has no further answer, or a malformed one. */
  async next(scope: AnswerScope | null, caseNumber: number): Promise<PrintedAnswer> {
    const reader = this.#reader;
    if (!(await reader.findNextAnswer(scope)))
      throw this.#error(reader.end, caseNumber, 'the end of the file');
    const { bytes, extent } = reader;
    const isRightCase = !this.#format.hasLabels || extent.caseNumber === caseNumber;
    if (!isRightCase || this.#format.parse(bytes, extent, scope) === null) {
      const at = skipWhitespace(bytes, isRightCase ? extent.bodyStart : extent.start, extent.end);
      throw this.#error(at, caseNumber, quoteAnswer(bytes, at, extent.end), scope);
    }
    const answer = copyAnswer({ ...extent, bytes });
    reader.skipTo(extent.end);
    return answer;
  }

  /** Fails with kind `input` if the file has text after the answer to the last case. */
  async finish(): Promise<void> {
    if (!(await this.#reader.findAnyText())) return;
    const { bytes, extent } = this.#reader;
    const { line, column } = this.#reader.locationOf(extent.start);
    const got = quoteAnswer(bytes, extent.start, extent.end);
    throw new BoardmillError(
      'input',
      `${this.#name}:${line}:${column}: expected no answer after that to the last case, got ${got}`,
    );
  }

  #error(index: number, caseNumber: number, got: string, scope: AnswerScope | null = null): BoardmillError {
    const { line, column } = this.#reader.locationOf(index);
    const label = this.#format.label(caseNumber);
    const expected = `${label === '' ? '' : `"${label}" and `}${this.#format.describe(scope)}`;
    const what = describeMismatch({ expected, got });
    return new BoardmillError(
      'input',
      `${this.#name}:${line}:${column}: answer to case ${caseNumber}: ${what}`,
    );
  }
}
