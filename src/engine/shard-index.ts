/**
 * An index: places between the cases of an input, at regular distances, from which the scan of a shard can begin. Without
 * an index, each shard scans all that comes before it.
 */
import { parseSealed, printSealed } from '../core/sealed-json.js';
import type { OutputTerms } from './output-settings.js';
import type { ScanPosition } from './position.js';
import type { IndexEntry } from './shard.js';

export interface InputIndex {
  /** The entries in the order of their places. */
  readonly entries: readonly IndexEntry[];
  /** Size of the input in bytes; of a compressed input, after decompression. */
  readonly inputBytes: number;
}

/** An index and what it fits. */
export interface IndexFile extends InputIndex {
  /** The terms that change where cases end. */
  readonly terms: OutputTerms;
  /** Size of the input file in bytes. */
  readonly fileBytes: number;
}

const SCHEMA = 'boardmill/index/2';

/** What an index stores once, because it is the same in all of its entries. */
type Shared = Pick<ScanPosition, 'head' | 'promised'>;

/** Returns the text of an index file. */
export function printIndex({ terms, fileBytes, inputBytes, entries }: IndexFile): string {
  const { head = null, promised = null } = entries.at(0)?.position.scan ?? {};
  const places = entries.map(({ position: { scan, line, column }, block }) => {
    const { head: _, promised: __, ...own } = scan;
    return { ...own, line, column, block };
  });
  return printSealed(SCHEMA, { terms, fileBytes, inputBytes, head, promised, entries: places });
}

/** Parses the text of an index file. Returns null if it is not what `printIndex` returns. */
export function parseIndex(text: string): IndexFile | null {
  const content = parseSealed<StoredIndex>(SCHEMA, text, isConsistent);
  if (content === null) return null;
  const { terms, fileBytes, inputBytes, head, promised } = content;
  const entries = content.entries.map((place) => entryAt(place, { head, promised }));
  return { terms, fileBytes, inputBytes, entries };
}

type Place = Omit<ScanPosition, keyof Shared> & Pick<IndexEntry, 'block'> & { line: number; column: number };

interface StoredIndex extends Omit<IndexFile, 'entries'>, Shared {
  readonly entries: readonly Place[];
}

/** Whether the numbers and hashes of the index are possible. A run that used others could fail anywhere. */
function isConsistent({ terms, inputBytes, fileBytes, head, promised, entries }: StoredIndex): boolean {
  const counts = [inputBytes, fileBytes, promised ?? 0];
  return (
    counts.every(isCount) &&
    (head === null || typeof head === 'string') &&
    typeof terms === 'object' &&
    terms !== null &&
    Array.isArray(entries) &&
    entries.every(isPossiblePlace)
  );
}

function isPossiblePlace({ offset, digest, cases, line, column, searching, block }: Place): boolean {
  const counts = [offset, cases, line, column, block.offset];
  return (
    counts.every(isCount) &&
    [digest, block.digest].every((hash) => /^[0-9a-f]{16}$/.test(`${hash}`)) &&
    ['no', 'blank', 'token'].includes(searching) &&
    block.offset <= offset
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function entryAt({ line, column, block, ...scan }: Place, shared: Shared): IndexEntry {
  return { position: { scan: { ...scan, ...shared }, line, column, failedCases: 0 }, block };
}

/** Returns the last entry from which a scan comes to everything after the offset; null if there is none. */
export function findEntry({ entries }: InputIndex, offset: number): IndexEntry | null {
  return entries.findLast(({ position }) => position.scan.offset <= offset) ?? null;
}
