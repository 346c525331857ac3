/** The kernels of the build, in each form that a machine may run, and kernels with changed constants. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { loadPlainKernel, loadRelaxedKernel } from '../../src/games/shared/load-kernel.js';

const KERNELS = new URL('../../build/workers/kernels/', import.meta.url);
const KERNEL_SOURCES = new URL('../../workers/kernels/', import.meta.url);

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

/**
 * Compiles the plain form of a kernel with other values of its constants. `values` has the texts of the new values by
 * the names of the constants. This way, small boards can test what a kernel does at a bound that only large boards reach.
 */
export async function compileWithConstants(
  name: string,
  values: Record<string, string>,
): Promise<WebAssembly.Module> {
  // Only the tests that compile a kernel wait until the compiler is loaded.
  const { default: asc } = await import('assemblyscript/asc');
  const file = `${name}.ts`;
  const changed = withConstants(readFileSync(new URL(file, KERNEL_SOURCES), 'utf8'), values);
  const binaries: Uint8Array<ArrayBuffer>[] = [];
  const { error } = await asc.main(
    [file, '-O1', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '-o', `${name}.wasm`],
    {
      readFile: (path) => (path === file ? changed : readKernelSource(path)),
      writeFile: (_, contents) => void binaries.push(contents as Uint8Array<ArrayBuffer>),
      listFiles: () => [],
    },
  );
  if (error !== null) throw error;
  return new WebAssembly.Module(binaries[0]);
}

/** Returns the source with the new values of the constants. The source must define each of them in one line. */
function withConstants(source: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [constant, value]) => {
    const parts = text.split(new RegExp(`^(const ${constant}: \\w+ = ).*;$`, 'm'));
    expect(parts).toHaveLength(3);
    return `${parts[0]}${parts[1]}${value};${parts[2]}`;
  }, source);
}

/** Returns the text of a file that a kernel imports, or null if the compiler asks for a file that does not exist. */
function readKernelSource(path: string): string | null {
  const file = new URL(path, KERNEL_SOURCES);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
