/** Opens the problem that a user names: a name in the registry, the path of a module, or the path of a grammar. */
import { basename } from 'node:path';
import { digestOfFile } from '../core/digest.js';
import { BoardmillError } from '../core/errors.js';
import { FileGuard } from '../core/files/file-guard.js';
import { DEFAULT_GRAMMAR_USE, type GrammarUse, isGrammarOfAnswers } from '../problems/grammar-use.js';
import type { ModuleFile } from '../problems/modules/module-identity.js';
import {
  isGrammarPath,
  isModulePath,
  localPathOf,
  referenceToModule,
} from '../problems/modules/module-path.js';
import type { Problem } from '../problems/problem.js';
import { loadProblem } from './registry.js';

/** A problem, and the files that define it. */
export interface OpenedProblem {
  readonly problem: Problem;
  /** The paths of the files that define the problem. The list is empty for a game that is built into boardmill. */
  readonly paths: readonly string[];
  /**
   * Returns what identifies the problem apart from its name: the content of each file that defines it, or the version that its
   * author states. Each key is a phrase that messages use. A run cannot be resumed if one of the values has changed.
   */
  identify(): Promise<ReadonlyMap<string, string>>;
}

/**
 * Opens the problem. Fails with kind `usage` if the author of a module or of a grammar has made a mistake, or if no
 * problem has this name, and with kind `file` if a file cannot be opened.
 */
export async function openProblem(
  text: string,
  grammarUse: GrammarUse = DEFAULT_GRAMMAR_USE,
): Promise<OpenedProblem> {
  if (isGrammarPath(text)) return openGrammar(localPathOf(text), grammarUse);
  if (isModulePath(text)) return openModule(text);
  if (/[./\\]/.test(text)) {
    const endings = 'a module is a path that ends in .mjs, .js, .cjs, .ts or .mts, a grammar one in .ctd';
    throw new BoardmillError('usage', `no problem is named "${text}"; ${endings}`);
  }
  const problem = (await loadProblem(text)) as Problem;
  return { problem, paths: [], identify: async () => new Map() };
}

async function openModule(typed: string): Promise<OpenedProblem> {
  const { describeModule } = await import('../problems/modules/describe-module.js');
  const { createModuleProblem } = await import('../problems/modules/module-problem.js');
  const path = localPathOf(typed);
  const files = await watchModule(path);
  const { description, filesRead } = await describeModule(typed);
  const problem = createModuleProblem(description, referenceToModule(typed)) as Problem;
  // An author who states a version says when files that the module reads count as changed.
  const guard =
    description.version === null ? await watchFilesRead(files.all, filesRead, path) : files.imported;
  return {
    problem: { ...problem, guard },
    paths: [path],
    async identify() {
      const { identifyModule } = await import('../problems/modules/module-identity.js');
      const { version, digests } = await identifyModule(typed, description.version, filesRead);
      return version === null
        ? contentSettings(digests)
        : new Map([[`the version of ${basename(path)}`, version]]);
    },
  };
}

/**
 * Begins to watch all files of a module, and those that it imports. If they cannot be found, no error is thrown here:
 * `describeModule` or `identify` reports it.
 */
async function watchModule(path: string): Promise<{ all: FileGuard; imported: FileGuard }> {
  const { localFilesOf } = await import('../problems/modules/module-identity.js');
  const files = await localFilesOf(path).catch(() => []);
  const watch = (watched: readonly ModuleFile[]) => FileGuard.of([path, ...watched.map((file) => file.path)]);
  return { all: watch(files), imported: watch(files.filter(({ isImported }) => isImported)) };
}

/** Also watches the files that a module has read while it was loaded. */
async function watchFilesRead(
  guard: FileGuard,
  filesRead: readonly string[],
  modulePath: string,
): Promise<FileGuard> {
  const { localFilesAmong } = await import('../problems/modules/module-identity.js');
  return guard.withFiles((await localFilesAmong(filesRead, modulePath)).map(({ path }) => path));
}

function contentSettings(digests: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...digests].map(([path, digest]) => [`the content of ${path}`, digest]));
}

async function openGrammar(path: string, use: GrammarUse): Promise<OpenedProblem> {
  const { readGrammarProblem } = await import('../problems/grammar-problem.js');
  const paths = [path, ...(isGrammarOfAnswers(use.answers) ? [use.answers] : [])];
  const guard = FileGuard.of(paths);
  const problem = await readGrammarProblem(path, use);
  return {
    problem: { ...problem, guard },
    paths,
    async identify() {
      const digests = await Promise.all(
        paths.map(
          async (file) => [`the content of ${basename(file)}`, (await digestOfFile(file)) ?? ''] as const,
        ),
      );
      return new Map([['how the grammar is used', describeUse(use)], ...digests]);
    },
  };
}

/** Describes how inputs are read, even if they are read in the default way, because boardmill 0.3.0 had another default. */
function describeUse({ multitest, casesLoop, answers }: GrammarUse): string {
  const reading = multitest ? `loop ${casesLoop ?? 'last'}` : 'one case';
  return `${reading}, answers ${answers}`;
}
