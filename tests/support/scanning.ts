/** Scans and parses an input without workers, and returns each case with its cells or its fault. */
import { expect } from 'vitest';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../../src/core/location.js';
import { scanIntoChunks } from '../../src/engine/cut/scan.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import { boardCells, type Style } from './inputs.js';

export interface ScannedCase {
  readonly number: number;
  /** The line and the column at which the case starts. */
  readonly at: Location;
  readonly cells: readonly number[];
  /** The fault of the case as `line:column: expected ..., got ...`; null if the case is good. */
  readonly fault: string | null;
}

export interface ScannedInput {
  readonly cases: readonly ScannedCase[];
  /** The fault at the end of the input. Null if the end has no fault; undefined if the scan stopped at an invalid case. */
  readonly end: string | null | undefined;
}

/** Yields the bytes in pieces of `pieceBytes` bytes. */
export async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const describeFault = ({ line, column }: Location, expected: string, got: string) =>
  `${line}:${column}: expected ${expected}, got ${got}`;

/**
 * Scans and parses an input that arrives in pieces. If `onError` is `stop`, the last case of the result is the first bad
 * case.
 */
export async function scanInput(
  style: Style,
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  onError: ErrorPolicy = 'stop',
): Promise<ScannedInput> {
  const cases: ScannedCase[] = [];
  const parser = style.inputFormat.createParser();
  let position = TEXT_START;
  const options = {
    inputFormat: style.inputFormat,
    onError,
    chunkBytes: () => chunkBytes,
    hash: null,
    startPosition: null,
  };
  for await (const item of scanIntoChunks(pieces, options)) {
    const start = locationAfter(position, item.spanBefore);
    if (item.kind === 'end') {
      const { fault } = item;
      const label = fault?.caseNumber ? `case ${fault.caseNumber}: ` : '';
      return { cases, end: fault && label + describeFault(start, fault.expected, fault.got) };
    }
    const { bytes, starts } = item;
    parser.useHead(item.head);
    const place = (offset: number) => locationAfter(start, measureSpan(bytes, 0, offset));
    for (let i = 0; i + 1 < starts.length; i++) {
      const board = parser.parse(bytes, starts[i], starts[i + 1], null);
      const { fault } = parser;
      expect(fault === null, 'a case has either a board or a fault').toBe(board !== null);
      cases.push({
        number: item.firstCase + i,
        at: place(starts[i]),
        cells: board === null ? [] : boardCells(style, board),
        fault: fault && describeFault(place(fault.offset), fault.expected, fault.got),
      });
      if (fault !== null && onError === 'stop') return { cases, end: undefined };
    }
    position = place(starts[starts.length - 1]);
  }
  return { cases, end: undefined };
}
