/** Decides how many threads of a pool may work: at first one, if the inputs are so small that it may soon have solved them. */
import { KIB } from '../core/bytes.js';

/** Inputs with fewer bytes in all, such as the samples of a statement, are small. */
const SMALL_INPUT_BYTES = 16 * KIB;

/**
 * How long the first thread works alone after it has loaded its code: about as long as another thread takes to start. Estimates
 * from the first chunks were no better, because code that has just been loaded is slow.
 */
const ALONE_MS = 50;

/** How long the first thread has to load its code, before others start as well. */
const LOADING_MS = 250;

export class ThreadLimit {
  readonly #tasks: { concurrency: number };
  readonly #threads: number;
  #isFirstLoaded = false;
  /** While the first thread works alone, the timer that ends this; otherwise null. */
  #timer: NodeJS.Timeout | null = null;

  /** `tasks.concurrency` is the number of tasks that may be given to threads at once. It is changed in place. */
  constructor(tasks: { concurrency: number }) {
    this.#tasks = tasks;
    this.#threads = tasks.concurrency;
  }

  /** Lets the first thread work alone at first, if the inputs are small. Null stands for an unknown number of bytes. */
  expectInputs(bytes: number | null): void {
    if (bytes === null || bytes >= SMALL_INPUT_BYTES) return;
    this.#tasks.concurrency = 1;
    this.#letAllWorkAfter(this.#isFirstLoaded ? ALONE_MS : LOADING_MS);
  }

  /** Notes that a thread has loaded its code. */
  noteLoaded(): void {
    if (this.#timer !== null && !this.#isFirstLoaded) this.#letAllWorkAfter(ALONE_MS);
    this.#isFirstLoaded = true;
  }

  #letAllWorkAfter(ms: number): void {
    clearTimeout(this.#timer ?? undefined);
    const letAllWork = () => {
      this.#timer = null;
      this.#tasks.concurrency = this.#threads;
    };
    this.#timer = setTimeout(letAllWork, ms).unref();
  }
}
