import type { ByteWriter } from '../core/bytes.js';
import type { Problem } from './problem.js';

/** `text`: as the contest wants it; `ndjson`: one JSON object a line. */
export type OutputFormat = 'text' | 'ndjson';

export function printAnswerAs<Answer>(
  format: OutputFormat,
  problem: Problem<Answer>,
  answer: Answer,
  caseNumber: number,
  out: ByteWriter,
): void {
  if (format === 'text') {
    problem.printAnswer(answer, caseNumber, out);
  } else {
    const json = { case: caseNumber, answer: problem.answerToJson(answer) };
    out.utf8(`${JSON.stringify(json)}\n`);
  }
}
