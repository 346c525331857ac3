/** Runs right programs and mutants on cases, and compares their answers with the right ones. */
import type { AnswerComparator } from '../../engine/comparators.js';
import { type Dispatcher, DispatcherWrapper } from '../../engine/dispatcher.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { ProgramRunner } from '../../engine/exec/program.js';
import { maxOutputBytes } from '../../engine/exec/program-cases.js';
import { prepareProgram, type SandboxLauncher } from '../../engine/exec/sandbox.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { Recovery } from '../../engine/recover.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { isCompleteInput } from '../cases/complete-input.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import { compareSolvers, NoTrustedAnswerError, type SolverPair, type TrialFailure } from '../stress/trial.js';
import { MUTANT_HITS_PREFIX, MUTANT_HITS_VARIABLE } from './mutants/switched-source.js';
import type { ProgramVariant } from './mutated-program.js';

/** How programs are run and judged. */
export interface TrialSettings {
  readonly problem: Problem;
  readonly trustedSolver: SolverPair['trustedSolver'];
  readonly comparator: AnswerComparator;
  readonly casesPerRun: number;
  readonly memoryBytes: number;
  readonly sandbox: SandboxLauncher | null;
  /** Called before each run of a program. If it throws, the program is not run. */
  readonly beforeRun: () => void;
}

/** A program that was started, and answers batches of cases. */
export class StartedProgram {
  readonly #settings: TrialSettings;
  readonly #solver: TimedDispatcher;
  readonly #tested: Recovery;
  readonly #onUndecided: () => void;

  constructor(solver: Dispatcher, settings: TrialSettings, onUndecided: () => void) {
    this.#solver = new TimedDispatcher(solver);
    this.#settings = settings;
    this.#onUndecided = onUndecided;
    this.#tested = new Recovery(this.#solver, { retries: 0, onRetry: () => {} });
  }

  /**
   * Returns how the program fails on the cases; null if it is right on all of them, or if they say nothing about the program:
   * they are no input by themselves, or nobody knows the right answer to one of them.
   */
  async failureOn(head: InputHeadOfTask, cases: CasesAsBytes): Promise<TrialFailure | null> {
    if (!isCompleteInput(this.#settings.problem, head, cases)) {
      this.#onUndecided();
      return null;
    }
    try {
      const pair = { ...this.#settings, testedSolver: this.#tested, isMutant: true };
      return await compareSolvers(pair, head, cases);
    } catch (error) {
      if (!(error instanceof NoTrustedAnswerError)) throw error;
      this.#onUndecided();
      return null;
    }
  }

  /** The time of the slowest run so far, in seconds. */
  get slowestSeconds(): number {
    return this.#solver.slowestSeconds;
  }

  giveUp(): void {
    this.#solver.giveUp();
  }

  close(): Promise<void> {
    return this.#solver.close();
  }
}

/** Notes the time of the slowest run of a program, without that of the checker and of the right answers. */
class TimedDispatcher extends DispatcherWrapper {
  slowestSeconds = 0;

  protected override async around<Result>(solve: () => Promise<Result>): Promise<Result> {
    const begin = performance.now();
    const result = await solve();
    this.slowestSeconds = Math.max(this.slowestSeconds, (performance.now() - begin) / 1000);
    return result;
  }
}

/** Starts programs for trials, and ends them. */
export class ProgramStarter {
  readonly #settings: TrialSettings;
  readonly #open = new Set<StartedProgram>();
  #undecided = 0;

  constructor(settings: TrialSettings) {
    this.#settings = settings;
  }

  get problem(): Problem {
    return this.#settings.problem;
  }

  /** How often cases said nothing about a program. */
  get undecided(): number {
    return this.#undecided;
  }

  get casesPerRun(): number {
    return this.#settings.casesPerRun;
  }

  /** Starts a program for some work. `timeoutSeconds` limits each run, whatever the number of its cases is. */
  async with<Result>(
    { argv, environment }: ProgramVariant,
    timeoutSeconds: number,
    work: (trial: StartedProgram) => Promise<Result>,
  ): Promise<Result> {
    const { problem, casesPerRun, memoryBytes, sandbox, beforeRun } = this.#settings;
    const limits = { casesPerRun, memoryBytes, sandbox, beforeRun, hasTimeOfOneCase: true };
    const program = { argv, environment, timeoutSeconds, ...limits };
    const solver = await ExternalSolver.open({ problem, jobs: 1, ...program });
    const trial = new StartedProgram(solver, this.#settings, () => this.#undecided++);
    this.#open.add(trial);
    try {
      return await work(trial);
    } finally {
      this.#open.delete(trial);
      await trial.close();
    }
  }

  /**
   * Starts a mutant that counts how often it comes to its changed place. `work` gets a function that runs the mutant on a case
   * and returns this number, which is 0 if the run fails.
   */
  async counting<Result>(
    { argv, environment }: ProgramVariant,
    timeoutSeconds: number,
    work: (hitsOf: (head: InputHeadOfTask, bytes: Uint8Array) => Promise<number>) => Promise<Result>,
  ): Promise<Result> {
    const { problem, memoryBytes, sandbox: launcher, beforeRun } = this.#settings;
    const prepared = await prepareProgram(argv, launcher);
    const program = new ProgramRunner(prepared.argv, {
      memoryBytes,
      environment: { ...environment, [MUTANT_HITS_VARIABLE]: '1' },
      sandbox: prepared.sandbox,
    });
    try {
      return await work(async (head, bytes) => {
        beforeRun();
        const input = assembleInput(problem.inputFormat, [bytes], head.bytes);
        const outputBytes = maxOutputBytes(problem, input.length) + MAX_MARK_BYTES;
        const { stdout, failure } = await program.run(input, {
          timeoutMs: timeoutSeconds * 1000,
          outputBytes,
        });
        return failure === null ? hitsIn(stdout) : 0;
      });
    } finally {
      program.close();
    }
  }

  /** Ends the programs that are running. */
  giveUp(): void {
    for (const trial of this.#open) trial.giveUp();
  }
}

/** Bytes that a program may print more if it says how often it came to its changed place. */
const MAX_MARK_BYTES = 100;

/** Returns the number that a program has printed after the mark; 0 if there is none. */
function hitsIn(stdout: Uint8Array): number {
  const [, hits] =
    new RegExp(`${MUTANT_HITS_PREFIX} (\\d+)`).exec(Buffer.from(stdout).toString('latin1')) ?? [];
  return Number(hits ?? 0);
}
