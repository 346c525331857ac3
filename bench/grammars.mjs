/**
 * Compares `solve GRAMMAR --multitest --exec PROGRAM` with the program itself, which reads the whole file in one run:
 * `node bench/grammars.mjs [--cases 2000000] [--rounds 5] [--against OTHER/dist]`. The programs take turns, forwards and
 * backwards. With --against, another build takes turns, too. Needs a build (`npm run build`) and a C++ compiler.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareInTurn, timeRun } from './in-turn.mjs';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const builds = [pathOf('../dist'), ...(values.against ? [values.against] : [])];
const grammar = pathOf('grammars/pairs.ctd');
const folder = mkdtempSync(join(tmpdir(), 'boardmill-grammars-'));
const at = (name) => join(folder, name);
const program = at('distance');

const run = (command, ...args) =>
  timeRun(command, args, at('answers'), command === program ? at('input') : null);

function solve(build, jobs) {
  const options = ['--multitest', '--exec', program, '--exec-cases', '100000', '-j', `${jobs}`];
  const main = join(build, 'src/cli/main.js');
  return run(process.execPath, main, 'solve', grammar, at('input'), ...options);
}

try {
  run('g++', '-O2', '-o', program, pathOf('grammars/distance.cpp'));
  const generate = [
    'generate',
    grammar,
    '--multitest',
    '--cases',
    values.cases,
    '--seed',
    '1',
    '-o',
    at('input'),
  ];
  run(process.execPath, join(builds[0], 'src/cli/main.js'), ...generate);
  const programs = { 'the program alone': () => run(program) };
  for (const build of builds)
    for (const jobs of [1, 2]) programs[`${build} -j ${jobs}`] = () => solve(build, jobs);
  compareInTurn(`${values.cases} cases`, programs, Number(values.rounds));
} finally {
  rmSync(folder, { recursive: true });
}
