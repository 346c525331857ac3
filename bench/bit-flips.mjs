/**
 * Flips random bits in the memory of a kernel, and counts how often that changes answers, and how often the answers to symmetric
 * twins show it: `node bench/bit-flips.mjs [--flips 2000] [--seed 1]`. Needs a build (`npm run build`).
 *
 * Each flip happens in the memory of a new kernel while it solves 64 boards, before a random call of one of its functions, at a
 * random bit of the bytes that the kernel has written when it solved the boards before. The same kernel and another one then solve the twins of the boards. A thread does the
 * work, because a flip can make a kernel hang.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadProblem, PROBLEMS } from '../build/src/catalog/registry.js';
import { chooseSolver } from '../build/src/problems/choose-solver.js';
import { ANY_BOARDS } from '../build/src/problems/problem.js';

const BOARDS = 64;
/** A kernel that takes longer for a flip hangs. */
const PATIENCE_MS = 3000;

if (isMainThread) await main();
else await flipAll(workerData);

async function main() {
  const { values } = parseArgs({
    options: { flips: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
  });
  const [flips, seed] = [Number(values.flips), Number(values.seed)];
  console.log(`${flips} flips for each problem, seed ${seed}`);
  for (const { name } of PROBLEMS) {
    const counts = { without: 0, failed: 0, wrong: 0, sameKernel: 0, otherKernel: 0 };
    for (let flip = 0; flip < flips; ) flip = await flipFrom({ name, flip, flips, seed }, counts);
    const { without, failed, wrong, sameKernel, otherKernel } = counts;
    console.log(
      `${name}: ${without} changed no answer, ${failed} made the kernel fail or hang, ${wrong} changed answers; ` +
        `of these, twins showed ${sameKernel} on the same kernel and ${otherKernel} on another one`,
    );
  }
}

/** Flips bits in a thread until all are done, or the kernel hangs. Returns the number of the next flip. */
function flipFrom(data, counts) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    let next = data.flip;
    let timer = null;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        counts.failed++;
        next++;
        void worker.terminate();
      }, PATIENCE_MS);
    };
    worker.on('message', (found) => {
      for (const key of found) counts[key]++;
      next++;
      wait();
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(next);
    });
  });
}

/** Flips the bits with the numbers from `flip` on, and sends what each has done. */
async function flipAll({ name, flip, flips, seed }) {
  /** The kernel that was made last. `onCall` is called before each call of its functions. */
  const kernel = { memory: null, onCall: () => {} };
  const { WebAssembly } = /** @type {any} */ (globalThis);
  WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(...parameters) {
      super(...parameters);
      const watched = Object.entries(this.exports).map(([key, value]) => {
        if (typeof value !== 'function') return [key, value];
        const call = (...values) => {
          kernel.onCall();
          return value(...values);
        };
        return [key, call];
      });
      kernel.memory = this.exports.memory;
      Object.defineProperty(this, 'exports', { value: Object.fromEntries(watched) });
    }
  };
  const problem = await loadProblem(name);
  const { boards, answers } = casesOf(problem, seed);
  const draw = randomBelow(`${seed}`);
  const twins = boards.map((board) => problem.cases.symmetries.twinOf(board, draw));
  const fromTwins = (solver) =>
    solve(
      solver,
      twins.map(({ value }) => value),
    ).map((answer, i) => twins[i].answerFrom(answer));
  const right = JSON.stringify(answers);
  for (let number = flip; number < flips; number++) {
    const solver = chooseSolver(problem, 'simd');
    let calls = 0;
    let before = null;
    kernel.onCall = () => {
      before ??= new Uint8Array(kernel.memory.buffer).slice();
      calls++;
    };
    solve(solver, boards);
    const written = changedBytes(kernel.memory, before);
    const below = randomBelow(`${seed} ${name} ${number}`);
    let callsBefore = below(calls);
    kernel.onCall = () => {
      if (callsBefore-- === 0)
        new Uint8Array(kernel.memory.buffer)[written[below(written.length)]] ^= 1 << below(8);
    };
    parentPort.postMessage(effectOf(solver));
  }

  function effectOf(solver) {
    try {
      const found = solve(solver, boards);
      if (JSON.stringify(found) === right) return ['without'];
      const differsFrom = (others) =>
        others.some((answer, i) => JSON.stringify(answer) !== JSON.stringify(found[i]));
      return [
        'wrong',
        ...(differsFrom(fromTwins(solver)) ? ['sameKernel'] : []),
        ...(differsFrom(fromTwins(chooseSolver(problem, 'simd'))) ? ['otherKernel'] : []),
      ];
    } catch {
      return ['failed'];
    }
  }
}

function casesOf(problem, seed) {
  const wishes = {
    seed: `${seed}`,
    profile: 'random',
    cases: BOARDS,
    maxSize: null,
    set: null,
    boards: ANY_BOARDS,
  };
  const source = problem.cases.createSource(wishes);
  const boards = Array.from({ length: BOARDS }, (_, index) => {
    const { rows, cols, cells } = source.caseAt(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * problem.inputFormat.cellBytes) };
  });
  return { boards, answers: solve(chooseSolver(problem, 'portable'), boards) };
}

function solve(solver, boards) {
  const answers = [];
  solver.solve(boards, boards.length, answers);
  return answers.slice(0, boards.length);
}

/** Returns the addresses of the bytes that a kernel has changed since its memory was a copy of `before`. */
function changedBytes(memory, before) {
  const addresses = [];
  const bytes = new Uint8Array(memory.buffer);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== (before[at] ?? 0)) addresses.push(at);
  return addresses;
}

/** Returns a function that draws a whole number below n, by SplitMix32 from a text. */
function randomBelow(text) {
  let state = [...text].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  );
  return (bound) => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) % bound;
  };
}
