/**
 * The ledger: which files boardmill wrote, with which command, and from which input. Without `--force`, boardmill
 * replaces only files in the ledger, and it does not solve an input again whose answers are up to date.
 *
 * The ledger is in the user's state folder (XDG_STATE_HOME), with one small file per output. The alternative was a manifest
 * file in the folder of the answers, which would be copied to other machines together with the folder. But contest tools
 * (problemtools and BAPCtools) complain about unknown files in data/, a manifest could be lost or packed up with the answers,
 * and concurrent runs would have to share it.
 */
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { digestOfFile, digestOfText } from '../../core/digest.js';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { type FileStamp, fileStampOf, isSameStamp, statOrNull } from '../../core/files/files.js';
import { findPrivateFolder, makePrivateFolder } from '../../core/files/private-folder.js';
import { readSmallFileIfThere } from '../../core/files/regular-files.js';
import type { OutputFormat } from '../../problems/output-formats.js';
import { hashInputs } from '../input/hash-inputs.js';
import { totalInputBytes } from '../input/process-files.js';
import { MAX_STATE_FILE_BYTES } from '../limits.js';
import { differingSettings, type SettingsFingerprint } from '../output-settings.js';

/**
 * The kind of an output. Without `--force`, boardmill replaces a file only by an output of the same kind: for
 * `solve`, an input that `generate` wrote is a file of the user.
 */
export type FileContent =
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
  | 'shard record';

/** The kinds of output as messages name them. */
const KIND_NAMES: Record<FileContent, string> = {
  answers: 'an answer file that solve wrote',
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
  'shard record': 'the record of a shard that solve wrote',
};

/**
 * The kind of the answer files in each output format. Each format has a kind of its own: a tool that reads one format must not
 * suddenly find another format under the same file name.
 */
const KINDS_OF_ANSWERS: Readonly<Record<OutputFormat, FileContent>> = {
  text: 'answers',
  ndjson: 'answers in ndjson',
  csv: 'answers in csv',
};

/** Returns the kind of the answer files that a run with these settings writes. */
export function fileKindOfAnswers(settingsFingerprint: SettingsFingerprint): FileContent {
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

interface WrittenOutput {
  /** SHA-256 of the file's bytes. */
  readonly digest: string;
  /**
   * What the bytes of the file depend on. Null if another run might write other bytes, for example because a case has no
   * answer.
   */
  readonly origin: AnswerOrigin | null;
}

interface LedgerEntry extends FileStamp {
  readonly path: string;
  readonly kind: FileContent;
  readonly made: WrittenOutput;
}

/**
 * Whether an output of this kind may replace the file: if the file is missing or empty, or is an output of the same kind that
 * has not changed since boardmill wrote it.
 */
export async function mayReplaceFile(path: string, kind: FileContent): Promise<boolean> {
  const currentStamp = await fileStampOf(path);
  return (
    currentStamp === null ||
    currentStamp.size === 0 ||
    (await findLedgerEntry(path, currentStamp))?.kind === kind
  );
}

/** Fails with kind `file` unless an output of this kind may replace the file. */
export async function assertReplaceable(path: string, kind: FileContent): Promise<void> {
  if (await mayReplaceFile(path, kind)) return;
  const isChanged = readLedgerEntry(realpathSync.native(path))?.kind === kind;
  const reason = isChanged
    ? `exists: it was ${KIND_NAMES[kind]}, and was changed since`
    : `exists and is not ${KIND_NAMES[kind]}`;
  throw new BoardmillError('file', `${path} ${reason}; --force overwrites it`);
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
  const currentStamp = await fileStampOf(path);
  const origin = currentStamp === null ? null : (await findLedgerEntry(path, currentStamp))?.made.origin;
  if (origin === null || origin === undefined) return false;
  if (differingSettings(origin.terms, settingsFingerprint).length > 0) return false;
  return areInputsOf(origin, inputs, stop);
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
 * Stores the file with its current stamp in the ledger. If the ledger cannot be written, that is not an error, but later runs
 * need `--force` to replace the file.
 */
export async function recordOutputInLedger(
  path: string,
  kind: FileContent,
  made: WrittenOutput,
): Promise<void> {
  const stamp = await fileStampOf(path);
  if (stamp === null) return;
  const entry: LedgerEntry = { path: realpathSync.native(path), ...stamp, kind, made };
  try {
    const file = join(makePrivateFolder(stateFolder(), LEDGER_FOLDERS), entryName(entry.path));
    // The entry is written on this thread: it is so small that handing it to another thread would take longer.
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, JSON.stringify(entry), { flag: 'wx', mode: ENTRY_MODE });
    // Replacing an existing entry may take as long as a disk access, so it does not block this thread.
    if (existsSync(file)) await rename(`${file}.new`, file);
    else renameSync(`${file}.new`, file);
  } catch {
    // The ledger cannot be written, for example because the home folder is missing or read-only.
  }
}

/**
 * Returns the ledger's entry for a file. Returns null if the ledger has no entry, or if the file has changed since
 * boardmill wrote it.
 */
async function findLedgerEntry(path: string, currentStamp: FileStamp): Promise<LedgerEntry | null> {
  const entry = readLedgerEntry(realpathSync.native(path));
  if (entry === null || entry.size !== currentStamp.size) return null;
  // A file that was copied, restored or touched has another stamp, but it is unchanged if it has the same bytes.
  return isSameStamp(entry, currentStamp) || (await digestOfFile(path)) === entry.made.digest ? entry : null;
}

/** Fails with kind `file` if another user could have written the entry. */
function readLedgerEntry(path: string): LedgerEntry | null {
  const folder = findPrivateFolder(stateFolder(), LEDGER_FOLDERS);
  if (folder === null) return null;
  try {
    const text = readSmallFileIfThere(join(folder, entryName(path)), MAX_STATE_FILE_BYTES)?.toString();
    return text === undefined ? null : (JSON.parse(text) as LedgerEntry);
  } catch {
    return null;
  }
}

/** The folders of the ledger in the user's state folder. */
const LEDGER_FOLDERS = ['boardmill', 'answers'];

function stateFolder(): string {
  return process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
}

function entryName(path: string): string {
  return `${digestOfText(path).slice(0, 32)}.json`;
}
