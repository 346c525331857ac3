/**
 * Finds out which files a module reads while it is loaded. No look at its code can find all of them, because code may compute a
 * path in any way. Node calls this only in threads that describe a module.
 */
import fs, { type PathLike, type PathOrFileDescriptor } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type AnyFunction = (...args: never[]) => unknown;
type Functions = Record<string, AnyFunction>;

/** The functions of `fs` that open a file, each with the place of the flags among its arguments, or -1 if it only reads. */
const OPENING = { openSync: 1, open: 1, readFileSync: -1, readFile: -1, createReadStream: -1 } as const;
const OPENING_PROMISES = { open: 1, readFile: -1 } as const;

/** The bits of the flags of `open` that say how a file is accessed; 0 stands for reading. */
const ACCESS_BITS = 3;

/**
 * Calls `load`, and returns its result with the absolute paths of the files that were opened for reading meanwhile, and of
 * those that were required in this thread.
 */
export async function withFilesRead<Result>(
  load: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly filesRead: readonly string[] }> {
  const paths = new Set<string>();
  const restore = [
    watch(fs as unknown as Functions, OPENING, paths),
    watch(fs.promises as unknown as Functions, OPENING_PROMISES, paths),
  ];
  syncBuiltinESMExports();
  try {
    const result = await load();
    for (const path of Object.keys(createRequire(import.meta.url).cache)) paths.add(path);
    return { result, filesRead: [...paths] };
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
}

/** Replaces functions by ones that note which files they open for reading. Returns a function that puts them back. */
function watch(
  functions: Functions,
  names: Readonly<Record<string, number>>,
  paths: Set<string>,
): () => void {
  const originals = Object.keys(names).map((name) => [name, functions[name]] as const);
  for (const [name, original] of originals) {
    functions[name] = function (this: unknown, ...args: never[]) {
      const path = pathOf(args[0]);
      if (path !== null && (names[name] === -1 || isForReading(args[names[name]]))) paths.add(path);
      return original.apply(this, args);
    };
  }
  return () => {
    for (const [name, original] of originals) functions[name] = original;
  };
}

function pathOf(file: PathLike | PathOrFileDescriptor): string | null {
  try {
    if (typeof file === 'number') return null;
    return file instanceof URL ? fileURLToPath(file) : resolve(String(file));
  } catch {
    // The function itself reports what is wrong with its argument.
    return null;
  }
}

function isForReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & ACCESS_BITS) === 0;
  return typeof flags !== 'string' || /^r[s]?$/.test(flags);
}
