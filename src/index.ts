/** The public interface of the library: the four problems, and the engine that solves inputs of them. */
export { BoardmillError, CaseError, Interrupted, type LocatedFault } from './core/errors.js';
export type { Dispatcher } from './engine/dispatcher.js';
export { LocalPool } from './engine/local-pool.js';
export { openSink } from './engine/output/open-sink.js';
export { openSource, type Source } from './engine/read.js';
export { run } from './engine/run.js';
export type { RunOptions } from './engine/run-options.js';
export type { Sink } from './engine/sink.js';
export { type Stats, Tally } from './engine/tally.js';
export type { Board, BoardLimits, Problem, Solver } from './problems/problem.js';
export { findProblem, loadProblem, PROBLEMS } from './problems/registry.js';
