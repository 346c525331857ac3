/**
 * `npm start` runs this program. It solves the samples of all problems in data/ with a pool of workers, compares the
 * answers with the expected answers, and prints a table. The exit code is 1 if an answer is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBarWanted, startProgress } from '../dist/src/cli/status/progress.js';
import { LocalPool, loadProblem, openSource, PROBLEMS, run, Tally } from '../dist/src/index.js';

const data = fileURLToPath(new URL('../data/', import.meta.url));
const jobs = availableParallelism();
const rows = [];
for (const { name } of PROBLEMS) rows.push(await solveSamples(name));
printTable(rows);
process.exitCode = rows.every((row) => row.verdict === 'ok') ? 0 : 1;

async function solveSamples(name) {
  const folder = join(data, name, 'sample');
  const inputs = readdirSync(folder).filter((file) => file.endsWith('.in'));
  const problem = await loadProblem(name);
  const pool = new LocalPool({ problem: problem.reference, solver: 'auto' }, { jobs });
  const tally = new Tally();
  const progress = await startProgress(tally, isBarWanted({ quiet: false, progress: true }));
  const wrongInputs = [];
  for (const input of inputs) {
    const answers = await solve(problem, join(folder, input), pool, tally);
    const expected = readFileSync(join(folder, input.replace(/\.in$/, '.ans')));
    if (!answers.equals(expected)) wrongInputs.push(input);
  }
  progress.stop();
  await pool.close();
  const verdict = wrongInputs.length === 0 ? 'ok' : `wrong answers: ${wrongInputs.join(', ')}`;
  return {
    problem: name,
    files: inputs.length,
    cases: tally.cases,
    ms: Math.round(tally.seconds * 1000),
    verdict,
  };
}

async function solve(problem, path, pool, tally) {
  const source = await openSource(path);
  const pieces = [];
  const sink = {
    keepsPositions: false,
    resumePosition: null,
    write: async (bytes) => void pieces.push(bytes),
    finish: async () => {},
    abandon: async () => {},
  };
  const options = {
    problem,
    settings: { outputFormat: 'text', onError: 'stop' },
    chunkBytes: null,
    jobs,
    retries: 1,
    warn: console.error,
  };
  tally.inputBytes = (tally.inputBytes ?? 0) + source.size;
  await run(source, sink, pool, options, tally);
  return Buffer.concat(pieces);
}

function printTable(rows) {
  const headings = Object.keys(rows[0]);
  const lines = [headings, ...rows.map((row) => headings.map((heading) => String(row[heading])))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}
