/** Tests the columns of cases and the output format csv: in every chunking, with invalid cases, and after `--resume`. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { ByteWriter, decodeText } from '../../src/core/bytes.js';
import { ChunkFailure } from '../../src/engine/dispatcher.js';
import type { ChunkTask } from '../../src/engine/messages.js';
import type { RunPosition } from '../../src/engine/position.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { COLUMNS, type Column } from '../../src/problems/output-columns.js';
import { printerFor } from '../../src/problems/output-formats.js';
import type { Board } from '../../src/problems/problem.js';
import { nimberLiterally } from '../oracles/darkraft.js';
import { dispatcherOf } from '../support/dispatchers.js';
import { InProcess } from '../support/in-process.js';
import { runs } from '../support/random-tests.js';
import { type GivenOptions, MemorySink, runOptions, sourceOf } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const darkraft = await loadProblem('darkraft');

async function solve(input: string, options: GivenOptions, from: RunPosition | null = null) {
  const sink = new MemorySink(from, true);
  const given = runOptions({ problem: darkraft, outputFormat: 'ndjson', ...options });
  await solveInput(sourceOf(input, 7), sink, new InProcess(darkraft), given, new RunTally());
  return sink;
}

/** Returns the board with these rows, as solvers get it. */
function boardOf(rows: readonly string[]): Board {
  const cells = Uint8Array.from(rows.join(''), (letter) => 'LRX'.indexOf(letter));
  return { rows: rows.length, cols: rows[0].length, cells };
}

interface PlacedCase {
  readonly rows: readonly string[];
  readonly isInvalid: boolean;
  /** Line ends before the case. */
  readonly gap: number;
}

const anyCase: fc.Arbitrary<PlacedCase> = fc.record({
  rows: fc.integer({ min: 1, max: 3 }).chain((cols) =>
    fc.array(fc.string({ unit: fc.constantFrom('L', 'R', 'X'), minLength: cols, maxLength: cols }), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  isInvalid: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  gap: fc.integer({ min: 0, max: 2 }),
});

/** What the columns of a case must contain, apart from its seconds. */
type Expected = Readonly<Record<Exclude<Column, 'seconds'>, unknown>>;

/** Returns an input with these cases, and what their columns must contain. The cases are read from `test.in`. */
function build(cases: readonly PlacedCase[], lineEnd: string) {
  let text = '';
  const expected = cases.map(({ rows, isInvalid, gap }): Expected => {
    text += lineEnd.repeat(gap);
    const line = text.split('\n').length;
    const shown = isInvalid ? [`${rows[0].slice(1)}?`, ...rows.slice(1)] : rows;
    text += [`${rows.length} ${rows[0].length}`, ...shown, ''].join(lineEnd);
    const place = { file: 'test.in', line };
    if (isInvalid) return { ...place, rows: null, cols: null, board: null, nimber: null };
    const nimber = nimberLiterally(boardOf(rows));
    return { ...place, rows: rows.length, cols: rows[0].length, board: rows, nimber };
  });
  return { text, expected };
}

describe('columns', () => {
  test('every column is right in every chunking, with invalid cases, and after a resumed run', async () => {
    const given = [
      fc.array(anyCase, { minLength: 1, maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
    ] as const;
    await fc.assert(
      fc.asyncProperty(...given, fc.integer({ min: 1, max: 60 }), async (cases, lineEnd, chunkBytes) => {
        const { text, expected } = build(cases, lineEnd);
        const options = { columns: COLUMNS, chunkBytes, onError: 'mark' } as const;
        const { text: output, positions } = await solve(text, options);
        const lines = output.trimEnd().split('\n');
        const read = lines.map((line) => JSON.parse(line));
        expect(read).toMatchObject(expected);
        for (const [i, { answer, seconds, board }] of read.entries()) {
          expect(cases[i].isInvalid).toBe(answer === undefined);
          expect(board === null ? seconds === null : seconds >= 0).toBe(true);
        }
        for (const { position, text: before } of positions) {
          const { text: rest } = await solve(text, { ...options, chunkBytes: 1 }, position);
          const resumed = `${before}${rest}`
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
          expect(resumed.map(withoutTime)).toEqual(read.map(withoutTime));
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test('lines are right in the parts of a chunk that made a worker fail', async () => {
    const { text, expected } = build(
      [3, 1, 2, 4].map((height) => ({ rows: Array(height).fill('X'), isInvalid: false, gap: height })),
      '\n',
    );
    const solver = new InProcess(darkraft);
    const solveSingle = async (task: ChunkTask) => {
      if (task.starts.length > 2 || task.firstCase === 4) throw new ChunkFailure('crash', 'it died', null);
      return solver.solve(task);
    };
    const failing = dispatcherOf(solveSingle, 2);
    const sink = new MemorySink();
    const given = runOptions({
      problem: darkraft,
      outputFormat: 'ndjson',
      columns: ['line'],
      onError: 'mark',
    });
    await solveInput(sourceOf(text), sink, failing, given, new RunTally());
    const read = sink.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(read.map(({ line }) => line)).toEqual(expected.map(({ line }) => line));
    expect(read.map(({ error }) => error === undefined)).toEqual([true, true, true, false]);
  });

  test('columns are printed in the order in which they are named', async () => {
    const { text } = await solve('1 1\nX\n', { columns: ['nimber', 'file'] });
    expect(text).toBe('{"case":1,"answer":"WIN","nimber":1,"file":"test.in"}\n');
  });
});

const withoutTime = ({ seconds: _, ...rest }: { seconds: number | null }) => rest;

describe('the output format csv', () => {
  test('a table has one heading, also after a resumed run', async () => {
    const input = '1 1\nX\n2 1\nL\nR\n1 2\nXL\n';
    const options = { outputFormat: 'csv', columns: ['board'], chunkBytes: 1 } as const;
    const { text, positions } = await solve(input, options);
    expect(text).toBe('case,answer,board\n1,WIN,X\n2,LOSE,"L\nR"\n3,LOSE,XL\n');
    for (const { position, text: before } of positions) {
      expect(before + (await solve(input, options, position)).text).toBe(text);
    }
  });

  test('under --on-error mark, the last column says what is wrong', async () => {
    const options = { outputFormat: 'csv', columns: ['line', 'rows'], onError: 'mark' } as const;
    const { text } = await solve('1 1\nX\n1 1\n?\n', options);
    expect(text).toBe(
      'case,answer,line,rows,error\n1,WIN,1,1,\n2,ERROR,3,,"4:1: expected row 1 of 1 (1 of ""LRX""), got ""?"""\n',
    );
  });

  test('nothing in it that a terminal would obey comes from a program', () => {
    const out = new ByteWriter(64);
    const fault = { kind: 'crash', reason: 'it wrote \x1b[2J, \u202e\nand 7', line: 4, column: 1 } as const;
    printerFor({ outputFormat: 'csv', onError: 'mark' }).printError(
      darkraft.answerFormat,
      fault,
      2,
      out,
      null,
    );
    expect(decodeText(out.take())).toBe('2,ERROR,"4:1: it wrote \\x1b[2J, \\u202e\nand 7"\n');
  });

  test('a run that fails before its first answer prints no heading', async () => {
    const sink = new MemorySink();
    const given = runOptions({ problem: darkraft, outputFormat: 'csv' });
    const failing = solveInput(sourceOf('1 1\n?\n'), sink, new InProcess(darkraft), given, new RunTally());
    await expect(failing).rejects.toThrow('expected row 1');
    expect(sink.text).toBe('');
  });
});
