/** Checks the sizes of boards that users ask for with `--rows` and `--cols`. */
import { BoardmillError } from '../core/errors.js';
import { printRange, type Range } from '../core/range.js';

/** Fails with kind `usage` if the sizes that a user asks for are not all within the allowed range. */
export function assertSizesInRange(option: string, wanted: Range, allowed: Range): void {
  if (wanted.from >= allowed.from && wanted.to <= allowed.to) return;
  const { from, to } = allowed;
  const sizes = to === Number.POSITIVE_INFINITY ? `of at least ${from}` : `from ${from} to ${to}`;
  throw new BoardmillError('usage', `${option} needs sizes ${sizes}, got ${printRange(wanted)}`);
}
