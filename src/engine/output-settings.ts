/**
 * The settings that the bytes of the answers depend on, apart from the input. Three things are derived from this
 * one type: the tasks of chunks, the terms in a checkpoint, and the terms in the ledger. A new option that changes
 * the output is added here, and then it reaches the workers and `--resume` compares it.
 *
 * Some options are left out on purpose. `--jobs`, `--chunk` and `--retries` change no byte. The effect of
 * `--timeout` depends on the machine anyway, and a user whose case timed out should be able to resume with a longer
 * timeout.
 */
import type { OutputFormat } from '../problems/output-formats.js';
import type { SolverChoice } from '../problems/problem.js';

/** What happens at a case without an answer. `stop`: the run ends; `mark`: the case is answered ERROR. */
export type ErrorPolicy = 'stop' | 'mark';

export interface OutputSettings {
  /** boardmill's own version. */
  readonly version: string;
  /** The name of the problem. */
  readonly problem: string;
  readonly solver: SolverChoice;
  /** The program behind `--exec`; null if boardmill itself solves. */
  readonly program: ProgramSettings | null;
  readonly outputFormat: OutputFormat;
  readonly onError: ErrorPolicy;
}

export interface ProgramSettings {
  /** The program and its arguments, quoted as a user would type them. */
  readonly commandLine: string;
  /** Path and digest of each file of the program. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The settings that a worker thread gets once, when it starts. */
export type WorkerSettings = Pick<OutputSettings, 'problem' | 'solver'>;

/** The settings that are sent with every chunk: those that a worker thread does not get when it starts. */
export type ChunkSettings = Omit<OutputSettings, keyof WorkerSettings | 'version' | 'program'>;

/**
 * The settings as a checkpoint and the ledger store them: names as messages show them, with their values, such as
 * `--format` with `text`.
 */
export type OutputTerms = Readonly<Record<string, string>>;

/** Describes each setting as terms. The compiler refuses a setting that has no entry here. */
const TERMS_OF_SETTINGS: {
  readonly [Name in keyof OutputSettings]: (settings: OutputSettings) => OutputTerms;
} = {
  version: ({ version }) => ({ version }),
  problem: ({ problem }) => ({ problem }),
  // All solvers give the same answers. Only `simd` refuses boards, and only `mark` continues after a refused board.
  solver: ({ solver, onError }) => ({ '--solver': solver === 'simd' && onError === 'mark' ? 'simd' : 'any' }),
  program: ({ program }) => (program === null ? {} : describeProgram(program)),
  outputFormat: ({ outputFormat }) => ({ '--format': outputFormat }),
  onError: ({ onError }) => ({ '--on-error': onError }),
};

/**
 * Describes the program by its command line and the content of its files: a program that was compiled again may
 * give other answers.
 */
function describeProgram({ commandLine, digests }: ProgramSettings): OutputTerms {
  const files = [...digests].map(([path, digest]) => [`the content of ${path}`, digest]);
  return { '--exec': commandLine, ...Object.fromEntries(files) };
}

/** The terms of these settings, as the checkpoint and the ledger store them. */
export function termsOf(settings: OutputSettings): OutputTerms {
  return Object.assign({}, ...Object.values(TERMS_OF_SETTINGS).map((describe) => describe(settings)));
}

/** The names of the terms in which two runs differ. If there are none, both runs write the same bytes. */
export function differingTerms(oldTerms: OutputTerms, newTerms: OutputTerms): string[] {
  const names = new Set([...Object.keys(oldTerms), ...Object.keys(newTerms)]);
  return [...names].filter((name) => oldTerms[name] !== newTerms[name]);
}
