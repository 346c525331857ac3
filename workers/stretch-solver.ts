import { endsRun } from '../src/engine/chunk-result.js';
import type { Chunk } from '../src/engine/cut/scan.js';
import { MAX_WRONG_GUESSES } from '../src/engine/limits.js';
import type { ChunkResult, WorkerTask, WorkProgress } from '../src/engine/messages.js';
import { publishProgress } from '../src/engine/messages.js';
import { type BatonPosition, passBaton, takeBaton } from '../src/engine/parallel-scan/baton.js';
import type { SolvedPart, StretchResult, StretchTask } from '../src/engine/parallel-scan/stretch-messages.js';
import { StretchReader } from '../src/engine/parallel-scan/stretch-reader.js';
import { createPart, createStretchResult, hashStretch } from '../src/engine/parallel-scan/stretch-result.js';
import {
  type ScannedStretch,
  type StretchedInput,
  StretchScanner,
} from '../src/engine/parallel-scan/stretch-scanner.js';
import type { InputFormat } from '../src/formats/input-format.js';

/** A stretch as a worker thread gets it. */
export interface StretchWork extends StretchTask {
  readonly progress: WorkProgress;
}

/** Reads, scans and solves stretches in a worker thread. */
export class StretchSolver {
  readonly #inputFormat: InputFormat;
  readonly #solveChunk: (task: WorkerTask) => Promise<ChunkResult>;
  readonly #reader = new StretchReader();
  /** Number of the head of the input whose stretches were solved last, and that head, one character per byte. */
  #headNumber = 0;
  #headText: string | null = null;
  /** Number of guesses in a row that were wrong, in that input. */
  #wrongGuesses = 0;
  /** Milliseconds for which this thread has waited for the baton of the current stretch. */
  #waitedMs = 0;

  constructor(inputFormat: InputFormat, solveChunk: (task: WorkerTask) => Promise<ChunkResult>) {
    this.#inputFormat = inputFormat;
    this.#solveChunk = solveChunk;
  }

  async solve(work: StretchWork): Promise<StretchResult> {
    publishProgress(work.progress, 0, 0);
    this.#useHead(work);
    const begin = performance.now();
    this.#reader.load(work.source, work);
    const readMs = performance.now() - begin;
    const scanned = this.#scan(work);
    const hashes = work.isHashed ? await hashStretch(this.#reader, scanned) : null;
    const scanMs = performance.now() - begin - readMs - this.#waitedMs;
    const parts = await this.#solveChunks(work, scanned);
    return createStretchResult(scanned, parts, hashes, { readMs, scanMs });
  }

  #useHead({ head }: StretchWork): void {
    if (head.number === this.#headNumber) return;
    this.#headNumber = head.number;
    this.#headText = head.bytes === null ? null : Buffer.from(head.bytes).toString('latin1');
    this.#wrongGuesses = 0;
  }

  /** Scans the stretch, waits for its baton, and passes the next one before anything is solved. */
  #scan(work: StretchWork): ScannedStretch {
    const scanner = new StretchScanner(this.#inputOf(work), this.#reader, work);
    const guessed = this.#canGuess(work) ? scanner.guess() : null;
    const baton = this.#takeBaton(work);
    if (baton === null) throw new Error('the run has ended');
    this.#reader.reach(baton.offset, work.isHashed);
    const scanned = scanner.verify(guessed, baton);
    if (scanned.failure !== undefined) throw scanned.failure;
    const { position, isOver } = scanned;
    passBaton(work.nextBaton, { ...position, isOver });
    if (guessed !== null) this.#wrongGuesses = scanned.isGuessed ? 0 : this.#wrongGuesses + 1;
    return scanned;
  }

  /** A stretch of a pipe begins where the one before had to stop, almost never where a case seems to begin. */
  #canGuess({ source }: StretchWork): boolean {
    return source.kind === 'file' && this.#wrongGuesses < MAX_WRONG_GUESSES;
  }

  #takeBaton({ baton }: StretchWork): BatonPosition | null {
    const begin = performance.now();
    const position = takeBaton(baton);
    this.#waitedMs = performance.now() - begin;
    return position;
  }

  #inputOf({ settings, promised }: StretchWork): StretchedInput {
    const { onError } = settings;
    return { inputFormat: this.#inputFormat, onError, head: this.#headText, promised };
  }

  async #solveChunks(work: StretchWork, { chunks, position }: ScannedStretch): Promise<SolvedPart[]> {
    const parts: SolvedPart[] = [];
    const casesOfAll = chunks.reduce((sum, { starts }) => sum + starts.length - 1, 0);
    const casesBefore = position.cases - casesOfAll;
    for (const chunk of chunks) {
      work.progress[3] = chunk.firstCase - 1 - casesBefore;
      const result = await this.#solveChunk(this.#taskOf(work, chunk));
      parts.push(createPart(chunk, result));
      if (endsRun(result.faults, work.settings)) break;
    }
    return parts;
  }

  #taskOf({ head, settings, progress }: StretchWork, { bytes, starts, firstCase }: Chunk): WorkerTask {
    return { bytes, starts, firstCase, head, settings, progress, origin: null, isSolvedOneByOne: false };
  }
}
