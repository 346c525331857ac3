/**
 * Tests of how the library reads, scans and solves an input: in ranges, as the command does, and not far ahead of its loop. The
 * worker threads are real ones, so the library is the compiled one.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_STREAMED_CHUNK_BYTES, MIN_CHUNK_BYTES_FOR_RANGES } from '../../src/engine/limits.js';
import type { RangeTask } from '../../src/engine/parallel-scan/range-messages.js';
import { ROOT } from '../cli/boardmill.js';
import { endlessInput } from '../support/endless-input.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

allowSlowTests();

const load = (path: string) => import(pathToFileURL(join(ROOT, 'build/src', path)).href);
const { solveFile, solveStream }: typeof import('../../src/index.js') = await load('index.js');
const { runCommand }: typeof import('../../src/cli/run-command.js') = await load('cli/run-command.js');

const { at, read, write } = folderForEachTest();

beforeEach(() => vi.stubEnv('XDG_STATE_HOME', join(ROOT, 'node_modules/.cache/boardmill-test-state')));
afterEach(() => vi.restoreAllMocks());

describe('workers scan a file', () => {
  const BYTES = 6 * MIN_CHUNK_BYTES_FOR_RANGES;
  const CASE = '2 3\nLRX\nXLR\n';
  const options = { jobs: 2, chunkBytes: MIN_CHUNK_BYTES_FOR_RANGES };

  beforeEach(() => write('all.in', CASE.repeat(BYTES / CASE.length)));

  /** Returns where the ranges begin and end that the worker threads get while `solve` runs. */
  async function rangesDuring(solve: () => Promise<unknown>): Promise<Pick<RangeTask, 'from' | 'to'>[]> {
    const run = vi.spyOn(Piscina.prototype, 'run');
    await solve();
    const calls = run.mock.calls.map(([call]) => call as { name: string; task: RangeTask });
    run.mockRestore();
    return calls
      .filter(({ name }) => name === 'solveByteRange')
      .map(({ task: { from, to } }) => ({ from, to }));
  }

  test('in the same ranges for solveFile as for `boardmill solve`', async () => {
    const args = ['solve', 'darkraft', at('all.in'), '-o', at('command.ans'), '-q', '-j', '2'];
    const ofCommand = await rangesDuring(() =>
      runCommand([...args, '--chunk', `${MIN_CHUNK_BYTES_FOR_RANGES}`]),
    );
    const ofLibrary = await rangesDuring(() =>
      solveFile('darkraft', at('all.in'), at('library.ans'), options),
    );
    expect(ofLibrary).toEqual(ofCommand);
    expect(ofCommand).toHaveLength(5);
    expect(read('library.ans')).toBe(read('command.ans'));
  });

  test('in ranges for solveStream, too', async () => {
    let answers = 0;
    const ranges = await rangesDuring(async () => {
      for await (const _ of solveStream('darkraft', at('all.in'), options)) answers++;
    });
    expect(answers).toBe(BYTES / CASE.length);
    expect(ranges).toHaveLength(5);
  });
});

describe('a run that waits for its loop', () => {
  const CASE_BYTES = 6;
  /** One worker solves chunks in their order. Of several, one may solve later chunks while another one still solves an earlier. */
  const JOBS = 1;
  /** A chunk that the loop is taking, those that may be solved meanwhile, and one that waits to be given out. */
  const MAX_CHUNKS = 1 + 2 * JOBS + 1;

  /** Solves another input from its beginning to its end, which gives a run that waits the time to go on if it could. */
  async function solveAnother(): Promise<void> {
    async function* input() {
      for (let piece = 0; piece < 100; piece++) yield '1 1\nL\n'.repeat(1000);
    }
    for await (const _ of solveStream('darkraft', input(), { jobs: JOBS }));
  }

  // Multiples of the lanes of a kernel, so that a chunk has the cases of a piece. The answers to few cases fit into buffers of Node.
  test.each([16, 1008])(
    'has read two chunks per worker ahead, one for the loop, and one more, of %i cases each',
    async (cases) => {
      const { state, input } = endlessInput(cases);
      const answers = solveStream('darkraft', input, { jobs: JOBS, chunkBytes: cases * CASE_BYTES });
      for (let taken = 1; taken <= 5 * cases + 1; taken++) {
        await answers.next();
        if ((taken - 1) % (5 * cases) > 0) continue;
        // Where the last chunk ends is known when the next piece has come.
        const expected = (taken - 1) / cases + MAX_CHUNKS + 1;
        await until(() => state.pieces >= expected);
        await solveAnother();
        expect(state.pieces).toBe(expected);
      }
      await answers.return();
      expect(state.isClosed).toBe(true);
    },
  );

  test('has read few bytes ahead, however cheap its cases are and however many it has solved', async () => {
    const PIECE_BYTES = 1000 * CASE_BYTES;
    const TAKEN = 300_000;
    const { state, input } = endlessInput();
    const answers = solveStream('darkraft', input, { jobs: JOBS });
    const bytesAhead = (taken: number) => state.pieces * PIECE_BYTES - taken * CASE_BYTES;
    // A chunk may be larger than its size, by a piece.
    const most = MAX_CHUNKS * (MAX_STREAMED_CHUNK_BYTES + PIECE_BYTES);
    for (let taken = 1; taken <= TAKEN; taken++) {
      await answers.next();
      if (bytesAhead(taken) > most) expect(bytesAhead(taken)).toBeLessThanOrEqual(most);
    }
    await solveAnother();
    expect(bytesAhead(TAKEN)).toBeLessThanOrEqual(most);
    await answers.return();
  });

  test('ends when its signal is aborted, although the loop takes no answer meanwhile', async () => {
    const { state, input } = endlessInput();
    const controller = new AbortController();
    const { signal } = controller;
    const answers = solveStream('darkraft', input, { jobs: JOBS, chunkBytes: 1, signal });
    await answers.next();
    const reason = new Error('enough');
    controller.abort(reason);
    await until(() => state.isClosed);
    await expect(answers.next()).rejects.toBe(reason);
  });
});
