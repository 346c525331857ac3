/**
 * Makes `import ... from 'boardmill'` in a user's module mean this very installation, even if the folder of the module has
 * no node_modules.
 */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { BoardmillError } from '../../core/errors.js';
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
  if (registerHooks === undefined) assertThreadsCanStart();
  isActive = true;
  initialize(BOARDMILL_URL);
  if (registerHooks === undefined) registerInOldNode();
  else registerHooks({ resolve });
}

/** Fails if Node could not start the thread of the hook: it would wait for that thread for ever. */
function assertThreadsCanStart(): void {
  try {
    process.cwd();
  } catch (error) {
    throw new BoardmillError(
      'file',
      'without a working directory, Node.js before 22.15 cannot load the module',
      { cause: error },
    );
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
