/** Replaces problems/load-kernel.ts in browsers: the file of the library contains the kernels. */
import kernels from 'boardmill:kernels';
import { bytesOfLatin1 } from '../../core/bytes.js';

/** Compiles the kernel with this name. Throws if the browser does not support WebAssembly SIMD. */
export function loadKernel(name: string): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfLatin1(atob(kernels[name])));
}
