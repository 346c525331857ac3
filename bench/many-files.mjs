/**
 * Measures what a file of one case costs in a folder of such files: `node bench/many-files.mjs [--files 1000] [--rounds 7]
 * [--folder DIR] [--against OTHER/dist]`. With --against, another build takes turns with this one. Needs a build (`npm run build`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../build/src/tools/bench/statistics.js';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string', default: tmpdir() },
    against: { type: 'string' },
  },
});
const files = Number(values.files);
const builds = [
  fileURLToPath(new URL('../dist', import.meta.url)),
  ...(values.against ? [values.against] : []),
];
const folder = mkdtempSync(join(values.folder, 'boardmill-many-'));
let runs = 0;

/**
 * Solves inputs in a folder of their own. Returns the seconds of the coordinator's processor time, and of the run. Nothing is
 * deleted before the end: where files were just deleted, ext4 takes twice as long to make others.
 */
function measure(build) {
  const run = join(folder, `${runs++}`);
  mkdirSync(join(run, 'inputs'), { recursive: true });
  for (let file = 0; file < files; file++) writeFileSync(join(run, 'inputs', `${file}.in`), '1\n1 1\n.\n');
  const stats = join(run, 'stats.json');
  const args = [join(build, 'src/cli/main.js'), 'solve', 'bt', join(run, 'inputs'), '--stats', stats];
  const env = { ...process.env, XDG_STATE_HOME: join(run, 'state') };
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const elapsed = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(stderr);
  return { ...JSON.parse(readFileSync(stats, 'utf8')), elapsed };
}

try {
  const found = builds.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [i, build] of builds.entries()) found[i].push(measure(build));
  for (const [i, build] of builds.entries()) {
    const perFile = (key) => ((median(found[i].map((stats) => stats[key])) / files) * 1000).toFixed(2);
    console.log(
      `${build}: ${perFile('coordinatorCpuSeconds')} ms of the coordinator a file, ${perFile('elapsed')} ms of the whole process`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
