/** The engine as a library: inputs and outputs in memory, and a problem whose answer to a board is its width. */
import type { RunMark } from '../../src/engine/checkpoint.js';
import type { Source } from '../../src/engine/read.js';
import type { RunOptions } from '../../src/engine/run-options.js';
import type { Sink } from '../../src/engine/sink.js';
import { format, printFailure } from '../../src/problems/darkraft/format.js';
import type { Problem } from '../../src/problems/problem.js';
import { bytesOf } from './inputs.js';
import { inPieces } from './splitting.js';

const LIMITS = { minRows: 1, maxRows: 40, minCols: 1, maxCols: 40, maxCells: 1600 };

export const widthProblem = {
  name: 'width',
  contest: { ...LIMITS, cases: 1 },
  limits: LIMITS,
  format,
  printAnswer: (answer, _, out) => out.ascii(`${answer}\n`),
  printFailure,
  answerToJson: (answer) => answer,
  createPortableSolver: () => ({
    name: 'portable',
    fallbackCases: 0,
    solve(boards, count, answers) {
      for (let i = 0; i < count; i++) answers[i] = boards[i].cols;
    },
  }),
} as Problem<unknown>;

/** A board of one row. */
export const boardOf = (width: number) => `1 ${width}\n${'L'.repeat(width)}\n`;

export function sourceOf(input: string | Uint8Array<ArrayBuffer>, pieceBytes = 1 << 16): Source {
  const bytes = typeof input === 'string' ? bytesOf(input) : input;
  const pieces = inPieces(bytes, pieceBytes);
  return { name: 'test.in', size: bytes.length, pieces, close: async () => {} };
}

/** Keeps what is written, and the marks with how much had been written by then. */
export class MemorySink implements Sink {
  readonly keepsMarks: boolean;
  readonly marks: { readonly mark: RunMark; readonly text: string }[] = [];
  text = '';

  constructor(
    readonly resumed: RunMark | null = null,
    keepsMarks = false,
  ) {
    this.keepsMarks = keepsMarks;
  }

  async write(bytes: Uint8Array, mark: RunMark | null): Promise<void> {
    this.text += Buffer.from(bytes).toString('latin1');
    if (mark !== null) this.marks.push({ mark, text: this.text });
  }

  async finish(): Promise<void> {}
  async abandon(): Promise<boolean> {
    return false;
  }
}

export function runOptions(options: Partial<RunOptions> = {}): RunOptions {
  return {
    problem: widthProblem,
    format: 'text',
    onError: 'stop',
    chunkBytes: null,
    jobs: 1,
    retries: 1,
    warn: () => {},
    ...options,
  };
}
