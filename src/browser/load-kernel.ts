/** Takes the place of problems/load-kernel.ts in browsers: the kernels are in the file of the library itself. */
import kernels from 'boardmill:kernels';

/** Compiles the kernel with this name. Throws if the browser does not support WebAssembly SIMD. */
export function loadKernel(name: string): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(atob(kernels[name]), (character) => character.charCodeAt(0)));
}
