/** Makes an index of an input: scans the input once, so that no shard must scan what comes before it. */
import { CaseError, describeMismatch } from '../../core/errors.js';
import { advance, type Location, TEXT_START } from '../../core/location.js';
import type { InputFormat } from '../../formats/input-format.js';
import { openInputHash } from '../input-hash.js';
import { MAX_INDEX_ENTRIES, MIN_INDEX_DISTANCE_BYTES, PASSED_OVER_BYTES } from '../limits.js';
import type { ErrorPolicy } from '../output-settings.js';
import { type Chunk, type End, scan } from '../scan.js';
import type { IndexEntry } from '../shard.js';
import type { InputIndex } from '../shard-index.js';
import type { Source } from '../source.js';
import { GoodCaseReader } from './extract.js';

export interface IndexOptions {
  readonly inputFormat: InputFormat;
  readonly onError: ErrorPolicy;
  /** Smallest distance between two entries in bytes. */
  readonly distanceBytes?: number;
}

/**
 * Scans an input and returns its index. Fails with a CaseError if the scanner finds an error. The scanner does not look at
 * most bytes, and may find the error after the bad case that caused it. So the input is then opened and parsed again.
 */
export async function indexInput(open: () => Promise<Source>, options: IndexOptions): Promise<InputIndex> {
  const source = await open();
  const { inputFormat, onError, distanceBytes = MIN_INDEX_DISTANCE_BYTES } = options;
  const hash = await openInputHash();
  const entries = new SpacedEntries(distanceBytes);
  let inputBytes = 0;
  const count = (bytes: number) => {
    inputBytes += bytes;
  };
  const items = scan(countBytes(source.pieces, count), {
    inputFormat,
    onError,
    chunkBytes: () => PASSED_OVER_BYTES,
    // Every case comes before this range, so the scanner passes over all of them.
    shardRange: { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY },
    passedOverBytes: Math.min(distanceBytes, PASSED_OVER_BYTES),
    onPassedOver: (scanned, span) => {
      const position = { scan: scanned, failedCases: 0, ...advance(TEXT_START, span) };
      entries.add({ position, block: hash.block });
    },
    hash,
    startPosition: null,
  });
  const end = await endOf(items);
  if (end?.fault === null) return { entries: entries.entries, inputBytes };
  if (onError === 'stop') await failAtFirstError(await open(), inputFormat);
  if (end === null || end.fault === null) throw new Error('the scanner refused a case that the parser takes');
  throw faultOfEnd(source.name, end.fault, advance(TEXT_START, end.spanBefore));
}

/** Entries that are at least a certain distance apart, which grows if there are too many of them. */
class SpacedEntries {
  entries: IndexEntry[] = [];
  #distanceBytes: number;

  constructor(distanceBytes: number) {
    this.#distanceBytes = distanceBytes;
  }

  add(entry: IndexEntry): void {
    const last = this.entries.at(-1)?.position.scan.offset ?? 0;
    if (entry.position.scan.offset - last < this.#distanceBytes) return;
    this.entries.push(entry);
    if (this.entries.length <= MAX_INDEX_ENTRIES) return;
    this.entries = this.entries.filter((_, index) => index % 2 === 1);
    this.#distanceBytes *= 2;
  }
}

async function* countBytes(
  pieces: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

/** Returns the end of the input; null if the scan has stopped at a bad case. */
async function endOf(items: AsyncIterable<Chunk | End>): Promise<End | null> {
  for await (const item of items) return item.kind === 'end' ? item : null;
  return null;
}

/** Reads the input again, with every byte of its cases, and throws a CaseError at the first bad case. */
async function failAtFirstError(source: Source, format: InputFormat): Promise<void> {
  try {
    for await (const _ of new GoodCaseReader(source, format).readCases());
  } finally {
    await source.close();
  }
}

function faultOfEnd(input: string, fault: NonNullable<End['fault']>, location: Location): CaseError {
  const { caseNumber } = fault;
  const description = describeMismatch(fault);
  return new CaseError('input', { input, caseNumber, description, mismatch: fault, ...location });
}
