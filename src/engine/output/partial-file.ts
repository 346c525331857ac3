/**
 * FILE.partial, which becomes FILE when all is written: what stands under the final name is whole. Nobody else's file
 * is lost on the way: neither one that takes the name FILE while boardmill writes, nor one that takes FILE.partial's.
 */
import type { Hash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { type FileHandle, link, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { digestOfFile, newDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import {
  type FileStamp,
  identityOfStats,
  isSameContentStamp,
  lstatOrNull,
  openForWriting,
  removeIfThere,
  stampOfStats,
  syncFolder,
  writeAll,
  writeFailure,
} from '../../core/files.js';
import { type Origin, type OutputKind, recordOutput } from './ledger.js';

export function partialPath(path: string): string {
  return `${path}.partial`;
}

/** The stamp of what has this name; null if nothing has. A link is not followed. */
async function stampOfName(path: string): Promise<FileStamp | null> {
  const stats = await lstatOrNull(path);
  return stats === null ? null : stampOfStats(stats);
}

export class PartialFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  /** Of all bytes written. */
  readonly #hash: Hash;
  #bytes: number;
  /** What stood under the final name when the writing began; null: nothing. */
  readonly #replaced: FileStamp | null;
  readonly #identity: string;

  private constructor(
    path: string,
    handle: FileHandle,
    replaced: FileStamp | null,
    hash: Hash,
    bytes: number,
  ) {
    this.#path = path;
    this.#handle = handle;
    this.#replaced = replaced;
    this.#hash = hash;
    this.#bytes = bytes;
    this.#identity = identityOfStats(fstatSync(handle.fd));
  }

  /** Begins an empty FILE.partial in place of one that is there. The caller has asked whether that may be replaced. */
  static async create(path: string): Promise<PartialFile> {
    const replaced = await stampOfName(path);
    // Never written through: a link of this name may lead to a user's file.
    await removeIfThere(partialPath(path));
    const handle = await openForWriting(partialPath(path), 'wx');
    return new PartialFile(path, handle, replaced, newDigest(), 0);
  }

  /** Goes on after the first `bytes` bytes of FILE.partial, which `hash` has read, and drops the rest. */
  static async reopen(path: string, hash: Hash, bytes: number): Promise<PartialFile> {
    const replaced = await stampOfName(path);
    const handle = await openForWriting(partialPath(path), 'a');
    await handle.truncate(bytes);
    return new PartialFile(path, handle, replaced, hash, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** SHA-256 of all bytes written so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(partialPath(this.#path), this.#handle, bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  datasync(): Promise<void> {
    return this.#handle.datasync();
  }

  /**
   * Gives FILE.partial its final name and closes it. Fails with kind `io` if somebody else has changed it, and with
   * kind `file` if FILE has changed or appeared meanwhile, unless `force` is given; FILE.partial is kept then.
   */
  async publish({ kind, origin, force }: Publication): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#assertUntouched();
      await this.close();
      await this.#takeFinalName(force);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      throw writeFailure(this.#path, error);
    }
    await recordOutput(this.#path, kind, { digest: this.digest(), origin });
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => {});
  }

  /** Closes and removes it. */
  async discard(): Promise<void> {
    const isOurs = (await stampOfName(partialPath(this.#path)))?.identity === this.#identity;
    await this.close();
    if (isOurs) await removeIfThere(partialPath(this.#path));
  }

  /** Reads it back: size and times would not tell of an edit in place that comes right after a write. */
  async #assertUntouched(): Promise<void> {
    const partial = partialPath(this.#path);
    const now = await stampOfName(partial);
    const isOurs = now?.identity === this.#identity && now.size === this.#bytes;
    if (isOurs && (await digestOfFile(partial)) === this.digest()) return;
    const what = now === null ? 'removed' : 'changed';
    throw new BoardmillError(
      'io',
      `somebody else ${what} ${partial} while boardmill was writing it, so ${this.#path} was not written`,
    );
  }

  async #takeFinalName(force: boolean): Promise<void> {
    const partial = partialPath(this.#path);
    const now = await stampOfName(this.#path);
    if (!force && !this.#isAsBefore(now)) throw this.#displaced();
    if (force || now !== null) return rename(partial, this.#path);
    // Unlike a rename, a link never replaces what has appeared in this very moment.
    const isLinked = await this.#link(partial);
    await (isLinked ? unlink(partial) : rename(partial, this.#path));
  }

  /** Whether FILE, with this stamp, is what it was when the writing began. */
  #isAsBefore(now: FileStamp | null): boolean {
    if (now === null || this.#replaced === null) return now === this.#replaced;
    return isSameContentStamp(now, this.#replaced);
  }

  /** False where the file system has no links. */
  async #link(partial: string): Promise<boolean> {
    try {
      await link(partial, this.#path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw this.#displaced();
      return false;
    }
  }

  #displaced(): BoardmillError {
    const what = this.#replaced === null ? 'appeared' : 'changed';
    return new BoardmillError(
      'file',
      `${this.#path} ${what} while boardmill was running, and was left as it is; the output is in ` +
        `${partialPath(this.#path)}`,
    );
  }
}

export interface Publication {
  readonly kind: OutputKind;
  /** What the bytes come from; null: that does not matter, or making them again might end otherwise. */
  readonly origin: Origin | null;
  /** Replace whatever stands under the final name. */
  readonly force: boolean;
}
