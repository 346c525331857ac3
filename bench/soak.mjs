/**
 * Tests that no answer is lost: it kills workers and whole runs at random moments, resumes the runs, and compares their
 * output with the output of undisturbed runs.
 *
 *     node bench/soak.mjs [--seconds 120] [--seed N]
 *
 * The test runs the compiled code, so run `npm run build` first. If a byte of the output differs, or if a run fails for
 * another reason, the exit code is 1 and the folder with the files is kept.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROBLEMS } from '../build/src/catalog/registry.js';
import { OUTPUT_FORMATS } from '../build/src/problems/output-formats.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';
import { boardmill, draw, env, folder, pick, values } from './soak-tools.mjs';

const SOAK_RUN_SCRIPT = fileURLToPath(new URL('./soak-run.mjs', import.meta.url));

/** The inputs of the test. Each input takes some seconds to solve, so a run can be interrupted at many places. */
const INPUTS = PROBLEMS.map(({ name }) => ({ problem: name, cases: fixtureOf(name).soakCases }));
/** The signals that end a run. The list has SIGKILL three times, so SIGKILL is drawn more often. */
const SIGNALS = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM'];
/** Chunk sizes in bytes. Each run draws one of these sizes. */
const CHUNK_SIZES = [512, 4096, 65_536];
/** Probabilities with which a worker dies before and after each chunk. Each run draws one of these probabilities. */
const DEATH_PROBABILITIES = [0, 0.01, 0.05, 0.2];
/** Shortest time after which an unfinished run gets a signal, in milliseconds. */
const MIN_SIGNAL_DELAY_MS = 100;
/** A random time of up to this many milliseconds is added to MIN_SIGNAL_DELAY_MS. */
const MAX_RANDOM_DELAY_MS = 3000;

/** Counts what has happened in all runs so far. `unlucky` counts runs that stopped because workers died too often. */
const tally = { runs: 0, killed: 0, interrupted: 0, workerDeaths: 0, unlucky: 0 };

/** Generates an input and solves it once for each output format, without killing anything. */
function generateAndSolve({ problem, cases }) {
  const input = `${problem}.in`;
  boardmill('generate', problem, '--cases', `${cases}`, '--seed', values.seed, '-o', input);
  for (const outputFormat of OUTPUT_FORMATS) {
    boardmill('solve', problem, input, '-o', `${problem}.${outputFormat}`, '--format', outputFormat);
  }
}

/**
 * Starts or resumes a run, and sends a signal to the run if it takes too long. Returns what the run printed to standard
 * error, and the run's exit code or the signal that ended it.
 */
function attemptRun(problem, outputFormat, output) {
  const args = [SOAK_RUN_SCRIPT, problem, `${problem}.in`, output, `${pick(CHUNK_SIZES)}`, outputFormat];
  const workerEnvironment = {
    SOAK_LOG: join(folder, 'deaths.log'),
    SOAK_SEED: `${draw(1e9)}`,
    SOAK_DEATHS: `${pick(DEATH_PROBABILITIES)}`,
  };
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ...workerEnvironment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill(pick(SIGNALS)), MIN_SIGNAL_DELAY_MS + draw(MAX_RANDOM_DELAY_MS));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: signal ?? code, stderr });
    });
  });
}

/**
 * Resumes a run again and again until it has written all answers. Throws an error if these answers differ from the
 * expected answers.
 */
async function runUntilFinished(problem, outputFormat) {
  const output = `${problem}.soaked`;
  for (;;) {
    const { code, stderr } = await attemptRun(problem, outputFormat, output);
    if (code === 0) break;
    if (code === 'SIGKILL') tally.killed++;
    // A signal that arrives before the run has a handler for it ends the process directly, without exit code 130.
    else if (['SIGINT', 'SIGTERM', 130].includes(code)) tally.interrupted++;
    // Workers died at every attempt to solve the same chunk. The run has stopped, and the next attempt resumes it.
    else if (/solver failed|a worker cannot start/.test(stderr)) tally.unlucky++;
    else throw new Error(`${problem} (${outputFormat}) ended with ${code}: ${stderr}`);
  }
  tally.runs++;
  const expected = readFileSync(join(folder, `${problem}.${outputFormat}`));
  const remainingFiles = readdirSync(folder).filter((name) => name.startsWith(`${output}.`));
  if (!readFileSync(join(folder, output)).equals(expected))
    throw new Error(`${problem} (${outputFormat}): the answers differ from those of an undisturbed run`);
  if (remainingFiles.length > 0) throw new Error(`the run did not remove ${remainingFiles.join(', ')}`);
  rmSync(join(folder, output));
}

console.log(`testing for ${values.seconds} s with --seed ${values.seed}`);
for (const input of INPUTS) generateAndSolve(input);
const end = performance.now() + Number(values.seconds) * 1000;
while (performance.now() < end) await runUntilFinished(pick(INPUTS).problem, pick(OUTPUT_FORMATS));
const deathLog = join(folder, 'deaths.log');
tally.workerDeaths = existsSync(deathLog) ? readFileSync(deathLog, 'utf8').split('\n').length - 1 : 0;
rmSync(folder, { recursive: true });
const faults = tally.killed + tally.interrupted + tally.workerDeaths;
console.log(
  `after ${faults} faults (${JSON.stringify(tally)}), every output was the same as that of an undisturbed run`,
);
