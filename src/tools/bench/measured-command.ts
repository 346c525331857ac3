/** The commands of a comparison: boardmill with different settings, and other programs. */
import { fileURLToPath } from 'node:url';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import type { Problem, SolverChoice } from '../../problems/problem.js';

export interface MeasuredCommand {
  /** The command as a user would type it. */
  readonly label: string;
  /** The program that bench starts, and its arguments. */
  readonly argv: readonly string[];
  /** The setting with which boardmill runs. Null for another program, which reads the input from standard input. */
  readonly setting: BenchSetting | null;
}

/** The options of boardmill that differ between the compared runs. */
export interface BenchSetting {
  /** Number of workers. */
  readonly jobs: number;
  readonly solver: SolverChoice;
}

/** The program of `--exec`, which boardmill runs on all chunks. */
export interface NamedSolvingProgram {
  /** The program and its arguments as the user typed them. */
  readonly commandLine: string;
  readonly argv: readonly string[];
}

const MAIN_SCRIPT_PATH = fileURLToPath(new URL('src/cli/main.js', INSTALLATION_FOLDER));

/** Returns a command for each solver with each number of workers. Every run writes its statistics to `statsFile`. */
export function boardmillCommands(
  problem: Problem,
  input: string,
  statsFile: string,
  solvers: readonly SolverChoice[],
  jobs: readonly number[],
  program: NamedSolvingProgram | null,
): MeasuredCommand[] {
  return solvers.flatMap((solver) =>
    jobs.map((count) => {
      const options = [
        '-j',
        String(count),
        ...(solver === 'auto' ? [] : ['--solver', solver]),
        ...(program === null ? [] : ['--exec', program.commandLine]),
      ];
      return {
        label: ['boardmill', ...options].join(' '),
        argv: [
          process.execPath,
          MAIN_SCRIPT_PATH,
          'solve',
          ...problem.words,
          input,
          ...options,
          '-q',
          '--stats',
          statsFile,
        ],
        setting: { jobs: count, solver },
      };
    }),
  );
}
