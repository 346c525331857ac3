/** The kernels of the build, in each form that a machine may run them in. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { loadPlainKernel, loadRelaxedKernel } from '../../src/problems/load-kernel.js';

const KERNELS = new URL('../../dist/workers/kernels/', import.meta.url);

/** Name and module: plain, and for one that swizzles relaxed, with both things that a machine may then do. */
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
 * A relaxed swizzle by 16 to 127 takes the index modulo 16 on x86 and gives 0 elsewhere, as the plain one does:
 * so the answers are tried both ways on any machine. The opcode of the plain one is written as long.
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
