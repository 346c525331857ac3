/** The kernels of the build, in each form that a machine may run. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { loadPlainKernel, loadRelaxedKernel } from '../../src/problems/load-kernel.js';

const KERNELS = new URL('../../build/workers/kernels/', import.meta.url);

/** Returns the forms of a kernel: plain, and relaxed with both results that a relaxed swizzle may have. */
export function kernelForms(name: string): (readonly [string, WebAssembly.Module])[] {
  const plain = ['plain', loadPlainKernel(name, KERNELS)] as const;
  const relaxed = loadRelaxedKernel(name, KERNELS);
  if (relaxed === null) throw new Error(`this Node has no relaxed SIMD, or ${name} does not swizzle`);
  return [
    plain,
    ['relaxed', relaxed],
    ['relaxed (0 beyond its table)', withPlainSwizzles(new URL(`${name}.relaxed.wasm`, KERNELS))],
  ];
}

/**
 * Replaces each relaxed swizzle of a kernel by a plain one. For an index from 16 to 127, the relaxed swizzle takes the
 * index modulo 16 on x86; on other machines it gives 0, as the plain swizzle does. This way, any machine tests both.
 * The opcode of the plain swizzle is written with as many bytes as that of the relaxed one.
 */
function withPlainSwizzles(file: URL): WebAssembly.Module {
  const relaxedSwizzle = Buffer.from([0xfd, 0x80, 0x02]);
  const bytes = readFileSync(file);
  let swizzles = 0;
  for (let at = bytes.indexOf(relaxedSwizzle); at >= 0; at = bytes.indexOf(relaxedSwizzle, at)) {
    bytes.set([0xfd, 0x8e, 0x00], at);
    swizzles++;
  }
  expect(swizzles).toBeGreaterThan(0);
  return new WebAssembly.Module(bytes);
}
