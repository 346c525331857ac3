/** What worker processes refuse, what fails on them, and what runs with a queue print. */
import { chmodSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planQueue } from '../../../src/cli/cluster/queue-use.js';
import { boardmill } from '../../cli/boardmill.js';
import { hasRedis } from '../../support/redis.js';
import { launcher } from '../../support/sandbox.js';
import { allowManyTestsTogether, allowSlowTests } from '../../support/slow-tests.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until, untilAsync } from '../../support/until.js';
import { Cluster, GRAMMAR, PROGRAM, sumsAnswers, sumsInput } from './processes.js';

allowSlowTests();
allowManyTestsTogether();
const root = temporaryFolder();
const QUEUE = ['--queue', 'unix:///nowhere/redis.sock'];

/** A module whose solver ends its worker thread, hangs or throws on some cases. */
const FAULTY_MODULE = `
import { defineProblem, formats } from 'boardmill';
const { counted, int } = formats;
export default defineProblem({
  name: 'faulty',
  input: counted({ n: int(0, 1000) }),
  solve: ({ n }) => {
    if (n === 13) process.exit(3);
    if (n === 14) for (;;);
    if (n === 15) throw new Error('fifteen');
    return n + 1;
  },
});
`;

/** A module that reads a file whose path no look at its code can find. Its only case waits until the file GATE exists. */
const ADDING_MODULE = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { defineProblem, formats } from 'boardmill';
const { counted, int } = formats;
const file = ['summand', 'txt'].join('.');
const summand = Number(readFileSync(new URL(file, import.meta.url), 'utf8'));
const { GATE, STARTED } = process.env;
export default defineProblem({
  name: 'adding',
  input: counted({ n: int(0, 1000) }),
  solve: ({ n }) => {
    writeFileSync(STARTED, '');
    while (!existsSync(GATE)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return n + summand;
  },
});
`;

describe.skipIf(!hasRedis).concurrent('worker processes on a real redis-server', () => {
  test('a worker process refuses another grammar, another program and an unknown module, and says so', async (context) => {
    const cluster = await Cluster.start(`${root}/refusals`, context);
    cluster.write('a.in', sumsInput(10));
    cluster.write('sums.ctd', `# another\n${readFileSync(GRAMMAR, 'utf8')}`);
    cluster.write('faulty.mjs', FAULTY_MODULE);
    cluster.write('faulty.in', '1\n1\n');
    const workerProcess = cluster.workerProcess();
    await workerProcess.logged('ready');
    const runs = [
      cluster.solveWith(['./sums.ctd', '--multitest', 'a.in', '--exec', PROGRAM]),
      cluster.solveWith([GRAMMAR, '--multitest', 'a.in', '--exec', 'cat']),
      cluster.solveWith(['./faulty.mjs', 'faulty.in']),
    ];
    const reasons = [
      'is another grammar',
      'is another program',
      'was started without --problem for the module faulty',
    ];
    for (const [i, run] of runs.entries()) {
      const { code, stdout, stderr } = await run.ended;
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toContain('no worker process can solve this run');
      expect(stderr).toContain(reasons[i]);
    }
    const refusals = workerProcess.events
      .filter(({ event }) => event === 'refused')
      .map(({ message }) => `${message}`);
    for (const reason of reasons) expect(refusals.some((message) => message.includes(reason))).toBe(true);
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('worker processes solve a table of several inputs, which continues after a mistake was corrected', async (context) => {
    const cluster = await Cluster.start(`${root}/table`, context);
    const sizes = [300, 1, 500];
    const inputs = sizes.map((size, i) => {
      cluster.write(`${i}.in`, sumsInput(size, i));
      return `${i}.in`;
    });
    cluster.write('2.in', sumsInput(500, 2).replace('\n450 2\n', '\nx 2\n'));
    cluster.workerProcess();
    const table = [...inputs, '--format', 'csv', '-o', 'all.csv'];
    const { code, stderr } = await cluster.solve(table).ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/2\.in:452:1: /) });
    cluster.write('2.in', sumsInput(500, 2));
    expect((await cluster.solve([...table, '--resume']).ended).code).toBe(0);
    const rows = sizes.flatMap((size, i) =>
      Array.from({ length: size }, (_, k) => `${i}.in,${k + 1},${k + i}\n`),
    );
    expect(cluster.read('all.csv')).toBe(`file,case,answer\n${rows.join('')}`);
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('a worker process notices that its program was edited, during a run and before the next one', async (context) => {
    const cluster = await Cluster.start(`${root}/edited`, context);
    cluster.write('a.in', sumsInput(300));
    const edit = (text: string) => {
      cluster.write('new.sh', text);
      chmodSync(cluster.at('new.sh'), 0o755);
      renameSync(cluster.at('new.sh'), cluster.at('mine.sh'));
    };
    edit(readFileSync(PROGRAM, 'utf8'));
    const gate = { GATE: cluster.at('gate'), STARTED: cluster.at('gate-started') };
    const workerProcess = cluster.hostWith(['--problem', GRAMMAR, '--exec', './mine.sh'], gate);
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    edit("#!/bin/sh\nexec awk 'NR > 1 { print 1 }'\n");
    cluster.open('gate');
    const { code, stderr } = await run.ended;
    expect({ code, isWritten: cluster.has('a.ans') }).toEqual({ code: 4, isWritten: false });
    expect(stderr).toContain('is another program');
    const left = await workerProcess.logged('left');
    expect(left.message).toContain('mine.sh has changed since the worker process began to serve the run');
    const next = await cluster.solve(['a.in', '-o', 'a.ans']).ended;
    expect(next).toMatchObject({ code: 4, stderr: expect.stringContaining('is another program') });
    const again = cluster.solve(['a.in', '-o', 'a.ans']);
    edit(readFileSync(PROGRAM, 'utf8'));
    expect(await again.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(300));
    expect(await cluster.leftovers()).toEqual([]);
  });

  test.skipIf(launcher === null)(
    'a program of a worker process reads the files of its user only without a sandbox',
    async (context) => {
      const cluster = await Cluster.start(`${root}/sandbox`, context);
      cluster.write('a.in', sumsInput(300));
      const secret = cluster.write('secret', '1000\n');
      const spy = `#!/bin/sh\nsecret=$(cat ${secret}) || secret=0
        exec awk -v "secret=$secret" 'NR > 1 { print $1 + $2 + secret }'\n`;
      chmodSync(cluster.write('spy.sh', spy), 0o755);
      const answersWith = async (options: readonly string[]) => {
        const workerProcess = cluster.hostWith(['--problem', GRAMMAR, '--exec', './spy.sh', ...options]);
        const run = cluster.solveWith([GRAMMAR, '--multitest', 'a.in', '--exec', './spy.sh']);
        const { code, stdout } = await run.ended;
        workerProcess.kill('SIGTERM');
        expect({ code, workerProcess: (await workerProcess.ended).code }).toEqual({
          code: 0,
          workerProcess: 143,
        });
        return stdout;
      };
      expect(await answersWith(['--sandbox'])).toBe(sumsAnswers(300));
      expect(await answersWith([])).toBe(sumsAnswers(300, 1007));
      cluster.hostWith(['--problem', GRAMMAR, '--exec', './spy.sh']);
      const refused = cluster.solveWith([GRAMMAR, '--multitest', 'a.in', '--exec', './spy.sh', '--sandbox']);
      const { code, stdout, stderr } = await refused.ended;
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toContain('was started without --sandbox');
    },
  );

  test('a worker process logs now and then, not each time, that Redis is full', async (context) => {
    const cluster = await Cluster.start(`${root}/full`, context);
    cluster.write('a.in', sumsInput(300));
    const workerProcess = cluster.workerProcess();
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await workerProcess.logged('run');
    run.kill('SIGKILL');
    await cluster.redis.client.config('SET', 'maxmemory', '1');
    const refusals = async () => {
      const [, count = '0'] =
        /errorstat_OOM:count=(\d+)/.exec(await cluster.redis.client.info('errorstats')) ?? [];
      return Number(count);
    };
    // The worker process ends after a minute, and a busy machine gets few answers of Redis by then.
    await untilAsync(async () => (await refusals()) >= 12);
    await workerProcess.logged('queue');
    expect(workerProcess.events.filter(({ event }) => event === 'queue').length).toBeLessThan(6);
  });

  test('a run whose worker process has lost its program goes on with another worker process', async (context) => {
    const cluster = await Cluster.start(`${root}/left`, context);
    cluster.write('a.in', sumsInput(300));
    cluster.write('mine.sh', readFileSync(PROGRAM, 'utf8'));
    chmodSync(cluster.at('mine.sh'), 0o755);
    const gate = { GATE: cluster.at('gate'), STARTED: cluster.at('gate-started') };
    const edited = cluster.hostWith(['--problem', GRAMMAR, '--exec', './mine.sh'], gate);
    const run = cluster.solve(['a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    const other = cluster.workerProcess();
    await other.logged('run');
    cluster.write('new.sh', '#!/bin/sh\nexit 1\n');
    renameSync(cluster.at('new.sh'), cluster.at('mine.sh'));
    cluster.open('gate');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(300));
    await edited.logged('left');
  });

  test('a worker process whose file of --also-compare differs refuses the run, and equal contents have any path', async (context) => {
    const cluster = await Cluster.start(`${root}/compared`, context);
    cluster.write('a.in', sumsInput(100));
    for (const name of ['here', 'there']) {
      mkdirSync(cluster.at(name));
      cluster.write(`${name}/helper.py`, 'answer = 1\n');
    }
    cluster.write('table.txt', 'a table');
    cluster.write('copy.txt', 'a table');
    const workerProcess = cluster.workerProcess({
      args: ['--also-compare', 'there', '--also-compare', 'copy.txt'],
    });
    const compared = ['--also-compare', 'here', '--also-compare', 'table.txt'];
    const same = cluster.solve(['a.in', '-o', 'a.ans', ...compared]);
    expect(await same.ended).toMatchObject({ code: 0 });
    expect(cluster.read('a.ans')).toBe(sumsAnswers(100));

    cluster.write('table.txt', 'another table');
    const other = await cluster.solve(['a.in', '-o', 'b.ans', ...compared]).ended;
    expect({ code: other.code, isWritten: cluster.has('b.ans') }).toEqual({ code: 4, isWritten: false });
    expect(other.stderr).toContain(
      "the worker process's --also-compare copy.txt (number 2) has another content",
    );
    const none = await cluster.solve(['a.in', '-o', 'c.ans']).ended;
    expect({ code: none.code, isWritten: cluster.has('c.ans') }).toEqual({ code: 4, isWritten: false });
    expect(none.stderr).toContain(
      'the worker process was started with 2 options --also-compare, and the run with 0',
    );
    expect(workerProcess.events.filter(({ event }) => event === 'refused')).toHaveLength(2);
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('a worker process notices that a file of --also-compare was edited during a run', async (context) => {
    const cluster = await Cluster.start(`${root}/compared-edited`, context);
    cluster.write('a.in', sumsInput(300));
    for (const name of ['here', 'there']) {
      mkdirSync(cluster.at(name));
      cluster.write(`${name}/helper.py`, 'answer = 1\n');
    }
    cluster.workerProcess({ gate: 'gate', args: ['--also-compare', 'there'] });
    const run = cluster.solve(['a.in', '-o', 'a.ans', '--also-compare', 'here']);
    await cluster.programWaits('gate');
    cluster.write('there/helper.py', 'answer = 2\n');
    cluster.open('gate');
    const { code, stderr } = await run.ended;
    expect({ code, isWritten: cluster.has('a.ans') }).toEqual({ code: 4, isWritten: false });
    expect(stderr).toContain("the worker process's --also-compare there (number 1) has another content");
  });

  test('a worker process notices that a file was edited that its module read while it was loaded', async (context) => {
    const cluster = await Cluster.start(`${root}/read-edited`, context);
    cluster.write('a.in', '1\n1\n');
    for (const name of ['here', 'there']) {
      mkdirSync(cluster.at(name));
      cluster.write(`${name}/adding.mjs`, ADDING_MODULE);
      cluster.write(`${name}/summand.txt`, '1');
    }
    const gate = { GATE: cluster.at('gate'), STARTED: cluster.at('gate-started') };
    const workerProcess = cluster.hostWith(['--problem', 'there/adding.mjs'], gate);
    const run = cluster.solveWith(['here/adding.mjs', 'a.in', '-o', 'a.ans']);
    await cluster.programWaits('gate');
    cluster.write('there/summand.txt', '2');
    cluster.open('gate');
    const { code, stderr } = await run.ended;
    expect({ code, isWritten: cluster.has('a.ans') }).toEqual({ code: 4, isWritten: false });
    expect(stderr).toContain('there/adding.mjs is another module: the content of summand.txt is');
    const left = await workerProcess.logged('left');
    expect(left.message).toContain('summand.txt has changed since the worker process began to serve the run');
  });

  test('a program gets as many cases at a time as in a local run', async (context) => {
    const cluster = await Cluster.start(`${root}/cases`, context);
    cluster.write('a.in', sumsInput(500));
    cluster.workerProcess();
    const run = cluster.solveWith([
      GRAMMAR,
      '--multitest',
      'a.in',
      '--exec',
      PROGRAM,
      '--exec-cases',
      '50',
      '--stats',
      's.json',
    ]);
    expect(await run.ended).toMatchObject({ code: 0, stdout: sumsAnswers(500) });
    expect(JSON.parse(cluster.read('s.json')).chunks).toBeLessThanOrEqual(10);
  });

  test('cases that hang, throw or end their worker on a worker process cost only themselves', async (context) => {
    const cluster = await Cluster.start(`${root}/faulty`, context);
    const module = cluster.write('faulty.mjs', FAULTY_MODULE);
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    cluster.write('a.in', `40\n${numbers.join('\n')}\n`);
    cluster.hostWith(['--problem', module]);
    const run = cluster.solveWith(['./faulty.mjs', 'a.in', '--on-error', 'mark', '--timeout', '5', '-q']);
    const answers = numbers.map((n) => ([13, 14, 15].includes(n) ? 'ERROR\n' : `${n + 1}\n`)).join('');
    expect(await run.ended).toMatchObject({ code: 1, stdout: answers });
    const stopped = cluster.solveWith(['./faulty.mjs', 'a.in', '-q']);
    const { code, stdout, stderr } = await stopped.ended;
    expect({ code, stdout }).toEqual({ code: 4, stdout: answers.slice(0, answers.indexOf('ERROR')) });
    expect(stderr).toContain('a.in:15:1: case 14');
    expect(await cluster.leftovers()).toEqual([]);
    expect(await cluster.jobs()).toEqual([]);
  });

  test('a password is never shown, and a wrong one ends run and worker process at once', async (context) => {
    const settings = ['--requirepass', 'open-sesame'];
    const cluster = await Cluster.start(`${root}/password`, context, 'none', settings);
    cluster.write('a.in', sumsInput(10));
    const wrong = { BOARDMILL_QUEUE: cluster.redis.url.replace('unix://', 'unix://:secret-word@') };
    const workerProcess = cluster.start(['worker', '--queue', 'env'], wrong);
    const run = cluster.start(
      ['solve', GRAMMAR, '--multitest', 'a.in', '--exec', PROGRAM, '--queue', 'env'],
      wrong,
    );
    const withoutPassword = cluster.start(['worker', ...['--queue', cluster.redis.url]]);
    for (const process of [workerProcess, run, withoutPassword]) {
      const { code, stderr } = await process.ended;
      expect(code).toBe(4);
      expect(stderr).toContain('refuses the login');
      expect(stderr).not.toContain('secret-word');
    }
    expect((await withoutPassword.ended).stderr).toContain(
      'it wants a password, as in redis://:password@host',
    );
    const right = { BOARDMILL_QUEUE: cluster.redis.url.replace('unix://', 'unix://:open-sesame@') };
    const logging = cluster.start(['worker', '--problem', GRAMMAR, '--exec', PROGRAM], right);
    const good = cluster.start(
      ['solve', GRAMMAR, '--multitest', 'a.in', '--exec', PROGRAM, '--queue', 'env'],
      right,
    );
    expect(await good.ended).toMatchObject({ code: 0, stdout: sumsAnswers(10), stderr: '' });
    logging.kill('SIGTERM');
    const { code, stderr } = await logging.ended;
    expect(code).toBe(143);
    expect(stderr).not.toContain('open-sesame');
  });

  test('a user without the right to a command ends run and worker process at once', async (context) => {
    const cluster = await Cluster.start(`${root}/rights`, context);
    cluster.write('a.in', sumsInput(10));
    const rights = ['~boardmill:*', '&*', '+@all', '-@dangerous'];
    await cluster.redis.client.call('ACL', 'SETUSER', 'limited', 'on', '>word', ...rights);
    const settings = { BOARDMILL_QUEUE: cluster.redis.url.replace('unix://', 'unix://limited:word@') };
    const command = ['solve', GRAMMAR, '--multitest', 'a.in', '--exec', PROGRAM, '--queue', 'env'];
    const workers = ['worker', '--queue', 'env', '--problem', GRAMMAR, '--exec', PROGRAM];
    for (const process of [cluster.start(command, settings), cluster.start(workers, settings)]) {
      const { code, stderr } = await process.ended;
      expect(code).toBe(4);
      expect(stderr).toContain('refuses the user a command that boardmill needs: NOPERM');
    }
    await cluster.redis.client.call('ACL', 'SETUSER', 'limited', '+info');
    const workerProcess = cluster.start(workers, settings);
    const { code, stdout } = await cluster.start(command, settings).ended;
    workerProcess.kill('SIGTERM');
    expect({ code, stdout }).toEqual({ code: 0, stdout: sumsAnswers(10) });
  });

  test('with --shared-input, a worker process reads the input itself, and refuses one that has changed', async (context) => {
    const cluster = await Cluster.start(`${root}/shared`, context);
    cluster.write('a.in', sumsInput(1000));
    cluster.write('changed.in', sumsInput(1000));
    cluster.write('short.in', sumsInput(1000));
    cluster.write('gone.in', sumsInput(1000));
    const solve = (input: string) => cluster.solve([input, '--shared-input']);
    const changed = ['changed.in', 'short.in', 'gone.in'].map(solve);
    await cluster.jobsAppear(3 * 12);
    cluster.write('changed.in', sumsInput(1000, 8));
    cluster.write('short.in', '1\n');
    cluster.remove('gone.in');
    cluster.workerProcess({ args: ['--allow-inputs', cluster.folder] });
    expect(await solve('a.in').ended).toMatchObject({ code: 0, stdout: sumsAnswers(1000), stderr: '' });
    for (const run of changed) {
      const { code, stderr } = await run.ended;
      expect(code).toBe(4);
      expect(stderr).toMatch(/has not read bytes \d+ to \d+ of .*\.in; .* unchanged, .* --allow-inputs/);
    }
    expect(await cluster.leftovers()).toEqual([]);
  });

  test('with --shared-input, a worker process that cannot read the input leaves the run to another one', async (context) => {
    const cluster = await Cluster.start(`${root}/not-readable`, context);
    cluster.write('a.in', sumsInput(1000));
    mkdirSync(cluster.at('empty'));
    const good = cluster.workerProcess({ gate: 'gate', args: ['--allow-inputs', cluster.folder] });
    const run = cluster.solve(['a.in', '--shared-input']);
    await cluster.programWaits('gate');
    const bad = cluster.workerProcess({ args: ['--allow-inputs', cluster.at('empty')] });
    await bad.logged('chunk-failed');
    await until(() => (bad.health()?.chunksFailed ?? 0) >= 2);
    cluster.open('gate');
    const { code, stdout, stderr } = await run.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: sumsAnswers(1000) });
    expect(stderr.match(/worker process .* leaves this run: it has not read .*--allow-inputs/g)).toHaveLength(
      1,
    );
    expect(bad.events.filter(({ event }) => event === 'chunk-failed')).toHaveLength(1);
    expect(good.events.some(({ event }) => event === 'chunk-failed')).toBe(false);
    expect(await cluster.leftovers()).toEqual([]);
  });

  test.for([
    [['--chunk', '600'], 10],
    [[], 8],
  ] as const)('a program gets the cases in several chunks with %j', async ([args, chunks], context) => {
    const cluster = await Cluster.start(`${root}/chunks-${chunks}`, context);
    cluster.write('a.in', sumsInput(1000));
    const run = cluster.solveWith([GRAMMAR, '--multitest', 'a.in', '--exec', PROGRAM, ...args]);
    await cluster.jobsAppear(chunks);
    const workerProcess = cluster.workerProcess();
    expect(await run.ended).toMatchObject({ code: 0, stdout: sumsAnswers(1000) });
    expect(workerProcess.stderr).toContain('with 1 worker"');
  });

  test('with --shared-input, the run ends if no worker process may read inputs, and says what is missing', async (context) => {
    const cluster = await Cluster.start(`${root}/not-allowed`, context);
    cluster.write('a.in', sumsInput(10));
    const workerProcess = cluster.workerProcess();
    const { code, stdout, stderr } = await cluster.solve(['a.in', '--shared-input']).ended;
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('was started without --allow-inputs DIR, which --shared-input needs');
    expect((await workerProcess.logged('refused')).message).toContain('--allow-inputs');
    expect(await cluster.solve(['a.in']).ended).toMatchObject({ code: 0, stdout: sumsAnswers(10) });
  });

  test('standard input, several inputs and an input without cases', async (context) => {
    const cluster = await Cluster.start(`${root}/inputs`, context);
    cluster.write('empty.in', sumsInput(0));
    const empty = cluster.solve(['empty.in', '-o', 'empty.out']);
    expect(await empty.ended).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.read('empty.out')).toBe('');
    cluster.workerProcess();
    for (const [i, name] of ['a', 'b', 'c'].entries()) cluster.write(`${name}.in`, sumsInput(300, i));
    const several = cluster.solve(['a.in', 'b.in', 'c.in', 'empty.in']);
    expect((await several.ended).code).toBe(0);
    for (const [i, name] of ['a', 'b', 'c'].entries())
      expect(cluster.read(`${name}.ans`)).toBe(sumsAnswers(300, i));
    const piped = cluster.solve(['-', '--stats', 'stats.json']);
    piped.child.stdin.end(sumsInput(300));
    expect(await piped.ended).toMatchObject({ code: 0, stdout: sumsAnswers(300) });
    expect(JSON.parse(cluster.read('stats.json'))).toMatchObject({ jobs: 1, cases: 300 });
    expect(await cluster.leftovers()).toEqual([]);
  });
});

describe('the options of a queue', () => {
  test.each([
    [[''], '--allow-inputs needs a folder'],
    [['/nowhere'], 'cannot open /nowhere: '],
    [['/dev', '/dev/null'], '--allow-inputs needs a folder: /dev/null is not one'],
  ])('a worker refuses to allow %j', async (folders, message) => {
    const args = folders.flatMap((folder) => ['--allow-inputs', folder]);
    const { code, stderr } = await boardmill(['worker', ...QUEUE, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a worker without a program has nothing to run in a sandbox', async () => {
    const { code, stderr } = await boardmill(['worker', ...QUEUE, '--sandbox', '--problem', GRAMMAR]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--sandbox needs --exec') });
  });

  test('a worker needs a queue', async () => {
    const { code, stderr } = await boardmill(['worker']);
    expect(code).toBe(2);
    expect(stderr).toContain('--queue');
    expect(stderr).toContain('BOARDMILL_QUEUE');
  });

  test.each([
    [{ quiet: true }, 60_000],
    [{ quiet: true, waitWorkers: 5 }, 5000],
    [{ quiet: false }, null],
  ])('with %j, a run waits for its first worker process for %s ms', async (args, waitWorkersMs) => {
    const queue = { label: 'unix:///r', options: {} };
    const use = await planQueue({ queue, sharedInput: false, waitWorkers: null, jobs: null, ...args }, [], 1);
    expect(use).toMatchObject({ waitWorkersMs });
  });

  test.each([
    [['--queue', 'http://secret-word@host'], '--queue is not the URL of a Redis server'],
    [['--queue', 'redis://:secret%zzword@host'], '--queue is not the URL of a Redis server'],
    [['--shared-input'], '--shared-input needs --queue'],
    [['--wait-workers', '5'], '--wait-workers needs --queue'],
    [[...QUEUE, '--wait-workers', 'x'], '--wait-workers needs a time'],
    [[...QUEUE, '--shared-input'], 'standard input is none'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await boardmill(['solve', 'bt', '-', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });
});
