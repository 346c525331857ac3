/** `boardmill generate`: generates an input with random boards, or a whole set of tests. */

import type { OpenedProblem } from '../../catalog/open-problem.js';
import { PROBLEMS } from '../../catalog/registry.js';
import { DEFAULT_RETRIES } from '../../engine/limits.js';
import { CASE_PROFILES, type Problem, type RandomCasesRequest } from '../../problems/problem.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { generateInput, generateInputs } from '../../tools/cases/draw.js';
import { drawSeed } from '../arguments/draw-seed.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { assertContestHasSet, GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { usageError } from '../arguments/usage-error.js';
import { parserOfCountsFrom, parseShare } from '../arguments/values.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { withSignals } from '../signals.js';
import { assertOneInput, chooseFolder, writeInputs } from './generate-files.js';
import { assertCaseCountPossible, writeInput } from './generate-input.js';

const ALL_HELP =
  '--profile all lists the sizes in row-major order, and the boards of a size in lexicographic order of their cells, with the letters in the order of the problem statement. It lists every valid board; of link-and-pop one board for each renaming of the symbols, in which new symbols appear in the order A, B, C, ... (9,375 boards of 2x2 instead of 285,610,000). It also lists the cases of modules and grammars, those with one grid of the sizes --rows and --cols if these are given, if every field has finitely many values, such as an int with two bounds or a number with bounds and decimals; --set narrows the bounds of a module. The cells of a table are whole numbers. Cases that `valid` of a module refuses are left out, which takes a look at each case. A slice A..B may end past the last case.';

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT },
  options: {
    cases: row.valueOption(
      // Which texts are allowed depends on other options, so the text is parsed later.
      (text) => text,
      'number of cases to generate, such as 250 or 1e6; not needed if an input is one case; with --profile all: only the first N, or only the cases A to B as A..B, counted from 1 (default: all); with --suite: the number of cases in each drawn test',
      { value: 'N' },
    ),
    count: row.flagOption('with --profile all: print how many cases there are, and no case'),
    seed: row.textOption(
      'any text; the same arguments with the same seed give the same bytes on every machine (default: a random number, which is printed)',
    ),
    profile: row.choiceOption(
      [...CASE_PROFILES, 'all'],
      null,
      "kind of boards (default: random); tiny: every shape up to 4x4; random: all sizes and densities; contest-max: the contest's largest boards; hard: boards that take long to solve, found by search; all: every case exactly once, for boards those of the sizes --rows and --cols (see below)",
    ),
    rows: row.rangeOption(
      "number of rows of boards, which are also cases of a module with one grid, or a range such as 2..8; may exceed the contest's limits, but not those of --set (default: depends on the profile)",
    ),
    cols: row.rangeOption(
      "number of columns, or a range such as 2..8; may exceed the contest's limits, but not those of --set (default: depends on the profile)",
    ),
    set: row.contestSetOption(
      'draw cases of this set of the contest (`boardmill problems` lists the sets); the id of river-pawn is then its first test',
    ),
    density: row.valueOption(
      parseShare,
      `density of the boards, from 0 to 1: the share ${describeDensities()} (default: varies from board to board)`,
      { value: 'SHARE' },
    ),
    output: row.outputOption('file for the input (default: standard output)'),
    ...row.optionGroup('Several inputs', {
      dir: row.folderOption(
        'for inputs of one case, which `single()` and grammars without --multitest describe: folder for --cases N inputs 001.in, 002.in, ...',
        { excludes: ['output'] },
      ),
      suite: row.folderOption(
        'folder for a set of tests with answers, NAME.in and NAME.ans: the samples, then each profile and each set of the contest',
        // A suite has tests of all profiles and sets.
        { excludes: ['output', 'dir', 'profile', 'set', 'rows', 'cols', 'density'] },
      ),
      exec: row.programOption('with --suite: take the answers from this program', { needs: 'suite' }),
    }),
    force: row.forceOption(),
    quiet: row.QUIET_OPTION,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill generate bt --cases 100 --seed 7 -o small.in', 'write 100 boards of all sizes to small.in'],
    [
      'boardmill generate ./sums.ctd --cases 20 --seed 7 --dir tests',
      'write 20 inputs of one case each, tests/001.in to tests/020.in',
    ],
    ['boardmill generate bt --suite tests --seed 7', 'write tests with answers into the folder tests'],
    ['boardmill generate zu --cases 10 --seed 7 --profile hard', 'print boards with long forced wins'],
    ['boardmill generate zu --cases 10 --seed 7 --set 5-6', 'print an input for test 5 of the contest'],
    [
      'boardmill generate darkraft --cases 1000 --seed a --rows 40 --cols 1..40',
      "print boards larger than the contest's",
    ],
    ['boardmill generate bt --profile all --rows 1..3 --cols 1..3', 'print every board of up to 3x3'],
    [
      'boardmill generate darkraft --profile all --rows 15 --cols 15 --count',
      'print how many boards of 15x15 there are',
    ],
  ],
  notes: ALL_HELP,
} satisfies CommandSyntax;

/** Describes what the density means in each problem. Problems with the same meaning are listed together. */
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

type GenerateArguments = CommandLineValues<typeof syntax>;

export async function run(args: GenerateArguments): Promise<number> {
  const chosen = await openProblemArgument(args);
  const { problem } = chosen;
  if (args.count && args.profile !== 'all')
    throw usageError('--count needs --profile all; --cases says how many random cases there are');
  if (args.suite !== null) return generateSuite(args, args.suite, chosen);
  if (args.profile === 'all') {
    const { generateAllCases } = await import('./generate-all.js');
    return generateAllCases(problem, args);
  }
  const folder = chooseFolder(problem, args);
  const cases = parseCases(args, problem, folder);
  assertContestHasSet(problem, args.set);
  const { rows, cols, set } = args;
  const request: RandomCasesRequest = {
    profile: args.profile ?? 'random',
    cases: folder === null ? cases : 1,
    maxSize: null,
    set,
    boards: { rows, cols, density: chooseDensity(args) },
    // The seed is chosen last. So if an option is wrong, only that error is printed, and no random seed.
    seed: chooseSeed(args),
  };
  assertCaseCountPossible(problem, request.cases, problem.cases.countBounds, `--cases ${cases}`);
  const author = new AuthorFunctionPool(problem, 1);
  try {
    const drawer = await author.openDrawer(request);
    const generate = folder === null ? generateInput : generateInputs;
    const pieces = await withFirst(generate(problem, drawer, cases));
    await withSignals((stop) =>
      folder === null ? writeInput(pieces, args, stop) : writeInputs(pieces, cases, folder, args, stop),
    );
  } finally {
    await author.close();
  }
  return EXIT_CODE.ok;
}

/**
 * Waits until the first piece of an input is drawn, before any file is opened or signals are handled. While a case is drawn,
 * signal handlers cannot run; without a handler, a signal ends the process at once.
 */
async function withFirst<T>(pieces: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await pieces.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}

/** Returns the number of cases of the input. If there is a `folder`, returns the number of inputs. */
function parseCases(args: GenerateArguments, problem: Problem, folder: string | null): number {
  const isOneCase = problem.inputFormat.ending === 'single';
  const cases = parseCount(args.cases, isOneCase ? 1 : 0);
  if (cases === null && (!isOneCase || folder !== null)) throw usageError('missing option --cases');
  if (folder === null) assertOneInput(problem, cases ?? 1, drawingWords(args));
  return cases ?? 1;
}

function parseCount(cases: string | null, min: number): number | null {
  return cases === null ? null : parserOfCountsFrom(min)(cases, '--cases');
}

/** Returns the options for random cases as the user has typed them. */
function drawingWords(args: GenerateArguments): string[] {
  const words = (['seed', 'profile', 'set'] as const).map((name) => [`--${name}`, args[name]]);
  return words.filter(([, value]) => value !== null).flatMap((word) => word.map(String));
}

/** Writes the suite of `--suite`. */
async function generateSuite(
  args: GenerateArguments,
  folder: string,
  chosen: OpenedProblem,
): Promise<number> {
  const cases = parseCount(args.cases, 0);
  if (cases !== null)
    assertCaseCountPossible(chosen.problem, cases, chosen.problem.cases.countBounds, `--cases ${cases}`);
  const { force, quiet } = args;
  const { writeTestSuite } = await import('./generate-suite.js');
  const solving = { ...args, ...DEFAULT_SOLVING };
  await writeTestSuite({ chosen, folder, seed: chooseSeed(args), cases, force, quiet, solving });
  return EXIT_CODE.ok;
}

/** The values of the options of `solve` that a suite does not have. */
const DEFAULT_SOLVING = {
  jobs: null,
  chunk: null,
  solver: 'auto',
  execCases: null,
  memoryLimit: null,
  sandbox: false,
  timeout: null,
  retries: DEFAULT_RETRIES,
} as const;

/** Returns the seed of `--seed`, or a random seed. A random seed is printed, so that the user can repeat the run. */
function chooseSeed(args: GenerateArguments): string {
  if (args.seed !== null) return args.seed;
  const seed = drawSeed();
  if (!args.quiet) printMessage(`random seed ${seed} (repeat with --seed ${seed})`);
  return seed;
}

function chooseDensity({ density, profile }: GenerateArguments): number | null {
  if (density !== null && profile === 'hard') {
    throw usageError('--density cannot be used with --profile hard, whose boards are found by search');
  }
  return density;
}
