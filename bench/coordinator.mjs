/**
 * What the coordinator itself costs a case: read, find, dispatch, merge, write, with workers that solve
 * nothing. Prints the main thread's busy time a case; the wall time beside it is bound by the null workers.
 *
 *   npm run build && node bench/coordinator.mjs [cases] [rows] [cols]
 */

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LocalPool, loadProblem, openSink, openSource, run, Tally } from '../dist/src/index.js';

const RUNS = 5;
const [cases, rows, cols] = [1_000_000, 15, 15].map((value, i) => Number(process.argv[i + 2] ?? value));

const folder = mkdtempSync(join(tmpdir(), 'boardmill-'));
const input = join(folder, 'input.in');
await writeInput();
const runs = [];
for (let i = 0; i < RUNS; i++) runs.push(await measure());
rmSync(folder, { recursive: true });
runs.sort((a, b) => a.busyNs - b.busyNs);
console.log(`${cases} cases of ${rows}x${cols}, Node ${process.version}, ${RUNS} runs`);
for (const { busyNs, wallNs } of runs) {
  console.log(`  coordinator busy ${busyNs.toFixed(0)} ns a case, wall ${wallNs.toFixed(0)} ns a case`);
}

async function writeInput() {
  const board = `${rows} ${cols}\n${`${'.'.repeat(cols)}\n`.repeat(rows)}`;
  const stream = createWriteStream(input);
  stream.write(`${cases}\n`);
  for (let left = cases; left > 0; left -= 1000) {
    if (!stream.write(board.repeat(Math.min(1000, left)))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

async function measure() {
  const worker = new URL('./null-worker.mjs', import.meta.url).href;
  const pool = new LocalPool(
    { problem: 'bacterial-tactics', solver: 'auto' },
    { jobs: 1, workerFile: worker },
  );
  const source = await openSource(input);
  const sink = await openSink('/dev/null', { force: false, resume: false, terms: {}, note: console.error });
  const options = {
    problem: await loadProblem('bacterial-tactics'),
    format: 'text',
    onError: 'stop',
    chunkBytes: null,
    jobs: 1,
    retries: 0,
    warn: console.error,
  };
  const before = performance.eventLoopUtilization();
  const begin = performance.now();
  await run(source, sink, pool, options, new Tally());
  const wall = performance.now() - begin;
  const { active } = performance.eventLoopUtilization(before);
  await sink.finish();
  await source.close();
  await pool.close();
  return { busyNs: (active * 1e6) / cases, wallNs: (wall * 1e6) / cases };
}
