/**
 * The functions of the library. The first call of a function loads the code that does its work. So `import 'boardmill'` stays
 * fast in the threads that run a user's module, most of which need only `defineProblem` and `formats`. Options are read before
 * that, so that the caller may change them after the call.
 */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Stats } from '../engine/tally.js';
import type { DefinedProblem } from '../problems/modules/define-problem.js';
import { errorInCallerWords } from './caller-words.js';
import { currentFolder, pathFrom } from './current-folder.js';
import {
  readSolveFileOptions,
  readSolveOptions,
  type SolveFileOptions,
  type SolveOptions,
} from './options.js';
import { checkSolveOneArguments, type SolveOneOptions } from './solve-one-options.js';
import type { InputPieces, StreamedAnswer } from './solve-stream.js';

/**
 * Solves the file `input` and writes the answers to the file `output`, with the promises of `boardmill solve`: `output`
 * appears only when all cases are answered, and a stopped run can be resumed. `problem` is a name or an alias, or the path
 * of a module or of a grammar. The input is always solved, even if the answers in `output` are up to date. `-` as `input` or
 * `output` is standard input or standard output.
 *
 * Relative paths are relative to the working directory at the call, in which programs of `exec` run, too. It must stay the
 * same while a call runs that has `exec` or a relative path of a problem or an input: if it has changed, the call fails. That
 * it has changed and changed back is not always noticed. If it has been removed, Node.js starts no threads, and the call fails.
 *
 * The library listens to no signals of the process. To stop a run at Ctrl-C, abort `signal` in a listener of your own; a run
 * that is killed can be resumed, too.
 *
 * Fails with a CaseError at a bad or failing case, and with a BoardmillError of another kind at any other failure. If
 * `signal` is aborted before all cases are answered, it fails with the signal's reason.
 *
 * @example
 * ```js
 * const { cases, seconds } = await solveFile('./sums.mjs', 'big.in', 'big.ans', { jobs: 4 });
 * ```
 */
export async function solveFile(
  problem: string,
  input: string,
  output: string,
  options: SolveFileOptions = {},
): Promise<Stats> {
  const read = readSolveFileOptions({ problem, input, output }, options);
  const folder = currentFolder();
  // Not even a checkpoint of a run that fails may go to another folder.
  const file = pathFrom(folder, output);
  const implementation = await import('./solve-file.js');
  return implementation.solveFile(problem, input, file, read, folder).catch(rethrow);
}

/**
 * Solves an input and yields the answers in the order of the cases. `input` is the path of a file, or an async iterable of the
 * input's bytes in pieces, such as a stream. Give a stream to one call only: two would share its pieces. The function reads the
 * input no faster than the loop takes the answers. If you leave the loop early, the run ends, and the input and the workers are
 * closed.
 *
 * The run is a few chunks ahead of the loop: the one whose answers the loop is taking, two for each worker, and one that is
 * read. A chunk has at most 256 KiB of input, or a single larger case, unless `chunkBytes` says otherwise; if cases take long,
 * it has few of them. Only while an earlier case is still being solved, up to 48 MiB of later answers may wait for it. If
 * `input` is the path of a FIFO, up to 12 MiB of it are read ahead.
 *
 * As with `solveFile`, a relative path and `exec` need a working directory that stays, and `signal` is what stops a run.
 *
 * Throws a CaseError at a bad or failing case, after the answers before it, and a BoardmillError of another kind at any
 * other failure. If `signal` is aborted, it throws the signal's reason.
 *
 * @example
 * ```js
 * for await (const { case: k, answer } of solveStream('river-pawn', process.stdin)) console.log(k, answer);
 * ```
 */
export function solveStream(
  problem: string,
  input: string | InputPieces,
  options: SolveOptions = {},
): AsyncGenerator<StreamedAnswer, void, undefined> {
  // If a stream fails before anybody reads from it, Node would end the process unless there is a listener. The reader gets the
  // error later anyway.
  if (input instanceof EventEmitter) input.on('error', () => {});
  // Node throws away the output of a child process that ends before anybody listens. The code that reads it is loaded later.
  if (input instanceof Readable) input.on('readable', () => {});
  // A wrong option is an error for the reader, too.
  const read = (async () => readSolveOptions(options, {}))();
  read.catch(() => {});
  return streamAnswers(problem, input, read, currentFolder());
}

async function* streamAnswers(
  ...args: [
    problem: string,
    input: string | InputPieces,
    options: Promise<SolveOptions>,
    folder: string | null,
  ]
): AsyncGenerator<StreamedAnswer, void, undefined> {
  const implementation = await import('./solve-stream.js');
  try {
    yield* implementation.solveStream(...args);
  } catch (error) {
    throw errorInCallerWords(error);
  }
}

function rethrow(error: unknown): never {
  throw errorInCallerWords(error);
}

/**
 * Solves one case on this thread. `problem` is the name or an alias of a problem, the path of a module, or what
 * `defineProblem` returned. The case is the text that an input has between its head and the next case; the size line with the
 * size of a board may be left out. A problem of `defineProblem` also takes the fields of the case; do not change them before it
 * is solved.
 *
 * The module of a path is loaded once in a process, so later changes of its files are not noticed.
 *
 * Returns the answer as `--format ndjson` prints it, or for a problem of your own what its `solve` returned. Throws a
 * CaseError if the case breaks the input format, and a BoardmillError whose `cause` is what `solve` throws.
 *
 * @example
 * ```js
 * const winner = await solveOne('darkraft', 'RL\nLR');
 * ```
 */
export function solveOne<Case, Head, Answer>(
  problem: DefinedProblem<Case, Head, Answer>,
  input: string | Case,
  options?: SolveOneOptions,
): Promise<Answer>;
export function solveOne(problem: string, input: string, options?: SolveOneOptions): Promise<unknown>;
export async function solveOne(
  problem: string | DefinedProblem<unknown, unknown, unknown>,
  input: unknown,
  options: SolveOneOptions = {},
): Promise<unknown> {
  const read = checkSolveOneArguments(problem, input, options);
  const folder = currentFolder();
  const implementation = await import('./solve-one.js');
  return implementation.solveOne(problem, input, read, folder).catch(rethrow);
}
