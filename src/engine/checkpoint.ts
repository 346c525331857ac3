/**
 * What a run that was cut off left behind beside FILE.partial: a handful of numbers, because answers are
 * written in order, and what they hold for. It says nothing of chunks: those may be cut otherwise next time.
 */
import { createHash, type Hash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardmillError, systemReason } from '../core/errors.js';
import type { Position } from '../core/position.js';
import { syncFolder } from './files.js';
import type { SplitMark } from './split.js';

/** How far a run has come: all answers up to here are written. */
export interface RunMark extends Position {
  readonly input: SplitMark;
  readonly failedCases: number;
}

export const RUN_START: RunMark = {
  input: { offset: 0, digest: null, cases: 0, promised: null, searching: 'no' },
  failedCases: 0,
  line: 1,
  column: 1,
};

/** All that the bytes of the answers depend on but the input: option by option, as the user knows them. */
export type OutputTerms = Readonly<Record<string, string>>;

export interface Checkpoint {
  readonly terms: OutputTerms;
  readonly mark: RunMark;
  /** Bytes of FILE.partial that the mark speaks of, and their SHA-256. */
  readonly outputBytes: number;
  readonly outputDigest: string;
}

export function checkpointFile(path: string): string {
  return `${path}.checkpoint`;
}

/** The checkpoint of FILE; null if there is none. Fails with kind `file` if it cannot be understood. */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  const file = checkpointFile(path);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new BoardmillError('file', `cannot open ${file}: ${systemReason(error)}`, { cause: error });
  }
  try {
    const checkpoint = JSON.parse(text) as Checkpoint;
    if (typeof checkpoint.mark.input.offset === 'number' && checkpoint.terms !== null) return checkpoint;
  } catch {
    // Told below.
  }
  throw new BoardmillError('file', `${file} is no checkpoint of boardmill; --force drops it`);
}

/** Replaces the checkpoint of FILE in one step: a power loss leaves the old one or the new one. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const file = checkpointFile(path);
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(checkpoint)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  await syncFolder(dirname(file));
}

/** Fails with kind `file`, naming what differs, unless the run at hand would write the same bytes. */
export function checkTerms(path: string, then: OutputTerms, now: OutputTerms): void {
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const differing = keys.filter((key) => then[key] !== now[key]);
  if (differing.length === 0) return;
  const told = differing.map((key) => `${key} was ${then[key] ?? 'not set'}, is ${now[key] ?? 'not set'}`);
  throw new BoardmillError(
    'file',
    `${checkpointFile(path)} does not fit this run: ${told.join('; ')}; --force drops it`,
  );
}

/**
 * Skips the part of an input that an earlier run consumed. Fails with kind `file` if it is not the same; the
 * hash goes on from there.
 */
export async function* skipConsumed(
  pieces: AsyncIterable<Uint8Array>,
  mark: RunMark,
  hash: Hash,
  input: string,
): AsyncGenerator<Uint8Array> {
  let left = mark.input.offset;
  for await (const piece of pieces) {
    const skipped = piece.subarray(0, Math.min(left, piece.length));
    if (left > 0) {
      hash.update(skipped);
      left -= skipped.length;
      if (left === 0) checkDigest(mark, hash, input);
    }
    if (skipped.length < piece.length) yield piece.subarray(skipped.length);
  }
  if (left > 0) {
    const { offset } = mark.input;
    throw new BoardmillError(
      'file',
      `${input} is not the input of the cut-off run: it has ${offset - left} bytes, the run had read ${offset}`,
    );
  }
}

function checkDigest(mark: RunMark, hash: Hash, input: string): void {
  if (mark.input.offset === 0 || hash.copy().digest('hex') === mark.input.digest) return;
  throw new BoardmillError(
    'file',
    `${input} is not the input of the cut-off run: something differs before line ${mark.line}, column ${mark.column} ` +
      `(byte ${mark.input.offset}), up to where cases 1 to ${mark.input.cases} were answered`,
  );
}

export function newHash(): Hash {
  return createHash('sha256');
}
