/**
 * The public interface of the library. `solveFile`, `solveStream` and `solveOne` solve; `defineProblem` and `formats` define
 * problems.
 *
 * Bundlers must leave `boardmill` out of their bundles (`external`), because it starts threads from its own files;
 * `boardmill/browser` may be bundled. The types use `AbortSignal`, which TypeScript has with `@types/node` or `lib` DOM.
 *
 * @module boardmill
 */
export {
  BoardmillError,
  CaseError,
  type ErrorCause,
  type FailureKind,
  Interrupted,
  type LocatedFault,
  type StopSignal,
} from './core/errors.js';
export type { SlowCase } from './engine/messages.js';
export type { ErrorPolicy } from './engine/output-settings.js';
export type { SlowCaseOfRun, Stats } from './engine/tally.js';
export { formats } from './formats/language/formats.js';
// A module whose declarations are emitted must be able to name the types of its fields.
export type {
  BigintField,
  EitherOf,
  FieldOf,
  Grid,
  IntField,
  Labelled,
  LayoutOf,
  NoFields,
  Table,
  TaggedList,
  UnstatedCount,
} from './formats/language/types.js';
export { solveFile, solveOne, solveStream } from './library/functions.js';
export type { SolveFileOptions, SolveOptions } from './library/options.js';
export type { SolveOneOptions } from './library/solve-one-options.js';
export type { InputPieces, StreamedAnswer } from './library/solve-stream.js';
export type { GrammarUse } from './problems/grammar-use.js';
export type { ContestOptions } from './problems/modules/define-contest.js';
export {
  type DefinedProblem,
  defineProblem,
  type GenerateRequest,
  type ProblemOptions,
} from './problems/modules/define-problem.js';
export type { Column } from './problems/output-columns.js';
export type { MarkedFault, OutputFormat } from './problems/output-formats.js';
export type { SolverChoice } from './problems/problem.js';
