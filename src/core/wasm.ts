/** Loads the kernels that the build puts beside the worker. */
import { readFileSync } from 'node:fs';

/** Compiles the kernel of this name. Throws where it was not built, or the machine has no WebAssembly SIMD. */
export function loadKernel(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`../../workers/kernels/${name}.wasm`, import.meta.url)));
}
