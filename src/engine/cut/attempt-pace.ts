import { MIN_RESCAN_BYTES } from '../limits.js';

/**
 * Says when the scanner tries again to find the end of something large. The number of bytes that must have arrived doubles with each
 * attempt, up to the largest size of a case, so that the attempts together take no longer than four.
 */
export class AttemptPace {
  readonly #maxCaseBytes: number;
  #wantedBytes = 0;

  constructor(maxCaseBytes: number) {
    this.#maxCaseBytes = maxCaseBytes;
  }

  /** Whether enough bytes have arrived for another attempt. */
  isDue(availableBytes: number): boolean {
    return availableBytes >= this.#wantedBytes;
  }

  /** Called after an attempt for which these bytes were not enough. */
  wait(availableBytes: number): void {
    this.#wantedBytes =
      availableBytes < MIN_RESCAN_BYTES ? 0 : Math.min(2 * availableBytes, this.#maxCaseBytes);
  }

  /** Called after an attempt that has found what it looked for. */
  reset(): void {
    this.#wantedBytes = 0;
  }
}
