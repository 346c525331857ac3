/** `boardmill worker`: a worker process that solves chunks for runs of `solve --queue`. */

import { format } from 'node:util';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { formatMebibytes } from '../../core/format-count.js';
import { version } from '../../core/version.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { AllowedInputFolders } from '../../engine/queue/allowed-inputs.js';
import { WORKER_SHUTDOWN_TIMEOUT_MS } from '../../engine/queue/limits.js';
import type { RunRequirements } from '../../engine/queue/requirements.js';
import type { WorkerEvent } from '../../engine/queue/worker-log.js';
import { type WorkerHealth, type WorkerOptions, WorkerProcess } from '../../engine/queue/worker-process.js';
import { alsoCompareOption } from '../arguments/also-compare.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { QUEUE_URL_HELP, queueOfEnvironment, queueOption } from '../arguments/queue-options.js';
import { QUEUE_VARIABLE } from '../arguments/queue-variable.js';
import * as row from '../arguments/rows.js';
import { openSandbox } from '../arguments/sandbox-option.js';
import { usageError } from '../arguments/usage-error.js';
import { parseAnyText } from '../arguments/values.js';
import { createLog, LOG_FORMATS } from '../cluster/log.js';
import { WorkerOffers } from '../cluster/offers.js';
import { exitCodeOf } from '../exit.js';
import { exitCodeOfSignal, withSignals } from '../signals.js';

/** Milliseconds between two log entries about the state of a worker process. */
const HEALTH_INTERVAL_MS = 60_000;

export const syntax = {
  arguments: {},
  options: {
    queue: queueOption(
      `the Redis server through which chunks come: ${QUEUE_URL_HELP} (default: the URL in $${QUEUE_VARIABLE})`,
    ),
    jobs: row.jobsOption(
      'number of chunks that are solved at the same time, for all runs together (default: number of processors)',
    ),
    exec: row.programOption(
      'the program that runs with --exec may use; it must have the same content as theirs',
    ),
    problem: row.repeatableOption(
      row.valueOption(
        parseAnyText('the path of a module or a grammar'),
        'a module or a grammar that runs may use; may be given several times',
        { completes: 'file' },
      ),
    ),
    'allow-inputs': row.repeatableOption(
      row.folderOption(
        'a folder in which runs with --shared-input may name files to read; may be given several times (default: none)',
      ),
    ),
    'also-compare': alsoCompareOption(
      'with --exec: a file or folder that answers depend on; its content must be that of the same option of `solve`; may be given several times',
    ),
    sandbox: {
      ...row.SANDBOX_OPTION,
      needs: ['exec', 'modules of --problem run with the rights of the worker'],
    },
    log: row.choiceOption(
      LOG_FORMATS,
      'text',
      'how events are printed on standard error: as text, or as lines of JSON',
    ),
  },
  examples: [
    ['boardmill worker --queue redis://queue.local', 'solve chunks on all processors of this machine'],
    [
      `${QUEUE_VARIABLE}=rediss://:secret@queue.local boardmill worker -j 8 --log json`,
      'keep the password out of the list of processes',
    ],
    [
      'boardmill worker --queue env --problem ./sums.ctd --exec ./mine',
      'also solve runs of this grammar with this program',
    ],
  ],
  notes: `A worker process runs and reads only what its operator names; no code comes from a run. It logs what it does, and once a minute and on SIGUSR2 how it is. On SIGTERM or SIGINT it finishes the chunks that it is solving, for at most ${WORKER_SHUTDOWN_TIMEOUT_MS / 1000} seconds, and ends.`,
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const address = args.queue ?? queueOfEnvironment();
  if (address === null)
    throw usageError(`worker needs --queue URL, or the URL in the variable ${QUEUE_VARIABLE}`);
  const { exec: argv, alsoCompare } = args;
  const log = createLog(args.log);
  const jobs = limitJobs(args.jobs, (message) => log({ level: 'warn', event: 'jobs', message }));
  const reports = new HealthReports(log);
  const releaseConsole = logConsole(log);
  try {
    const inputs = await AllowedInputFolders.of(args.allowInputs);
    const offers = await WorkerOffers.open({
      paths: args.problem,
      argv,
      alsoCompare,
      sandbox: await openSandbox(args.sandbox, alsoCompare),
      jobs,
      inputs,
    });
    const admit = (requirements: RunRequirements) => offers.admit(requirements);
    return await serveUntilSignal({ address, jobs, admit, inputs, log }, reports);
  } finally {
    releaseConsole();
    reports.stop();
  }
}

/** Serves runs until a signal arrives, and returns the exit code. */
async function serveUntilSignal(options: WorkerOptions, reports: HealthReports): Promise<number> {
  try {
    return await withSignals(async (stop) => {
      await serve(options, stop, reports);
      return exitCodeOfSignal(stop.reason);
    });
  } catch (error) {
    if (!(error instanceof BoardmillError)) throw error;
    options.log({ level: 'error', event: 'failed', message: error.message });
    return exitCodeOf(error);
  }
}

/** Serves runs until a signal arrives, then finishes the chunks in flight. Fails with kind `worker` if Redis stays away. */
async function serve(options: WorkerOptions, stop: AbortSignal, reports: HealthReports): Promise<void> {
  const { address, jobs, log } = options;
  const workerProcess = await WorkerProcess.open(options, stop);
  reports.workerProcess = workerProcess;
  try {
    const message = `boardmill ${version()} waits for chunks from Redis at ${address.label}, with ${pluralize(jobs, 'worker')}`;
    log({ level: 'info', event: 'ready', message, host: workerProcess.name, jobs, version: version() });
    await workerProcess.serve(stop);
    log({ level: 'info', event: 'drain', message: `${stop.reason}: finishing what is being solved` });
  } finally {
    await closeWorker(workerProcess, log);
  }
}

async function closeWorker(workerProcess: WorkerProcess, log: (event: WorkerEvent) => void): Promise<void> {
  const unfinished = await workerProcess.close();
  const left =
    unfinished === 0 ? '' : `; not finished: ${pluralize(unfinished, 'chunk')}, for other worker processes`;
  const level = unfinished === 0 ? 'info' : 'warn';
  log({
    level,
    event: 'end',
    message: `ends: ${describeHealth(workerProcess.health)}${left}`,
    ...workerProcess.health,
    unfinished,
  });
}

/**
 * Logs the state of the worker process once a minute and on each SIGUSR2. The class handles SIGUSR2 as long as the process
 * runs, because the signal would end a process without a handler.
 */
class HealthReports {
  /** Undefined until the worker process is connected to Redis. */
  workerProcess?: WorkerProcess;
  readonly #log: (event: WorkerEvent) => void;
  readonly #report = () => this.#print();
  readonly #timer: NodeJS.Timeout;

  constructor(log: (event: WorkerEvent) => void) {
    this.#log = log;
    this.#timer = setInterval(this.#report, HEALTH_INTERVAL_MS).unref();
    process.on('SIGUSR2', this.#report);
  }

  stop(): void {
    clearInterval(this.#timer);
    process.off('SIGUSR2', this.#report);
  }

  #print(): void {
    const health = this.workerProcess?.health ?? null;
    const message = health === null ? 'waits for Redis' : describeHealth(health);
    this.#log({ level: 'info', event: 'health', message, ...health });
  }
}

/** Logs what libraries print with `console`, so that programs can read every line. Returns a function that ends this. */
function logConsole(log: (event: WorkerEvent) => void): () => void {
  const { warn, error } = console;
  const print = (...values: unknown[]) =>
    log({ level: 'warn', event: 'library', message: format(...values) });
  Object.assign(console, { warn: print, error: print });
  return () => void Object.assign(console, { warn, error });
}

function describeHealth({ chunksDone, chunksFailed, inFlight, rssBytes }: WorkerHealth): string {
  const failed = chunksFailed === 0 ? '' : `, ${chunksFailed} failed`;
  return `${pluralize(chunksDone, 'chunk')} done${failed}, ${inFlight} in flight, ${formatMebibytes(rssBytes)} of memory`;
}
