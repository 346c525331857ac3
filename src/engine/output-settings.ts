/**
 * The settings that the bytes of the answers depend on, apart from the input. Three things are derived from the type
 * OutputSettings: the settings that workers get, and their fingerprint in a checkpoint and in the ledger. So a new
 * option that changes the output is added only to this type: then the workers get the option, and `--resume` compares
 * it.
 *
 * OutputSettings lacks some options on purpose. `--jobs`, `--chunk` and `--retries` change no byte of the answers. The effect
 * of `--timeout` depends on the machine anyway, and a user whose case timed out should be able to resume with a longer timeout.
 */
import { digestOfText, shortenDigest } from '../core/digest.js';
import { pluralize } from '../core/errors.js';
import type { Column } from '../problems/output-columns.js';
import type { OutputFormat } from '../problems/output-formats.js';
import type { SolverChoice } from '../problems/problem.js';
import type { ProblemReference } from '../problems/problem-reference.js';
import { formatShard, type Shard } from './input/shard.js';

/**
 * The values of `--on-error`: what happens at a case without an answer. `stop`: the run ends. `mark`: the case is
 * answered ERROR.
 */
export type ErrorPolicy = 'stop' | 'mark';

export interface OutputSettings {
  /** boardmill's own version. */
  readonly version: string;
  readonly problem: ProblemSettings;
  readonly solver: SolverChoice;
  /** The program behind `--exec`; null if boardmill itself solves. */
  readonly program: ProgramSettings | null;
  readonly outputFormat: OutputFormat;
  /** The columns that the output has for each case besides the answer. Empty for the output format `text`. */
  readonly columns: readonly Column[];
  readonly onError: ErrorPolicy;
  /** Whether the output is a table of several inputs, in which the column `file` comes before the number of the case. */
  readonly fileFirst?: boolean;
  /** The part of the input whose answers are in the output; null if it is the whole input. */
  readonly shard: Shard | null;
}

interface ProblemSettings {
  readonly name: string;
  /** What identifies a user's problem, such as the digests of its files. Each key is a phrase that messages use. */
  readonly identity: ReadonlyMap<string, string>;
}

interface ProgramSettings {
  /** The program and its arguments, quoted as a user would type them. */
  readonly commandLine: string;
  /** Path and digest of each file of the program. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The settings that a worker thread gets once, when it starts. */
export interface WorkerSettings {
  readonly problem: ProblemReference;
  readonly solver: SolverChoice;
  /** What the thread does with cases; missing if it solves them. */
  readonly job?: NonSolvingJob;
}

/**
 * A job of worker threads other than solving. In place of answers, they return: the time that solving each case takes, the same
 * text for each case, the counts of a slice of a census, the statistics of `stats`, or explanations.
 */
export type NonSolvingJob = { readonly kind: 'time' | 'skip' | 'census' } | StatisticsJob | ExplainJob;

/** The job of the worker threads of `stats`. */
export interface StatisticsJob {
  readonly kind: 'statistics';
  /** Whether the threads also solve the cases, to count answers. */
  readonly solves: boolean;
  /** Whether cases that are equal up to symmetries are looked for, if the problem has symmetries. */
  readonly findsSymmetricCases: boolean;
}

/** How `explain` prints an explanation. */
export type ExplanationFormat =
  | { readonly kind: 'json'; readonly hasProof: boolean }
  | {
      readonly kind: 'text';
      readonly width: number;
      readonly hasColor: boolean;
      readonly localeHasUtf8: boolean;
    };

/** What a worker thread of `explain` produces for each case. */
export interface ExplanationOutput {
  /** The form in which the explanation is printed; null if it is not printed. */
  readonly printed: ExplanationFormat | null;
  /** The drawing of the board, perhaps with the winning moves; null if none is wanted. */
  readonly drawing: { readonly hasMoves: boolean } | null;
  /** Whether the rows of the board are wanted, for a page. */
  readonly hasBoard: boolean;
}

/**
 * What a worker thread of `explain` returns about a case, as a line of JSON, if a drawing or the board is wanted. Otherwise it
 * returns the printed explanation alone.
 */
export interface ExplainedCase {
  readonly case: number;
  /** The printed explanation; empty if nothing is printed. */
  readonly printed: string;
  readonly svg: string | null;
  readonly board: readonly string[] | null;
}

/** The job of the worker threads of `explain`. */
export interface ExplainJob {
  readonly kind: 'explain';
  /** Number of the first case to explain. The threads only parse the cases before this one. */
  readonly firstCase: number;
  readonly output: ExplanationOutput;
}

/**
 * The settings that the coordinator sends with every chunk: all settings that a worker thread needs and does not get
 * when it starts.
 */
export type ChunkSettings = Omit<OutputSettings, keyof WorkerSettings | 'version' | 'program' | 'shard'>;

/** Returns the settings that go with each chunk. */
export function chunkSettingsOf(settings: OutputSettings): ChunkSettings {
  const { version, problem, solver, program, shard, ...others } = settings;
  return others;
}

/** The settings of a run whose answers boardmill reads itself, and does not show to the user. */
export const PLAIN_SETTINGS: ChunkSettings = { outputFormat: 'text', columns: [], onError: 'stop' };

/**
 * The output settings as a checkpoint and the ledger store them. Each key is the name of a setting as messages show
 * it, such as `--format`; its value is a text, such as `text`.
 */
export type SettingsFingerprint = Readonly<Record<string, string>>;

/**
 * For each output setting, the function that describes the setting in the fingerprint. The compiler reports a setting that is
 * missing here.
 */
const FINGERPRINT_OF_SETTINGS: {
  readonly [Name in keyof OutputSettings]-?: (
    settings: Pick<OutputSettings, Name | (Name extends 'solver' ? 'onError' : never)>,
  ) => SettingsFingerprint;
} = {
  version: ({ version }) => ({ version }),
  problem: ({ problem }) => ({ problem: problem.name, ...Object.fromEntries(problem.identity) }),
  // All solvers give the same answers, but only `--solver simd` refuses boards, and only `--on-error mark` continues after a
  // refused board.
  solver: ({ solver, onError }) => ({ '--solver': solver === 'simd' && onError === 'mark' ? 'simd' : 'any' }),
  program: ({ program }) => (program === null ? {} : describeProgram(program)),
  outputFormat: ({ outputFormat }) => ({ '--format': outputFormat }),
  columns: ({ columns }) => (columns.length === 0 ? {} : { '--columns': columns.join(',') }),
  onError: ({ onError }) => ({ '--on-error': onError }),
  // The list of the inputs says more.
  fileFirst: () => ({}),
  shard: ({ shard }) => (shard === null ? {} : { '--shard': formatShard(shard) }),
};

/**
 * Describes the program by its command line and the content of its files: a program that was compiled again may
 * give other answers.
 */
function describeProgram({ commandLine, digests }: ProgramSettings): SettingsFingerprint {
  return { '--exec': commandLine, ...describeFiles(digests) };
}

function describeFiles(digests: ReadonlyMap<string, string>): SettingsFingerprint {
  return Object.fromEntries([...digests].map(([path, digest]) => [`the content of ${path}`, digest]));
}

/**
 * Returns the fingerprint of the output settings, as a checkpoint and the ledger store them. `inputs` are the names of the
 * inputs, on which the output depends if one of the columns shows them.
 */
export function fingerprintOf(settings: OutputSettings, inputs: readonly string[]): SettingsFingerprint {
  const parts = Object.values(FINGERPRINT_OF_SETTINGS).map((describe) => describe(settings));
  return Object.assign(
    {},
    ...parts,
    settings.columns.includes('file') ? describeInputs(settings, inputs) : {},
  );
}

/** A checkpoint has the names of many inputs as their digest, because it must stay small. */
function describeInputs({ fileFirst }: OutputSettings, inputs: readonly string[]): SettingsFingerprint {
  if (!fileFirst) return { 'the name of the input': inputs[0] };
  const digest = shortenDigest(digestOfText(JSON.stringify(inputs)));
  return { 'the list of inputs': `${pluralize(inputs.length, 'file')} (${digest})` };
}

/** Says which settings differ, as in `--format was text, is csv`. Returns null if none differs. */
export function describeChangedSettings(
  oldFingerprint: SettingsFingerprint,
  newFingerprint: SettingsFingerprint,
): string | null {
  const changes = differingSettings(oldFingerprint, newFingerprint).map(
    (name) =>
      `${name} was ${settingIn(oldFingerprint, name) ?? 'not set'}, is ${settingIn(newFingerprint, name) ?? 'not set'}`,
  );
  return changes.length === 0 ? null : changes.join('; ');
}

/** Returns the names of the settings in which two runs differ. If none differs, both runs write the same bytes. */
export function differingSettings(
  oldFingerprint: SettingsFingerprint,
  newFingerprint: SettingsFingerprint,
): string[] {
  const names = new Set([...Object.keys(oldFingerprint), ...Object.keys(newFingerprint)]);
  return [...names].filter((name) => settingIn(oldFingerprint, name) !== settingIn(newFingerprint, name));
}

/** A fingerprint that somebody else has written may name settings like properties that all objects have. */
function settingIn(fingerprint: SettingsFingerprint, name: string): string | undefined {
  return Object.hasOwn(fingerprint, name) ? fingerprint[name] : undefined;
}
