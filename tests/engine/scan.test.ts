/** Long and hostile inputs: the window stays small, and what is said does not depend on the pieces. */
import { describe, expect, test } from 'vitest';
import { MAX_CASE_BYTES } from '../../src/engine/limits.js';
import { Window } from '../../src/engine/window.js';
import { bulkInput, bytesOf, styleOf } from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { inPieces, splitInput } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const BACTERIAL_TACTICS = styleOf('bacterial-tactics');
const DARKRAFT = styleOf('darkraft');
const LINK_AND_POP = styleOf('link-and-pop');
const PIECES = [9999, 65536, 1 << 22];
const blanks = (count: number) => ' '.repeat(count);

/** `text`, then `filler` for ever; counts the bytes that were asked for. */
function endless(text: string, filler: string) {
  const source = {
    pulled: 0,
    async *pieces(): AsyncGenerator<Uint8Array> {
      yield bytesOf(text);
      const piece = bytesOf(filler.repeat(65536));
      for (;;) {
        source.pulled += piece.length;
        yield piece;
      }
    },
  };
  return source;
}

describe('the longest case', () => {
  /** A case of so many bytes, with all its blanks between two rows. */
  const long = (bytes: number) => `2 1\nL\n${blanks(bytes - 8)}L\n`;

  test.each(PIECES)('is read when it is as long as may be, in pieces of %d', async (piece) => {
    const text = `1 1\nR\n${long(MAX_CASE_BYTES - 1)}1 1\nX\n`;
    const { cases, end } = await splitInput(DARKRAFT, inPieces(bytesOf(text), piece), 1);
    expect(end).toBeNull();
    expect(cases.map(({ cells, fault }) => fault ?? cells)).toEqual([[1], [0, 0], [2]]);
  });

  test.each(PIECES)('a byte more is too long, in pieces of %d', async (piece) => {
    const text = `1 1\nR\n${long(MAX_CASE_BYTES + 1)}1 1\nX\n`;
    const { cases } = await splitInput(DARKRAFT, inPieces(bytesOf(text), piece), 1);
    expect(cases.map(({ fault }) => fault)).toEqual([
      null,
      `3:1: expected a case of fewer than ${MAX_CASE_BYTES} bytes, got more`,
    ]);
  });

  test.each(PIECES)('under mark only the one too long is lost, in pieces of %d', async (piece) => {
    const text = `1 1\nR\n${long(3 * MAX_CASE_BYTES)}1 1\nX\n`;
    const { cases, end } = await splitInput(DARKRAFT, inPieces(bytesOf(text), piece), 1e6, 'mark');
    expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual([[1], 'bad', [2]]);
    expect(cases[2].at.line).toBe(6);
    expect(end).toBeNull();
  });
});

describe('blanks longer than any case', () => {
  const gap = blanks(2.5 * MAX_CASE_BYTES);

  test.each([
    ['between cases', DARKRAFT, `1 1\nL\n${gap}1 1\nR\n`, [[0], [1]]],
    ['between cases under a count', BACTERIAL_TACTICS, `2\n1 1\n.\n${gap}1 1\n#\n`, [[0], [1]]],
    ['behind the last case', BACTERIAL_TACTICS, `1\n1 1\n.\n${gap}`, [[0]]],
    ['behind the last case of all', DARKRAFT, `1 1\nL\n${gap}`, [[0]]],
    ['before the terminator', LINK_AND_POP, `1 1\nAS\n${gap}0 0`, [[65, 83]]],
    ['behind the terminator', LINK_AND_POP, `1 1\nAS\n0 0${gap}`, [[65, 83]]],
  ])('are nothing %s', async (_, style, text, boards) => {
    for (const piece of PIECES) {
      const { cases, end } = await splitInput(style, inPieces(bytesOf(text), piece), 1e6);
      expect(end).toBeNull();
      expect(cases.map(({ cells, fault }) => fault ?? cells)).toEqual(boards);
    }
  });

  test('before all: an error at the same place for all pieces', async () => {
    for (const piece of PIECES) {
      const { end } = await splitInput(BACTERIAL_TACTICS, inPieces(bytesOf(`${gap}1 1\n.`), piece), 1);
      expect(end).toBe(
        `1:${MAX_CASE_BYTES + 1}: expected the first case within ${MAX_CASE_BYTES} bytes, got blanks`,
      );
    }
  });

  test('inside the terminator: no terminator', async () => {
    for (const piece of PIECES) {
      const { cases } = await splitInput(LINK_AND_POP, inPieces(bytesOf(`0${gap}0`), piece), 1);
      expect(cases.map(({ fault }) => fault)).toEqual([
        `1:1: expected a case of fewer than ${MAX_CASE_BYTES} bytes, got more`,
      ]);
    }
  });

  test('behind a count, in search of the next header: no header', async () => {
    for (const piece of PIECES) {
      const text = `1 1\n??\n5${gap}1 1\nR\n`;
      const { cases, end } = await splitInput(DARKRAFT, inPieces(bytesOf(text), piece), 1, 'mark');
      expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual(['bad', [1]]);
      expect(end).toBeNull();
    }
  });
});

describe('endless input', () => {
  test.each([
    ['blanks before all', BACTERIAL_TACTICS, '', ' '],
    ['a token before all', BACTERIAL_TACTICS, '', '7'],
    ['a row', BACTERIAL_TACTICS, '1\n2 2\n', '.'],
    ['a header', DARKRAFT, '1 1\nL\n', '1'],
    ['blanks in a case', DARKRAFT, '2 2\nLR\n', '\n'],
    ['blanks in the terminator', LINK_AND_POP, '0', '\n'],
    ['junk behind the last case', BACTERIAL_TACTICS, '1\n1 1\n.\n', 'x'],
  ])('%s: an error, and no more is read', async (_, style, text, filler) => {
    const source = endless(text, filler);
    const { cases, end } = await splitInput(style, source.pieces(), 1);
    expect(end ?? cases.at(-1)?.fault).toContain('expected');
    expect(source.pulled).toBeLessThan(2 * MAX_CASE_BYTES);
  });
});

test('under mark a case short of rows leaves the next one alone, though its line ends would fit', async () => {
  const text = '3\n3 3\n...\n1 3\n.#.\n2 1\n#\n#\n';
  const { cases, end } = await splitInput(BACTERIAL_TACTICS, inPieces(bytesOf(text), 100), 1, 'mark');
  expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual([
    'bad',
    [0, 1, 0],
    [1, 1],
  ]);
  expect(end).toBeNull();
});

test('an input longer than the window is cut the same, with chunks that lie across its moves', async () => {
  const bytes = bytesOf(bulkInput(BACTERIAL_TACTICS, 2500, 50, 1));
  const plain = readPlainly(BACTERIAL_TACTICS, bytes);
  const { cases, end } = await splitInput(BACTERIAL_TACTICS, inPieces(bytes, 65536), 300_000);
  expect(end).toBeNull();
  const cells = cases.map((one) => one.cells.map((cell) => '.#'[cell]).join(''));
  expect(cells.join(' ') === plain.cases.map((one) => one.cells).join(' '), 'the same boards').toBe(true);
});

// The pieces end where the search has just given the token up, before its digit.
test.each([
  [1, 34],
  [7, 35],
])('under mark the end of a long token is no header, in pieces of %d', async (piece, letters) => {
  const text = `1 1\nLL\n${'x'.repeat(letters)}5 5 x\n1 1\nR\n`;
  const { cases, end } = await splitInput(DARKRAFT, inPieces(bytesOf(text), piece), 1, 'mark');
  expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual(['bad', [1]]);
  expect(end).toBeNull();
});

describe('Window', () => {
  const held = (window: Window) => Buffer.from(window.bytes.subarray(window.start, window.end)).toString();

  test('keeps what is not yet given away, and says how far indices moved', () => {
    const window = new Window(4);
    expect(window.append(bytesOf('abcd'))).toBe(0);
    window.start = 3;
    expect(window.append(bytesOf('ef'))).toBe(3);
    expect(window.bytes.length).toBe(4);
    expect(held(window)).toBe('def');
    window.start = 1;
    expect(window.append(bytesOf('ghij'))).toBe(1);
    expect(held(window)).toBe('efghij');
  });
});
