/**
 * Writes the results of benchmarks to runs/<date-machine>/, with the machine, versions and command of the measurement, and to
 * the pages that show them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentMachine } from '../build/src/tools/bench/report.js';

const benchFolder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Describes a measurement on this day and this machine. Returns `about`, which describes the measurement, and
 * `writeResult(name, text)`, which writes a file to the folder runs/<date-machine>/.
 */
export function openRunFolder() {
  const machine = currentMachine();
  const date = new Date().toISOString();
  const slug = `${machine.processor}-${machine.processors}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const folder = join(benchFolder, 'runs', `${date.slice(0, 10)}-${slug}`);
  const about = {
    command: ['node', `bench/${basename(process.argv[1])}`, ...process.argv.slice(2)].join(' '),
    date,
    ...machine,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadBefore: loadavg()[0],
    boardmill: JSON.parse(readFileSync(join(benchFolder, '..', 'package.json'), 'utf8')).version,
    commit: firstLineOf('git', ['rev-parse', '--short', 'HEAD']),
    compiler: firstLineOf(process.env.CXX ?? 'g++', ['--version']),
  };
  const writeResult = (name, text) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  return { about, writeResult };
}

/** Returns what the last measurement has written to the file `name`, as parsed JSON. `command` is what makes such a file. */
export function lastResult(name, command) {
  const runs = join(benchFolder, 'runs');
  const paths = readdirSync(runs).map((folder) => join(runs, folder, name));
  const results = paths
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')));
  if (results.length === 0) throw new Error(`no measurement was found: run ${command}`);
  return results.reduce((newest, each) => (each.about.date > newest.about.date ? each : newest));
}

/** Replaces what is between the comments `<!-- NAME -->` and `<!-- /NAME -->` of a page. */
export function replaceSection(path, name, content) {
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), name, content));
}

/** Returns a page with other content between the comments `<!-- NAME -->` and `<!-- /NAME -->`. */
export function withSection(page, name, content) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const section = new RegExp(`${begin}[\\s\\S]*${end}`);
  if (!section.test(page)) throw new Error(`the page has no ${begin} ... ${end}`);
  return page.replace(section, () => [begin, content, end].join('\n'));
}

/** Returns one line about the machine, the versions and the day of a measurement. */
export function describeMachine({ processor, processors, node, boardmill, commit, date, loadBefore }) {
  return `${processor}, ${processors} processors, Node ${node}, boardmill ${boardmill} (${commit}), ${date.slice(0, 10)}, load average before the run ${loadBefore.toFixed(1)}`;
}

/** Runs a command and returns the first line that it prints. Returns null if the command fails. */
function firstLineOf(command, args) {
  const { stdout, status } = spawnSync(command, args, { cwd: benchFolder, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : null;
}
