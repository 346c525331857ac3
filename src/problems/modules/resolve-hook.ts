/**
 * The resolve hook that makes `import ... from 'boardmill'` in a user's module mean this very installation. Before Node
 * 22.15 the hook runs in a thread of its own, so this file imports nothing.
 */

/** URL of the library of this installation. */
let boardmillUrl: string;

/** Sets the URL that `boardmill` means. Node calls this function when the thread of the hook starts. */
export function initialize(url: string): void {
  boardmillUrl = url;
}

type NextResolve = (specifier: string, context: unknown) => unknown;

/** Decides what an import means. Node calls this function for every import. */
export function resolve(specifier: string, context: unknown, next: NextResolve): unknown {
  return specifier === 'boardmill' ? { url: boardmillUrl, shortCircuit: true } : next(specifier, context);
}
