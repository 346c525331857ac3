/** `boardmill stress`: random cases against a user's program; the first it fails on, as small as can be. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { ByteWriter } from '../core/bytes.js';
import { BoardmillError, counted, Interrupted } from '../core/errors.js';
import { LocalPool } from '../engine/dispatch.js';
import { assertDistinct } from '../engine/distinct-files.js';
import { ExternalSolver } from '../engine/exec.js';
import { mayReplace } from '../engine/ledger.js';
import { Program } from '../engine/program.js';
import { ProgramFiles } from '../engine/program-files.js';
import { Recovery } from '../engine/recover.js';
import { type Finding, type StressResult, stress } from '../engine/stress.js';
import { inputOf } from '../engine/trial.js';
import { printAnswerAs } from '../problems/print-answer.js';
import type { Problem } from '../problems/problem.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from './command.js';
import { complain, EXIT } from './exit.js';
import { parseCommand, quoteCommand } from './parse-command.js';
import {
  parseCountOption,
  parseJobs,
  parseProblem,
  parseSeconds,
  single,
  usageError,
} from './parse-options.js';
import { isBarWanted } from './progress.js';
import { openReport } from './report-file.js';
import { stopOnSignal } from './signals.js';
import { formatCases, formatCount, joinFitting } from './status-text.js';
import { clearStatus, showStatus } from './terminal.js';

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
/** Shrinking is worth so much time at the most. */
const SHRINK_SECONDS = 60;
/** A worker of ours that dies is no fault of the program's. */
const TRUSTED_RETRIES = 2;
/** Of what the program prints for the smallest case, so much is kept. */
const GOT_BYTES = 1 << 20;

/** What is looked for, and how. */
interface Hunt {
  readonly problem: Problem<unknown>;
  readonly command: readonly string[];
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
  const hunt = await parseHunt(args);
  await assertSaveable(hunt);
  if (args.seed === undefined && !hunt.quiet) complain(`seed ${hunt.seed}`);
  const signals = stopOnSignal();
  try {
    const result = await look(hunt, signals.stop);
    if (result.finding !== null) {
      process.stdout.write(await saveFinding(hunt, result.finding));
      return EXIT.differs;
    }
    const summary = `no difference in ${counted(result.cases, 'case')}, ${counted(result.rounds, 'round')}`;
    if (signals.stop.aborted) throw new Interrupted(signals.stop.reason as NodeJS.Signals, summary);
    process.stdout.write(`${summary}, seed ${hunt.seed}\n`);
    return EXIT.ok;
  } finally {
    signals.release();
  }
}

async function parseHunt(args: ArgumentsOf<typeof options>): Promise<Hunt> {
  const entry = parseProblem(args.problem);
  const command = parseCommand('--exec', args.exec);
  if (command === undefined) throw usageError('--exec is missing');
  const rounds = parseCountOption('--rounds', args.rounds, 1);
  const seconds = parseSeconds('--time', args.time);
  const casesPerRun = parseCountOption('--exec-cases', args.execCases, 1);
  const timeoutSeconds = parseSeconds('--timeout', args.timeout) ?? DEFAULT_TIMEOUT;
  const jobs = parseJobs(args.jobs, (message) => {
    if (!args.quiet) complain(message);
  });
  const { problem } = await entry.load();
  return {
    problem,
    command,
    programFiles: await ProgramFiles.of(command),
    casesPerRun: casesPerRun ?? problem.contest.cases,
    seed: single('--seed', args.seed) ?? String(randomInt(2 ** 47)),
    rounds: rounds ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (rounds === undefined ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    timeoutSeconds,
    jobs,
    quiet: args.quiet,
  };
}

async function look(hunt: Hunt, stop: AbortSignal): Promise<StressResult> {
  const { problem, command, casesPerRun, seed, rounds, seconds, timeoutSeconds, jobs } = hunt;
  const program = await ExternalSolver.open({ problem, command, jobs, casesPerRun, timeoutSeconds });
  const pool = new LocalPool({ problem: problem.name, solver: 'auto' }, { jobs });
  const isShown = isBarWanted({ quiet: hunt.quiet, progress: true });
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

function savedFiles({ problem, seed }: Hunt): SavedFiles {
  const name = `stress-${problem.name}-${seed.replace(/[^\w.-]/g, '_')}`;
  return { input: `${name}.in`, expected: `${name}.expected`, got: `${name}.got` };
}

/** Fails before the search begins if a user's file has one of the names. */
async function assertSaveable(hunt: Hunt): Promise<void> {
  const names = Object.values(savedFiles(hunt)) as string[];
  await assertDistinct({
    reads: hunt.programFiles.paths.map((path) => ({ path, role: 'part of the program' })),
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
async function saveFinding(hunt: Hunt, { failure, round, found, shrunk }: Finding): Promise<string> {
  const { problem } = hunt;
  const files = savedFiles(hunt);
  const input = inputOf(problem, shrunk);
  await save(files.input, input);
  await save(files.expected, expectedFor(problem, shrunk));
  await save(files.got, await gotFor(hunt, input, shrunk.length));
  return [
    `round ${round}, seed ${hunt.seed}: ${failure.what}`,
    `${counted(shrunk.length, 'board')}, shrunk from a batch of ${found.length}:`,
    ...Buffer.from(input)
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    `saved ${Object.values(files).join(', ')}; repeat with:`,
    `  ${repeatCommand(hunt, failure.kind, files.input)}`,
    '',
  ].join('\n');
}

/** A wrong answer is shown beside the right one; a crash or a hang as `solve` tells it. */
function repeatCommand({ problem, command, timeoutSeconds }: Hunt, kind: string, input: string): string {
  const words = quoteCommand(command);
  if (kind === 'wrong') return `${words} < ${input} | boardmill check ${problem.name} ${input} -`;
  return `boardmill solve ${problem.name} ${input} --exec ${quoteCommand([words])} --timeout ${timeoutSeconds}`;
}

/** By the solver that needs no worker: the boards are few and small. */
function expectedFor(problem: Problem<unknown>, boards: Finding['shrunk']): Uint8Array {
  const answers: unknown[] = [];
  problem.createPortableSolver().solve(boards, boards.length, answers);
  const out = new ByteWriter();
  for (const [i, answer] of answers.entries()) printAnswerAs('text', problem, answer, i + 1, out);
  return out.take();
}

/** What the program prints, byte for byte. */
async function gotFor(hunt: Hunt, input: Uint8Array, cases: number): Promise<Uint8Array> {
  const program = new Program(hunt.command);
  try {
    const timeoutMs = hunt.timeoutSeconds * cases * 1000;
    return (await program.run(input, { timeoutMs, outputBytes: GOT_BYTES })).stdout;
  } finally {
    program.close();
  }
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  const file = await openReport(path, 'failing case', false);
  await file.write(bytes);
}
