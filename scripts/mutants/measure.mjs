/**
 * Measures which mutants the tests kill:
 *
 *   1. A copy of the checkout is made, which contains all mutants as switches, and built once.
 *   2. All tests run once, without an active mutant. Each test file notes the mutants that it reaches (the recording).
 *   3. For each mutant, the test files that reach it run with the mutant active, until one fails.
 *
 * What is finished is kept in the work folder, so a run that was stopped goes on where it ended.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCopy, makeCopy } from './copy.mjs';
import { nameOfRecord } from './record-name.mjs';
import { runTests } from './run-tests.mjs';

/** Processors that the tests of one mutant use, if one mutant runs at a time. */
const WORKERS = 2;

/** Test files that only `npm run test:all` runs. */
const LONG_TEST = /\.long\.test\.ts$/;

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
 * @param {number} settings.jobs how many mutants run at a time
 * @param {boolean} [settings.isBuilt] whether the copy must be built; planted projects in tests need no build
 * @param {number} [settings.graceMs] how much longer than usual a test file may take, beside being a few times slower
 * @param {AbortSignal} [settings.signal]
 * @param {(line: string) => void} settings.say
 * @returns {Promise<Verdict[]>}
 */
export async function measure(settings) {
  const { root, work, mutants, tests, isBuilt = true, signal, say } = settings;
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
  const recording = await record({ work, copy, tests, signal, say });
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

/** Runs all test files. Returns for each whether it passed, its time, and the numbers of the mutants that it reaches. */
async function record({ work, copy, tests, signal, say }) {
  const list = join(work, 'recorded.jsonl');
  const folder = join(work, 'reached');
  mkdirSync(folder, { recursive: true });
  const wanted = testFilesOf(copy, tests);
  const run = (files, workers) =>
    runTests({
      copy,
      folder: join(work, 'r0'),
      files,
      workers,
      record: folder,
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
  graceMs = undefined,
  signal = undefined,
  say,
}) {
  const list = join(work, 'verdicts.jsonl');
  const verdicts = new Map(readLines(list).map((verdict) => [verdict.number, verdict]));
  const waiting = mutants.filter(({ number }) => !verdicts.has(number));
  if (waiting.length < mutants.length)
    say(`${mutants.length - waiting.length} mutants were judged by an earlier run`);
  const judgeNext = async (job) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const run = {
        copy,
        folder: join(work, `r${job}`),
        workers: Math.max(1, WORKERS / jobs),
        graceMs,
        signal,
      };
      const verdict = await judge(mutant, recording, run);
      append(list, verdict);
      verdicts.set(mutant.number, verdict);
      say(`${verdicts.size}/${mutants.length} ${verdict.status.padEnd(11)} ${mutant.id}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => judgeNext(job + 1)));
  return mutants.map(({ number }) => verdicts.get(number));
}

/** Runs the tests of one mutant: first those of `npm test`, the quickest first, then the long ones. */
async function judge({ number }, recording, run) {
  const covering = recording.filter(({ reached }) => reached.has(number)).sort((a, b) => a.ms - b.ms);
  const unusable = covering.filter(({ passed }) => !passed).map(({ file }) => file);
  const usable = covering.filter(({ passed }) => passed);
  const isLong = ({ file }) => LONG_TEST.test(file);
  const [quick, long] = [usable.filter((each) => !isLong(each)), usable.filter(isLong)];
  const tests = [...quick, ...long].map(({ file }) => file);
  const unconfirmed = [];
  const verdict = { number, by: null, how: null, tests, unusable, unconfirmed };
  for (const [by, files] of [
    ['npm test', quick],
    ['npm run test:all', long],
  ]) {
    const how = await killedBy(number, files, run, unconfirmed);
    if (how !== null) return { ...verdict, status: 'killed', by, how };
  }
  return { ...verdict, status: usable.length === 0 ? 'not covered' : 'survived' };
}

/**
 * Returns what failed, or null if all tests pass. A failure counts only if the test file fails again, because tests may fail on a
 * busy machine. Adds other failures to `unconfirmed`.
 */
async function killedBy(mutant, files, run, unconfirmed) {
  const times = new Map(files.map(({ file, ms }) => [file, ms]));
  const runFiles = (names) =>
    runTests({ ...run, mutant, files: names, usualMs: (file) => times.get(file) ?? 0 });
  let rest = [...times.keys()];
  while (rest.length > 0) {
    const { outcome, failure, files: ended } = await runFiles(rest);
    if (outcome === 'passed') return null;
    if (failure === null) return 'the tests took too long';
    const how = [failure.file, failure.test, failure.message].filter(Boolean).join(' > ');
    if (failure.file === null || (await runFiles([failure.file])).outcome !== 'passed') return how;
    unconfirmed.push(how);
    const passed = ended.filter((each) => each.passed).map(({ file }) => file);
    rest = rest.filter((file) => file !== failure.file && !passed.includes(file));
  }
  return null;
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
