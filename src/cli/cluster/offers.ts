/**
 * The problems and programs that the operator of a worker process allows it to run: the built-in problems, the modules and
 * grammars of `--problem`, and the program of `--exec`. A coordinator only names what it needs; the operator decides which file
 * or program that is.
 */

import { type OpenedProblem, openProblem } from '../../catalog/open-problem.js';
import { findProblem } from '../../catalog/registry.js';
import { formatCommandLine } from '../../core/command-line.js';
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError, OutageError, pluralize } from '../../core/errors.js';
import { FileGuard } from '../../core/files/file-guard.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { AlsoComparedPath } from '../../engine/exec/compared-path.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';
import { GuardedDispatcher } from '../../engine/guarded-dispatcher.js';
import type { AllowedInputFolders } from '../../engine/queue/allowed-inputs.js';
import type {
  ProblemRequirements,
  ProgramRequirements,
  ProgramWord,
  RunRequirements,
} from '../../engine/queue/requirements.js';
import type { Admission } from '../../engine/queue/worker-process.js';
import { DEFAULT_GRAMMAR_USE } from '../../problems/grammar-use.js';
import { localFilesOf } from '../../problems/modules/module-identity.js';
import { isGrammarPath, localPathOf } from '../../problems/modules/module-path.js';
import { assertKernelAvailable, noSolverError } from '../arguments/solving-options.js';
import { digestProgramWords, executableAndArgumentsOf, identityOfModule } from './requirements-of.js';

/** A module or a grammar that the worker process may run, as its file is now. */
interface OfferedProblem {
  readonly path: string;
  readonly kind: 'module' | 'grammar';
  readonly opened: OpenedProblem;
  /** The properties that identify a module; empty for a grammar. */
  readonly identity: Readonly<Record<string, string>>;
  /** The digest of a grammar's file; null for a module. */
  readonly digest: string | null;
}

/** The options of `boardmill worker` that allow problems, programs and inputs. */
interface OfferOptions {
  /** The paths of the modules and grammars of `--problem`. */
  readonly paths: readonly string[];
  /** The program of `--exec` and its arguments; null without `--exec`. */
  readonly argv: readonly string[] | null;
  /** The files and folders of `--also-compare`. */
  readonly alsoCompare: readonly string[];
  /** Runs the program in sandboxes; null if the program runs with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  readonly jobs: number;
  /** The folders of `--allow-inputs`, whose files the worker process may read. */
  readonly inputs: AllowedInputFolders;
}

export class WorkerOffers {
  readonly #options: OfferOptions;

  /** Fails with kind `usage` or `file` if one of the problems cannot be opened, or if the program does not exist. */
  static async open(options: OfferOptions): Promise<WorkerOffers> {
    for (const path of options.paths) await openOffered(path);
    if (options.argv !== null) await digestProgramWords(options.argv);
    AlsoComparedPath.findAll('--also-compare', options.alsoCompare);
    return new WorkerOffers(options);
  }

  private constructor(options: OfferOptions) {
    this.#options = options;
  }

  /**
   * Decides whether and how the worker process may solve a run with these requirements. The files are read again for each run,
   * because their owner may have changed them. While the worker process serves the run, the files are watched.
   */
  async admit(requirements: RunRequirements): Promise<Admission> {
    if (requirements.isInputShared && this.#options.inputs.isEmpty)
      return {
        refusal: 'the worker process was started without --allow-inputs DIR, which --shared-input needs',
      };
    let compared: AlsoComparedPath[];
    try {
      compared =
        requirements.program === null
          ? []
          : AlsoComparedPath.findAll('--also-compare', this.#options.alsoCompare);
    } catch (error) {
      return { refusal: reasonOf(error) };
    }
    const guard = FileGuard.of(await this.#filesFor(requirements), compared);
    const found = await this.#findProblem(requirements.problem);
    if (typeof found === 'string') return { refusal: found };
    const refusal =
      requirements.program === null ? null : await this.#refuseProgram(requirements.program, compared);
    if (refusal !== null) return { refusal };
    return {
      open: async () => {
        const guards = found.problem.guard === undefined ? [guard] : [guard, found.problem.guard];
        return new GuardedDispatcher(await this.#open(found, requirements), guards, leavesRun);
      },
    };
  }

  /** Returns the files on which the answers of the worker process depend, apart from boardmill's own files. */
  async #filesFor({ problem, program }: RunRequirements): Promise<string[]> {
    const { argv, paths } = this.#options;
    const files = program === null || argv === null ? [] : await executableAndArgumentsOf(argv);
    if (problem.kind === 'built-in') return files;
    for (const path of paths) files.push(...(await filesOfProblem(path)));
    return files;
  }

  async #open(
    { problem }: OpenedProblem,
    { solver, timeoutSeconds, program }: RunRequirements,
  ): Promise<Dispatcher> {
    if (program === null && problem.solvers === null) throw noSolverError(problem);
    if (solver === 'simd') assertKernelAvailable(problem);
    return openSolver({
      problem,
      solver,
      timeoutSeconds,
      jobs: this.#options.jobs,
      program: program && {
        argv: this.#options.argv!,
        casesPerRun: program.casesPerRun,
        memoryBytes: program.memoryBytes,
        sandbox: this.#options.sandbox,
      },
    });
  }

  /** Returns the problem that a run needs. If the worker process does not have it, returns the reason. */
  async #findProblem(requirements: ProblemRequirements): Promise<OpenedProblem | string> {
    const { name } = requirements;
    if (requirements.kind === 'built-in')
      return findProblem(name) === undefined
        ? `the worker process has no problem ${name}`
        : openProblem(name);
    const offered = await Promise.all(this.#options.paths.map(openOffered));
    const alike = offered.filter(
      ({ kind, opened }) => kind === requirements.kind && opened.problem.name === name,
    );
    if (alike.length === 0)
      return `the worker process was started without --problem for the ${requirements.kind} ${name}`;
    const same = alike.find((each) => isSame(each, requirements));
    if (same === undefined) return describeOtherProblem(alike[0], requirements);
    return requirements.kind === 'module' ? same.opened : openGrammar(same.path, requirements, offered);
  }

  /** Returns why the program of the worker process is not the one that a run needs; null if it is that program. */
  async #refuseProgram(
    { words, compared, isSandboxed }: ProgramRequirements,
    ownCompared: readonly AlsoComparedPath[],
  ): Promise<string | null> {
    const { argv, sandbox } = this.#options;
    if (argv === null) return 'the worker process was started without --exec';
    if (isSandboxed && sandbox === null)
      return 'the worker process was started without --sandbox, with which the run was started';
    const ownWords = await digestProgramWords(argv);
    if (JSON.stringify(words) === JSON.stringify(ownWords)) return refuseCompared(compared, ownCompared);
    const own = formatCommandLine(argv);
    return `the worker process's --exec ${own} is another program: ${describeWords(ownWords)}, and the run needs ${describeWords(words)}`;
  }
}

function leavesRun(changed: string): OutageError {
  return new OutageError(`${changed} has changed since the worker process began to serve the run`);
}

/**
 * Returns why the `--also-compare` files of the worker process differ from those of a run; null if they are the same. The first
 * file is compared with the first, the second with the second, and so on.
 */
async function refuseCompared(
  needed: readonly string[],
  own: readonly AlsoComparedPath[],
): Promise<string | null> {
  if (needed.length !== own.length)
    return `the worker process was started with ${pluralize(own.length, 'option')} --also-compare, and the run with ${needed.length}; both need the same files and folders, in the same order`;
  for (const [i, each] of own.entries()) {
    const digest = await each.digest().catch(reasonOf);
    if (digest !== needed[i])
      return `the worker process's --also-compare ${each.path} (number ${i + 1}) has another content: its digest is ${short(digest)}, and the run needs ${short(needed[i])}`;
  }
  return null;
}

/** Returns the message that the user gets for an error. */
function reasonOf(error: unknown): string {
  if (error instanceof BoardmillError) return error.message;
  throw error;
}

async function openOffered(path: string): Promise<OfferedProblem> {
  const opened = await openProblem(path, DEFAULT_GRAMMAR_USE);
  const isGrammar = isGrammarPath(path);
  return {
    path,
    kind: isGrammar ? 'grammar' : 'module',
    opened,
    identity: isGrammar ? {} : await identityOfModule(opened),
    digest: isGrammar ? await digestOfFile(path) : null,
  };
}

/** Opens a grammar with the options of the run. Returns a reason if the worker process lacks the grammar of an answer. */
async function openGrammar(
  path: string,
  { multitest, casesLoop, answers }: ProblemRequirements & { kind: 'grammar' },
  offered: readonly OfferedProblem[],
): Promise<OpenedProblem | string> {
  if ('text' in answers) return openProblem(path, { multitest, casesLoop, answers: answers.text });
  const ofAnswers = offered.find(({ digest }) => digest === answers.digest);
  if (ofAnswers === undefined)
    return 'the worker process was started without --problem for the grammar of an answer that --answers names';
  return openProblem(path, { multitest, casesLoop, answers: ofAnswers.path });
}

async function filesOfProblem(path: string): Promise<string[]> {
  if (isGrammarPath(path)) return [path];
  return (await localFilesOf(localPathOf(path))).map((file) => file.path);
}

function isSame(offered: OfferedProblem, requirements: ProblemRequirements): boolean {
  if (requirements.kind === 'grammar') return offered.digest === requirements.digest;
  return requirements.kind === 'module' && differences(offered.identity, requirements.identity).length === 0;
}

/** Returns the keys for which two identities have different values. */
function differences(
  own: Readonly<Record<string, string>>,
  needed: Readonly<Record<string, string>>,
): string[] {
  const keys = new Set([...Object.keys(own), ...Object.keys(needed)]);
  return [...keys].filter((key) => own[key] !== needed[key]);
}

function describeOtherProblem(
  { path, identity, digest }: OfferedProblem,
  requirements: ProblemRequirements,
): string {
  if (requirements.kind === 'grammar')
    return `the worker process's ${path} is another grammar: its digest is ${short(digest)}, and the run needs ${short(requirements.digest)}`;
  const needed = requirements.kind === 'module' ? requirements.identity : {};
  const [key] = differences(identity, needed);
  const needs = key in needed ? `the run needs ${short(needed[key])}` : 'the module of the run has none';
  return `the worker process's ${path} is another module: ${key} is ${short(identity[key])}, and ${needs}`;
}

/** Describes the words of a program. A file is described by the beginning of its digest. */
function describeWords(words: readonly ProgramWord[]): string {
  return words.map((word) => ('text' in word ? word.text : short(word.digest))).join(' ');
}

function short(text: string | null | undefined): string {
  return text === null || text === undefined ? 'missing' : text.slice(0, 16);
}
