/**
 * Compares `solve` of three modules with what a user would write without boardmill, in plain Node and with Piscina, and prints
 * how long a module takes to start: `node bench/modules.mjs [problem..] [--rounds 5] [--against OTHER/dist]`. The programs take
 * turns, forwards and backwards. With --against, another build takes turns, too. Needs a build (`npm run build`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareInTurn, timeRun } from './in-turn.mjs';

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

const run = (args, input = null) => timeRun(process.execPath, args, at('answers'), input);
const program = (build) => join(build, 'src/cli/main.js');
const solve = (build, problem, input, jobs) => () =>
  run([program(build), 'solve', pathOf(`modules/${problem}.mjs`), input, '-j', `${jobs}`]);

const compare = (title, programs) => compareInTurn(title, programs, Number(values.rounds));

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
