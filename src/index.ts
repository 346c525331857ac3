/** The library's public face: the four problems and the engine that solves files of them. */
export { BoardmillError, InputError, type PlacedFault } from './core/errors.js';
export { type Dispatcher, LocalPool } from './engine/dispatch.js';
export { openSource, type Source } from './engine/read.js';
export { type RunOptions, run } from './engine/run.js';
export { type Stats, Tally } from './engine/tally.js';
export { openSink, type Sink } from './engine/write.js';
export type { Board, BoardLimits, Problem, Solver } from './problems/problem.js';
export { findProblem, loadProblem, PROBLEMS } from './problems/registry.js';
