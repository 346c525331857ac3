import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SeenHashes } from '../../src/core/seen-hashes.js';

const HASHES = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 0, max: 600 })), { maxLength: 3000 });

describe('a set of hashes', () => {
  test('agrees with a set of texts, up to its bound', () => {
    fc.assert(
      fc.property(HASHES, fc.integer({ min: 0, max: 2000 }), (hashes, maxHashes) => {
        const seen = new SeenHashes(maxHashes);
        const expected = new Set<string>();
        for (const [low, high] of hashes) {
          // The hash 0 is stored as 1.
          const key = `${low === 0 && high === 0 ? 1 : low} ${high}`;
          const isFull = expected.size === maxHashes;
          const wasSeen = expected.has(key);
          expect(seen.add(low, high)).toBe(wasSeen ? true : isFull ? null : false);
          if (!isFull) expected.add(key);
        }
      }),
    );
  });
});
