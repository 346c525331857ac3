/** The wired engine over a dispatcher in this thread, with a solver that names the case and no sleeps. */
import { describe, expect, test } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import type { Dispatcher } from '../../src/engine/dispatcher.js';
import { MAX_WAITING_BYTES } from '../../src/engine/limits.js';
import type { ChunkResult, ChunkTask } from '../../src/engine/messages.js';
import type { Source } from '../../src/engine/read.js';
import { run } from '../../src/engine/run.js';
import type { RunOptions } from '../../src/engine/run-options.js';
import type { Sink } from '../../src/engine/sink.js';
import { Tally } from '../../src/engine/tally.js';
import { inputFormat, printError } from '../../src/problems/darkraft/format.js';
import type { Problem, Solver, SolverName } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';
import { type Deferred, defer, settled } from '../support/deferred.js';
import { bytesOf } from '../support/inputs.js';
import { type GivenOptions, runOptions } from '../support/running.js';

const JOBS = 2;

/** What a run needs of a problem: answers a board with its width, printed as that many digits times `answerBytes`. */
function stubProblem(answerBytes = 1, name: SolverName = 'portable'): Problem<unknown> {
  const solver: Solver<unknown> = {
    name,
    lanes: 1,
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) answers[i] = boards[i].cols;
    },
  };
  const problem: Partial<Problem<unknown>> = {
    name: 'stub',
    inputFormat,
    printAnswer: (answer, _, out) => out.ascii(`${String(answer).repeat(answerBytes)}\n`),
    printError,
    answerToJson: (answer) => answer,
    createPortableSolver: () => solver,
  };
  return problem as Problem<unknown>;
}

/** Gives a chunk's answers when the test says so, or at once. */
class StubDispatcher implements Dispatcher {
  readonly slots = 2 * JOBS;
  readonly tasks: { task: ChunkTask; gate: Deferred<void> }[] = [];
  readonly #solver: ChunkSolver<unknown>;
  readonly #isHeld: (firstCase: number) => boolean;

  constructor(problem: Problem<unknown>, isHeld: (firstCase: number) => boolean = () => false) {
    this.#solver = new ChunkSolver(problem, problem.createPortableSolver(), false);
    this.#isHeld = isHeld;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const gate = defer();
    this.tasks.push({ task, gate });
    if (this.#isHeld(task.firstCase)) await gate.promise;
    return this.#solver.solve({ ...task, progress: new Int32Array(new SharedArrayBuffer(12)) });
  }

  async close(): Promise<void> {}
}

class StubSink implements Sink {
  readonly keepsPositions = false;
  readonly resumePosition = null;
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

/** The case whose answer is `width`, a piece of its own. */
const piece = (width: number) => bytesOf(`1 ${width}\n${'L'.repeat(width)}\n`);

class StubSource implements Source {
  readonly name = 'stub.in';
  readonly size = null;
  readonly pieces: AsyncIterable<Uint8Array>;
  pulled = 0;

  /** Fails with `failure` behind the last piece, if there is one. */
  constructor(pieces: Iterable<Uint8Array>, failure?: Error) {
    this.pieces = this.#read(pieces, failure);
  }

  async *#read(pieces: Iterable<Uint8Array>, failure?: Error): AsyncGenerator<Uint8Array> {
    for (const one of pieces) {
      this.pulled++;
      yield one;
    }
    if (failure !== undefined) throw failure;
  }

  async close(): Promise<void> {}
}

/** One case a piece: 1, 2, ... 9, and again. */
function* casePieces(count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) yield piece((i % 9) + 1);
}

const sourceOf = (cases: number, failure?: Error) => new StubSource(casePieces(cases), failure);

const answers = (cases: number) => Array.from({ length: cases }, (_, i) => `${(i % 9) + 1}\n`).join('');

function optionsOf(problem: Problem<unknown>, options: GivenOptions = {}): RunOptions {
  const warn = (message: string) => {
    throw new Error(`not expected: ${message}`);
  };
  return runOptions({ problem, chunkBytes: 1, jobs: JOBS, retries: 0, warn, ...options });
}

describe('order', () => {
  test('behind one slow chunk the others go on, and all is written in order', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const sink = new StubSink();
    const tally = new Tally();
    const running = run(sourceOf(500), sink, dispatcher, optionsOf(problem), tally);
    expect(await settled(() => dispatcher.tasks.length)).toBe(500);
    expect(sink.text).toBe('');
    dispatcher.tasks[0].gate.resolve();
    await running;
    expect(sink.text).toBe(answers(500));
    expect(tally).toMatchObject({ cases: 500, failedCases: 0, chunks: 500 });
  });

  test.each(['portable', 'simd'] as const)(
    'all cases of a chunk are answered, one by one or in batches (%s)',
    async (solver) => {
      const problem = stubProblem(1, solver);
      const sink = new StubSink();
      const options = optionsOf(problem, { chunkBytes: 10_000 });
      await run(sourceOf(2000), sink, new StubDispatcher(problem), options, new Tally());
      expect(sink.text).toBe(answers(2000));
    },
  );

  test('no more chunks are given out at a time than the dispatcher has slots', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, () => true);
    const sink = new StubSink();
    const source = sourceOf(50);
    const running = run(source, sink, dispatcher, optionsOf(problem), new Tally());
    expect(await settled(() => dispatcher.tasks.length)).toBe(dispatcher.slots);
    expect(source.pulled).toBeLessThanOrEqual(dispatcher.slots + 3);
    for (let next = 0; next < 50; next++) {
      dispatcher.tasks[next].gate.resolve();
      await settled(() => dispatcher.tasks.length);
    }
    await running;
    expect(sink.text).toBe(answers(50));
  });
});

describe('back-pressure', () => {
  const MIB = 1 << 20;
  const HELD = Math.ceil(MAX_WAITING_BYTES / MIB);

  test('a sink that takes no more stops the reader, and lets it go on', async () => {
    const problem = stubProblem(MIB);
    const writing = defer();
    const sink = new StubSink(() => writing.promise);
    const source = sourceOf(4 * HELD);
    const dispatcher = new StubDispatcher(problem);
    const running = run(source, sink, dispatcher, optionsOf(problem), new Tally());
    const pulled = await settled(() => source.pulled);
    expect(pulled).toBeGreaterThan(HELD / 2);
    expect(pulled).toBeLessThanOrEqual(HELD + dispatcher.slots + 3);
    expect(sink.writes).toBe(1);
    sink.text = '';
    writing.resolve();
    await running;
    expect(sink.writes).toBe(4 * HELD);
  });

  test('one slow case does not let finished answers pile up past their bound', async () => {
    const problem = stubProblem(MIB);
    const sink = new StubSink();
    const source = sourceOf(4 * HELD);
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const running = run(source, sink, dispatcher, optionsOf(problem), new Tally());
    expect(await settled(() => source.pulled)).toBeLessThanOrEqual(HELD + dispatcher.slots + 3);
    expect(sink.writes).toBe(0);
    dispatcher.tasks[0].gate.resolve();
    await running;
    expect(sink.writes).toBe(4 * HELD);
  });

  test('results without a byte of output are bounded too', async () => {
    const problem = stubProblem();
    const bad = bytesOf('1 1\n?\n'.repeat(2000));
    const source = new StubSource([piece(1), ...Array.from({ length: 1000 }, () => bad)]);
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 1);
    const options = optionsOf(problem, { onError: 'mark', chunkBytes: bad.length / 2, warn: () => {} });
    const running = run(source, new StubSink(), dispatcher, options, new Tally());
    const pulled = await settled(() => source.pulled);
    expect(pulled).toBeGreaterThan(1);
    expect(pulled).toBeLessThan(500);
    dispatcher.tasks[0].gate.reject(new Error('enough'));
    await expect(running).rejects.toThrow();
  });
});

describe('failure', () => {
  test('the input fails midway: the answers before that are written', async () => {
    const problem = stubProblem();
    const sink = new StubSink();
    const failure = new BoardmillError('io', 'cannot read stub.in: i/o error');
    const source = sourceOf(7, failure);
    const dispatcher = new StubDispatcher(problem, () => true);
    const running = run(source, sink, dispatcher, optionsOf(problem), new Tally());
    const outcome = running.catch((error: unknown) => error);
    for (let next = 0; next < 6; next++) {
      await settled(() => dispatcher.tasks.length);
      dispatcher.tasks[next].gate.resolve();
    }
    expect(await outcome).toBe(failure);
    // The seventh case was not seen whole: what follows it never came.
    expect(sink.text).toBe(answers(6));
  });

  test('a missing answer is an error, and nothing behind it is written', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem);
    const solve = dispatcher.solve.bind(dispatcher);
    dispatcher.solve = async (task) => {
      const result = await solve(task);
      return task.firstCase === 3 ? { ...result, output: new Uint8Array(0), answered: 0 } : result;
    };
    const sink = new StubSink();
    const running = run(sourceOf(9), sink, dispatcher, optionsOf(problem), new Tally());
    await expect(running).rejects.toMatchObject({
      kind: 'worker',
      message: 'cases 3 to 3: an answer is missing',
    });
    expect(sink.text).toBe(answers(2));
  });

  test('a sink that fails ends the run, and the reading', async () => {
    const problem = stubProblem();
    const failure = new BoardmillError('io', 'cannot write stub.ans: no space left on device');
    const source = sourceOf(1e6);
    const sink = new StubSink(() => Promise.reject(failure));
    await expect(
      run(source, sink, new StubDispatcher(problem), optionsOf(problem), new Tally()),
    ).rejects.toBe(failure);
    expect(source.pulled).toBeLessThan(100);
    expect(sink.writes).toBe(1);
  });

  test('a dispatcher that fails: the answers before that chunk are written', async () => {
    const problem = stubProblem();
    const dispatcher = new StubDispatcher(problem, (firstCase) => firstCase === 4);
    const sink = new StubSink();
    const running = run(sourceOf(9), sink, dispatcher, optionsOf(problem), new Tally());
    await settled(() => dispatcher.tasks.length);
    dispatcher.tasks[3].gate.reject(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(sink.text).toBe(answers(3));
  });

  test('a bad case stops the run, and the reading, after the answers before it', async () => {
    const problem = stubProblem();
    const source = new StubSource([piece(1), piece(2), bytesOf('1 3\nLL\n'), piece(4), piece(5)]);
    const sink = new StubSink();
    const running = run(source, sink, new StubDispatcher(problem), optionsOf(problem), new Tally());
    await expect(running).rejects.toMatchObject({
      kind: 'input',
      message: 'stub.in:6:1: case 3: expected row 1 of 1 (3 of "LRX"), got 2: "LL"',
    });
    expect(sink.text).toBe('1\n2\n');
  });

  test('under mark bad cases are answered ERROR in their places, and told', async () => {
    const problem = stubProblem();
    const text = '1 1\nL\n1 2\nL?\n1 3\nLLL\n1 1\nR\nX\n1 2\nRR\n';
    const source = new StubSource([bytesOf(text)]);
    const sink = new StubSink();
    const told: string[] = [];
    const tally = new Tally();
    const warn = (message: string) => void told.push(message);
    const options = optionsOf(problem, { onError: 'mark', chunkBytes: 1000, warn });
    await run(source, sink, new StubDispatcher(problem), options, tally);
    expect(sink.text).toBe('1\nERROR\n3\nERROR\n2\n');
    expect(told).toEqual([
      'stub.in:4:2: case 2: expected one of "LRX" in row 1 of 1, got "?"',
      'stub.in:9:1: case 4: expected 1 row, got one more: "X"',
    ]);
    expect(tally).toMatchObject({ cases: 5, failedCases: 2 });
  });
});
