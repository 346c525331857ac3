/**
 * Tests that runs on worker processes lose no answer: it kills, freezes and thaws worker processes, kills and restarts Redis, and kills and resumes
 * coordinators at random moments, and compares the outputs with those of undisturbed runs.
 *
 *     node bench/soak-queue.mjs [--seconds 120] [--seed N]
 *
 * The test needs redis-server. It runs the compiled code, so run `npm run build` first. If a byte of an output differs, if a
 * run fails for another reason, or if it takes longer than MAX_RUN_SECONDS, the exit code is 1 and the folder with the files
 * is kept.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PROBLEMS } from '../build/src/catalog/registry.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';
import { BOARDMILL_MAIN, boardmill, draw, env, folder, pick, values } from './soak-tools.mjs';

/** The inputs of the test. A part of what `bench/soak.mjs` solves takes some seconds with all the faults. */
const INPUTS = PROBLEMS.map(({ name }) => ({
  problem: name,
  cases: Math.ceil(fixtureOf(name).soakCases / 4),
}));
const WORKER_PROCESSES = 2;
/** Chunk sizes in bytes. Each attempt of a run draws one of these sizes. */
const CHUNK_SIZES = [4096, 16_384, 65_536];
/** What happens to a worker process, to Redis or to the coordinator. A fault that is drawn more often is in the list more often. */
const FAULTS = [
  'kill worker process',
  'kill worker process',
  'end worker process',
  'freeze worker process',
  'kill redis',
  'kill coordinator',
  'stop coordinator',
];
/** Time between two faults at least, in milliseconds. A random time of up to MAX_RANDOM_DELAY_MS is added. */
const MIN_FAULT_DELAY_MS = 200;
const MAX_RANDOM_DELAY_MS = 2500;
/** Longest time for which a worker process is frozen and Redis is away, in milliseconds. It is longer than the lock of a chunk. */
const MAX_FROZEN_MS = 15_000;
const MAX_REDIS_AWAY_MS = 3000;
/** Number of faults after which a run is left alone, so that it ends. */
const MAX_FAULTS_PER_RUN = 8;
/** A run that takes longer hangs. */
const MAX_RUN_SECONDS = 240;

const socket = join(folder, 'redis.sock');
const queue = `unix://${socket}`;
/** Counts what has happened in all runs so far. */
const tally = { runs: 0, attempts: 0, ...Object.fromEntries(FAULTS.map((fault) => [fault, 0])) };

/** The processes that may get faults. */
const workerProcesses = new Set();
let redis = null;
let isOver = false;
process.on('exit', () => {
  for (const child of [...workerProcesses, redis]) child?.kill('SIGKILL');
});

function generateAndSolve({ problem, cases }) {
  boardmill('generate', problem, '--cases', `${cases}`, '--seed', values.seed, '-o', `${problem}.in`);
  boardmill('solve', problem, `${problem}.in`, '-o', `${problem}.ans`);
}

/** Starts a program. Its property `closed` is a promise of its exit code or signal, and of what it printed on standard error. */
function startProgram(program, args) {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const closed = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code: signal ?? code, stderr }));
  });
  return Object.assign(child, { closed });
}

function startRedis() {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
  redis = startProgram('redis-server', [...settings, '--appendonly', 'yes', '--appendfsync', 'always']);
}

/** Starts a worker process, and another one when it ends. */
function keepWorkerProcess() {
  if (isOver) return;
  const workerProcess = startProgram(process.execPath, [
    BOARDMILL_MAIN,
    'worker',
    '--queue',
    queue,
    '-j',
    '1',
  ]);
  workerProcesses.add(workerProcess);
  workerProcess.closed.then(({ code, stderr }) => {
    workerProcesses.delete(workerProcess);
    if (!['SIGKILL', 'SIGTERM', 143].includes(code)) fail(`a worker process ended with ${code}: ${stderr}`);
    if (/^\s+at |Unhandled/m.test(stderr)) fail(`a worker process printed a stack trace: ${stderr}`);
    keepWorkerProcess();
  });
}

function fail(message) {
  console.error(`${message}\nthe files are in ${folder}; repeat with --seed ${values.seed}`);
  process.exit(1);
}

/** What each fault does. `coordinator` is the process of the run. */
const ACTIONS = {
  'kill worker process': () => pick([...workerProcesses])?.kill('SIGKILL'),
  'end worker process': () => pick([...workerProcesses])?.kill('SIGTERM'),
  'freeze worker process': async () => {
    const workerProcess = pick([...workerProcesses]);
    workerProcess?.kill('SIGSTOP');
    setTimeout(() => workerProcess?.kill('SIGCONT'), draw(MAX_FROZEN_MS)).unref();
  },
  'kill redis': async () => {
    redis.kill('SIGKILL');
    await redis.closed;
    await delay(draw(MAX_REDIS_AWAY_MS));
    startRedis();
  },
  'kill coordinator': (coordinator) => coordinator.kill('SIGKILL'),
  'stop coordinator': (coordinator) => coordinator.kill('SIGTERM'),
};

/** Starts or resumes a run, and lets faults happen until it ends or has had enough. Returns what it printed, and its exit code. */
async function attemptRun(problem, output, faults) {
  const args = [
    'solve',
    problem,
    `${problem}.in`,
    '-o',
    output,
    '--resume',
    '--chunk',
    `${pick(CHUNK_SIZES)}`,
  ];
  const coordinator = startProgram(process.execPath, [BOARDMILL_MAIN, ...args, '--queue', queue]);
  let hasEnded = false;
  const end = coordinator.closed.finally(() => {
    hasEnded = true;
  });
  const deadline = setTimeout(() => fail(`${problem}: a run hangs`), MAX_RUN_SECONDS * 1000);
  tally.attempts++;
  for (; faults.left > 0; faults.left--) {
    await Promise.race([end, delay(MIN_FAULT_DELAY_MS + draw(MAX_RANDOM_DELAY_MS))]);
    if (hasEnded) break;
    const fault = pick(FAULTS);
    tally[fault]++;
    await ACTIONS[fault](coordinator);
  }
  const outcome = await end;
  clearTimeout(deadline);
  return outcome;
}

/** Resumes a run again and again until it has written all answers, and compares these with those of an undisturbed run. */
async function runUntilFinished(problem) {
  const output = `${problem}.soaked`;
  const faults = { left: draw(MAX_FAULTS_PER_RUN + 1) };
  for (;;) {
    const { code, stderr } = await attemptRun(problem, output, faults);
    if (code === 0) break;
    if (!['SIGKILL', 'SIGTERM', 143].includes(code)) fail(`${problem} ended with ${code}: ${stderr}`);
  }
  tally.runs++;
  const remainingFiles = readdirSync(folder).filter((name) => name.startsWith(`${output}.`));
  const [got, expected] = [output, `${problem}.ans`].map((name) => readFileSync(join(folder, name)));
  if (!got.equals(expected)) fail(`${problem}: the answers differ from those of an undisturbed run`);
  if (remainingFiles.length > 0) fail(`the run did not remove ${remainingFiles.join(', ')}`);
  rmSync(join(folder, output));
}

console.log(`testing for ${values.seconds} s with --seed ${values.seed}`);
for (const input of INPUTS) generateAndSolve(input);
startRedis();
for (let started = 0; started < WORKER_PROCESSES; started++) keepWorkerProcess();
const end = performance.now() + Number(values.seconds) * 1000;
while (performance.now() < end) await runUntilFinished(pick(INPUTS).problem);
isOver = true;
console.log(`every output was the same as that of an undisturbed run: ${JSON.stringify(tally)}`);
rmSync(folder, { recursive: true });
process.exit(0);
