/**
 * The scanner of a grammar finds many cases with one call of `findRun`. It must find what it finds case by case, and a case that
 * it calls canonical must be one whose bytes can stand in another input as they are.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from '../../../src/core/bytes.js';
import type { Chunk } from '../../../src/engine/cut/scan.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import { inputOfCanonicalCases, inputOfCases, parseCases } from '../../../src/engine/exec/program-cases.js';
import { PLAIN_SETTINGS } from '../../../src/engine/output-settings.js';
import { assembleInput, UnfitCasesError } from '../../../src/formats/assemble-input.js';
import { GrammarCaseSource } from '../../../src/formats/checktestdata/cases/case-source.js';
import { parseGrammar } from '../../../src/formats/checktestdata/language/parser.js';
import { GrammarInputFormat } from '../../../src/formats/checktestdata/reading/grammar-format.js';
import type { Problem } from '../../../src/problems/problem.js';
import { type Cutting, change, cutting, scanBothWays, scanText } from '../../support/case-runs.js';
import { GRAMMAR_TABLE, randomGrammar } from '../../support/grammars.js';
import { runs } from '../../support/random-tests.js';

const OPTIONS = { multitest: true } as const;

/** Whether a run over the inputs of a program can copy cases of this grammar at all. */
function isDivisible(format: GrammarInputFormat): boolean {
  return format.indivisibleReason === null;
}

function draw(format: GrammarInputFormat, text: string, seed: number): string | null {
  const grammar = parseGrammar(text, 'test.ctd');
  const of = (cases: number) =>
    new GrammarCaseSource(grammar, { seed: `${seed}`, profile: 'random', cases, maxSize: 5 }, OPTIONS);
  try {
    const { min, max } = of(6).casesBounds ?? { min: 0, max: 6 };
    const cases = Math.min(max, Math.max(min, 6));
    const source = of(cases);
    const drawn = Array.from({ length: cases }, (_, index) => source.caseAt(index).bytes);
    return Buffer.from(assembleInput(format, drawn, source.head)).toString('latin1');
  } catch {
    return null;
  }
}

/** Checks the cases of a chunk that the scanner calls canonical. Returns their number. */
function checkCanonical(
  format: GrammarInputFormat,
  { bytes, starts, firstCase, head, canonicalCases }: Chunk,
) {
  const parser = format.createParser();
  parser.useHead(head);
  const separator = new ByteWriter();
  format.printSeparator(separator);
  const after = separator.take();
  for (let i = 0; i < canonicalCases; i++) {
    parser.useIndex?.(firstCase + i - 1);
    const value = parser.parse(bytes, starts[i], starts[i + 1], null);
    expect(parser.fault).toBeNull();
    const copied = Buffer.concat([value!.bytes, after]).toString('latin1');
    expect(Buffer.from(bytes.subarray(starts[i], starts[i + 1])).toString('latin1')).toBe(copied);
  }
  if (isDivisible(format)) checkInput(format, { bytes, starts, firstCase, head, canonicalCases });
  return canonicalCases;
}

/** Checks the input of a program that is made without parsing the cases against the one that is made of parsed cases. */
function checkInput(
  inputFormat: GrammarInputFormat,
  { head, ...chunk }: Pick<Chunk, 'bytes' | 'starts' | 'firstCase' | 'head' | 'canonicalCases'>,
): void {
  const problem = { inputFormat } as unknown as Problem;
  const task = {
    ...chunk,
    head: copyHeadToSharedMemory(head),
    settings: PLAIN_SETTINGS,
    origin: null,
    isSolvedOneByOne: false,
  };
  const made = textOrRefusal(() => inputOfCanonicalCases(problem, task));
  if (made === null) return;
  expect(made).toBe(textOrRefusal(() => inputOfCases(problem, task, parseCases(problem, task))));
}

/** Returns the bytes as text. If the cases do not form an input together, returns the message that says so. */
function textOrRefusal(make: () => Uint8Array | null): string | null {
  try {
    const bytes = make();
    return bytes && Buffer.from(bytes).toString('latin1');
  } catch (error) {
    if (error instanceof UnfitCasesError) return error.message;
    throw error;
  }
}

/** Compares both scans of a text. Returns how many of its cases were canonical. */
async function compareScans(format: GrammarInputFormat, text: string, how: Cutting): Promise<number> {
  const chunks = await scanBothWays(format, text, how);
  return chunks.reduce((sum, chunk) => sum + checkCanonical(format, chunk), 0);
}

test.each(Object.entries(GRAMMAR_TABLE))('%s: the same cases, one by one or in runs', async (_, { text }) => {
  const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), OPTIONS);
  const check = async (seed: number, how: Cutting, changed: (input: string) => string) => {
    const input = draw(format, text, seed);
    if (input !== null) await compareScans(format, changed(input), how);
  };
  await fc.assert(fc.asyncProperty(fc.nat(1000), cutting, change, check), { numRuns: runs(15) });
});

test('the same cases of random grammars, one by one or in runs', async () => {
  let canonical = 0;
  const check = async (text: string, seed: number, how: Cutting, changed: (input: string) => string) => {
    const format = new GrammarInputFormat(parseGrammar(text, 'test.ctd'), OPTIONS);
    const input = draw(format, text, seed);
    if (input !== null) canonical += await compareScans(format, changed(input), how);
  };
  await fc.assert(fc.asyncProperty(randomGrammar, fc.nat(1000), cutting, change, check), {
    numRuns: runs(100),
  });
  expect(canonical).toBeGreaterThan(runs(100));
});

test('a large input is scanned in runs up to its last case', async () => {
  const format = new GrammarInputFormat(
    parseGrammar('INT(1,9999,t) NEWLINE REP(t) INT(0,99) SPACE INT(0,99) NEWLINE END', 'test.ctd'),
    OPTIONS,
  );
  const text = `3000\n${Array.from({ length: 3000 }, (_, i) => `${i % 100} ${(i * 7) % 100}\n`).join('')}`;
  const items = await scanText(format, text, { pieceBytes: 777, chunkBytes: 4000, onError: 'stop' });
  const chunks = items.filter((item) => item.kind === 'chunk');
  const last = chunks.at(-1)!;
  expect(chunks.length).toBeGreaterThan(3);
  for (const { canonicalCases, starts } of chunks.slice(0, -1))
    expect(canonicalCases).toBe(starts.length - 1);
  expect(last.canonicalCases).toBe(last.starts.length - 2);
});
