/** Runs whose files are brought into the states that SIGKILL or a power cut may leave. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import type { Scenario } from './continued.js';

const casesOf = (count: number) => `${count}\n${'1 2\n.#\n'.repeat(count)}`;

const SMALL = casesOf(2);
/** The answers are more than what boardmill holds in memory. */
const LARGE = casesOf(400);

/** The files that are in the folder of each run. */
export const INPUTS: Readonly<Record<string, string>> = {
  'small.in': SMALL,
  'large.in': LARGE,
  'marked.in': '3\n1 1\n.\n1 1\n?\n1 1\n.\n',
  'bad.in': `${LARGE.slice(0, -2)}?\n`,
  'data/a.in': SMALL,
  'data/b.in': casesOf(3),
  'data/c.in': LARGE,
};

/** Gives half of the cases, waits for a checkpoint that covers some of them, and gives the rest. */
const feedInHalves: Scenario['feed'] = async (folder, write) => {
  const checkpoint = join(folder, 'out.checkpoint');
  write(LARGE.slice(0, LARGE.length / 2));
  await until(() => existsSync(checkpoint) && !readFileSync(checkpoint, 'utf8').includes('"cases":0'));
  write(LARGE.slice(LARGE.length / 2));
};

/** A command that is run again when it was cut, because it has no `--resume`. */
const repeated = (outputs: readonly string[], ...args: string[]): Scenario => ({ args, next: args, outputs });

const RESUME_LARGE = ['solve', 'bt', 'large.in', '-o', 'out', '--resume'];
const INTERRUPTED = { before: [['solve', 'bt', 'bad.in', '-o', 'out', '--chunk', '64']], next: RESUME_LARGE };
const OUT = { outputs: ['out'] };

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a small output': { args: ['solve', 'bt', 'small.in', '-o', 'out'], ...OUT },
  'a large output': { args: ['solve', 'bt', 'large.in', '-o', 'out'], ...OUT },
  'an output with a checkpoint': {
    args: ['solve', 'bt', '-', '-o', 'out', '-j', '1', '--chunk', '64'],
    feed: feedInHalves,
    next: RESUME_LARGE,
    ...OUT,
  },
  'a resumed output': { ...INTERRUPTED, args: RESUME_LARGE, ...OUT },
  'an interrupted output that is started over': {
    ...INTERRUPTED,
    args: ['solve', 'bt', 'large.in', '-o', 'out', '--force'],
    ...OUT,
  },
  'an output that replaces another one': {
    before: [['solve', 'bt', 'large.in', '-o', 'out']],
    args: ['solve', 'bt', 'small.in', '-o', 'out'],
    ...OUT,
  },
  'a table': { args: ['solve', 'bt', 'data', '--format', 'csv', '-o', 'out'], ...OUT },
  'marked cases': { args: ['solve', 'bt', 'marked.in', '-o', 'out', '--on-error', 'mark'], ...OUT },
  'a shard with its record': {
    args: ['solve', 'bt', 'large.in', '-o', 'out', '--shard', '1/2'],
    outputs: ['out', 'out.shard'],
  },
  'a folder with --ext': {
    args: ['solve', 'bt', 'data', '--ext', '.out'],
    outputs: ['data/a.out', 'data/b.out', 'data/c.out'],
  },
  'a folder with --out-dir': {
    before: [['solve', 'bt', 'data/b.in', '--out-dir', 'new']],
    args: ['solve', 'bt', 'data', '--out-dir', 'new/below'],
    outputs: ['new/b.ans', 'new/below/a.ans', 'new/below/b.ans', 'new/below/c.ans'],
  },
  'a small generated input': repeated(['out'], 'generate', 'bt', '--cases', '2', '--seed', '1', '-o', 'out'),
  'a large generated input': repeated(
    ['out'],
    ...['generate', 'bt', '--cases', '99', '--rows', '9', '--cols', '9', '--seed', '1', '-o', 'out'],
  ),
  'extracted cases': repeated(['out'], 'extract', 'bt', 'large.in', '--cases', '2..300', '-o', 'out'),
  'the parts of an input': repeated(
    ['parts/part-0001.in', 'parts/part-0002.in'],
    ...['split', 'bt', 'large.in', '--every', '300', '--dir', 'parts'],
  ),
  'merged shards': {
    before: [1, 2].map((n) => ['solve', 'bt', 'large.in', '-o', `part${n}`, '--shard', `${n}/2`]),
    ...repeated(['out'], 'merge', 'part1', 'part2', '-o', 'out'),
  },
};
