/**
 * The process of in-turn.ts: runs boardmill with one command line after another. Each command line is a line of JSON on file
 * descriptor 3. When it has ended, a mark goes to standard output, and a mark with the exit code to standard error.
 *
 *     node one-process.mjs MAIN FIFO
 */
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

const [node, , main, fifo] = process.argv;
const REQUESTS = 3;
const emitters = [process, process.stdout, process.stderr];

/** The number of the current command line. */
let number = 0;
let hasMainEnded = true;
let listeners = listenersOfAll();
/** Standard input of the current command line. */
let input = { descriptor: -1, socket: null };

/**
 * The function that main.js calls once it knows that there is something to do. Before that, main.js starts a thread for `solve`,
 * which would cost most of the time of a command line that is refused, or whose answers are up to date.
 */
const { startProgram } = await import(moduleOfStart());

// The threads of libuv start with the first file operation. They must not count as left behind.
await access(main);
const resources = countResources();
process.on('beforeExit', endCommandLine);

/** Node calls this function when nothing is left to do, which is when a process of its own would end. */
async function endCommandLine(code) {
  process.off('beforeExit', endCommandLine);
  if (number > 0) {
    // A process whose main module waits for ever ends with code 13, and so does this one.
    if (!hasMainEnded) return;
    runExitListeners(code);
    await closeInput();
    // Threads and open files would end with a process of their own, so this process ends, too.
    if (countResources() > resources) return;
    removeListeners();
    process.exitCode = undefined;
    await Promise.all([print(process.stdout, ''), print(process.stderr, `${code}`)]);
  }
  const request = readRequest();
  if (request === null) return;
  process.on('beforeExit', endCommandLine);
  startCommandLine(JSON.parse(request));
}

function startCommandLine({ args, cwd, stdin }) {
  number++;
  process.chdir(cwd);
  process.argv = [node, main, ...args];
  openInput(stdin);
  listeners = listenersOfAll();
  hasMainEnded = false;
  // Node emits `beforeExit` again only after something has kept it waiting.
  setImmediate(async () => {
    await startProgram(args);
    hasMainEnded = true;
  });
}

/** Returns the URL of the module from which main.js imports `startProgram`. The bundler chooses its name. */
function moduleOfStart() {
  const [, path] = /\{startProgram:\w+\}=await import\(`(.+?)`\)/.exec(readFileSync(main, 'utf8'));
  return new URL(path, pathToFileURL(main)).href;
}

/** Reads the next line of JSON. Waits for it; returns null if there will be none. */
function readRequest() {
  const bytes = [];
  const byte = Buffer.alloc(1 << 16);
  while (bytes.at(-1)?.at(-1) !== 0x0a) {
    const length = readSync(REQUESTS, byte);
    if (length === 0) return null;
    bytes.push(Buffer.from(byte.subarray(0, length)));
  }
  return Buffer.concat(bytes).toString();
}

function print(stream, code) {
  return new Promise((done) => stream.write(`\0${number}:${code}\0`, done));
}

// ---- standard input: a pipe, as in a process of its own ----

function openInput(base64) {
  const descriptor = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(fifo, 'w');
  writeSync(writer, Buffer.from(base64, 'base64'));
  closeSync(writer);
  input = { descriptor, socket: null };
}

Object.defineProperty(process, 'stdin', {
  configurable: true,
  enumerable: true,
  get() {
    input.socket ??= new Socket({ fd: input.descriptor, readable: true, writable: false, manualStart: true });
    return input.socket;
  },
});

async function closeInput() {
  const { descriptor, socket } = input;
  if (socket === null) return closeSync(descriptor);
  if (socket.closed) return;
  const closed = new Promise((done) => socket.once('close', done));
  socket.destroy();
  await closed;
}

// ---- what a command line leaves behind ----

/** Returns the number of threads and open files of this process. */
function countResources() {
  return ['task', 'fd'].reduce((sum, kind) => sum + readdirSync(`/proc/self/${kind}`).length, 0);
}

function listenersOfAll() {
  return emitters.map(
    (emitter) => new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)])),
  );
}

/** Calls what the command line wants to be called at the end of the process. */
function runExitListeners(code) {
  for (const listener of process.rawListeners('exit')) {
    if (!listeners[0].get('exit')?.includes(listener)) listener.call(process, code);
  }
}

function removeListeners() {
  emitters.forEach((emitter, i) => {
    for (const name of emitter.eventNames()) {
      const kept = listeners[i].get(name) ?? [];
      for (const listener of emitter.rawListeners(name)) {
        if (!kept.includes(listener)) emitter.off(name, listener);
      }
    }
  });
}
