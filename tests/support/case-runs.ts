/** Compares the cases that a scanner finds in runs, with `findRun`, with those that it finds one by one. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Chunk, type InputEnd, type ScanOptions, scanIntoChunks } from '../../src/engine/cut/scan.js';
import type { InputFormat, ScannerOptions } from '../../src/formats/input-format.js';
import { inPieces } from './scanning.js';

/** The same format, with a scanner that has no `findRun`. */
function withoutRuns(format: InputFormat): InputFormat {
  const hide = <T extends object>(object: T, replaced: Partial<Record<keyof T, unknown>>): T =>
    new Proxy(object, {
      get(target, key) {
        if (key in replaced) return replaced[key as keyof T];
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return hide(format, {
    createScanner: (options?: ScannerOptions) =>
      hide(format.createScanner(options), { findRun: undefined, isRunCanonical: undefined }),
  });
}

export interface Cutting {
  readonly pieceBytes: number;
  readonly chunkBytes: number;
  readonly onError: ScanOptions['onError'];
}

export async function scanText(
  inputFormat: InputFormat,
  text: string,
  { pieceBytes, chunkBytes, onError }: Cutting,
): Promise<(Chunk | InputEnd)[]> {
  const options = { inputFormat, onError, chunkBytes: () => chunkBytes, hash: null, startPosition: null };
  const items: (Chunk | InputEnd)[] = [];
  for await (const item of scanIntoChunks(inPieces(Buffer.from(text, 'latin1'), pieceBytes), options))
    items.push(item);
  return items;
}

/** Removes the number of canonical cases, and the bytes after the last case, which may be more or fewer. */
function comparable(item: Chunk | InputEnd): object {
  if (item.kind === 'end') return item;
  return { ...item, canonicalCases: 0, bytes: item.bytes.slice(0, item.starts.at(-1)) };
}

/** Scans a text in both ways, and compares what they find. Returns the chunks of the scan in runs. */
export async function scanBothWays(format: InputFormat, text: string, how: Cutting): Promise<Chunk[]> {
  const fast = await scanText(format, text, how);
  const slow = await scanText(withoutRuns(format), text, how);
  expect(fast.map(comparable)).toEqual(slow.map(comparable));
  return fast.filter((item) => item.kind === 'chunk');
}

export const cutting = fc.record({
  pieceBytes: fc.constantFrom(1, 3, 7, 64, 1 << 16),
  chunkBytes: fc.constantFrom(1, 5, 40, 1 << 20),
  onError: fc.constantFrom('stop' as const, 'mark' as const),
});

/** Changes of a text: none, whitespace as other editors write it, and single bytes that are replaced. */
export const change = fc.oneof(
  fc.constant((text: string) => text),
  fc.constantFrom('\r\n', '\n\n', ' \n', '\n ').map((end) => (text: string) => text.replaceAll('\n', end)),
  fc
    .tuple(fc.nat(), fc.constantFrom('', ' ', '\n', '\t', '0', '-', 'x', '99999999999999999999'))
    .map(([at, letters]) => (text: string) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + letters + text.slice(index + 1);
    }),
);
