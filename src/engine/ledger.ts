/**
 * Which answer files boardmill made, so that it overwrites those and no others. The ledger lies in the user's
 * state folder (XDG_STATE_HOME), one small file an answer file, and nothing lies beside the answers.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** True if nothing would be lost: the file is missing, empty, or as boardmill left it. */
export async function wereMadeByUs(path: string): Promise<boolean> {
  const now = await describe(path);
  if (now === null || now.size === 0) return true;
  const then = await readEntry(now.path);
  return then !== null && then.size === now.size && then.mtimeMs === now.mtimeMs;
}

/** Remembers the file as it is now. Where that cannot be, a later run asks for --force: no failure. */
export async function recordAnswers(path: string): Promise<void> {
  const entry = await describe(path);
  if (entry === null) return;
  try {
    await mkdir(ledgerFolder(), { recursive: true });
    await writeFile(entryFile(entry.path), JSON.stringify(entry));
  } catch {
    // A read-only or missing home.
  }
}

async function describe(path: string): Promise<Entry | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path: await realpath(path), size, mtimeMs };
  } catch {
    return null;
  }
}

async function readEntry(path: string): Promise<Entry | null> {
  try {
    return JSON.parse(await readFile(entryFile(path), 'utf8')) as Entry;
  } catch {
    return null;
  }
}

function ledgerFolder(): string {
  const state = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(state, 'boardmill', 'answers');
}

function entryFile(path: string): string {
  return join(ledgerFolder(), `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`);
}
