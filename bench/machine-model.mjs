/**
 * Predicts the throughput of a machine with up to 256 processors from the last measurement of bench/machine.mjs, and compares the
 * prediction for one and two workers with that measurement.
 *
 *     node bench/machine-model.mjs [--memory-gigabytes N] [--update]
 *
 * `--memory-gigabytes` is the number of gigabytes that the memory of the larger machine moves in a second. Without it, the
 * larger machine has no faster memory than the measured one. `--update` writes the tables to bench/README.md, and the plot to
 * bench/machine.svg.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'd3-format';
import { formatPercent, formatSeconds, formatSignificant } from '../build/src/tools/bench/numbers.js';
import { median } from '../build/src/tools/bench/statistics.js';
import { markdownTable } from '../build/src/tools/bench/tables.js';
import { firstExhausted, fitCosts, predict } from './machine-prediction.mjs';
import { plotPredictions } from './plots.mjs';
import { describeMachine, lastResult, replaceSection } from './run-folder.mjs';

const { values } = parseArgs({
  options: { 'memory-gigabytes': { type: 'string' }, update: { type: 'boolean', default: false } },
});

/** The numbers of workers of the prediction. A machine has as many processors, because boardmill starts a worker for each. */
const WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const MEASURED_WORKERS = [1, 2];

/**
 * How often each byte of the input and of the answers is read or written in the memory: an input is copied from the page cache (two
 * times), hashed, scanned and parsed; answers are printed, copied, and copied to the page cache. This is an assumption. Caches
 * absorb a part of it.
 */
const MOVES_PER_BYTE = 5;

const GIGA = 1e9;
const formatRate = format('.3s');

const CHECK_HEADINGS = ['workers', 'processors', 'predicted', 'limited by', 'measured', 'error'];

const { about, rounds, tests, loads } = lastResult('machine.json', 'node bench/machine.mjs');
const machine = readMachine();
const largerMachine = {
  ...machine,
  ...(values['memory-gigabytes'] === undefined
    ? {}
    : { bytesPerSecond: Number(values['memory-gigabytes']) * GIGA }),
};
const models = loads.map(modelOf);
const text = describeAll();
console.log(text);
if (values.update) {
  replaceSection(pathOf('README.md'), 'bench:machine', text);
  writeFileSync(
    pathOf('machine.svg'),
    plotPredictions(models.flatMap(curveOf), models.flatMap(measuredPoints)),
  );
}

function pathOf(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Reads the measured machine from the tests of computing and copying. */
function readMachine() {
  const rates = (test, threads) =>
    tests.filter((each) => each.test === test && each.threads === threads).map((each) => each.perSecond);
  const bestRate = (test, threads) => Math.max(...rates(test, threads).map(sum));
  return {
    processors: about.processors,
    slowdown: Math.max(1, (2 * bestRate('compute', 1)) / bestRate('compute', 2)),
    bytesPerSecondAlone: bestRate('copy', 1),
    bytesPerSecond: bestRate('copy', 2),
  };
}

/** Computes the costs of a load from its runs. */
function modelOf({ name, bytesPerCase, runs }) {
  const select = (wanted) =>
    runs.filter((run) => Object.entries(wanted).every(([key, value]) => run[key] === value));
  const solving = select({ kind: 'solve', jobs: 1 });
  const [{ kindOfChunks }] = solving;
  const skipping = (jobs, chunkBytes) => select({ kind: 'skip', jobs, chunkBytes, kindOfChunks });
  const checkedSizes = sizesOf(select({ kind: 'skip', jobs: 2, kindOfChunks }));
  const coordinator = coordinatorCosts(select, kindOfChunks);
  const answerBytesPerCase = leastOf(solving, (run) => run.answerBytes / run.cases);
  const skippedAnswerBytes = leastOf(select({ kind: 'skip' }), (run) => run.answerBytes / run.cases);
  const writingMore = (answerBytesPerCase - skippedAnswerBytes) / bytesWrittenPerSecond('file');
  const secondsOfAnyRun = leastOf(select({ kind: 'empty' }), (run) => run.seconds);
  const bestOf = (list) => {
    const [{ cases, seconds, takenByOthers }] = list.toSorted((a, b) => a.seconds - b.seconds);
    return { casesPerSecond: cases / (seconds - secondsOfAnyRun), takenByOthers };
  };
  return {
    name,
    bytesPerCase,
    answerBytesPerCase,
    costs: {
      ...coordinator,
      ...workerCosts(solving),
      coordinatorPerCase: coordinator.coordinatorPerCase + Math.max(0, writingMore),
      movedBytes: MOVES_PER_BYTE * (bytesPerCase + answerBytesPerCase),
    },
    coordinatorSeen: leastOf(solving, (run) => run.cpu.coordinator / run.cases),
    measured: MEASURED_WORKERS.map((jobs) => bestOf(select({ kind: 'solve', jobs }))),
    skips: checkedSizes.map((chunkBytes) => ({
      chunkBytes,
      costs: {
        ...coordinator,
        ...workerCosts(skipping(1, chunkBytes)),
        movedBytes: MOVES_PER_BYTE * (bytesPerCase + skippedAnswerBytes),
      },
      measured: MEASURED_WORKERS.map((jobs) => bestOf(skipping(jobs, chunkBytes))),
    })),
  };
}

/**
 * Computes what a case and a chunk cost the coordinator, from runs with workers that solve nothing. Only runs with the same kind of
 * chunks count as when the load is solved: who scans a chunk depends on its size.
 */
function coordinatorCosts(select, kindOfChunks) {
  const coordinatorOf = (runs) => leastOf(runs, (run) => run.cpu.coordinator);
  const emptyRun = coordinatorOf(select({ kind: 'empty' }));
  const single = select({ kind: 'skip', jobs: 1, kindOfChunks });
  const points = sizesOf(single).map((size) => {
    const runs = single.filter(({ chunkBytes }) => chunkBytes === size);
    return { cases: runs[0].cases, chunks: runs[0].chunks, seconds: coordinatorOf(runs) - emptyRun };
  });
  const { perCase, perChunk } = fitCosts(points);
  const alone = select({ kind: 'crowd', jobs: 1 });
  const crowded = select({ kind: 'crowd' }).filter(({ jobs }) => jobs > 1);
  const more = coordinatorOf(crowded) - coordinatorOf(alone);
  return {
    coordinatorPerCase: perCase,
    coordinatorPerChunk: perChunk,
    coordinatorPerChunkAndWorker: Math.max(0, more / alone[0].chunks / (crowded[0].jobs - 1)),
  };
}

/** Computes what a case costs the workers and all threads that are neither workers nor the coordinator. */
function workerCosts(runs) {
  return {
    worker: leastOf(runs, (run) => run.cpu.workers / run.cases),
    others: Math.max(
      0,
      leastOf(runs, (run) => run.cpu.others / run.cases),
    ),
    casesPerChunk: median(runs.map((run) => run.casesPerFullChunk)),
  };
}

function sizesOf(runs) {
  return [...new Set(runs.map(({ chunkBytes }) => chunkBytes))].toSorted((a, b) => a - b);
}

function bytesWrittenPerSecond(target) {
  const tested = tests.filter((each) => each.test === 'write' && each.target === target);
  return 1 / leastOf(tested, (each) => 1 / each.bytesPerSecond);
}

/** The least time of all rounds, because other programs only add time. */
function leastOf(list, secondsOf) {
  return Math.min(...list.map(secondsOf));
}

function sum(list) {
  return list.reduce((total, each) => total + each, 0);
}

/** The larger machine has a processor for each worker. */
function predictLarger(costs, workers) {
  return predict(costs, { ...largerMachine, processors: Math.max(machine.processors, workers) }, workers);
}

function curveOf({ name, costs }) {
  return WORKERS.map((workers) => ({
    series: name,
    workers,
    casesPerSecond: predictLarger(costs, workers).casesPerSecond,
  }));
}

function measuredPoints({ name, measured }) {
  return measured.map(({ casesPerSecond }, i) => ({
    series: name,
    workers: MEASURED_WORKERS[i],
    casesPerSecond,
  }));
}

function describeAll() {
  return [
    `${describeMachine(about)}. The least times of ${rounds} rounds: \`${about.command}\`.`,
    '',
    '**Measured:** what a case and a chunk cost, as processor time.',
    '',
    tableOfCosts(),
    ...describeTests(),
    '',
    '**Predicted, and not measured:** cases per second of machines with as many processors as workers.',
    '',
    tableOfPredictions(),
    '![Cases per second by number of workers: predicted as dashed lines, measured as dots](machine.svg)',
    '',
    '**The prediction checked** with one and two workers, on the measured machine:',
    '',
    tableOfChecks(),
    '**The prediction checked with workers that solve nothing,** so that the coordinator does most of the work:',
    '',
    tableOfSkips(),
  ].join('\n');
}

function tableOfCosts() {
  const headings = [
    'load',
    'input and answer, bytes per case',
    'cases per chunk',
    'worker, per case',
    'coordinator, per case',
    'coordinator, per chunk',
    'more for each further worker',
    'coordinator in all, per case',
    'the same in runs that solve',
    'other threads, per case',
  ];
  const rows = models.map(({ name, bytesPerCase, answerBytesPerCase, costs, coordinatorSeen }) => [
    name,
    `${formatSignificant(bytesPerCase)} + ${formatSignificant(answerBytesPerCase)}`,
    Math.round(costs.casesPerChunk).toLocaleString('en-US'),
    formatSeconds(costs.worker),
    formatSeconds(costs.coordinatorPerCase),
    formatSeconds(costs.coordinatorPerChunk),
    formatSeconds(costs.coordinatorPerChunkAndWorker),
    formatSeconds(costs.coordinatorPerCase + costs.coordinatorPerChunk / costs.casesPerChunk),
    formatSeconds(coordinatorSeen),
    formatSeconds(costs.others),
  ]);
  return markdownTable(headings, rows);
}

function describeTests() {
  const merges = [...new Set(tests.filter(({ test }) => test === 'merge').map(({ running }) => running))];
  const mergeSeconds = (running) =>
    leastOf(
      tests.filter((each) => each.test === 'merge' && each.running === running),
      (each) => each.secondsPerChunk,
    );
  return [
    `- Memory: one thread moves ${formatGigabytes(machine.bytesPerSecondAlone)} GB/s (read and written), two threads together ${formatGigabytes(machine.bytesPerSecond)} GB/s.`,
    `- Computing: two threads at once take ${machine.slowdown.toFixed(2)} times as long as one thread alone.`,
    `- Answers are written to a file at ${formatGigabytes(bytesWrittenPerSecond('file'))} GB/s (with their digest, into the page cache), to nothing at ${formatGigabytes(bytesWrittenPerSecond('nothing'))} GB/s.`,
    `- The merge alone takes ${merges.map((running) => `${formatSeconds(mergeSeconds(running))} per chunk with ${running} chunks at a time`).join(', ')}.`,
  ];
}

function formatGigabytes(bytes) {
  return formatSignificant(bytes / GIGA);
}

function tableOfPredictions() {
  const most = WORKERS.at(-1);
  const rows = models.map(({ name, costs }) => [
    name,
    ...WORKERS.map((workers) => formatRate(predictLarger(costs, workers).casesPerSecond)),
    describeFirst(firstExhausted(costs, largerMachine, most)),
  ]);
  return markdownTable(['load', ...WORKERS.map(String), 'exhausted first'], rows);
}

function describeFirst(found) {
  return found === null
    ? `nothing up to ${WORKERS.at(-1)}`
    : `the ${found.resource}, at ${found.workers} workers`;
}

function tableOfChecks() {
  return markdownTable(
    ['load', ...CHECK_HEADINGS],
    models.flatMap(({ name, costs, measured }) =>
      checkRows(costs, measured, machine).map((cells) => [name, ...cells]),
    ),
  );
}

/**
 * The slowdown of two threads that compute at once is already a part of the costs of workers that solve nothing, because the
 * coordinator was busy beside them.
 */
function tableOfSkips() {
  return markdownTable(
    ['load', 'chunks', ...CHECK_HEADINGS],
    models.flatMap(({ name, skips }) =>
      skips.flatMap(({ chunkBytes, costs, measured }) =>
        checkRows(costs, measured, { ...machine, slowdown: 1 }).map((cells) => [
          name,
          `${formatSignificant(chunkBytes / 1024)} KiB`,
          ...cells,
        ]),
      ),
    ),
  );
}

/** Predicts for the processors that other programs left to the measured runs. */
function checkRows(costs, measured, measuredMachine) {
  return measured.map((best, i) => {
    const workers = MEASURED_WORKERS[i];
    const processors = measuredMachine.processors - best.takenByOthers;
    const { casesPerSecond, first } = predict(costs, { ...measuredMachine, processors }, workers);
    return [
      String(workers),
      processors.toFixed(1),
      formatRate(casesPerSecond),
      `the ${first}`,
      formatRate(best.casesPerSecond),
      formatError(casesPerSecond / best.casesPerSecond - 1),
    ];
  });
}

function formatError(error) {
  return `${error < 0 ? '' : '+'}${formatPercent(error)}`;
}
