/** The faults, places and solvers that tests/engine/recover.test.ts leaves out. */
import { test } from 'vitest';
import {
  expectEndOfRun,
  expectManyTimeouts,
  expectOneLost,
  expectRetries,
  expectSolvedAgain,
  expectTimeout,
  HANG,
  WASM_HANG,
} from '../support/faulty-solvers.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test.each([
  ['portable', 'exits', 11],
  ['portable', 'exits', 19],
  ['portable', 'throws', 0],
  ['portable', 'throws', 11],
  ['portable', 'traps in WebAssembly', 0],
  ['portable', 'traps in WebAssembly', 11],
  ['portable', 'traps in WebAssembly', 19],
  ['simd', 'exits', 0],
  ['simd', 'exits', 11],
  ['simd', 'exits', 19],
  ['simd', 'throws', 0],
  ['simd', 'throws', 19],
  ['simd', 'traps in WebAssembly', 0],
  ['simd', 'traps in WebAssembly', 11],
] as const)('a solver (%s) that %s at case index %i loses only the answer to that case', expectOneLost);

test.each([
  ['portable', 'throws'],
  ['portable', 'traps in WebAssembly'],
  ['simd', 'exits'],
  ['simd', 'traps in WebAssembly'],
] as const)(
  'a solver (%s) that %s ends the run under --on-error stop, after the answers before the case are written',
  expectEndOfRun,
);

test.each([
  ['portable', WASM_HANG],
  ['simd', HANG],
] as const)(
  'a solver (%s) that hangs longer than the timeout (fault %i) loses only the answer to that case',
  expectTimeout,
);

test('a solver of batches that hangs at many cases of a chunk is stopped once for each of these cases', () =>
  expectManyTimeouts('simd'));

test('if a worker died once, its chunk is solved again, and no case is reported as failed', () =>
  expectSolvedAgain('portable'));

test.each([
  ['portable', 0],
  ['portable', 2],
  ['simd', 2],
] as const)(
  'a solver (%s): with --retries %i, a failed chunk and a failed case are tried again that many times',
  expectRetries,
);
