/** What the soak tests share: their options, their random numbers, and a folder of their own in which they run boardmill. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const BOARDMILL_MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

/** The options of the command line. */
export const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: `${Date.now() % 1e6}` },
  },
});

let randomState = Number(values.seed);

/** Draws a whole number of at least 0 and less than `bound` (a linear congruential generator). */
export function draw(bound) {
  randomState = (Math.imul(randomState, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((randomState / 0x80000000) * bound);
}

export function pick(list) {
  return list[draw(list.length)];
}

/** The folder with all files of the test, and the environment of its processes. */
export const folder = mkdtempSync(join(tmpdir(), 'boardmill-soak-'));
export const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };

/** Runs boardmill in the folder. Throws an error if it fails. */
export function boardmill(...args) {
  const { status, stderr } = spawnSync(process.execPath, [BOARDMILL_MAIN, ...args], { cwd: folder, env });
  if (status !== 0) throw new Error(`boardmill ${args.join(' ')} failed: ${stderr}`);
}
