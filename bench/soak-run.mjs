/**
 * Solves one input file with workers that may die at random (mortal-worker.mjs). If the output has a checkpoint, the
 * run resumes from it. bench/soak.mjs starts this program.
 *
 *     node bench/soak-run.mjs PROBLEM INPUT OUTPUT CHUNK-BYTES OUTPUT-FORMAT
 */
import { resolve } from 'node:path';
import { loadProblem } from '../build/src/catalog/registry.js';
import { openSource } from '../build/src/engine/input/read.js';
import { LocalPool } from '../build/src/engine/local-pool.js';
import { openSink } from '../build/src/engine/output/open-sink.js';
import { PLAIN_SETTINGS } from '../build/src/engine/output-settings.js';
import { solveInput } from '../build/src/engine/run.js';
import { RunTally } from '../build/src/engine/tally.js';

const [name, input, output, chunkBytes, format] = process.argv.slice(2);
const outputFormat = /** @type {import('../build/src/problems/output-formats.js').OutputFormat} */ (format);
const problem = await loadProblem(name);
const workerFile = new URL('./mortal-worker.mjs', import.meta.url).href;
const pool = new LocalPool({ problem: problem.reference, solver: 'auto' }, { jobs: 2, workerFile });
const stop = new AbortController();
const source = await openSource(input);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stop.abort(signal);
    void source.close();
  });
}
const settingsFingerprint = { problem: problem.name, '--format': outputFormat };
const sink = await openSink(resolve(output), {
  force: false,
  resume: true,
  settingsFingerprint,
  isRepeatable: true,
  inputStamp: null,
  isOneOfMany: false,
  note: () => {},
});
const options = {
  problem,
  settings: { ...PLAIN_SETTINGS, outputFormat },
  chunkBytes: Number(chunkBytes),
  jobs: 2,
  // The workers scan the input from the second chunk on, however small it is.
  minRangeBytes: 1,
  retries: 3,
  warn: () => {},
  note: () => {},
  stop: stop.signal,
};
try {
  await solveInput(source, sink, pool, options, new RunTally());
  await sink.finish();
} catch (error) {
  await sink.abandon();
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.kind === 'interrupted' ? 130 : 4;
}
await pool.close();
await source.close();
