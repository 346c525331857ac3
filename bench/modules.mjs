/**
 * Compares `solve` of three modules with what a user would write without boardmill, in plain Node and with Piscina, and prints
 * how long a module takes to start: `node bench/modules.mjs [problem..] [--rounds 5] [--against OTHER/dist]`. The programs take
 * turns, forwards and backwards. With --against, another build takes turns, too. Needs a build (`npm run build`).
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../build/src/tools/bench/statistics.js';

/** The number of cases of each problem. */
const CASES = { hashmat: 2_000_000, subarray: 400_000, islands: 30_000 };

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } },
  allowPositionals: true,
});
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const builds = [pathOf('../dist'), ...(values.against ? [values.against] : [])];
const folder = mkdtempSync(join(tmpdir(), 'boardmill-modules-'));
const at = (name) => join(folder, name);

/** Runs Node with these arguments. Returns the seconds that it took, and what it printed. */
function run(args, input = null) {
  const from = input === null ? 'ignore' : openSync(input, 'r');
  const to = openSync(at('answers'), 'w');
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: [from, to, 'pipe'] });
  const seconds = (performance.now() - begin) / 1000;
  for (const descriptor of [from, to]) if (typeof descriptor === 'number') closeSync(descriptor);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { seconds, answers: readFileSync(at('answers')) };
}

const program = (build) => join(build, 'src/cli/main.js');
const solve = (build, problem, input, jobs) => () =>
  run([program(build), 'solve', pathOf(`modules/${problem}.mjs`), input, '-j', `${jobs}`]);

/** Runs the programs in turn. Prints the median time of each one, and its ratio to the first one. */
function compare(title, programs) {
  const names = Object.keys(programs);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const expected = programs[names[0]]().answers;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { seconds, answers } = programs[name]();
      if (!answers.equals(expected)) throw new Error(`${name}: other answers`);
      times[name].push(seconds);
    }
  }
  console.log(title);
  for (const name of names) {
    const seconds = median(times[name]);
    console.log(`  ${name}: ${seconds.toFixed(2)} s, ${(seconds / median(times[names[0]])).toFixed(2)}`);
  }
}

function generate(problem, cases, output) {
  run([
    program(builds[0]),
    'generate',
    pathOf(`modules/${problem}.mjs`),
    '--cases',
    `${cases}`,
    '--seed',
    '1',
    '-o',
    output,
  ]);
}

try {
  for (const [problem, cases] of Object.entries(CASES)) {
    if (positionals.length > 0 && !positionals.includes(problem)) continue;
    const input = at(`${problem}.in`);
    generate(problem, cases, input);
    const programs = {
      'plain Node': () => run([pathOf('modules/plain.mjs'), problem], input),
      'Piscina, two threads': () => run([pathOf('modules/piscina.mjs'), problem], input),
    };
    for (const build of builds)
      for (const jobs of [1, 2]) programs[`${build} -j ${jobs}`] = solve(build, problem, input, jobs);
    compare(`${problem}, ${cases} cases`, programs);
  }
  const one = at('one.in');
  generate('hashmat', 1, one);
  const starts = Object.fromEntries(builds.map((build) => [build, solve(build, 'hashmat', one, 1)]));
  compare('hashmat, one case', starts);
} finally {
  rmSync(folder, { recursive: true });
}
