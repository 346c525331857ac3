/**
 * Kills workers and the process at random moments, resumes, and compares bytes with an undisturbed run.
 *
 *     node bench/soak.mjs [--seconds 120] [--seed N]
 *
 * Needs the build. Exit code 1, and the folder kept, if a byte differs or a run fails by itself.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROBLEMS } from '../dist/src/problems/registry.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const RUN = fileURLToPath(new URL('./soak-run.mjs', import.meta.url));

/** Each input takes seconds, so that there is time to kill the run. */
const INPUTS = PROBLEMS.map(({ name }) => ({ problem: name, cases: fixtureOf(name).soakCases }));
const ENDS = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM'];
const CHUNKS = [512, 4096, 65_536];
/** The chance that a worker dies before, or after, a chunk. */
const DEATHS = [0, 0.01, 0.05, 0.2];
/** A run that is left alone for so long comes to its end. */
const LONGEST_MS = 3000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: `${Date.now() % 1e6}` },
  },
});
let state = Number(values.seed);
const draw = (bound) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * bound);
};
const pick = (list) => list[draw(list.length)];

const folder = mkdtempSync(join(tmpdir(), 'boardmill-soak-'));
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
const tally = { runs: 0, killed: 0, interrupted: 0, workerDeaths: 0, unlucky: 0 };

function boardmill(...args) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, env });
  if (status !== 0) throw new Error(`boardmill ${args.join(' ')}: ${stderr}`);
}

function prepare({ problem, cases }) {
  const input = `${problem}.in`;
  boardmill('generate', problem, '--cases', `${cases}`, '--seed', values.seed, '-o', input);
  for (const format of ['text', 'ndjson']) {
    boardmill('solve', problem, input, '-o', `${problem}.${format}`, '--format', format);
  }
}

/** One attempt at going on, with or without an end from outside; its exit code, or the signal that ended it. */
function attempt(problem, format, output) {
  const args = [RUN, problem, `${problem}.in`, output, `${pick(CHUNKS)}`, format];
  const fate = {
    SOAK_LOG: join(folder, 'deaths.log'),
    SOAK_SEED: `${draw(1e9)}`,
    SOAK_DEATHS: `${pick(DEATHS)}`,
  };
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ...fate },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const timer = setTimeout(() => child.kill(pick(ENDS)), 100 + draw(LONGEST_MS));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: signal ?? code, said });
    });
  });
}

/** Goes on until the answers are whole. */
async function survive(problem, format) {
  const output = `${problem}.soaked`;
  for (;;) {
    const { code, said } = await attempt(problem, format, output);
    if (code === 0) break;
    if (code === 'SIGKILL') tally.killed++;
    // A signal may come before anybody listens for it.
    else if (['SIGINT', 'SIGTERM', 130].includes(code)) tally.interrupted++;
    // One chunk met a death at every attempt: the run stopped, and goes on.
    else if (/its solver failed|no worker can start/.test(said)) tally.unlucky++;
    else throw new Error(`${problem} (${format}) ended with ${code}: ${said}`);
  }
  tally.runs++;
  const expected = readFileSync(join(folder, `${problem}.${format}`));
  const left = readdirSync(folder).filter((name) => name.startsWith(`${output}.`));
  if (!readFileSync(join(folder, output)).equals(expected))
    throw new Error(`${problem} (${format}): bytes differ`);
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
  rmSync(join(folder, output));
}

console.log(`seed ${values.seed}, ${values.seconds} s`);
for (const input of INPUTS) prepare(input);
const end = performance.now() + Number(values.seconds) * 1000;
while (performance.now() < end) await survive(pick(INPUTS).problem, pick(['text', 'ndjson']));
const log = join(folder, 'deaths.log');
tally.workerDeaths = existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
rmSync(folder, { recursive: true });
const faults = tally.killed + tally.interrupted + tally.workerDeaths;
console.log(`${faults} faults survived: ${JSON.stringify(tally)}; every byte as in undisturbed runs`);
