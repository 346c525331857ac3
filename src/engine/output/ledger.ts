/**
 * The ledger: which files boardmill wrote, with which command, and from which input. Without `--force`, boardmill
 * replaces only files in the ledger, and it does not solve an input again whose answers are up to date.
 *
 * The ledger is in the user's state folder (XDG_STATE_HOME), with one small file per output, of which several may be names
 * of one file: a run with many outputs stores some of them together, because each file has to be synced. The alternative
 * was a manifest file in the folder of the answers, which would be copied to other machines together with the folder. But
 * contest tools (problemtools and BAPCtools) complain about unknown files in data/, a manifest could be lost or packed up
 * with the answers, and concurrent runs would have to share it.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { digestOfFile, digestOfText, shortenDigest } from '../../core/digest.js';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { type FileStamp, isSameStamp } from '../../core/files/file-stamp.js';
import {
  assertAutomaticNameIsSafe,
  fileStampOf,
  isLinkToMissingOrEmpty,
  lstatOrNull,
  removeFileIfThere,
  replaceDurably,
  stampOfFileStats,
  statOrNull,
} from '../../core/files/files.js';
import {
  findPrivateFolder,
  makeDurablePrivateFolder,
  NotPrivateError,
} from '../../core/files/private-folder.js';
import { readSmallFileIfThere } from '../../core/files/regular-files.js';
import { CoalescedWork } from '../../core/overlap.js';
import type { OutputFormat } from '../../problems/output-formats.js';
import { hashInputs } from '../input/hash-inputs.js';
import { totalInputBytes } from '../input/process-files.js';
import { MAX_STATE_FILE_BYTES } from '../limits.js';
import { differingSettings, type SettingsFingerprint } from '../output-settings.js';

/**
 * The kind of an output. Without `--force`, boardmill replaces a file only by an output of the same kind: for
 * `solve`, an input that `generate` wrote is a file of the user.
 */
export type WrittenFileKind =
  | 'answers'
  | 'answers in ndjson'
  | 'answers in csv'
  | 'generated input'
  | 'extracted cases'
  | 'part'
  | 'report'
  | 'slowest cases'
  | 'failing case'
  | 'distinguishing input'
  | 'slow case'
  | 'drawing'
  | 'page'
  | 'census'
  | 'shard record';

/** The kinds of output as messages name them. */
const KIND_NAMES: Record<WrittenFileKind, string> = {
  answers: 'an answer file that boardmill wrote',
  'answers in ndjson': 'a file that solve wrote with --format ndjson',
  'answers in csv': 'a table that solve wrote with --format csv',
  'generated input': 'an input that generate wrote',
  'extracted cases': 'an input that extract wrote',
  part: 'a part that split wrote',
  report: 'a report that boardmill wrote',
  'slowest cases': 'an input that bench wrote',
  'failing case': 'a case that stress saved',
  'distinguishing input': 'an input that judge wrote',
  'slow case': 'a slow case that stress saved',
  drawing: 'a drawing that explain wrote',
  page: 'a page that explain wrote',
  census: 'the counts of a census',
  'shard record': 'the record of a shard that solve wrote',
};

/**
 * The kind of the answer files in each output format. Each format has a kind of its own: a tool that reads one format must not
 * suddenly find another format under the same file name.
 */
const KINDS_OF_ANSWERS: Readonly<Record<OutputFormat, WrittenFileKind>> = {
  text: 'answers',
  ndjson: 'answers in ndjson',
  csv: 'answers in csv',
};

/** Returns the kind of the answer files that a run with these settings writes. */
export function fileKindOfAnswers(settingsFingerprint: SettingsFingerprint): WrittenFileKind {
  return KINDS_OF_ANSWERS[settingsFingerprint['--format'] as OutputFormat];
}

/** Everything that the bytes of an answer file depend on. */
export interface AnswerOrigin {
  /** The fingerprint of the settings. `terms` is its name in the JSON of the ledger. */
  readonly terms: SettingsFingerprint;
  /** The size and the hash of the input, as the run has computed them; of several inputs, as `hashInputs` joins them. */
  readonly inputBytes: number;
  readonly inputHash: string;
}

/** An output that boardmill has written, or is about to write. */
export interface KnownOutput {
  readonly kind: WrittenFileKind;
  readonly size: number;
  /** SHA-256 of the file's bytes. */
  readonly digest: string;
  /**
   * What the bytes of the file depend on. Null if another run might write other bytes, for example because a case has no
   * answer.
   */
  readonly origin: AnswerOrigin | null;
  /** The bytes of a small output in base64, which tell how much of it a power loss has left in FILE.partial. */
  readonly bytes?: string;
  /** The stamp of the finished file, with which it is recognised without being read. Missing for small outputs. */
  readonly stamp?: FileStamp;
}

/** What the ledger knows about the file with this path. */
interface LedgerEntry {
  readonly path: string;
  /**
   * The outputs that the file may be: the last one and, as long as the last one may not have reached the disk, the one before
   * it.
   */
  readonly outputs: readonly KnownOutput[];
  /** The kind of the output that is being written to FILE.partial and has no checkpoint; missing if there is none. */
  readonly unfinished?: WrittenFileKind;
}

/**
 * Whether an output of this kind may replace the file: if the file is missing or empty, or is an output of the same kind that
 * has not changed since boardmill wrote it. Nothing may replace what is no regular file, or make a file where a link leads.
 */
export async function mayReplaceFile(path: string, kind: WrittenFileKind): Promise<boolean> {
  const stats = statOrNull(path);
  if (stats?.isFile() === false || isLinkToMissingOrEmpty(path, stats)) return false;
  return (
    stats === null ||
    stats.size === 0 ||
    (await findKnownOutput(path, stampOfFileStats(stats)))?.kind === kind
  );
}

/**
 * Whether an output of this kind may replace FILE.partial, which has no checkpoint: if it is missing or empty, or if the
 * process or the machine that wrote it as an output of the same kind has stopped before it was finished.
 */
export async function mayReplacePartial(
  path: string,
  partial: string,
  kind: WrittenFileKind,
): Promise<boolean> {
  const stats = lstatOrNull(partial);
  if (stats === null || stats.size === 0) return stats === null || stats.isFile();
  const entry = stats.isFile() ? readLedgerEntry(realPathOf(path)) : null;
  if (entry === null) return false;
  if (entry.unfinished === kind) return true;
  for (const output of entry.outputs)
    if (output.kind === kind && ((await isWhole(partial, output)) || isRestOf(output, partial))) return true;
  return false;
}

/** Whether an output of this kind was begun in FILE.partial and has not become FILE since. */
export function isOutputUnfinished(path: string, kind: WrittenFileKind): boolean {
  return readLedgerEntry(realPathOf(path))?.unfinished === kind;
}

/** Whether a file has the bytes of an output. */
async function isWhole(path: string, output: KnownOutput): Promise<boolean> {
  return statOrNull(path)?.size === output.size && (await digestOfFile(path)) === output.digest;
}

/** Whether a power loss may have left this file of a small output: its first bytes, or zeros in place of bytes. */
function isRestOf({ bytes }: KnownOutput, path: string): boolean {
  if (bytes === undefined) return false;
  const whole = Buffer.from(bytes, 'base64');
  if ((statOrNull(path)?.size ?? 0) > whole.length) return false;
  const rest = readSmallFileIfThere(path, whole.length) ?? Buffer.of();
  const zeros = rest.indexOf(0) === -1 ? rest.length : rest.indexOf(0);
  return (
    rest.subarray(0, zeros).equals(whole.subarray(0, zeros)) &&
    rest.subarray(zeros).every((byte) => byte === 0)
  );
}

/** A file must not be overwritten without `--force`. The user has to decide that, before anything is written. */
export class OverwriteRefusal extends BoardmillError {
  constructor(path: string, reason: string) {
    super('file', `${path} ${reason}; --force overwrites it`);
  }
}

/** Fails with an OverwriteRefusal unless an output of this kind may replace the file. */
export async function assertReplaceable(path: string, kind: WrittenFileKind): Promise<void> {
  if (await mayReplaceFile(path, kind)) return;
  await assertAutomaticNameIsSafe(path);
  const isChanged = readLedgerEntry(realPathOf(path))?.outputs.at(-1)?.kind === kind;
  const reason = isChanged
    ? `exists: it was ${KIND_NAMES[kind]}, and was changed since`
    : `exists and is not ${KIND_NAMES[kind]}`;
  throw new OverwriteRefusal(path, reason);
}

/**
 * Whether the answer file is unchanged since boardmill wrote it, from these inputs and with these settings. After `stop` is
 * aborted, it throws an Interrupted.
 */
export async function areAnswersUpToDate(
  path: string,
  inputs: readonly string[],
  settingsFingerprint: SettingsFingerprint,
  stop: AbortSignal,
): Promise<boolean> {
  const origin = await findOrigin(path, settingsFingerprint);
  return origin !== null && areInputsOf(origin, inputs, stop);
}

/** Whether the counts of a census, which has no input, are unchanged since boardmill wrote them with these settings. */
export async function areCountsUpToDate(
  path: string,
  settingsFingerprint: SettingsFingerprint,
): Promise<boolean> {
  return (await findOrigin(path, settingsFingerprint)) !== null;
}

/** Returns what the file was made from if it is unchanged since boardmill wrote it with these settings, and otherwise null. */
async function findOrigin(
  path: string,
  settingsFingerprint: SettingsFingerprint,
): Promise<AnswerOrigin | null> {
  const currentStamp = await fileStampOf(path);
  const origin = currentStamp === null ? null : (await findKnownOutput(path, currentStamp))?.origin;
  if (origin === null || origin === undefined) return null;
  return differingSettings(origin.terms, settingsFingerprint).length === 0 ? origin : null;
}

/** Whether the answers were made from these files. A compressed input is compared by its decompressed bytes. */
async function areInputsOf(
  origin: AnswerOrigin,
  inputs: readonly string[],
  stop: AbortSignal,
): Promise<boolean> {
  // What is no regular file can be read only once.
  if (!inputs.every((input) => input !== '-' && statOrNull(input)?.isFile())) return false;
  const size = totalInputBytes(inputs.map((input) => ({ input })));
  if (size !== null && size !== origin.inputBytes) return false;
  try {
    return (await hashInputs(inputs, stop)).digest === origin.inputHash;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // The input cannot be read. The run that then solves it will report why.
    return false;
  }
}

/**
 * Only the user may read and write an entry of the ledger, whatever the umask is: an entry names files and decides which files
 * boardmill replaces.
 */
const ENTRY_MODE = 0o600;

/**
 * Stores that FILE is about to become this output. Called before it does, so that boardmill knows its own file whenever the
 * process or the machine stops. Returns whether the ledger could be written; if not, later runs need `--force` to replace FILE.
 */
export async function recordUpcomingOutput(path: string, output: KnownOutput): Promise<boolean> {
  return storeEntry(path, async () => ({ outputs: [...(await currentOutputs(path)), output] }));
}

/** Stores that FILE.partial belongs to an output of this kind. Called before it has any bytes. */
export async function recordUnfinishedOutput(path: string, kind: WrittenFileKind): Promise<void> {
  await storeEntry(path, async () => ({ outputs: await currentOutputs(path), unfinished: kind }));
}

/** Stores that FILE.partial was removed. */
export async function recordRemovedPartialOutput(path: string): Promise<void> {
  await storeEntry(path, async () => ({ outputs: await currentOutputs(path) }));
}

/** Stores that FILE is this output now, so that it is recognised without being read. */
export async function recordFinishedOutput(path: string, output: KnownOutput): Promise<void> {
  const stamp = await fileStampOf(path);
  if (stamp !== null) await storeEntry(path, async () => ({ outputs: [{ ...output, stamp }] }));
}

/** Returns the output of boardmill that a file is: none if the file is missing, or is not what boardmill wrote. */
async function currentOutputs(path: string): Promise<KnownOutput[]> {
  const stamp = await fileStampOf(path);
  const output = stamp === null ? null : await findKnownOutput(path, stamp);
  return output === null ? [] : [output];
}

/** Stores what is known about a file, and returns when it is on the disk. Returns false if the ledger cannot be used. */
async function storeEntry(file: string, know: () => Promise<Omit<LedgerEntry, 'path'>>): Promise<boolean> {
  try {
    const known = await know();
    const path = realPathOf(file);
    const folder = await makeDurablePrivateFolder(stateFolder(), LEDGER_FOLDERS);
    if (known.outputs.length === 0 && known.unfinished === undefined)
      await removeFileIfThere(join(folder, entryName(path)));
    else await stores.run(folder, { path, ...known });
    return true;
  } catch {
    // For example, the home folder is missing or read-only, or the ledger belongs to another user.
    return false;
  }
}

/** The most entries that are stored in one file: whoever looks for one of them reads them all. */
const MAX_ENTRIES_OF_FILE = 16;

/** Stores entries in the folder of the ledger. Those that come while others are stored are then stored together. */
const stores = new CoalescedWork<LedgerEntry>(async (folder, waiting) => {
  const entries = [...new Map(waiting.map((entry) => [entry.path, entry])).values()];
  for (let at = 0; at < entries.length; at += MAX_ENTRIES_OF_FILE)
    await storeTogether(folder, entries.slice(at, at + MAX_ENTRIES_OF_FILE));
});

/** Stores entries of different paths. */
async function storeTogether(folder: string, entries: readonly LedgerEntry[]): Promise<void> {
  const places = entries.map(({ path }) => join(folder, entryName(path)));
  const text = JSON.stringify(entries.length === 1 ? entries[0] : entries);
  try {
    await replaceDurably(places, (place) => `${place}.new`, text, ENTRY_MODE);
  } catch (error) {
    if (entries.length === 1) throw error;
    // The file system may have no hard links.
    for (const entry of entries) await storeTogether(folder, [entry]);
  }
}

/**
 * Returns what the ledger knows about the content of a file. Returns null if it knows nothing, or if the file has changed since
 * boardmill wrote it.
 */
async function findKnownOutput(path: string, currentStamp: FileStamp): Promise<KnownOutput | null> {
  const outputs = readLedgerEntry(realPathOf(path))?.outputs ?? [];
  const candidates = outputs.filter(({ size }) => size === currentStamp.size);
  const stamped = candidates.find(({ stamp }) => stamp !== undefined && isSameStamp(stamp, currentStamp));
  if (stamped !== undefined || candidates.length === 0) return stamped ?? null;
  // A file that was copied, restored or touched has another stamp, but it is unchanged if it has the same bytes.
  const digest = await digestOfFile(path);
  return candidates.findLast((output) => output.digest === digest) ?? null;
}

/** Fails with kind `file` if another user could have written the entry. */
function readLedgerEntry(path: string): LedgerEntry | null {
  const folder = findLedgerFolder();
  if (folder === null) return null;
  try {
    const text = readSmallFileIfThere(join(folder, entryName(path)), MAX_STATE_FILE_BYTES)?.toString();
    return text === undefined ? null : readEntry(JSON.parse(text) as StoredEntries, path);
  } catch {
    return null;
  }
}

/**
 * Returns the folder of the ledger; null if there is none, or if the user may not look for it, as in the home of another user.
 */
function findLedgerFolder(): string | null {
  try {
    return findPrivateFolder(stateFolder(), LEDGER_FOLDERS);
  } catch (error) {
    if (error instanceof NotPrivateError) throw error;
    return null;
  }
}

/** An entry of boardmill 0.3: the last output that was finished. */
interface OldLedgerEntry extends FileStamp {
  readonly path: string;
  readonly kind: WrittenFileKind;
  readonly made: Pick<KnownOutput, 'digest' | 'origin'>;
}

/** What a file of the ledger has: several entries, or one. */
type StoredEntries = LedgerEntry[] | LedgerEntry | OldLedgerEntry;

/** Returns the entry of a path; null if there is none, or if another program has written it. */
function readEntry(found: StoredEntries, path: string): LedgerEntry | null {
  const entry = entryIn(found, path);
  return entry?.outputs.every(isOutput) === true ? entry : null;
}

/** Whether a value of the ledger has the form of an output. */
function isOutput({ size, digest, origin, stamp }: KnownOutput): boolean {
  return (
    Number.isSafeInteger(size) &&
    typeof digest === 'string' &&
    (origin === null || Object.values(origin.terms).every((term) => typeof term === 'string')) &&
    stamp !== null
  );
}

function entryIn(found: StoredEntries, path: string): LedgerEntry | null {
  if (Array.isArray(found)) return found.find((entry) => entry.path === path) ?? null;
  if ('outputs' in found) return found;
  const { kind, made, path: _, ...stamp } = found;
  return { path, outputs: [{ kind, size: stamp.size, ...made, stamp }] };
}

/** The folders of the ledger in the user's state folder. */
const LEDGER_FOLDERS = ['boardmill', 'answers'];

function stateFolder(): string {
  return process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
}

function entryName(path: string): string {
  return `${shortenDigest(digestOfText(path))}.json`;
}

/** Returns the path of a file without links. The file itself may be missing. */
function realPathOf(path: string): string {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere ? realpathSync.native(path) : join(realpathSync.native(dirname(path)), basename(path));
}
