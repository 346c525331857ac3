/**
 * Compares what the library costs the coordinator's thread with what the command costs it: `node bench/library.mjs` solves a file
 * of small boards with `boardmill solve` and with `solveFile`, which take turns, and prints `coordinatorCpuSeconds` of both. Then
 * it prints how far `solveStream` has read ahead of a loop that stops. Needs a build (`npm run build`).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../build/src/tools/bench/statistics.js';
import { solveStream } from '../dist/src/index.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '4000000' },
    rounds: { type: 'string', default: '8' },
    jobs: { type: 'string', default: '2' },
  },
});
const { cases, jobs } = values;

const PROGRAM = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const LIBRARY = new URL('../dist/src/index.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'boardmill-library-'));
const at = (name) => join(folder, name);

/** The ways to solve the file. Each one is a whole process, and returns the statistics of its run. */
const WAYS = {
  command() {
    runNode(PROGRAM, 'solve', 'bt', at('in'), '-o', at('command'), '-fq', '-j', jobs, '--stats', at('stats'));
    return JSON.parse(readFileSync(at('stats'), 'utf8'));
  },
  library() {
    const call = `solveFile('bt', ${JSON.stringify(at('in'))}, ${JSON.stringify(at('library'))}, { jobs: ${jobs}, force: true })`;
    const script = `import('${LIBRARY}').then(({ solveFile }) => ${call}).then((stats) => console.log(JSON.stringify(stats)))`;
    return JSON.parse(runNode('-e', script));
  },
};

function runNode(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function compareWithCommand() {
  const size = ['--rows', '1..4', '--cols', '1..4'];
  runNode(PROGRAM, 'generate', 'bt', '--cases', cases, '--seed', '1', ...size, '-o', at('in'));
  const seconds = { command: [], library: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = round % 2 === 0 ? ['command', 'library'] : ['library', 'command'];
    for (const way of order) seconds[way].push(WAYS[way]().coordinatorCpuSeconds);
  }
  for (const [way, all] of Object.entries(seconds))
    console.log(
      `${way}: ${median(all).toFixed(3)} s (${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)})`,
    );
  const ratios = seconds.library.map((each, round) => each / seconds.command[round]);
  console.log(`library / command, median of the rounds: ${median(ratios).toFixed(3)}`);
}

/** Takes answers from an endless stream of tiny cases, stops, and returns how many cases have been read that nobody has taken. */
async function casesAhead(taken) {
  const piece = '1 1\nL\n'.repeat(1000);
  let pieces = 0;
  async function* input() {
    for (; ; pieces++) yield piece;
  }
  const answers = solveStream('darkraft', input(), { jobs: Number(jobs) });
  for (let count = 0; count < taken; count++) await answers.next();
  for (let before = -1; before !== pieces; ) {
    before = pieces;
    await pause(500);
  }
  await answers.return();
  return pieces * 1000 - taken;
}

try {
  compareWithCommand();
  for (const taken of [5000, 1_000_000])
    console.log(`cases read ahead of ${taken} answers: ${await casesAhead(taken)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
