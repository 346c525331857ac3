/** Boards whose cells are blocks: the one field that a tree may have and that authors cannot write. */
import { grid } from '../../src/formats/language/fields.js';
import type { GridField } from '../../src/formats/language/tree.js';
import type { CountOf, FieldOf, Grid } from '../../src/formats/language/types.js';

/**
 * A grid whose cells are words of two letters, one of each alphabet. Only `BoardSyntax` makes such trees, for link-and-pop, so
 * `grid` of `formats` has no second alphabet.
 */
export function blocks(rows: CountOf, cols: CountOf, first: string, second: string): FieldOf<Grid> {
  const field: unknown = grid(rows, cols, first);
  return { ...(field as GridField), letters: [first, second] } as unknown as FieldOf<Grid>;
}
