/**
 * A disk as POSIX promises it, and the states in which a power cut may leave it.
 *
 * A change of a name (a new file or folder, a link, a rename, a removed name) is certain after a sync of the folder that began
 * after the change. A change of a file's bytes is certain after such a sync of the file. Everything else may be lost or kept, in
 * any combination: names apart from bytes, and later changes without earlier ones. Of the bytes that are not certain, the disk
 * has all, none, half, or zeros in their place.
 *
 * What this leaves out: sectors that can no longer be read, syncs that do nothing because the disk lies, and bytes that a sync has
 * made certain and that change later.
 */
import { dirname } from 'node:path';
import type { FileOperation } from './record.js';

/** The files and folders of a disk, by their paths; null stands for a folder. */
export type DiskState = ReadonlyMap<string, Buffer | null>;

/** What a power cut leaves of bytes that are not certain. */
export const REMAINS = ['all', 'none', 'half', 'zeros'] as const;
export type Remains = (typeof REMAINS)[number];

/** A file or a folder, whatever names it has. */
interface Inode {
  readonly isFolder: boolean;
  /** The bytes that are certain. */
  certain: Buffer;
  /** The bytes that the file has after each change that is not certain, oldest first. */
  versions: { readonly at: number; readonly bytes: Buffer }[];
}

/** A change of one or two names in a folder. */
interface NameChange {
  readonly at: number;
  readonly folder: string;
  /** The names that are changed, with what they name afterwards; null if they name nothing. */
  readonly names: readonly (readonly [string, Inode | null])[];
}

/** Chooses what is left: of a change of names whether it is kept, and of the bytes of a file how much. */
export interface Choice {
  keeps(change: number): boolean;
  remains(file: number): Remains;
}

export class Disk {
  readonly #roots: readonly string[];
  readonly #certain: Map<string, Inode>;
  #names: Map<string, Inode>;
  #changes: NameChange[] = [];
  #time = 0;

  /** All of `state` is certain. Operations outside of the folders `roots` are left out. */
  constructor(state: DiskState, roots: readonly string[]) {
    this.#roots = roots;
    this.#certain = new Map(
      [...state].map(([path, bytes]) => [
        path,
        { isFolder: bytes === null, certain: bytes ?? Buffer.of(), versions: [] },
      ]),
    );
    this.#names = new Map(this.#certain);
  }

  apply(operation: FileOperation): void {
    const at = this.#time++;
    const { path } = operation;
    if (!this.#roots.some((root) => path === root || path.startsWith(`${root}/`))) return;
    if (operation.kind === 'create') {
      if (!this.#names.has(path)) this.#rename(at, [[path, newInode(false)]]);
    } else if (operation.kind === 'makeFolder') {
      this.#rename(at, [[path, newInode(true)]]);
    } else if (operation.kind === 'unlink') {
      this.#rename(at, [[path, null]]);
    } else if (operation.kind === 'link') {
      this.#rename(at, [[path, this.#inode(operation.from)]]);
    } else if (operation.kind === 'rename') {
      this.#rename(at, [
        [operation.from, null],
        [path, this.#inode(operation.from)],
      ]);
    } else if (operation.kind === 'sync') {
      this.#sync(this.#inode(path), path, operation.begin);
    } else if (operation.kind === 'write') {
      this.#change(at, path, (bytes) => Buffer.concat([bytes, operation.bytes]));
    } else {
      this.#change(at, path, (bytes) => bytes.subarray(0, operation.size));
    }
  }

  /** The state if the process is killed now, and the machine goes on. */
  get current(): DiskState {
    return this.#stateOf(this.#names, bytesOf);
  }

  /** Number of changes of names, and of files, of which not all is certain. */
  get uncertain(): { changes: number; files: number } {
    return { changes: this.#changes.length, files: this.#uncertainFiles().length };
  }

  /** The state that a power cut leaves. */
  afterCut(choice: Choice): DiskState {
    const names = new Map(this.#certain);
    this.#changes.forEach((change, i) => {
      if (choice.keeps(i)) applyChange(names, change);
    });
    const files = this.#uncertainFiles();
    return this.#stateOf(names, (inode) => {
      const index = files.indexOf(inode);
      return index === -1 ? bytesOf(inode) : remainsOf(inode, choice.remains(index));
    });
  }

  /** Returns the files that have a name, in folders that have one. */
  #stateOf(names: ReadonlyMap<string, Inode>, contentOf: (inode: Inode) => Buffer): DiskState {
    const state = new Map<string, Buffer | null>();
    for (const path of [...names.keys()].sort()) {
      const inode = names.get(path)!;
      const isInFolder = this.#roots.includes(path) || state.get(dirname(path)) === null;
      if (isInFolder) state.set(path, inode.isFolder ? null : contentOf(inode));
    }
    return state;
  }

  #inode(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw new Error(`the recorded run uses ${path}, which is not there`);
    return inode;
  }

  #rename(at: number, names: NameChange['names']): void {
    const change = { at, folder: dirname(names[0][0]), names };
    this.#changes.push(change);
    applyChange(this.#names, change);
  }

  #change(at: number, path: string, change: (bytes: Buffer) => Buffer): void {
    const inode = this.#inode(path);
    inode.versions.push({ at, bytes: change(bytesOf(inode)) });
  }

  #sync(inode: Inode, path: string, begin: number): void {
    const isCertain = ({ at }: { at: number }) => at < begin;
    if (inode.isFolder) {
      for (const change of this.#changes)
        if (change.folder === path && isCertain(change)) applyChange(this.#certain, change);
      this.#changes = this.#changes.filter((change) => change.folder !== path || !isCertain(change));
    } else {
      inode.certain = inode.versions.findLast(isCertain)?.bytes ?? inode.certain;
      inode.versions = inode.versions.filter((version) => !isCertain(version));
    }
  }

  #uncertainFiles(): Inode[] {
    const inodes = this.#changes.flatMap(({ names }) => names.map(([, inode]) => inode));
    const known = new Set([...this.#certain.values(), ...inodes]);
    return [...known].filter((inode): inode is Inode => inode !== null && inode.versions.length > 0);
  }
}

function newInode(isFolder: boolean): Inode {
  return { isFolder, certain: Buffer.of(), versions: [] };
}

function applyChange(names: Map<string, Inode>, change: NameChange): void {
  for (const [path, inode] of change.names) {
    if (inode === null) names.delete(path);
    else names.set(path, inode);
  }
}

function bytesOf({ certain, versions }: Inode): Buffer {
  return versions.at(-1)?.bytes ?? certain;
}

function remainsOf(inode: Inode, remains: Remains): Buffer {
  const { certain } = inode;
  const last = bytesOf(inode);
  if (remains === 'all') return last;
  if (remains === 'none') return certain;
  const half = last.subarray(0, Math.ceil((certain.length + last.length) / 2));
  return remains === 'half' ? half : Buffer.concat([certain.subarray(0, last.length)], last.length);
}
