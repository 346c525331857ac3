/**
 * Which files boardmill wrote and with which command, so that it replaces those and no others, and from what, so
 * that it does not make them again. The ledger lies in the user's state folder (XDG_STATE_HOME), one small file an answer
 * file; nothing lies beside the answers. A manifest in the folder itself would follow it to other machines,
 * but be one more file for the tools that own such folders (problemtools and BAPCtools complain about
 * strangers in data/), be lost or packed up with them, and be fought over by runs at the same time.
 */
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { digestOfFile, digestOfText, newDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameStamp, stampOf } from '../../core/files.js';
import { differingTerms, type OutputTerms } from '../output-settings.js';

/**
 * What boardmill wrote. Without `--force` it replaces a file only by one of the same kind: the input that
 * `generate` made is a user's file to `solve`.
 */
export type OutputKind =
  | 'answers'
  | 'generated input'
  | 'extracted cases'
  | 'part'
  | 'report'
  | 'slowest cases'
  | 'failing case';

/** As messages name them. */
const KIND_NAMES: Record<OutputKind, string> = {
  answers: 'answer file that solve wrote',
  'generated input': 'input that generate wrote',
  'extracted cases': 'input that extract wrote',
  part: 'part that split wrote',
  report: 'report that boardmill wrote',
  'slowest cases': 'input that bench wrote',
  'failing case': 'case that stress saved',
};

/** All that the bytes of a file of answers come from. */
export interface Origin {
  readonly terms: OutputTerms;
  /** Bytes of the input, and their SHA-256. */
  readonly inputBytes: number;
  readonly inputDigest: string;
}

export interface WrittenOutput {
  /** SHA-256 of the file's bytes. */
  readonly digest: string;
  /** Null where making them again might end otherwise: some case has no answer. */
  readonly origin: Origin | null;
}

interface Entry extends FileStamp {
  readonly path: string;
  readonly kind: OutputKind;
  readonly made: WrittenOutput;
}

/** True if nothing would be lost: the file is missing, empty, or as boardmill left it, and of this kind. */
export async function mayReplace(path: string, kind: OutputKind): Promise<boolean> {
  const now = await stampOf(path);
  return now === null || now.size === 0 || (await findEntry(path, now))?.kind === kind;
}

/** Fails with kind `file` if something would be lost that boardmill did not write as this kind of output. */
export async function refuseForeign(path: string, kind: OutputKind): Promise<void> {
  if (await mayReplace(path, kind)) return;
  const reason = `exists and is no ${KIND_NAMES[kind]}`;
  throw new BoardmillError('file', `${path} ${reason}; --force overwrites it`);
}

/** Whether the answers are there as boardmill made them, of this input and on these terms. */
export async function areUpToDate(path: string, input: string, terms: OutputTerms): Promise<boolean> {
  const now = await stampOf(path);
  const origin = now === null ? null : (await findEntry(path, now))?.made.origin;
  if (origin === null || origin === undefined) return false;
  if (differingTerms(origin.terms, terms).length > 0) return false;
  const size = (await stampOf(input))?.size;
  return size === origin.inputBytes && (await digestOfFile(input)) === origin.inputDigest;
}

/** Remembers the file as it is now. If this cannot be written, later runs need `--force`. That is not an error. */
export async function recordOutput(path: string, kind: OutputKind, made: WrittenOutput): Promise<void> {
  const stamp = await stampOf(path);
  if (stamp === null) return;
  const entry: Entry = { path: await realpath(path), ...stamp, kind, made };
  const file = entryFile(entry.path);
  try {
    await mkdir(ledgerFolder(), { recursive: true });
    await writeFile(`${file}.new`, JSON.stringify(entry));
    await rename(`${file}.new`, file);
  } catch {
    // A read-only or missing home.
  }
}

/** Counts and hashes what goes through. */
export class Fingerprint {
  #bytes = 0;
  readonly #hash = newDigest();
  #isKept = true;

  async *watch(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.#bytes += piece.length;
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** Some case has no answer: another time it may have one, or the user be told again. */
  drop(): void {
    this.#isKept = false;
  }

  /** Of all that went through; null if it was dropped. */
  taken(): Pick<Origin, 'inputBytes' | 'inputDigest'> | null {
    if (!this.#isKept) return null;
    return { inputBytes: this.#bytes, inputDigest: this.#hash.copy().digest('hex') };
  }
}

/** What the ledger says about the file; null if it says nothing, or the file has changed since. */
async function findEntry(path: string, now: FileStamp): Promise<Entry | null> {
  const entry = await readEntry(await realpath(path));
  if (entry === null || entry.size !== now.size) return null;
  // A file that was copied, restored or touched has another stamp, but it is ours if it has the same bytes.
  return isSameStamp(entry, now) || (await digestOfFile(path)) === entry.made.digest ? entry : null;
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
  return join(ledgerFolder(), `${digestOfText(path).slice(0, 32)}.json`);
}
