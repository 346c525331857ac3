/** Runs the first two stages and a parser over bytes at hand, and says case by case what came of it. */
import { advance, type Location, measureSpan, TEXT_START } from '../../src/core/location.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import { scan } from '../../src/engine/scan.js';
import { boardCells, type Style } from './inputs.js';

export interface SplitCase {
  readonly number: number;
  readonly at: Location;
  readonly cells: readonly number[];
  /** What is wrong with it, `line:column: expected ..., got ...`. */
  readonly fault: string | null;
}

export interface SplitInput {
  readonly cases: readonly SplitCase[];
  /** What is wrong with the end of the input; undefined if the splitting stopped at a bad case. */
  readonly end: string | null | undefined;
}

export async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const say = ({ line, column }: Location, expected: string, got: string) =>
  `${line}:${column}: expected ${expected}, got ${got}`;

export async function splitInput(
  style: Style,
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  onError: ErrorPolicy = 'stop',
): Promise<SplitInput> {
  const cases: SplitCase[] = [];
  let position = TEXT_START;
  const options = {
    inputFormat: style.inputFormat,
    onError,
    chunkBytes: () => chunkBytes,
    hash: null,
    startPosition: null,
  };
  for await (const item of scan(pieces, options)) {
    const start = advance(position, item.spanBefore);
    if (item.kind === 'end') {
      const { fault } = item;
      const label = fault?.caseNumber ? `case ${fault.caseNumber}: ` : '';
      return { cases, end: fault && label + say(start, fault.expected, fault.got) };
    }
    const { bytes, starts } = item;
    const place = (offset: number) => advance(start, measureSpan(bytes, 0, offset));
    for (let i = 0; i + 1 < starts.length; i++) {
      const board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
      const fault = style.inputFormat.parseCase(bytes, starts[i], starts[i + 1], board);
      cases.push({
        number: item.firstCase + i,
        at: place(starts[i]),
        cells: fault === null ? boardCells(style, board) : [],
        fault: fault && say(place(fault.offset), fault.expected, fault.got),
      });
      if (fault !== null && onError === 'stop') return { cases, end: undefined };
    }
    position = place(starts[starts.length - 1]);
  }
  return { cases, end: undefined };
}
