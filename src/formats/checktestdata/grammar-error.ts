import type { Place } from './syntax.js';

/** A mistake in a grammar, with its place in the grammar's file. It is the mistake of the grammar's author. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
  readonly line: number;
  readonly column: number;

  constructor(
    readonly fileName: string,
    at: Place,
    message: string,
  ) {
    super(message);
    this.line = at.line;
    this.column = at.column;
  }
}
