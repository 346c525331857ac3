/** Reports the mistakes that the author of a problem makes in its definition. */
import { BoardmillError, type ErrorCause } from '../../core/errors.js';

/** A mistake in the definition of a problem, or in an expression of it. The problem's author has to correct the mistake. */
export class AuthorError extends BoardmillError {
  constructor(message: string, options?: ErrorCause) {
    super('usage', message, options);
  }
}

/** A place inside the definition of a problem, such as `input.customers.likes`. */
export class AuthorPlace {
  readonly #problem: string;
  readonly #path: string;

  constructor(problem: string, path: string) {
    this.#problem = problem;
    this.#path = path;
  }

  field(name: string): AuthorPlace {
    return new AuthorPlace(this.#problem, `${this.#path}.${name}`);
  }

  /** Returns the place of the record of an `either` that begins with one of these tags. */
  variant(tags: readonly string[]): AuthorPlace {
    return new AuthorPlace(this.#problem, `${this.#path}["${tags.join(' ')}"]`);
  }

  error(message: string, options?: ErrorCause): AuthorError {
    return new AuthorError(`problem ${this.#problem}: ${this.#path}: ${message}`, options);
  }
}

/**
 * The mistakes that the functions in fields.ts and layouts.ts have found, by the part of the tree that has the mistake. These
 * functions know neither the problem nor the place of a field, so they put a placeholder into the tree. check-tree.ts reports
 * the mistake with its place. The stack trace of the mistake leads to the author's call.
 */
const mistakes = new WeakMap<object, AuthorError>();

/** Notes that this part of a tree is a placeholder for something that cannot be in a tree. Returns the part. */
export function markPlaceholder<Part extends object>(part: Part, mistake: string): Part {
  mistakes.set(part, new AuthorError(mistake));
  return part;
}

export function mistakeOf(part: object): AuthorError | null {
  return mistakes.get(part) ?? null;
}

/** Returns a value that an author has given, as messages show it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
