/** What a command line of `boardmill stress` asks for. */

import { formatCommandLine } from '../../core/command-line.js';
import type { ProgramFiles } from '../../engine/exec/program-files.js';
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';
import type { CaseEnumeration, Problem, WantedBoards } from '../../problems/problem.js';
import type { AnswerComparisonOptions } from '../compare/comparator.js';

/** The parsed and checked command line. */
export interface StressPlan {
  readonly problem: Problem;
  /** The program to test, with its arguments. */
  readonly argv: readonly string[];
  /** The program that knows the right answers; null if boardmill's own solver does. */
  readonly reference: readonly string[] | null;
  /** The program that prints the inputs; null if boardmill draws them. */
  readonly generator: readonly string[] | null;
  /** The files of these programs. */
  readonly programFiles: readonly ProgramFiles[];
  /** Runs the tested program in sandboxes; null if it runs with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  readonly answerOptions: AnswerComparisonOptions;
  readonly casesPerRun: number;
  /** Every case of the problem (`--profile all`); null if cases are drawn or printed. */
  readonly enumeration: CaseEnumeration | null;
  /** The sizes of drawn boards, as far as the user has chosen them. */
  readonly boards: WantedBoards;
  readonly seed: string;
  /** Number of rounds after which the search ends; Infinity if there is no limit. */
  readonly rounds: number;
  /** Time after which the search ends; Infinity if there is no limit. */
  readonly seconds: number;
  readonly timeoutSeconds: number;
  /** Number of different failures after which the search ends. */
  readonly find: number;
  readonly jobs: number;
  readonly quiet: boolean;
}

/** The name of a file for a plan, without its number and its ending: "stress-darkraft-7". */
export function stressFileStem(
  kind: 'stress' | 'slowest' | 'reference',
  { problem, seed }: StressPlan,
): string {
  return `${kind}-${problem.name}-${seed.replace(/[^\w.-]/g, '_')}`;
}

/** The command that solves a file with a program, under the time limit of the plan. */
export function commandToSolve(
  { problem, timeoutSeconds, sandbox }: StressPlan,
  argv: readonly string[],
  file: string,
): string {
  const words = formatCommandLine([...problem.words, file]);
  const option = sandbox === null ? '' : ' --sandbox';
  return `boardmill solve ${words} --exec ${quoteProgram(argv)}${option} --timeout ${timeoutSeconds}`;
}

/** A program with its arguments as the value of one option. */
export function quoteProgram(argv: readonly string[]): string {
  return formatCommandLine([formatCommandLine(argv)]);
}
