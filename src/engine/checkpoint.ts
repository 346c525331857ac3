/**
 * What a run that was cut off left behind beside FILE.partial: a handful of numbers, because answers are
 * written in order, and what they hold for. It says nothing of chunks: those may be cut otherwise next time.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardmillError, systemReason } from '../core/errors.js';
import type { Position } from '../core/position.js';
import { removeIfThere, syncFolder } from './files.js';
import type { RunningHash } from './running-hash.js';
import { isSameEnd, type SplitMark } from './split.js';

/** How far a run has come: all answers up to here are written. */
export interface RunMark extends Position {
  readonly input: SplitMark;
  readonly failedCases: number;
}

export const RUN_START: RunMark = {
  input: { offset: 0, digest: null, cases: 0, promised: null, id: null, searching: 'no', next: '' },
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

/** The next checkpoint while it is being written. */
function freshFile(path: string): string {
  return `${checkpointFile(path)}.new`;
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
    if (isCheckpoint(checkpoint)) return checkpoint;
  } catch {
    // Told below.
  }
  throw new BoardmillError('file', `${file} is no checkpoint of boardmill; --force drops it`);
}

function isCheckpoint({ terms, mark, outputBytes, outputDigest }: Checkpoint): boolean {
  const { input, failedCases, line, column } = mark;
  const counts = [outputBytes, input.offset, input.cases, input.promised ?? 0, failedCases, line, column];
  return (
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    typeof outputDigest === 'string' &&
    typeof input.next === 'string' &&
    typeof terms === 'object' &&
    terms !== null
  );
}

/** Replaces the checkpoint of FILE in one step: a power loss leaves the old one or the new one. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const file = checkpointFile(path);
  const fresh = freshFile(path);
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

export async function removeCheckpoint(path: string): Promise<void> {
  await removeIfThere(freshFile(path));
  await removeIfThere(checkpointFile(path));
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
  hash: RunningHash,
  input: string,
): AsyncGenerator<Uint8Array> {
  const { offset, next } = mark.input;
  let left = offset;
  // What follows the consumed part, until there is enough of it to tell whether it may.
  let held: Uint8Array = new Uint8Array(0);
  let isJoined = offset === 0;
  for await (const piece of pieces) {
    const skipped = piece.subarray(0, Math.min(left, piece.length));
    hash.update(skipped);
    left -= skipped.length;
    if (left === 0 && skipped.length > 0) checkDigest(mark, hash, input);
    const rest = piece.subarray(skipped.length);
    if (isJoined) {
      if (rest.length > 0) yield rest;
      continue;
    }
    held = Buffer.concat([held, rest]);
    if (left > 0 || held.length < Math.max(1, next.length)) continue;
    checkNext(mark, held, input);
    isJoined = true;
    yield held;
  }
  if (left > 0) throw otherInput(input, `it has ${offset - left} bytes, the run had read ${offset}`);
  if (isJoined) return;
  checkNext(mark, held, input);
  yield held;
}

function checkNext(mark: RunMark, bytes: Uint8Array, input: string): void {
  if (!isSameEnd(mark.input.next, bytes)) throw otherInput(input, `something differs at ${placeOf(mark)}`);
}

function checkDigest(mark: RunMark, hash: RunningHash, input: string): void {
  if (hash.digest() === mark.input.digest) return;
  throw otherInput(input, `something differs before ${placeOf(mark)}`);
}

function placeOf({ line, column, input }: RunMark): string {
  return `line ${line}, column ${column} (byte ${input.offset}), up to where cases 1 to ${input.cases} were answered`;
}

function otherInput(input: string, what: string): BoardmillError {
  const message = `${input} is not the input of the cut-off run: ${what}; --force starts afresh`;
  return new BoardmillError('file', message);
}
