/** One event of a worker process, for its log. */
export interface WorkerEvent {
  readonly level: 'info' | 'warn' | 'error';
  /** What happened, as a short name that programs can compare. */
  readonly event: string;
  /** What happened, as a sentence. */
  readonly message: string;
  readonly [field: string]: unknown;
}
