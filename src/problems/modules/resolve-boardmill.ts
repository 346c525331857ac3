/**
 * Makes `import ... from 'boardmill'` in a user's module mean this very installation, even if the folder of the module has
 * no node_modules.
 */
import { closeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { BoardmillError } from '../../core/errors.js';
import { openRegularForReading } from '../../core/files/regular-files.js';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { initialize, resolve } from './resolve-hook.js';

/** URL of the library of this installation. */
export const BOARDMILL_URL = new URL('src/index.js', INSTALLATION_FOLDER).href;

type ResolveFilename = (request: string, ...others: unknown[]) => string;

/** The parts of node:module that its types lack. */
interface ModuleApi {
  /** Since Node 22.15. */
  registerHooks?(hooks: { resolve: typeof resolve }): unknown;
  readonly Module: { _resolveFilename: ResolveFilename };
}

const { registerHooks, Module } = nodeModule as unknown as ModuleApi;

let isActive = false;

/** Makes this thread resolve `boardmill` to this installation from now on. Later calls do nothing. */
export function resolveBoardmill(): void {
  if (isActive) return;
  if (registerHooks === undefined) assertThreadCanStart();
  isActive = true;
  initialize(BOARDMILL_URL);
  if (registerHooks === undefined) registerInOldNode();
  else registerHooks({ resolve });
}

/**
 * Number of files that this process must be able to open before it starts the thread of the hook. That thread opens about 5,
 * and other threads may start at the same time.
 */
const FILES_OF_THREAD = 16;

/** Fails if Node could not start the thread of the hook: it would wait for that thread for ever. */
function assertThreadCanStart(): void {
  try {
    process.cwd();
  } catch (error) {
    throw new BoardmillError(
      'file',
      'without a working directory, Node.js before 22.15 cannot load the module',
      { cause: error },
    );
  }
  assertFilesCanBeOpened(FILES_OF_THREAD);
}

/** Fails with kind `worker` if this process cannot open so many further files. */
function assertFilesCanBeOpened(count: number): void {
  const path = fileURLToPath(import.meta.url);
  const files: number[] = [];
  try {
    while (files.length < count) files.push(openRegularForReading(path).descriptor);
  } catch (error) {
    throw new BoardmillError('worker', (error as Error).message, { cause: error });
  } finally {
    for (const file of files) closeSync(file);
  }
}

/**
 * Registers the hook in Node before 22.15, where it runs in a thread of its own. That thread costs about 45 ms and 11 MB, and
 * does not affect `require`.
 */
function registerInOldNode(): void {
  nodeModule.register(new URL('workers/resolve-hook.js', INSTALLATION_FOLDER), { data: BOARDMILL_URL });
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (request, ...others) =>
    request === 'boardmill' ? fileURLToPath(BOARDMILL_URL) : resolveFilename(request, ...others);
}
