/** Makes empty folders for tests. All are in one folder, which is removed at the end of the test run. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';

/** Creates an empty folder, which stays until the end of the test run. Returns its path. */
export function createFolder(): string {
  return mkdtempSync(join(process.env.BOARDMILL_TEST_FOLDER!, 'f-'));
}

/** Creates an empty folder, and removes it after all tests of the calling file. Returns its path. */
export function temporaryFolder(): string {
  const folder = createFolder();
  afterAll(() => removeFolder(folder));
  return folder;
}

/** Removes a folder, also if a process that a test has ended still makes a last file in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** An empty folder for each test of a file. */
export interface TestFolder {
  /** Path of the current test's folder. It changes before each test. */
  readonly path: string;
  /** Returns the path of a file in the folder. */
  at(name: string): string;
  read(name: string): string;
  /** Returns the size of a file; 0 if it is missing. At its start, a run makes an empty FILE.partial for a moment. */
  size(name: string): number;
  /** Writes a file into the folder, and creates the file's parent folders if needed. */
  write(name: string, text: string): void;
  /** Returns the names of all files in the folder, sorted. */
  names(): string[];
  /** Makes a subfolder the current test's folder, creates the subfolder if needed, and returns its path. */
  enter(name: string): string;
}

/** Creates a new folder before each test of the calling file. Concurrent tests cannot use it. */
export function folderForEachTest(): TestFolder {
  const root = temporaryFolder();
  let path = root;
  let folders = 0;
  beforeEach(() => {
    path = join(root, `${++folders}`);
    mkdirSync(path);
  });
  const at = (name: string) => join(path, name);
  return {
    get path() {
      return path;
    },
    at,
    read: (name) => readFileSync(at(name), 'utf8'),
    size: (name) => statSync(at(name), { throwIfNoEntry: false })?.size ?? 0,
    write: (name, text) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
    names: () => readdirSync(path).sort(),
    enter: (name) => {
      path = at(name);
      mkdirSync(path, { recursive: true });
      return path;
    },
  };
}

/** Does the work in a folder as the working folder of this process, which other tests share, and then goes back. */
export async function workingIn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}
