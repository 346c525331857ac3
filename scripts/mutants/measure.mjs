/**
 * Measures which mutants the tests kill:
 *
 *   1. A copy of the checkout is made, which contains all mutants as switches, and built once.
 *   2. All tests run once, without an active mutant. Each test file notes the mutants that it reaches (the recording).
 *   3. For each mutant, the nearest test files that reach it run with the mutant active, until one fails.
 *   4. The mutants that are left run the other test files together, a few at a time. If a file fails, it runs with each of them.
 *
 * What is finished is kept in the work folder, so a run that was stopped goes on where it ended.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCopy, makeCopy } from './copy.mjs';
import { append, readLines } from './json-lines.mjs';
import { Progress } from './progress.mjs';
import { nameOfRecord } from './record-name.mjs';
import { describeFailure, runTests } from './run-tests.mjs';
import { distinct, groupsOf, isLong, nearest } from './test-files.mjs';
import { Trial } from './trial.mjs';

/** Processors that the tests of one mutant use, if one mutant runs at a time. */
const WORKERS = 2;

/** A mutant first runs alone, with test files that take about this long together; most mutants are killed by them. */
const ALONE_MS = 20_000;

/**
 * @typedef {object} Verdict
 * @property {number} number
 * @property {'killed' | 'survived' | 'not covered'} status
 * @property {'npm test' | 'npm run test:all' | null} by what kills it
 * @property {string | null} how what failed
 * @property {string[]} tests the test files that reach the mutant, in the order in which they run
 * @property {string[]} unusable test files that reach it, but fail without a mutant
 * @property {string[]} unconfirmed what failed once, but not when the test file ran again
 */

/**
 * Returns a verdict for each mutant.
 * @param {object} settings
 * @param {string} settings.root the checkout
 * @param {string} settings.work the folder for the copy and for what is finished
 * @param {(import('./places.mjs').Mutant & { number: number })[]} settings.mutants
 * @param {readonly string[]} settings.tests globs of the test files that may run
 * @param {number} [settings.seed] of random tests, so that a mutant that fails one of them fails it again
 * @param {boolean} [settings.withLongTests] whether those that only `npm run test:all` runs may run
 * @param {number} settings.jobs how many mutants run at a time
 * @param {boolean} [settings.isBuilt] whether the copy must be built; planted projects in tests need no build
 * @param {number} [settings.graceMs] how much longer than usual a test file may take, beside being a few times slower
 * @param {number} [settings.aloneMs] about how long the nearest test files take together, which run with a mutant alone
 * @param {AbortSignal} [settings.signal]
 * @param {(line: string) => void} settings.say
 * @returns {Promise<Verdict[]>}
 */
export async function measure(settings) {
  const { root, work, tests, withLongTests = true } = settings;
  const wanted = testFilesOf(root, tests).filter((file) => withLongTests || !isLong({ file }));
  const unlock = lock(work);
  try {
    return await measureLocked(settings, wanted);
  } finally {
    unlock();
  }
}

/** Two runs in one folder would remove the files of each other. Returns a function that lets another run use the folder. */
function lock(work) {
  const path = join(work, 'running');
  mkdirSync(work, { recursive: true });
  const running = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (running > 0 && isAlive(running)) throw new Error(`the process ${running} measures the same mutants`);
  writeFileSync(path, `${process.pid}`);
  return () => rmSync(path, { force: true });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function measureLocked(settings, wanted) {
  const { root, work, mutants, seed, isBuilt = true, signal, say } = settings;
  const copy = join(work, 'copy');
  await step(work, 'copied', () => {
    say('copying the checkout and writing the mutants into the copy');
    makeCopy(root, copy, mutants);
  });
  if (isBuilt)
    await step(work, 'built', () => {
      say('building the copy; this takes about a minute');
      return buildCopy(copy, signal);
    });
  const recording = await record({ work, copy, wanted, seed, signal, say });
  return judgeAll({ ...settings, copy, recording });
}

/** Does a step that is not done yet. */
async function step(work, name, run) {
  const mark = join(work, name);
  if (existsSync(mark)) return;
  mkdirSync(work, { recursive: true });
  await run();
  writeFileSync(mark, '');
}

// ---- the recording ----

/** Runs test files. Returns for each whether it passed, its time, and the numbers of the mutants that it reaches. */
async function record({ work, copy, wanted, seed, signal, say }) {
  const list = join(work, 'recorded.jsonl');
  const folder = join(work, 'reached');
  mkdirSync(folder, { recursive: true });
  const run = (files, workers) =>
    runTests({
      copy,
      folder: join(work, 'r0'),
      files,
      workers,
      record: folder,
      seed,
      signal,
      onFileEnd: (ended) => append(list, ended),
    });
  const runsOf = (file) => readLines(list).filter((line) => line.file === file);
  const missing = wanted.filter((file) => runsOf(file).length === 0);
  let firstFailure = null;
  if (missing.length > 0) {
    say(`running ${missing.length} of ${wanted.length} test files without a mutant`);
    firstFailure = (await run(missing, WORKERS)).failure;
  }
  // A test may have failed because the machine was busy.
  const failedOnce = wanted.filter((file) => runsOf(file).length === 1 && !runsOf(file)[0].passed);
  if (failedOnce.length > 0) await run(failedOnce, 1);
  // The last line of a file counts.
  const ended = new Map(readLines(list).map((line) => [line.file, line]));
  const recorded = wanted.filter((file) => ended.has(file)).map((file) => ended.get(file));
  const unusable = wanted.filter((file) => !ended.get(file)?.passed);
  if (unusable.length === wanted.length)
    throw new Error(
      `no test file passes in the copy without a mutant${firstFailure === null ? '' : `: ${describeFailure(firstFailure)}`}`,
    );
  if (unusable.length > 0)
    say(`not used, because they fail in the copy without a mutant:\n  ${unusable.join('\n  ')}`);
  return recorded.map((line) => ({ ...line, reached: reachedBy(folder, line.file) }));
}

function testFilesOf(root, globs) {
  const names = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => `tests/${name}`);
  const chosen = globs.map((glob) => files.filter((file) => patternOf(glob).test(file)));
  const useless = chosen.findIndex((matches) => matches.length === 0);
  if (useless >= 0) throw new Error(`no test file is called ${globs[useless]}`);
  return [...new Set(chosen.flat())].sort();
}

/** Returns the pattern of a glob with `**`, `*` and `{a,b}`. A folder stands for all files below it. */
function patternOf(glob) {
  const pattern = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*/g, (stars) => (stars === '**' ? '.*' : '[^/]*'))
    .replace(/\{([^}]*)\}/g, (_, names) => `(${names.replaceAll(',', '|')})`);
  return new RegExp(`^${pattern}(/.*)?$`);
}

function reachedBy(folder, file) {
  const path = join(folder, nameOfRecord(file));
  if (!existsSync(path)) return new Set();
  return new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number));
}

// ---- the verdicts ----

/** @returns {Promise<Verdict[]>} */
async function judgeAll(settings) {
  const { work, mutants, recording, aloneMs = ALONE_MS, say } = settings;
  const progress = new Progress(work, mutants, recording);
  if (progress.finished() > 0) say(`${progress.finished()} mutants were judged by an earlier run`);
  const alone = progress.open().map((mutant) => [mutant]);
  const nearestFiles = ([mutant]) => nearest(mutant, progress.filesOf(mutant), aloneMs);
  await judgeGroups(alone, nearestFiles, progress, settings);
  const together = groupsOf(progress.open(), progress);
  const allFiles = (group) => distinct(group.flatMap((mutant) => progress.filesOf(mutant)));
  await judgeGroups(together, allFiles, progress, settings);
  return mutants.map((mutant) => progress.verdictOf(mutant));
}

/** Runs the test files of each group of mutants, `jobs` groups at a time. */
async function judgeGroups(groups, filesOf, progress, settings) {
  const { work, copy, mutants, jobs, seed, graceMs, signal, say } = settings;
  const waiting = [...groups];
  const judgeNext = async (job) => {
    const workers = Math.max(1, WORKERS / jobs);
    const trial = new Trial(progress, {
      copy,
      folder: join(work, `r${job}`),
      workers,
      seed,
      graceMs,
      signal,
    });
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      await trial.judge(group, filesOf(group));
      for (const mutant of group.filter((each) => !progress.isOpen(each)))
        say(
          `${progress.finished()}/${mutants.length} ${progress.verdictOf(mutant).status.padEnd(11)} ${mutant.id}`,
        );
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => judgeNext(job + 1)));
}
