/** Which inputs `boardmill solve` reads, where their answers go, and how many files are solved together. */

import { statSync } from 'node:fs';
import { BoardmillError, Interrupted, pluralize } from '../../core/errors.js';
import { kindOf } from '../../core/files.js';
import { forEachConcurrently } from '../../core/overlap.js';
import { FILES_PER_WORKER, MAX_BYTES_OF_OPEN_FILES } from '../../engine/limits.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import type { FilesOfRun } from '../../engine/output/distinct-files.js';
import { areUpToDate } from '../../engine/output/ledger.js';
import { assertSinkUsable } from '../../engine/output/open-sink.js';
import type { OutputTerms } from '../../engine/output-settings.js';
import { openSource } from '../../engine/read.js';
import { parseOutputOption, parseSingle, usageError } from '../arguments/parse-options.js';
import { exitCode, printMessage, reportError } from '../exit.js';
import { expandInputs, INPUT_ENDING } from '../inputs/expand-inputs.js';

/** An input and where its answers go. */
export interface FilePair {
  readonly input: string;
  readonly output: string;
}

export interface FilePlan {
  readonly pairs: readonly FilePair[];
  /** Whether answers go beside their inputs: what is up to date is skipped then, and a summary is printed. */
  readonly isBeside: boolean;
  /** What cannot be solved, and why: to be reported, the others are solved. */
  readonly unusable: readonly BoardmillError[];
}

interface PlanOptions {
  readonly inputs: readonly string[];
  readonly output: unknown;
  readonly ext: unknown;
  readonly force: boolean;
  readonly resume: boolean;
}

const DEFAULT_EXT = '.ans';

/** One input: `-o`, or standard output. Several, a folder, or `--ext`: beside each. */
export async function planFiles(args: PlanOptions): Promise<FilePlan> {
  const output = parseOutputOption(args.output);
  const ext = parseSingle('--ext', args.ext, 'an ending such as .ans');
  if (output !== undefined && ext !== undefined) throw usageError('--output and --ext exclude each other');
  if (args.resume && args.force)
    throw usageError('--resume continues, --force starts over: they exclude each other');
  const { files, hasFolder, unusable } = await expandInputs(args.inputs);
  const isBeside = files.length > 1 || hasFolder || ext !== undefined;
  if (isBeside && output !== undefined) {
    throw usageError('--output takes one input; several get their answers beside them (--ext)');
  }
  if (isBeside) {
    const pairs = files.map((input) => ({ input, output: pathBeside(input, ext ?? DEFAULT_EXT) }));
    return { pairs, isBeside, unusable };
  }
  if (args.resume && (output ?? '-') === '-')
    throw usageError('--resume needs --output FILE: standard output keeps no checkpoint');
  return { pairs: [{ input: files[0], output: output ?? '-' }], isBeside, unusable };
}

function pathBeside(input: string, ext: string): string {
  if (input === '-') throw usageError('standard input has no place beside it: use --output');
  return (input.endsWith(INPUT_ENDING) ? input.slice(0, -INPUT_ENDING.length) : input) + ext;
}

/** The files that solving reads and writes. */
export function filesOf({ pairs }: FilePlan): FilesOfRun {
  return {
    reads: pairs.map(({ input }) => ({ path: input, role: 'input' })),
    writes: pairs.map(({ output }) => ({ path: output, role: 'output' })),
  };
}

/** Fails before anything is solved if some input cannot be read, or some answers must not be written. */
export async function assertFilesUsable(
  pairs: readonly FilePair[],
  options: AnswerFileOptions,
): Promise<void> {
  const refusals: BoardmillError[] = [];
  for (const { input, output } of pairs) {
    try {
      // Opening a pipe would wait for who writes to it.
      if ((await kindOf(input, 'open')) !== 'special') await (await openSource(input)).close();
      await assertSinkUsable(output, options);
    } catch (error) {
      if (!(error instanceof BoardmillError)) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (first === undefined) return;
  const others =
    refusals.length === 1 ? '' : ` (and ${pluralize(refusals.length - 1, 'other file')} like it)`;
  throw new BoardmillError(first.kind, `${first.message}${others}; nothing was solved`);
}

/** The files whose answers are not there, or are of another input or other options. */
export async function outdated(pairs: readonly FilePair[], terms: OutputTerms): Promise<FilePair[]> {
  const wanted: FilePair[] = [];
  for (const pair of pairs) if (!(await areUpToDate(pair.output, pair.input, terms))) wanted.push(pair);
  return wanted;
}

export interface FilesResult {
  readonly solved: number;
  /** In the order of the files. */
  readonly failures: readonly unknown[];
}

/**
 * Solves files, several at a time where they are small. A file that fails stops itself and no other, so that
 * which answers there are depends on the inputs alone. Each failure is told, in the order of the files.
 */
export async function solveFiles(
  pairs: readonly FilePair[],
  workers: number,
  stop: AbortSignal,
  solve: (pair: FilePair) => Promise<void>,
): Promise<FilesResult> {
  const failures = new Map<FilePair, unknown>();
  const over = new Set<FilePair>();
  let told = 0;
  const tellInOrder = () => {
    for (; told < pairs.length && over.has(pairs[told]); told++) {
      const failure = failures.get(pairs[told]);
      // A signal is told once, a defect of ours as what it is, both at the end.
      if (failure instanceof BoardmillError && !(failure instanceof Interrupted)) reportError(failure);
    }
  };
  const bounds = { count: workers * FILES_PER_WORKER, weight: MAX_BYTES_OF_OPEN_FILES, weightOf: bytesOf };
  let solved = 0;
  const begin = async (pair: FilePair) => {
    if (stop.aborted) throw new Interrupted(stop.reason, `stopped by ${stop.reason} before ${pair.input}`);
    await solve(pair);
  };
  await forEachConcurrently(pairs, bounds, async (pair) => {
    await begin(pair).then(
      () => solved++,
      (error: unknown) => failures.set(pair, error),
    );
    over.add(pair);
    tellInOrder();
  });
  return { solved, failures: pairs.flatMap((pair) => (failures.has(pair) ? [failures.get(pair)] : [])) };
}

/** Null where it cannot be known before the end. */
export function totalBytes(pairs: readonly FilePair[]): number | null {
  const sizes = pairs.map(({ input }) => sizeOf(input));
  return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** What a file may hold in memory; a pipe may hold as much as it likes. */
function bytesOf({ input }: FilePair): number {
  return sizeOf(input) ?? MAX_BYTES_OF_OPEN_FILES;
}

function sizeOf(input: string): number | null {
  if (input === '-') return null;
  const stat = statSync(input, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}

/** Prints the summary of a run over many files. If some failed, throws the error with the gravest exit code. */
export function summarize({ solved, failures }: FilesResult, upToDate: number, isQuiet: boolean): void {
  const parts = [`${pluralize(solved, 'file')} solved`];
  if (upToDate > 0) parts.push(`${upToDate} up to date`);
  if (failures.length > 0) parts.push(`${failures.length} failed`);
  const interruption = failures.find((failure) => failure instanceof Interrupted);
  if (interruption !== undefined) throw interruption;
  const gravest = failures.toSorted((a, b) => exitCode(b) - exitCode(a))[0];
  if (gravest === undefined) {
    if (!isQuiet) printMessage(parts.join(', '));
    return;
  }
  if (!(gravest instanceof BoardmillError)) throw gravest;
  throw new BoardmillError(gravest.kind, parts.join(', '));
}
