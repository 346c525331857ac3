/** The functions of the library, as a program that imports boardmill uses them. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { endlessInput } from '../support/endless-input.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

allowSlowTests();

// `require` loads the build without vitest, as a user's program does.
const library: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);
const { BoardmillError, CaseError, defineProblem, formats, solveFile, solveOne, solveStream } = library;

beforeEach(() => vi.stubEnv('XDG_STATE_HOME', join(ROOT, 'node_modules/.cache/boardmill-test-state')));

const folder = folderForEachTest();
const { at, read, size, write, names } = folder;

const MODULE = `
  import { defineProblem, formats } from 'boardmill';
  export default defineProblem({
    name: 'quotients',
    input: formats.counted({ a: formats.int(), b: formats.int() }, { head: { unit: formats.int() } }),
    solve({ a, b }, { unit }) {
      if (b === 0) throw new Error('division by zero');
      return (unit * a) / b;
    },
    answer: formats.number(),
  });
`;

/** Writes the module, and returns its path. */
function writeModule(): string {
  write('quotients.mjs', MODULE);
  return at('quotients.mjs');
}

const INPUT = '10 3\n1 2\n3 4\n10 5\n';
const BAD_INPUT = INPUT.replace('3 4', '3 x');

/** Calls the function, and returns what it throws. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('solveFile', () => {
  const solve = (options = {}) =>
    solveFile(writeModule(), at('all.in'), at('all.ans'), { jobs: 1, ...options });

  test('writes the answers and returns statistics', async () => {
    write('all.in', INPUT);
    const stats = await solve();
    expect(read('all.ans')).toBe('5\n7.5\n20\n');
    expect(stats).toMatchObject({ problem: 'quotients', cases: 3, failedCases: 0, jobs: 1 });
    expect(names()).toEqual(['all.ans', 'all.in', 'quotients.mjs']);
  });

  test('knows the built-in problems by their aliases, and other output formats', async () => {
    write('board.in', '1 2\nRL\n');
    await solveFile('cf138d', at('board.in'), at('board.ans'), { jobs: 1, format: 'ndjson' });
    expect(JSON.parse(read('board.ans'))).toEqual({ case: 1, answer: expect.stringMatching(/WIN|LOSE/) });
  });

  test('writes tables with columns, and refuses columns that there are not', async () => {
    write('board.in', '1 2\nXL\n');
    const solveTable = (columns: never[] | readonly ('nimber' | 'line')[]) =>
      solveFile('cf138d', at('board.in'), at('board.csv'), { jobs: 1, format: 'csv', columns });
    await solveTable(['nimber', 'line']);
    expect(read('board.csv')).toBe('case,answer,nimber,line\n1,LOSE,0,1\n');
    const error = await failureOf(() => solveTable(['lin'] as never[]));
    expect(error).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('`columns`: no column is called "lin"'),
    });
  });

  test('names options as its callers do', async () => {
    write('all.in', BAD_INPUT);
    write('all.ans', 'mine\n');
    const messageOf = async (options: object) => ((await failureOf(() => solve(options))) as Error).message;
    expect(await messageOf({})).toMatch(/ wrote; `force` overwrites it$/);
    write('all.ans', '');
    await failureOf(() => solve({ chunkBytes: 1 }));
    expect(await messageOf({})).toMatch(/; `resume` continues after 1 case, `force` starts over$/);
    expect(await messageOf({ resume: true, onError: 'mark' })).toMatch(
      /: `onError` was stop, is mark; `force` starts over$/,
    );
    const exec = ['cat', '--force'];
    expect(await messageOf({ resume: true, exec })).toContain('`exec` was not set, is cat --force; ');
    const { stack } = (await failureOf(() => solve())) as Error;
    expect(stack).not.toContain('--force');
  });

  test('refuses to overwrite a file that boardmill did not write', async () => {
    write('all.in', INPUT);
    write('all.ans', 'mine\n');
    const error = await failureOf(() => solve());
    expect(error).toBeInstanceOf(BoardmillError);
    expect(error).toMatchObject({ kind: 'file', message: expect.stringContaining('all.ans') });
    expect(read('all.ans')).toBe('mine\n');
    await solve({ force: true });
    expect(read('all.ans')).toBe('5\n7.5\n20\n');
  });

  test('resumes a run that ended at an invalid case', async () => {
    write('all.in', BAD_INPUT);
    const error = await failureOf(() => solve({ chunkBytes: 1 }));
    expect(error).toBeInstanceOf(CaseError);
    expect(error).toMatchObject({
      kind: 'input',
      file: at('all.in'),
      line: 3,
      column: 3,
      case: 2,
      expected: expect.stringContaining('b'),
      got: '"x"',
    });
    expect(existsSync(at('all.ans'))).toBe(false);
    write('all.in', INPUT);
    expect(await failureOf(() => solve())).toMatchObject({ kind: 'file' });
    expect(await solve({ resume: true })).toMatchObject({ cases: 3, resumedCases: 1 });
    expect(read('all.ans')).toBe('5\n7.5\n20\n');
  });

  test('marks bad and failing cases', async () => {
    write('all.in', BAD_INPUT.replace('10 5', '10 0'));
    const warnings: string[] = [];
    const stats = await solve({ onError: 'mark', onWarning: (text: string) => warnings.push(text) });
    expect(stats).toMatchObject({ cases: 3, failedCases: 2 });
    expect(read('all.ans')).toBe('5\nERROR\nERROR\n');
    expect(warnings.join('\n')).toMatch(/case 2: expected .*\n.*case 3: .*division by zero/);
  });

  test('ends with the reason of an aborted signal', async () => {
    write('all.in', INPUT);
    const reason = new Error('enough');
    expect(await failureOf(() => solve({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(names()).toEqual(['all.in', 'quotients.mjs']);
  });

  test('starts no more workers than the machine can use, and says so', async () => {
    write('all.in', INPUT);
    const onWarning = vi.fn();
    const { jobs } = await solve({ jobs: 1e9, onWarning });
    expect(jobs).toBeLessThan(1e6);
    expect(onWarning.mock.calls).toEqual([
      [
        expect.stringMatching(
          `^\`jobs\` 1000000000: this machine has .*; boardmill starts only ${jobs} workers$`,
        ),
      ],
    ]);
  });

  test('an aborted signal ends it while a module loads', async () => {
    const reason = new Error('enough');
    write('loads-for-ever.mjs', 'await new Promise((resolve) => setInterval(resolve.bind, 1000));\n');
    const controller = new AbortController();
    const failed = failureOf(() =>
      solveFile(at('loads-for-ever.mjs'), at('all.in'), at('never.ans'), controller),
    );
    controller.abort(reason);
    expect(await failed).toBe(reason);
  });

  test('an aborted signal ends it before many threads have started', async () => {
    write('all.in', `${'1 1\nL\n'.repeat(3_000_000)}`);
    const reason = new Error('enough');
    const start = performance.now();
    const options = { jobs: 64, signal: AbortSignal.abort(reason), onWarning: () => {} };
    expect(await failureOf(() => solveFile('darkraft', at('all.in'), at('all.ans'), options))).toBe(reason);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('eleven runs may share a signal', async () => {
    const onProcessWarning = vi.fn();
    process.on('warning', onProcessWarning);
    const controller = new AbortController();
    const options = { jobs: 1, signal: controller.signal };
    // Each run waits for its input, so all of them wait for the signal at once.
    const runs = Array.from({ length: 11 }, () => solveStream('bt', new PassThrough(), options).next());
    await until(() => getEventListeners(controller.signal, 'abort').length === runs.length);
    controller.abort('enough');
    expect(await Promise.allSettled(runs)).toEqual(
      runs.map(() => ({ status: 'rejected', reason: 'enough' })),
    );
    process.off('warning', onProcessWarning);
    expect(onProcessWarning).not.toHaveBeenCalled();
  });

  test('an error of `onWarning` is the error of the run, unless it comes later', async () => {
    write('all.in', BAD_INPUT);
    const error = new Error('no log');
    const onWarning = () => {
      throw error;
    };
    expect(await failureOf(() => solve({ onError: 'mark', onWarning }))).toBe(error);
    // vitest reports errors that nobody handles.
    await solve({ onError: 'mark', force: true, onWarning: async () => onWarning() });
    expect(read('all.ans')).toBe('5\nERROR\n20\n');
  });

  test('leaves no listener on a signal', async () => {
    write('all.in', INPUT);
    const { signal } = new AbortController();
    await solve({ signal });
    await failureOf(() => solveFile('bt', at('no.in'), at('all.ans'), { signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('lets a program solve', async () => {
    write('all.in', INPUT);
    write('program.mjs', 'console.log(1);');
    await solve({ exec: [process.execPath, at('program.mjs')], execCases: 1 });
    expect(read('all.ans')).toBe('1\n1\n1\n');
  });

  test('refuses what cannot work', async () => {
    write('all.in', INPUT);
    expect(await failureOf(() => solve({ jobs: 0 }))).toMatchObject({ kind: 'usage' });
    const unknown = await failureOf(() => solveFile('no-such', at('all.in'), at('all.ans')));
    expect(unknown).toMatchObject({ kind: 'usage', message: expect.stringContaining('"no-such"') });
    const missing = await failureOf(() => solveFile('bt', at('no.in'), at('all.ans')));
    expect(missing).toMatchObject({ kind: 'file' });
    const same = await failureOf(() => solveFile('bt', at('all.in'), at('all.in')));
    expect(same).toBeInstanceOf(BoardmillError);
    expect(read('all.in')).toBe(INPUT);
  });
});

describe('solveStream', () => {
  test('yields the answers in the order of the cases', async () => {
    const boards = Array.from({ length: 300 }, (_, i) => `1 ${1 + (i % 5)}\n${'L'.repeat(1 + (i % 5))}\n`);
    const stream = solveStream('darkraft', Readable.from(boards), { jobs: 2, chunkBytes: 20 });
    const answers = await collect(stream);
    expect(answers.map(({ case: k }) => k)).toEqual(boards.map((_, i) => i + 1));
    // A row of L can be fired at one cell after another: WIN or LOSE depends on its length only.
    const byLength = answers.slice(0, 5).map(({ answer }) => answer);
    expect(answers.map(({ answer }) => answer)).toEqual(boards.map((_, i) => byLength[i % 5]));
  });

  test('reads a file, and strings in place of bytes', async () => {
    write('all.in', INPUT);
    const expected = [5, 7.5, 20].map((answer, i) => ({ case: i + 1, answer }));
    expect(await collect(solveStream(writeModule(), at('all.in'), { jobs: 1 }))).toEqual(expected);
    expect(await collect(solveStream(writeModule(), Readable.from([...INPUT]), { jobs: 1 }))).toEqual(
      expected,
    );
  });

  const WORDS = `
    import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'words',
      input: formats.untilEnd({ w: formats.word() }),
      solve: ({ w }) => w,
    });`;

  test('a surrogate pair may be cut between two pieces', async () => {
    write('words.mjs', WORDS);
    const pieces = Readable.from(['a\ud83d', '\udc80', '', '\ud83d', '', '\ude00\n']);
    const answers = await collect(solveStream(at('words.mjs'), pieces, { jobs: 1 }));
    expect(answers.map(({ answer }) => answer)).toEqual(['a\u{1f480}\u{1f600}']);
  });

  test.each([[['a\ud83d', 'b']], [['a\ud83d', Buffer.from('b')]], [['a\ud83d']], [['\ude00']]])(
    'half a surrogate pair is an error: %j',
    async (pieces) => {
      write('words.mjs', WORDS);
      const error = await failureOf(() =>
        collect(solveStream(at('words.mjs'), Readable.from(pieces), { jobs: 1 })),
      );
      expect(error).toMatchObject({
        kind: 'usage',
        message: expect.stringMatching(/^a piece of the input must be a text without half a surrogate pair/),
      });
    },
  );

  test('reads all that a child process has printed, even if it ends before the loop begins', async () => {
    const child = spawn('printf', [INPUT.replaceAll('\n', '\\n')]);
    const answers = solveStream(writeModule(), child.stdout, { jobs: 1 });
    await once(child, 'exit');
    // Node throws away what nobody listens to soon after the end of the process.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await collect(answers)).toHaveLength(3);
  });

  test('leaving the loop closes the input', async () => {
    const { state, input } = endlessInput();
    for await (const { case: k } of solveStream('darkraft', input, { jobs: 1, chunkBytes: 6000 }))
      if (k === 10) break;
    expect(state.isClosed).toBe(true);
  });

  test('leaving the loop ends the worker threads, so that the process ends', async () => {
    writeModule();
    write(
      'main.mjs',
      `import { solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
       import { PassThrough, Readable } from 'node:stream';
       const pieces = new Readable({ read() { this.push('1 1\\nL\\n'.repeat(500)); } });
       for await (const { case: k } of solveStream('darkraft', pieces, { jobs: 2 })) if (k === 700) break;
       console.log(pieces.destroyed);`,
    );
    const stdout = execFileSync(process.execPath, [at('main.mjs')], { encoding: 'utf8', timeout: 60_000 });
    expect(stdout).toBe('true\n');
  });

  test('no answer comes after the signal, even if it was solved before', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const boards = '1 2\nRL\n'.repeat(5);
    const answered: number[] = [];
    const read = async () => {
      // All boards are in one chunk, so all are solved when the first answer comes.
      const stream = solveStream('darkraft', Readable.from([boards]), { jobs: 1, signal: controller.signal });
      for await (const answer of stream) {
        answered.push(answer.case);
        controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(answered).toEqual([1]);
  });

  test('an aborted signal ends the loop with its reason', async () => {
    const { state, input } = endlessInput();
    const controller = new AbortController();
    const reason = new Error('enough');
    const stream = solveStream('darkraft', input, { jobs: 1, signal: controller.signal });
    const error = await failureOf(async () => {
      for await (const { case: k } of stream) if (k === 5) controller.abort(reason);
    });
    expect(error).toBe(reason);
    expect(state.isClosed).toBe(true);
    const aborted = solveStream('darkraft', endlessInput().input, { signal: AbortSignal.abort(reason) });
    expect(await failureOf(() => aborted.next())).toBe(reason);
  });

  test('yields errors in place of answers under onError: mark', async () => {
    const input = Readable.from([BAD_INPUT.replace('10 5', '10 0')]);
    const [first, second, third] = await collect(
      solveStream(writeModule(), input, { jobs: 1, onError: 'mark' }),
    );
    expect(first).toEqual({ case: 1, answer: 5 });
    expect(second).toEqual({
      case: 2,
      error: { kind: 'input', line: 3, column: 3, expected: expect.any(String), got: '"x"' },
    });
    expect(third).toMatchObject({ case: 3, error: { kind: 'crash', line: 4, column: 1 } });
  });

  test('throws a CaseError after the answers before it', async () => {
    const seen: unknown[] = [];
    const error = await failureOf(async () => {
      const stream = solveStream(writeModule(), Readable.from([BAD_INPUT]), { jobs: 1 });
      for await (const { answer } of stream) seen.push(answer);
    });
    expect(seen).toEqual([5]);
    expect(error).toBeInstanceOf(CaseError);
    expect(error).toMatchObject({ kind: 'input', line: 3, column: 3, case: 2, file: '<stream>', got: '"x"' });
  });

  test('an error of the input reaches the loop', async () => {
    async function* broken() {
      yield '1 1\nL\n';
      throw new Error('the cable is cut');
    }
    const error = await failureOf(() => collect(solveStream('darkraft', broken(), { jobs: 1 })));
    expect(String(error)).toContain('the cable is cut');
  });
});

test('Node shows an uncaught error with its name, and with little of our code', () => {
  write('all.in', '1\n1 1\nx\n');
  const call = `solveFile('bt', ${JSON.stringify(at('all.in'))}, ${JSON.stringify(at('all.ans'))}, { jobs: 1 })`;
  write(
    'main.mjs',
    `import { solveFile } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}'; await ${call};`,
  );
  const { stderr } = spawnSync(process.execPath, [at('main.mjs')], { encoding: 'utf8', timeout: 60_000 });
  expect(stderr).toMatch(/^CaseError: .*all\.in:3:1: case 1/m);
  expect(stderr.length).toBeLessThan(8000);
});

describe('a working directory that changes during a call', () => {
  /** Runs a program that begins in the folder `here`, beside which is `there`. `there` has files of the same names. */
  const run = (code: string) => {
    for (const side of ['here', 'there']) {
      write(`${side}/quotients.mjs`, MODULE);
      write(`${side}/all.in`, side === 'here' ? INPUT : '10 1\n8 8\n');
    }
    write(
      'here/main.mjs',
      `import { readdirSync } from 'node:fs';
       import { solveFile, solveOne, solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
       const there = ${JSON.stringify(at('there'))};
       const here = (name) => ${JSON.stringify(at('here/'))} + name;
       const say = (error) => console.log(error.kind + ': ' + error.message);
       ${code}`,
    );
    const output = execFileSync(process.execPath, ['main.mjs'], {
      cwd: at('here'),
      encoding: 'utf8',
      timeout: 60_000,
    });
    return output.trimEnd().split('\n');
  };
  const refused = () =>
    `usage: the working directory is no longer ${at('here')}, as it was at the call; relative paths and programs of \`exec\` depend on it`;

  test('is an error if something depends on it', () => {
    const lines = run(`
      const solving = [
        solveFile('quotients.mjs', here('all.in'), here('1.ans'), { jobs: 1 }),
        solveFile(here('quotients.mjs'), 'all.in', here('2.ans'), { jobs: 1 }),
        solveFile(here('quotients.mjs'), here('all.in'), here('3.ans'), { jobs: 1, exec: ['cat'] }),
        solveStream(here('quotients.mjs'), 'all.in', { jobs: 1 }).next(),
        solveOne('quotients.mjs', '3 4', { head: '10 1' }),
      ];
      process.chdir(there);
      for (const each of solving) await each.catch(say);
      console.log(readdirSync(there).join(), readdirSync(here('')).join());`);
    expect(lines).toEqual([
      ...Array(5).fill(refused()),
      'all.in,quotients.mjs all.in,main.mjs,quotients.mjs',
    ]);
  });

  test('is an error in the middle of a run, too', () => {
    const lines = run(`
      const stream = solveStream('quotients.mjs', (async function* () {
        yield '10 3\\n1 2\\n';
        yield '3 4\\n';
        process.chdir(there);
        yield '10 5\\n';
      })(), { jobs: 1, chunkBytes: 1 });
      try {
        for await (const { case: k } of stream) if (k === 3) console.log('an answer from there');
      } catch (error) {
        say(error);
      }`);
    expect(lines).toEqual([refused()]);
  });

  test('is gone: a relative path is an error, and so is a module if Node can start no thread', () => {
    const lines = run(`
      const { rmSync } = await import('node:fs');
      const gone = there + '/gone';
      await import('node:fs').then(({ mkdirSync }) => mkdirSync(gone));
      process.chdir(gone);
      rmSync(gone, { recursive: true });
      await solveOne('./quotients.mjs', '3 4', { head: '10 1' }).catch(say);
      await solveOne(here('quotients.mjs'), '1 2', { head: '10 1' }).then(() => console.log('answered'), say);
      console.log(await solveOne('darkraft', 'RL\\nLR'));`);
    const hasHooks = 'registerHooks' in nodeModule;
    expect(lines).toEqual([
      'file: cannot open ./quotients.mjs: the working directory has been removed',
      hasHooks
        ? 'answered'
        : 'file: without a working directory, Node.js before 22.15 cannot load the module',
      expect.stringMatching(/^(WIN|LOSE)$/),
    ]);
  });

  test('changes nothing if the output alone is relative', () => {
    const lines = run(`
      const solving = solveFile(here('quotients.mjs'), here('all.in'), 'all.ans', { jobs: 1 });
      process.chdir(there);
      await solving;
      console.log(readdirSync(there).join());`);
    expect(lines).toEqual(['all.in,quotients.mjs']);
    expect(read('here/all.ans')).toBe('5\n7.5\n20\n');
  });
});

test('calls that are aborted one after another leave no listeners on their signal, and Node warns of none', () => {
  write('sums.mjs', MODULE);
  write('sums.in', INPUT);
  write(
    'aborts.mjs',
    `import { getEventListeners } from 'node:events';
     import { solveFile, solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
     for (let i = 0; i < 15; i++) {
       const signal = AbortSignal.timeout(i);
       try { for await (const each of solveStream('./sums.mjs', 'sums.in', { signal, jobs: 2 })); } catch {}
     }
     const aborted = AbortSignal.abort(new Error('stop'));
     for (let i = 0; i < 15; i++) await solveFile('./sums.mjs', 'sums.in', 'sums.ans', { signal: aborted }).catch(() => {});
     console.log(getEventListeners(aborted, 'abort').length);
     process.exit();`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['aborts.mjs'], { cwd: at(''), encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
});

describe('a program that Node gets as a text', () => {
  const program = (problem: string) => `
    import { solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
    for await (const { answer } of solveStream(${JSON.stringify(problem)}, ${JSON.stringify(at('all.in'))}))
      console.log(answer);`;
  const answersOf = (input: string | undefined, ...args: string[]) =>
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: 60_000,
      input,
      stdio: ['pipe', 'pipe', 'inherit'],
    });

  test('has threads, as one in a file', () => {
    write('all.in', INPUT);
    const code = program(writeModule());
    expect(answersOf(undefined, '--input-type=module', '-e', code)).toBe('5\n7.5\n20\n');
    expect(answersOf(code, '--input-type', 'module')).toBe('5\n7.5\n20\n');
  });

  test('keeps the other options of Node in its threads', () => {
    write('all.in', '1 1\n');
    write('greet.mjs', 'globalThis.greeting = "hello";');
    write(
      'greeting.mjs',
      `import { defineProblem, formats } from 'boardmill';
       const input = formats.counted({ n: formats.int() });
       export default defineProblem({ name: 'greeting', input, solve: () => globalThis.greeting });`,
    );
    const options = ['--max-old-space-size=500', '--import', at('greet.mjs'), '--input-type=module'];
    expect(answersOf(undefined, ...options, '-e', program(at('greeting.mjs')))).toBe('hello\n');
  });
});

describe('a process that lacks something', () => {
  /** Calls each function of the library in a process of its own, and returns the class, kind and message of each error. */
  const errorsOf = (shellWords: string) => {
    write(
      'lack.mjs',
      `import { solveFile, solveOne, solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
       const say = (error) => console.log(error.constructor.name + ' ' + error.kind + ': ' + error.message);
       await solveFile('./quotients.mjs', 'all.in', 'all.ans', { jobs: 1, force: true }).catch(say);
       await solveStream('./quotients.mjs', 'all.in', { jobs: 1 }).next().catch(say);
       await solveOne('./quotients.mjs', '3 4', { head: '10 1' }).catch(say);`,
    );
    writeModule();
    write('all.in', INPUT);
    const output = execFileSync('sh', ['-c', `${shellWords} lack.mjs 2> /dev/null`], {
      cwd: folder.path,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return output.split('\n').slice(0, -1);
  };

  test('files gets errors that say so', () => {
    const all = [28, 31, 34, 37].flatMap((files) => errorsOf(`ulimit -n ${files}; '${process.execPath}'`));
    expect(all.length).toBeGreaterThan(0);
    for (const error of all)
      expect(error).toMatch(/^BoardmillError (worker|file): .*the process may not open more files/);
  });

  test('permissions of Node gets errors that say so', () => {
    const flag = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const all = errorsOf(`'${process.execPath}' ${flag} '--allow-fs-read=*' '--allow-fs-write=*'`);
    const said =
      'BoardmillError worker: the permission model of Node.js forbids something that boardmill needs';
    // Node before 22.15 needs a thread even to load a module for solveOne.
    const ofSolveOne = 'registerHooks' in nodeModule ? [] : [expect.stringContaining(said)];
    expect(all).toEqual([expect.stringContaining(said), expect.stringContaining(said), ...ofSolveOne]);
  });
});

describe('wrong options and arguments', () => {
  const refusal = async (call: () => unknown) => {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(BoardmillError);
    expect(error).toMatchObject({ kind: 'usage' });
    return (error as Error).message;
  };

  test.each([
    [{ jbos: 3 }, 'unknown option `jbos` (did you mean `jobs`?)'],
    [{ toString: 1 }, 'unknown option `toString`'],
    [{ jobs: 0.5 }, '`jobs` must be a whole number of at least 1, got 0.5'],
    [{ onError: 'skip' }, '`onError` must be one of "stop", "mark", got "skip"'],
    [{ timeout: -1 }, '`timeout` must be a number of seconds from 0.001 to 2,000,000, got -1'],
    // The timers of Node would fire at once.
    [{ timeout: 2_000_001 }, '`timeout` must be a number of seconds from 0.001 to 2,000,000, got 2000001'],
    [{ timeout: Number.NaN }, '`timeout` must be a number of seconds'],
    [{ exec: 'cat' }, '`exec` must be an array with the name of a program'],
    [{ exec: [''] }, 'got [""]'],
    [{ exec: ['cat', 5] }, 'got ["cat", 5]'],
    [{ exec: ['cat', '\0'] }, 'all texts without NUL characters, got ["cat", '],
    [{ execCases: 1 }, '`execCases` needs `exec`'],
    [{ exec: ['cat'], solver: 'simd' }, '`exec` and `solver` cannot be used together'],
    [{ signal: {} }, '`signal` must be an AbortSignal, got an object'],
    [null, '`options` must be an object, got null'],
  ])('%j', async (options, message) => {
    expect(await refusal(() => solveFile('bt', 'in', 'out', options as never))).toContain(message);
    expect(await refusal(() => solveStream('bt', 'in', options as never).next())).toContain(message);
  });

  test.each([
    [{ resume: true, force: true }, '`resume` and `force` cannot be used together'],
    [{ multitest: true }, '`multitest` needs a grammar (FILE.ctd) as `problem`'],
    [{ casesLoop: 1 }, '`casesLoop` needs a grammar'],
    [{ answers: 'all' }, '`answers` needs a grammar'],
  ])('solveFile refuses %j, as the command line does', async (options, message) => {
    expect(await refusal(() => solveFile('bt', 'in', 'out', options as never))).toContain(message);
    const harmless = { multitest: false, casesLoop: null, force: true, resume: false };
    expect(await failureOf(() => solveFile('bt', at('no.in'), at('out'), harmless))).toMatchObject({
      kind: 'file',
    });
  });

  test('inherited options and getters are read once, and checked', async () => {
    const inherited = Object.create({ jobs: -3 });
    expect(await refusal(() => solveStream('bt', 'in', inherited).next())).toContain('`jobs` must be');
    class Options {
      get timeout() {
        return -1;
      }
    }
    expect(await refusal(() => solveFile('bt', 'in', 'out', new Options()))).toContain('`timeout` must be');
    const head = vi.fn(() => '1');
    await solveOne('bt', '1 1\n.', Object.create({}, { head: { get: head, enumerable: true } }));
    expect(head).toHaveBeenCalledOnce();
  });

  test('options that are changed after the call change nothing', async () => {
    write('one.in', '1\n1 1\n.\n');
    write('program.mjs', 'console.log("Case #1:", process.argv[2]);');
    const exec = [process.execPath, at('program.mjs'), ''];
    const options = { jobs: 1, exec, format: 'text' as import('../../src/index.js').OutputFormat };
    const runs = (['text', 'ndjson', 'csv'] as const).map((format, i) => {
      options.format = format;
      exec[2] = `${i + 1}`;
      return solveFile('bt', at('one.in'), at(format), options);
    });
    const { format: _, ...streamed } = options;
    const stream = solveStream('bt', at('one.in'), streamed);
    exec[2] = '4';
    await Promise.all(runs);
    expect(['text', 'ndjson', 'csv'].map(read)).toEqual([
      'Case #1: 1\n',
      '{"case":1,"answer":2}\n',
      'case,answer\n1,3\n',
    ]);
    expect(await collect(stream)).toEqual([{ case: 1, answer: 3 }]);
    const headed = { head: '10 1' };
    const answer = solveOne(writeModule(), '3 4', headed);
    headed.head = '20 1';
    expect(await answer).toBe(7.5);
  });

  test('options of solveFile alone, which may also be undefined', async () => {
    const format = { format: 'xml' } as never;
    expect(await refusal(() => solveFile('bt', 'in', 'out', format))).toContain('`format` must be one of');
    expect(await refusal(() => solveStream('bt', 'in', format).next())).toBe('unknown option `format`');
    const undefinedOptions = { jobs: undefined, format: undefined } as never;
    const error = await failureOf(() => solveFile('bt', at('no.in'), at('out'), undefinedOptions));
    expect(error).toMatchObject({ kind: 'file' });
  });

  test.each([
    ['problem', '', 'in', 'out'],
    ['input', 'bt', '', 'out'],
    ['output', 'bt', 'in', ''],
  ])('an empty text as `%s`', async (name, problem, input, output) => {
    const message = await refusal(() => solveFile(problem, input, output));
    expect(message).toBe(`\`${name}\` must be a text without NUL characters that is not empty, got ""`);
  });

  test('an input that has no pieces of text or bytes', async () => {
    expect(await refusal(() => solveStream('bt', null as never).next())).toContain(
      '`input` must be the path',
    );
    const numbers = Readable.from([1, 2]);
    const message = await refusal(() => solveStream('bt', numbers as never, { jobs: 1 }).next());
    expect(message).toBe('a piece of the input must be a Uint8Array or a text, got 1');
    expect(numbers.destroyed).toBe(true);
  });

  test('no piece of another realm', async () => {
    const piece: Uint8Array = runInNewContext('Uint8Array.of(49, 10, 49, 32, 49, 10, 46, 10)');
    const pieces = Readable.from([piece], { objectMode: true });
    expect(await collect(solveStream('bt', pieces, { jobs: 1 }))).toEqual([{ case: 1, answer: 2 }]);
  });

  test('a piece whose memory was transferred', async () => {
    const piece = new Uint8Array(8);
    structuredClone(piece, { transfer: [piece.buffer] });
    const pieces = Readable.from([piece], { objectMode: true });
    expect(await refusal(() => solveStream('bt', pieces, { jobs: 1 }).next())).toBe(
      'a piece of the input is a detached Uint8Array: its memory was transferred',
    );
    const empty = Readable.from([new Uint8Array(0), '1\n1 1\n.\n']);
    expect(await collect(solveStream('bt', empty, { jobs: 1 }))).toHaveLength(1);
  });

  test('empty texts in solveStream', async () => {
    expect(await refusal(() => solveStream('', 'in').next())).toMatch(/^`problem` must be .* got ""$/);
    expect(await refusal(() => solveStream('bt', '').next())).toMatch(/^`input` must be .* got ""$/);
  });
});

describe('a signal ends a run at once', () => {
  /** The second case of this module never ends. */
  const STUCK = `
    import { defineProblem, formats } from 'boardmill';
    export default defineProblem({
      name: 'stuck',
      input: formats.untilEnd({ n: formats.int() }),
      solve({ n }) { while (n === 2) {} return n; },
    });`;

  /** Returns a promise that is resolved when case 1 is answered, and a signal that `controller` aborts. */
  function writeStuck() {
    write('stuck.mjs', STUCK);
    write('stuck.in', '1\n2\n3\n');
    const controller = new AbortController();
    const options = { jobs: 1, chunkBytes: 1, signal: controller.signal };
    return { path: at('stuck.mjs'), controller, options, reason: new Error('enough') };
  }

  test('in solveStream, although `solve` hangs', async () => {
    const { path, controller, options, reason } = writeStuck();
    const seen: unknown[] = [];
    const error = await failureOf(async () => {
      for await (const { answer } of solveStream(path, at('stuck.in'), options)) {
        seen.push(answer);
        controller.abort(reason);
      }
    });
    expect(error).toBe(reason);
    expect(seen).toEqual(['1']);
  });

  test('in solveFile, which keeps the answers so far for `resume`', async () => {
    const { path, controller, options, reason } = writeStuck();
    const running = failureOf(() => solveFile(path, at('stuck.in'), at('stuck.ans'), options));
    await until(() => size('stuck.ans.partial') === '1\n'.length);
    controller.abort(reason);
    expect(await running).toBe(reason);
    write('stuck.in', '1\n4\n3\n');
    const stats = await solveFile(path, at('stuck.in'), at('stuck.ans'), { jobs: 1, resume: true });
    expect(stats).toMatchObject({ cases: 3, resumedCases: 1 });
    expect(read('stuck.ans')).toBe('1\n4\n3\n');
  });

  test('although the next piece of the input never comes', async () => {
    const { path, controller, options, reason } = writeStuck();
    async function* input() {
      yield '1\n1\n';
      queueMicrotask(() => controller.abort(reason));
      await new Promise(() => {});
    }
    const error = await failureOf(() => collect(solveStream(path, input(), options)));
    expect(error).toBe(reason);
  });

  test('and leaving the loop ends a `solve` that hangs', async () => {
    const { path, options } = writeStuck();
    for await (const { answer } of solveStream(path, at('stuck.in'), options)) {
      expect(answer).toBe('1');
      break;
    }
  });
});

describe('leaving the loop while the next piece is awaited', () => {
  const CASES = '5\n1 1\n.\n1 1\n.\n';
  /** Answers come before the end of the input, because each case is a chunk. */
  const options = { jobs: 1, chunkBytes: 1 };

  test('closes a stream of Node', async () => {
    const stream = new PassThrough();
    stream.write(CASES);
    for await (const { case: k } of solveStream('bt', stream, options)) if (k === 1) break;
    expect(stream.destroyed).toBe(true);
  });

  test('cancels a web stream', async () => {
    const cancel = vi.fn();
    const stream = new ReadableStream<string>({ start: (queue) => queue.enqueue(CASES), cancel });
    for await (const { case: k } of solveStream('bt', stream, options)) if (k === 1) break;
    expect(cancel).toHaveBeenCalledOnce();
    expect(stream.locked).toBe(false);
  });

  test('an aborted signal closes it, too', async () => {
    const stream = new PassThrough();
    stream.write(CASES);
    const controller = new AbortController();
    const answers = solveStream('bt', stream, { ...options, signal: controller.signal });
    await answers.next();
    controller.abort('enough');
    expect(await failureOf(() => collect(answers))).toBe('enough');
    expect(stream.destroyed).toBe(true);
  });
});

describe('a call that fails before it reads closes the input', () => {
  const failures: [string, object][] = [
    ['bt', { signal: AbortSignal.abort('enough') }],
    ['bt', { jobs: 0 }],
    ['no-such', {}],
    [7 as never, {}],
  ];

  test.each(failures)('%s %j', async (problem, options) => {
    const stream = new PassThrough();
    await failureOf(() => solveStream(problem, stream, options).next());
    expect(stream.destroyed).toBe(true);
    const cancel = vi.fn();
    await failureOf(() => solveStream(problem, new ReadableStream<string>({ cancel }), options).next());
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('a web stream that somebody else reads stays as it is', async () => {
    const stream = new ReadableStream<string>();
    stream.getReader();
    const error = await failureOf(() => solveStream('bt', stream, { jobs: 0 }).next());
    expect(error).toMatchObject({ kind: 'usage' });
  });

  test('a socket does not keep the process alive', () => {
    write(
      'main.mjs',
      `import { solveStream } from '${pathToFileURL(join(ROOT, 'dist/src/index.js')).href}';
       import { connect, createServer } from 'node:net';
       const server = createServer((socket) => socket.on('error', () => {}));
       server.unref().listen(0, '127.0.0.1', () => {
         const socket = connect(server.address().port, '127.0.0.1', async () => {
           await solveStream('no-such', socket).next().catch((error) => console.log(error.kind));
           console.log(socket.destroyed);
         });
       });`,
    );
    const stdout = execFileSync(process.execPath, [at('main.mjs')], { encoding: 'utf8', timeout: 60_000 });
    expect(stdout).toBe('usage\ntrue\n');
  });
});

describe('an input stream that fails', () => {
  const iterable = (iterator: object) => ({ [Symbol.asyncIterator]: () => iterator }) as never;
  const locked = () => {
    const stream = new ReadableStream<string>();
    stream.getReader();
    return stream;
  };
  const fail = () => {
    throw new TypeError('the line is dead');
  };

  test.each([
    ['a web stream that somebody else reads', locked],
    ['an iterator that throws', () => iterable({ next: fail })],
    ['an iterator without results', () => iterable({ next: () => undefined })],
    ['an iterable without an iterator', () => ({ [Symbol.asyncIterator]: fail }) as never],
  ])('%s is an error of boardmill', async (_what, open) => {
    const error = await failureOf(() => collect(solveStream('bt', open(), { jobs: 1 })));
    expect(error).toBeInstanceOf(BoardmillError);
    expect(error).toMatchObject({ kind: 'io', message: expect.stringContaining('cannot read <stream>: ') });
  });

  test('an iterator is closed once, after a break and after an abort', async () => {
    const next = async () => ({ done: false, value: '1000\n1 1\n.\n1 1\n.\n' });
    const close = vi.fn();
    const input = iterable({ next, return: close });
    for await (const { case: k } of solveStream('bt', input, { jobs: 1, chunkBytes: 1 })) if (k === 1) break;
    expect(close).toHaveBeenCalledOnce();
    const controller = new AbortController();
    const answers = solveStream('bt', input, { jobs: 1, chunkBytes: 1, signal: controller.signal });
    await answers.next();
    controller.abort('enough');
    expect(await failureOf(() => collect(answers))).toBe('enough');
    expect(close).toHaveBeenCalledTimes(2);
  });

  test('an iterator that cannot be closed is left as it is', async () => {
    const next = async () => ({ done: false, value: '1000\n1 1\n.\n1 1\n.\n' });
    const answers = solveStream('bt', iterable({ next, return: fail }), { jobs: 1, chunkBytes: 1 });
    // vitest reports errors that nobody handles.
    for await (const { case: k } of answers) if (k === 1) break;
  });

  test.each([
    ['before it is read', () => createReadStream('/no/such/file')],
    [
      'while it is read',
      () =>
        Readable.from(
          (async function* () {
            yield '2\n1 1\n.\n';
            throw new Error('the line is dead');
          })(),
        ),
    ],
  ])('%s is an error that can be caught', async (_when, open) => {
    const error = await failureOf(() => collect(solveStream('bt', open(), { jobs: 1 })));
    expect(error).toBeInstanceOf(BoardmillError);
    expect(error).toMatchObject({ kind: 'io', message: expect.stringContaining('cannot read <stream>: ') });
  });

  test('before the first answer is taken is an error, too, and not the end of the process', async () => {
    const stream = createReadStream('/no/such/file');
    const answers = solveStream('bt', stream, { jobs: 1 });
    // The stream has no other listener for its error, which Node would throw.
    await new Promise<void>((resolve) => stream.on('close', () => resolve()));
    expect(await failureOf(() => collect(answers))).toMatchObject({ kind: 'io' });
  });
});

describe('solveOne', () => {
  test('turns whatever a solver throws into an error, even an object that has no text', async () => {
    const strange = {
      toString() {
        throw this;
      },
    };
    const problem = defineProblem({
      name: 'strange',
      input: formats.single({ n: formats.int() }),
      solve: () => {
        throw strange;
      },
    });
    const error = await failureOf(() => solveOne(problem, '1'));
    expect(error).toBeInstanceOf(BoardmillError);
    expect(error).toMatchObject({
      kind: 'worker',
      message: 'strange: its solver failed: it threw something that is not an error',
      cause: strange,
    });
  });

  test('solves a board of rows, with or without its header', async () => {
    const answers = await Promise.all(
      ['RL\nLR', '2 2\nRL\nLR\n', ' RL\r\nLR\r\n'].map((text) => solveOne('cf138d', text)),
    );
    expect(new Set(answers).size).toBe(1);
    expect(['WIN', 'LOSE']).toContain(answers[0]);
    expect(await solveOne('zu', '2 3\nO.O\n.X.\n')).toMatchObject({ winner: expect.anything() });
    expect(await solveOne('bacterial-tactics', '..\n.#')).toEqual(expect.any(Number));
    expect(await solveOne('link-and-pop', 'AS AS')).toEqual(expect.any(Array));
  });

  test('solves a case of a module by its path or its URL', async () => {
    const path = writeModule();
    expect(await solveOne(path, '3 4', { head: '10 1' })).toBe(7.5);
    expect(await solveOne(pathToFileURL(path).href, '3 4', { head: '10 1' })).toBe(7.5);
  });

  const sums = defineProblem({
    name: 'sums',
    input: formats.untilEnd({ n: formats.int(1, 9), a: formats.ints('n') }),
    solve: ({ a }) => a.reduce((sum, value) => sum + value, 0),
  });

  test('solves a case of a problem object, as text or as fields', async () => {
    expect(await solveOne(sums, '3\n1 2 3')).toBe(6);
    const sum: number = await solveOne(sums, { n: 2, a: Int32Array.of(4, 5) });
    expect(sum).toBe(9);
    // @ts-expect-error The field `a` is missing.
    await failureOf(() => solveOne(sums, { n: 2 }));
  });

  test('an invalid case is a CaseError', async () => {
    const error = await failureOf(() => solveOne(sums, '3\n1 x 3'));
    expect(error).toBeInstanceOf(CaseError);
    expect(error).toMatchObject({ kind: 'input', line: 2, column: 3, case: 1, got: '"x"' });
    expect(await failureOf(() => solveOne('cf138d', 'RL\nL'))).toBeInstanceOf(CaseError);
    expect(await failureOf(() => solveOne('cf138d', 'RL\nL?'))).toBeInstanceOf(CaseError);
    expect(await failureOf(() => solveOne('cf138d', ''))).toBeInstanceOf(CaseError);
    expect(await failureOf(() => solveOne(sums, '1\n2\n3'))).toBeInstanceOf(CaseError);
  });

  test('a fault has the place in the text that the user gave, also if that has no header', async () => {
    const placeOf = async (text: string) => {
      const { line, column } = (await failureOf(() => solveOne('bt', text))) as Record<string, unknown>;
      return [line, column];
    };
    expect(await placeOf('..x\n...')).toEqual([1, 3]);
    expect(await placeOf('..\n.')).toEqual([2, 1]);
    expect(await placeOf('2 2\n..\n.')).toEqual([3, 1]);
    expect(await placeOf('#'.repeat(51))).toEqual([1, 1]);
  });

  const scaled = defineProblem({
    name: 'scaled',
    input: formats.counted({ n: formats.int(1, 9) }, { head: { unit: formats.int(1, 3) } }),
    solve: ({ n }, { unit }) => n * unit,
  });

  test('the head is checked like a case', async () => {
    expect(await solveOne(scaled, '4', { head: ' 3\n1 ' })).toBe(12);
    expect(await solveOne(scaled, { n: 4 }, { head: '3 1' })).toBe(12);
    const messageWith = async (head: string) =>
      String(await failureOf(() => solveOne(scaled, '4', { head })));
    expect(await messageWith('9 1')).toContain('<head>:1:1: expected unit (1 to 3), got "9"');
    expect(await messageWith('2')).toContain('expected the number of cases');
    expect(await messageWith('2 1 5')).toContain('<head>:1:5: expected the end of the head, got "5"');
    for (const input of ['4', { n: 4 }]) {
      const error = await failureOf(() => solveOne(scaled, input));
      expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining('`head`') });
    }
  });

  test('fields are checked like the text of a case', async () => {
    for (const fields of [{ n: 99 }, {}, { m: 3 }, [], { n: 1.5 }]) {
      const error = await failureOf(() => solveOne(scaled, fields as never, { head: '3 1' }));
      expect(error).toMatchObject({ kind: 'input', case: 1, expected: expect.stringContaining('n (') });
    }
    const short = { n: 2, a: Int32Array.of(1) };
    expect(await failureOf(() => solveOne(sums, short))).toBeInstanceOf(BoardmillError);
  });

  test.each([
    [{}, 'undefined'],
    [{ l: 'x' }, 'x'],
  ])('the error about the field `l` of %j says what it is, and not NaN', async (fields, got) => {
    const input = formats.single({ q: formats.list(1, { k: formats.int(), l: formats.int() }) });
    const problem = defineProblem({ name: 'any', input, solve: () => 'solved' });
    const error = await failureOf(() => solveOne(problem, { q: [{ k: 1, ...fields }] } as never));
    expect((error as Error).message).toBe(`<case>:1:3: case 1: expected q[1].l (an integer), got "${got}"`);
  });

  const { counted, grid, int, ints, line, lines, list, either, single, table, word, words } = formats;
  test.each([
    [counted({ w: word(), l: line() }), { w: '', l: 'c d' }, '`w`'],
    [counted({ w: word(), l: line() }), { w: 'a', l: 'b\r' }, '`l`'],
    [counted({ w: word() }), { w: '\ud800' }, '`w`'],
    [single({ n: int(), l: words('n') }), { n: 2, l: ['a b'] }, '`l.length`'],
    [single({ n: int(), l: lines('n') }), { n: 2, l: ['a\nb'] }, '`l.length`'],
    [single({ n: int(), l: ints('n'), m: ints('n') }), { n: 2, l: [1], m: [2, 3, 4] }, '`l.length`'],
    [single({ g: table(2, 2) }), { g: { rows: 4, cols: 1, cells: [1, 2, 3, 4] } }, '`g.rows`'],
    [
      single({ g: grid(1, 2, '.#') }),
      { g: { rows: 1, cols: 2, cells: [0, 1], lines: ['..'] } },
      '`g.lines[1]`',
    ],
    [single({ n: int() }), { n: 2 ** 53 - 1, m: 1 }, 'no field `m`'],
    [single({ n: int() }), { n: true }, 'n (an integer), got "true"'],
    [single({ n: int(), a: ints('n') }), { n: null, a: [] }, 'n (an integer), got "null"'],
    [single({ n: int(), a: ints('n') }), { n: 2 }, '`a` that fits the input format, got undefined'],
    [single({ q: list(1, either('k', { A: {} })) }), { q: [{ k: 'A', x: 1 }] }, 'no field `q[1].x`'],
  ])('fields that would be read as others are a CaseError: %#', async (input, fields, message) => {
    const problem = defineProblem({ name: 'any', input: input as never, solve: () => 'solved' });
    const error = await failureOf(() => solveOne(problem, fields as never));
    expect(error).toBeInstanceOf(CaseError);
    expect((error as Error).message).toContain(message);
  });

  test('fields may have other arrays and numbers than `solve` gets, if their values are the same', async () => {
    const all = { n: int(), b: formats.bigint(), a: ints('n'), x: formats.number(), g: grid(1, 2, '.#') };
    const problem = defineProblem({ name: 'any', input: single(all), solve: ({ g }) => g.lines[0] });
    const fields = { n: 2n, b: 3, a: [1, 2], x: -0, g: { rows: 1, cols: 2, cells: [0, 1] } };
    expect(await solveOne(problem, fields as never)).toBe('.#');
  });

  test.each([
    [formats.counted({ n: int() }, { head: { m: int(1, 5) } }), '3 2', '2'],
    [formats.counted({ n: int() }, { head: { m: int(1, 5) } }), '3 0', '0'],
    [formats.counted({ n: int() }), '2', '2'],
    [formats.counted({ n: int() }, { head: { t: int(1, 5), m: int() }, cases: 't' }), '4 3', '4'],
  ])('a head that states another number of cases is refused: %#', async (input, head, count) => {
    const problem = defineProblem({ name: 'any', input: input as never, solve: () => 'solved' });
    expect(await failureOf(() => solveOne(problem, '7', { head }))).toMatchObject({
      kind: 'usage',
      message: `\`head\` must state 1 as the number of cases, got ${count}`,
    });
  });

  test('a path that leads to no problem is an error that says so', async () => {
    expect(await failureOf(() => solveOne('./nope.mjs', '1'))).toMatchObject({
      kind: 'file',
      message: 'cannot open ./nope.mjs: no such file or directory',
    });
    const { message } = (await failureOf(() => solveOne('./package.json', '1'))) as Error;
    expect(message).toBe(
      'no problem is named "./package.json"; a module is a path that ends in .mjs, .js, .cjs, .ts or .mts, a grammar one in .ctd',
    );
  });

  test('other failures', async () => {
    expect(await failureOf(() => solveOne('no-such', 'RL'))).toMatchObject({ kind: 'usage' });
    const failure = await failureOf(() => solveOne(writeModule(), '3 0', { head: '10 1' }));
    expect(failure).toBeInstanceOf(BoardmillError);
    expect(failure).toMatchObject({
      kind: 'worker',
      message: 'quotients: its solver failed: division by zero',
      cause: { message: 'division by zero' },
    });
  });

  test.each([
    ['nothing', { solve: (): unknown => undefined }, 'solve returned undefined'],
    [
      'an answer that `answer` does not read',
      { solve: (): unknown => 'a', answer: formats.int() },
      'does not read',
    ],
  ])('an author whose `solve` returns %s has made a mistake', async (_what, members, message) => {
    const problem = defineProblem({ name: 'odd', input: formats.single({ n: formats.int() }), ...members });
    const error = await failureOf(() => solveOne(problem as never, '1'));
    expect(error).toMatchObject({
      name: 'BoardmillError',
      kind: 'usage',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [[], '`problem` must be the name of a problem'],
    [[{}, '1'], '`problem` must be the name of a problem'],
    [['bt'], '`input` must be a text, got undefined'],
    [[sums, 7], '`input` must be the text of a case, or an object with its fields, got 7'],
    [[sums, '1 1', { heads: '' }], 'unknown option `heads` (did you mean `head`?)'],
    [[sums, '1 1', { head: 1 }], '`head` must be a text, got 1'],
    [[sums, '1 \ud83d'], '`input` must be a text without half a surrogate pair'],
    [[sums, '1 1', { head: '\ude00' }], '`head` must be a text without half a surrogate pair'],
  ])('refuses the arguments %j', async (given, message) => {
    const error = await failureOf(() => (solveOne as (...all: unknown[]) => unknown)(...given));
    expect(error).toMatchObject({
      name: 'BoardmillError',
      kind: 'usage',
      message: expect.stringContaining(message),
    });
  });
});
