/**
 * Builds the program, in four steps that need only Node and the packages in node_modules:
 *
 *   1. The native tsc compiles the TypeScript files, and the AssemblyScript compiler the kernels. The result, build/, has
 *      one file per source file. The tests, the benchmarks and the other scripts use it. What has not changed since the
 *      last build is not compiled again; to compile everything, delete build/.
 *   2. bundle.mjs joins these files and the libraries that they import into a few files, because Node loads a few large
 *      files faster than many small ones. The result, dist/, is what the package contains.
 *   3. make-man.mjs makes the manual page from the texts of `--help`.
 *   4. The hash of the sources is recorded, so that nothing runs on an old build.
 *
 * `--if-needed` does nothing if the build is current.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { manPage, readCommands } from './make-man.mjs';
import { NATIVE_TSC } from './native-tsc.mjs';
import { HASH_FILE, hashKernels, hashSources, isBuildCurrent } from './source-hash.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kernelFolder = join(root, 'workers', 'kernels');
const compiledFolder = join(root, 'build');
/** Where tsc keeps what it knows of the last build. It lies in build/, so that it goes when its files go. */
const TSC_STATE = join(compiledFolder, 'sources.tsbuildinfo');
/** Records from which sources the kernels in build/ were compiled. */
const KERNELS_HASH_FILE = join(compiledFolder, 'kernels.sha256');
/** The only file of the program that is not compiled: see there. */
const IMPORT_WORKER = 'workers/import-worker.cjs';
const require = createRequire(import.meta.url);

if (!process.argv.includes('--if-needed')) await build();
else if (!isBuildCurrent()) {
  console.error('boardmill: building the program; this takes about half a minute');
  await build();
}

async function build() {
  // The sources are hashed before they are compiled. If a source changes during the build, the recorded hash no longer
  // fits the sources, and the tests refuse to run.
  const hash = hashSources();
  rmSync(HASH_FILE, { force: true });
  mkdirSync(compiledFolder, { recursive: true });
  removeStaleFiles();
  // The two compilers run at the same time, because each compiler is a process with one thread.
  await Promise.all([compileSources(), compileKernels()]);
  await bundle(root, compiledFolder, join(root, 'dist'));
  await writeManPage();
  writeFileSync(HASH_FILE, hash);
}

/** Removes what was made from files that are gone, because a module that imports such a file must not run. */
function removeStaleFiles() {
  for (const path of readdirSync(compiledFolder, { recursive: true, encoding: 'utf8' })) {
    const source = path.replace(/\.(js|d\.ts)$/, '.ts');
    if (/\.(js|d\.ts|cjs|bash|zsh|fish)$/.test(path) && !existsSync(join(root, source)))
      rmSync(join(compiledFolder, path));
  }
}

async function compileSources() {
  await runTool(NATIVE_TSC, ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TSC_STATE]);
  cpSync(join(root, 'src/cli/completion'), join(compiledFolder, 'src/cli/completion'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  cpSync(join(root, IMPORT_WORKER), join(compiledFolder, IMPORT_WORKER));
}

async function compileKernels() {
  const hash = hashKernels();
  if (existsSync(KERNELS_HASH_FILE) && readFileSync(KERNELS_HASH_FILE, 'utf8') === hash) return;
  const folder = join(compiledFolder, 'workers', 'kernels');
  rmSync(KERNELS_HASH_FILE, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(kernelFolder).filter((name) => name.endsWith('.ts'))) {
    const name = basename(file, '.ts');
    await compileKernel(file, `${name}.wasm`, ['simd']);
    if (swizzles(name)) await compileKernel(file, `${name}.relaxed.wasm`, ['simd', 'relaxed-simd']);
  }
  writeFileSync(KERNELS_HASH_FILE, hash);
}

/** Whether a kernel, or a part of it in the folder with its name, looks values up in a vector. */
function swizzles(name) {
  const folder = join(kernelFolder, name);
  const parts = existsSync(folder) ? readdirSync(folder).map((part) => join(folder, part)) : [];
  return [`${folder}.ts`, ...parts].some((file) => readFileSync(file, 'utf8').includes("shared/swizzle'"));
}

function compileKernel(file, wasm, features) {
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', features.join(',')];
  const out = join('build', 'workers', 'kernels', wasm);
  return runTool(require.resolve('assemblyscript/bin/asc.js'), [
    join('workers', 'kernels', file),
    ...flags,
    '-o',
    out,
  ]);
}

async function writeManPage() {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = await readCommands(pathToFileURL(`${compiledFolder}/`));
  writeFileSync(join(root, 'dist', 'boardmill.1'), manPage({ version, summary: description, ...texts }));
}

/** Runs a compiler. If the compiler fails, the build ends with the compiler's exit code. */
async function runTool(path, args) {
  const tool = spawn(process.execPath, [path, ...args], { cwd: root, stdio: 'inherit' });
  const [status] = await once(tool, 'close');
  if (status !== 0) process.exit(status ?? 1);
}
