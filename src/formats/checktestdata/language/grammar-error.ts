import { BoardmillError } from '../../../core/errors.js';
import type { Place } from './syntax.js';

/** A mistake in a grammar, with its place in the grammar's file. It is the mistake of the grammar's author. */
export class GrammarError extends BoardmillError {
  readonly line: number;
  readonly column: number;

  constructor(
    readonly fileName: string,
    at: Place,
    /** What is wrong, without the place. */
    readonly reason: string,
  ) {
    super('usage', `${fileName}:${at.line}:${at.column}: ${reason}`);
    this.line = at.line;
    this.column = at.column;
  }
}
