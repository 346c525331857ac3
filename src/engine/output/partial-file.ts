/**
 * FILE.partial, to which an output is written. When everything is written, FILE.partial is renamed to FILE, so FILE
 * is always complete. While boardmill writes, another program may create or change FILE, or replace FILE.partial:
 * boardmill does not overwrite such a file.
 */
import type { Hash } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, linkSync, renameSync, unlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDigest, digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import {
  appendAll,
  type FileStamp,
  identityOfStats,
  isSameContentStamp,
  lstatOrNull,
  openRegularFile,
  removeFileIfThere,
  stampOfStats,
  syncFolder,
  syncToDisk,
  writeFailure,
} from '../../core/files/files.js';
import { type AnswerOrigin, type FileContent, recordOutputInLedger } from './ledger.js';

export function partialPath(path: string): string {
  return `${path}.partial`;
}

/**
 * Returns the stamp of the file with this name, or null if there is no such file. For a link, returns the stamp of the link
 * itself.
 */
async function stampOfName(path: string): Promise<FileStamp | null> {
  const stats = await lstatOrNull(path);
  return stats === null ? null : stampOfStats(stats);
}

export class PartialFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isClosed = false;
  /** Digest of all bytes written so far. */
  readonly #hash: Hash;
  #bytes: number;
  /** The stamp of FILE when boardmill began to write FILE.partial; null if FILE did not exist. */
  readonly #previousStamp: FileStamp | null;
  readonly #identity: string;

  private constructor(
    path: string,
    descriptor: number,
    previousStamp: FileStamp | null,
    hash: Hash,
    bytes: number,
  ) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#previousStamp = previousStamp;
    this.#hash = hash;
    this.#bytes = bytes;
    this.#identity = identityOfStats(fstatSync(descriptor));
  }

  /**
   * Creates an empty FILE.partial. An existing FILE.partial is replaced; the caller has checked that this is allowed.
   */
  static async create(path: string): Promise<PartialFile> {
    const previousStamp = await stampOfName(path);
    // An existing file is removed, not truncated: it may be a link to a file of the user.
    await removeFileIfThere(partialPath(path));
    const descriptor = openRegularFile(partialPath(path), 'wx');
    return new PartialFile(path, descriptor, previousStamp, createDigest(), 0);
  }

  /** Continues after the first `bytes` bytes of FILE.partial, which `hash` has read, and discards the rest. */
  static async reopen(path: string, hash: Hash, bytes: number): Promise<PartialFile> {
    const previousStamp = await stampOfName(path);
    const descriptor = openRegularFile(partialPath(path), 'a');
    ftruncateSync(descriptor, bytes);
    return new PartialFile(path, descriptor, previousStamp, hash, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** SHA-256 of all bytes written so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  async write(bytes: Uint8Array): Promise<void> {
    await appendAll(partialPath(this.#path), this.#descriptor, bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Syncs the bytes written so far to the disk. */
  sync(): Promise<void> {
    return syncToDisk(this.#descriptor);
  }

  /**
   * Gives FILE.partial its final name and closes it. Fails with kind `io` if another program has changed
   * FILE.partial, and with kind `file` if FILE has changed or appeared meanwhile and `force` is not given. After a
   * failure, FILE.partial still exists; `isPartialKept` says whether the caller keeps it.
   */
  async publish({ kind, origin, force, isPartialKept }: PublishOptions): Promise<void> {
    try {
      await this.sync();
      await this.#assertUntouched();
      this.close();
      await this.#takeFinalName(force, isPartialKept);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw writeFailure(this.#path, error);
    }
    await recordOutputInLedger(this.#path, kind, { digest: this.digest(), origin });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }

  /** Closes FILE.partial, and removes it unless another program has replaced it. */
  async discard(): Promise<void> {
    const isOwnFile = (await stampOfName(partialPath(this.#path)))?.identity === this.#identity;
    this.close();
    if (isOwnFile) await removeFileIfThere(partialPath(this.#path));
  }

  /**
   * Compares the digest of FILE.partial with that of the bytes written. The size and the times of the file would not
   * show an edit by another program right after a write.
   */
  async #assertUntouched(): Promise<void> {
    const partial = partialPath(this.#path);
    const currentStamp = await stampOfName(partial);
    const isOwnFile = currentStamp?.identity === this.#identity && currentStamp.size === this.#bytes;
    if (isOwnFile && (await digestOfFile(partial)) === this.digest()) return;
    const verb = currentStamp === null ? 'removed' : 'changed';
    throw new BoardmillError(
      'io',
      `somebody else ${verb} ${partial} while boardmill was writing it, so ${this.#path} was not written`,
    );
  }

  async #takeFinalName(force: boolean, isPartialKept: boolean): Promise<void> {
    const partial = partialPath(this.#path);
    const currentStamp = await stampOfName(this.#path);
    if (!force && !this.#isUnchanged(currentStamp)) throw this.#finalNameConflict(isPartialKept);
    // Replacing an existing file may take as long as a disk access, so it does not block this thread.
    if (currentStamp !== null) return rename(partial, this.#path);
    // A hard link is used here because creating it fails if another program has created FILE since the check above; a rename
    // would replace that file.
    const isLinked = !force && this.#linkFinalName(partial, isPartialKept);
    if (isLinked) unlinkSync(partial);
    else renameSync(partial, this.#path);
  }

  /** Whether FILE, which now has the stamp `currentStamp`, is unchanged since boardmill began to write FILE.partial. */
  #isUnchanged(currentStamp: FileStamp | null): boolean {
    if (currentStamp === null || this.#previousStamp === null) return currentStamp === this.#previousStamp;
    return isSameContentStamp(currentStamp, this.#previousStamp);
  }

  /** Gives FILE.partial the second name FILE. Returns false if the file system has no hard links. */
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
  readonly kind: FileContent;
  /**
   * What the bytes of the output depend on. Null if the ledger need not store the origin, or if another run might write other
   * bytes.
   */
  readonly origin: AnswerOrigin | null;
  /** Whether FILE is replaced even if it has changed or appeared meanwhile. */
  readonly force: boolean;
  /** Whether the caller keeps FILE.partial if it cannot become FILE. If so, the error message tells the user. */
  readonly isPartialKept: boolean;
}
