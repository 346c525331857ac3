/**
 * The public interface of the library. `solveFile`, `solveStream` and `solveOne` solve; `defineProblem` and `formats` define
 * problems. The rest is for programs that put the engine together themselves.
 */
export {
  BoardmillError,
  CaseError,
  type FailureKind,
  Interrupted,
  type LocatedFault,
} from './core/errors.js';
// Advanced: the parts of the engine.
export type { Dispatcher } from './engine/dispatcher.js';
export { LocalPool } from './engine/local-pool.js';
export { openSink } from './engine/output/open-sink.js';
export { openSource, type Source } from './engine/read.js';
export { run } from './engine/run.js';
export type { RunOptions } from './engine/run-options.js';
export type { Sink } from './engine/sink.js';
export type { Stats } from './engine/tally.js';
export { Tally } from './engine/tally.js';
export { formats } from './formats/formats.js';
export type { SolveOptions } from './library/options.js';
export { type SolveFileOptions, solveFile } from './library/solve-file.js';
export { type SolveOneOptions, solveOne } from './library/solve-one.js';
export { type InputPieces, type StreamedAnswer, solveStream } from './library/solve-stream.js';
export { type DefinedProblem, defineProblem, type ProblemOptions } from './problems/define-problem.js';
export { openProblem } from './problems/open-problem.js';
export type { Problem, Solver } from './problems/problem.js';
export { findProblem, loadProblem, PROBLEMS } from './problems/registry.js';
