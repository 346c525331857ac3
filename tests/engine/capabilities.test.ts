/** Tests that what is around a source or a dispatcher loses none of its abilities. */
import { describe, expect, test } from 'vitest';
import { FileGuard } from '../../src/core/files/file-guard.js';
import { Dispatcher } from '../../src/engine/dispatcher.js';
import { GuardedDispatcher } from '../../src/engine/guarded-dispatcher.js';
import { Source } from '../../src/engine/input/source.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { StoppableDispatcher } from '../../src/library/stoppable.js';
import { InProcess } from '../support/in-process.js';
import { boardOf, MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';

/** A dispatcher whose every ability has a value of its own. */
class AbleDispatcher extends Dispatcher {
  readonly maxChunksAtOnce = 11;
  readonly maxCasesPerChunk = 12;
  readonly mostWorkers = 13;
  readonly lastChunks = 14;
  readonly cutting = { targetMs: 15, maxBytes: 16, isAligned: true };
  readonly narrowsByHalves = true;
  readonly solveByteRange = async () => 'a range' as never;
  isClosed = false;
  hasGivenUp = false;
  solve = async () => 'a chunk' as never;

  giveUp(): void {
    this.hasGivenUp = true;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** What tells a test that a dispatcher was called. */
const STATE = ['isClosed', 'hasGivenUp'];

const guard = FileGuard.of([]);

/** Returns the names of all members of a dispatcher, which its class and the classes above it have. */
function membersOf(dispatcher: Dispatcher): string[] {
  const names = new Set(Object.keys(dispatcher));
  for (
    let each = Object.getPrototypeOf(dispatcher);
    each !== Object.prototype;
    each = Object.getPrototypeOf(each)
  )
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  return [...names];
}

describe.each<[string, (inner: Dispatcher) => Dispatcher]>([
  ['StoppableDispatcher', (inner) => new StoppableDispatcher(inner, new AbortController().signal)],
  ['GuardedDispatcher', (inner) => new GuardedDispatcher(inner, [guard])],
])('%s', (_, wrap) => {
  test('has every ability of the dispatcher in it', async () => {
    const inner = new AbleDispatcher();
    const wrapper = wrap(inner);
    expect(membersOf(wrapper)).toEqual(
      expect.arrayContaining(Object.keys(inner).filter((name) => !STATE.includes(name))),
    );
    const { maxChunksAtOnce, maxCasesPerChunk, mostWorkers, lastChunks, cutting, narrowsByHalves } = wrapper;
    expect({ maxChunksAtOnce, maxCasesPerChunk, mostWorkers, lastChunks, cutting, narrowsByHalves }).toEqual({
      maxChunksAtOnce: 11,
      maxCasesPerChunk: 12,
      mostWorkers: 13,
      lastChunks: 14,
      cutting: inner.cutting,
      narrowsByHalves: true,
    });
    expect(await wrapper.solve({} as never)).toBe('a chunk');
    expect(await wrapper.solveByteRange?.({} as never)).toBe('a range');
    wrapper.giveUp();
    expect(inner.hasGivenUp).toBe(true);
    await wrapper.close();
    expect(inner.isClosed).toBe(true);
  });

  test('has no ability that the dispatcher in it lacks', () => {
    expect(wrap(new InProcess(widthProblem)).solveByteRange).toBeNull();
  });
});

describe('copies', () => {
  test('a copy of a source with other pieces is not a source', async () => {
    const { pieces } = sourceOf(boardOf(1));
    const copy = { ...sourceOf(boardOf(2)), pieces };
    const running = () =>
      // @ts-expect-error It would show other bytes in its file or its pipe.
      solveInput(copy, new MemorySink(), new InProcess(widthProblem), runOptions(), new RunTally());
    await expect(running()).rejects.toThrow();
  });

  test('a copy of a dispatcher is not a dispatcher', () => {
    const dispatcher = new AbleDispatcher();
    // @ts-expect-error It would lack what the copy does not name.
    const copy: Dispatcher = { ...dispatcher, solve: dispatcher.solve };
    expect(copy).not.toBeInstanceOf(Dispatcher);
  });

  test('a source keeps its beginning, whatever the size of its pieces', async () => {
    const bytes = new Uint8Array(200_000).map((_, i) => i);
    for (const size of [1, 7, 65_536, 200_000]) {
      const pieces = (async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      })();
      const source = new Source({ name: 'x', size: null, pieces, close: async () => {} });
      expect(source.beginning).toHaveLength(0);
      for await (const _ of source.pieces);
      expect(Buffer.compare(source.beginning, bytes.subarray(0, 65_536))).toBe(0);
    }
  });
});
