/**
 * How many cores one coordinator and one Redis can keep busy through a queue, and what is exhausted first.
 *
 *     node bench/queue-model.mjs [--work-ms MS] [--case-bytes N] [--answer-bytes N] [--network-gbit N]
 *
 * Without options it prints the table of all loads that bench/queue.mjs has measured on this machine last. With options it
 * answers for a load of your own: how long a case takes, and how many bytes a case and its answer have.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MAX_QUEUED_CHUNK_BYTES, QUEUED_CHUNK_TARGET_MS } from '../build/src/engine/queue/limits.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { lastResult } from './run-folder.mjs';

/** Share of a network's nominal speed that payload can use. */
const NETWORK_EFFICIENCY = 0.94;

/**
 * Predicts how a load is spread. `load` has, for each case: `workMs` (on one core), `bytes`, `answerBytes`, and `sentBytes` (of
 * chunk and answers, as they are sent). `costs` has the processor time that a chunk costs: `coordinator`, `redis` and `workerProcess`, each
 * `perChunkMs` and `perMegabyteMs` of input. Returns the size of a chunk, and the number of busy cores at which the coordinator,
 * Redis and the network are exhausted.
 */
export function predict(load, costs, networkGbit) {
  const wantedCases = QUEUED_CHUNK_TARGET_MS / load.workMs;
  const cases = Math.max(1, Math.min(wantedCases, MAX_QUEUED_CHUNK_BYTES / load.bytes));
  const megabytes = (cases * load.bytes) / 1e6;
  const workMs = cases * load.workMs;
  const costOf = ({ perChunkMs, perMegabyteMs }) => perChunkMs + perMegabyteMs * megabytes;
  const networkMs = (cases * load.sentBytes * 8) / (networkGbit * 1e6 * NETWORK_EFFICIENCY);
  const cores = {
    coordinator: workMs / costOf(costs.coordinator),
    redis: workMs / costOf(costs.redis),
    network: workMs / networkMs,
  };
  const first = Object.entries(cores).toSorted(([, a], [, b]) => a - b)[0][0];
  return {
    chunkBytes: megabytes * 1e6,
    chunkMs: workMs,
    workerProcessShare: costOf(costs.workerProcess) / workMs,
    cores,
    first,
  };
}

/** Formats the predictions for some loads as a table. */
export function tableOfPredictions(loads, costs, networkGbit) {
  const headings = [
    'load',
    'work per case',
    'chunk',
    'work per chunk',
    'coordinator',
    'Redis',
    `${networkGbit} Gbit/s`,
    'exhausted first',
  ];
  const rows = loads.map((load) => {
    const { chunkBytes, chunkMs, cores, first } = predict(load, costs, networkGbit);
    return [
      load.name,
      formatTime(load.workMs),
      formatBytes(chunkBytes),
      formatTime(chunkMs),
      formatCores(cores.coordinator),
      formatCores(cores.redis),
      formatCores(cores.network),
      first === 'redis' ? 'Redis' : `the ${first}`,
    ];
  });
  return markdownTable(headings, rows);
}

function formatTime(ms) {
  if (ms < 1) return `${(ms * 1000).toPrecision(3)} us`;
  return ms < 1000 ? `${ms.toPrecision(3)} ms` : `${(ms / 1000).toPrecision(3)} s`;
}

function formatBytes(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toPrecision(3)} KB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}

function formatCores(cores) {
  return Number(cores.toPrecision(2)).toLocaleString('en-US');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      'work-ms': { type: 'string' },
      'case-bytes': { type: 'string', default: '100' },
      'answer-bytes': { type: 'string', default: '20' },
      'network-gbit': { type: 'string', default: '1' },
    },
  });
  const { loads, costs } = lastResult('queue.json', 'node bench/queue.mjs');
  const bytes = Number(values['case-bytes']);
  const own = {
    name: 'your load',
    workMs: Number(values['work-ms']),
    bytes,
    // What cannot be deflated is sent as it is.
    sentBytes: bytes + Number(values['answer-bytes']),
  };
  const shown = values['work-ms'] === undefined ? loads : [own];
  console.log(tableOfPredictions(shown, costs, Number(values['network-gbit'])));
}
