/**
 * Tests of reading answers from an output: well-formed answers, malformed answers, and outputs that arrive in pieces.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { ByteWriter } from '../../src/core/bytes.js';
import type { AnswerExtent, AnswerScope } from '../../src/formats/answer-format.js';
import { quoteAnswer } from '../../src/formats/answers/answer-text.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import type { Board } from '../../src/problems/problem.js';
import { bytesOf, cellsOf, randomCase, STYLES } from '../support/inputs.js';
import { Random } from '../support/random.js';
import { runs } from '../support/random-tests.js';

const PROBLEMS = new Map<string, BoardProblem>();
for (const { name } of STYLES) PROBLEMS.set(name, await loadProblem(name));
const problemOf = (name: string) => PROBLEMS.get(name)!;

const newExtent = (): AnswerExtent => ({ start: 0, bodyStart: 0, end: 0, caseNumber: null });

const scopeOf = (board: Board): AnswerScope<Board> => ({ value: board, head: null });

/** Returns each answer of an output as `number in its label|its tokens|its value as JSON`. */
function readAnswers(
  name: string,
  output: string,
  size: { rows: number; cols: number } | null = null,
): string[] {
  const scope = size && scopeOf({ ...size, cells: new Uint8Array(0) });
  const { answerFormat } = problemOf(name);
  const bytes = bytesOf(output);
  const extent = newExtent();
  const found: string[] = [];
  while (answerFormat.find(bytes, extent.end, bytes.length, true, extent, scope)) {
    const tokens = quoteAnswer(bytes, extent.bodyStart, extent.end);
    found.push(
      `${extent.caseNumber ?? '-'}|${tokens}|${JSON.stringify(answerFormat.parse(bytes, extent, scope))}`,
    );
  }
  return found;
}

const BOARD = { rows: 2, cols: 3 };

test.each([
  { name: 'bacterial-tactics', output: '', found: [] },
  { name: 'bacterial-tactics', output: ' \n\t', found: [] },
  { name: 'bacterial-tactics', output: 'Case #1: 0\nCase #2: 17', found: ['1|"0"|0', '2|"17"|17'] },
  {
    name: 'bacterial-tactics',
    output: '\r\nCase\t#1:\r\n5\r\n\r\nCase #2: 007',
    found: ['1|"5"|5', '2|"007"|null'],
  },
  { name: 'bacterial-tactics', output: 'Case #0: 0\nCase #01: 2', found: ['0|"0 Case #01: 2"|null'] },
  { name: 'bacterial-tactics', output: 'debug 1\nCase #1: 0', found: ['-|"debug 1"|null', '1|"0"|0'] },
  { name: 'bacterial-tactics', output: 'Case #1: 1 2 Case #2:', found: ['1|"1 2"|null', '2|""|null'] },
  { name: 'bacterial-tactics', output: 'Case #7: -1 Case #1:3', found: ['7|"-1 Case #1:3"|null'] },
  { name: 'bacterial-tactics', output: 'Case #: 3', found: ['-|"Case #: 3"|null'] },
  { name: 'bacterial-tactics', output: 'Cases #1: 3', found: ['-|"Cases #1: 3"|null'] },
  { name: 'bacterial-tactics', output: 'Case #1: ERROR', found: ['1|"ERROR"|null'] },
  { name: 'bacterial-tactics', output: 'Case #1: 9007199254740993', found: ['1|"9007199254740993"|null'] },
  { name: 'darkraft', output: 'WIN\nLOSE WIN', found: ['-|"WIN"|"WIN"', '-|"LOSE"|"LOSE"', '-|"WIN"|"WIN"'] },
  { name: 'darkraft', output: 'I WIN\nLOSE', found: ['-|"I WIN"|null', '-|"LOSE"|"LOSE"'] },
  { name: 'darkraft', output: 'win', found: ['-|"win"|null'] },
  {
    name: 'river-pawn',
    output: 'Tie\nRed 75\nBlack\n0',
    found: [
      '-|"Tie"|{"winner":null,"plies":null}',
      '-|"Red 75"|{"winner":"Red","plies":75}',
      '-|"Black 0"|{"winner":"Black","plies":0}',
    ],
  },
  {
    name: 'river-pawn',
    output: 'Red\nTie\nBlue 3\nTie',
    found: [
      '-|"Red"|null',
      '-|"Tie"|{"winner":null,"plies":null}',
      '-|"Blue 3"|null',
      '-|"Tie"|{"winner":null,"plies":null}',
    ],
  },
  {
    name: 'link-and-pop',
    output: 'Case 1\n..A\n...\nCase 2\n...\nb..\n',
    found: ['1|"..A ..."|["..A","..."]', '2|"... b.."|["...","b.."]'],
  },
  {
    name: 'link-and-pop',
    output: 'Case 1\n...\nCase 2 .... ...',
    found: ['1|"..."|null', '2|".... ..."|null'],
  },
  { name: 'link-and-pop', output: 'Case 1 ... .#.', found: ['1|"... .#."|null'] },
])('$name: the answers in the output $output', ({ name, output, found }) => {
  expect(readAnswers(name, output, BOARD)).toEqual(found);
});

test.each([
  { arrived: 'Red 5', end: null },
  { arrived: 'Red 5\n', end: 5 },
  { arrived: 'Red 5\nBlack', end: 5 },
  { arrived: 'Red ', end: null },
  { arrived: 'Tie ', end: 3 },
])('an answer is found as soon as it is complete: $arrived', ({ arrived, end }) => {
  const extent = newExtent();
  const { answerFormat } = problemOf('river-pawn');
  const isFound = answerFormat.find(bytesOf(arrived), 0, arrived.length, false, extent, null);
  expect(isFound === null ? null : extent.end).toBe(end);
});

test('a row of a board may be the word Case, with which a label begins', () => {
  expect(readAnswers('link-and-pop', 'Case 1\nCase\nCase\nCase 2\n....', { rows: 2, cols: 4 })).toEqual([
    '1|"Case Case"|["Case","Case"]',
    '2|"...."|null',
  ]);
});

test('an answer is cut off at the largest allowed size, and the answers after it are still read', () => {
  const rows = readAnswers('link-and-pop', `Case 1\n${'.'.repeat(1 << 21)}\nCase 2\n...\n...`, BOARD);
  expect(rows.length).toBe(4);
  expect(rows.at(-1)).toBe('2|"... ..."|["...","..."]');
});

describe.each(STYLES)('$name', (style) => {
  const problem = problemOf(style.name);

  test('reading the printed answers gives the same answers', () => {
    const seed = 5;
    const random = new Random(seed);
    const solver = problem.solvers.createPortable();
    const boards = Array.from({ length: 40 }, () => {
      const plain = randomCase(style, 2 + random.below(3), 2 + random.below(3), random);
      return { rows: plain.rows, cols: plain.cols, cells: Uint8Array.from(cellsOf(style, plain)) };
    });
    const solved: unknown[] = [];
    const out = new ByteWriter();
    boards.forEach((board, i) => {
      const one: unknown[] = [];
      solver.solve([board], 1, one);
      solved.push(structuredClone(one[0]));
      problem.answerFormat.print(one[0], i + 1, out);
    });
    const bytes = out.take();
    const extent = newExtent();
    const read = boards.map((board, i) => {
      const scope = scopeOf(board);
      expect(problem.answerFormat.find(bytes, extent.end, bytes.length, true, extent, scope)).toBe(true);
      expect(extent.caseNumber ?? i + 1).toBe(i + 1);
      return problem.answerFormat.parse(bytes, extent, scope);
    });
    expect(read, `seed ${seed}`).toEqual(solved);
    expect(problem.answerFormat.find(bytes, extent.end, bytes.length, true, extent, null)).toBe(false);
  });

  test('the answer that find() returns never depends on how many bytes have arrived', () => {
    const word = fc.constantFrom(
      'Case',
      'Case',
      '#1:',
      '#12:',
      '1',
      '12',
      'WIN',
      'LOSE',
      'Tie',
      'Red',
      'Black',
      '..',
      'Cas',
      '?',
    );
    const blank = fc.constantFrom(' ', '\n', '\r\n', '  ', '\n\n', '');
    const text = fc.array(fc.tuple(word, blank), { maxLength: 12 }).map((pairs) => pairs.flat().join(''));
    fc.assert(
      fc.property(text, (output) => {
        const bytes = bytesOf(output);
        for (let from = 0; ; ) {
          const whole = newExtent();
          const isFound = problem.answerFormat.find(bytes, from, bytes.length, true, whole, null);
          for (let end = from; end <= bytes.length; end++) {
            const part = newExtent();
            const found = problem.answerFormat.find(bytes, from, end, false, part, null);
            if (found === null) continue;
            expect(found).toBe(isFound);
            expect(part).toEqual(whole);
          }
          if (!isFound) return;
          expect(whole.end).toBeGreaterThan(from);
          from = whole.end;
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
