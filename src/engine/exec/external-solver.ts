/**
 * The dispatcher of `--exec`: an external program solves the chunks. Each run of the program gets a complete, valid
 * input. boardmill reads the answers that the program prints, checks whether they fit the boards, and prints them
 * again with the case numbers of the whole input.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { ByteWriter } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import { measureSpan } from '../../core/location.js';
import { type CaseRange, rangeLength } from '../../core/range.js';
import { assertCasesSeparable } from '../../formats/assemble-input.js';
import { boardColumnValues, CaseLineFinder, columnValues } from '../../problems/output-columns.js';
import { printerFor } from '../../problems/output-formats.js';
import type { Problem } from '../../problems/problem.js';
import { createChunkResult } from '../chunk-result.js';
import { ChunkFailure, Dispatcher } from '../dispatcher.js';
import { type CaseFault, type ChunkResult, type ChunkTask, casesOfTask } from '../messages.js';
import { callNow, findExecutable, type InTurn, ProgramRunner } from './program.js';
import {
  createCaseFault,
  describeSharedAnswer,
  divideIntoProgramRuns,
  inputOfCanonicalCases,
  inputOfCases,
  maxOutputBytes,
  type ParsedCase,
  parseCases,
  readProgramAnswers,
} from './program-cases.js';
import type { ProgramOutcome } from './program-shell.js';
import { type PreparedProgram, prepareProgram, type SandboxLauncher } from './sandbox.js';

/** A program that solves cases. */
export interface SolvingProgram {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Largest number of cases that one run of the program gets. Missing: as many as the contest allows in one file. */
  readonly casesPerRun?: number;
  /** Address space of each run of the program, in bytes; missing or null if it is not limited. */
  readonly memoryBytes?: number | null;
  /** Runs the program in sandboxes; missing or null if it runs with the rights of boardmill. */
  readonly sandbox?: SandboxLauncher | null;
  /** The environment variables of the program; missing if it gets those of boardmill. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What messages call the program, such as "the reference". Missing: "the program". */
  readonly calledAs?: string;
  /**
   * Whether a run with several cases gets only the time limit of one case. The caller then finds out itself which case takes
   * too long.
   */
  readonly hasTimeOfOneCase?: boolean;
  /**
   * Called before each run of the program. If this function throws, the program is not run, and the chunk fails with the same
   * error.
   */
  readonly beforeRun?: () => void;
}

interface ExecOptions extends SolvingProgram {
  readonly problem: Problem;
  /** Largest number of runs of the program at the same time. */
  readonly jobs: number;
  /**
   * Time limit for one test case, in seconds; null if there is no limit. A run of the program with n cases may take n times as
   * long.
   */
  readonly timeoutSeconds: number | null;
}

/** A chunk that is being solved. */
interface OpenChunk {
  readonly task: ChunkTask;
  /** Whether the dispatcher was told to give up before the chunk was solved. */
  isGivenUp: boolean;
}

/** A run of the program that has ended. */
interface ProgramRun {
  readonly outcome: ProgramOutcome;
  /** How long the program ran, in milliseconds. */
  readonly ms: number;
}

/**
 * A program has printed one answer to several cases. Mostly the user is wrong about what a case is, so the run ends. But if
 * another program has answered each case, this one is wrong itself.
 */
export class SharedAnswerError extends BoardmillError {
  constructor(message: string) {
    super('worker', message);
  }
}

export class ExternalSolver extends Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly maxCasesPerChunk: number;
  readonly mostWorkers = null;
  readonly lastChunks: number;
  readonly cutting = null;
  readonly narrowsByHalves = true;
  readonly solveByteRange = null;
  readonly #options: ExecOptions;
  readonly #program: ProgramRunner;
  /** Limits the number of runs of the program at the same time, counted over all input files together. */
  readonly #limitRuns: LimitFunction;
  /** Limits the number of runs that last or are ready to start, each of which has a shell. */
  readonly #limitReady: LimitFunction;
  readonly #openChunks = new Set<OpenChunk>();
  #isClosed = false;

  /** Opens the dispatcher for a program. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: ExecOptions): Promise<ExternalSolver> {
    assertCasesSeparable(options.problem.inputFormat);
    await findExecutable(options.argv);
    return new ExternalSolver(options, await prepareProgram(options.argv, options.sandbox ?? null));
  }

  private constructor(options: ExecOptions, { argv, sandbox }: PreparedProgram) {
    super();
    // While the program runs, one more chunk is prepared.
    this.maxChunksAtOnce = options.jobs + 1;
    this.lastChunks = options.jobs;
    this.maxCasesPerChunk = options.casesPerRun ?? options.problem.casesPerRun;
    this.#options = options;
    const { memoryBytes = null, environment } = options;
    this.#program = new ProgramRunner(argv, {
      memoryBytes,
      sandbox,
      inForeground: true,
      ...(environment === undefined ? {} : { environment }),
    });
    this.#limitRuns = pLimit(options.jobs);
    this.#limitReady = pLimit(this.maxChunksAtOnce);
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const chunk = { task, isGivenUp: false };
    this.#openChunks.add(chunk);
    try {
      return await this.#limitReady(() => this.#solve(chunk));
    } finally {
      this.#openChunks.delete(chunk);
    }
  }

  async #solve(chunk: OpenChunk): Promise<ChunkResult> {
    const { task } = chunk;
    const { problem } = this.#options;
    const input = inputOfCanonicalCases(problem, task);
    const run = input && (await this.#run(chunk, input, casesOfTask(task), this.#limitRuns));
    if (run !== null && isAsPrinted(problem, task, run.outcome)) return this.#copy(task, run);
    const cases = parseCases(problem, task);
    if (run !== null) return this.#print(task, cases, this.#answersOf(chunk, cases, run), run.ms);
    return this.#solveParsed(chunk, cases);
  }

  /** Solves the valid cases among the given cases of a chunk, in as many runs of the program as they need. */
  async #solveParsed(chunk: OpenChunk, cases: readonly ParsedCase[]): Promise<ChunkResult> {
    const { task } = chunk;
    const goodCases = cases.filter(({ fault }) => fault === null);
    const casesPerRun = task.isSolvedOneByOne ? 1 : this.maxCasesPerChunk;
    const runs = divideIntoProgramRuns(goodCases, casesPerRun, this.#options.problem.totals ?? null);
    // The runs of a chunk follow each other: those of the next chunk come after them.
    const { answers, ms } =
      runs.length === 1
        ? await this.#answerInRuns(chunk, runs, this.#limitRuns)
        : await this.#limitRuns(() => this.#answerInRuns(chunk, runs, callNow));
    return this.#print(task, cases, answers, ms);
  }

  async #answerInRuns(
    chunk: OpenChunk,
    runs: readonly (readonly ParsedCase[])[],
    inTurn: InTurn,
  ): Promise<{ answers: readonly unknown[]; ms: number }> {
    const { task } = chunk;
    const answers: unknown[] = [];
    let ms = 0;
    for (const cases of runs) {
      const input = inputOfCases(this.#options.problem, task, cases);
      const run = await this.#run(chunk, input, rangeOf(task, cases)!, inTurn);
      for (const answer of this.#answersOf(chunk, cases, run)) answers.push(answer);
      ms += run.ms;
    }
    return { answers, ms };
  }

  /** Kills all running processes of the program. */
  giveUp(): void {
    for (const chunk of this.#openChunks) chunk.isGivenUp = true;
    this.#program.close();
  }

  /** Ends the runs of the program. Chunks that are still being solved fail, and start the program no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#program.close();
  }

  /** Runs the program on an input with the given cases. The input is made ready at once, and the program starts in its turn. */
  async #run(chunk: OpenChunk, input: Uint8Array, cases: CaseRange, inTurn: InTurn): Promise<ProgramRun> {
    const { problem, timeoutSeconds, hasTimeOfOneCase = false, beforeRun } = this.#options;
    const timedCases = hasTimeOfOneCase ? 1 : rangeLength(cases);
    const limits = {
      timeoutMs: timeoutSeconds === null ? null : timeoutSeconds * timedCases * 1000,
      outputBytes: maxOutputBytes(problem, input.length),
    };
    this.#assertWanted(chunk, cases);
    let begin = 0;
    const outcome = await this.#program.run(input, limits, (start) =>
      inTurn(() => {
        this.#assertWanted(chunk, cases);
        beforeRun?.();
        begin = performance.now();
        return start();
      }),
    );
    return { outcome, ms: performance.now() - begin };
  }

  #assertWanted({ isGivenUp }: OpenChunk, cases: CaseRange): void {
    if (this.#isClosed || isGivenUp) throw new ChunkFailure('given-up', 'the run has ended', cases);
  }

  /** Returns the answers that a run of the program has printed to the given cases of a chunk. */
  #answersOf(
    { task, isGivenUp }: OpenChunk,
    cases: readonly ParsedCase[],
    { outcome: { stdout, failure } }: ProgramRun,
  ): readonly unknown[] {
    const { problem, timeoutSeconds, calledAs } = this.#options;
    const name = calledAs ?? 'the program';
    const printed = readProgramAnswers(problem, stdout, cases);
    const { answers, mistake } = printed;
    if (failure !== null) {
      const reason =
        failure.kind === 'timeout'
          ? `${calledAs === undefined ? '' : `${calledAs} gave `}no answer within ${timeoutSeconds} s`
          : `${name} ${failure.reason}`;
      // The cases that the program had answered before it failed are not suspects.
      const kind = isGivenUp ? 'given-up' : failure.kind;
      throw new ChunkFailure(kind, reason, rangeOf(task, cases.slice(answers.length)));
    }
    // A program that took a whole chunk for one case has ended the run. In a part, it may leave out the answers to some cases.
    const oneAnswer = task.isPart ? null : describeSharedAnswer(problem, printed, cases);
    if (oneAnswer !== null) throw new SharedAnswerError(`${name} ${oneAnswer}`);
    if (mistake !== null) {
      throw new ChunkFailure('crash', `${name} ${mistake.reason}`, rangeOf(task, mistake.suspects));
    }
    return answers.map(({ value }) => value);
  }

  /** Returns the result of a chunk whose answers the program has printed exactly as boardmill would. */
  #copy({ bytes, starts, firstCase }: ChunkTask, { outcome, ms }: ProgramRun): ChunkResult {
    const answeredCases = starts.length - 1;
    return createChunkResult({
      output: outcome.stdout.slice(),
      answeredCases,
      span: measureSpan(bytes, 0, starts[answeredCases]),
      solver: 'exec',
      times: { parse: 0, solve: ms, print: 0 },
      slowest: [{ case: firstCase, seconds: ms / 1000 / answeredCases }],
    });
  }

  #print(
    task: ChunkTask,
    cases: readonly ParsedCase[],
    answers: readonly unknown[],
    ms: number,
  ): ChunkResult {
    const { bytes, starts, firstCase, settings } = task;
    const { printAnswer } = printerFor(settings);
    const { answerFormat } = this.#options.problem;
    const out = new ByteWriter();
    const faults: CaseFault[] = [];
    const columns = this.#columnsOf(task, ms / 1000 / answers.length);
    let answeredCases = 0;
    for (const parsed of cases) {
      const { index, fault } = parsed;
      const values = columns?.(parsed) ?? null;
      if (fault === null)
        printAnswer(answerFormat, answers[answeredCases++], firstCase + index, out, values?.printed ?? null);
      else faults.push({ ...createCaseFault(bytes, index, fault, out.length), ...values?.place });
    }
    // How long each single case took is not known. So all cases of the chunk count as one slow case, with the number of the
    // first case and the mean time of all of them.
    const slowest = {
      case: firstCase + (cases.find(({ fault }) => fault === null)?.index ?? 0),
      seconds: ms / 1000 / answeredCases,
    };
    return createChunkResult({
      output: out.take(),
      answeredCases,
      faults,
      span: measureSpan(bytes, 0, starts[starts.length - 1]),
      solver: 'exec',
      times: { parse: 0, solve: ms, print: 0 },
      slowest: answeredCases > 0 ? [slowest] : [],
    });
  }

  /**
   * Returns a function that computes the values of the columns for one case of a chunk; null if the output has no columns. The
   * caller must pass the cases in their order. Each case gets an equal share of the chunk's time.
   */
  #columnsOf({ bytes, starts, origin, settings }: ChunkTask, seconds: number) {
    if (origin === null) return null;
    const lines = new CaseLineFinder(bytes, origin.line);
    const { caseColumns } = this.#options.problem;
    return ({ index, scope }: ParsedCase) => {
      const line = lines.lineAt(starts[index]);
      const board = scope && boardColumnValues(settings.columns, scope.value, caseColumns);
      const facts = { file: origin.file, line, board, seconds, nimber: null };
      return { printed: columnValues(settings.columns, facts), place: { line } };
    };
  }
}

/** Whether the program has printed the answers to all cases of a chunk exactly as boardmill would print them. */
function isAsPrinted(
  { answerFormat }: Problem,
  { starts, settings, origin }: ChunkTask,
  { stdout, failure }: ProgramOutcome,
): boolean {
  if (failure !== null || settings.outputFormat !== 'text' || origin !== null) return false;
  return answerFormat.isAsPrinted?.(stdout, starts.length - 1) === true;
}

/** Returns the range of case numbers from the first to the last of the given cases, or null if no cases are given. */
function rangeOf({ firstCase }: ChunkTask, cases: readonly ParsedCase[]): CaseRange | null {
  if (cases.length === 0) return null;
  return { from: firstCase + cases[0].index, to: firstCase + cases[cases.length - 1].index };
}
