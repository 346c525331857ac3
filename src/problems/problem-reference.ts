/** Says which problem to load. A reference is plain data, so that it can be sent to worker threads. */
import type { GrammarUse } from './grammar-use.js';

export type ProblemReference =
  /** A problem of the registry. */
  | { readonly kind: 'built-in'; readonly name: string }
  /** A module of a user: its `file:` URL, and the path as the user typed it. */
  | { readonly kind: 'module'; readonly url: string; readonly typed: string }
  /** A grammar of a user: its path, and how it is used. */
  | { readonly kind: 'grammar'; readonly path: string; readonly use: GrammarUse };
