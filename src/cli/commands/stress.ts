/** `boardmill stress`: tests a program on random cases, and shrinks the first failing input to a small one. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { Program } from '../../engine/exec/program.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { MAX_SAVED_OUTPUT_BYTES, SHRINK_SECONDS, TRUSTED_SOLVER_RETRIES } from '../../engine/limits.js';
import { LocalPool } from '../../engine/local-pool.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { mayReplace } from '../../engine/output/ledger.js';
import { Recovery } from '../../engine/recover.js';
import { type Counterexample, type StressResult, stress } from '../../engine/tools/stress.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import {
  ANSWER_OPTIONS,
  type AnswerOptions,
  openMatcher,
  parseAnswerOptions,
} from '../arguments/answer-options.js';
import {
  parseCountOption,
  parseJobs,
  parseSeconds,
  parseSingleValue,
  usageError,
} from '../arguments/parse-options.js';
import { formatCommandLine, parseProgram } from '../arguments/parse-program.js';
import { chooseProblem, GRAMMAR_OPTIONS } from '../arguments/problem-argument.js';
import { AuthorPool } from '../author-pool.js';
import { type ArgumentsOf, formatExamples, PROBLEM_ARGUMENT, QUIET_OPTION } from '../command.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { formatCount, formatQuantity } from '../format-count.js';
import { openReportFile } from '../report-file.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { formatCases, joinFitting } from '../status/status-text.js';
import { clearStatus, showStatus } from '../status/terminal.js';

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
      time: {
        type: 'string',
        requiresArg: true,
        describe: `how long to search, such as 60 (seconds) or 10m (default: ${DEFAULT_SECONDS} s; no limit if --rounds is given)`,
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
      ]),
    );
}

const DEFAULT_SECONDS = 60;
const DEFAULT_TIMEOUT = 10;

/** The parsed and checked command line of `boardmill stress`. */
interface StressPlan {
  readonly problem: Problem;
  /** The program to test, with its arguments. */
  readonly argv: readonly string[];
  /** The program that knows the right answers; null if boardmill's own solver does. */
  readonly reference: readonly string[] | null;
  readonly programFiles: ProgramFiles;
  readonly answerOptions: AnswerOptions;
  readonly casesPerRun: number;
  readonly seed: string;
  /** Number of rounds after which the search ends; Infinity if there is no limit. */
  readonly rounds: number;
  /** Time after which the search ends; Infinity if there is no limit. */
  readonly seconds: number;
  readonly timeoutSeconds: number;
  readonly jobs: number;
  readonly quiet: boolean;
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const plan = await parsePlan(args);
  await assertSavedFilesReplaceable(plan);
  if (args.seed === undefined && !plan.quiet)
    printMessage(`random seed ${plan.seed} (repeat with --seed ${plan.seed})`);
  const signals = stopOnSignal();
  try {
    const result = await search(plan, signals.stop);
    if (result.counterexample !== null) {
      process.stdout.write(await saveCounterexample(plan, result.counterexample));
      return EXIT_CODE.differs;
    }
    if (result.isCutOff) noteCutOff(plan, result);
    const summary = `no difference in ${formatQuantity(result.cases, 'case')}, ${formatQuantity(result.rounds, 'round')}`;
    if (signals.stop.aborted) throw new Interrupted(signals.stop.reason as NodeJS.Signals, summary);
    process.stdout.write(`${summary}, seed ${plan.seed}\n`);
    return EXIT_CODE.ok;
  } finally {
    signals.release();
  }
}

/** Says that the last round was given up. Fails with kind `worker` if it was the only one. */
function noteCutOff({ quiet, seconds, timeoutSeconds }: StressPlan, { rounds }: StressResult): void {
  const what = `round ${rounds + 1} was still running ${timeoutSeconds} s after the search of ${seconds} s, and was given up`;
  if (rounds === 0)
    throw new BoardmillError('worker', `${what}; give the program fewer cases per run with --exec-cases`);
  if (!quiet) printMessage(what);
}

async function parsePlan(args: ArgumentsOf<typeof options>): Promise<StressPlan> {
  const chosen = await chooseProblem(args);
  const { problem } = chosen;
  const argv = parseProgram('--exec', args.exec);
  if (argv === undefined) throw usageError('missing option --exec');
  const reference = parseProgram('--reference', args.reference) ?? null;
  if (reference === null && !problem.hasSolver)
    throw usageError(`${problem.name} has no solver; --reference CMD names a program that knows the answers`);
  const answerOptions = await parseAnswerOptions(args);
  const rounds = parseCountOption('--rounds', args.rounds, 1);
  const seconds = parseSeconds('--time', args.time);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? DEFAULT_TIMEOUT;
  const jobs = parseJobs(args.jobs, (message) => {
    if (!args.quiet) printMessage(message);
  });
  return {
    problem,
    argv,
    reference,
    programFiles: await ProgramFiles.find(argv),
    answerOptions,
    casesPerRun: problem.inputFormat.ending === 'single' ? 1 : (casesPerRun ?? problem.casesPerRun),
    seed: parseSingleValue('--seed', args.seed) ?? String(randomInt(2 ** 47)),
    rounds: rounds ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (rounds === undefined ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    timeoutSeconds,
    jobs,
    quiet: args.quiet,
  };
}

/** Runs the search for a failing case, and shows its progress. */
async function search(plan: StressPlan, stop: AbortSignal): Promise<StressResult> {
  const { problem, argv, casesPerRun, seed, rounds, seconds, timeoutSeconds, jobs } = plan;
  const program = await ExternalSolver.open({ problem, argv, jobs, casesPerRun, timeoutSeconds });
  const trusted = await openTrustedSolver(plan);
  const { matcher, close: closeMatcher } = await openMatcher(problem, plan.answerOptions, jobs, {
    timeoutSeconds,
  });
  const author = new AuthorPool(problem, jobs, timeoutSeconds);
  const isShown = isBarWanted({ quiet: plan.quiet, progress: true });
  try {
    return await stress({
      problem,
      trustedSolver: new Recovery(trusted, { retries: TRUSTED_SOLVER_RETRIES, onRetry: () => {} }),
      // The program is not run again after a failure, because a failure is what stress looks for.
      testedSolver: new Recovery(program, { retries: 0, onRetry: () => {} }),
      seed,
      rounds,
      jobs,
      casesPerBatch: casesPerRun,
      matcher,
      openDrawer: (request) => author.openDrawer(request),
      areValid: async (head, cases) =>
        (await author.findInvalid(head, cases)).every((reason) => reason === null),
      searchSeconds: seconds,
      caseSeconds: timeoutSeconds,
      shrinkSeconds: SHRINK_SECONDS,
      stop,
      onRound: (round, cases) => {
        if (isShown) showStatus((columns) => [formatStatus(round, cases, columns)]);
      },
    });
  } finally {
    clearStatus();
    await Promise.all([program.close(), trusted.close(), closeMatcher(), author.close()]);
  }
}

/** Opens the solver that knows the right answers. */
async function openTrustedSolver({
  problem,
  reference,
  casesPerRun,
  timeoutSeconds,
  jobs,
}: StressPlan): Promise<Dispatcher> {
  if (reference === null)
    return new LocalPool({ problem: problem.reference, solver: 'auto' }, { jobs, timeoutSeconds });
  return ExternalSolver.open({ problem, argv: reference, jobs, casesPerRun, timeoutSeconds });
}

/** The paths of the files in the current folder to which a failing case is saved. */
interface SavedFilePaths {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
}

function savedFilePaths({ problem, seed }: StressPlan): SavedFilePaths {
  const name = `stress-${problem.name}-${seed.replace(/[^\w.-]/g, '_')}`;
  return { input: `${name}.in`, expected: `${name}.expected`, got: `${name}.got` };
}

/** Fails if a file to save would replace a file that stress did not write. Called before the search begins. */
async function assertSavedFilesReplaceable(plan: StressPlan): Promise<void> {
  const names = Object.values(savedFilePaths(plan)) as string[];
  await assertDistinct({
    reads: plan.programFiles.paths.map((path) => ({ path, role: 'part of the program' })),
    writes: names.map((path) => ({ path, role: 'file for the failing case' })),
  });
  for (const name of names) {
    if (await mayReplace(name, 'failing case')) continue;
    throw new BoardmillError(
      'file',
      `${name} exists and stress did not write it; move it away, or use another --seed`,
    );
  }
}

function formatStatus(round: number, cases: number, width: number): string {
  return joinFitting([` round ${formatCount(round)}`, ` | ${formatCases(cases)}`], width);
}

/** Saves the counterexample in the current folder, and returns the text to print about it. */
async function saveCounterexample(
  plan: StressPlan,
  { failure, round, head, foundCases, shrunkCases, expectedAnswers }: Counterexample,
): Promise<string> {
  const { problem } = plan;
  const files = savedFilePaths(plan);
  const count = shrunkCases.length;
  const input = assembleInput(problem.inputFormat, Buffer.concat(shrunkCases), count, head.bytes);
  await saveFile(files.input, input);
  await saveFile(files.expected, expectedAnswers);
  await saveFile(files.got, await runProgramOn(plan, input, count));
  return [
    `round ${round}, seed ${plan.seed}: ${failure.description}`,
    `${formatQuantity(count, 'case')}, shrunk from a batch of ${formatCount(foundCases.length)}:`,
    ...Buffer.from(input)
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    `saved ${Object.values(files).join(', ')}; repeat with:`,
    `  ${commandToRepeat(plan, failure.kind, files.input)}`,
    '',
  ].join('\n');
}

/**
 * Returns the command that repeats the failure. For a wrong answer it is `check`, which shows the wrong and the right
 * answer. For a crash or a timeout it is `solve`, which reports the failure.
 */
function commandToRepeat(plan: StressPlan, kind: string, input: string): string {
  const { problem, argv, timeoutSeconds } = plan;
  const program = formatCommandLine(argv);
  const words = formatCommandLine(problem.words);
  if (kind === 'wrong')
    return [`${program} < ${input} | boardmill check ${words} ${input} -`, ...checkOptions(plan)].join(' ');
  return `boardmill solve ${words} ${input} --exec ${formatCommandLine([program])} --timeout ${timeoutSeconds}`;
}

/** Returns the options with which `check` decides as this search does. */
function checkOptions({ reference, answerOptions: { tolerance, checker } }: StressPlan): string[] {
  const quoted = (argv: readonly string[]) => formatCommandLine([formatCommandLine(argv)]);
  return [
    ...(reference === null ? [] : [`--exec ${quoted(reference)}`]),
    ...(tolerance === null ? [] : [`--tolerance ${tolerance}`]),
    ...(checker === null ? [] : [`--checker ${quoted(checker)}`]),
  ];
}

/** Runs the program on the input and returns its output, byte for byte. */
async function runProgramOn(plan: StressPlan, input: Uint8Array, cases: number): Promise<Uint8Array> {
  const program = new Program(plan.argv);
  try {
    const timeoutMs = plan.timeoutSeconds * cases * 1000;
    return (await program.run(input, { timeoutMs, outputBytes: MAX_SAVED_OUTPUT_BYTES })).stdout;
  } finally {
    program.close();
  }
}

/** Writes one file of a failing case. */
async function saveFile(path: string, bytes: Uint8Array): Promise<void> {
  const file = await openReportFile(path, 'failing case', false);
  await file.write(bytes);
}
