/** Plans and draws a suite: a named set of test files for a problem, which depends on the seed alone. */
import { encodeUtf8, MIB } from '../../core/bytes.js';
import { assemblePrintedCases } from '../../formats/assemble-input.js';
import {
  ANY_BOARDS,
  CASE_PROFILES,
  type CaseProfile,
  type Problem,
  type RandomCasesRequest,
} from '../../problems/problem.js';
import { drawRandomCases, type RandomCaseGenerator } from './draw.js';

/** Smallest number of cases that a suite has of each kind, in one or more files. */
const MIN_SUITE_CASES = 10;

/** Number of cases in a test of a suite, if the contest allows more or does not say. */
const DEFAULT_SUITE_CASES = 100;

/** Size at which a test of a suite gets no further cases. */
const SUITE_FILE_BYTES = 16 * MIB;

/** A test whose cases are drawn. */
export interface RandomTest {
  /** The name of the files of the test, without their endings. */
  readonly name: string;
  readonly request: RandomCasesRequest;
  /** Index of the test's first case among all cases of the request's seed. */
  readonly from: number;
}

/** A test of the problem statement. */
interface SampleTest {
  readonly name: string;
  readonly input: Uint8Array;
  readonly answers: Uint8Array;
}

export type SuiteTest = RandomTest | SampleTest;

interface SuiteOptions {
  readonly seed: string;
  /** Number of cases in each drawn test; null if the contest decides. */
  readonly cases: number | null;
}

/** Returns the tests of the suite: the samples, then each profile, then each set of the contest. */
export function planTestSuite(problem: Problem, { seed, cases }: SuiteOptions): SuiteTest[] {
  const sets = Object.keys(problem.contest?.data.sets ?? {});
  const drawn = (group: string, profile: CaseProfile, set: string | null) =>
    planGroup(group, { seed: `${seed}/${group}`, profile, set, cases: cases ?? casesOfTest(problem, set) });
  return [
    ...samplesOf(problem),
    ...profilesOf(problem).flatMap((profile) => drawn(profile, profile, null)),
    ...namedSets(sets).flatMap(([set, name]) => drawn(name, 'random', set)),
  ];
}

function samplesOf({ samples = [] }: Problem): SampleTest[] {
  return numbered('sample', samples.length).map((name, i) => ({
    name,
    input: encodeUtf8(samples[i].input),
    answers: encodeUtf8(samples[i].answers),
  }));
}

/** Only boards can be hard. */
function profilesOf({ boardLines }: Problem): CaseProfile[] {
  return CASE_PROFILES.filter((profile) => profile !== 'hard' || boardLines !== undefined);
}

/** Returns each set with the name of its tests. Sets of authors may have names that are not names of files. */
function namedSets(sets: readonly string[]): [set: string, name: string][] {
  const used = new Set<string>();
  return sets.map((set) => {
    const name = `set-${set.replace(/[^A-Za-z0-9._-]/g, '_')}`;
    let unique = name;
    for (let i = 2; used.has(unique.toLowerCase()); i++) unique = `${name}-${i}`;
    used.add(unique.toLowerCase());
    return [set, unique];
  });
}

/**
 * Returns the number of cases in a test. A test of a set has as many cases as a contest file, if that number is known. Other
 * tests have fewer: at most DEFAULT_SUITE_CASES.
 */
function casesOfTest(
  { inputFormat, cases: { countBounds }, contest, casesPerRun }: Problem,
  set: string | null,
): number {
  if (inputFormat.ending === 'single') return 1;
  const ofContest = countBounds?.max ?? contest?.data.cases ?? null;
  if (set !== null && ofContest !== null) return ofContest;
  return Math.max(countBounds?.min ?? 0, Math.min(casesPerRun, DEFAULT_SUITE_CASES));
}

/** Plans as many tests of one kind as are needed for MIN_SUITE_CASES cases. A contest may have one case per file. */
function planGroup(group: string, request: Omit<RandomCasesRequest, 'maxSize' | 'boards'>): RandomTest[] {
  const tests = Math.max(1, Math.ceil(MIN_SUITE_CASES / Math.max(1, request.cases)));
  return numbered(group, tests).map((name, i) => ({
    name,
    request: { ...request, maxSize: null, boards: ANY_BOARDS },
    from: i * request.cases,
  }));
}

/** Returns `name` itself, or `count` names with numbers of equal length, so that sorting the names keeps their order. */
function numbered(name: string, count: number): string[] {
  if (count === 1) return [name];
  const digits = String(count).length;
  return Array.from({ length: count }, (_, i) => `${name}-${String(i + 1).padStart(digits, '0')}`);
}

/** A drawn input. */
interface DrawnInput {
  readonly bytes: Uint8Array;
  readonly cases: number;
}

/**
 * Draws the input of a test. If its cases are large, the input ends after the case with which it reaches SUITE_FILE_BYTES, but
 * not before it has as many cases as the format demands.
 */
export async function drawRandomTestInput(
  { inputFormat, cases: { countBounds } }: Problem,
  { request, from }: RandomTest,
  drawer: RandomCaseGenerator,
  throwIfStopped: () => void,
): Promise<DrawnInput> {
  const drawn: Uint8Array[] = [];
  let bytes = 0;
  // If the cases of an input depend on each other, all of them were drawn for an input of exactly `request.cases` cases.
  const least = inputFormat.joint?.needsWhole === true ? request.cases : (countBounds?.min ?? 1);
  const isFull = () => bytes >= SUITE_FILE_BYTES && drawn.length >= least;
  while (drawn.length < request.cases && !isFull()) {
    throwIfStopped();
    const [next] = await drawRandomCases(drawer, from + drawn.length, 1);
    drawn.push(next);
    bytes += next.length;
  }
  return { bytes: assemblePrintedCases(inputFormat, drawn, drawer.head), cases: drawn.length };
}
