/**
 * Tests of the solvers that take cases from text: whatever the text is, the result of a chunk is the one that the parser and
 * the same solver give together.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadProblem } from '../../src/catalog/registry.js';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { allocateSharedProgress, type ChunkResult } from '../../src/engine/messages.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import { createSimdSolver as bacterialTactics } from '../../src/games/bacterial-tactics/kernel.js';
import { createSimdSolver as riverPawn } from '../../src/games/river-pawn/kernel.js';
import { loadPlainKernel } from '../../src/games/shared/load-kernel.js';
import type { KernelBatch, Problem, Solver } from '../../src/problems/problem.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';
import {
  anyDamage,
  applyDamage,
  bytesOf,
  linesOf,
  type PlainCase,
  randomCase,
  type Style,
  styleOf,
} from '../support/inputs.js';
import { Random } from '../support/random.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

type Bytes = Uint8Array<ArrayBuffer>;

/** The sides at which kernels, size lines and limits change, and sides that no board may have. */
const EDGES = [0, 1, 2, 9, 10, 11, 31, 32, 33, 50, 51, 99, 100];

const KERNELS = new URL('../../build/workers/kernels/', import.meta.url);

/** The problems whose solvers have a kernel batch, with the longest side of a board that their kernels can solve. */
const SUBJECTS = await Promise.all(
  [
    { name: 'bacterial-tactics', maxSide: 32, create: bacterialTactics },
    { name: 'river-pawn', maxSide: 10, create: riverPawn },
  ].map(async ({ name, maxSide, create }) => {
    const solver = create(loadPlainKernel(name, KERNELS)) as Solver<unknown, unknown>;
    return { name, maxSide, solver, problem: await loadProblem(name) };
  }),
);

const HEAD = copyHeadToSharedMemory(null);

/** Returns the cases, one after another, as a chunk. */
function chunkOf(cases: readonly Bytes[]): { readonly bytes: Bytes; readonly starts: Uint32Array } {
  const starts = new Uint32Array(cases.length + 1);
  cases.forEach(({ length }, i) => {
    starts[i + 1] = starts[i] + length;
  });
  return { bytes: new Uint8Array(Buffer.concat(cases)), starts };
}

async function solveChunk(
  chunks: ChunkSolver<unknown, unknown>,
  cases: readonly Bytes[],
  onError: ErrorPolicy,
): Promise<ChunkResult> {
  return chunks.solve({
    ...chunkOf(cases),
    firstCase: 1,
    head: HEAD,
    settings: { outputFormat: 'text', columns: [], onError },
    origin: null,
    isSolvedOneByOne: false,
    progress: allocateSharedProgress(),
  });
}

/** Returns all of a result that does not depend on the clock. */
function withoutTimes({ times: _, slowest: __, ...rest }: ChunkResult) {
  return { ...rest, output: Buffer.from(rest.output).toString('latin1') };
}

/** The same solver, without its kernel batch. */
function withoutIntake<Answer>(solver: Solver<Answer, unknown>): Solver<Answer, unknown> {
  return {
    name: solver.name,
    lanes: solver.lanes,
    get fallbackCases() {
      return solver.fallbackCases;
    },
    solve: (...batch) => solver.solve(...batch),
  };
}

/** Solves chunks with the kernel batch of a solver, and again without it, and expects the same results. */
class Comparison {
  readonly #pairs: (readonly [ChunkSolver<unknown, unknown>, ChunkSolver<unknown, unknown>])[];

  constructor(problem: Problem, solver: Solver<unknown, unknown>) {
    this.#pairs = [false, true].map((refusesFallback) => [
      new ChunkSolver(problem, solver, refusesFallback),
      new ChunkSolver(problem, withoutIntake(solver), refusesFallback),
    ]);
  }

  /** Returns the result under `--on-error mark`, where no board is refused. */
  async expectSame(cases: readonly Bytes[]): Promise<ReturnType<typeof withoutTimes>> {
    const results = [];
    for (const onError of ['mark', 'stop'] as const) {
      for (const [withIntake, parsed] of this.#pairs) {
        const got = withoutTimes(await solveChunk(withIntake, cases, onError));
        const expected = withoutTimes(await solveChunk(parsed, cases, onError));
        // How many boards the kernel has refused when a run stops depends on the size of the batch.
        if (onError === 'stop') expected.fallbackCases = got.fallbackCases;
        expect(got).toEqual(expected);
        results.push(got);
      }
    }
    return results[0];
  }
}

/** Returns a case in canonical layout. */
function textOf(style: Style, plain: PlainCase): string {
  return linesOf({ ...style, preamble: [], terminated: false }, [plain])
    .map((line) => `${line.join(' ')}\n`)
    .join('');
}

/** A case in canonical layout whose sides are at most `maxSide`. */
function anyCanonical(style: Style, maxSide: number): fc.Arbitrary<string> {
  const side = (min: number) => fc.integer({ min, max: maxSide });
  return fc
    .record({ rows: side(style.minRows), cols: side(1), seed: fc.nat() })
    .filter(({ rows, cols }) => rows * cols >= style.minCells)
    .map(({ rows, cols, seed }) => textOf(style, randomCase(style, rows, cols, new Random(seed))));
}

/** A case of which one side is one of `EDGES`, and the other one small. */
function anyAtEdge(style: Style): fc.Arbitrary<string> {
  const shape = fc.record({ edge: fc.constantFrom(...EDGES), other: fc.integer({ min: 1, max: 4 }) });
  return fc.tuple(shape, fc.boolean(), fc.nat()).map(([{ edge, other }, isTall, seed]) => {
    const [rows, cols] = isTall ? [edge, other] : [other, edge];
    const isPossible = rows >= style.minRows && rows * cols >= style.minCells;
    const withPieces = isPossible ? style : { ...style, arrange: () => {} };
    return textOf(style, randomCase(withPieces, rows, cols, new Random(seed)));
  });
}

type Change = (text: string, style: Style, random: Random) => string;

/** Replaces one of these letters below the size line by another one. */
function replaceLetter(text: string, letters: string, by: string, random: Random): string {
  const rows = text.indexOf('\n') + 1;
  const places = [...text].flatMap((letter, at) => (at >= rows && letters.includes(letter) ? [at] : []));
  if (places.length === 0) return text;
  const at = random.pick(places);
  return text.slice(0, at) + by + text.slice(at + 1);
}

function changeLine(text: string, random: Random, change: (line: string) => string): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  return lines.map((line, i) => (i === at ? change(line) : line)).join('\n');
}

function changeHeader(text: string, change: (rows: string, cols: string) => string): string {
  const [sizeLine, ...rows] = text.split('\n');
  const [first, second] = sizeLine.split(' ');
  return [change(first, second), ...rows].join('\n');
}

/** Changes of a canonical case. Some of them keep it good, and most make it bad. */
const CHANGES: Record<string, Change> = {
  'CRLF in every line': (text) => text.replaceAll('\n', '\r\n'),
  'CRLF in one line': (text, _, random) => changeLine(text, random, (line) => `${line}\r`),
  'leading zeros': (text, _, random) =>
    changeHeader(
      text,
      (rows, cols) => `${'0'.repeat(random.below(4))}${rows} ${'0'.repeat(random.below(4))}${cols}`,
    ),
  'another blank': (text, _, random) =>
    changeHeader(text, (rows, cols) => `${rows}${random.pick(['\t', '  ', '\n', ''])}${cols}`),
  'another number of rows': (text, _, random) =>
    changeHeader(text, (_rows, cols) => `${random.pick(EDGES)} ${cols}`),
  'another number of columns': (text, _, random) =>
    changeHeader(text, (rows) => `${rows} ${random.pick(EDGES)}`),
  'swapped sides': (text) => changeHeader(text, (rows, cols) => `${cols} ${rows}`),
  'blanks at the end of a line': (text, _, random) => changeLine(text, random, (line) => `${line}  `),
  'blanks at the start of a line': (text, _, random) => changeLine(text, random, (line) => ` ${line}`),
  'a blank line': (text, _, random) => changeLine(text, random, (line) => `${line}\n`),
  'a long line': (text, style, random) =>
    changeLine(text, random, (line) => line + random.pick(style.letters[0])),
  'a short line': (text, _, random) => changeLine(text, random, (line) => line.slice(1)),
  'a letter moved to the next line': (text) => text.replace(/(.)\n(.+)\n$/, '\n$1$2\n'),
  'no line end': (text) => text.slice(0, -1),
  'another byte for a line end': (text, _, random) =>
    replaceLetter(text, '\n', random.pick([...' .#X\t\r\0']), random),
  'a line more': (text, _, random) => changeLine(text, random, (line) => `${line}\n${line}`),
  'a wrong letter': (text, style, random) =>
    replaceLetter(text, style.letters[0], random.pick([...'AaoxX.\0\n\x80\xff']), random),
  'a letter for another': (text, style, random) =>
    replaceLetter(text, style.letters[0], random.pick(style.letters[0]), random),
  'no X': (text) => text.replace('X', '.'),
  'two X': (text, _, random) => replaceLetter(text, '.#', 'X', random),
  'X in row 1': (text) => text.replace('X', '.').replace(/\n[.#XO]/, '\nX'),
  'one O': (text) => text.replace('O', '#'),
  'three O': (text, _, random) => replaceLetter(text, '.#', 'O', random),
};

/** A case that is changed, damaged or both. */
function anyChanged(style: Style, canonical: fc.Arbitrary<string>): fc.Arbitrary<Bytes> {
  const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat());
  const damages = fc.oneof(fc.constant([]), fc.array(anyDamage(), { maxLength: 2 }));
  return fc
    .tuple(canonical, fc.array(change, { minLength: 1, maxLength: 2 }), damages)
    .map(([text, changes, damage]) => {
      const changed = changes.reduce(
        (before, [name, seed]) => CHANGES[name](before, style, new Random(seed)),
        text,
      );
      return damage.reduce(applyDamage, new Uint8Array(Buffer.from(changed, 'latin1')));
    });
}

describe.each(SUBJECTS)('the kernel batch of $name', ({ name, maxSide, solver, problem }) => {
  const style = styleOf(name);
  const kernelBatch = solver.kernelBatch as KernelBatch<unknown, unknown>;
  const comparison = new Comparison(problem, solver);
  const good = textOf(style, randomCase(style, 2, 3, new Random(1)));

  it('takes every canonical case that fits the kernel, and gives the answers of the portable solver', () => {
    const portable = problem.solvers.createPortable!();
    const parser = problem.inputFormat.createParser();
    // Boards with long sides are rare here, because they take the portable solver longest.
    const small = anyCanonical(style, Math.min(maxSide, 10));
    const large = anyCanonical(style, maxSide);
    const anyBatch = fc.oneof(fc.array(small, { maxLength: 40 }), fc.array(large, { maxLength: 3 }));
    fc.assert(
      fc.property(anyBatch, (cases) => {
        const { bytes, starts } = chunkOf(cases.map(bytesOf));
        expect(kernelBatch.loadText(bytes, starts, 0, cases.length)).toBe(Math.max(cases.length, 1));
        expect(kernelBatch.takeCanonical(0)).toBe(cases.length);
        expect(kernelBatch.lineEnds).toBe(cases.join('').split('\n').length - 1);
        const got: unknown[] = [];
        kernelBatch.solveTaken(got);
        const values = cases.map((_, i) => parser.parse(bytes, starts[i], starts[i + 1], null)!);
        const expected: unknown[] = [];
        void portable.solve(values, values.length, expected);
        expect(got).toEqual(expected);
      }),
      { numRuns: runs(50) },
    );
  });

  it.each(Object.keys(CHANGES))('reads a case with this change as the parser does: %s', async (change) => {
    const random = new Random(change.length);
    const cases = Array.from({ length: 60 }, (_, i) => {
      const rows = style.minRows + random.below(maxSide - 1);
      const text = textOf(style, randomCase(style, rows, 2 + random.below(6), random));
      return new Uint8Array(Buffer.from(i % 3 === 0 ? text : CHANGES[change](text, style, random), 'latin1'));
    });
    await comparison.expectSame(cases);
  });

  it('gives the results of the parser for chunks of good, changed and damaged cases', async () => {
    const canonical = fc.oneof(
      { weight: 3, arbitrary: anyCanonical(style, 10) },
      { weight: 1, arbitrary: anyAtEdge(style) },
    );
    const anyCase = fc.oneof(canonical.map(bytesOf), anyChanged(style, canonical));
    await fc.assert(
      fc.asyncProperty(fc.array(anyCase, { maxLength: 12 }), async (cases) => {
        await comparison.expectSame(cases);
      }),
      { numRuns: runs(150) },
    );
  });

  it('a case that is longer than the text of a batch may be', async () => {
    const long = (bytes: number) => good.replace('\n', `${' '.repeat(bytes)}\n`);
    const cases = [good, long(1 << 20), good, long((1 << 20) + 50), good, good].map(bytesOf);
    const { answeredCases, faults } = await comparison.expectSame(cases);
    expect([answeredCases, faults.map(({ index }) => index)]).toEqual([4, [1, 3]]);
  });

  it('a chunk whose text fills the memory of several batches', async () => {
    const wide = good.replace('\n', `${' '.repeat(400_000)}\n`);
    const cases = Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? wide : good));
    expect((await comparison.expectSame(cases.map(bytesOf))).answeredCases).toBe(9);
  });

  it('a chunk without cases', async () => {
    expect((await comparison.expectSame([])).answeredCases).toBe(0);
  });

  it('good, bad and large cases in turn, in more than one batch', async () => {
    const large = textOf(style, randomCase(style, maxSide + 1, 2, new Random(2)));
    const kinds = [good, '2 2\n..\n.?\n', large, good.replaceAll('\n', '\r\n')].map(bytesOf);
    const cases = Array.from({ length: 2 * kernelBatch.maxCases + 5 }, (_, i) => kinds[i % kinds.length]);
    const { answeredCases, faults, fallbackCases } = await comparison.expectSame(cases);
    expect(answeredCases + faults.length).toBe(cases.length);
    expect(fallbackCases).toBe(Math.floor((cases.length + 1) / 4));
  });

  it('cases of a batch that nobody solved do not come into the next batch', async () => {
    const random = new Random(3);
    const cases = Array.from({ length: 40 }, () => bytesOf(textOf(style, randomCase(style, 4, 5, random))));
    const { bytes, starts } = chunkOf(cases.slice(30));
    kernelBatch.loadText(bytes, starts, 0, 10);
    kernelBatch.takeCanonical(0);
    await comparison.expectSame(cases.slice(0, 30));
  });
});
