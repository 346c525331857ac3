/**
 * FILE.checkpoint, which an interrupted run leaves beside FILE.partial. Because answers are written in order, it is a
 * handful of numbers and the terms that they hold for. It does not mention chunks: a resumed run may cut others.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { digestOfText } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { fileError, removeIfThere, syncFolder } from '../../core/files.js';
import { differingTerms, type OutputTerms } from '../output-settings.js';
import type { RunPosition } from '../position.js';

export interface Checkpoint {
  readonly terms: OutputTerms;
  readonly position: RunPosition;
  /** The bytes of FILE.partial up to that position: how many, and their SHA-256. */
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
    throw fileError('open', file, error);
  }
}

/** Null if the text is not what `printCheckpoint` wrote, to the letter. */
function parseCheckpoint(text: string): Checkpoint | null {
  try {
    const { terms, position, outputBytes, outputDigest } = JSON.parse(text) as Checkpoint;
    const checkpoint = { terms, position, outputBytes, outputDigest };
    return printCheckpoint(checkpoint) === text && isConsistent(checkpoint) ? checkpoint : null;
  } catch {
    return null;
  }
}

/** The checkpoint with a digest of itself: none of its numbers can be checked against anything else in all cases. */
function printCheckpoint({ terms, position, outputBytes, outputDigest }: Checkpoint): string {
  const content = { schema: SCHEMA, terms, position, outputBytes, outputDigest };
  const digest = digestOfText(JSON.stringify(content));
  return `${JSON.stringify({ ...content, digest })}\n`;
}

function isConsistent({ position, outputBytes }: Checkpoint): boolean {
  const { scan, failedCases, line, column } = position;
  const counts = [outputBytes, scan.offset, scan.cases, scan.promised ?? scan.cases, failedCases];
  return (
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    failedCases <= scan.cases &&
    scan.cases <= (scan.promised ?? Number.POSITIVE_INFINITY) &&
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
  const names = differingTerms(then, now);
  if (names.length === 0) return;
  const changes = names.map((name) => `${name} was ${then[name] ?? 'not set'}, is ${now[name] ?? 'not set'}`);
  throw new BoardmillError(
    'file',
    `${checkpointPath(path)} does not fit this run: ${changes.join('; ')}; --force starts over`,
  );
}
