/** `boardmill stress`: tests a program on random cases, and makes the inputs on which the program fails smaller. */

import { ProgramFiles } from '../../engine/exec/program-files.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { ANY_BOARDS, type CaseEnumeration, type Problem } from '../../problems/problem.js';
import type { StressPlan } from '../../tools/stress/plan.js';
import { assertRegressionFilesReplaceable } from '../../tools/stress/regression-cases.js';
import {
  ANSWER_COMPARISON_NAMES,
  ANSWER_COMPARISON_OPTIONS,
  prepareAnswerComparison,
} from '../arguments/answer-options.js';
import { drawSeed } from '../arguments/draw-seed.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { openSandbox } from '../arguments/sandbox-option.js';
import { firstGivenOption } from '../arguments/syntax.js';
import { usageError } from '../arguments/usage-error.js';

import { notePrinter, printMessage } from '../exit.js';
import { runWithSignals } from '../signals.js';
import { searchForFailures } from '../stress/search.js';
import { assertSlowFileReplaceable, runSlowestCaseSearch } from '../stress/slowest.js';

const DEFAULT_SECONDS = 60;
const DEFAULT_TIMEOUT = 10;

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT },
  options: {
    exec: row.requiredOption(
      row.programOption('the program to test: it reads cases on standard input and prints the answers'),
    ),
    reference: row.programOption(
      "a program that takes the place of boardmill's solver: a brute force or a model solution",
    ),
    generator: row.programOption(
      'a program that prints the inputs: it is run as CMD SEED, with a number that --seed and the round decide (default: boardmill draws random cases)',
    ),
    profile: row.choiceOption(
      ['random', 'all'],
      'random',
      'random: draw cases; all: try every case once, for boards those of the sizes --rows and --cols, without a time limit; exit code 0 then means that the program is right on all of them, and 4 that --time or --rounds ended the search early',
    ),
    rows: row.rangeOption(
      'number of rows of boards, or a range such as 1..3 (default: they grow from round to round)',
      {
        excludes: ['generator', 'slowest'],
      },
    ),
    cols: row.rangeOption('number of columns of boards, or a range such as 1..3', {
      excludes: ['generator', 'slowest'],
    }),
    'exec-cases': row.countOption(
      1,
      'number of cases per run of the program (default: as many as the contest allows in one file)',
    ),
    seed: row.textOption(
      'any text; the same seed gives the same cases (default: a random number, which is printed)',
    ),
    rounds: row.countOption(1, 'stop after this number of rounds'),
    find: row.countOption(
      1,
      'number of different failures after which the search stops; failures differ in how the program fails or in the smallest case (default: 1)',
    ),
    slowest: row.flagOption(
      'search for the case on which the program takes longest instead, and save it; a round is one case, and answers are not compared',
    ),
    time: row.secondsOption(
      `how long to search and to shrink what is found, such as 60 (seconds) or 10m; after that, no run of a program starts (default: ${DEFAULT_SECONDS} s; no limit if --rounds is given)`,
    ),
    timeout: row.optionWithDefault(
      DEFAULT_TIMEOUT,
      row.secondsOption(
        `time limit for each case: of the program, the reference or solver, a checker, and each function of a module, such as 5 (seconds) or 500ms (default: ${DEFAULT_TIMEOUT} s)`,
      ),
    ),
    jobs: row.jobsOption('number of programs that run at the same time (default: number of processors)'),
    sandbox: row.SANDBOX_OPTION,
    quiet: row.QUIET_OPTION,
    ...ANSWER_COMPARISON_OPTIONS,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ["boardmill stress bt --exec './mine'", 'test ./mine on random boards for a minute'],
    [
      "boardmill stress zu --exec 'python3 mine.py' --seed 7 --rounds 200",
      'test mine.py on the same cases each time',
    ],
    [
      "boardmill stress bt --exec ./mine --generator './gen 100' --find 3",
      'test ./mine on the inputs that ./gen 100 SEED prints, until it has failed in three ways',
    ],
    ['boardmill stress bt --exec ./mine --rows 1..3 --cols 8', 'test ./mine on random boards of these sizes'],
    [
      'boardmill stress bt --exec ./mine --profile all --rows 1..3 --cols 1..3',
      'test ./mine on every board of up to 3x3',
    ],
    ['boardmill stress bt --exec ./mine --slowest', 'find a board on which ./mine takes long'],
  ],
} satisfies CommandSyntax;

type StressArguments = CommandLineValues<typeof syntax>;

export async function run(args: StressArguments): Promise<number> {
  if (args.slowest) assertFitsSlowest(args);
  const plan = await parsePlan(args);
  await (args.slowest ? assertSlowFileReplaceable(plan) : assertRegressionFilesReplaceable(plan));
  if (args.seed === null && plan.enumeration === null && !plan.quiet)
    printMessage(`random seed ${plan.seed} (repeat with --seed ${plan.seed})`);
  const search = args.slowest ? runSlowestCaseSearch : searchForFailures;
  return runWithSignals('ending the runs of the programs', notePrinter(plan.quiet), (signals) =>
    search(plan, signals),
  );
}

/** The options that cannot be used with `--slowest`, which compares no answers and runs one program at a time. */
const NOT_WITH_SLOWEST = ['reference', 'find', 'jobs', ...ANSWER_COMPARISON_NAMES] as const;

function assertFitsSlowest(args: StressArguments): void {
  const given = firstGivenOption(syntax, args, NOT_WITH_SLOWEST);
  if (given !== undefined) throw usageError(`--${given} and --slowest cannot be used together`);
}

/** Returns the list of all cases of the problem if the user chose `--profile all`; else null. */
function chooseEnumeration(problem: Problem, args: StressArguments): CaseEnumeration | null {
  const { rows, cols } = args;
  if (args.profile !== 'all') return null;
  const other = firstGivenOption(syntax, args, ['generator', 'slowest']);
  if (other !== undefined) throw usageError(`--${other} and --profile all cannot be used together`);
  const enumeration = problem.cases.enumerate?.({ rows, cols, set: null });
  if (enumeration !== undefined) return enumeration;
  throw usageError(`--profile all: boardmill cannot list the cases of ${problem.name}`);
}

async function parsePlan(args: StressArguments): Promise<StressPlan> {
  const { problem } = await openProblemArgument(args);
  const { exec: argv, reference, generator, rounds } = args;
  if (reference === null && problem.solvers === null && !args.slowest)
    throw usageError(`${problem.name} has no solver; --reference CMD names a program that knows the answers`);
  const answerOptions = await prepareAnswerComparison(args, problem);
  const enumeration = chooseEnumeration(problem, args);
  const hasTimeLimit = rounds === null && enumeration === null;
  const jobs = limitJobs(args.jobs, notePrinter(args.quiet));
  return {
    problem,
    argv,
    reference,
    generator,
    programFiles: await findPrograms([argv, reference, generator]),
    sandbox: await openSandbox(args.sandbox),
    answerOptions,
    casesPerRun: problem.inputFormat.ending === 'single' ? 1 : (args.execCases ?? problem.casesPerRun),
    enumeration,
    boards: { ...ANY_BOARDS, rows: args.rows, cols: args.cols },
    seed: args.seed ?? (enumeration === null ? drawSeed() : 'all'),
    rounds: rounds ?? Number.POSITIVE_INFINITY,
    seconds: args.time ?? (hasTimeLimit ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    timeoutSeconds: args.timeout,
    find: args.find ?? 1,
    jobs,
    quiet: args.quiet,
  };
}

/** Finds the files of those programs that the user has named. Fails with kind `usage` if a program cannot be run. */
async function findPrograms(programs: readonly (readonly string[] | null)[]): Promise<ProgramFiles[]> {
  const found: ProgramFiles[] = [];
  for (const argv of programs) if (argv !== null) found.push(await ProgramFiles.find(argv));
  return found;
}
