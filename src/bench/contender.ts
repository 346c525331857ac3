/** Who takes part in a comparison. */
import { fileURLToPath } from 'node:url';
import type { Problem, SolverChoice } from '../problems/problem.js';

export interface Contender {
  /** As a user would type it. */
  readonly label: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** How boardmill itself is set; null: another program, which gets the input on standard input. */
  readonly setting: Setting | null;
}

export interface Setting {
  readonly jobs: number;
  readonly solver: SolverChoice;
}

const MAIN = fileURLToPath(new URL('../cli/main.js', import.meta.url));

/** Every number of workers with every solver; `statsFile` takes the summary of each run. */
export function boardmillContenders(
  problem: Problem,
  input: string,
  statsFile: string,
  solvers: readonly SolverChoice[],
  jobs: readonly number[],
): Contender[] {
  return solvers.flatMap((solver) =>
    jobs.map((count) => {
      const words = ['-j', String(count), ...(solver === 'auto' ? [] : ['--solver', solver])];
      return {
        label: ['boardmill', ...words].join(' '),
        argv: [process.execPath, MAIN, 'solve', problem.name, input, ...words, '-q', '--stats', statsFile],
        setting: { jobs: count, solver },
      };
    }),
  );
}
