/** `boardmill generate`: generates an input with random boards, or a whole set of tests. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { Interrupted } from '../../core/errors.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { generateInput } from '../../engine/tools/draw.js';
import type { OpenedProblem } from '../../problems/open-problem.js';
import { type CaseProfile, type DrawRequest, PROFILES, type Problem } from '../../problems/problem.js';
import { PROBLEMS } from '../../problems/registry.js';
import {
  parseCountOption,
  parseFileOption,
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
import { stopOnSignal } from '../signals.js';

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .options({
      cases: {
        type: 'string',
        requiresArg: true,
        describe:
          'number of cases to generate, such as 250 or 1e6; required without --suite, where it is the number of cases in each drawn test',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe:
          'any text; the same arguments with the same seed give the same bytes on every machine (default: a random number, which is printed)',
      },
      profile: {
        choices: PROFILES,
        requiresArg: true,
        describe:
          "kind of boards (default: random); tiny: every shape up to 4x4; random: all sizes and densities; contest-max: the contest's largest boards; hard: boards that take long to solve, found by search",
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
      suite: {
        type: 'string',
        requiresArg: true,
        describe:
          'folder for a set of tests with answers, NAME.in and NAME.ans: the samples, then each profile and each set of the contest',
      },
      exec: {
        type: 'string',
        requiresArg: true,
        describe: 'with --suite: take the answers from this program',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite files even if generate did not write them',
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
        ['boardmill generate bt --suite tests --seed 7', 'write tests with answers into the folder tests'],
        ['boardmill generate zu --cases 10 --seed 7 --profile hard', 'print boards with long forced wins'],
        [
          'boardmill generate zu --cases 10 --seed 7 --set 5-6',
          'print an input for test point 5 of the contest',
        ],
        [
          'boardmill generate darkraft --cases 1000 --seed a --rows 40 --cols 1..40',
          "print boards larger than the contest's",
        ],
      ]),
    );
}

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
  const chosen = await chooseProblem(args);
  const { problem } = chosen;
  const cases = parseCountOption('--cases', args.cases, 0);
  if (args.suite !== undefined) return generateSuite(args, chosen, cases);
  if (args.exec !== undefined) throw usageError('--exec needs --suite');
  if (cases === undefined) throw usageError('missing option --cases');
  const request: DrawRequest = {
    profile: (args.profile ?? 'random') as CaseProfile,
    cases,
    maxSize: null,
    set: parseSet(problem, args.set),
    boards: {
      rows: parseRangeOption('--rows', args.rows, 1) ?? null,
      cols: parseRangeOption('--cols', args.cols, 1) ?? null,
      density: parseDensity(args),
    },
    // The seed comes last: if an option is wrong, only that error is printed, and no random seed.
    seed: chooseSeed(args),
  };
  assertCasesPossible(problem, cases);
  const author = new AuthorPool(problem, 1);
  try {
    await writeInput(generateInput(problem, await author.openDrawer(request), cases), args);
  } finally {
    await author.close();
  }
  return EXIT_CODE.ok;
}

/** The options that say how one input looks. A suite has all profiles and sets. */
const OPTIONS_OF_ONE_INPUT = ['output', 'profile', 'set', 'rows', 'cols', 'density'] as const;

/** Writes the suite of `--suite`. */
async function generateSuite(
  args: GenerateArguments,
  chosen: OpenedProblem,
  cases: number | undefined,
): Promise<number> {
  const other = OPTIONS_OF_ONE_INPUT.find((name) => args[name] !== undefined);
  if (other !== undefined) throw usageError(`--suite and --${other} cannot be used together`);
  if (cases !== undefined) assertCasesPossible(chosen.problem, cases);
  const folder = parseFileOption('--suite', args.suite, 'a folder') as string;
  const { force, quiet } = args;
  const { writeSuite } = await import('./generate-suite.js');
  const solving = { ...args, ...DEFAULT_SOLVING };
  await writeSuite({ chosen, folder, seed: chooseSeed(args), cases: cases ?? null, force, quiet, solving });
  return EXIT_CODE.ok;
}

/** The options of `solve` that a suite does not have, as if they were not given. */
const DEFAULT_SOLVING = {
  jobs: undefined,
  chunk: undefined,
  solver: 'auto',
  execCases: undefined,
  timeout: undefined,
  retries: undefined,
} as const;

/** Fails if no input of the problem has this number of cases. */
function assertCasesPossible(problem: Problem, cases: number): void {
  const { name, inputFormat } = problem;
  if (cases === 0 && inputFormat.ending === 'until-end')
    throw usageError(`--cases 0: an input of ${name} must have at least one case`);
  if (cases !== 1 && inputFormat.ending === 'single')
    throw usageError(`--cases ${cases}: an input of ${name} is one case`);
  assertInCountBounds(problem, cases);
}

function assertInCountBounds({ name, countBounds }: Problem, cases: number): void {
  const { min = null, max = null } = countBounds ?? {};
  if (cases >= (min ?? 0) && cases <= (max ?? cases)) return;
  const bounds = max === null ? `at least ${min}` : `${min ?? 0} to ${max}`;
  throw usageError(`--cases ${cases}: an input of ${name} has ${bounds} cases`);
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
async function writeInput(pieces: AsyncIterable<Uint8Array>, args: GenerateArguments): Promise<void> {
  const output = parseOutputOption(args.output) ?? '-';
  await assertDistinct({ reads: [], writes: [{ path: output, role: 'output' }] });
  const signals = stopOnSignal();
  const sink = await openFreshSink(output, { kind: 'generated input', force: args.force });
  try {
    for await (const piece of pieces) {
      await sink.write(piece, null);
      if (signals.stop.aborted) {
        throw new Interrupted(signals.stop.reason, `stopped by ${signals.stop.reason}`);
      }
    }
  } catch (error) {
    await sink.abandon();
    throw error;
  } finally {
    signals.release();
  }
  await sink.finish();
}
