/**
 * What a run that was interrupted left behind beside FILE.partial: a handful of numbers, because answers are
 * written in order, and what they hold for. It says nothing of chunks: those may be cut otherwise next time.
 */
import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardmillError } from '../core/errors.js';
import { advance, measureSpan, type Position, TEXT_START } from '../core/position.js';
import { cannot, removeIfThere, syncFolder } from './files.js';
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

/** How every checkpoint file begins. */
const SCHEMA = 'boardmill/checkpoint/1';
const BEGINNING = `{"schema":"${SCHEMA}"`;

export function checkpointPath(path: string): string {
  return `${path}.checkpoint`;
}

/** The next checkpoint while it is being written. */
function nextPath(path: string): string {
  return `${checkpointPath(path)}.new`;
}

/** The files beside FILE that a run may write. */
export function checkpointPaths(path: string): string[] {
  return [checkpointPath(path), nextPath(path)];
}

/** The checkpoint of FILE; null if there is none. Fails with kind `file` if it is damaged. */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  const file = checkpointPath(path);
  const text = await readText(file);
  if (text === null) return null;
  const checkpoint = parseCheckpoint(text);
  if (checkpoint !== null) return checkpoint;
  throw new BoardmillError(
    'file',
    `${file} is no checkpoint of boardmill, or was changed; --force starts over`,
  );
}

/** Fails with kind `file` if the name of the next checkpoint is taken by a file that no run has left behind. */
export async function refuseForeignCheckpoint(path: string): Promise<void> {
  const file = nextPath(path);
  const text = await readText(file);
  // A run may have been killed after any byte of it.
  if (text === null || text.startsWith(BEGINNING) || BEGINNING.startsWith(text)) return;
  throw new BoardmillError('file', `${file} exists and boardmill did not write it; --force overwrites it`);
}

/** Null if there is no such file. */
async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cannot('open', file, error);
  }
}

/** Null if the text is not what `printCheckpoint` wrote, to the letter. */
function parseCheckpoint(text: string): Checkpoint | null {
  try {
    const { terms, mark, outputBytes, outputDigest } = JSON.parse(text) as Checkpoint;
    const checkpoint = { terms, mark, outputBytes, outputDigest };
    return printCheckpoint(checkpoint) === text && isConsistent(checkpoint) ? checkpoint : null;
  } catch {
    return null;
  }
}

/** The checkpoint with a digest of itself: none of its numbers can be checked against anything else in all cases. */
function printCheckpoint({ terms, mark, outputBytes, outputDigest }: Checkpoint): string {
  const content = { schema: SCHEMA, terms, mark, outputBytes, outputDigest };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${JSON.stringify({ ...content, digest })}\n`;
}

function isConsistent({ mark, outputBytes }: Checkpoint): boolean {
  const { input, failedCases, line, column } = mark;
  const counts = [outputBytes, input.offset, input.cases, input.promised ?? input.cases, failedCases];
  return (
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    failedCases <= input.cases &&
    input.cases <= (input.promised ?? Number.POSITIVE_INFINITY) &&
    line >= 1 &&
    column >= 1
  );
}

/** Replaces the checkpoint of FILE in one step: a power loss leaves the old one or the new one. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const file = checkpointPath(path);
  const next = nextPath(path);
  await removeIfThere(next);
  const handle = await open(next, 'wx');
  try {
    await handle.writeFile(printCheckpoint(checkpoint));
    await handle.sync();
  } catch (error) {
    // On a full disk it would stay behind, empty.
    await removeIfThere(next).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  await rename(next, file);
  await syncFolder(dirname(file));
}

export async function removeCheckpoint(path: string): Promise<void> {
  for (const file of [nextPath(path), checkpointPath(path)]) await removeIfThere(file);
}

/** Fails with kind `file`, naming what differs, unless the run at hand would write the same bytes. */
export function assertSameTerms(path: string, then: OutputTerms, now: OutputTerms): void {
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const differing = keys.filter((key) => then[key] !== now[key]);
  if (differing.length === 0) return;
  const changes = differing.map((key) => `${key} was ${then[key] ?? 'not set'}, is ${now[key] ?? 'not set'}`);
  throw new BoardmillError(
    'file',
    `${checkpointPath(path)} does not fit this run: ${changes.join('; ')}; --force starts over`,
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
  let place = TEXT_START;
  // What follows the consumed part, until there is enough of it to tell whether it may.
  let held: Uint8Array = new Uint8Array(0);
  let isJoined = offset === 0;
  for await (const piece of pieces) {
    const skipped = piece.subarray(0, Math.min(left, piece.length));
    hash.update(skipped);
    place = advance(place, measureSpan(skipped, 0, skipped.length));
    left -= skipped.length;
    if (left === 0 && skipped.length > 0) checkConsumed(mark, hash, place, input);
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

function checkConsumed(mark: RunMark, hash: RunningHash, place: Position, input: string): void {
  const isSamePlace = place.line === mark.line && place.column === mark.column;
  if (isSamePlace && hash.digest() === mark.input.digest) return;
  throw otherInput(input, `something differs before ${placeOf(mark)}`);
}

function placeOf({ line, column, input }: RunMark): string {
  return `line ${line}, column ${column} (byte ${input.offset}), up to where cases 1 to ${input.cases} were answered`;
}

function otherInput(input: string, what: string): BoardmillError {
  const message = `${input} is not the input of the interrupted run: ${what}; --force starts over`;
  return new BoardmillError('file', message);
}
