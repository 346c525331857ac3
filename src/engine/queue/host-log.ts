/** One event of a host, for its log. */
export interface HostEvent {
  readonly level: 'info' | 'warn' | 'error';
  /** What happened, as a short name that programs can compare. */
  readonly event: string;
  /** What happened, as a sentence. */
  readonly message: string;
  readonly [field: string]: unknown;
}
