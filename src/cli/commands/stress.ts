/** `boardmill stress`: random cases against a user's program; the first it fails on, as small as can be. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError, Interrupted, pluralize } from '../../core/errors.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { Program } from '../../engine/exec/program.js';
import { ProgramFiles } from '../../engine/exec/program-files.js';
import { MAX_GOT_BYTES, SHRINK_SECONDS, TRUSTED_RETRIES } from '../../engine/limits.js';
import { LocalPool } from '../../engine/local-pool.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { mayReplace } from '../../engine/output/ledger.js';
import { Recovery } from '../../engine/recover.js';
import { type Counterexample, type StressResult, stress } from '../../engine/tools/stress.js';
import { inputOf } from '../../engine/tools/trial.js';
import { printerFor } from '../../problems/output-formats.js';
import type { Problem } from '../../problems/problem.js';
import {
  parseCountOption,
  parseJobs,
  parseProblem,
  parseSeconds,
  parseSingle,
  usageError,
} from '../arguments/parse-options.js';
import { parseProgram, quoteWords } from '../arguments/parse-program.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage } from '../exit.js';
import { openReport } from '../report-file.js';
import { stopOnSignal } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { formatCases, formatCount, joinFitting } from '../status/status-text.js';
import { clearStatus, showStatus } from '../status/terminal.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .options({
      exec: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'the program to test, which reads cases on standard input',
      },
      'exec-cases': {
        type: 'string',
        requiresArg: true,
        describe: 'number of cases that one run of the program gets (default: as many as the contest allows)',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe: 'any text; the same seed gives the same cases (default: random, and printed)',
      },
      rounds: {
        type: 'string',
        requiresArg: true,
        describe: 'number of rounds; boards grow from round to round',
      },
      time: {
        type: 'string',
        requiresArg: true,
        describe: `how long to search, such as 60 or 10m (default: ${DEFAULT_SECONDS} s, unless --rounds is given)`,
      },
      timeout: {
        type: 'string',
        requiresArg: true,
        describe: `time limit of the program for one case, such as 5 or 500ms (default: ${DEFAULT_TIMEOUT} s)`,
      },
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe: 'number of programs that run at a time (default: number of processors)',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'print nothing but errors on standard error',
      },
    })
    .epilogue(
      describeExamples([
        ["boardmill stress bt --exec './mine'", 'a minute of random boards'],
        ["boardmill stress zu --exec 'python3 mine.py' --seed 7 --rounds 200", 'the same cases each time'],
      ]),
    );
}

const DEFAULT_SECONDS = 60;
const DEFAULT_TIMEOUT = 10;

/** What is looked for, and how. */
interface StressPlan {
  readonly problem: Problem<unknown>;
  readonly argv: readonly string[];
  readonly programFiles: ProgramFiles;
  readonly casesPerRun: number;
  readonly seed: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly timeoutSeconds: number;
  readonly jobs: number;
  readonly quiet: boolean;
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const plan = await parsePlan(args);
  await assertSaveable(plan);
  if (args.seed === undefined && !plan.quiet) printMessage(`seed ${plan.seed}`);
  const signals = stopOnSignal();
  try {
    const result = await search(plan, signals.stop);
    if (result.counterexample !== null) {
      process.stdout.write(await saveCounterexample(plan, result.counterexample));
      return EXIT.differs;
    }
    const summary = `no difference in ${pluralize(result.cases, 'case')}, ${pluralize(result.rounds, 'round')}`;
    if (signals.stop.aborted) throw new Interrupted(signals.stop.reason as NodeJS.Signals, summary);
    process.stdout.write(`${summary}, seed ${plan.seed}\n`);
    return EXIT.ok;
  } finally {
    signals.release();
  }
}

async function parsePlan(args: ArgumentsOf<typeof options>): Promise<StressPlan> {
  const entry = parseProblem(args.problem);
  const argv = parseProgram('--exec', args.exec);
  if (argv === undefined) throw usageError('--exec is missing');
  const rounds = parseCountOption('--rounds', args.rounds, 1);
  const seconds = parseSeconds('--time', args.time);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? DEFAULT_TIMEOUT;
  const jobs = parseJobs(args.jobs, (message) => {
    if (!args.quiet) printMessage(message);
  });
  const { problem } = await entry.load();
  return {
    problem,
    argv,
    programFiles: await ProgramFiles.of(argv),
    casesPerRun: casesPerRun ?? problem.contestLimits.cases,
    seed: parseSingle('--seed', args.seed) ?? String(randomInt(2 ** 47)),
    rounds: rounds ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (rounds === undefined ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    timeoutSeconds,
    jobs,
    quiet: args.quiet,
  };
}

async function search(plan: StressPlan, stop: AbortSignal): Promise<StressResult> {
  const { problem, argv, casesPerRun, seed, rounds, seconds, timeoutSeconds, jobs } = plan;
  const program = await ExternalSolver.open({ problem, argv, jobs, casesPerRun, timeoutSeconds });
  const pool = new LocalPool({ problem: problem.name, solver: 'auto' }, { jobs });
  const isShown = isBarWanted({ quiet: plan.quiet, progress: true });
  try {
    return await stress({
      problem,
      trusted: new Recovery(pool, { retries: TRUSTED_RETRIES, onRetry: () => {} }),
      // A failure of the program is what is looked for.
      onTrial: new Recovery(program, { retries: 0, onRetry: () => {} }),
      seed,
      rounds,
      jobs,
      batchBoards: casesPerRun,
      seconds,
      shrinkSeconds: SHRINK_SECONDS,
      stop,
      onRound: (round, cases) => {
        if (isShown) showStatus((columns) => [formatRound(round, cases, columns)]);
      },
    });
  } finally {
    clearStatus();
    await Promise.all([program.close(), pool.close()]);
  }
}

/** The files that a failing case is saved in, in the current folder. */
interface SavedFiles {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
}

function savedFiles({ problem, seed }: StressPlan): SavedFiles {
  const name = `stress-${problem.name}-${seed.replace(/[^\w.-]/g, '_')}`;
  return { input: `${name}.in`, expected: `${name}.expected`, got: `${name}.got` };
}

/** Fails before the search begins if a user's file has one of the names. */
async function assertSaveable(plan: StressPlan): Promise<void> {
  const names = Object.values(savedFiles(plan)) as string[];
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

function formatRound(round: number, cases: number, width: number): string {
  return joinFitting([` round ${formatCount(round)}`, ` | ${formatCases(cases)}`], width);
}

/** Saves what was found in the current folder; returns what to print. */
async function saveCounterexample(
  plan: StressPlan,
  { failure, round, found, shrunk }: Counterexample,
): Promise<string> {
  const { problem } = plan;
  const files = savedFiles(plan);
  const input = inputOf(problem, shrunk);
  await save(files.input, input);
  await save(files.expected, expectedFor(problem, shrunk));
  await save(files.got, await gotFor(plan, input, shrunk.length));
  return [
    `round ${round}, seed ${plan.seed}: ${failure.what}`,
    `${pluralize(shrunk.length, 'board')}, shrunk from a batch of ${found.length}:`,
    ...Buffer.from(input)
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    `saved ${Object.values(files).join(', ')}; repeat with:`,
    `  ${repeatCommand(plan, failure.kind, files.input)}`,
    '',
  ].join('\n');
}

/** A wrong answer is shown beside the right one; a crash or a hang as `solve` tells it. */
function repeatCommand({ problem, argv, timeoutSeconds }: StressPlan, kind: string, input: string): string {
  const words = quoteWords(argv);
  if (kind === 'wrong') return `${words} < ${input} | boardmill check ${problem.name} ${input} -`;
  return `boardmill solve ${problem.name} ${input} --exec ${quoteWords([words])} --timeout ${timeoutSeconds}`;
}

/** By the solver that needs no worker: the boards are few and small. */
function expectedFor(problem: Problem<unknown>, boards: Counterexample['shrunk']): Uint8Array {
  const answers: unknown[] = [];
  problem.createPortableSolver().solve(boards, boards.length, answers);
  const out = new ByteWriter();
  const { printAnswer } = printerFor('text');
  for (const [i, answer] of answers.entries()) printAnswer(problem, answer, i + 1, out);
  return out.take();
}

/** What the program prints, byte for byte. */
async function gotFor(plan: StressPlan, input: Uint8Array, cases: number): Promise<Uint8Array> {
  const program = new Program(plan.argv);
  try {
    const timeoutMs = plan.timeoutSeconds * cases * 1000;
    return (await program.run(input, { timeoutMs, outputBytes: MAX_GOT_BYTES })).stdout;
  } finally {
    program.close();
  }
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  const file = await openReport(path, 'failing case', false);
  await file.write(bytes);
}
