/** The messages between the coordinator and the thread that reads a pipe: plain data. */

/** Memory that the thread fills with bytes of the pipe. */
export interface PipeSegment {
  readonly memory: SharedArrayBuffer;
  /** Number of bytes that are already in the segment. */
  readonly filled: number;
}

/** The settings with which the thread is started. The thread fills the segments one after another. */
export interface PipeThreadSettings {
  /** The path at which the thread opens the pipe. */
  readonly path: string;
  readonly segments: readonly PipeSegment[];
}

/** What the thread says. */
export interface PipeReport {
  /** Number of bytes that the thread has read from the pipe so far. */
  readonly bytes: number;
  readonly isAtEnd: boolean;
  /** The error because of which the thread can read no more; null if there is none. */
  readonly failure: { readonly code?: string; readonly message: string } | null;
}
