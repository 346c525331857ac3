import { Dispatcher } from '../../src/engine/dispatcher.js';

/** A dispatcher that solves only chunks, as many as come, and has none of the other abilities. */
export abstract class PlainDispatcher extends Dispatcher {
  readonly maxChunksAtOnce: number = 1;
  readonly maxCasesPerChunk: number | null = null;
  readonly mostWorkers: number | null = null;
  readonly lastChunks: number | null = null;
  readonly cutting: Dispatcher['cutting'] = null;
  readonly narrowsByHalves: boolean = false;

  get solveByteRange(): Dispatcher['solveByteRange'] {
    return null;
  }

  giveUp(): void {}

  async close(): Promise<void> {}
}

/** Returns a dispatcher that solves chunks in this way. */
export function dispatcherOf(solve: Dispatcher['solve'], maxChunksAtOnce = 1): Dispatcher {
  return new (class extends PlainDispatcher {
    override readonly maxChunksAtOnce = maxChunksAtOnce;
    solve = solve;
  })();
}
