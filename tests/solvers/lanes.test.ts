/** The scanner fills chunks up to whole batches, so the kernels' numbers of lanes must fit together. */
import { describe, expect, test } from 'vitest';
import { KERNEL_LANES } from '../../src/engine/limits.js';
import { loadPlainKernel } from '../../src/problems/load-kernel.js';
import { PROBLEMS } from '../../src/problems/registry.js';

const KERNELS = new URL('../../dist/workers/kernels/', import.meta.url);

/** The problem of the build: the SIMD solver loads its kernel from the folder that it is built into. */
async function loadBuiltProblem(name: string) {
  const file = new URL('../../dist/src/problems/registry.js', import.meta.url).href;
  const registry = (await import(file)) as typeof import('../../src/problems/registry.js');
  return registry.loadProblem(name);
}

describe.each(PROBLEMS)('$name', ({ name }) => {
  test('the lanes of the SIMD solver divide KERNEL_LANES', async () => {
    const solver = (await loadBuiltProblem(name)).createSimdSolver?.();
    expect(KERNEL_LANES % (solver?.lanes ?? 1)).toBe(0);
  });

  test('the SIMD solver has as many lanes as its kernel says', async () => {
    const solver = (await loadBuiltProblem(name)).createSimdSolver?.();
    if (solver === undefined) return expect(solver).toBeUndefined();
    const { lanes } = new WebAssembly.Instance(loadPlainKernel(name, KERNELS)).exports;
    // A kernel without this function solves one board at a time.
    expect(solver.lanes).toBe(typeof lanes === 'function' ? lanes() : 1);
  });
});
