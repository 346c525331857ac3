/** Opens the problem that a user names: a name in the registry, the path of a module, or the path of a grammar. */
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BoardmillError } from '../core/errors.js';
import { isGrammarPath, isModulePath, localPathOf } from './module-path.js';
import type { Problem } from './problem.js';
import { findProblem } from './registry.js';

/** A problem, and the files that define it. */
export interface OpenedProblem {
  readonly problem: Problem;
  /** The paths of the files that define the problem. None if the problem belongs to boardmill. */
  readonly paths: readonly string[];
  /**
   * Returns what identifies the problem apart from its name: the digest of each file that defines it, by its path, or the
   * version that its author states. A run cannot be resumed if something in it has changed.
   */
  identify(): Promise<ReadonlyMap<string, string>>;
}

/** How a grammar is used. */
export interface GrammarUse {
  /** Whether each input is one case. */
  readonly single: boolean;
  /** Which loop at the top level has the cases as its iterations, counted from 1; null for the last one. */
  readonly casesLoop: number | null;
  /** How outputs are cut into answers, as `--answers` says. */
  readonly answers: string;
}

export const DEFAULT_GRAMMAR_USE: GrammarUse = { single: false, casesLoop: null, answers: 'line' };

/**
 * Opens the problem. Fails with kind `usage` if the author of a module or of a grammar has made a mistake, or if no
 * problem has this name, and with kind `file` if a file cannot be opened.
 */
export async function openProblem(
  text: string,
  _grammarUse: GrammarUse = DEFAULT_GRAMMAR_USE,
): Promise<OpenedProblem> {
  if (isGrammarPath(text)) throw new BoardmillError('usage', 'grammars come later');
  if (isModulePath(text)) return openModule(text);
  const entry = findProblem(text);
  if (entry === undefined) throw new BoardmillError('usage', `no problem is named "${text}"`);
  const { problem } = await entry.load();
  return { problem: problem as Problem, paths: [], identify: async () => new Map() };
}

async function openModule(typed: string): Promise<OpenedProblem> {
  const { describeModule } = await import('./describe-module.js');
  const { createModuleProblem } = await import('./module-problem.js');
  const { description } = await describeModule(typed);
  const path = localPathOf(typed);
  const problem = createModuleProblem(description, { typed, url: pathToFileURL(resolve(path)).href });
  return {
    problem: problem as Problem,
    paths: [path],
    async identify() {
      const { identifyModule } = await import('./module-identity.js');
      const { version, digests } = await identifyModule(typed, description.version);
      return version === null ? digests : new Map([[`the version of ${basename(path)}`, version]]);
    },
  };
}
