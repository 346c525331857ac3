/** `verify` accepts the explanations of `explain`, and rejects them after any change that makes them false. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseGame as startBacteria } from '../../src/games/bacterial-tactics/game.js';
import { analyseGame as startDarkraft } from '../../src/games/darkraft/game.js';
import { analyseGame as startPawns } from '../../src/games/river-pawn/game.js';
import { type PlainCase, randomCase, type Style, styleOf } from '../support/inputs.js';
import { Random } from '../support/random.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { changeOnce, type Explanation, type StartAnyGame, saysTheSame } from './changes.js';
import { boardOf, EXPLAINED_STYLES, explain, rowsOf, verifyCase } from './explained.js';

allowSlowTests();

const GAMES: Readonly<Record<string, StartAnyGame>> = {
  'bacterial-tactics': startBacteria as unknown as StartAnyGame,
  darkraft: startDarkraft as unknown as StartAnyGame,
  'river-pawn': startPawns as unknown as StartAnyGame,
};

/** The case in the middle of the three is explained. */
const EXPLAINED = 2;
const BOARDS = 25;
const CHANGES_OF_EACH_BOARD = 25;
const TIES = 3;

/** What a message names if a statement in this field is false. */
const NAMES_OF_FIELD: Readonly<Record<string, RegExp>> = {
  proof: /proof|rectangle|position/,
  case: /case|board/,
  repeats: /repeats|play/,
  play: /repeats|play/,
};

function threeCases(style: Style, seed: number): PlainCase[] {
  const random = new Random(seed);
  const side = (min: number) => min + random.below(4 - min + 1);
  return Array.from({ length: 3 }, () =>
    randomCase(style, side(style.minRows), side(style.minCells > 1 ? 2 : 1), random),
  );
}

/** The number of changes that were rejected, by the field in which they were. */
type Rejections = Map<string, number>;

describe.each(EXPLAINED_STYLES)('$name', (style) => {
  test('every change of a fact is rejected, and the message names the fact', async () => {
    const rejections: Rejections = new Map();
    await fc.assert(
      fc.asyncProperty(fc.nat(), (seed) => tryChanges(style, threeCases(style, seed), seed, rejections)),
      { numRuns: runs(BOARDS) },
    );
    rejections.delete('repeats');
    expect(rejections.size).toBeGreaterThanOrEqual(8);
    expect(Math.min(...rejections.values())).toBeGreaterThan(runs(10));
  });
});

test('every change of the line of a tie is rejected, unless it is a line as short', async () => {
  const style = styleOf('river-pawn');
  const rejections: Rejections = new Map();
  for (let seed = 0, ties = 0; ties < TIES; seed++) {
    const cases = threeCases(style, seed);
    if ((await explain(style, cases[EXPLAINED - 1], EXPLAINED)).repeats === undefined) continue;
    ties++;
    await tryChanges(style, cases, seed, rejections, ['play', 'repeats']);
  }
  expect(Math.min(...rejections.values())).toBeGreaterThan(30);
});

/** Changes an explanation of the case EXPLAINED in many ways, each of which must be rejected if it is false. */
async function tryChanges(
  style: Style,
  cases: readonly PlainCase[],
  seed: number,
  rejections: Rejections,
  fields?: readonly string[],
): Promise<void> {
  const good = (await explain(style, cases[EXPLAINED - 1], EXPLAINED)) as Explanation;
  expect(await verifyCase(style, cases, good)).toBe(1);
  const random = new Random(seed);
  for (let i = 0; i < CHANGES_OF_EACH_BOARD; i++) {
    const { changed, field } = changeOnce(good, random, fields);
    const outcome = await verifyCase(style, cases, changed);
    if (isStillTrue(style, cases, good, changed)) {
      expect(outcome, describeChange(good, changed)).toBe(1);
      continue;
    }
    expect(outcome, describeChange(good, changed)).toMatch(/^(FalseStatement|BoardmillError): json:1: /);
    expect(outcome, describeChange(good, changed)).toMatch(NAMES_OF_FIELD[field] ?? field);
    rejections.set(field, (rejections.get(field) ?? 0) + 1);
  }
}

function isStillTrue(
  style: Style,
  cases: readonly PlainCase[],
  good: Explanation,
  changed: Explanation,
): boolean {
  const number = changed.case;
  const isSameBoard =
    typeof number === 'number' &&
    cases[number - 1] !== undefined &&
    rowsOf(style, cases[number - 1]).join() === rowsOf(style, cases[EXPLAINED - 1]).join();
  const compared = isSameBoard ? { ...changed, case: EXPLAINED } : changed;
  return saysTheSame(
    style.name,
    good,
    compared,
    boardOf(style, cases[EXPLAINED - 1]),
    GAMES[style.name] ?? null,
  );
}

function describeChange(good: Explanation, changed: Explanation): string {
  return `${JSON.stringify(good)}\nchanged to\n${JSON.stringify(changed)}`;
}

test.each([
  { name: 'bacterial-tactics', message: 'rectangle rows 1-3, columns 1-3' },
  { name: 'darkraft', message: 'rectangle of parity 0, sums 2 to 6, differences -2 to 2' },
])('a proof of $name begins with all cells', async ({ name, message }) => {
  const cells = Array.from({ length: 3 }, () => [...(name === 'darkraft' ? 'LRX' : '...')]);
  const plain = { rows: 3, cols: 3, cells };
  const good = (await explain(styleOf(name), plain, 1)) as unknown as { proof: { rectangles: unknown[] } };
  const [first, second, ...others] = good.proof.rectangles;
  const swapped = [second, first, ...others];
  expect(await verifyCase(styleOf(name), [plain], { ...good, proof: { rectangles: swapped } })).toMatch(
    new RegExp(`is listed first, expected ${message}$`),
  );
});

test.each([
  { name: 'bacterial-tactics', entry: [2, 2, 3, 3, 1], message: 'rectangle rows 2-2, columns 3-3' },
  {
    name: 'darkraft',
    entry: [0, 4, 4, 0, 0, 1],
    message: 'rectangle of parity 0, sums 4 to 4, differences 0 to 0',
  },
  {
    name: 'river-pawn',
    entry: [1, 5, 2, 4, 1, 3],
    message: 'position Black to move, Black [2,2], Red [1,2] and [2,1]',
  },
])('an entry that play cannot reach in a proof of $name is rejected', async ({ name, entry, message }) => {
  const texts: Record<string, string[]> = {
    'bacterial-tactics': ['#.#', '...', '#.#'],
    darkraft: ['LLL', 'LRL', 'LLL'],
    'river-pawn': ['...', 'O..', 'OX#'],
  };
  const cells = texts[name].map((row) => [...row]);
  const plain = { rows: 3, cols: 3, cells };
  const good = (await explain(styleOf(name), plain, 1)) as unknown as { proof: Record<string, unknown[]> };
  const [[list, entries]] = Object.entries(good.proof);
  const more = { ...good, proof: { [list]: [...entries, entry] } };
  expect(await verifyCase(styleOf(name), [plain], good)).toBe(1);
  expect(await verifyCase(styleOf(name), [plain], more)).toBe(
    `FalseStatement: json:1: case 1: ${message} is listed, but play cannot reach it`,
  );
});
