import { ByteWriter, LF } from '../core/bytes.js';
import { BoardmillError } from '../core/errors.js';
import type { InputFormat } from './input-format.js';

/** Fails with kind `usage` if some of an input's cases cannot be an input of their own. */
export function assertDivisible({ indivisibleReason = null }: InputFormat): void {
  if (indivisibleReason !== null) throw new BoardmillError('usage', indivisibleReason);
}

/** Returns a well-formed input that consists of `count` cases after the head `head`. `cases` has the bytes of the cases. */
export function assembleInput(
  format: InputFormat,
  cases: Uint8Array,
  count: number,
  head: Uint8Array | null,
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(cases.length + 64);
  format.printHead(head, count, out);
  out.append(cases);
  if (cases.length > 0 && cases[cases.length - 1] !== LF) out.byte(LF);
  format.printTail(head, out);
  return out.take();
}
