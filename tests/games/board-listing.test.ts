/** Tests of listing every board: exactly once, in order, from any index on, and counted without listing. */
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { ByteWriter } from '../../src/core/bytes.js';
import type { Range } from '../../src/core/range.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import { CaseListing } from '../../src/tools/cases/list-cases.js';

type Sizes = [rows: Range, cols: Range];
const span = (from: number, to = from): Range => ({ from, to });

async function open(name: string, [rows, cols]: Sizes) {
  const problem = await loadProblem(name);
  const enumeration = problem.cases.enumerate!({ rows, cols, set: null });
  return { problem, enumeration, listing: new CaseListing(problem as never, enumeration as never, null) };
}

/** Returns the texts of the boards with the indices from `from` on, at most `count` of them. */
async function texts(
  name: string,
  sizes: Sizes,
  from = 0n,
  count = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const { problem, enumeration } = await open(name, sizes);
  const out = new ByteWriter();
  const found: string[] = [];
  for (const board of enumeration.candidatesFrom(from)) {
    problem.inputFormat.printCase(board!, out);
    found.push(Buffer.from(out.take()).toString('latin1'));
    if (found.length === count) break;
  }
  return found;
}

/** Lists boards by brute force: all arrangements of the cells in lexicographic order, without those that are not board. */
function bruteForce(
  cells: readonly string[],
  isBoard: (cells: string[], rows: number, cols: number) => boolean,
) {
  const separator = cells[0].length === 1 ? '' : ' ';
  return ([rows, cols]: Sizes): string[] => {
    const found: string[] = [];
    for (let height = rows.from; height <= rows.to; height++) {
      for (let width = cols.from; width <= cols.to; width++) {
        const place = (before: string[]) => {
          if (before.length < height * width) for (const cell of cells) place([...before, cell]);
          else if (isBoard(before, height, width)) {
            const lines = Array.from({ length: height }, (_, row) =>
              before.slice(row * width, (row + 1) * width).join(separator),
            );
            found.push(`${[`${height} ${width}`, ...lines].join('\n')}\n`);
          }
        };
        place([]);
      }
    }
    return found;
  };
}

const count = (cells: readonly string[], letter: string) => cells.filter((cell) => cell === letter).length;
const blocks = [...'ABCD'].flatMap((symbol) => [...'UDLRS'].map((way) => symbol + way));

/** Whether each symbol is that of an earlier block, or the next one of the alphabet. */
function isFirstNaming(cells: readonly string[]): boolean {
  const symbols = [...new Set(cells.map((cell) => cell[0]))].join('');
  return 'ABCD'.startsWith(symbols);
}

const PROBLEMS: [string, Sizes, ReturnType<typeof bruteForce>][] = [
  ['bacterial-tactics', [span(1, 3), span(1, 3)], bruteForce([...'.#'], () => true)],
  ['darkraft', [span(1, 2), span(1, 3)], bruteForce([...'LRX'], () => true)],
  ['link-and-pop', [span(1, 2), span(1)], bruteForce(blocks, isFirstNaming)],
  ['link-and-pop', [span(1), span(1, 3)], bruteForce(blocks, isFirstNaming)],
  [
    'river-pawn',
    [span(2, 3), span(1, 3)],
    bruteForce(
      [...'.#XO'],
      (cells, _, cols) => count(cells, 'X') === 1 && cells.indexOf('X') >= cols && count(cells, 'O') === 2,
    ),
  ],
];

describe.each(PROBLEMS)('%s, sizes %j', (name, sizes, expected) => {
  test('every board is listed exactly once and in order, and counted', async () => {
    const boards = expected(sizes);
    expect(await texts(name, sizes)).toEqual(boards);
    expect((await open(name, sizes)).enumeration.count).toBe(BigInt(boards.length));
  });

  test('the boards from any index on are the rest of the list', async () => {
    const boards = await texts(name, sizes);
    for (let index = 0; index <= boards.length; index += 1 + (boards.length >> 7)) {
      expect(await texts(name, sizes, BigInt(index), 3)).toEqual(boards.slice(index, index + 3));
    }
  });

  test('slices put together are the whole list', async () => {
    const { problem, listing } = await open(name, sizes);
    const whole = await inputOf(listing, 0n, Number(listing.count));
    const cases = [];
    for (let from = 0n; from < listing.count!; from += 1000n) {
      const left = Number(listing.count! - from);
      cases.push(...casesIn(problem, await inputOf(listing, from, Math.min(1000, left))));
    }
    expect(cases).toEqual(casesIn(problem, whole));
  });
});

async function inputOf(listing: CaseListing, from: bigint, cases: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of listing.input(from, cases)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the texts of the cases of an input, which its scanner finds. */
function casesIn({ inputFormat }: BoardProblem, bytes: Uint8Array): string[] {
  const scanner = inputFormat.createScanner();
  const head = scanner.readHead(bytes, bytes.length, true) as { length: number };
  const extent = { end: 0, neededEnd: 0, isInvalid: false };
  const cases: string[] = [];
  for (let at = head.length; ; ) {
    const start = scanner.skipToCase(bytes, at, bytes.length);
    if (start === bytes.length || (inputFormat.terminator !== null && bytes[start] === 0x30)) return cases;
    scanner.findCase(bytes, start, bytes.length, true, extent);
    expect(extent.isInvalid).toBe(false);
    cases.push(Buffer.from(bytes.subarray(start, extent.end)).toString('latin1').trim());
    at = extent.end;
  }
}

describe('large numbers of boards', () => {
  test.each<[string, Sizes, bigint]>([
    ['bacterial-tactics', [span(15), span(15)], 2n ** 225n],
    ['darkraft', [span(40), span(40)], 3n ** 1600n],
    ['link-and-pop', [span(2), span(2)], 9375n],
    ['river-pawn', [span(10), span(10)], 90n * ((99n * 98n) / 2n) * 2n ** 97n],
  ])('%s %j', async (name, sizes, expected) => {
    expect((await open(name, sizes)).enumeration.count).toBe(expected);
  });

  test('link-and-pop has at most 26 symbols, so that not all blocks of a large board have different ones', async () => {
    // The Bell number of 26 counts all ways to name 26 blocks, and 27 blocks have one more than there are names for.
    const bell = [[1n]];
    for (let n = 1; n <= 27; n++) {
      const row = [bell[n - 1].at(-1)!];
      for (const value of bell[n - 1]) row.push(row.at(-1)! + value);
      bell.push(row);
    }
    const countOf = async (cells: number) =>
      (await open('link-and-pop', [span(1), span(cells)])).enumeration.count;
    expect(await countOf(26)).toBe(bell[26][0] * 5n ** 26n);
    expect(await countOf(27)).toBe((bell[27][0] - 1n) * 5n ** 27n);
    const [last] = await texts('link-and-pop', [span(1), span(28)], (await countOf(28)) - 1n);
    expect(last).toBe(
      `1 28\n${[...'ABCDEFGHIJKLMNOPQRSTUVWXYZZZ'].map((symbol) => `${symbol}S`).join(' ')}\n`,
    );
  });

  test('a list begins far inside, and the last boards are the largest', async () => {
    const rows: Sizes = [span(15), span(15)];
    const [middle, next] = await texts('bt', rows, 2n ** 224n, 2);
    expect(middle).toBe(`15 15\n#${'.'.repeat(14)}\n${`${'.'.repeat(15)}\n`.repeat(14)}`);
    expect(next).toBe(`${middle.slice(0, -2)}#\n`);
    expect(await texts('bt', rows, 2n ** 225n - 1n)).toEqual([`15 15\n${`${'#'.repeat(15)}\n`.repeat(15)}`]);
    const { enumeration } = await open('zu', [span(16), span(16)]);
    const [last] = await texts('zu', [span(16), span(16)], enumeration.count - 1n);
    expect(last).toBe(`16 16\nOO${'#'.repeat(14)}\nX${'#'.repeat(15)}\n${`${'#'.repeat(16)}\n`.repeat(14)}`);
    expect(await texts('link-and-pop', [span(100), span(100)], 10n ** 1999n, 2)).toHaveLength(2);
  });
});

test.each<[string, Sizes | null, string | null, RegExp]>([
  ['bt', null, null, /needs the sizes of the boards: --rows A\.\.B --cols A\.\.B/],
  ['bt', [span(1), span(2)], '1', /--set cannot be used with --profile all/],
  ['bt', [span(1, 51), span(1)], null, /--rows needs sizes from 1 to 50, got 1\.\.51/],
  ['zu', [span(1, 3), span(2)], null, /--rows needs sizes from 2 to/],
  ['zu', [span(17), span(16)], null, /17x16 has 272 cells, but boardmill solves river-pawn up to 256 cells/],
])('%s %j with the set %s is refused', async (name, sizes, set, message) => {
  const problem = await loadProblem(name);
  const [rows, cols] = sizes ?? [null, null];
  expect(() => problem.cases.enumerate!({ rows, cols, set })).toThrow(message);
});
