/** Results are kept in runs/<date-machine>/, with all that is needed to know what they hold for. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thisMachine } from '../dist/src/bench/report.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Makes the folder of today and this machine; `keep(name, text)` writes a file there. */
export function openRunFolder() {
  const machine = thisMachine();
  const date = new Date().toISOString();
  const slug = `${machine.processor}-${machine.processors}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const folder = join(here, 'runs', `${date.slice(0, 10)}-${slug}`);
  mkdirSync(folder, { recursive: true });
  const about = {
    command: ['node', `bench/${basename(process.argv[1])}`, ...process.argv.slice(2)].join(' '),
    date,
    ...machine,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadBefore: loadavg()[0],
    boardmill: JSON.parse(readFileSync(join(here, '..', 'package.json'), 'utf8')).version,
    commit: firstLine('git', ['rev-parse', '--short', 'HEAD']),
    compiler: firstLine(process.env.CXX ?? 'g++', ['--version']),
  };
  return { about, keep: (name, text) => writeFileSync(join(folder, name), text) };
}

/** What the numbers hold for, in a line. */
export function describeRun({ processor, processors, node, boardmill, commit, date, loadBefore }) {
  return `${processor}, ${processors} processors, Node ${node}, boardmill ${boardmill} (${commit}), ${date.slice(0, 10)}, load before ${loadBefore.toFixed(1)}`;
}

function firstLine(command, args) {
  const { stdout, status } = spawnSync(command, args, { cwd: here, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : null;
}
