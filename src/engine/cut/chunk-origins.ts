import { measureSpan } from '../../core/location.js';
import type { CaseOrigin, Column } from '../../problems/output-columns.js';
import type { Chunk } from './scan.js';

/**
 * Finds out where each chunk begins, for the columns `file` and `line`. Lines are counted only if the output has the column
 * `line`.
 */
export class ChunkOrigins {
  readonly #file: string;
  readonly #countsLines: boolean;
  /** The line at which the next chunk begins, or the bytes that the scanner skips before that chunk. */
  #line: number;

  /** `line` is the line at which the run begins or continues. */
  constructor(file: string, line: number, { columns }: { readonly columns: readonly Column[] }) {
    this.#file = file;
    this.#line = line;
    this.#countsLines = columns.includes('line');
  }

  /** Returns the file and the line of the next chunk. The caller must pass the chunks in input order. */
  next({ bytes, starts, spanBefore }: Chunk): CaseOrigin {
    const line = this.#line + spanBefore.lines;
    if (this.#countsLines) this.#line = line + measureSpan(bytes, 0, starts[starts.length - 1]).lines;
    return { file: this.#file, line };
  }
}
