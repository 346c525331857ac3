/**
 * Measures what the tests miss: changes single places of the sources (mutants), and reports the changes that no test notices.
 *
 *     npm run mutants -- --rooms src/engine/cut,src/engine/merge.ts --count 50 --seed 7
 *
 *   --rooms LIST   folders and files below src/ or workers/, in which mutants are drawn; `A+B` counts as one room
 *   --count N      how many are drawn in each room (30)
 *   --seed N       draws the same mutants again, and gives random tests the same seed; it is printed
 *   --kernels LIST in place of rooms: WebAssembly kernels, such as darkraft, of which single instructions are changed; of the
 *                  other options, only --count and --seed
 *   --only IDS     these mutants, in place of a draw
 *   --list         print the mutants that would be measured, and stop
 *   --tests GLOBS  the test files and folders that may run (tests). For a single mutant, a few files are enough
 *   --npm-test     only run tests of `npm test`, none of those that only `npm run test:all` runs
 *   --jobs N       how many mutants run at a time, 1 or 2 (1: its tests use two processors)
 *   --json FILE    also write the report as JSON
 *
 * It works on a copy in the folder for temporary files. The same command on the same files goes on where an earlier one was
 * stopped. The exit code is 0, whatever survives. docs/decisions/tests.md says how it works, and why.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOfCheckout } from './mutants/copy.mjs';
import { allMutants, draw, mutantsWithIds } from './mutants/draw.mjs';
import { measureKernels } from './mutants/kernels.mjs';
import { measure } from './mutants/measure.mjs';
import { describe, reportOf, textOf } from './mutants/report.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

try {
  await main(readOptions());
} catch (error) {
  const message =
    error.name === 'AbortError'
      ? 'stopped; the same command goes on from here, with --seed if it was drawn'
      : error.message;
  console.error(`mutants: ${message}`);
  process.exitCode = error.name === 'AbortError' ? 130 : 1;
}

async function main(options) {
  if (options.kernels !== undefined) return measureInstructions(options);
  const { places, mutants } = chosenMutants(options);
  console.log(`${mutants.length} of ${places} mutants of ${options.rooms.join(', ')}, seed ${options.seed}`);
  if (options.list) return list(mutants);
  const verdicts = await measure({
    root: ROOT,
    work: workFolder(mutants, options),
    mutants,
    tests: options.tests,
    seed: options.seed,
    withLongTests: !options['npm-test'],
    jobs: options.jobs,
    signal: abortOnSignals(),
    say: console.log,
  });
  const report = reportOf({ ...options, places, mutants, verdicts });
  console.log(`\n${textOf(report)}`);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function measureInstructions({ kernels, count, seed }) {
  const work = mkdtempSync(join(tmpdir(), 'boardmill-mutants-'));
  const settings = { root: ROOT, work, kernels, count, seed, signal: abortOnSignals(), say: console.log };
  const { drawn, killed } = await measureKernels(settings).finally(() =>
    rmSync(work, { recursive: true, force: true }),
  );
  console.log(`${killed} of ${drawn} mutants of kernels were killed`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      rooms: { type: 'string' },
      kernels: { type: 'string' },
      count: { type: 'string', default: '30' },
      seed: { type: 'string' },
      only: { type: 'string' },
      list: { type: 'boolean' },
      tests: { type: 'string' },
      'npm-test': { type: 'boolean' },
      jobs: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const useless = Object.keys(values).filter((name) => !['kernels', 'count', 'seed'].includes(name));
  if (values.kernels !== undefined && useless.length > 0)
    throw new Error(`--kernels takes only --count and --seed, not --${useless[0]}`);
  if (values.json !== undefined) accessSync(dirname(values.json), constants.W_OK);
  const only = values.only?.split(',') ?? null;
  const kernels = values.kernels?.split(',');
  const rooms = only?.map((id) => id.split(':', 1)[0]) ?? values.rooms?.split(',').map(normalRoom) ?? [];
  if (rooms.length === 0 && kernels === undefined)
    throw new Error('--rooms says what to mutate, as in --rooms src/engine/merge.ts');
  return {
    ...values,
    only,
    kernels,
    rooms: [...new Set(rooms)],
    tests: globsOf(values.tests ?? 'tests'),
    count: wholeNumber('count', values.count, 1, 1e6),
    seed: wholeNumber('seed', values.seed ?? String(Date.now() % 1e9), 0, 2 ** 31 - 1),
    jobs: wholeNumber('jobs', values.jobs ?? '1', 1, 2),
  };
}

/** Returns a room with the paths that git uses. Each id begins with such a path. */
function normalRoom(room) {
  const paths = room.split('+').map((path) => relative(ROOT, resolve(ROOT, path)));
  const other = paths.findIndex((path) => !/^(src|workers)(\/|$)/.test(path));
  if (other < 0) return paths.join('+');
  throw new Error(`--rooms takes folders and files below src/ or workers/, got "${room.split('+')[other]}"`);
}

/** Splits a list at its commas, but not at those in braces. */
function globsOf(list) {
  return list.split(/,(?![^{]*\})/);
}

function wholeNumber(name, text, least, most) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`--${name} needs a number from ${least} to ${most}, got ${text}`);
}

/** Returns the drawn mutants with their numbers from 1, and how many places there are to draw from. */
function chosenMutants({ only, rooms, count, seed }) {
  const all = rooms.map((room) => allMutants(ROOT, room));
  const chosen = only === null ? all.flatMap((room) => draw(room, count, seed)) : mutantsWithIds(ROOT, only);
  const distinct = [...new Map(chosen.map((mutant) => [mutant.id, mutant])).values()];
  return {
    places: new Set(all.flat().map(({ id }) => id)).size,
    mutants: distinct.map((mutant, index) => ({ ...mutant, number: index + 1 })),
  };
}

function list(mutants) {
  for (const mutant of mutants) console.log(`\n${describe(mutant)}`);
}

/** Returns a folder whose name depends on all that the verdicts depend on. */
function workFolder(mutants, { tests, 'npm-test': onlyNpmTest = false, seed }) {
  const ids = mutants.map(({ id }) => id);
  const hash = createHash('sha256').update(JSON.stringify({ ids, tests, onlyNpmTest, seed }));
  for (const path of filesOfCheckout(ROOT)) {
    if (lstatSync(join(ROOT, path)).isFile())
      hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  const folder = join(tmpdir(), `boardmill-mutants-${hash.digest('hex').slice(0, 12)}`);
  console.log(`the copy and what is finished are in ${folder}`);
  return folder;
}

/** After a signal, the tests that are running are ended with all their processes. */
function abortOnSignals() {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => controller.abort());
  return controller.signal;
}
