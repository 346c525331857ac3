/**
 * FILE.partial, to which an output is written. When everything is written, FILE.partial is renamed to FILE, so FILE
 * is always complete. While boardmill writes, another program may create or change FILE, or replace FILE.partial:
 * boardmill does not overwrite such a file.
 *
 * The process or the machine may stop at any time, so these steps have an order, and each is on the disk before the next one:
 * the claim of FILE.partial (a checkpoint, or an entry of the ledger), its bytes, the entry for FILE, the name FILE.
 */
import type { Hash } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, linkSync, renameSync, unlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDigest, digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameContentStamp } from '../../core/files/file-stamp.js';
import {
  appendAll,
  errorOfFailedWrite,
  identityOfStats,
  lstatOrNull,
  openOutputFile,
  removeFileIfThere,
  stampOfFileStats,
  syncFolder,
  syncToDisk,
} from '../../core/files/files.js';
import {
  type AnswerOrigin,
  type KnownOutput,
  recordFinishedOutput,
  recordRemovedPartialOutput,
  recordUnfinishedOutput,
  recordUpcomingOutput,
  type WrittenFileKind,
} from './ledger.js';

export function partialPath(path: string): string {
  return `${path}.partial`;
}

/**
 * Returns the stamp of the file with this name, or null if there is no such file. For a link, returns the stamp of the link
 * itself.
 */
async function stampOfName(path: string): Promise<FileStamp | null> {
  const stats = lstatOrNull(path);
  return stats === null ? null : stampOfFileStats(stats);
}

/**
 * Answers of up to this size stay in memory until they are finished or until a checkpoint is due, so that a small output is
 * written in one go. The ledger stores as much with its entry, which takes no more room on most disks.
 */
const MAX_HELD_BYTES = 2048;

export interface PartialFileOptions {
  readonly kind: WrittenFileKind;
  /**
   * Called before FILE.partial has any bytes, once the ledger knows whose it is. Stores the same where a later run finds it
   * without the ledger.
   */
  readonly claim?: () => Promise<void>;
}

/** The folders in which this process has created a file. */
const usableFolders = new Set<string>();

/**
 * Fails with kind `file` if FILE.partial cannot be created. Creates it and removes it again, because permissions tell only half
 * of the truth: nobody can create a file in /proc.
 */
function assertCreatable(path: string): void {
  const folder = dirname(path);
  if (usableFolders.has(folder)) return;
  closeSync(openOutputFile(partialPath(path), 'wx', path));
  unlinkSync(partialPath(path));
  usableFolders.add(folder);
}

export class PartialFile {
  readonly #path: string;
  readonly #options: PartialFileOptions;
  /** The stamp of FILE when boardmill began to write its new content; null if FILE did not exist. */
  readonly #previousStamp: FileStamp | null;
  /** FILE.partial; null as long as nothing was written to it. */
  #file: { readonly descriptor: number; readonly identity: string } | null = null;
  /** The bytes that are not in FILE.partial yet. */
  #held: Buffer[] = [];
  /** Resolves when FILE.partial has the held bytes; null if it does not exist yet. */
  #creation: Promise<void> | null = null;
  #isClosed = false;
  /** Digest of all bytes, also of those that are held. */
  readonly #hash: Hash;
  /** What `digest` has returned last, if no bytes have been written since; otherwise null. */
  #digest: string | null = null;
  #bytes: number;

  private constructor(
    path: string,
    options: PartialFileOptions,
    previousStamp: FileStamp | null,
    hash: Hash,
    bytes: number,
  ) {
    this.#path = path;
    this.#options = options;
    this.#previousStamp = previousStamp;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  /**
   * Begins an output without bytes. An existing FILE.partial is removed; the caller has checked that this is allowed. Fails
   * with kind `file` if FILE.partial cannot be created.
   */
  static async create(path: string, options: PartialFileOptions): Promise<PartialFile> {
    const previousStamp = await stampOfName(path);
    // An existing file is removed, not truncated: it may be a link to a file of the user.
    await removeFileIfThere(partialPath(path));
    assertCreatable(path);
    return new PartialFile(path, options, previousStamp, createDigest(), 0);
  }

  /** Continues after the first `bytes` bytes of FILE.partial, which `hash` has read, and discards the rest. */
  static async reopen(
    path: string,
    options: PartialFileOptions,
    hash: Hash,
    bytes: number,
  ): Promise<PartialFile> {
    const partial = new PartialFile(path, options, await stampOfName(path), hash, bytes);
    const { descriptor } = partial.#open('a');
    ftruncateSync(descriptor, bytes);
    partial.#creation = Promise.resolve();
    return partial;
  }

  /** Number of bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** SHA-256 of all bytes written so far. */
  digest(): string {
    this.#digest ??= this.#hash.copy().digest('hex');
    return this.#digest;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#creation !== null || this.#bytes + bytes.length > MAX_HELD_BYTES) {
      await this.#create();
      await appendAll(partialPath(this.#path), this.#file!.descriptor, bytes);
    } else {
      this.#held.push(Buffer.from(bytes));
    }
    this.#hash.update(bytes);
    this.#digest = null;
    this.#bytes += bytes.length;
  }

  /** Syncs the bytes written so far to the disk. */
  async sync(): Promise<void> {
    await this.#create();
    if (!this.#isClosed) await syncToDisk(this.#file!.descriptor);
  }

  /** Creates FILE.partial with the held bytes, if it does not exist yet. */
  #create(): Promise<void> {
    this.#creation ??= this.#claimAndCreate();
    return this.#creation;
  }

  async #claimAndCreate(): Promise<void> {
    await recordUnfinishedOutput(this.#path, this.#options.kind);
    await this.#options.claim?.();
    await this.#createClaimed();
    // A checkpoint that covers bytes must not be on the disk without the name of the file that has them.
    await syncFolder(dirname(this.#path));
  }

  async #createClaimed(): Promise<void> {
    const { descriptor } = this.#open('wx');
    try {
      await appendAll(partialPath(this.#path), descriptor, Buffer.concat(this.#held));
    } catch (error) {
      await this.discard();
      throw error;
    }
    this.#held = [];
  }

  #open(flags: string): { readonly descriptor: number } {
    const descriptor = openOutputFile(partialPath(this.#path), flags);
    this.#file = { descriptor, identity: identityOfStats(fstatSync(descriptor)) };
    return this.#file;
  }

  /**
   * Gives FILE.partial its final name and closes it. Fails with kind `io` if another program has changed
   * FILE.partial, and with kind `file` if FILE has changed or appeared meanwhile and `force` is not given. After a
   * failure, FILE.partial still exists; `isPartialKept` says whether the caller keeps it.
   */
  async publish({ origin, force, isPartialKept, beforeUnknown }: PublishOptions): Promise<void> {
    const { kind } = this.#options;
    const output: KnownOutput = { kind, size: this.#bytes, digest: this.digest(), origin };
    const isSmall = this.#creation === null;
    try {
      if (!isSmall) await this.sync();
      const bytes = isSmall ? { bytes: Buffer.concat(this.#held).toString('base64') } : {};
      const isKnown = await recordUpcomingOutput(this.#path, { ...output, ...bytes });
      if (isKnown) this.#creation ??= this.#createClaimed();
      if (isSmall) await this.sync();
      if (!isKnown) await beforeUnknown?.();
      await this.#assertUntouched(isSmall);
      this.close();
      await this.#takeFinalName(force, isPartialKept);
    } catch (error) {
      // FILE did not become what was announced, so the ledger must not say that it did. FILE may even be a file of the user.
      await recordUnfinishedOutput(this.#path, kind);
      throw errorOfFailedWrite(this.#path, error);
    }
    if (!isSmall) await recordFinishedOutput(this.#path, output);
  }

  close(): void {
    if (this.#isClosed || this.#file === null) return;
    this.#isClosed = true;
    closeSync(this.#file.descriptor);
  }

  /** Closes FILE.partial, and removes it unless another program has replaced it. */
  async discard(): Promise<void> {
    if (this.#file === null) return;
    const isOwnFile = (await stampOfName(partialPath(this.#path)))?.identity === this.#file.identity;
    this.close();
    if (isOwnFile) await removeFileIfThere(partialPath(this.#path));
    await recordRemovedPartialOutput(this.#path);
  }

  /**
   * Compares the digest of FILE.partial with that of the bytes written. The size and the times of the file would not
   * show an edit by another program right after a write. A small file was written a moment ago and is not read again.
   */
  async #assertUntouched(isSmall: boolean): Promise<void> {
    const partial = partialPath(this.#path);
    const currentStamp = await stampOfName(partial);
    const isOwnFile =
      currentStamp !== null &&
      currentStamp.identity === this.#file!.identity &&
      currentStamp.size === this.#bytes;
    if (isOwnFile && (isSmall || (await digestOfFile(partial)) === this.digest())) return;
    const verb = currentStamp === null ? 'removed' : 'changed';
    throw new BoardmillError(
      'io',
      `somebody else ${verb} ${partial} while boardmill was writing it, so ${this.#path} was not written`,
    );
  }

  async #takeFinalName(force: boolean, isPartialKept: boolean): Promise<void> {
    const partial = partialPath(this.#path);
    const folder = dirname(this.#path);
    const currentStamp = await stampOfName(this.#path);
    if (!force && !this.#isUnchanged(currentStamp)) throw this.#finalNameConflict(isPartialKept);
    if (currentStamp === null && !force && this.#linkFinalName(partial, isPartialKept)) {
      // The new name must be on the disk before the old one is removed: a power loss might keep the second change alone.
      await syncFolder(folder);
      unlinkSync(partial);
      return;
    }
    // Replacing an existing file may take as long as a disk access, so it does not block this thread.
    if (currentStamp === null) renameSync(partial, this.#path);
    else await rename(partial, this.#path);
    await syncFolder(folder);
  }

  /** Whether FILE, which now has the stamp `currentStamp`, is unchanged since boardmill began to write FILE.partial. */
  #isUnchanged(currentStamp: FileStamp | null): boolean {
    if (currentStamp === null || this.#previousStamp === null) return currentStamp === this.#previousStamp;
    return isSameContentStamp(currentStamp, this.#previousStamp);
  }

  /**
   * Gives FILE.partial the second name FILE. That fails if another program has created FILE since the last look; a rename would
   * replace that file. Returns false if the file system has no hard links.
   */
  #linkFinalName(partial: string, isPartialKept: boolean): boolean {
    try {
      linkSync(partial, this.#path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw this.#finalNameConflict(isPartialKept);
      return false;
    }
  }

  #finalNameConflict(isPartialKept: boolean): BoardmillError {
    const verb = this.#previousStamp === null ? 'appeared' : 'changed';
    const newOutput = isPartialKept
      ? `the new output is in ${partialPath(this.#path)}`
      : 'the new output was discarded';
    return new BoardmillError(
      'file',
      `${this.#path} ${verb} while boardmill was running, and was left as it is; ${newOutput}`,
    );
  }
}

interface PublishOptions {
  /**
   * What the bytes of the output depend on. Null if the ledger need not store the origin, or if another run might write other
   * bytes.
   */
  readonly origin: AnswerOrigin | null;
  /** Whether FILE is replaced even if it has changed or appeared meanwhile. */
  readonly force: boolean;
  /** Whether the caller keeps FILE.partial if it cannot become FILE. If so, the error message tells the user. */
  readonly isPartialKept: boolean;
  /** Called before FILE gets its name, if the ledger cannot be written and so will not know FILE. */
  readonly beforeUnknown?: () => Promise<void>;
}
