/**
 * Tests that the shards of an input give together what one run gives, however the input is divided and cut into chunks, and
 * that each shard ends exactly where the next one begins.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanIntoChunks } from '../../src/engine/cut/scan.js';
import { createInputHasher, hashBlocks } from '../../src/engine/input/input-hash.js';
import {
  rangeOfShard,
  type ShardExtent,
  type ShardOfInput,
  shardOfInput,
} from '../../src/engine/input/shard.js';
import { HASH_BLOCK_BYTES } from '../../src/engine/limits.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import type { RunPosition } from '../../src/engine/position.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { parseGrammar } from '../../src/formats/checktestdata/language/parser.js';
import { GrammarInputFormat } from '../../src/formats/checktestdata/reading/grammar-format.js';
import type { InputFormat } from '../../src/formats/input-format.js';
import { formats } from '../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { InProcess } from '../support/in-process.js';
import { anyInput, bytesOf, STYLES, type Style } from '../support/inputs.js';
import { runs } from '../support/random-tests.js';
import { MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { inPieces } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

const { counted, untilEnd, untilTerminator } = formats;
const { int, ints, line, lines, until } = formats;

allowSlowTests();

interface Cutting {
  readonly chunkBytes: number;
  readonly pieceBytes: number;
}

const anyCutting: fc.Arbitrary<Cutting> = fc.record({
  chunkBytes: fc.constantFrom(1, 20, 64),
  pieceBytes: fc.constantFrom(1, 7, 1 << 16),
});
const anyPolicy = fc.constantFrom<ErrorPolicy>('stop', 'mark');
/** How each shard cuts its chunks, and so also how many shards there are. */
const anyCuttings = fc.array(anyCutting, { minLength: 1, maxLength: 7 });

interface Outcome {
  readonly text: string;
  /** The message of the error that ended the run, or null. */
  readonly error: string | null;
  readonly cases: number;
  readonly failedCases: number;
  readonly extent: ShardExtent | null;
  readonly positions: MemorySink['positions'];
}

type Input = Uint8Array<ArrayBuffer>;

/** Solves the input, or a shard of it. The answer to each board is its width. */
async function solve(
  { inputFormat }: Pick<Style, 'inputFormat'>,
  input: Input,
  onError: ErrorPolicy,
  { chunkBytes, pieceBytes }: Cutting,
  shard?: ShardOfInput,
  from: RunPosition | null = null,
): Promise<Outcome> {
  const problem = { ...widthProblem, inputFormat };
  const sink = new MemorySink(from, true);
  const tally = new RunTally();
  let extent: ShardExtent | null = null;
  const options = runOptions({
    problem,
    onError,
    chunkBytes,
    outputFormat: 'csv',
    columns: ['line'],
    ...(shard === undefined ? {} : { shard }),
  });
  const error = await solveInput(
    sourceOf(input, pieceBytes),
    sink,
    new InProcess(problem),
    options,
    tally,
  ).then(
    ({ end }) => {
      extent = end.shard;
      return null;
    },
    (thrown: Error) => thrown.message,
  );
  const { cases, failedCases } = tally;
  return { text: sink.text, error, cases, failedCases, extent, positions: sink.positions };
}

/** Solves the shards one after another, up to the first that fails. */
async function solveShards(
  style: Style,
  input: Input,
  onError: ErrorPolicy,
  cuttings: readonly Cutting[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [i, cutting] of cuttings.entries()) {
    const shard = { number: i + 1, count: cuttings.length };
    outcomes.push(await solve(style, input, onError, cutting, shardOfInput(shard, input.length)));
    if (outcomes[i].error !== null) break;
  }
  return outcomes;
}

function expectSame(shards: readonly Outcome[], whole: Outcome): void {
  const text = shards.map((shard) => shard.text).join('');
  // One run that fails before its first answer does not even write the heading.
  expect(whole.text === '' ? text.replace(/^case,.*\n/, '') : text).toBe(whole.text);
  expect(shards.at(-1)?.error).toBe(whole.error);
  const sum = (key: 'cases' | 'failedCases') => shards.reduce((total, outcome) => total + outcome[key], 0);
  expect([sum('cases'), sum('failedCases')]).toEqual([whole.cases, whole.failedCases]);
}

/** Each shard begins where the one before it ends, and only the last must read the end of the input. */
function expectChained(shards: readonly Outcome[]): void {
  for (const [i, { extent, cases }] of shards.entries()) {
    if (i > 0) expect(extent?.start).toEqual(shards[i - 1].extent?.end);
    else expect(extent?.start.cases).toBe(0);
    expect(extent!.end.cases - extent!.start.cases).toBe(cases);
  }
  expect(shards.at(-1)?.extent?.isInputEnd).toBe(true);
}

describe.each(STYLES)('$name', (style) => {
  test('the shards of an input give what one run gives, up to its first error', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 2), anyPolicy, anyCuttings, async (input, onError, cuttings) => {
        const whole = await solve(style, input, onError, cuttings[0]);
        const shards = await solveShards(style, input, onError, cuttings);
        expectSame(shards, whole);
        if (whole.error === null) expectChained(shards);
      }),
      { numRuns: runs(60) },
    );
  });

  test('a shard that is interrupted after any checkpoint and resumed gives the same answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput(style, 1),
        anyPolicy,
        anyCuttings,
        fc.nat(),
        async (input, onError, cuttings, choice) => {
          const shard = { number: (choice % cuttings.length) + 1, count: cuttings.length };
          const part = shardOfInput(shard, input.length);
          const once = await solve(style, input, onError, cuttings[0], part);
          for (const { position, text } of once.positions) {
            const rest = await solve(style, input, onError, cuttings.at(-1)!, part, position);
            expect({ ...rest, text: text + rest.text, positions: [] }).toEqual({ ...once, positions: [] });
          }
        },
      ),
      { numRuns: runs(30) },
    );
  });
});

/** Formats in which whitespace is content, or lines matter, with a text that is cut at random places and repeated. */
const grammar = (text: string) => new GrammarInputFormat(parseGrammar(text, 'test.ctd'), { multitest: true });
const OTHER_FORMATS: readonly [string, InputFormat, string][] = [
  [
    'lines that may be empty',
    new TreeInputFormat(untilEnd({ text: line({ empty: true }) })),
    'a b\n\n  c \n\n\r\nd\t\n',
  ],
  ['paragraphs', new TreeInputFormat(untilEnd({ rows: lines(until('\n\n')) })), 'a b\nc\n\n\n  d\n\ne\n\n'],
  [
    'counted arrays',
    new TreeInputFormat(counted({ n: int(0, 9), a: ints('n') })),
    '2 5 6\n0 1 7\n\n3 1 2 3 ',
  ],
  ['a terminator', new TreeInputFormat(untilTerminator('0', { n: int(1, 9) })), '1 2\n\n3 \r\n4\n5 '],
  ['a grammar with a count', grammar('INT(0,99,t) NEWLINE REP(t) INT(0,9) NEWLINE END EOF'), '1\n2\n3\n'],
  ['a grammar of lines', grammar('WHILE(!ISEOF) REGEX("[a-z ]*") NEWLINE END EOF'), 'a b\n\n  c \n\nd\n'],
];

/** The cases of an input, or of a shard of it, as the scanner finds them, and what the scan says about the end. */
async function scanShard(
  inputFormat: InputFormat,
  input: Input,
  onError: ErrorPolicy,
  { chunkBytes, pieceBytes }: Cutting,
  shard: { number: number; count: number },
) {
  const found: string[] = [];
  const items = scanIntoChunks(inPieces(input, pieceBytes), {
    inputFormat,
    onError,
    chunkBytes: () => chunkBytes,
    shardRange: rangeOfShard(shard, input.length),
    hash: createInputHasher(),
    startPosition: null,
  });
  for await (const item of items) {
    if (item.kind === 'end') return { found, fault: item.fault, extent: item.shard };
    const { bytes, starts, firstCase } = item;
    for (let i = 0; i + 1 < starts.length; i++)
      found.push(`${firstCase + i}: ${Buffer.from(bytes.subarray(starts[i], starts[i + 1]))}`);
  }
  return { found, fault: null, extent: null };
}

test.each(OTHER_FORMATS)('the shards of %s have all cases', async (_, inputFormat, sample) => {
  const anyText = fc
    .tuple(fc.constantFrom('', '3\n', '9 '), fc.array(fc.nat(sample.length), { maxLength: 8 }))
    .map(([head, cuts]) => bytesOf(head + cuts.map((at) => sample.slice(at)).join('')));
  await fc.assert(
    fc.asyncProperty(anyText, anyPolicy, anyCuttings, async (input, onError, cuttings) => {
      const whole = await scanShard(inputFormat, input, onError, cuttings[0], { number: 1, count: 1 });
      const all: string[] = [];
      let before: ShardExtent | null = null;
      for (const [i, cutting] of cuttings.entries()) {
        const shard = { number: i + 1, count: cuttings.length };
        const { found, fault, extent } = await scanShard(inputFormat, input, onError, cutting, shard);
        all.push(...found);
        if (extent === null || fault !== null) {
          expect(fault).toEqual(whole.fault);
          break;
        }
        if (before !== null) expect(extent.start).toEqual(before.end);
        before = extent;
      }
      expect(all).toEqual(whole.found);
    }),
    { numRuns: runs(60) },
  );
});

test('a shard of an input whose head is wrong begins and ends nowhere', async () => {
  const format = new TreeInputFormat(counted({ n: int(0, 9) }));
  const cutting = { chunkBytes: 20, pieceBytes: 7 };
  const scanned = await scanShard(format, bytesOf('three\n1 2 3\n'), 'mark', cutting, {
    number: 2,
    count: 3,
  });
  expect(scanned.found).toEqual([]);
  expect(scanned.fault).toMatchObject({ got: '"three"' });
  expect(scanned.extent).toBeNull();
});

describe('ranges and hashes', () => {
  test('ranges of very large inputs are exact and leave nothing out', () => {
    const bytes = Number.MAX_SAFE_INTEGER;
    const ranges = Array.from({ length: 7 }, (_, i) => rangeOfShard({ number: i + 1, count: 7 }, bytes));
    expect(ranges[0].from).toBe(0);
    expect(ranges.at(-1)?.to).toBe(Number.POSITIVE_INFINITY);
    expect(ranges.slice(1).map(({ from }) => from)).toEqual(ranges.slice(0, -1).map(({ to }) => to));
    expect(ranges[3].from).toBe(Number((BigInt(bytes) * 3n) / 7n));
  });

  test('a hash is that of the hashes of the blocks, one after another', () => {
    const bytes = Uint8Array.from({ length: 2 * HASH_BLOCK_BYTES + 5 }, (_, i) => (i * i) % 251);
    const hash = createInputHasher();
    hash.update(bytes);
    const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    let expected: Uint8Array = new Uint8Array(32);
    for (let at = 0; at < bytes.length; at += HASH_BLOCK_BYTES)
      expected = sha256(expected, sha256(bytes.subarray(at, at + HASH_BLOCK_BYTES)));
    expect(hash.digest()).toBe(Buffer.from(expected).toString('hex'));
  });

  test('a hash does not depend on the pieces, and goes on with a part that was hashed by itself', () => {
    const bytes = Uint8Array.from({ length: 3 * HASH_BLOCK_BYTES + 5 }, (_, i) => (i * i) % 251);
    const whole = createInputHasher();
    whole.update(bytes);
    const inSteps = createInputHasher();
    for (let at = 0; at < bytes.length; at += 9999) {
      inSteps.update(bytes.subarray(at, at + 9999));
      const hashed = Math.min(bytes.length, at + 9999);
      const rest = hashBlocks(bytes.subarray(hashed - (hashed % HASH_BLOCK_BYTES)));
      expect(inSteps.join().append(rest)).toBe(whole.digest());
    }
    expect(inSteps.digest()).toBe(whole.digest());
  });
});
