/** Reads the cases of an input one after another. */
import { scanIntoChunks } from '../../engine/cut/scan.js';
import { openSource } from '../../engine/input/read.js';
import { MAX_BYTES_PER_READ } from '../../engine/limits.js';
import type { InputFormat } from '../../formats/input-format.js';

/** A case of an input. */
interface SingleCase {
  /** The number of the case in the input, counted from 1. */
  readonly number: number;
  /** The bytes of the case. They are valid until the next case is read. */
  readonly bytes: Uint8Array;
  /** The head of the input, which a new input with this case needs; null if it has none. */
  readonly head: Uint8Array | null;
}

/** Yields each case of an input. The input must be free of faults; bench checks this in an earlier run. */
export async function* singleCases(path: string, inputFormat: InputFormat): AsyncGenerator<SingleCase> {
  const source = await openSource(path);
  const options = {
    inputFormat,
    onError: 'stop',
    chunkBytes: () => MAX_BYTES_PER_READ,
    hash: null,
    startPosition: null,
  } as const;
  try {
    for await (const item of scanIntoChunks(source.pieces, options)) {
      if (item.kind === 'end') return;
      const { bytes, starts, firstCase, head } = item;
      for (let i = 0; i + 1 < starts.length; i++)
        yield { number: firstCase + i, bytes: bytes.subarray(starts[i], starts[i + 1]), head };
    }
  } finally {
    await source.close();
  }
}
