/** Tests the numbers of lanes of the kernels. The scanner relies on them when it fills chunks up to whole batches. */
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/catalog/registry.js';
import { KERNEL_LANES } from '../../src/engine/limits.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';

const KERNELS = new URL('../../build/workers/kernels/', import.meta.url);

/** Loads a problem from the build, because its SIMD solver loads the kernel from a folder of the build. */
async function loadBuiltProblem(name: string) {
  const file = new URL('../../build/src/catalog/registry.js', import.meta.url).href;
  const registry = (await import(file)) as typeof import('../../src/catalog/registry.js');
  return registry.loadProblem(name);
}

describe.each(PROBLEMS)('$name', ({ name }) => {
  test('KERNEL_LANES is a multiple of the number of lanes of the SIMD solver', async () => {
    const solver = (await loadBuiltProblem(name)).solvers.createSimd?.();
    expect(KERNEL_LANES % (solver?.lanes ?? 1)).toBe(0);
  });

  test('the SIMD solver and its kernel have the same number of lanes', async () => {
    const solver = (await loadBuiltProblem(name)).solvers.createSimd?.();
    if (solver === undefined) return expect(solver).toBeUndefined();
    const { lanes } = new WebAssembly.Instance(loadPlainKernel(name, KERNELS)).exports;
    // A kernel without this function solves one board at a time.
    expect(solver.lanes).toBe(typeof lanes === 'function' ? lanes() : 1);
  });
});
