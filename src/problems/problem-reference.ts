/** Says which problem to load. A reference is plain data, so that it can be sent to worker threads. */
export type ProblemReference =
  /** A problem of the registry. */
  | { readonly kind: 'built-in'; readonly name: string }
  /** A module of a user; `url` is its `file:` URL. */
  | { readonly kind: 'module'; readonly url: string }
  /** A grammar of a user. Worker threads never load a grammar, because it has no solver. */
  | { readonly kind: 'grammar'; readonly path: string };
