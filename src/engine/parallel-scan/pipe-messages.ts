/** What the coordinator and the thread that reads a pipe send each other: plain data. */

/** Memory that the thread fills with bytes of the pipe. */
export interface PipeSegment {
  readonly memory: SharedArrayBuffer;
  /** Number of bytes that are already in it. */
  readonly filled: number;
}

/** What the thread gets when it is started. It fills the segments one after another. */
export interface PipeThreadSettings {
  /** The path at which it opens the pipe. */
  readonly path: string;
  readonly segments: readonly PipeSegment[];
}

/** What the thread says. */
export interface PipeReport {
  /** Number of bytes that it has read from the pipe so far. */
  readonly bytes: number;
  readonly isAtEnd: boolean;
  /** Why it can read no more; null if it can, or if the pipe has ended. */
  readonly failure: { readonly code?: string; readonly message: string } | null;
}
