/**
 * Tests of the whole engine with a dispatcher in this thread. The answer to a board is its width, so the output shows
 * which cases were answered. No test sleeps: each decides itself when a chunk is solved or an answer is written.
 */

import { describe, expect, test, vi } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import { Source } from '../../src/engine/input/source.js';
import { MAX_WAITING_ANSWER_BYTES } from '../../src/engine/limits.js';
import type { ChunkResult, ChunkTask } from '../../src/engine/messages.js';
import { solveInput } from '../../src/engine/run.js';
import type { RunOptions } from '../../src/engine/run-options.js';
import type { Sink } from '../../src/engine/sink.js';
import { RunTally } from '../../src/engine/tally.js';
import { inputFormat } from '../../src/games/darkraft/format.js';
import type { Board, Problem, Solver, SolverName } from '../../src/problems/problem.js';
import { type Deferred, defer, settled } from '../support/deferred.js';
import { PlainDispatcher } from '../support/dispatchers.js';
import { InProcess } from '../support/in-process.js';
import { bytesOf } from '../support/inputs.js';
import { type GivenOptions, runOptions, widthAnswers } from '../support/running.js';

const JOBS = 2;

const originalScanner = inputFormat.createScanner;

/**
 * A problem with only those members that a run needs. The answer to a board is its width. It is printed `answerBytes`
 * times in a row.
 */
function stubProblem(answerBytes = 1, name: SolverName = 'portable'): Problem {
  const solver: Solver<number> = {
    name,
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) answers[i] = boards[i].cols;
    },
  };
  const problem: Partial<Problem<number, Board>> = {
    name: 'stub',
    inputFormat,
    answerFormat: widthAnswers((width) => `${String(width).repeat(answerBytes)}\n`),
    solvers: { createPortable: () => solver },
  };
  return problem as Problem;
}

/**
 * Solves chunks in this thread. A chunk whose first case fulfils `isHeld` is solved when the test resolves the `gate`
 * of its task; any other chunk is solved at once.
 */
class StubDispatcher extends PlainDispatcher {
  override readonly maxChunksAtOnce = 2 * JOBS;
  readonly tasks: { task: ChunkTask; gate: Deferred<void> }[] = [];
  readonly #solver: InProcess;
  readonly #isHeld: (firstCase: number) => boolean;

  constructor(problem: Problem, isHeld: (firstCase: number) => boolean = () => false) {
    super();
    this.#solver = new InProcess(problem);
    this.#isHeld = isHeld;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const gate = defer();
    this.tasks.push({ task, gate });
    if (this.#isHeld(task.firstCase)) await gate.promise;
    return this.#solver.solve(task);
  }
}

class StubSink implements Sink {
  text = '';
  writes = 0;
  readonly #hold: () => Promise<void>;

  constructor(hold: () => Promise<void> = async () => {}) {
    this.#hold = hold;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.writes++;
    this.text += Buffer.from(bytes).toString('latin1');
    await this.#hold();
  }

  async finish(): Promise<void> {}
  async abandon(): Promise<boolean> {
    return false;
  }
}

/** Returns a piece of input that contains one case, whose answer is `width`. */
const pieceOf = (width: number) => bytesOf(`1 ${width}\n${'L'.repeat(width)}\n`);

class StubSource extends Source {
  readonly #count: { pulled: number };

  /** If `failure` is given, reading fails with it after the last piece. */
  constructor(pieces: Iterable<Uint8Array>, failure?: Error) {
    const count = { pulled: 0 };
    const read = async function* () {
      for (const one of pieces) {
        count.pulled++;
        yield one;
      }
      if (failure !== undefined) throw failure;
    };
    super({ name: 'stub.in', size: null, pieces: read(), close: async () => {} });
    this.#count = count;
  }

  get pulled(): number {
    return this.#count.pulled;
  }
}

/** Yields pieces of input with one case each. The boards have the widths 1, 2, ..., 9, 1, 2, and so on. */
function* casePieces(count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) yield pieceOf((i % 9) + 1);
}

const sourceOf = (cases: number, failure?: Error) => new StubSource(casePieces(cases), failure);

const answers = (cases: number) => Array.from({ length: cases }, (_, i) => `${(i % 9) + 1}\n`).join('');

function optionsOf(problem: Problem, options: GivenOptions = {}): RunOptions {
  const warn = (message: string) => {
    throw new Error(`not expected: ${message}`);
  };
  return runOptions({ problem, chunkBytes: 1, retries: 0, warn, ...options });
}

describe('order of the answers', () => {
  test('while one chunk is slow, later chunks are solved, and all answers are written in input order', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const sink = new StubSink();
    const tally = new RunTally();
    const running = solveInput(sourceOf(500), sink, dispatcher, optionsOf(problem), tally);
    expect(await settled(() => dispatcher.tasks.length)).toBe(500);
    expect(sink.text).toBe('');
    dispatcher.tasks[0].gate.resolve();
    await running;
    expect(sink.text).toBe(answers(500));
    expect(tally).toMatchObject({ cases: 500, failedCases: 0, chunks: 500 });
  });

  test.each(['portable', 'simd'] as const)(
    'a %s solver answers all cases of a chunk (portable: one by one, simd: in batches)',
    async (solver) => {
      const problem = stubProblem(1, solver);
      const sink = new StubSink();
      const options = optionsOf(problem, { chunkBytes: 10_000 });
      await solveInput(sourceOf(2000), sink, new StubDispatcher(problem), options, new RunTally());
      expect(sink.text).toBe(answers(2000));
    },
  );

  test('the dispatcher never has more chunks than slots', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, () => true);
    const sink = new StubSink();
    const source = sourceOf(50);
    const running = solveInput(source, sink, dispatcher, optionsOf(problem), new RunTally());
    expect(await settled(() => dispatcher.tasks.length)).toBe(dispatcher.maxChunksAtOnce);
    expect(source.pulled).toBeLessThanOrEqual(dispatcher.maxChunksAtOnce + 3);
    for (let next = 0; next < 50; next++) {
      dispatcher.tasks[next].gate.resolve();
      await settled(() => dispatcher.tasks.length);
    }
    await running;
    expect(sink.text).toBe(answers(50));
  });
});

describe('chunks', () => {
  const input = `\n${[...casePieces(40)].map((piece) => Buffer.from(piece).toString()).join(' \n')}`;

  test('say where their bytes are in the input', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem);
    const source = new StubSource([bytesOf(input)]);
    await solveInput(
      source,
      new StubSink(),
      dispatcher,
      optionsOf(problem, { chunkBytes: 30 }),
      new RunTally(),
    );
    expect(dispatcher.tasks.length).toBeGreaterThan(5);
    for (const { task } of dispatcher.tasks) {
      expect(task.place!.input).toBe('stub.in');
      const { offset } = task.place!;
      expect(input.slice(offset, offset + task.bytes.length)).toBe(Buffer.from(task.bytes).toString());
    }
  });

  test('have a multiple of the cases that the dispatcher wants, also if they are larger for that', async () => {
    const problem = stubProblem();
    const cutting = { targetMs: 80, maxBytes: 1000, isAligned: false, caseMultiple: 7 };
    const dispatcher = Object.assign(new StubDispatcher(problem), { cutting });
    // The size adapts: a chosen size would bound the chunks.
    const options = optionsOf(problem, { chunkBytes: null });
    const cases = 700;
    await solveInput(sourceOf(cases), new StubSink(), dispatcher, options, new RunTally());
    const sizes = dispatcher.tasks.map(({ task }) => task.starts.length - 1);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.slice(0, -1).map((size) => size % 7)).toEqual(sizes.slice(0, -1).fill(0));
  });

  test('have cases that the scanner of the format finds many at a time', async () => {
    const problem = stubProblem();
    let found = 0;
    const createScanner = vi.spyOn(inputFormat, 'createScanner').mockImplementation((options) => {
      const scanner = originalScanner.call(inputFormat, options);
      const findRun = scanner.findRun!.bind(scanner);
      scanner.findRun = (...args) => {
        const cases = findRun(...args);
        found += cases;
        return cases;
      };
      return scanner;
    });
    const source = new StubSource([Buffer.concat([...casePieces(40)])]);
    const run = solveInput(
      source,
      new StubSink(),
      new StubDispatcher(problem),
      optionsOf(problem, { chunkBytes: 1000 }),
      new RunTally(),
    );
    expect((await run.finally(() => createScanner.mockRestore())).cases).toBe(40);
    expect(found).toBeGreaterThan(20);
  });
});

describe('limits of what waits in memory', () => {
  const MIB = 1 << 20;
  /** Number of answers of 1 MiB that may wait in memory. */
  const MAX_WAITING_ANSWERS = Math.ceil(MAX_WAITING_ANSWER_BYTES / MIB);

  test('while the sink is blocked, reading pauses; it continues when the sink accepts answers again', async () => {
    const problem = stubProblem(MIB);
    const writing = defer();
    const sink = new StubSink(() => writing.promise);
    const source = sourceOf(2 * MAX_WAITING_ANSWERS);
    const dispatcher = new StubDispatcher(problem);
    const running = solveInput(source, sink, dispatcher, optionsOf(problem), new RunTally());
    const pulled = await settled(() => source.pulled);
    expect(pulled).toBeGreaterThan(MAX_WAITING_ANSWERS / 2);
    expect(pulled).toBeLessThanOrEqual(MAX_WAITING_ANSWERS + dispatcher.maxChunksAtOnce + 3);
    expect(sink.writes).toBe(1);
    sink.text = '';
    writing.resolve();
    await running;
    expect(sink.writes).toBe(2 * MAX_WAITING_ANSWERS);
  });

  test.each([1, 5])('a run near its reader has two chunks per worker ahead of write %i', async (count) => {
    const problem = stubProblem();
    const writes: Deferred<void>[] = [];
    const sink = new StubSink(() => {
      writes.push(defer());
      return writes.at(-1)!.promise;
    });
    const source = sourceOf(100);
    const dispatcher = new StubDispatcher(problem);
    const options = { ...optionsOf(problem), staysNearReader: true };
    const running = solveInput(source, sink, dispatcher, options, new RunTally());
    for (let taken = 1; taken < count; taken++) {
      expect(await settled(() => writes.length)).toBe(taken);
      writes[taken - 1].resolve();
    }
    expect(await settled(() => dispatcher.tasks.length)).toBe(count - 1 + dispatcher.maxChunksAtOnce);
    // One more chunk waits, and where it ends is known when the next piece has come.
    expect(source.pulled).toBeLessThanOrEqual(count - 1 + dispatcher.maxChunksAtOnce + 2);
    while (sink.writes < 100) {
      writes.at(-1)!.resolve();
      await settled(() => sink.writes);
    }
    writes.at(-1)!.resolve();
    await running;
  });

  test.each([true, false])(
    'a run near its reader (%s) gives out more chunks while one is slow',
    async (isNear) => {
      const problem = stubProblem();
      const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
      const options = { ...optionsOf(problem), staysNearReader: isNear };
      const running = solveInput(sourceOf(100), new StubSink(), dispatcher, options, new RunTally());
      expect(await settled(() => dispatcher.tasks.length)).toBe(100);
      dispatcher.tasks[0].gate.resolve();
      await running;
    },
  );

  test('while one case is slow, the answers that wait in memory stay within their limit', async () => {
    const problem = stubProblem(MIB);
    const sink = new StubSink();
    const source = sourceOf(2 * MAX_WAITING_ANSWERS);
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const running = solveInput(source, sink, dispatcher, optionsOf(problem), new RunTally());
    expect(await settled(() => source.pulled)).toBeLessThanOrEqual(
      MAX_WAITING_ANSWERS + dispatcher.maxChunksAtOnce + 3,
    );
    expect(sink.writes).toBe(0);
    dispatcher.tasks[0].gate.resolve();
    await running;
    expect(sink.writes).toBe(2 * MAX_WAITING_ANSWERS);
  });

  test('the limit of what waits in memory also counts the faults of invalid cases, not only the bytes of answers', async () => {
    const problem = stubProblem();
    const bad = bytesOf('1 1\n?\n'.repeat(2000));
    const source = new StubSource([pieceOf(1), ...Array.from({ length: 1000 }, () => bad)]);
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const options = optionsOf(problem, { onError: 'mark', chunkBytes: bad.length / 2, warn: () => {} });
    const running = solveInput(source, new StubSink(), dispatcher, options, new RunTally());
    const pulled = await settled(() => source.pulled);
    expect(pulled).toBeGreaterThan(1);
    expect(pulled).toBeLessThan(500);
    dispatcher.tasks[0].gate.reject(new Error('enough'));
    await expect(running).rejects.toThrow();
  });
});

describe('failure of a run', () => {
  test('if reading the input fails, the answers to the cases before that are written', async () => {
    const problem = stubProblem();
    const sink = new StubSink();
    const failure = new BoardmillError('io', 'cannot read stub.in: i/o error');
    const source = sourceOf(7, failure);
    const dispatcher = new StubDispatcher(problem, () => true);
    const running = solveInput(source, sink, dispatcher, optionsOf(problem), new RunTally());
    const outcome = running.catch((error: unknown) => error);
    for (let next = 0; next < 6; next++) {
      await settled(() => dispatcher.tasks.length);
      dispatcher.tasks[next].gate.resolve();
    }
    expect(await outcome).toBe(failure);
    // Case 7 has no answer: what follows a case belongs to its verdict, and reading failed after case 7.
    expect(sink.text).toBe(answers(6));
  });

  test('a missing answer ends the run with an error, and no later answer is written', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem);
    const solve = dispatcher.solve.bind(dispatcher);
    dispatcher.solve = async (task) => {
      const result = await solve(task);
      return task.firstCase === 3 ? { ...result, output: new Uint8Array(0), answeredCases: 0 } : result;
    };
    const sink = new StubSink();
    const running = solveInput(sourceOf(9), sink, dispatcher, optionsOf(problem), new RunTally());
    await expect(running).rejects.toMatchObject({
      kind: 'worker',
      message: 'case 3: an answer is missing',
    });
    expect(sink.text).toBe(answers(2));
  });

  test('if writing fails, the run ends and stops reading the input', async () => {
    const problem = stubProblem();
    const failure = new BoardmillError('io', 'cannot write stub.ans: no space left on device');
    const source = sourceOf(1e6);
    const sink = new StubSink(() => Promise.reject(failure));
    await expect(
      solveInput(source, sink, new StubDispatcher(problem), optionsOf(problem), new RunTally()),
    ).rejects.toBe(failure);
    expect(source.pulled).toBeLessThan(100);
    expect(sink.writes).toBe(1);
  });

  test('if the dispatcher fails on a chunk, the answers before that chunk are written', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 4);
    const sink = new StubSink();
    const running = solveInput(sourceOf(9), sink, dispatcher, optionsOf(problem), new RunTally());
    await settled(() => dispatcher.tasks.length);
    dispatcher.tasks[3].gate.reject(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(sink.text).toBe(answers(3));
  });

  test('under --on-error stop, an invalid case ends the run and the reading, after the answers before it are written', async () => {
    const problem = stubProblem();
    const source = new StubSource([pieceOf(1), pieceOf(2), bytesOf('1 3\nLL\n'), pieceOf(4), pieceOf(5)]);
    const sink = new StubSink();
    const running = solveInput(source, sink, new StubDispatcher(problem), optionsOf(problem), new RunTally());
    await expect(running).rejects.toMatchObject({
      kind: 'input',
      message: 'stub.in:6:1: case 3: expected row 1 of 1 (3 of "LRX"), got 2: "LL"',
    });
    expect(sink.text).toBe('1\n2\n');
  });

  test('under --on-error mark, an invalid case is answered ERROR and reported in a warning', async () => {
    const problem = stubProblem();
    const text = '1 1\nL\n1 2\nL?\n1 3\nLLL\n1 1\nR\nX\n1 2\nRR\n';
    const source = new StubSource([bytesOf(text)]);
    const sink = new StubSink();
    const warnings: string[] = [];
    const tally = new RunTally();
    const warn = (message: string) => void warnings.push(message);
    const options = optionsOf(problem, { onError: 'mark', chunkBytes: 1000, warn });
    await solveInput(source, sink, new StubDispatcher(problem), options, tally);
    expect(sink.text).toBe('1\nERROR\n3\nERROR\n2\n');
    expect(warnings).toEqual([
      'stub.in:4:2: case 2: expected one of "LRX" in row 1 of 1, got "?"',
      'stub.in:9:1: case 4: expected 1 row, got one more: "X"',
    ]);
    expect(tally).toMatchObject({ cases: 5, failedCases: 2 });
  });
});
