/** The contenders of a comparison: boardmill with different settings, and other programs. */
import { fileURLToPath } from 'node:url';
import type { Problem, SolverChoice } from '../problems/problem.js';

export interface Contender {
  /** The command as a user would type it. */
  readonly label: string;
  /** The program and its arguments, as they are started. */
  readonly argv: readonly string[];
  /** How boardmill runs. Null for another program, which reads the input from standard input. */
  readonly setting: BenchSetting | null;
}

/** A way to run boardmill that is compared with others. */
export interface BenchSetting {
  /** Number of workers. */
  readonly jobs: number;
  readonly solver: SolverChoice;
}

const MAIN = fileURLToPath(new URL('../cli/main.js', import.meta.url));

/** Returns a contender for each solver with each number of workers. Every run writes its statistics to `statsFile`. */
export function boardmillContenders(
  problem: Problem,
  input: string,
  statsFile: string,
  solvers: readonly SolverChoice[],
  jobs: readonly number[],
): Contender[] {
  return solvers.flatMap((solver) =>
    jobs.map((count) => {
      const options = ['-j', String(count), ...(solver === 'auto' ? [] : ['--solver', solver])];
      return {
        label: ['boardmill', ...options].join(' '),
        argv: [process.execPath, MAIN, 'solve', problem.name, input, ...options, '-q', '--stats', statsFile],
        setting: { jobs: count, solver },
      };
    }),
  );
}
