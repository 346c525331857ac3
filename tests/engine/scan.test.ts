/**
 * Tests of the scanner with long and hostile inputs. It must keep few bytes in memory, and its result must not depend
 * on the pieces in which the input arrives.
 */
import { describe, expect, test, vi } from 'vitest';
import {
  type Chunk,
  type InputEnd,
  Scanner,
  type ScanOptions,
  scanIntoChunks,
} from '../../src/engine/cut/scan.js';
import { InputWindow } from '../../src/engine/input/window.js';
import { RUN_START } from '../../src/engine/position.js';
import { MAX_BOARD_CASE_BYTES } from '../../src/formats/boards/board-syntax.js';
import { bulkInput, bytesOf, styleOf } from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { inPieces, scanInput } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const BACTERIAL_TACTICS = styleOf('bacterial-tactics');
const DARKRAFT = styleOf('darkraft');
const LINK_AND_POP = styleOf('link-and-pop');
/** Sizes in bytes of the pieces in which an input arrives. */
const PIECE_SIZES = [9999, 65536, 1 << 22];
const whitespace = (count: number) => ' '.repeat(count);

/** Returns an input of `text`, followed by `filler` without end. `pulled` counts the bytes of filler that were read. */
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
  /** Returns a case of `bytes` bytes. Almost all of them are whitespace between its two rows. */
  const longCase = (bytes: number) => `2 1\nL\n${whitespace(bytes - 8)}L\n`;

  test.each(PIECE_SIZES)(
    'a case of the largest allowed length is read, in pieces of %d bytes',
    async (piece) => {
      const text = `1 1\nR\n${longCase(MAX_BOARD_CASE_BYTES - 1)}1 1\nX\n`;
      const { cases, end } = await scanInput(DARKRAFT, inPieces(bytesOf(text), piece), 1);
      expect(end).toBeNull();
      expect(cases.map(({ cells, fault }) => fault ?? cells)).toEqual([[1], [0, 0], [2]]);
    },
  );

  test.each(PIECE_SIZES)(
    'a case that is longer than allowed is an invalid case, in pieces of %d bytes',
    async (piece) => {
      const text = `1 1\nR\n${longCase(MAX_BOARD_CASE_BYTES + 1)}1 1\nX\n`;
      const { cases } = await scanInput(DARKRAFT, inPieces(bytesOf(text), piece), 1);
      expect(cases.map(({ fault }) => fault)).toEqual([
        null,
        `3:1: expected a case of fewer than ${MAX_BOARD_CASE_BYTES} bytes, got more`,
      ]);
    },
  );

  test.each(PIECE_SIZES)(
    'under --on-error mark, only the case that is too long is bad, in pieces of %d bytes',
    async (piece) => {
      const text = `1 1\nR\n${longCase(3 * MAX_BOARD_CASE_BYTES)}1 1\nX\n`;
      const { cases, end } = await scanInput(DARKRAFT, inPieces(bytesOf(text), piece), 1e6, 'mark');
      expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual([[1], 'bad', [2]]);
      expect(cases[2].at.line).toBe(6);
      expect(end).toBeNull();
    },
  );

  test.each(PIECE_SIZES)(
    'under --on-error mark, a run can continue after a case that is too long, in pieces of %d bytes',
    async (piece) => {
      const text = `${longCase(MAX_BOARD_CASE_BYTES + 1)}${'1 1\nX\n'.repeat(3)}1 1\nX`;
      const ends: boolean[] = [];
      for await (const item of scanIntoChunks(inPieces(bytesOf(text), piece), {
        inputFormat: DARKRAFT.inputFormat,
        onError: 'mark',
        chunkBytes: () => 1,
        hash: null,
        startPosition: null,
      }))
        if (item.kind === 'chunk') ends.push(item.endsWithInput);
      expect(ends).toEqual([false, false, false, false, true]);
    },
  );
});

describe('more whitespace in a row than a case may have bytes', () => {
  const manyWhitespace = whitespace(2.5 * MAX_BOARD_CASE_BYTES);

  test.each([
    ['between two cases', DARKRAFT, `1 1\nL\n${manyWhitespace}1 1\nR\n`, [[0], [1]]],
    [
      'between two cases of an input that starts with T',
      BACTERIAL_TACTICS,
      `2\n1 1\n.\n${manyWhitespace}1 1\n#\n`,
      [[0], [1]],
    ],
    ['after the last of T cases', BACTERIAL_TACTICS, `1\n1 1\n.\n${manyWhitespace}`, [[0]]],
    ['after the last case of an input without T', DARKRAFT, `1 1\nL\n${manyWhitespace}`, [[0]]],
    ['before the terminator', LINK_AND_POP, `1 1\nAS\n${manyWhitespace}0 0`, [[65, 83]]],
    ['after the terminator', LINK_AND_POP, `1 1\nAS\n0 0${manyWhitespace}`, [[65, 83]]],
  ])('whitespace that is longer than any case are skipped %s', async (_, style, text, boards) => {
    for (const piece of PIECE_SIZES) {
      const { cases, end } = await scanInput(style, inPieces(bytesOf(text), piece), 1e6);
      expect(end).toBeNull();
      expect(cases.map(({ cells, fault }) => fault ?? cells)).toEqual(boards);
    }
  });

  test('too much whitespace before the first case is an error, at the same place for pieces of any size', async () => {
    for (const piece of PIECE_SIZES) {
      const { end } = await scanInput(
        BACTERIAL_TACTICS,
        inPieces(bytesOf(`${manyWhitespace}1 1\n.`), piece),
        1,
      );
      expect(end).toBe(
        `1:${MAX_BOARD_CASE_BYTES + 1}: expected the first case within ${MAX_BOARD_CASE_BYTES} bytes, got whitespace`,
      );
    }
  });

  test('0 and 0 with too much whitespace between them are not a terminator, but an invalid case', async () => {
    for (const piece of PIECE_SIZES) {
      const { cases } = await scanInput(LINK_AND_POP, inPieces(bytesOf(`0${manyWhitespace}0`), piece), 1);
      expect(cases.map(({ fault }) => fault)).toEqual([
        `1:1: expected a case of fewer than ${MAX_BOARD_CASE_BYTES} bytes, got more`,
      ]);
    }
  });

  test('a number followed by too much whitespace is not taken as the next header after an invalid case', async () => {
    for (const piece of PIECE_SIZES) {
      const text = `1 1\n??\n5${manyWhitespace}1 1\nR\n`;
      const { cases, end } = await scanInput(DARKRAFT, inPieces(bytesOf(text), piece), 1, 'mark');
      expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual(['bad', [1]]);
      expect(end).toBeNull();
    }
  });
});

describe('an endless input', () => {
  test.each([
    ['blanks before the first case', BACTERIAL_TACTICS, '', ' '],
    ['a token before the first case', BACTERIAL_TACTICS, '', '7'],
    ['a row', BACTERIAL_TACTICS, '1\n2 2\n', '.'],
    ['a header', DARKRAFT, '1 1\nL\n', '1'],
    ['blanks in a case', DARKRAFT, '2 2\nLR\n', '\n'],
    ['blanks in the terminator', LINK_AND_POP, '0', '\n'],
    ['rubbish after the last case', BACTERIAL_TACTICS, '1\n1 1\n.\n', 'x'],
  ])('reading an input stops with an error if this has no end: %s', async (_, style, text, filler) => {
    const source = endless(text, filler);
    const { cases, end } = await scanInput(style, source.pieces(), 1);
    expect(end ?? cases.at(-1)?.fault).toContain('expected');
    expect(source.pulled).toBeLessThan(2 * MAX_BOARD_CASE_BYTES);
  });
});

test('under --on-error mark, a case with too few rows does not take rows of the next case, even if their lengths fit', async () => {
  const text = '3\n3 3\n...\n1 3\n.#.\n2 1\n#\n#\n';
  const { cases, end } = await scanInput(BACTERIAL_TACTICS, inPieces(bytesOf(text), 100), 1, 'mark');
  expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual([
    'bad',
    [0, 1, 0],
    [1, 1],
  ]);
  expect(end).toBeNull();
});

test.each([1, 30, 1 << 16])('a scan up to case 5 ends there, in chunks of %d bytes', async (chunkBytes) => {
  const source = endless('', '1 2\nLR\n');
  const options = {
    inputFormat: DARKRAFT.inputFormat,
    onError: 'stop',
    hash: null,
    startPosition: null,
  } as const;
  const items: (Chunk | InputEnd)[] = [];
  for await (const item of scanIntoChunks(source.pieces(), {
    ...options,
    chunkBytes: () => chunkBytes,
    lastCase: 5,
  }))
    items.push(item);
  const cases = items.map((item) => (item.kind === 'chunk' ? item.starts.length - 1 : 0));
  expect(cases.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(items.at(-1)).toMatchObject({ kind: 'end', fault: null });
  expect(source.pulled).toBe(65536 * 7);
});

test('an input that is longer than the window of the scanner is cut into the right cases', async () => {
  const bytes = bytesOf(bulkInput(BACTERIAL_TACTICS, 2500, 50, 1));
  const plain = readPlainly(BACTERIAL_TACTICS, bytes);
  const { cases, end } = await scanInput(BACTERIAL_TACTICS, inPieces(bytes, 65536), 300_000);
  expect(end).toBeNull();
  const cells = cases.map((one) => one.cells.map((cell) => '.#'[cell]).join(''));
  expect(cells.join(' ') === plain.cases.map((one) => one.cells).join(' '), 'same boards').toBe(true);
});

// Each piece size makes a piece end right before the digits of the long token, when the scanner has just rejected it.
test.each([
  [1, 34],
  [7, 35],
])(
  'under --on-error mark, digits at the end of a long token are not taken as a header, in pieces of %d',
  async (piece, letters) => {
    const text = `1 1\nLL\n${'x'.repeat(letters)}5 5 x\n1 1\nR\n`;
    const { cases, end } = await scanInput(DARKRAFT, inPieces(bytesOf(text), piece), 1, 'mark');
    expect(cases.map(({ fault, cells }) => (fault === null ? cells : 'bad'))).toEqual(['bad', [1]]);
    expect(end).toBeNull();
  },
);

test.each([
  [
    'a byte order mark, CRLF, no last line end',
    BACTERIAL_TACTICS,
    '\ufeff2\r\n1 2\r\n.#\r\n2 1\r\n#\r\n.',
    [2, 4],
    null,
  ],
  ['a terminator without a line end', LINK_AND_POP, '\ufeff1 1\r\nAS\r\n1 1\r\nAS\r\n0 0', [1, 3], null],
  ['no last line end', DARKRAFT, '1 2\nLR\n1 1\nX', [1, 3], null],
  [
    'a case too many',
    BACTERIAL_TACTICS,
    '2\n1 1\n.\n2 1\n#\n.\n1 1\n#\n1 1\n.\n',
    [2, 4],
    '7:1: expected the end of the input, which says that it has 2 cases, got "1"',
  ],
])(
  'an input with %s is cut alike, whatever the pieces in which it arrives',
  async (_, style, text, lines, end) => {
    const bytes = bytesOf(text);
    for (const piece of [1, 2, 3, 5, bytes.length]) {
      for (const onError of ['stop', 'mark'] as const) {
        const scanned = await scanInput(style, inPieces(bytes, piece), 1e6, onError);
        expect(scanned.end, `pieces of ${piece} bytes`).toBe(end);
        expect(scanned.cases.map(({ fault }) => fault)).toEqual([null, null]);
        expect(scanned.cases.map(({ at }) => at.line)).toEqual(lines);
      }
    }
  },
);

describe.each(['stop', 'mark'] as const)('under --on-error %s', (onError) => {
  const CASE = '1 2\nLR\n';
  const scannerOf = (options: Partial<ScanOptions>) =>
    new Scanner({
      inputFormat: DARKRAFT.inputFormat,
      onError,
      chunkBytes: () => 1e6,
      hash: null,
      startPosition: null,
      ...options,
    });

  test('a chunk ends with the case with which it reaches its size', () => {
    const sizes = (chunkBytes: number) => {
      const scanner = scannerOf({ chunkBytes: () => chunkBytes });
      scanner.feed(bytesOf(CASE.repeat(5)));
      return [...scanner.cut(true)].map((item) => (item.kind === 'chunk' ? item.starts.length - 1 : 'end'));
    };
    expect(sizes(2 * CASE.length - 1)).toEqual([2, 2, 1, 'end']);
    expect(sizes(2 * CASE.length)).toEqual([2, 2, 1, 'end']);
    expect(sizes(2 * CASE.length + 1)).toEqual([3, 2, 'end']);
  });

  test('the scanner rests before the first case that begins at or after an offset', () => {
    const restAt = (restOffset: number, pieceBytes: number, chunkBytes: number) => {
      const scanner = scannerOf({ restOffset, chunkBytes: () => chunkBytes });
      const bytes = bytesOf(CASE.repeat(5));
      const chunks: number[] = [];
      for (let at = 0; at < bytes.length && !scanner.isResting; at += pieceBytes) {
        scanner.feed(bytes.subarray(at, at + pieceBytes));
        for (const item of scanner.cut(false)) if (item.kind === 'chunk') chunks.push(item.starts.length - 1);
      }
      const { offset, cases } = scanner.position;
      return { isResting: scanner.isResting, offset, cases, chunks };
    };
    for (const [chunkBytes, chunks] of [
      [1e6, [2]],
      [1, [1, 1]],
    ] as const) {
      for (const piece of [1, 3, 1000]) {
        const afterTwo = { isResting: true, offset: 2 * CASE.length, cases: 2, chunks };
        expect(restAt(CASE.length + 1, piece, chunkBytes)).toEqual(afterTwo);
        expect(restAt(2 * CASE.length, piece, chunkBytes)).toEqual(afterTwo);
        expect(restAt(2 * CASE.length + 1, piece, chunkBytes)).toMatchObject({
          offset: 3 * CASE.length,
          cases: 3,
        });
      }
    }
  });

  test('a chunk says whether its last case is invalid, which the parser must find, too', () => {
    const scanner = scannerOf({ chunkBytes: () => 1 });
    scanner.feed(bytesOf(`${CASE}1 x\nL\n${CASE}`));
    const verdicts = [...scanner.cut(true)].flatMap((item) =>
      item.kind === 'chunk' ? [item.isLastInvalid] : [],
    );
    expect(verdicts).toEqual(onError === 'stop' ? [false, true] : [false, true, false]);
  });
});

describe('a scan that continues after a chunk finds what the first scan has found', () => {
  const LONG_NUMBER = '9'.repeat(38);

  /** Describes what a scan finds from a position on, and with it the positions. Each case is a chunk. */
  async function scanFrom(name: string, bytes: Uint8Array, startPosition: ScanOptions['startPosition']) {
    const items = scanIntoChunks(inPieces(bytes.subarray(startPosition?.offset ?? 0), 7), {
      inputFormat: styleOf(name).inputFormat,
      onError: 'mark',
      chunkBytes: () => 1,
      maxCasesPerChunk: 1,
      hash: null,
      startPosition,
    });
    const found: { readonly text: string; readonly position: ScanOptions['startPosition'] }[] = [];
    for await (const item of items)
      if (item.kind === 'chunk')
        found.push({
          text: `case ${item.firstCase} before ${item.positionAfter.offset}`,
          position: item.positionAfter,
        });
      else found.push({ text: `end ${JSON.stringify(item.fault)}`, position: null });
    return found;
  }

  test.each([
    `${LONG_NUMBER}2 2\nLR\nRL\n2 2\n`,
    '2 2\n11 2 2\nLR\nRL\n',
    '2 2\nLR2 2\nLR\nRL\n',
    `${LONG_NUMBER}${LONG_NUMBER} 2\nLR\nRL\n`,
    `2 ${LONG_NUMBER}${LONG_NUMBER}\nLR\n`,
    `2 2\nLL${'3'.repeat(60)}\nLR\n`,
  ])('with the invalid case %j', async (invalid) => {
    const good = '2 2\nLR\nRL\n';
    const inputs = {
      darkraft: `${good}${invalid}${good}${good}`,
      'bacterial-tactics': `9\n${good}${invalid}${good}${good}`.replaceAll('L', '.').replaceAll('R', '#'),
    };
    for (const [name, text] of Object.entries(inputs)) {
      const all = await scanFrom(name, bytesOf(text), null);
      expect(all.length).toBeGreaterThan(4);
      for (const [i, { position }] of all.entries()) {
        if (position === null) continue;
        const rest = await scanFrom(name, bytesOf(text), position);
        expect(rest.map((found) => found.text)).toEqual(all.slice(i + 1).map((found) => found.text));
      }
    }
  });
});

describe('an input that is no text', () => {
  test.each([
    ['gzip data', [0x1f, 0x8b, 8, 0, 0, 0]],
    ['zstd data', [0x28, 0xb5, 0x2f, 0xfd, 4, 0]],
    ['xz data', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
    ['a zip archive', [0x50, 0x4b, 3, 4, 20, 0]],
    ['UTF-16 text', [0xff, 0xfe, 0x31, 0, 0x0a, 0]],
    ['gzip data', [0x1f, 0x8b]],
  ])('is named (%s: %j), also if its bytes come one by one', async (name, bytes) => {
    for (const piece of [1, 3, 100]) {
      const { cases, end } = await scanInput(DARKRAFT, inPieces(Uint8Array.from(bytes), piece), 1);
      expect(cases).toEqual([]);
      expect(end).toContain(`1:1: expected text, got ${name} (`);
    }
  });
});

describe('Window', () => {
  const textOf = (window: InputWindow) =>
    Buffer.from(window.bytes.subarray(window.start, window.end)).toString();

  test('append() keeps the bytes that are not used yet, and returns how far it moved them', () => {
    const window = new InputWindow();
    expect([window.append(bytesOf('ab')), window.append(bytesOf('cd'))]).toEqual([0, 0]);
    window.start = 3;
    expect(window.append(bytesOf('ef'))).toBe(3);
    expect(window.bytes.length).toBe(4);
    expect(textOf(window)).toBe('def');
    window.start = 1;
    expect(window.append(bytesOf('ghij'))).toBe(1);
    expect(textOf(window)).toBe('efghij');
  });
});

test('a scan that continues gives the head of its input to the format as plain bytes, which all its code is compiled for', () => {
  const heads: (Uint8Array | null)[] = [];
  const { inputFormat } = BACTERIAL_TACTICS;
  vi.spyOn(inputFormat, 'createScanner').mockImplementationOnce((options) => {
    const scanner = inputFormat.createScanner(options);
    const useHead = scanner.useHead.bind(scanner);
    scanner.useHead = (head) => {
      heads.push(head);
      useHead(head);
    };
    return scanner;
  });
  const startPosition = { ...RUN_START.scan, offset: 2, head: '3\n', promised: 3 };
  new Scanner({ inputFormat, onError: 'stop', chunkBytes: () => 1, hash: null, startPosition });
  expect(heads).toEqual([new Uint8Array(bytesOf('3\n'))]);
  expect(heads[0]!.constructor).toBe(Uint8Array);
});
