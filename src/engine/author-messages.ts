/** The messages with which the coordinator asks a worker thread to call a function of a module, apart from `solve`. */
import type { RandomCasesRequest } from '../problems/problem.js';
import type { InputHeadOfTask } from './messages.js';

/** A request to call the module's function `equal`: is this answer as right as the expected one? */
export interface EqualRequest {
  readonly caseNumber: number;
  readonly caseBytes: Uint8Array;
  readonly head: InputHeadOfTask;
  readonly expected: Uint8Array;
  readonly got: Uint8Array;
}

/**
 * The result of `equal`: null if the answer is right; otherwise the reason why it is wrong, or '' if the author gives no
 * reason.
 */
export type EqualReply = string | null;

/** A request to call the module's function `valid` for some cases. */
export interface ValidityRequest {
  readonly head: InputHeadOfTask;
  readonly cases: readonly Uint8Array[];
}

/**
 * The result of `valid`, one element a case: null if the case is valid, else what is wrong, or '' if the author gives no
 * reason.
 */
export type ValidityReply = readonly (string | null)[];

/** A request for random cases: at most `count` cases, but at least one, beginning with the case with index `from`. */
export interface GenerateCasesTask {
  readonly request: RandomCasesRequest;
  readonly from: number;
  readonly count: number;
}

export interface GenerateCasesResult {
  readonly head: Uint8Array | null;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** The type of each function of an author that a worker thread can call, by the name under which the worker exports it. */
export interface AuthorFunctions {
  readonly callEqual: { readonly task: EqualRequest; readonly result: EqualReply };
  readonly callValid: { readonly task: ValidityRequest; readonly result: ValidityReply };
  readonly callGenerate: { readonly task: GenerateCasesTask; readonly result: GenerateCasesResult };
}

export type AuthorFunctionName = keyof AuthorFunctions;
