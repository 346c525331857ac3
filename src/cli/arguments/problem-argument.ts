/** Finds the problem that the argument `<problem>` names: one of the registry, a user's module, or a grammar. */
import { basename } from 'node:path';
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError, systemReason } from '../../core/errors.js';
import type { Problem } from '../../problems/problem.js';
import { parseProblem, parseSingleValue, usageError } from './parse-options.js';

/** The options that say how a grammar is used, as yargs returns them. */
export interface ProblemArguments {
  readonly problem: string;
  readonly single?: boolean;
  readonly casesLoop?: unknown;
  readonly answers?: unknown;
}

/** A problem, and the files that define it. */
export interface ChosenProblem {
  readonly problem: Problem;
  /** The paths of the files that define the problem. None if the problem belongs to boardmill. */
  readonly paths: readonly string[];
  /**
   * Returns the path and the digest of each file that defines the problem, and its version if its author states one. A
   * run cannot be resumed if something in it has changed.
   */
  identify(): Promise<ReadonlyMap<string, string>>;
}
