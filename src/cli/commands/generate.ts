/** `boardmill generate`: generates an input with random boards. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { Interrupted } from '../../core/errors.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { generateInput } from '../../engine/tools/draw.js';
import { CaseListing, type FindInvalid } from '../../engine/tools/list-cases.js';
import type { CountBounds } from '../../formats/case-count.js';
import { type CaseProfile, type DrawRequest, PROFILES, type Problem } from '../../problems/problem.js';
import { PROBLEMS } from '../../problems/registry.js';
import {
  MAX_COUNT_DIGITS,
  parseBigCount,
  parseCountOption,
  parseOutputOption,
  parseRangeOption,
  parseShare,
  parseSingleValue,
  usageError,
} from '../arguments/parse-options.js';
import { chooseProblem, GRAMMAR_OPTIONS, parseSet, SET_OPTION } from '../arguments/problem-argument.js';
import { AuthorPool } from '../author-pool.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT, QUIET_OPTION } from '../command.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { type SignalStop, stopOnSignal } from '../signals.js';

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .options({
      cases: {
        type: 'string',
        requiresArg: true,
        describe:
          'number of cases to generate, such as 250 or 1e6; with --profile all: only the first N, or only the cases A to B as A..B, counted from 1 (default: all)',
      },
      count: {
        type: 'boolean',
        default: false,
        describe: 'with --profile all: print how many cases there are, and no case',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe:
          'any text; the same arguments with the same seed give the same bytes on every machine (default: a random number, which is printed)',
      },
      profile: {
        choices: [...PROFILES, 'all'] as const,
        requiresArg: true,
        default: 'random' as const,
        describe:
          "kind of boards; tiny: every shape up to 4x4; random: all sizes and densities; contest-max: the contest's largest boards; hard: boards that take long to solve, found by search; all: every case exactly once, for boards those of the sizes --rows and --cols (see below)",
      },
      rows: {
        type: 'string',
        requiresArg: true,
        describe:
          "number of rows, or a range such as 2..8; may exceed the contest's limits, but not those of --set (default: depends on the profile)",
      },
      cols: {
        type: 'string',
        requiresArg: true,
        describe:
          "number of columns, or a range such as 2..8; may exceed the contest's limits, but not those of --set (default: depends on the profile)",
      },
      set: {
        ...SET_OPTION,
        describe:
          'draw cases of this set of the contest (`boardmill problems` lists the sets); the id of river-pawn is then its first test point',
      },
      density: {
        type: 'string',
        requiresArg: true,
        describe: `density of the boards, from 0 to 1: the share ${describeDensities()} (default: varies from board to board)`,
      },
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the input (default: standard output)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite the output file even if generate did not write it',
      },
      quiet: QUIET_OPTION,
      ...GRAMMAR_OPTIONS,
    })
    .epilogue(
      formatExamples([
        [
          'boardmill generate bt --cases 100 --seed 7 -o small.in',
          'write 100 boards of all sizes to small.in',
        ],
        ['boardmill generate zu --cases 10 --seed 7 --profile hard', 'print boards with long forced wins'],
        [
          'boardmill generate zu --cases 10 --seed 7 --set 5-6',
          'print an input for test point 5 of the contest',
        ],
        [
          'boardmill generate darkraft --cases 1000 --seed a --rows 40 --cols 1..40',
          "print boards larger than the contest's",
        ],
        ['boardmill generate bt --profile all --rows 1..3 --cols 1..3', 'print every board of up to 3x3'],
        [
          'boardmill generate darkraft --profile all --rows 15 --cols 15 --count',
          'print how many boards of 15x15 there are',
        ],
      ]),
    )
    .epilogue(ALL_HELP);
}

const ALL_HELP =
  '--profile all lists the sizes in row-major order, and the boards of a size in lexicographic order of their cells, with the letters in the order of the problem statement. It lists every valid board; of link-and-pop one board for each renaming of the symbols, in which new symbols appear in the order A, B, C, ... (9,375 boards of 2x2 instead of 285,610,000). It also lists the cases of modules and grammars, if every field has finitely many values, such as an int with two bounds or a number with bounds and decimals; --set narrows the bounds of a module. The cells of a table are whole numbers. Cases that `valid` of a module refuses are left out, which takes a look at each case. A slice A..B may end past the last case.';

/** Returns the meaning of the density in each problem. Problems with the same meaning are listed together. */
function describeDensities(): string {
  const meanings = [...new Set(PROBLEMS.map(({ whatDensityCounts }) => whatDensityCounts))];
  return meanings
    .map((meaning) => {
      const names = PROBLEMS.filter(({ whatDensityCounts }) => whatDensityCounts === meaning).map(
        ({ name }) => name,
      );
      return `of ${meaning} (${names.join(', ')})`;
    })
    .join(', ');
}

type GenerateArguments = ArgumentsOf<typeof options>;

export async function run(args: GenerateArguments): Promise<number> {
  const { problem } = await chooseProblem(args);
  if (args.profile === 'all') return generateAll(problem, args);
  if (args.count)
    throw usageError('--count needs --profile all; --cases says how many random cases there are');
  const cases = parseCountOption('--cases', args.cases, 0);
  if (cases === undefined) throw usageError('missing option --cases');
  const request: DrawRequest = {
    profile: args.profile as CaseProfile,
    cases,
    maxSize: null,
    set: parseSet(problem, args.set),
    boards: {
      ...parseSizes(args),
      density: parseDensity(args),
    },
    // The seed comes last: if an option is wrong, only that error is printed, and no random seed.
    seed: chooseSeed(args),
  };
  assertInputCanHave(problem, cases, problem.countBounds, `--cases ${cases}`);
  const author = new AuthorPool(problem, 1);
  const signals = stopOnSignal();
  try {
    await writeInput(generateInput(problem, await author.openDrawer(request), cases), args, signals);
  } finally {
    signals.release();
    await author.close();
  }
  return EXIT_CODE.ok;
}

function parseSizes(args: GenerateArguments): Pick<DrawRequest['boards'], 'rows' | 'cols'> {
  return {
    rows: parseRangeOption('--rows', args.rows, 1) ?? null,
    cols: parseRangeOption('--cols', args.cols, 1) ?? null,
  };
}

/** Lists or counts every case of the problem. */
async function generateAll(problem: Problem, args: GenerateArguments): Promise<number> {
  for (const option of ['seed', 'density'] as const) {
    if (args[option] !== undefined)
      throw usageError(`--${option} cannot be used with --profile all, which draws nothing at random`);
  }
  const slice = parseSlice(args.cases);
  const set = parseSet(problem, args.set);
  const enumeration = problem.enumerateCases?.({ ...parseSizes(args), set });
  if (enumeration === undefined)
    throw usageError(`--profile all: boardmill cannot list the cases of ${problem.name}`);
  if (args.count && args.output !== undefined) throw usageError('--count prints a number, so -o has no use');
  const author = new AuthorPool(problem, 1);
  const signals = stopOnSignal();
  try {
    const findInvalid: FindInvalid = (head, cases) => author.findInvalid(head, cases);
    const listing = new CaseListing(problem, enumeration, problem.author?.hasValid ? findInvalid : null);
    const count = async () => {
      const known = await listing.countUpTo(slice.to, signals.stop);
      throwIfStopped(signals.stop);
      return sliceLength(slice, known);
    };
    if (args.count) process.stdout.write(`${await count()}\n`);
    else await writeInput(listInput(problem, listing, slice.from, count), args, signals);
  } finally {
    signals.release();
    await author.close();
  }
  return EXIT_CODE.ok;
}

/** Yields the input. It counts the cases first: if that takes long, the output is open by then. */
async function* listInput(
  problem: Problem,
  listing: CaseListing,
  from: bigint,
  count: () => Promise<bigint>,
): AsyncGenerator<Uint8Array> {
  const cases = assertListable(problem, await count(), listing.inputCases);
  yield* listing.input(from - 1n, cases);
}

/** The cases of `--cases N` (the first N) or `--cases A..B`, counted from 1. */
interface Slice {
  readonly from: bigint;
  /** Null: up to the last case. */
  readonly to: bigint | null;
  /** Whether the user has said where the slice begins. */
  readonly hasStart: boolean;
}

function parseSlice(value: unknown): Slice {
  const text = parseSingleValue('--cases', value, 'a number or a range');
  if (text === undefined) return { from: 1n, to: null, hasStart: false };
  const numbers = text.split(/\.\.|-/).map(parseBigCount);
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

/** Returns how many cases of the slice there are. Fails if it begins past the last case. */
function sliceLength({ from, to, hasStart }: Slice, known: bigint): bigint {
  if (hasStart && from > known) {
    throw usageError(`--cases ${from}..${to}: there are only ${known} cases`);
  }
  return known - from + 1n;
}

/** Returns the number of cases as the head of an input may hold it. */
function assertListable(problem: Problem, count: bigint, bounds: CountBounds): number {
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
    const size = count > 10n ** 40n ? `about 10^${String(count).length - 1}` : String(count);
    throw usageError(
      `an input has at most ${Number.MAX_SAFE_INTEGER} cases, but there are ${size}; --cases A..B takes a part of them`,
    );
  }
  const cases = Number(count);
  assertInputCanHave(problem, cases, bounds, `--profile all lists ${cases} cases`);
  return cases;
}

/** Fails if an input of the problem cannot have so many cases. `what` says where the number comes from. */
function assertInputCanHave(
  { name, inputFormat }: Problem,
  cases: number,
  bounds: CountBounds | undefined,
  what: string,
): void {
  if (cases === 0 && inputFormat.ending === 'until-end') {
    throw usageError(`${what}: an input of ${name} must have at least one case`);
  }
  if (cases !== 1 && inputFormat.ending === 'single') {
    throw usageError(`${what}: an input of ${name} is one case`);
  }
  const { min = null, max = null } = bounds ?? {};
  if (cases >= (min ?? 0) && cases <= (max ?? cases)) return;
  const allowed = max === null ? `at least ${min}` : `${min ?? 0} to ${max}`;
  throw usageError(`${what}: an input of ${name} has ${allowed} cases`);
}

/** Returns the seed of `--seed`, or a random seed. A random seed is printed so that the run can be repeated. */
function chooseSeed(args: GenerateArguments): string {
  const given = parseSingleValue('--seed', args.seed);
  if (given !== undefined) return given;
  const seed = String(randomInt(2 ** 32));
  if (!args.quiet) printMessage(`random seed ${seed} (repeat with --seed ${seed})`);
  return seed;
}

function parseDensity(args: GenerateArguments): number | null {
  const density = parseShare('--density', args.density) ?? null;
  if (density !== null && args.profile === 'hard') {
    throw usageError('--density cannot be used with --profile hard, whose boards are found by search');
  }
  return density;
}

/** Writes the pieces of the generated input to `--output`, and stops at the first signal. */
async function writeInput(
  pieces: AsyncIterable<Uint8Array>,
  args: GenerateArguments,
  signals: SignalStop,
): Promise<void> {
  const output = parseOutputOption(args.output) ?? '-';
  await assertDistinct({ reads: [], writes: [{ path: output, role: 'output' }] });
  const sink = await openFreshSink(output, { kind: 'generated input', force: args.force });
  try {
    for await (const piece of pieces) {
      await sink.write(piece, null);
      throwIfStopped(signals.stop);
    }
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  await sink.finish();
}

function throwIfStopped(stop: AbortSignal): void {
  if (stop.aborted) throw new Interrupted(stop.reason, `stopped by ${stop.reason}`);
}
