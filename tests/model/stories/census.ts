/**
 * All boards of some small sizes are counted, in one run or in shards. The model lists every text of the letters of a board,
 * leaves out those that break a rule of the input format, and asks the slow oracle about each of the others.
 *
 * link-and-pop is left out: of boards that differ only in the names of their symbols, its census counts one.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { bytesOf, printInput, STYLES, type Style } from '../../support/inputs.js';
import { readPlainly } from '../../support/plain-reader.js';
import { answerTo } from '../answers.js';
import type { World } from '../world.js';
import { defineStory, OUTPUT } from './story.js';

/** Largest number of boards of a size, so that the oracles can answer all of them. */
const MAX_BOARDS = 5000;
const MAX_SIDE = 4;

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Plan {
  readonly style: Style;
  readonly rows: Range;
  readonly cols: Range;
  readonly solver: string;
  readonly jobs: number;
  /** How many shards there are; null for one run. */
  readonly shards: number | null;
  readonly isInFile: boolean;
}

export const census = defineStory<Plan>({
  name: 'census',
  what: 'all boards of some sizes are counted',
  weight: 2,
  features: ['one run', 'shards', 'several sizes', 'auto', 'portable'],
  plans: fc.constantFrom(...STYLES.filter(({ letters }) => letters.length === 1)).chain(anyPlan),
  shows: ({ rows, cols, solver, shards }) => [
    shards === null ? 'one run' : 'shards',
    ...(rows.from < rows.to || cols.from < cols.to ? ['several sizes'] : []),
    solver,
  ],
  describe: (plan) => `census: ${wordsOf(plan).join(' ')}${plan.shards === null ? '' : ` in ${plan.shards}`}`,
  play,
});

function anyPlan(style: Style): fc.Arbitrary<Plan> {
  const range = fc
    .tuple(fc.integer({ min: 1, max: MAX_SIDE }), fc.integer({ min: 1, max: MAX_SIDE }))
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  return fc
    .record({
      style: fc.constant(style),
      rows: range,
      cols: range,
      solver: fc.constantFrom('auto', 'portable'),
      jobs: fc.constantFrom(1, 1, 2),
      shards: fc.option(fc.integer({ min: 1, max: 4 })),
      isInFile: fc.boolean(),
    })
    .map((plan) => ({
      ...plan,
      rows: within(style.minRows, style.maxRows, plan.rows),
      cols: within(1, style.maxCols, plan.cols),
    }))
    .filter(({ rows, cols }) => textsOf(style, rows.to, cols.to) <= MAX_BOARDS);
}

function within(least: number, most: number, { from, to }: Range): Range {
  const clamp = (side: number) => Math.min(most, Math.max(least, side));
  return { from: clamp(from), to: clamp(to) };
}

const textsOf = ({ letters }: Style, rows: number, cols: number) => letters[0].length ** (rows * cols);

const rangeWord = ({ from, to }: Range) => (from === to ? `${from}` : `${from}..${to}`);

const wordsOf = ({ style, rows, cols, solver, jobs }: Plan) => [
  ...['census', style.name, '--rows', rangeWord(rows), '--cols', rangeWord(cols)],
  ...['--solver', solver, '-j', `${jobs}`],
];

async function play(world: World, plan: Plan): Promise<void> {
  const printed =
    plan.shards === null ? await playRun(world, plan) : await playShards(world, plan, plan.shards);
  const counts = printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sizes = sizesOf(plan);
  world.expect(`there must be a line for each of ${sizes.length} sizes`, counts.length === sizes.length);
  for (const [i, [rows, cols]] of sizes.entries()) {
    for (const [key, value] of Object.entries(expectedCounts(plan.style, rows, cols)))
      world.expect(
        `${key} of ${rows}x${cols} must be ${JSON.stringify(value)}`,
        isDeepStrictEqual(counts[i][key], value),
      );
  }
}

async function playRun(world: World, plan: Plan): Promise<string> {
  const outcome = await world.run([...wordsOf(plan), ...(plan.isInFile ? ['-o', OUTPUT] : ['--json'])]);
  world.expectOutcome(outcome, { codes: [0], errors: [] });
  return plan.isInFile ? world.read(OUTPUT) : outcome.stdout;
}

async function playShards(world: World, plan: Plan, shards: number): Promise<string> {
  const names = Array.from({ length: shards }, (_, i) => `part.${i + 1}`);
  for (const [i, name] of names.entries()) {
    const outcome = await world.run([...wordsOf(plan), '--shard', `${i + 1}/${shards}`, '-o', name]);
    world.expectOutcome(outcome, { codes: [0], errors: [] });
  }
  const merged = await world.run(['merge', ...names, ...(plan.isInFile ? ['-o', OUTPUT] : [])]);
  world.expectOutcome(merged, { codes: [0], errors: [] });
  return plan.isInFile ? world.read(OUTPUT) : merged.stdout;
}

function sizesOf({ rows, cols }: Plan): [number, number][] {
  const sizes: [number, number][] = [];
  for (let r = rows.from; r <= rows.to; r++) for (let c = cols.from; c <= cols.to; c++) sizes.push([r, c]);
  return sizes;
}

/** What a line of the census must have about a size; of games without nimbers, less. */
function expectedCounts(style: Style, rows: number, cols: number): Record<string, unknown> {
  const answers = everyBoard(style, rows, cols).map((cells) => answerTo(style, { rows, cells }));
  const counts = {
    rows,
    cols,
    boards: answers.length,
    answers: countsOf(answers.map(({ lines }) => lines.join('\n'))),
  };
  if (answers.every(({ nimber }) => nimber === null)) return counts;
  const nimber = Math.max(...answers.map((answer) => answer.nimber!));
  const { board } = answers.find((answer) => answer.nimber === nimber)!;
  return {
    ...counts,
    nimbers: countsOf(answers.map((answer) => `${answer.nimber}`)),
    largest: { nimber, board },
  };
}

/** Lists the boards of a size, in the order of their letters. */
function everyBoard(style: Style, rows: number, cols: number): string[] {
  const letters = [...style.letters[0]];
  let texts = [''];
  for (let cell = 0; cell < rows * cols; cell++)
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
  return texts.filter((text) => isValid(style, rows, cols, text));
}

function isValid(style: Style, rows: number, cols: number, text: string): boolean {
  const cells = Array.from({ length: rows }, (_, row) => [...text.slice(row * cols, (row + 1) * cols)]);
  return readPlainly(style, bytesOf(printInput(style, [{ rows, cols, cells }]))).fault === null;
}

function countsOf(labels: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}
