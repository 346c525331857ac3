/**
 * Loads the WebAssembly kernels, which the build puts into `workers/kernels/`. A kernel can have two forms: a plain
 * form, and a faster one that uses relaxed SIMD instructions. The relaxed form is loaded if it exists and the
 * JavaScript engine accepts it. For some operands, relaxed instructions give different results on different machines.
 * The kernels avoid these operands, so both forms of a kernel give the same answers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { INSTALLATION_FOLDER } from '../../core/installation.js';

const KERNELS_FOLDER_URL = new URL('workers/kernels/', INSTALLATION_FOLDER);

/**
 * V8 11, the version in Node 20, accepts relaxed SIMD only if this flag is set. Later versions need no flag. The
 * flag applies to the whole process; its only effect is that modules may use relaxed SIMD instructions. If you
 * change this constant to null, Node 20 runs the plain kernels.
 */
const RELAXED_SIMD_FLAG: string | null = '--experimental-wasm-relaxed-simd';

/**
 * Compiles the kernel with this name. Throws if the build has not made the kernel, or if this machine does not
 * support WebAssembly SIMD.
 */
export function loadKernel(name: string): WebAssembly.Module {
  return loadRelaxedKernel(name, KERNELS_FOLDER_URL) ?? loadPlainKernel(name, KERNELS_FOLDER_URL);
}

export function loadPlainKernel(name: string, folder: URL): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, folder)));
}

/**
 * Compiles the relaxed form of a kernel. Returns null if the kernel has no relaxed form, or if the JavaScript engine
 * does not support relaxed SIMD.
 */
export function loadRelaxedKernel(name: string, folder: URL): WebAssembly.Module | null {
  const file = new URL(`${name}.relaxed.wasm`, folder);
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  if (!WebAssembly.validate(bytes)) enableRelaxedSimd();
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

function enableRelaxedSimd(): void {
  if (RELAXED_SIMD_FLAG !== null && process.versions.v8.startsWith('11.'))
    setFlagsFromString(RELAXED_SIMD_FLAG);
}
