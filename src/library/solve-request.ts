/** A request says what a run solves, and how. The command line and the library both make a request from their options. */
import type { OpenedProblem } from '../catalog/open-problem.js';
import { formatCommandLine } from '../core/command-line.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { version } from '../core/version.js';
import type { Dispatcher } from '../engine/dispatcher.js';
import type { SolvingProgram } from '../engine/exec/external-solver.js';
import { openSolver, type SolverSetup } from '../engine/exec/open-solver.js';
import type { ProgramFiles } from '../engine/exec/program-files.js';
import { GuardedDispatcher } from '../engine/guarded-dispatcher.js';
import type { LocalPool } from '../engine/local-pool.js';
import type { UsedFile } from '../engine/output/distinct-files.js';
import type { ChunkSettings, OutputSettings } from '../engine/output-settings.js';
import { type Column, checkRequestedColumns } from '../problems/output-columns.js';
import { hasColumns, type OutputFormat } from '../problems/output-formats.js';
import type { SolverChoice } from '../problems/problem.js';

/** The parsed and checked options of a run. */
export interface SolveRequest extends SolverSetup {
  /** The problem, with the files that define the problem. */
  readonly opened: OpenedProblem;
  readonly solver: SolverChoice;
  readonly program: RequestedProgram | null;
  readonly timeoutSeconds: number | null;
  /** Size of a chunk; null if the size adapts to how long cases take. */
  readonly chunkBytes: number | null;
  readonly retries: number;
}

/** A program that solves, with the files that it consists of and the files of `--also-compare`. */
interface RequestedProgram extends SolvingProgram {
  readonly casesPerRun: number;
  readonly memoryBytes: number | null;
  readonly files: ProgramFiles;
}

/**
 * Opens the dispatcher of a request. It returns no answers after a change of a file on which answers depend. `pool` is a pool
 * whose threads have already been started. The caller closes the dispatcher.
 */
export async function openDispatcher(
  request: SolveRequest,
  inputBytes: number | null = null,
  pool: LocalPool | null = null,
): Promise<Dispatcher> {
  return new GuardedDispatcher(pool ?? (await openSolver(request, inputBytes)), guardsOfRequest(request));
}

/** Returns the guards of all files on which answers depend: those of the problem, and those of the program if there is one. */
export function guardsOfRequest({ problem, program }: SolveRequest): FileGuard[] {
  return [problem.guard, program?.files.guard].filter((guard) => guard !== undefined);
}

/** Returns the files that define the problem and the program, for the check that no file has two roles. */
export function filesOfProblemAndProgram({ opened, program }: SolveRequest): UsedFile[] {
  return [
    ...opened.paths.map((path) => ({ path, role: 'problem' })),
    ...(program?.files.paths ?? []).map((path) => ({ path, role: 'part of the program' })),
  ];
}

/** The settings that say which cases a run writes, and what it writes about each case. */
type OutputRequest = ChunkSettings & Pick<OutputSettings, 'shard'>;

/**
 * Collects the settings that change the output. The files of the problem and of the program are hashed only if the settings
 * are compared with those of another run (`isCompared`).
 */
export async function outputSettingsOf(
  { problem, opened, solver, program }: SolveRequest,
  output: OutputRequest,
  isCompared: boolean,
): Promise<OutputSettings> {
  const digests = isCompared ? await program?.files.digests() : undefined;
  return {
    version: version(),
    problem: { name: problem.name, identity: isCompared ? await opened.identify() : new Map() },
    solver,
    program: program && { commandLine: formatCommandLine(program.argv), digests: digests ?? new Map() },
    ...output,
  };
}

/** Returns the columns with the given names. `option` is the name that messages use for the option of the columns. */
export function columnsOfRequest(
  option: string,
  names: readonly string[],
  outputFormat: OutputFormat,
  { problem, program }: SolveRequest,
): Column[] {
  const facts = { problem, hasProgram: program !== null, hasColumns: hasColumns(outputFormat) };
  return checkRequestedColumns(option, names, facts);
}
