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
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildCopy, makeCopy } from './copy.mjs';
import { nameOfRecord } from './record-name.mjs';
import { runTests } from './run-tests.mjs';

/** Processors that the tests of one mutant use, if one mutant runs at a time. */
const WORKERS = 2;

/** Test files that only `npm run test:all` runs. */
const LONG_TEST = /\.long\.test\.ts$/;
/** A mutant first runs alone, with test files that take about this long together; most mutants are killed by them. */
const ALONE_MS = 20_000;
/** How many of the mutants that are left run together. */
const GROUP = 8;

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
  const { root, work, mutants, tests, seed, withLongTests = true, isBuilt = true, signal, say } = settings;
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
  const wanted = testFilesOf(copy, tests).filter((file) => withLongTests || !isLong({ file }));
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
  if (missing.length > 0) {
    say(`running ${missing.length} of ${wanted.length} test files without a mutant`);
    await run(missing, WORKERS);
  }
  // A test may have failed because the machine was busy.
  const failedOnce = wanted.filter((file) => runsOf(file).length === 1 && !runsOf(file)[0].passed);
  if (failedOnce.length > 0) await run(failedOnce, 1);
  // The last line of a file counts.
  const ended = new Map(readLines(list).map((line) => [line.file, line]));
  const recorded = wanted.filter((file) => ended.has(file)).map((file) => ended.get(file));
  const unusable = wanted.filter((file) => !ended.get(file)?.passed);
  if (unusable.length > 0)
    say(`not used, because they fail in the copy without a mutant:\n  ${unusable.join('\n  ')}`);
  return recorded.map((line) => ({ ...line, reached: reachedBy(folder, line.file) }));
}

function testFilesOf(copy, globs) {
  const names = readdirSync(join(copy, 'tests'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => `tests/${name}`);
  const chosen = files.filter((file) => globs.some((glob) => patternOf(glob).test(file))).sort();
  if (chosen.length === 0) throw new Error(`no test file is called ${globs.join(' or ')}`);
  return chosen;
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
async function judgeAll({
  work,
  copy,
  mutants,
  recording,
  jobs,
  seed = undefined,
  graceMs = undefined,
  aloneMs = ALONE_MS,
  signal = undefined,
  say,
}) {
  const progress = new Progress(work, mutants, recording);
  if (progress.finished() > 0) say(`${progress.finished()} mutants were judged by an earlier run`);
  const runAll = async (groups, filesOf, isLast) => {
    const waiting = [...groups];
    const runNext = async (job) => {
      const run = {
        copy,
        folder: join(work, `r${job}`),
        workers: Math.max(1, WORKERS / jobs),
        seed,
        graceMs,
        signal,
      };
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        await new Trial(progress, run).judge(group, filesOf(group));
        for (const mutant of group) {
          const { status } = progress.verdictOf(mutant);
          if (status === 'killed' || isLast)
            say(`${progress.finished()}/${mutants.length} ${status.padEnd(11)} ${mutant.id}`);
        }
      }
    };
    await Promise.all(Array.from({ length: jobs }, (_, job) => runNext(job + 1)));
  };
  const alone = progress.open().map((mutant) => [mutant]);
  await runAll(alone, ([mutant]) => nearest(mutant, progress.filesOf(mutant), aloneMs), false);
  const groups = groupsOf(progress.open(), progress);
  await runAll(groups, (group) => distinct(group.flatMap((mutant) => progress.filesOf(mutant))), true);
  return mutants.map((mutant) => progress.verdictOf(mutant));
}

/** Returns the files of `npm test` to run first: those that test sources near the mutant, up to `aloneMs`. */
function nearest({ file }, files, aloneMs) {
  const nearness = (test) => sharedFolders(file, test) + (nameOf(file) === nameOf(test) ? 1 : 0);
  const byNearness = files
    .filter((each) => !isLong(each))
    .sort((a, b) => nearness(b.file) - nearness(a.file) || a.ms - b.ms);
  let ms = 0;
  return byNearness.filter((each) => {
    const isInTime = ms < aloneMs;
    ms += each.ms;
    return isInTime;
  });
}

/** Returns how many folders a source and a test file share, where `src/a/b` and `tests/a/b` share two. */
function sharedFolders(source, test) {
  const [a, b] = [source, test].map((path) => dirname(path).split('/').slice(1));
  const different = a.findIndex((folder, index) => folder !== b[index]);
  return different === -1 ? a.length : different;
}

function nameOf(path) {
  return basename(path).split('.', 1)[0];
}

/**
 * Returns groups of mutants whose tests run together. The tests of a group run about as long as those of one mutant. Two
 * mutants of one source are not together, since one could hide the other; mutants that few tests reach are together.
 */
function groupsOf(mutants, progress) {
  const groups = [];
  const byFiles = mutants.toSorted((a, b) => progress.filesOf(a).length - progress.filesOf(b).length);
  for (const mutant of byFiles) {
    const fits = (group) => group.length < GROUP && group.every(({ file }) => file !== mutant.file);
    const group = groups.find(fits);
    if (group === undefined) groups.push([mutant]);
    else group.push(mutant);
  }
  return groups;
}

/** The test files that mutants have passed, and what killed the others. */
class Progress {
  #recording;
  #passedList;
  #killedList;
  #passed = new Map();
  #killed = new Map();
  #mutants;

  constructor(work, mutants, recording) {
    this.#mutants = mutants;
    this.#recording = [...recording].sort((a, b) => Number(isLong(a)) - Number(isLong(b)) || a.ms - b.ms);
    this.#passedList = join(work, 'passed.jsonl');
    this.#killedList = join(work, 'killed.jsonl');
    for (const line of readLines(this.#passedList)) this.#takePassed(line);
    for (const line of readLines(this.#killedList)) this.#killed.set(line.number, line);
  }

  #takePassed({ numbers, files, unconfirmed }) {
    for (const number of numbers) {
      const passed = this.#passed.get(number) ?? { files: new Set(), unconfirmed: [] };
      for (const file of files) passed.files.add(file);
      if (unconfirmed !== undefined) passed.unconfirmed.push(unconfirmed);
      this.#passed.set(number, passed);
    }
  }

  /** Notes that mutants have passed test files, one of them after a failure that did not come again. */
  pass(mutants, files, unconfirmed = undefined) {
    if (files.length === 0) return;
    const line = { numbers: mutants.map(({ number }) => number), files, unconfirmed };
    append(this.#passedList, line);
    this.#takePassed(line);
  }

  kill({ number }, failure) {
    const how = describeFailure(failure);
    const line = {
      number,
      how,
      by: failure.file !== null && isLong(failure) ? 'npm run test:all' : 'npm test',
    };
    append(this.#killedList, line);
    this.#killed.set(number, line);
  }

  isKilled({ number }) {
    return this.#killed.has(number);
  }

  /** Returns the recorded test files that reach a mutant: first those of `npm test`, the quickest first, then the long ones. */
  #reaching({ number }) {
    return this.#recording.filter(({ reached }) => reached.has(number));
  }

  /** Returns the test files that may kill a mutant, and have not run with it yet. */
  filesOf(mutant) {
    const passed = this.#passed.get(mutant.number)?.files;
    return this.#reaching(mutant).filter((each) => each.passed && !passed?.has(each.file));
  }

  /** Returns the mutants that have no verdict yet. */
  open() {
    return this.#mutants.filter((mutant) => !this.isKilled(mutant) && this.filesOf(mutant).length > 0);
  }

  finished() {
    return this.#mutants.length - this.open().length;
  }

  /** @returns {Verdict} */
  verdictOf(mutant) {
    const { number } = mutant;
    const reaching = this.#reaching(mutant);
    const tests = reaching.filter(({ passed }) => passed).map(({ file }) => file);
    const unusable = reaching.filter(({ passed }) => !passed).map(({ file }) => file);
    const { by = null, how = null } = this.#killed.get(number) ?? {};
    const unconfirmed = this.#passed.get(number)?.unconfirmed ?? [];
    const survives = tests.length === 0 ? 'not covered' : 'survived';
    return { number, status: by === null ? survives : 'killed', by, how, tests, unusable, unconfirmed };
  }
}

/** Runs test files with the mutants of a group, and finds which of them make a file fail. */
class Trial {
  #progress;
  #run;

  constructor(progress, run) {
    this.#progress = progress;
    this.#run = run;
  }

  /** Runs the files with all mutants of the group at once. If a file fails, it runs with each of them alone. */
  async judge(group, files) {
    let left = files;
    let alive = group;
    while (left.length > 0 && alive.length > 0) {
      const { passed, failure, files: ended } = await this.#runFiles(alive, left);
      const good = passed ? left.map(({ file }) => file) : passedFiles(ended, failure);
      this.#progress.pass(alive, good);
      if (passed) return;
      const failing = failure.file === null ? left : left.filter(({ file }) => file === failure.file);
      left = left.filter((each) => !good.includes(each.file) && !failing.includes(each));
      if (alive.length === 1) await this.#confirm(alive[0], failing, failure);
      else for (const mutant of alive) await this.judge([mutant], this.#unpassed(mutant, failing));
      alive = alive.filter((mutant) => !this.#progress.isKilled(mutant));
    }
  }

  /** A failure counts only if the test file fails again, because tests may fail on a busy machine. */
  async #confirm(mutant, failing, failure) {
    const fails =
      failure.isEndless || failure.file === null || !(await this.#runFiles([mutant], failing)).passed;
    if (fails) this.#progress.kill(mutant, failure);
    else this.#progress.pass([mutant], [failure.file], describeFailure(failure));
  }

  #unpassed(mutant, files) {
    const left = new Set(this.#progress.filesOf(mutant).map(({ file }) => file));
    return files.filter(({ file }) => left.has(file));
  }

  #runFiles(mutants, files) {
    const times = new Map(files.map(({ file, ms }) => [file, ms]));
    return runTests({
      ...this.#run,
      mutants: mutants.map(({ number }) => number),
      files: [...times.keys()],
      usualMs: (file) => times.get(file) ?? 0,
    });
  }
}

function passedFiles(ended, failure) {
  return ended.filter(({ file, passed }) => passed && file !== failure.file).map(({ file }) => file);
}

function describeFailure({ file, test, message }) {
  return [file, test, message].filter(Boolean).join(' > ');
}

function isLong({ file }) {
  return LONG_TEST.test(file);
}

function distinct(files) {
  return [...new Set(files)];
}

// ---- files with a line of JSON for each thing that is done ----

function append(path, value) {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

function readLines(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
