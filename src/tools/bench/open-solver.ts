import type { Dispatcher } from '../../engine/dispatcher.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { LocalPool } from '../../engine/local-pool.js';
import type { Problem } from '../../problems/problem.js';
import type { BenchSetting, ProgramToMeasure } from './contender.js';

/** Opens what solves the chunks: the workers, or the program of `--exec`. The caller closes it. */
export async function openSolver(
  problem: Problem,
  { jobs, solver }: BenchSetting,
  program: ProgramToMeasure | null,
): Promise<Dispatcher> {
  if (program === null) return new LocalPool({ problem: problem.reference, solver }, { jobs });
  const { argv } = program;
  const { casesPerRun } = problem;
  return ExternalSolver.open({ problem, argv, jobs, casesPerRun, timeoutSeconds: null, sandbox: null });
}
