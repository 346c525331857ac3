/** `boardmill generate --profile all`: lists or counts every case of a problem. */

import type { Range } from '../../core/range.js';
import { assertNotStopped } from '../../core/stop.js';
import type { CaseCountBounds } from '../../formats/tree/case-count.js';
import type { Problem } from '../../problems/problem.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { CaseListing, type FindInvalidCases } from '../../tools/cases/list-cases.js';
import { assertContestHasSet } from '../arguments/problem-argument.js';
import { usageError } from '../arguments/usage-error.js';
import { assertGiven, MAX_COUNT_DIGITS, parseBigCount } from '../arguments/values.js';
import { EXIT_CODE } from '../exit.js';
import { withSignals } from '../signals.js';
import { chooseFolder, type GeneratedFilesOptions, writeInputs } from './generate-files.js';
import { assertCaseCountPossible, type GenerateOutputOptions, writeInput } from './generate-input.js';

/** The options of `generate --profile all`. */
interface ListingOptions extends GenerateOutputOptions, GeneratedFilesOptions {
  readonly rows: Range | null;
  readonly cols: Range | null;
  readonly cases: string | null;
  readonly count: boolean;
  readonly seed: string | null;
  readonly density: number | null;
  readonly set: string | null;
}

/** Lists or counts every case of the problem. */
export async function generateAllCases(problem: Problem, args: ListingOptions): Promise<number> {
  for (const option of ['seed', 'density'] as const) {
    if (args[option] !== null)
      throw usageError(`--${option} cannot be used with --profile all, which draws nothing at random`);
  }
  const { rows, cols, set } = args;
  const slice = args.cases === null ? EVERYTHING : parseSlice(args.cases);
  const folder = chooseFolder(problem, args);
  assertContestHasSet(problem, set);
  const enumeration = problem.cases.enumerate?.({ rows, cols, set });
  if (enumeration === undefined)
    throw usageError(`--profile all: boardmill cannot list the cases of ${problem.name}`);
  const output = args.output === null ? '--dir' : '-o';
  if (args.count && (args.output !== null || folder !== null))
    throw usageError(`--count prints a number, so ${output} has no use`);
  const author = new AuthorFunctionPool(problem, 1);
  const findInvalid: FindInvalidCases = (head, cases) => author.findInvalid(head, cases);
  const listing = new CaseListing(problem, enumeration, problem.author?.hasValid ? findInvalid : null);
  try {
    await withSignals((stop) => writeCases({ problem, listing, slice, folder, args, stop }));
  } finally {
    await author.close();
  }
  return EXIT_CODE.ok;
}

interface ListingPlan {
  readonly problem: Problem;
  readonly listing: CaseListing;
  readonly slice: Slice;
  readonly folder: string | null;
  readonly args: ListingOptions;
  readonly stop: AbortSignal;
}

/** Writes the cases of the slice. With `--count`, prints only how many there are. */
async function writeCases({ problem, listing, slice, folder, args, stop }: ListingPlan): Promise<void> {
  const count = async () => {
    const known = await listing.countUpTo(slice.to, stop);
    assertNotStopped(stop);
    return sliceLength(slice, known);
  };
  if (args.count) process.stdout.write(`${await count()}\n`);
  else if (folder === null) await writeInput(listInput(problem, listing, slice.from, count), args, stop);
  else {
    const inputs = toCount(await count());
    await writeInputs(listing.inputs(slice.from - 1n, inputs), inputs, folder, args, stop);
  }
}

/** Yields the input piece by piece. It counts the cases first, which may take long, so the output is opened before. */
async function* listInput(
  problem: Problem,
  listing: CaseListing,
  from: bigint,
  count: () => Promise<bigint>,
): AsyncGenerator<Uint8Array> {
  const cases = assertListable(problem, await count(), listing.inputCases);
  yield* listing.input(from - 1n, cases);
}

/** The cases that `--cases N` (the first N) or `--cases A..B` selects, counted from 1. */
interface Slice {
  readonly from: bigint;
  /** The last case; null if there is no last one. */
  readonly to: bigint | null;
  /** Whether the user has typed where the slice begins. */
  readonly hasStart: boolean;
}

const EVERYTHING: Slice = { from: 1n, to: null, hasStart: false };

function parseSlice(text: string): Slice {
  const numbers = assertGiven(text, '--cases', 'a number or a range')
    .split(/\.\.|-/)
    .map(parseBigCount);
  const [first, last = first] = numbers;
  const hasStart = numbers.length === 2;
  const isRange = hasStart && first !== null && last !== null && first >= 1n && first <= last;
  if (first === null || last === null || numbers.length > 2 || (hasStart && !isRange)) {
    throw usageError(
      `--cases needs a number such as 1000 or a range such as 1..1000, of at least 1 and of at most ${MAX_COUNT_DIGITS} digits, got "${text.slice(0, 80)}"`,
    );
  }
  return { from: hasStart ? first : 1n, to: last, hasStart };
}

/** Returns the number of cases in the slice. Fails if the slice begins after the last case. */
function sliceLength({ from, to, hasStart }: Slice, known: bigint): bigint {
  if (hasStart && from > known) {
    throw usageError(`--cases ${from}..${to}: there are only ${known} cases`);
  }
  return known - from + 1n;
}

/** Returns the number of cases for the head of an input. Fails if one input cannot hold that many cases. */
function assertListable(problem: Problem, count: bigint, bounds: CaseCountBounds): number {
  const cases = toCount(count);
  if (problem.inputFormat.ending === 'single' && cases !== 1)
    throw usageError(
      `--profile all lists ${cases} cases: an input of ${problem.name} is one case; --dir DIR writes a file for each`,
    );
  assertCaseCountPossible(problem, cases, bounds, `--profile all lists ${cases} cases`);
  return cases;
}

function toCount(count: bigint): number {
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
    const size = count > 10n ** 40n ? `about 10^${String(count).length - 1}` : String(count);
    throw usageError(
      `an input has at most ${Number.MAX_SAFE_INTEGER} cases, but there are ${size}; --cases A..B takes a part of them`,
    );
  }
  return Number(count);
}
