import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openProblem } from '../catalog/open-problem.js';
import { pathToOpen } from '../core/files/files.js';
import type { ProblemDefinition } from '../problems/modules/definition.js';
import { importDefinition } from '../problems/modules/module-loader.js';
import { isModulePath, localPathOf } from '../problems/modules/module-path.js';
import { solveBuiltInCase, solveCaseOfDefinition } from './solve-case.js';
import type { SolveOneOptions } from './solve-one-options.js';

/** See `solveOne` in functions.ts. */
export async function solveOne(
  problem: string | ProblemDefinition,
  input: unknown,
  options: SolveOneOptions,
): Promise<unknown> {
  if (typeof problem !== 'string') return solveCaseOfDefinition(problem, input, options);
  if (isModulePath(problem)) {
    const path = localPathOf(problem);
    await pathToOpen(path);
    const url = pathToFileURL(resolve(path)).href;
    return solveCaseOfDefinition(await importDefinition(url, problem), input, options);
  }
  const opened = await openProblem(problem);
  return solveBuiltInCase(opened.problem, String(input), options);
}
