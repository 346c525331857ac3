/**
 * Measures whether the tests that `grade` finds catch mistakes that nobody made by an operator: `node bench/wrong-programs.mjs
 * [PROBLEM..] [--seed S] [--time SECONDS]`. For each game, `grade` gets the sample of the statement and a right program. The new
 * tests are then compared with random tests of the same number of cases, and of the same number of bytes, by how many of the wrong
 * programs in bench/wrong-programs/ each kills. Needs a build (`npm run build`) and g++.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PROBLEMS = ['bacterial-tactics', 'darkraft', 'link-and-pop', 'river-pawn'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, time: { type: 'string', default: '300' } },
});
const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'boardmill-wrong-'));

/** Runs boardmill, and returns what it prints. An exit code of 1 says that something differs, which is expected here. */
function boardmill(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf('dist/src/cli/main.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status > 1) throw new Error(stderr);
  return stdout;
}

/** Builds the wrong programs, and returns their names by path. */
function buildWrongPrograms(problem) {
  const sources = pathOf(`bench/wrong-programs/${problem}`);
  const names = readdirSync(sources).filter((name) => name.startsWith('wrong-'));
  return names.map((name) => {
    const binary = join(folder, `${problem}-${name.replace('.cpp', '')}`);
    execFileSync('g++', ['-O2', '-std=gnu++20', '-w', '-o', binary, join(sources, name)]);
    return binary;
  });
}

/** Returns the numbers of the wrong programs that fail on a test. */
function killedBy(problem, tests, programs) {
  const words = programs.flatMap((program) => ['--exec', program]);
  const lines = boardmill('judge', problem, tests, ...words, '--timeout', '10', '--json')
    .trim()
    .split('\n');
  const failing = lines.map((line) => JSON.parse(line)).filter(({ verdict }) => verdict !== 'AC');
  return [...new Set(failing.map(({ program }) => /wrong-(\d+)-/.exec(basename(program))[1]))].sort();
}

/** Draws a random test with this number of cases. */
function drawCases(problem, profile, cases) {
  const path = join(folder, problem, `${profile}-${cases}.in`);
  boardmill(
    'generate',
    problem,
    '--profile',
    profile,
    '--seed',
    values.seed,
    '--cases',
    String(cases),
    '-o',
    path,
    '-f',
  );
  return path;
}

/** Draws the largest test of tiny boards that has at most this number of bytes. */
function drawBytes(problem, bytes) {
  let cases = 1;
  while (statSync(drawCases(problem, 'tiny', cases + 1)).size <= bytes) cases++;
  return drawCases(problem, 'tiny', cases);
}

function measure(problem) {
  const [tests, found] = [join(folder, problem, 'sample'), join(folder, problem, 'new')];
  mkdirSync(tests, { recursive: true });
  cpSync(pathOf(`data/${problem}/sample/statement.in`), join(tests, 'statement.in'));
  const right = pathOf(`bench/wrong-programs/${problem}/right.cpp`);
  const options = ['--seed', values.seed, '--time', values.time, '--into', found];
  const begin = performance.now();
  const summary = boardmill('grade', problem, tests, '--program', right, ...options);
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${problem} (${seconds.toFixed(0)} s): ${summary.split('\n').find((line) => line.startsWith('the tests kill'))}`,
  );
  const { cases } = JSON.parse(boardmill('stats', problem, found, '--json'));
  const inputs = readdirSync(found).filter((name) => name.endsWith('.in'));
  const bytes = inputs.reduce((sum, name) => sum + statSync(join(found, name)).size, 0);
  const programs = buildWrongPrograms(problem);
  const tried = {
    'the sample': tests,
    [`the new tests, ${cases} cases in ${bytes} bytes`]: found,
    [`${cases} random cases`]: drawCases(problem, 'random', cases),
    'as many bytes of tiny cases': drawBytes(problem, bytes),
  };
  for (const [name, path] of Object.entries(tried)) {
    const killed = killedBy(problem, path, programs);
    console.log(`  ${name}: ${killed.length} of ${programs.length} wrong programs (${killed.join(' ')})`);
  }
}

try {
  for (const problem of positionals.length === 0 ? PROBLEMS : positionals) measure(problem);
} finally {
  rmSync(folder, { recursive: true });
}
