/** What the judge of packages is asked, and what it reports. Types only. */
import type { GracefulStop } from '../../../core/stop.js';
import type { SandboxLauncher } from '../../../engine/exec/sandbox.js';
import type { CaseCutter, CaseReport, CaseVerdict } from './cases.js';
import type { TimeLimit } from './time-limit.js';

/** What to judge, and how. After `stop`, no further run starts; `giveUp` ends the runs and builds that have begun. */
export interface JudgePackageRequest extends GracefulStop {
  /** The folder of the package. */
  readonly folder: string;
  /** Number of programs that run at the same time. */
  readonly jobs: number;
  /** The time limit in seconds; null if the package states it, or if it is derived from the submissions. */
  readonly timeoutSeconds: number | null;
  /** The memory limit in bytes; null if the package states it. */
  readonly memoryLimitBytes: number | null;
  /** Names of environment variables that the programs of the package get beside the usual ones. */
  readonly environmentNames: readonly string[];
  /** Runs the programs of the package in sandboxes; null if they run with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  /** Patterns of the submissions that are judged, such as `submissions/accepted/*`; empty for all submissions. */
  readonly only: readonly string[];
  /** Whether each submission runs on all files. Otherwise it ends with the verdict that decides whether it fits. */
  readonly runsAll: boolean;
  /** Whether answers are compared with those of the accepted submissions, which then run on all files. */
  readonly checkInputs?: boolean;
  /** Cuts files into cases, to find out which cases of a file a submission fails; null if files are judged only as a whole. */
  readonly cutCases: CaseCutter | null;
  /** Gets notes for the user that are not results. */
  readonly warn: (message: string) => void;
  /** Gets the names of the submissions that will be judged, and the number of data files. */
  readonly onBegin?: (programs: readonly string[], files: number) => void;
  /** Gets a few words on what begins: `building submissions/accepted/a.cpp`. */
  readonly onActivity?: (activity: string) => void;
  /** Gets each verdict on a file as soon as it is known, also those of submissions that are not finished. */
  readonly onTest?: (program: string, test: TestReport) => void;
  /** Gets the report of each submission, in the order of their paths. */
  readonly onProgram: (report: ProgramReport) => Promise<void>;
}

/** The verdict on one data file. */
export interface TestReport extends CaseVerdict {
  /** The path of the input from the package, such as `data/secret/1.in`. */
  readonly input: string;
  readonly testName: string;
  readonly inputBytes: number;
  /** The seconds by which the run was judged: processor time, or if the wall limit has ended the run, wall time. */
  readonly countedSeconds: number;
  /** Whether the package permits the verdict on this file; null if it expects nothing. */
  readonly isPermitted: boolean | null;
  /** The verdicts on the single cases of the file; null if the file was not cut. */
  readonly cases: readonly CaseReport[] | null;
}

export interface ProgramReport {
  /** The path of the submission from the package. */
  readonly program: string;
  /**
   * `broken`: the program does not compile. `skipped`: the program cannot be run on this machine. `unjudged`: the output
   * validator has failed on an output of the program.
   */
  readonly status: 'judged' | 'broken' | 'skipped' | 'unjudged';
  /** Why the program was not judged; null if it was judged. */
  readonly reason: string | null;
  /** What the package expects of the program, in words; null if it expects nothing. */
  readonly expectation: string | null;
  /** Whether the program did what the package expects; null if nothing is expected, or if the program was skipped. */
  readonly fits: boolean | null;
  readonly tests: readonly TestReport[];
  /** Number of files on which the program was not run, because earlier ones decided whether it fits. */
  readonly notRun: number;
}

export interface PackageReport {
  readonly timeLimit: TimeLimit;
  /** Number of submissions that could not be run on this machine. */
  readonly skipped: number;
  /** Number of submissions on whose outputs the output validator has failed. */
  readonly unjudged: number;
  /** Whether the package also has scores, which were not judged. */
  readonly hasScores: boolean;
  /** Whether every submission that was judged did what is expected of it. */
  readonly isAsExpected: boolean;
}
