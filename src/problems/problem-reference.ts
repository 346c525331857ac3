/** A reference says which problem a thread must load. It is plain data, so that it can be sent to worker threads. */
import type { GrammarUse } from './grammar-use.js';

export type ProblemReference =
  /** A built-in problem, by its name in the registry. */
  | { readonly kind: 'built-in'; readonly name: string }
  /** A module of a user, by its `file:` URL and by the path that the user typed. */
  | { readonly kind: 'module'; readonly url: string; readonly typed: string }
  /** A grammar of a user, by its path, with the options that say how it describes the problem. */
  | { readonly kind: 'grammar'; readonly path: string; readonly use: GrammarUse };
