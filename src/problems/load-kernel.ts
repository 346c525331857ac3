/**
 * Loads the kernels that the build puts beside the worker: the relaxed form where there is one and the engine
 * takes it, else the plain one. Both give the same answers, whatever a relaxed instruction is free to do.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const FOLDER = new URL('../../workers/kernels/', import.meta.url);

/**
 * V8 11, which is that of Node 20, accepts relaxed SIMD behind this flag, later ones without. The flag is the
 * process's, and does nothing but let modules use these instructions. With null, Node 20 runs plain kernels.
 */
const RELAXED_SIMD_FLAG: string | null = '--experimental-wasm-relaxed-simd';

/** Compiles the kernel of this name. Throws where it was not built, or the machine has no WebAssembly SIMD. */
export function loadKernel(name: string): WebAssembly.Module {
  return loadRelaxedKernel(name, FOLDER) ?? loadPlainKernel(name, FOLDER);
}

export function loadPlainKernel(name: string, folder: URL): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, folder)));
}

/** null where the kernel has no such form, or the engine no relaxed SIMD. */
export function loadRelaxedKernel(name: string, folder: URL): WebAssembly.Module | null {
  const file = new URL(`${name}.relaxed.wasm`, folder);
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  if (!WebAssembly.validate(bytes)) allowRelaxedSimd();
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

function allowRelaxedSimd(): void {
  if (RELAXED_SIMD_FLAG !== null && process.versions.v8.startsWith('11.'))
    setFlagsFromString(RELAXED_SIMD_FLAG);
}
