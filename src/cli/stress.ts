/** `boardmill stress`: random cases against a user's program; the first it fails on, as small as can be. */
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import { ByteWriter } from '../core/bytes.js';
import { BoardmillError, counted, Interrupted, systemReason } from '../core/errors.js';
import { LocalPool } from '../engine/dispatch.js';
import { ExternalSolver } from '../engine/exec.js';
import { Program } from '../engine/program.js';
import { type Finding, type StressResult, stress } from '../engine/stress.js';
import { inputOf } from '../engine/trial.js';
import { printAnswerAs } from '../problems/print-answer.js';
import type { Problem } from '../problems/problem.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
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
import { stopOnSignal } from './signals.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .options({
      exec: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'the program on trial: it reads cases on stdin and prints answers',
      },
      'exec-cases': {
        type: 'string',
        requiresArg: true,
        describe: 'cases that a run of it gets (default: what the contest allows)',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe: 'any text: the same cases (default: drawn, and told)',
      },
      rounds: { type: 'string', requiresArg: true, describe: 'rounds of cases, growing in size' },
      time: {
        type: 'string',
        requiresArg: true,
        describe: `seconds to look for (default: ${DEFAULT_SECONDS}, without --rounds)`,
      },
      timeout: {
        type: 'string',
        requiresArg: true,
        describe: `seconds that the program may take for one case (default: ${DEFAULT_TIMEOUT})`,
      },
      jobs: {
        alias: 'j',
        type: 'string',
        requiresArg: true,
        describe: 'programs at a time (default: processors)',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'nothing but errors on standard error',
      },
    })
    .example("$0 stress bt --exec './mine'", 'a minute of random boards')
    .example("$0 stress zu --exec 'python3 mine.py' --seed 7 --rounds 200", 'the same cases each time');
}

const DEFAULT_SECONDS = 60;
const DEFAULT_TIMEOUT = 10;
/** Shrinking is worth so much time at the most. */
const SHRINK_SECONDS = 60;
/** Of what the program prints for the smallest case, so much is kept. */
const GOT_BYTES = 1 << 20;

/** What is looked for, and how. */
interface Hunt {
  readonly problem: Problem<unknown>;
  readonly command: readonly string[];
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
  if (args.seed === undefined && !hunt.quiet) complain(`seed ${hunt.seed}`);
  const signals = stopOnSignal();
  try {
    const result = await look(hunt, signals.stop);
    if (result.finding !== null) {
      process.stdout.write(await tell(hunt, result.finding));
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
  const jobs = parseJobs(args.jobs);
  const { problem } = await entry.load();
  return {
    problem,
    command,
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
  const onTrial = await ExternalSolver.open({ problem, command, jobs, casesPerRun, timeoutSeconds });
  const trusted = new LocalPool({ problem: problem.name, solver: 'auto' }, { jobs });
  try {
    return await stress({
      problem,
      trusted,
      onTrial,
      seed,
      rounds,
      jobs,
      batchBoards: casesPerRun,
      seconds,
      shrinkSeconds: SHRINK_SECONDS,
      stop,
      onRound: (round, cases) => {
        if (!hunt.quiet && process.stderr.isTTY) process.stderr.write(`\rround ${round}, ${cases} cases `);
      },
    });
  } finally {
    if (!hunt.quiet && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    await Promise.all([onTrial.close(), trusted.close()]);
  }
}

/** Saves what was found in the current folder; returns what to print. */
async function tell(hunt: Hunt, { failure, round, found, shrunk }: Finding): Promise<string> {
  const { problem } = hunt;
  const name = `stress-${problem.name}-${hunt.seed.replace(/[^\w.-]/g, '_')}`;
  const input = inputOf(problem, shrunk);
  await save(`${name}.in`, input);
  await save(`${name}.expected`, expectedFor(problem, shrunk));
  await save(`${name}.got`, await gotFor(hunt, input, shrunk.length));
  return [
    `round ${round}, seed ${hunt.seed}: ${failure.what}`,
    `${counted(shrunk.length, 'board')}, shrunk from a batch of ${found.length}:`,
    ...Buffer.from(input)
      .toString('latin1')
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    `saved ${name}.in, ${name}.expected, ${name}.got; repeat with:`,
    `  ${repeatCommand(hunt, failure.kind, `${name}.in`)}`,
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
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}
