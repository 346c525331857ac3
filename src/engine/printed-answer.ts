/** An answer as a program has printed it or as a file contains it, with its label, such as "Case #1:". */
import type { AnswerExtent } from '../formats/answer-format.js';
import type { ByteRange } from './comparators.js';

/** An answer with its label in bytes[start, end); the answer without its label is bytes[bodyStart, end). */
export interface PrintedAnswer extends Pick<AnswerExtent, 'start' | 'bodyStart' | 'end'> {
  readonly bytes: Uint8Array;
}

/** Returns the answer with another label in place of its own. With an empty label, the answer has no label. */
export function relabelAnswer({ bytes, start, bodyStart, end }: PrintedAnswer, label: string): ByteRange {
  if (label === '') return { bytes, from: start, to: end };
  const text = Buffer.concat([Buffer.from(`${label} `), bytes.subarray(bodyStart, end)]);
  return { bytes: text, from: 0, to: text.length };
}

/** Copies an answer, so that it stays valid when the memory of the output that contains it is reused. */
export function copyAnswer({ bytes, start, bodyStart, end }: PrintedAnswer): PrintedAnswer {
  return { bytes: bytes.slice(start, end), start: 0, bodyStart: bodyStart - start, end: end - start };
}
