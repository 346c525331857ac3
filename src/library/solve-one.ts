import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openProblem } from '../catalog/open-problem.js';
import { BoardmillError } from '../core/errors.js';
import { resolveReadableFile } from '../core/files/files.js';
import type { ProblemDefinition } from '../problems/modules/definition.js';
import { importDefinition } from '../problems/modules/module-loader.js';
import { isModulePath, localPathOf } from '../problems/modules/module-path.js';
import { solveBuiltInCase, solveCaseOfDefinition } from './solve-case.js';
import type { SolveOneOptions } from './solve-one-options.js';
import { guardFolder } from './working-folder.js';

/** See `solveOne` in functions.ts. */
export async function solveOne(
  problem: string | ProblemDefinition,
  input: unknown,
  options: SolveOneOptions,
  folder: string | null,
): Promise<unknown> {
  if (typeof problem !== 'string') return solveCaseOfDefinition(problem, input, options);
  guardFolder(folder, { problem });
  if (isModulePath(problem)) {
    const path = localPathOf(problem);
    if (folder === null && !isAbsolute(path))
      throw new BoardmillError('file', `cannot open ${problem}: the working directory has been removed`);
    const url = pathToFileURL(resolve(path)).href;
    await resolveReadableFile(path);
    return solveCaseOfDefinition(await importDefinition(url, problem), input, options);
  }
  const opened = await openProblem(problem);
  return solveBuiltInCase(opened.problem, String(input), options);
}
