/** `boardmill stress`: tests a program on random cases, and shrinks the inputs on which it fails to small ones. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import type { CaseEnumeration, Problem } from '../../problems/problem.js';
import type { StressPlan } from '../../tools/stress/plan.js';
import { assertSavedFilesReplaceable } from '../../tools/stress/saved-cases.js';
import { ANSWER_OPTIONS, parseAnswerOptions } from '../arguments/answer-options.js';
import {
  parseCountOption,
  parseJobs,
  parseRangeOption,
  parseSeconds,
  parseSingleValue,
  usageError,
} from '../arguments/parse-options.js';
import { parseProgram } from '../arguments/parse-program.js';
import { chooseProblem, GRAMMAR_OPTIONS } from '../arguments/problem-argument.js';
import { openSandbox, SANDBOX_OPTION } from '../arguments/sandbox-option.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT, QUIET_OPTION } from '../command.js';
import { notePrinter, printMessage } from '../exit.js';
import { withGrace } from '../signals.js';
import { searchForFailures } from '../stress/search.js';
import { assertSlowFileReplaceable, findSlowest } from '../stress/slowest.js';

export function options(parser: Argv) {
  return parser
    .positional('problem', PROBLEM_ARGUMENT)
    .options({
      exec: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'the program to test: it reads cases on standard input and prints the answers',
      },
      reference: {
        type: 'string',
        requiresArg: true,
        describe: "a program that takes the place of boardmill's solver: a brute force or a model solution",
      },
      generator: {
        type: 'string',
        requiresArg: true,
        describe:
          'a program that prints the inputs: it is run as CMD SEED, with a number that --seed and the round decide (default: boardmill draws random cases)',
      },
      profile: {
        choices: ['random', 'all'] as const,
        requiresArg: true,
        default: 'random' as const,
        describe:
          'random: draw cases; all: try every case once, for boards those of the sizes --rows and --cols, without a time limit; exit code 0 then means that the program is right on all of them, and 4 that --time or --rounds ended the search early',
      },
      rows: {
        type: 'string',
        requiresArg: true,
        describe: 'with --profile all: number of rows, or a range such as 1..3',
      },
      cols: {
        type: 'string',
        requiresArg: true,
        describe: 'with --profile all: number of columns, or a range such as 1..3',
      },
      'exec-cases': {
        type: 'string',
        requiresArg: true,
        describe:
          'number of cases per run of the program (default: as many as the contest allows in one file)',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe: 'any text; the same seed gives the same cases (default: a random number, which is printed)',
      },
      rounds: {
        type: 'string',
        requiresArg: true,
        describe: 'stop after this number of rounds; the boards grow from round to round',
      },
      find: {
        type: 'string',
        requiresArg: true,
        describe:
          'number of different failures after which the search stops; failures differ in how the program fails or in the smallest case (default: 1)',
      },
      slowest: {
        type: 'boolean',
        default: false,
        describe:
          'search for the case on which the program takes longest instead, and save it; a round is one case, and answers are not compared',
      },
      time: {
        type: 'string',
        requiresArg: true,
        describe: `how long to search and to shrink what is found, such as 60 (seconds) or 10m; after that, no run of a program starts (default: ${DEFAULT_SECONDS} s; no limit if --rounds is given)`,
      },
      timeout: {
        type: 'string',
        requiresArg: true,
        describe: `time limit for each case: of the program, the reference or solver, a checker, and each function of a module, such as 5 (seconds) or 500ms (default: ${DEFAULT_TIMEOUT} s)`,
      },
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe: 'number of programs that run at the same time (default: number of processors)',
      },
      sandbox: SANDBOX_OPTION,
      quiet: QUIET_OPTION,
      ...ANSWER_OPTIONS,
      ...GRAMMAR_OPTIONS,
    })
    .epilogue(
      formatExamples([
        ["boardmill stress bt --exec './mine'", 'test ./mine on random boards for a minute'],
        [
          "boardmill stress zu --exec 'python3 mine.py' --seed 7 --rounds 200",
          'test mine.py on the same cases each time',
        ],
        [
          "boardmill stress bt --exec ./mine --generator './gen 100' --find 3",
          'test ./mine on the inputs that ./gen 100 SEED prints, until it has failed in three ways',
        ],
        [
          'boardmill stress bt --exec ./mine --profile all --rows 1..3 --cols 1..3',
          'test ./mine on every board of up to 3x3',
        ],
        ['boardmill stress bt --exec ./mine --slowest', 'find a board on which ./mine takes long'],
      ]),
    );
}

const DEFAULT_SECONDS = 60;
const DEFAULT_TIMEOUT = 10;

type StressArguments = ArgumentsOf<typeof options>;

export async function run(args: StressArguments): Promise<number> {
  if (args.slowest) assertFitsSlowest(args);
  const plan = await parsePlan(args);
  await (args.slowest ? assertSlowFileReplaceable(plan) : assertSavedFilesReplaceable(plan));
  if (args.seed === undefined && plan.enumeration === null && !plan.quiet)
    printMessage(`random seed ${plan.seed} (repeat with --seed ${plan.seed})`);
  const search = args.slowest ? findSlowest : searchForFailures;
  return withGrace('ending the runs of the programs', notePrinter(plan.quiet), (signals) =>
    search(plan, signals),
  );
}

/** The options that have no meaning for `--slowest`, which compares no answers and runs one program at a time. */
const NOT_WITH_SLOWEST = ['reference', 'find', 'jobs', 'tolerance', 'checker', 'rows', 'cols'] as const;

function assertFitsSlowest(args: StressArguments): void {
  const given = NOT_WITH_SLOWEST.find((name) => args[name] !== undefined);
  if (given !== undefined) throw usageError(`--${given} and --slowest cannot be used together`);
}

/** Returns every case of the problem if `--profile all` wants them. */
function parseEnumeration(problem: Problem, args: StressArguments): CaseEnumeration | null {
  const rows = parseRangeOption('--rows', args.rows, 1) ?? null;
  const cols = parseRangeOption('--cols', args.cols, 1) ?? null;
  if (args.profile !== 'all') {
    if (rows !== null || cols !== null) throw usageError('--rows and --cols need --profile all');
    return null;
  }
  for (const option of ['generator', 'slowest'] as const) {
    if (args[option] !== undefined && args[option] !== false)
      throw usageError(`--${option} and --profile all cannot be used together`);
  }
  const enumeration = problem.cases.enumerate?.({ rows, cols, set: null });
  if (enumeration !== undefined) return enumeration;
  throw usageError(`--profile all: boardmill cannot list the cases of ${problem.name}`);
}

async function parsePlan(args: StressArguments): Promise<StressPlan> {
  const { problem } = await chooseProblem(args);
  const argv = parseProgram('--exec', args.exec);
  if (argv === undefined) throw usageError('missing option --exec');
  const reference = parseProgram('--reference', args.reference) ?? null;
  const generator = parseProgram('--generator', args.generator) ?? null;
  if (reference === null && problem.solvers === null && !args.slowest)
    throw usageError(`${problem.name} has no solver; --reference CMD names a program that knows the answers`);
  const answerOptions = await parseAnswerOptions(args);
  const rounds = parseCountOption('--rounds', args.rounds, 1);
  const seconds = parseSeconds('--time', args.time);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? DEFAULT_TIMEOUT;
  const enumeration = parseEnumeration(problem, args);
  const hasTimeLimit = rounds === undefined && enumeration === null;
  const find = parseCountOption('--find', args.find, 1) ?? 1;
  const jobs = parseJobs(args.jobs, notePrinter(args.quiet));
  return {
    problem,
    argv,
    reference,
    generator,
    programFiles: await findPrograms([argv, reference, generator]),
    sandbox: await openSandbox(args.sandbox),
    answerOptions,
    casesPerRun: problem.inputFormat.ending === 'single' ? 1 : (casesPerRun ?? problem.casesPerRun),
    enumeration,
    seed: parseSingleValue('--seed', args.seed) ?? (enumeration === null ? randomSeed() : 'all'),
    rounds: rounds ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (hasTimeLimit ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    timeoutSeconds,
    find,
    jobs,
    quiet: args.quiet,
  };
}

function randomSeed(): string {
  return String(randomInt(2 ** 47));
}

/** Finds the files of the programs that are given. Fails with kind `usage` if a program cannot be run. */
async function findPrograms(programs: readonly (readonly string[] | null)[]): Promise<ProgramFiles[]> {
  const found: ProgramFiles[] = [];
  for (const argv of programs) if (argv !== null) found.push(await ProgramFiles.find(argv));
  return found;
}
