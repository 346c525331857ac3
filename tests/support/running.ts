/** Helps tests to run the engine with inputs and outputs in memory, and with a problem whose answers are widths. */

import { Source, type SourceParts } from '../../src/engine/input/source.js';
import type { ChunkSettings } from '../../src/engine/output-settings.js';
import type { RunPosition } from '../../src/engine/position.js';
import type { RunOptions } from '../../src/engine/run-options.js';
import type { Sink } from '../../src/engine/sink.js';
import type { AnswerFormat } from '../../src/formats/answer-format.js';
import type { Board } from '../../src/formats/boards/board.js';
import { BoardAnswerFormat, parseCountToken } from '../../src/formats/boards/board-answers.js';
import { inputFormat } from '../../src/games/darkraft/format.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import { bytesOf } from './inputs.js';
import { inPieces } from './scanning.js';

/** Returns a format of answers that are widths. `textOf` returns what is printed for a width. */
export function widthAnswers(textOf = (width: number): string => `${width}\n`): AnswerFormat<Board, number> {
  return new BoardAnswerFormat<number>({
    layout: { maxTokens: 1 },
    describe: () => 'a width',
    parse: ([token, ...more]) => (more.length === 0 ? parseCountToken(token) : null),
    print: (width, out) => out.ascii(textOf(width)),
  });
}

/** A problem with only those members that a run needs. The answer to a board is its number of columns. */
const widthMembers: Partial<BoardProblem<number>> = {
  name: 'width',
  inputFormat,
  answerFormat: widthAnswers(),
  solvers: {
    createPortable: () => ({
      name: 'portable',
      lanes: 1,
      fallbackCases: 0,
      solve(boards, count, answers) {
        for (let i = 0; i < count; i++) answers[i] = boards[i].cols;
      },
    }),
  },
};
export const widthProblem = widthMembers as BoardProblem<number>;

/** Returns the text of a case with a board of one row and `width` columns. */
export const boardOf = (width: number) => `1 ${width}\n${'L'.repeat(width)}\n`;

/** Returns a source that yields the given input in pieces of `pieceBytes` bytes. `others` replace its other parts. */
export function sourceOf(
  input: string | Uint8Array<ArrayBuffer>,
  pieceBytes = 1 << 16,
  others: Partial<SourceParts> = {},
): Source {
  const bytes = typeof input === 'string' ? bytesOf(input) : input;
  const pieces = inPieces(bytes, pieceBytes);
  return new Source({ name: 'test.in', size: bytes.length, pieces, close: async () => {}, ...others });
}

/** A sink that keeps the answers in memory. For each position of a run, it also keeps the answers up to the position. */
export class MemorySink implements Sink {
  readonly keepsPositions: boolean;
  readonly positions: { readonly position: RunPosition; readonly text: string }[] = [];
  text = '';

  constructor(
    readonly resumePosition: RunPosition | null = null,
    keepsPositions = false,
  ) {
    this.keepsPositions = keepsPositions;
  }

  async write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    this.text += Buffer.from(bytes).toString('latin1');
    if (position !== null) this.positions.push({ position, text: this.text });
  }

  async finish(): Promise<void> {}
  async abandon(): Promise<boolean> {
    return false;
  }
}

/** Options of a run. An option that is not given gets a simple default. */
export type GivenOptions = Partial<Omit<RunOptions, 'settings'>> & Partial<ChunkSettings>;

export function runOptions({
  outputFormat = 'text',
  columns = [],
  onError = 'stop',
  ...options
}: GivenOptions = {}): RunOptions {
  return {
    problem: widthProblem,
    settings: { outputFormat, columns, onError },
    chunkBytes: null,
    retries: 1,
    note: () => {},
    warn: () => {},
    ...options,
  };
}
