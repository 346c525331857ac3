/** How far the library reads ahead of what its user takes, which needs many answers. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { endlessInput } from '../support/endless-input.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

// `require` loads the build without vitest, as a user's program does.
const { solveStream }: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

test('solveStream does not read far ahead', async () => {
  const { state, input } = endlessInput();
  let taken = 0;
  let piecesWhileWaiting = 0;
  for await (const { case: k } of solveStream('darkraft', input, { jobs: 1, chunkBytes: 6000 })) {
    expect(k).toBe(++taken);
    if (taken === 10) {
      // The engine may go on as far as it wants while nothing is taken.
      for (let quiet = 0; quiet < 20; quiet = state.pieces === piecesWhileWaiting ? quiet + 1 : 0) {
        piecesWhileWaiting = state.pieces;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    if (taken === 1000) break;
  }
  expect(piecesWhileWaiting).toBeLessThan(2000);
  expect(state.isClosed).toBe(true);
});
