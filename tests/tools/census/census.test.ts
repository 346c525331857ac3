/** Tests of how a census is divided into slices, continued, and added up. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import { printSealedJson } from '../../../src/core/files/sealed-json.js';
import {
  type CensusSlice,
  decodeCensusMessage,
  encodeCensusMessage,
  type SliceCounts,
} from '../../../src/engine/census-slice.js';
import { createChunkResult } from '../../../src/engine/chunk-result.js';
import { WHOLE_INPUT } from '../../../src/engine/input/shard.js';
import { MAX_CENSUS_ANSWERS, NIMBERS_AS_VALUES } from '../../../src/problems/census.js';
import { CensusPlan } from '../../../src/tools/census/census-plan.js';
import { censusToJson } from '../../../src/tools/census/census-report.js';
import {
  type CensusState,
  createCensusState,
  fingerprintOfSizes,
  joinCensusParts,
  parseCensusState,
  printCensusState,
} from '../../../src/tools/census/census-state.js';
import { runCensusSlices } from '../../../src/tools/census/run-census.js';
import { SizeTotals } from '../../../src/tools/census/size-totals.js';
import { PlainDispatcher } from '../../support/dispatchers.js';

const range = (from: number, to = from) => ({ from, to });
const problem = await loadProblem('river-pawn');
const PLAN = await CensusPlan.create(problem, range(3), range(3, 6), 'auto');
const TERMS = { problem: 'river-pawn', ...fingerprintOfSizes(range(3), range(3, 6), PLAN) };

/** Gives each slice counts that say which slice it was. Ends the run after some slices if `stopAfter` is given. */
class SliceEcho extends PlainDispatcher {
  override readonly maxChunksAtOnce = 3;
  readonly seen: CensusSlice[] = [];
  readonly stop = new AbortController();
  readonly #stopAfter: number;

  constructor(stopAfter = Number.POSITIVE_INFINITY) {
    super();
    this.#stopAfter = stopAfter;
  }

  async solve({ bytes }: { bytes: Uint8Array }) {
    const slice = decodeCensusMessage<CensusSlice>(bytes);
    this.seen.push(slice);
    if (this.seen.length === this.#stopAfter) this.stop.abort('SIGINT');
    const { from, to } = slice.candidates!;
    const counts: SliceCounts = {
      cases: to - from,
      values: new Map([[`${slice.cols} ${slice.number % 3}`, to - from]]),
      answers: new Map([[`${from % 5}`, to - from]]),
      largest: {
        size: slice.number % 4,
        index: from,
        rows: Array.from({ length: slice.rows! }, () => `${from}`),
      },
    };
    const span = { lines: 0, bytesAfterLastLineEnd: 0 };
    return createChunkResult({ output: encodeCensusMessage(counts), answeredCases: 1, span });
  }
}

async function count(begun: CensusState, dispatcher: SliceEcho): Promise<CensusState> {
  const onState = async () => {};
  return runCensusSlices({ problem, plan: PLAN, dispatcher, stop: dispatcher.stop.signal, onState }, begun);
}

const begin = (shard = WHOLE_INPUT) => createCensusState(problem, PLAN, shard, TERMS);

test('the slices of all shards are all candidates, each once and in their order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (shards) => {
      const slices = Array.from({ length: shards }, (_, index) => [
        ...PLAN.slicesOf({ number: index + 1, count: shards }, 0),
      ]).flat();
      const next = new Map<number | null, number>();
      for (const { slice } of slices) {
        expect(slice.candidates!.from).toBe(next.get(slice.cols) ?? 0);
        next.set(slice.cols, slice.candidates!.to);
      }
      const listing = (cols: number) =>
        Number(problem.cases.enumerate!({ rows: range(3), cols: range(cols), set: null }).count);
      expect([...next]).toEqual([3, 4, 5, 6].map((cols) => [cols, listing(cols)]));
    }),
  );
});

test('a census that is stopped and continued gives the counts of one that is not', async () => {
  const whole = await count(begin(), new SliceEcho());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (after) => {
      const dispatcher = new SliceEcho(after);
      let last = begin();
      const onState = async (state: CensusState) => {
        last = state;
      };
      const run = { problem, plan: PLAN, dispatcher, stop: dispatcher.stop.signal, onState };
      await expect(runCensusSlices(run, last)).rejects.toThrow('stopped by SIGINT');
      expect(last.done).toBeGreaterThanOrEqual(after);
      expect(last.done).toBeLessThan(last.slices);
      const kept = parseCensusState(printCensusState(last))!;
      expect(printCensusState(await count(kept, new SliceEcho()))).toBe(printCensusState(whole));
    }),
    { numRuns: 20 },
  );
});

test('the parts of shards, in any order, join to the whole', async () => {
  const whole = censusToJson(await count(begin(), new SliceEcho()));
  for (const shards of [1, 2, 7]) {
    const parts = [];
    for (let number = shards; number >= 1; number--)
      parts.push({
        path: `part.${number}`,
        state: await count(begin({ number, count: shards }), new SliceEcho()),
      });
    expect(censusToJson(joinCensusParts(parts))).toBe(whole);
  }
});

describe('a part that somebody else has written', () => {
  type Fields = Record<string, Record<string, unknown>> & { sizes: Record<string, unknown>[] };
  const part = async (number: number) => count(begin({ number, count: 2 }), new SliceEcho());
  const firstSize = (fields: Fields) => fields.sizes[0] as Record<string, Record<string, unknown>>;
  /** Prints the state of the first shard with changed fields, sealed as boardmill seals it. */
  const forge = async (change: (fields: Fields) => unknown): Promise<string> => {
    const { schema, digest: _, ...fields } = JSON.parse(printCensusState(await part(1)));
    change(fields);
    return printSealedJson(schema, fields);
  };

  test('is a part if nothing is changed', async () => {
    expect(parseCensusState(await forge(() => {}))).toEqual(await part(1));
  });

  test.each<[string, (fields: Fields) => unknown]>([
    ['without sizes', (fields) => fields.sizes.splice(0)],
    ['with a size too many', ({ sizes }) => sizes.push(sizes[0])],
    ['with another size', (fields) => Object.assign(firstSize(fields), { rows: 7 })],
    ['with sizes without end', ({ terms }) => Object.assign(terms, { '--cols': '1..1000000000000' })],
    ['without ranges', ({ terms }) => delete terms['--rows']],
    ['with another number of slices', ({ terms }) => Object.assign(terms, { 'the number of slices': '9' })],
    ['as another shard', ({ shard }) => Object.assign(shard, { count: 1 })],
    ['with too many cases', (fields) => Object.assign(firstSize(fields), { cases: 1e300 })],
    [
      'with a case less',
      (fields) => Object.assign(firstSize(fields), { cases: Number(firstSize(fields).cases) - 1 }),
    ],
    [
      'with a count below 0',
      ({ sizes }) => Object.assign(sizes[0], { answers: { 0: -5, 1: Number(sizes[0].cases) + 5 } }),
    ],
    [
      'with half a case',
      ({ sizes }) => Object.assign(sizes[0], { answers: { 0: 0.5, 1: Number(sizes[0].cases) - 0.5 } }),
    ],
    ['with values that do not add up', ({ sizes }) => Object.assign(sizes[0], { values: {} })],
    [
      'with a label that no value has',
      ({ sizes }) => Object.assign(sizes[0], { values: JSON.parse(`{"__proto__":${sizes[0].cases}}`) }),
    ],
    ['with a list of answers', ({ sizes }) => Object.assign(sizes[0], { answers: [sizes[0].cases] })],
    [
      'with a largest case without a board',
      (fields) => Object.assign(firstSize(fields).largest, { rows: [] }),
    ],
    ['of another problem', ({ names }) => Object.assign(names, { problem: 'darkraft' })],
    ['without names', (fields) => Object.assign(fields, { names: {} })],
    ['with classes that are a text', ({ sizes }) => Object.assign(sizes[0], { classes: '3' })],
    ['with a largest case of no size', (fields) => Object.assign(firstSize(fields).largest, { size: 'x' })],
    ['with another field', (fields) => Object.assign(fields, { x: 1 })],
    ['with another field of a size', ({ sizes }) => Object.assign(sizes[0], { x: 1 })],
    ['with another field of a largest case', (fields) => Object.assign(firstSize(fields).largest, { x: 1 })],
    ['with another field of the shard', ({ shard }) => Object.assign(shard, { x: 1 })],
    ['with another name', ({ names }) => Object.assign(names, { x: 'y' })],
  ])('is none %s', async (_, change) => {
    expect(parseCensusState(await forge(change))).toBeNull();
  });

  test.each<[string, (fields: Fields) => unknown, string]>([
    [
      'names',
      ({ names }) => Object.assign(names, { values: '__proto__' }),
      'the counts have other names or classes',
    ],
    [
      'classes',
      ({ sizes }) => Object.assign(sizes[0], { classes: 3 }),
      'the counts have other names or classes',
    ],
    [
      'terms like properties that all objects have',
      ({ terms }) => Object.assign(terms, { constructor: 'x' }),
      'constructor was x, is not set',
    ],
  ])('is not joined with one that has other %s', async (_, change, reason) => {
    const parts = [parseCensusState(await forge(change))!, await part(2)];
    expect(() => joinCensusParts(parts.map((state, index) => ({ path: `${index}`, state })))).toThrow(reason);
  });
});

test('a part that is unfinished is refused', async () => {
  const state = { ...(await count(begin(), new SliceEcho())), done: 3 };
  expect(() => joinCensusParts([{ path: 'a', state }])).toThrow('a is unfinished');
});

describe('totals', () => {
  const size = { rows: 1, cols: 1 };
  const counts = (answers: number[], largest: SliceCounts['largest'] = null): SliceCounts => ({
    cases: answers.length,
    values: new Map(),
    answers: new Map(answers.map((answer) => [`${answer}`, 1])),
    largest,
  });

  test('the largest case is the first of the largest, whichever slice comes first', () => {
    const cases = [
      { size: 2, index: 7, rows: ['b'] },
      { size: 2, index: 3, rows: ['a'] },
      { size: 1, index: 0, rows: ['c'] },
    ];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const totals = new SizeTotals(size, null);
      for (const index of order) totals.add(counts([], cases[index]));
      expect(totals.counts.largest).toEqual(cases[1]);
    }
  });

  test('too many different answers are not counted, however they come', () => {
    const answers = Array.from({ length: MAX_CENSUS_ANSWERS + 1 }, (_, index) => index);
    for (const cut of [1, 2000, MAX_CENSUS_ANSWERS]) {
      const totals = new SizeTotals(size, null);
      totals.add(counts(answers.slice(0, cut)));
      expect(totals.counts.answers).not.toBeNull();
      totals.add(counts(answers.slice(cut)));
      expect(totals.counts.answers).toBeNull();
      totals.add(counts([1]));
      expect(totals.counts.answers).toBeNull();
    }
  });

  test('labels are sorted by their number', () => {
    const totals = new SizeTotals(size, null);
    totals.add(counts([10, 9, 100, 2]));
    expect([...totals.counts.answers!.keys()]).toEqual(['2', '9', '10', '100']);
  });
});

test.each([
  ['river-pawn', 3, 3],
  ['river-pawn', 2, 4],
  ['river-pawn', 4, 1],
  ['river-pawn', 3, 2],
  ['link-and-pop', 1, 3],
  ['darkraft', 2, 2],
  ['darkraft', 2, 3],
  ['darkraft', 3, 3],
  ['darkraft', 4, 1],
  ['bacterial-tactics', 3, 3],
  ['bacterial-tactics', 2, 5],
])('the classes of %s %sx%s are those of its boards', async (name, rows, cols) => {
  const { cases, inputFormat } = await loadProblem(name);
  const { ByteWriter } = await import('../../../src/core/bytes.js');
  const classes = new Set<string>();
  const out = new ByteWriter();
  for (const board of cases.enumerate!({ rows: range(rows), cols: range(cols), set: null }).candidatesFrom(
    0n,
  )) {
    const texts: string[] = [];
    for (const variant of cases.symmetries!.variantsOf(board!)) {
      if (variant.rows !== rows) continue;
      inputFormat.printCase(variant, out);
      texts.push(Buffer.from(out.take()).toString('latin1'));
    }
    classes.add(texts.sort()[0]);
  }
  expect(cases.symmetries!.countClasses!(rows, cols)).toBe(BigInt(classes.size));
});

test('a nimber that the solver did not write is an error, not the value `undefined`', () => {
  expect(NIMBERS_AS_VALUES.of('WIN', 3)).toEqual({ label: '3', size: 3 });
  expect(() => NIMBERS_AS_VALUES.of('WIN', undefined)).toThrow('its solver wrote no nimber');
});
