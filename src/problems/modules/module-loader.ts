/** Loads a user's module. Loading runs the code of the author, so only worker threads use this file. */
import { fileURLToPath } from 'node:url';
import type { ProblemDefinition } from './definition.js';
import { moduleMistake, type UserModule } from './module-path.js';
import { BOARDMILL_URL, resolveBoardmill } from './resolve-boardmill.js';

/**
 * Imports a module and returns the problem that it defines. `shownAs` is the name of the module in messages. Fails with kind
 * `usage` if the module cannot be loaded or exports no problem.
 */
export async function importDefinition(
  url: string,
  shownAs = fileURLToPath(url),
): Promise<ProblemDefinition> {
  const module = { path: fileURLToPath(url), shownAs };
  resolveBoardmill();
  return definitionIn(await importExports(url, module), module);
}

/** Loads the library that modules import, before the module that needs it is known. */
export async function loadBoardmill(): Promise<void> {
  resolveBoardmill();
  await import(BOARDMILL_URL);
}

type Exports = Readonly<Record<string, unknown>>;

async function importExports(url: string, module: UserModule): Promise<Exports> {
  try {
    return await import(url);
  } catch (error) {
    // This code, which finds the places of errors, is loaded only after an error, so that worker threads start faster.
    const { moduleLoadingMistake } = await import('./module-mistake.js');
    throw await moduleLoadingMistake(error, module);
  }
}

function definitionIn(exports: Exports, module: UserModule): ProblemDefinition {
  if (exports.default === undefined) throw moduleMistake(module, `has no default export; ${WHAT_TO_EXPORT}`);
  if (isDefinition(exports.default)) return exports.default;
  throw moduleMistake(module, `exports something else than a problem as its default; ${WHAT_TO_EXPORT}`);
}

const WHAT_TO_EXPORT = 'export default defineProblem({...})';

function isDefinition(value: unknown): value is ProblemDefinition {
  if (!isObject(value) || !isObject(value.description)) return false;
  const { name, layout, answer } = value.description;
  return typeof name === 'string' && isObject(layout) && isObject(answer);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
