/**
 * Measures what a chunk costs a queue: commands of Redis, and processor time of the coordinator, of Redis and of a worker process.
 *
 *     npm run build && node bench/queue-chunks.mjs [--rounds N] [--chunks N] [--baseline FOLDER]
 *
 * A chunk is a single case that does nothing ("quick", several of which share a job), or whose worker sleeps for long enough
 * ("slow", each of which is a job). Each number is the difference between a run of twice as many chunks and a
 * run of that many, divided by their number, so that what a run costs apart from its chunks drops out.
 *
 * FOLDER has another boardmill that was built, such as an older commit, which is measured in turn with this one. Writes
 * queue-chunks.md and queue-chunks.json to runs/<date-machine>/.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import {
  measureChunk,
  mediansOf,
  openSleepers,
  QUICK_CHUNK,
  QueueCluster,
  ROOT,
  SLOW_CHUNK,
} from './queue-cluster.mjs';
import { describeMachine, openRunFolder } from './run-folder.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    chunks: { type: 'string', default: '1000' },
    baseline: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);

/** A slow chunk takes long, so there are fewer of them. */
const KINDS = {
  quick: { kind: QUICK_CHUNK, chunks: Number(values.chunks) },
  slow: { kind: SLOW_CHUNK, chunks: Math.ceil(Number(values.chunks) / 4) },
};

const BUILDS = {
  ...(values.baseline === undefined ? {} : { baseline: resolve(values.baseline) }),
  'this version': ROOT,
};

const { about, writeResult } = openRunFolder();
const results = [];
for (const [name, { kind, chunks }] of Object.entries(KINDS)) {
  console.error(`${name} chunks ...`);
  results.push(...(await measureKind(name, kind, chunks)));
}
report(results);

/** Measures one kind of chunks with all builds, in turn. */
async function measureKind(name, kind, chunks) {
  const measured = [];
  for (const [build, root] of Object.entries(BUILDS)) {
    const cluster = new QueueCluster(root);
    const sleepers = await openSleepers(cluster, kind, chunks);
    const commands = commandsOf(cluster, sleepers, chunks);
    measured.push({ build, cluster, sleepers, commands, rounds: [] });
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { cluster, sleepers, rounds } of round % 2 === 0 ? measured : measured.toReversed())
      rounds.push(measureChunk(cluster, sleepers));
  for (const { cluster } of measured) {
    await cluster.stopWorkerProcesses();
    cluster.close();
  }
  const digests = measured.flatMap(({ rounds }) => rounds.map((each) => each.digests.join()));
  if (new Set(digests).size > 1) throw new Error('the builds give different answers');
  return measured.map(({ build, commands, rounds }) => {
    const costs = rounds.map(({ cost }) => cost);
    return { kind: name, build, commands, costs, cost: mediansOf(costs) };
  });
}

/** Returns the commands that a chunk costs. */
function commandsOf(cluster, { once, twice }, chunks) {
  const [few, many] = [
    cluster.countCommands(() => cluster.solveOverQueue(once)),
    cluster.countCommands(() => cluster.solveOverQueue(twice)),
  ];
  return Object.fromEntries(Object.keys(few).map((name) => [name, (many[name] - few[name]) / chunks]));
}

function report(all) {
  const table = markdownTable(
    [
      'chunks',
      'boardmill',
      'commands executed',
      'commands sent',
      'requests',
      'coordinator',
      'its threads',
      'Redis',
      'worker process',
      'elapsed',
    ],
    all.map(({ kind, build, commands, cost }) => [
      kind,
      build,
      ...[commands.executed, commands.sent, commands.requests].map((count) => count.toFixed(1)),
      ...[cost.coordinator, cost.coordinatorThreads, cost.redis, cost.workerProcess, cost.ms].map(
        (ms) => `${ms.toFixed(2)} ms`,
      ),
    ]),
  );
  const text = [
    `What a chunk costs, medians of ${ROUNDS} rounds, all on one machine. ${describeMachine(about)}.`,
    '',
    table,
  ].join('\n');
  console.log(text);
  writeResult('queue-chunks.md', `${text}\n\`${about.command}\`\n`);
  writeResult('queue-chunks.json', `${JSON.stringify({ about, results: all }, null, 2)}\n`);
}
