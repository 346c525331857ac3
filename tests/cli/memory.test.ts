/** Tests that memory stays bounded for large inputs, slow readers and slow cases. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { MAX_WAITING_ANSWER_BYTES } from '../../src/engine/limits.js';
import { streamSink } from '../../src/engine/output/open-sink.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { defer, settled } from '../support/deferred.js';
import { dispatcherOf } from '../support/dispatchers.js';
import { InProcess } from '../support/in-process.js';
import { boardOf, MemorySink, runOptions, sourceOf, widthAnswers, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { shell } from './boardmill.js';
import { BLOCK, BLOCK_CASES, BLOCKS, expectLittleMemory, MIB, NO_TIME_LIMIT } from './large-input.js';

allowSlowTests();

test(
  'solving 250 MB of cases from a pipe with -j 2 needs less than 400 MiB of memory',
  NO_TIME_LIMIT,
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'block'), BLOCK);
    const input = `{ echo ${BLOCKS * BLOCK_CASES}; for i in $(seq ${BLOCKS}); do cat block; done; }`;
    const script = `${input} | boardmill solve bt -j 2 --stats stats.json | wc -l`;
    const { stdout, stderr } = await shell(script, { cwd: folder });
    expect([Number(stdout), stderr]).toEqual([BLOCKS * BLOCK_CASES, '']);
    expectLittleMemory(readFileSync(join(folder, 'stats.json'), 'utf8'));
  },
);

/** Returns a problem in which every answer has this number of bytes. */
const problemWithAnswersOf = (bytes: number) => ({
  ...widthProblem,
  answerFormat: widthAnswers(() => 'x'.repeat(bytes)),
});

test('boardmill stops reading the input if nobody reads the answers', async () => {
  const CHUNK_CASES = 1000;
  const problem = problemWithAnswersOf(1000);
  const block = new TextEncoder().encode(boardOf(1).repeat(CHUNK_CASES));
  let blocksRead = 0;
  let isStopped = false;
  const pieces = (async function* () {
    for (; !isStopped; blocksRead++) yield block;
  })();
  let release = () => {};
  const stalled = new Writable({
    write: (_bytes, _encoding, done) => {
      release = done;
    },
  });
  const source = sourceOf('', undefined, { size: null, pieces });
  const options = runOptions({ problem, chunkBytes: block.length });
  const running = solveInput(source, streamSink(stalled), new InProcess(problem), options, new RunTally());
  // The answers to one block have about a megabyte.
  const maxBlocks = MAX_WAITING_ANSWER_BYTES / MIB + 10;
  expect(await settled(() => blocksRead)).toBeLessThan(maxBlocks);
  release();
  expect(await settled(() => blocksRead)).toBeLessThan(maxBlocks + 1);
  isStopped = true;
  stalled.destroy(new Error('gone'));
  await expect(running).rejects.toThrow('cannot write standard output');
});

test('while an early case is being solved, later answers wait in memory only up to MAX_WAITING_ANSWER_BYTES', async () => {
  const gate = defer();
  const problem = problemWithAnswersOf(MIB);
  const inner = new InProcess(problem, 4);
  let startedTasks = 0;
  const dispatcher = dispatcherOf(async (task) => {
    startedTasks++;
    if (task.firstCase === 1) await gate.promise;
    return inner.solve(task);
  }, inner.maxChunksAtOnce);
  const CASES = 2 * (MAX_WAITING_ANSWER_BYTES / MIB);
  const sink = new MemorySink();
  const source = sourceOf(boardOf(1).repeat(CASES));
  const running = solveInput(
    source,
    sink,
    dispatcher,
    runOptions({ problem, chunkBytes: 1 }),
    new RunTally(),
  );
  expect(await settled(() => startedTasks)).toBeLessThanOrEqual(
    MAX_WAITING_ANSWER_BYTES / MIB + inner.maxChunksAtOnce,
  );
  expect(sink.text).toBe('');
  gate.resolve();
  await running;
  expect(sink.text.length).toBe(CASES * MIB);
});
