/** Builds dist/: TypeScript by tsc, kernels by the AssemblyScript compiler. Needs nothing but node_modules. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HASH_FILE, hashSources } from './source-hash.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kernels = join(root, 'workers', 'kernels');
const require = createRequire(import.meta.url);

// The hash is taken first: a source that changes during the build makes the build stale.
const hash = hashSources();
rmSync(join(root, 'dist'), { recursive: true, force: true });
mkdirSync(join(root, 'dist', 'workers', 'kernels'), { recursive: true });
// Two compilers at a time: each is a process of one thread.
await Promise.all([compileSources(), compileKernels()]);
writeFileSync(HASH_FILE, hash);

async function compileSources() {
  await runTool('typescript/bin/tsc', ['-p', 'tsconfig.json']);
  cpSync(join(root, 'src/cli/completion'), join(root, 'dist/src/cli/completion'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
}

async function compileKernels() {
  for (const file of readdirSync(kernels).filter((name) => name.endsWith('.ts'))) {
    await compileKernel(file, `${basename(file, '.ts')}.wasm`, ['simd']);
    if (readFileSync(join(kernels, file), 'utf8').includes("from './shared/swizzle'"))
      await compileKernel(file, `${basename(file, '.ts')}.relaxed.wasm`, ['simd', 'relaxed-simd']);
  }
}

function compileKernel(file, wasm, features) {
  const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', features.join(',')];
  const out = join('dist', 'workers', 'kernels', wasm);
  return runTool('assemblyscript/bin/asc.js', [join('workers', 'kernels', file), ...flags, '-o', out]);
}

/** Runs a compiler. If it fails, the build ends with its exit code. */
async function runTool(path, args) {
  const tool = spawn(process.execPath, [require.resolve(path), ...args], { cwd: root, stdio: 'inherit' });
  const [status] = await once(tool, 'close');
  if (status !== 0) process.exit(status ?? 1);
}
