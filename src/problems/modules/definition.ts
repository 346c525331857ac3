/** The definition of an author's problem, as `defineProblem` returns it: the trees of the formats, and functions. */
import type { AnswerTree, Layout, NamedBounds, RecordValue } from '../../formats/language/tree.js';

export type { NamedBounds } from '../../formats/language/tree.js';

export interface ContestDefinition {
  readonly sets: Readonly<Record<string, NamedBounds>>;
  /** The largest number of cases in a contest file; null if the number is not known. */
  readonly cases: number | null;
  readonly seconds: number | null;
  readonly megabytes: number | null;
}

/** The part of a definition that is plain data. The coordinator works with it and runs no code of the author. */
export interface ProblemDescription {
  readonly name: string;
  readonly layout: Layout;
  readonly answer: AnswerTree;
  /** For each function of a definition, whether the author has written it. */
  readonly has: Readonly<Record<'solve' | 'nimber' | 'print' | 'equal' | 'valid' | 'generate', boolean>>;
  /** How far two numbers of an answer may differ; null if they must be equal. */
  readonly tolerance: number | null;
  readonly contest: ContestDefinition | null;
  /** The version that the author states; null if the hash of the module's files identifies it. */
  readonly version: string | null;
}

/** The argument with which boardmill calls `generate` for one case. */
interface CaseRequest {
  /** Returns a random number of at least 0 and less than 1. */
  readonly random: () => number;
  /** The number of the case in the input, from 0. */
  readonly index: number;
  /** The bounds of the fields, by name. */
  readonly bounds: NamedBounds;
}

/** A complete problem, as `defineProblem` returns it. The functions are called in worker threads only. */
export interface ProblemDefinition {
  /** The name, the formats and the limits: plain data. */
  readonly description: ProblemDescription;
  /** The author's function `solve`; null if the author has not written it. */
  readonly solve: ((value: RecordValue, head: RecordValue) => unknown) | null;
  /** The author's function `nimber`; null if the author has not written it. */
  readonly nimber: ((value: RecordValue, head: RecordValue) => unknown) | null;
  /** The author's function `print`; null if the author has not written it. */
  readonly print:
    | ((answer: unknown, caseNumber: number, value: RecordValue, head: RecordValue) => unknown)
    | null;
  /** The author's function `equal`; null if the author has not written it. */
  readonly equal:
    | ((expected: unknown, got: unknown, value: RecordValue, head: RecordValue) => unknown)
    | null;
  /** The author's function `valid`; null if the author has not written it. */
  readonly valid: ((value: RecordValue, head: RecordValue) => unknown) | null;
  /** The author's function `generate`; null if the author has not written it. */
  readonly generate: ((request: CaseRequest) => unknown) | null;
}
