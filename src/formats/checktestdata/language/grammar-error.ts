import { BoardmillError } from '../../../core/errors.js';
import type { GrammarPlace } from './syntax.js';

/** A mistake in a grammar, and its place in the grammar's file. The author of the grammar has to correct it. */
export class GrammarError extends BoardmillError {
  readonly line: number;
  readonly column: number;

  constructor(
    readonly fileName: string,
    at: GrammarPlace,
    /** The description of the mistake, without its place. */
    readonly reason: string,
  ) {
    super('usage', `${fileName}:${at.line}:${at.column}: ${reason}`);
    this.line = at.line;
    this.column = at.column;
  }
}
