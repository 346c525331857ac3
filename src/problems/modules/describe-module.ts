/**
 * Finds out what problem a user's module defines. The coordinator runs no code of the module itself: it starts a thread that
 * loads the module.
 */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { BoardmillError } from '../../core/errors.js';
import { resolveReadableFile } from '../../core/files/files.js';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { allowThreadListeners } from '../../core/thread-listeners.js';
import type { ProblemDescription } from './definition.js';
import { moduleLoadingMistake } from './module-mistake.js';
import { localPathOf, moduleMistake, type UserModule } from './module-path.js';
import { threadOptions } from './thread-options.js';

/** The message that the thread gets. */
export interface DescribeModuleRequest {
  readonly url: string;
  /** The name of the module in messages. */
  readonly shownAs: string;
}

/** What a module is, and the absolute paths of the files that it has read while it was loaded. */
export interface DescribedModule {
  readonly description: ProblemDescription;
  readonly filesRead: readonly string[];
}

/** The reply of the thread, a message about the author's mistake, or a message about what the process lacks. */
export type DescribeModuleReply = DescribedModule | { readonly mistake: string } | { readonly lack: string };

export interface DescribeModuleOptions {
  /** The longest time that the module may take to load, in seconds. */
  readonly seconds: number;
  /** Largest size of the thread's heap, in megabytes. */
  readonly heapMegabytes: number;
  /** Largest growth of the memory of the whole process, including memory outside the heap, in megabytes. */
  readonly processMegabytes: number;
  /** The code that the thread runs. */
  readonly workerFile: URL;
}

/** The thread that waits for a module to describe; null if there is none. */
let waitingThread: Worker | null = null;

/** Lets a thread that has another task later load a module and describe it. Fails if the module ends the thread. */
type LentThread = (request: DescribeModuleRequest) => Promise<DescribeModuleReply>;

/** The thread that describes the next module; null if there is none. */
let lentThread: LentThread | null = null;

/**
 * How long a lent thread may take, in milliseconds, before another one loads the module as well. That one finds out what is
 * wrong with a module that does not load.
 */
const LENT_THREAD_MS = 1000;

/** Lends a thread to the next call of `describeModule`. Only after that call, it runs code of the module. */
export function lendDescribingThread(thread: LentThread): void {
  lentThread = thread;
}

/** Starts the thread for the next call of `describeModule` with the usual options, which then need not wait for its start. */
export function startDescribingThreadEarly(): void {
  waitingThread ??= startThread(DEFAULT_OPTIONS);
}

/** Ends the thread that was started early, unless it was needed. */
export function stopUnusedDescribingThread(): void {
  void waitingThread?.terminate();
  waitingThread = null;
}

/** Returns the thread that was started early, if it suits these limits, or a new one. */
function takeThread(limits: DescribeModuleOptions): Worker {
  const isUsual =
    limits.workerFile === DEFAULT_OPTIONS.workerFile &&
    limits.heapMegabytes === DEFAULT_OPTIONS.heapMegabytes;
  if (waitingThread === null || !isUsual) return startThread(limits);
  const thread = waitingThread;
  waitingThread = null;
  return thread;
}

const DEFAULT_OPTIONS: DescribeModuleOptions = {
  seconds: 10,
  heapMegabytes: 1024,
  processMegabytes: 4096,
  workerFile: new URL('workers/describe-module.js', INSTALLATION_FOLDER),
};

/** Modules that are described at the same time take each other's time, and each has only DEFAULT_OPTIONS.seconds. */
const describing = pLimit(availableParallelism());

/**
 * Loads a module and returns the description of its problem. `name` is the path or the `file:` URL of the module. Fails
 * with kind `file` if the module cannot be opened, and with kind `usage` if its author has made a mistake.
 */
export function describeModule(
  name: string,
  options: Partial<DescribeModuleOptions> = {},
): Promise<DescribedModule> {
  return describing(() => describeInTurn(name, options));
}

async function describeInTurn(
  name: string,
  options: Partial<DescribeModuleOptions>,
): Promise<DescribedModule> {
  const module = { path: await resolveReadableFile(localPathOf(name)), shownAs: name };
  const limits = { ...DEFAULT_OPTIONS, ...options };
  const request: DescribeModuleRequest = { url: pathToFileURL(module.path).href, shownAs: module.shownAs };
  const watch = new AbortController();
  const failures = Promise.race([
    failAfter(limits.seconds, module, watch.signal),
    failIfLarge(limits, module, watch.signal),
  ]);
  let worker: Worker | null = null;
  try {
    const lent = takeLentThread()?.(request).catch(() => null) ?? Promise.resolve(null);
    const early = await Promise.race([lent, setTimeout(LENT_THREAD_MS, null, watch), failures]);
    if (early !== null) return describedIn(early);
    worker = takeThread(limits);
    const reply = replyFrom(worker, module, limits);
    worker.postMessage(request);
    return describedIn(await Promise.race([reply, failures]));
  } finally {
    watch.abort();
    // boardmill does not wait for the end of the thread: a thread that is itself waiting for a program cannot be stopped.
    void worker?.terminate();
  }
}

function takeLentThread(): LentThread | null {
  const thread = lentThread;
  lentThread = null;
  return thread;
}

function describedIn(reply: DescribeModuleReply): DescribedModule {
  if ('description' in reply) return reply;
  throw 'lack' in reply
    ? new BoardmillError('worker', reply.lack)
    : new BoardmillError('usage', reply.mistake);
}

/** Starts the thread. The output of the module goes to standard error, because standard output carries only answers. */
function startThread({ workerFile, heapMegabytes }: DescribeModuleOptions): Worker {
  // Both of its outputs go to standard error, so it adds as many listeners there as two threads.
  const noteThreadEnded = allowThreadListeners(2);
  const worker = new Worker(workerFile, {
    stdout: true,
    ...threadOptions(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.once('exit', noteThreadEnded);
  worker.stdout.pipe(process.stderr, { end: false });
  return worker;
}

/** Waits for the reply of the thread. Fails if the thread ends without a reply. */
function replyFrom(
  worker: Worker,
  module: UserModule,
  limits: DescribeModuleOptions,
): Promise<DescribeModuleReply> {
  return new Promise((resolve, reject) => {
    let failure: unknown = null;
    worker.on('message', (reply: unknown) => {
      // The code of the module may send messages, too; they are ignored.
      if (isReply(reply)) resolve(reply);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', (code) => {
      mistakeOfEnd(failure, code, module, limits).then(reject, reject);
    });
  });
}

function isReply(reply: unknown): reply is DescribeModuleReply {
  if (typeof reply !== 'object' || reply === null) return false;
  return 'description' in reply || 'mistake' in reply || 'lack' in reply;
}

/** Returns the error for a module that made its thread end. `failure` is the error that ended the thread, or null. */
async function mistakeOfEnd(
  failure: unknown,
  exitCode: number,
  module: UserModule,
  limits: DescribeModuleOptions,
): Promise<BoardmillError> {
  if ((failure as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return tooLarge(module, limits.heapMegabytes);
  }
  if (failure !== null) return moduleLoadingMistake(failure, module);
  return moduleMistake(module, `called process.exit(${exitCode}) while it was loading`);
}

async function failAfter(seconds: number, module: UserModule, signal: AbortSignal): Promise<never> {
  await setTimeout(seconds * 1000, undefined, { signal });
  throw moduleMistake(module, `did not load within ${seconds} s`);
}

const MEMORY_CHECK_MS = 50;
const BYTES_PER_MEGABYTE = 1 << 20;

/** Fails when the memory of the process has grown too much. The limit of a thread covers only its heap, not its buffers. */
async function failIfLarge(
  { processMegabytes }: DescribeModuleOptions,
  module: UserModule,
  signal: AbortSignal,
): Promise<never> {
  let first: number | null = null;
  for (;;) {
    const bytes = residentBytes();
    first ??= bytes;
    if (first !== null && bytes !== null && bytes > first + processMegabytes * BYTES_PER_MEGABYTE) break;
    await setTimeout(MEMORY_CHECK_MS, undefined, { signal });
  }
  throw tooLarge(module, processMegabytes);
}

/** Returns the size of the process in memory, in bytes; null if it cannot be read because too many files are open. */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

function tooLarge(module: UserModule, megabytes: number): BoardmillError {
  return moduleMistake(module, `needs more than ${megabytes} MB of memory to load`);
}
