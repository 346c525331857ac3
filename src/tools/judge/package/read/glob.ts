/** The glob patterns of submissions.yaml: `*` for any part of one name, and `{one,other}`. */
import { BoardmillError } from '../../../../core/errors.js';
import { MAX_GLOB_COMBINATIONS } from '../limits.js';

export interface GlobPattern {
  /** The pattern as it was written. */
  readonly text: string;
  /** Whether the pattern matches a path, or a folder above it. */
  test(path: string): boolean;
}

/** Compiles patterns, each of them once: every pattern is compared with every submission or test. */
export class GlobCompiler {
  readonly #compiled = new Map<string, GlobPattern>();
  #alternatives = 0;

  /** Compiles a pattern. Fails with kind `input` if the braces of all patterns together have too many combinations. */
  compile(text: string): GlobPattern {
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const alternatives = expandBraces(text.replace(/\/$/, ''));
    this.#alternatives += alternatives.length;
    if (this.#alternatives > MAX_GLOB_COMBINATIONS)
      throw new BoardmillError(
        'input',
        `the patterns of submissions.yaml stand for more than ${MAX_GLOB_COMBINATIONS} patterns`,
      );
    const glob = globOf(text, alternatives);
    this.#compiled.set(text, glob);
    return glob;
  }
}

/** Matching takes time linear in the length of the path for each `*`, whatever the pattern. */
function globOf(text: string, alternatives: readonly string[]): GlobPattern {
  const split = alternatives.map((each) => each.split('/').map((name) => name.split('*')));
  return {
    text,
    test(path) {
      const names = path.split('/');
      return split.some((patterns) => matchesParts(patterns, names));
    },
  };
}

/** Largest number of combinations that the braces of one pattern may have. */
const MAX_ALTERNATIVES = 100;

/** Returns the patterns without braces that a pattern with braces stands for. Braces cannot be nested. */
function expandBraces(text: string): string[] {
  let expanded = [''];
  for (const [index, part] of text.split(/\{([^{}]*)\}/).entries()) {
    // The parts with odd indexes are those in braces.
    const choices = index % 2 === 0 ? [part] : part.split(',').map((choice) => choice.trim());
    if (expanded.length * choices.length > MAX_ALTERNATIVES)
      throw new BoardmillError(
        'input',
        `the pattern ${text} stands for more than ${MAX_ALTERNATIVES} patterns`,
      );
    expanded = expanded.flatMap((start) => choices.map((choice) => start + choice));
  }
  return expanded;
}

/** Whether one of the patterns matches a path. A pattern also matches everything in a folder that it matches. */
function matchesParts(patterns: readonly (readonly string[])[], names: readonly string[]): boolean {
  return (
    patterns.length <= names.length && patterns.every((pattern, index) => matchesName(pattern, names[index]))
  );
}

/** Whether a name matches a pattern, given as the texts between its stars. Each text is matched as early as possible. */
function matchesName(texts: readonly string[], name: string): boolean {
  if (texts.length === 1) return texts[0] === name;
  const [first, last] = [texts[0], texts.at(-1)!];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  const inner = name.slice(first.length, name.length - last.length);
  let at = 0;
  for (const text of texts.slice(1, -1)) {
    const found = inner.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return true;
}
