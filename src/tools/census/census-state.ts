/**
 * How far a census has come. The state of a shard that is counted is the part that `merge` joins with the others; that of a
 * census that was interrupted is what `--resume` continues.
 */
import { closeSync, readSync } from 'node:fs';
import * as v from 'valibot';
import { BoardmillError } from '../../core/errors.js';
import { statOrNull } from '../../core/files/files.js';
import { assertRegularFile, openRegularForReading, readSmallFile } from '../../core/files/regular-files.js';
import { parseSealedJson, printSealedJson } from '../../core/files/sealed-json.js';
import type { Range } from '../../core/range.js';
import { assertAllShards, boundAfterShards, type Shard, WHOLE_INPUT } from '../../engine/input/shard.js';
import { MAX_STATE_FILE_BYTES } from '../../engine/limits.js';
import { SHARD_RECORD_PREFIX, shardRecordPath } from '../../engine/output/shard-record.js';
import { describeChangedSettings, type SettingsFingerprint } from '../../engine/output-settings.js';
import type { CensusSize } from '../../problems/census.js';
import type { Problem } from '../../problems/problem.js';
import { type CensusPlan, countSizes, sizesIn } from './census-plan.js';
import { SizeTotals, type StoredTotals } from './size-totals.js';

/** What the counts of a census are called. */
export interface CensusNames {
  readonly problem: string;
  /** The counts by value, such as `nimbers`; null if cases have no value besides their answer. */
  readonly values: string | null;
  /** The number of the largest case, such as `nimber`. */
  readonly size: string;
  /** Up to which changes classes are counted, such as `turning and mirroring`; null if they are not. */
  readonly symmetry: string | null;
}

export interface CensusState {
  readonly names: CensusNames;
  /** What is counted, as messages name it: the problem, the sizes, the version of boardmill. */
  readonly terms: SettingsFingerprint;
  readonly shard: Shard;
  /** Number of slices of the shard, and of those that are counted, in their order. */
  readonly slices: number;
  readonly done: number;
  readonly totals: readonly SizeTotals[];
}

const SCHEMA = 'boardmill/census/1';
/** The first characters of the states of all versions. */
export const CENSUS_STATE_PREFIX = '{"schema":"boardmill/census/';

interface StoredState extends Omit<CensusState, 'totals'> {
  readonly sizes: readonly StoredTotals[];
}

export function printCensusState({ totals, ...state }: CensusState): string {
  const stored: StoredState = { ...state, sizes: totals.map((each) => each.toStored()) };
  return printSealedJson(SCHEMA, stored);
}

/** Returns the state that a text says; null if `printCensusState` cannot have written the text. */
export function parseCensusState(text: string): CensusState | null {
  const stored = parseSealedJson<StoredState>(SCHEMA, text, isPossible);
  if (stored === null) return null;
  const { sizes, ...state } = stored;
  return { ...state, totals: sizes.map((size) => SizeTotals.fromStored(size)) };
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Counts by labels of this form. The `record` of valibot lets lists and the key `__proto__` pass. */
const countsBy = (label: RegExp) =>
  v.pipe(
    v.custom<Record<string, number>>(
      (input) => !Array.isArray(input) && Object.keys(input ?? {}).every((key) => label.test(key)),
    ),
    v.record(v.string(), count),
  );

/** The form of a state as JSON. */
const STORED_STATE = v.strictObject({
  names: v.strictObject({
    problem: v.string(),
    values: v.nullable(v.string()),
    size: v.string(),
    symmetry: v.nullable(v.string()),
  }),
  terms: v.record(v.string(), v.string()),
  shard: v.strictObject({ number: v.pipe(count, v.minValue(1)), count }),
  slices: count,
  done: count,
  sizes: v.array(
    v.strictObject({
      rows: v.nullable(count),
      cols: v.nullable(count),
      classes: v.nullable(count),
      cases: count,
      // Such as `3` or `Red 5`.
      values: countsBy(/^[A-Za-z0-9 -]+$/),
      answers: v.nullable(countsBy(/^/)),
      largest: v.nullable(v.strictObject({ size: v.number(), index: count, rows: v.array(v.string()) })),
    }),
  ),
});

/** Whether a state has the right form, and its fields do not contradict each other. */
function isPossible(stored: StoredState): boolean {
  if (!v.is(STORED_STATE, stored)) return false;
  const { names, terms, shard, slices, done, sizes } = stored;
  return (
    names.problem === terms.problem &&
    shard.number <= shard.count &&
    done <= slices &&
    slices === slicesOf(shard, Number(terms[SLICES_TERM])) &&
    haveSizes(sizes, rangeOf(terms[ROWS_TERM]), rangeOf(terms[COLS_TERM])) &&
    sizes.every((each) => doCountsAddUp(each, names.values !== null) && isLargestOfSize(each))
  );
}

/** Number of slices of a shard, if there are so many in all shards together. */
function slicesOf({ number, count }: Shard, all: number): number {
  return boundAfterShards(number, count, all) - boundAfterShards(number - 1, count, all);
}

/** Whether the totals are those of all sizes in these ranges. */
function haveSizes(sizes: readonly StoredTotals[], rows: Range | null, cols: Range | null): boolean {
  // Somebody else may have written ranges of any length.
  if (sizes.length !== countSizes(rows, cols)) return false;
  return sizesIn(rows, cols).every(
    (size, index) => size.rows === sizes[index].rows && size.cols === sizes[index].cols,
  );
}

/** Whether the cases of a size are as many as its answers and, if cases have values, as its values. */
function doCountsAddUp({ cases, values, answers }: StoredTotals, hasValues: boolean): boolean {
  const sumOf = (each: Counts) => Object.values(each).reduce((sum, one) => sum + one, 0);
  return (
    (hasValues ? sumOf(values) === cases : Object.keys(values).length === 0) &&
    (answers === null || sumOf(answers) === cases)
  );
}

/** Whether the board of the largest case has as many rows as boards of this size. */
function isLargestOfSize({ rows, largest }: StoredTotals): boolean {
  return rows === null || largest === null || largest.rows.length === rows;
}

type Counts = StoredTotals['values'];

const ROWS_TERM = '--rows';
const COLS_TERM = '--cols';
const SLICES_TERM = 'the number of slices';

/** The terms that say which sizes a census counts, in how many slices. */
export function fingerprintOfSizes(
  rows: Range | null,
  cols: Range | null,
  { slices }: Pick<CensusPlan, 'slices'>,
): SettingsFingerprint {
  return { [ROWS_TERM]: formatRange(rows), [COLS_TERM]: formatRange(cols), [SLICES_TERM]: `${slices}` };
}

function formatRange(range: Range | null): string {
  return range === null ? 'none' : `${range.from}..${range.to}`;
}

/** Returns the range that a term says; null if it says that there is none. */
function rangeOf(term: string): Range | null {
  if (term === 'none') return null;
  const [from, to] = term.split('..').map(Number);
  return { from, to };
}

/** A file with the state of a shard that is counted. */
export interface CensusPart {
  readonly path: string;
  readonly state: CensusState;
}

/**
 * Reads the parts of a census. Returns null if none of the files is one. Fails with kind `file` if only some are, or if one was
 * changed.
 */
export function findCensusParts(paths: readonly string[]): CensusPart[] | null {
  if (!paths.some(isCensusPart)) return null;
  return paths.map((path) => ({ path, state: readPart(path) }));
}

function readPart(path: string): CensusState {
  assertRegularFile(path);
  const state = stateIn(path);
  if (state !== null) return state;
  const isAnswers = [path, shardRecordPath(path)].some((file) => beginsWith(file, SHARD_RECORD_PREFIX));
  const what = isAnswers
    ? 'was written by solve --shard, but others are parts of a census'
    : 'is not a part that census --shard wrote, or was changed';
  throw new BoardmillError('file', `${path} ${what}`);
}

/** Returns the state in a file that is a finished part of a census; null for any other file. */
export function findCensusPart(path: string): CensusState | null {
  const state = stateIn(path);
  return state !== null && state.done === state.slices ? state : null;
}

/** Returns the state in a file; null if it has none, or one that was changed. */
function stateIn(path: string): CensusState | null {
  return isCensusPart(path) ? parseCensusState(readSmallFile(path, MAX_STATE_FILE_BYTES).toString()) : null;
}

function isCensusPart(path: string): boolean {
  return beginsWith(path, CENSUS_STATE_PREFIX);
}

/** Whether a file begins with this text. What is no regular file does not. */
function beginsWith(path: string, text: string): boolean {
  if (statOrNull(path)?.isFile() !== true) return false;
  const { descriptor } = openRegularForReading(path);
  try {
    const begin = Buffer.alloc(text.length);
    readSync(descriptor, begin);
    return begin.toString('latin1') === text;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Joins the parts of all shards of a census into the state of the whole. Fails with kind `file` unless the parts are all shards
 * of one census.
 */
export function joinCensusParts(given: readonly CensusPart[]): CensusState {
  const parts = [...given].sort((one, other) => one.state.shard.number - other.state.shard.number);
  const [first] = parts;
  for (const part of parts) assertBelongs(part, first);
  assertAllShards(parts.map(({ path, state: { shard } }) => ({ path, shard })));
  const totals = first.state.totals.map(({ size, classes }, index) => {
    const sum = new SizeTotals(size, classes);
    for (const { state } of parts) sum.add(state.totals[index].counts);
    return sum;
  });
  const slices = parts.reduce((sum, { state }) => sum + state.slices, 0);
  const { terms, names } = first.state;
  return { names, terms, shard: WHOLE_INPUT, slices, done: slices, totals };
}

function assertBelongs({ path, state }: CensusPart, { path: firstPath, state: first }: CensusPart): void {
  if (state.done < state.slices)
    throw new BoardmillError('file', `${path} is unfinished: the same census with --resume continues it`);
  const difference =
    describeChangedSettings(first.terms, state.terms) ??
    (haveSameNames(state, first) ? null : 'the counts have other names or classes');
  if (difference === null) return;
  throw new BoardmillError(
    'file',
    `${path} and ${firstPath} were not made in the same way: ${difference} in ${path}`,
  );
}

/** Whether the counts of two states are called the same, and their sizes have as many classes. */
export function haveSameNames(one: CensusState, other: CensusState): boolean {
  const namesOf = ({ names, totals }: CensusState) =>
    JSON.stringify([names, totals.map(({ classes }) => classes)]);
  return namesOf(one) === namesOf(other);
}

/** Returns the state of a census of which nothing is counted yet. */
export function createCensusState(
  problem: Problem,
  plan: CensusPlan,
  shard: Shard,
  terms: SettingsFingerprint,
): CensusState {
  const { caseValues, cases, name } = problem;
  const { from, to } = plan.boundsOf(shard);
  return {
    names: {
      problem: name,
      values: caseValues?.name ?? null,
      size: caseValues?.sizeName ?? 'answer',
      symmetry: cases.symmetries?.description ?? null,
    },
    terms,
    shard,
    slices: to - from,
    done: 0,
    totals: plan.sizes.map(
      ({ rows, cols }) => new SizeTotals({ rows, cols }, classesOf(problem, { rows, cols })),
    ),
  };
}

function classesOf({ cases }: Problem, { rows, cols }: CensusSize): number | null {
  const classes = rows === null || cols === null ? undefined : cases.symmetries?.countClasses?.(rows, cols);
  return classes === undefined ? null : Number(classes);
}
