import { ByteWriter } from '../core/bytes.js';
import type { AnswerFormat } from '../formats/answer-format.js';

/** Returns the text of an answer as it is printed, but without its label such as "Case #1:". */
export function answerInWords<Answer>(
  format: AnswerFormat<never, Answer>,
  answer: Answer,
  caseNumber: number,
): string {
  const out = new ByteWriter();
  format.print(answer, caseNumber, out);
  const text = Buffer.from(out.take()).toString();
  const label = format.label(caseNumber);
  return text.slice(text.startsWith(label) ? label.length : 0).trim();
}
