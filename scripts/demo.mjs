/**
 * `npm start` runs this program. It solves the samples of all problems in data/ with a pool of workers, compares the
 * answers with the expected answers, and prints a table. The exit code is 1 if an answer is wrong.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { solveFile } from '../dist/src/index.js';

const data = fileURLToPath(new URL('../data/', import.meta.url));
const jobs = availableParallelism();
const answerFolder = mkdtempSync(join(tmpdir(), 'boardmill-demo-'));
try {
  const rows = [];
  // data/census has counts and no samples.
  const games = readdirSync(data).filter((name) => existsSync(join(data, name, 'sample')));
  for (const name of games) rows.push(await solveSamples(name));
  printTable(rows);
  process.exitCode = rows.every((row) => row.verdict === 'ok') ? 0 : 1;
} finally {
  rmSync(answerFolder, { recursive: true, force: true });
}

async function solveSamples(name) {
  const folder = join(data, name, 'sample');
  const inputs = readdirSync(folder).filter((file) => file.endsWith('.in'));
  const wrongInputs = [];
  let cases = 0;
  let seconds = 0;
  for (const input of inputs) {
    const answers = join(answerFolder, `${name}-${input}.ans`);
    const stats = await solveFile(name, join(folder, input), answers, { jobs });
    cases += stats.cases;
    seconds += stats.seconds;
    const expected = readFileSync(join(folder, input.replace(/\.in$/, '.ans')));
    if (!readFileSync(answers).equals(expected)) wrongInputs.push(input);
  }
  const verdict = wrongInputs.length === 0 ? 'ok' : `wrong answers: ${wrongInputs.join(', ')}`;
  return { problem: name, files: inputs.length, cases, ms: Math.round(seconds * 1000), verdict };
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
