/** Makes the copy of the checkout that contains all drawn mutants. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withSwitches } from './schemata.mjs';

/** What a build keeps of the kernels. The copy has the same kernels, so it need not compile them again. */
const KERNELS = ['build/workers/kernels', 'build/kernels.sha256'];

/**
 * Returns the paths of all files of the checkout: those that git tracks, and new ones that it does not ignore.
 * @param {string} root
 */
export function filesOfCheckout(root) {
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  // Files that were removed but not yet committed are listed, too, and so are links to folders.
  return listed.filter((path) => path !== '' && lstatSync(join(root, path), { throwIfNoEntry: false }));
}

/**
 * Copies the checkout to `copy`, and writes the mutants into its sources.
 * @param {string} root
 * @param {string} copy
 * @param {(import('./places.mjs').Mutant & { number: number })[]} mutants
 */
export function makeCopy(root, copy, mutants) {
  rmSync(copy, { recursive: true, force: true });
  for (const path of [...filesOfCheckout(root), ...KERNELS]) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  }
  makeRepository(copy);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(copy, file), withSwitches(readFileSync(join(root, file), 'utf8'), own));
  }
  leaveTypesUnchecked(join(copy, 'tsconfig.json'));
}

/** Some tests ask git which files there are. */
function makeRepository(copy) {
  git(copy, 'init', '--quiet');
  git(copy, 'add', '--all');
}

/** Both branches of a switch rarely have the same type. */
function leaveTypesUnchecked(path) {
  if (!existsSync(path)) return;
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  settings.compilerOptions.noCheck = true;
  writeFileSync(path, JSON.stringify(settings, null, 2));
}

/**
 * Builds the copy with its own scripts, so that its tests accept the build.
 * @param {string} copy
 * @param {AbortSignal} [signal]
 */
export async function buildCopy(copy, signal) {
  signal?.throwIfAborted();
  const build = spawn(process.execPath, ['scripts/build.mjs'], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
    // The compilers are processes of their own, which end with the group.
    detached: true,
  });
  const stop = () => process.kill(-build.pid, 'SIGKILL');
  signal?.addEventListener('abort', stop);
  const [code] = await once(build, 'close');
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`the copy with the mutants in ${copy} could not be built`);
}

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
}
