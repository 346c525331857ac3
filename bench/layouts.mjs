/**
 * Compares whole runs on the same boards in several layouts, and a run of one case with a Node process that does nothing:
 * `node bench/layouts.mjs [--problem bacterial-tactics] [--cases 300000] [--rounds 9]`. The programs take turns, forwards and
 * backwards. Needs a build (`npm run build`).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareInTurn } from './in-turn.mjs';

const { values } = parseArgs({
  options: {
    problem: { type: 'string', default: 'bacterial-tactics' },
    cases: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '9' },
  },
});
const { problem, cases } = values;

const PROGRAM = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'boardmill-layouts-'));
const at = (name) => join(folder, name);

/** How each layout is made from the canonical one. */
const LAYOUTS = {
  canonical: (text) => text,
  'line ends of CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'tabs for blanks': (text) => text.replaceAll(' ', '\t'),
  'a blank at each line end': (text) => text.replaceAll('\n', ' \n'),
};

function run(...args) {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${stderr}`);
  return { seconds: (performance.now() - begin) / 1000, answers: stdout };
}

const solve = (name) => () => run(PROGRAM, 'solve', problem, at(name), '-j', '1');

const compare = (title, programs) => compareInTurn(title, programs, Number(values.rounds), false);

try {
  const size = ['--rows', '2..5', '--cols', '2..5'];
  run(PROGRAM, 'generate', problem, '--cases', cases, '--seed', '1', ...size, '-o', at('canonical'));
  run(PROGRAM, 'generate', problem, '--cases', '1', '--seed', '1', ...size, '-o', at('one'));
  const text = readFileSync(at('canonical'), 'latin1');
  for (const [name, layOut] of Object.entries(LAYOUTS)) {
    writeFileSync(at(name), layOut(text), 'latin1');
    if (!solve(name)().answers.equals(solve('canonical')().answers))
      throw new Error(`wrong answers: ${name}`);
  }
  compare('one case', { 'node -e 0': () => run('-e', '0'), solve: solve('one') });
  compare(
    `${cases} small boards`,
    Object.fromEntries(Object.keys(LAYOUTS).map((name) => [name, solve(name)])),
  );
} finally {
  rmSync(folder, { recursive: true });
}
