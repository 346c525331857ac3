/** The page's side of the engine: a worker that runs the page's own script. */
import type { PageProblem } from '../games.js';
import { PageEngine } from './engine.js';
import type { PageEngineAnswer, PageEngineRequest } from './messages.js';

export interface PageEngineClient {
  /**
   * Asks the engine. While the engine is busy, only the latest request waits: the promise of a request that another one
   * replaces is never settled.
   */
  ask(request: PageEngineRequest): Promise<PageEngineAnswer>;
}

/** Messages are texts, because browsers print and parse JSON faster than they copy many small objects. */
export function serveAsPageEngineWorker(problem: PageProblem): void {
  const engine = new PageEngine(problem);
  addEventListener('message', ({ data }: MessageEvent<string>) => {
    (postMessage as (message: string) => void)(JSON.stringify(answerSafely(engine, JSON.parse(data))));
  });
}

function answerSafely(engine: PageEngine, request: PageEngineRequest): PageEngineAnswer {
  try {
    return engine.answer(request);
  } catch (error) {
    return { kind: 'failure', message: String(error) };
  }
}

/** Starts the engine in a worker. A browser that allows the page no worker runs the engine in the page. */
export function openPageEngine(problem: PageProblem, script: string): PageEngineClient {
  try {
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), {
      name: problem.name,
    });
    return new WorkerClient(worker);
  } catch {
    const engine = new PageEngine(problem);
    // Later, so that the browser first draws that the page is working.
    return {
      ask: (request) => new Promise((resolve) => setTimeout(() => resolve(answerSafely(engine, request)))),
    };
  }
}

interface WaitingRequest {
  readonly request: PageEngineRequest;
  readonly resolve: (answer: PageEngineAnswer) => void;
}

class WorkerClient implements PageEngineClient {
  readonly #worker: Worker;
  #running: WaitingRequest | null = null;
  #next: WaitingRequest | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<string>) => this.#finish(JSON.parse(data));
    worker.onerror = ({ message }) => this.#finish({ kind: 'failure', message });
  }

  ask(request: PageEngineRequest): Promise<PageEngineAnswer> {
    return new Promise((resolve) => {
      this.#next = { request, resolve };
      if (this.#running === null) this.#startNext();
    });
  }

  #startNext(): void {
    this.#running = this.#next;
    this.#next = null;
    if (this.#running !== null) this.#worker.postMessage(JSON.stringify(this.#running.request));
  }

  #finish(answer: PageEngineAnswer): void {
    this.#running?.resolve(answer);
    this.#startNext();
  }
}
