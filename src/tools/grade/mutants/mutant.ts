/** What a mutant is: a right program with one small change, as a programmer could have made by mistake. */

/**
 * How a mutant can share a build with others: as an expression or a statement that is chosen when the program runs. `text`: the
 * mutant needs a build of its own.
 */
export type MutantForm = 'expression' | 'statement' | 'text';

/** A change of a source. Offsets count characters of the source. */
export interface SourceChange {
  readonly from: number;
  readonly to: number;
  /** What takes the place of these characters. */
  readonly text: string;
  readonly form: MutantForm;
}

export interface Mutant extends SourceChange {
  /** The number of the mutant among those of its program, from 1. */
  readonly number: number;
  /** The name of the operator that has made the change, such as `relational`. */
  readonly operator: string;
  /** Whether the mutant is meant to be slower than the program, with the same answers. */
  readonly isAboutTime: boolean;
  /** What the change replaces. */
  readonly original: string;
  /** Where the change is in the source, both from 1. */
  readonly line: number;
  readonly column: number;
  /** Where the part of the source begins that the preprocessor may leave out, with this change; null if it cannot. */
  readonly conditionalPart: number | null;
}

/**
 * Returns a text of a source for people. In a source, each byte is a character; this reads UTF-8 again. Text in another
 * encoding stays as it is.
 */
export function readableText(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

/**
 * Returns a source that no compiler accepts, unless the preprocessor leaves out the place of a mutant. A directive may
 * stand between any two words of a program.
 */
export function sourceWithErrorAt(source: string, { from }: SourceChange): string {
  return `${source.slice(0, from)}\n#error reached\n${source.slice(from)}`;
}

/** Returns the source of a mutant that is built on its own. */
export function sourceOfMutant(source: string, { from, to, text }: SourceChange): string {
  return source.slice(0, from) + text + source.slice(to);
}
