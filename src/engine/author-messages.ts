/** The messages with which the coordinator asks a worker thread to call a function of a module, apart from `solve`. */
import type { DrawRequest } from '../problems/problem.js';
import type { TaskHead } from './messages.js';

/** Asks `equal` whether an answer is as right as the expected one. */
export interface EqualTask {
  readonly caseNumber: number;
  readonly caseBytes: Uint8Array;
  readonly head: TaskHead;
  readonly expected: Uint8Array;
  readonly got: Uint8Array;
}

/** Null if the answer is right; otherwise why it is wrong, or an empty text if the author does not say. */
export type EqualResult = string | null;

/** Asks `valid` about cases. */
export interface ValidTask {
  readonly head: TaskHead;
  readonly cases: readonly Uint8Array[];
}

/** For each case null if it is valid; otherwise what is wrong with it, or an empty text if the author does not say. */
export type ValidResult = readonly (string | null)[];

/** Asks for random cases, beginning with the case of the index `from`: at most `count`, but at least one. */
export interface DrawTask {
  readonly request: DrawRequest;
  readonly from: number;
  readonly count: number;
}

export interface DrawResult {
  readonly head: Uint8Array | null;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** The tasks and results of each function, by the name under which a worker exports it. */
export interface AuthorFunctions {
  readonly callEqual: { readonly task: EqualTask; readonly result: EqualResult };
  readonly callValid: { readonly task: ValidTask; readonly result: ValidResult };
  readonly callGenerate: { readonly task: DrawTask; readonly result: DrawResult };
}

export type AuthorFunctionName = keyof AuthorFunctions;
