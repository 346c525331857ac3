/** Errors as the callers of the library get them. The engine names options as on the command line, such as `--force`. */
import { BoardmillError, CaseError, describeShortageOfSystem, Interrupted } from '../core/errors.js';
import type { SolveFileOptions } from './options.js';

/** What the command line calls the options of the library. */
const COMMAND_LINE_NAMES: Record<Exclude<keyof SolveFileOptions, 'signal' | 'onWarning'>, string> = {
  jobs: '--jobs',
  chunkBytes: '--chunk',
  solver: '--solver',
  exec: '--exec',
  execCases: '--exec-cases',
  onError: '--on-error',
  timeout: '--timeout',
  retries: '--retries',
  multitest: '--multitest',
  casesLoop: '--cases-loop',
  answers: '--answers',
  format: '--format',
  columns: '--columns',
  force: '--force',
  resume: '--resume',
  alsoCompare: '--also-compare',
};

const LIBRARY_NAMES = new Map(Object.entries(COMMAND_LINE_NAMES).map(([name, typed]) => [typed, name]));

/** An option where messages name one. Elsewhere, as behind the name of a program, it is a word of the user. */
const OPTION = /(?<=^|[;,:] |\(|\b(?:of|with|without|out|behind) )`?(--[a-z-]+)`?/g;

/**
 * Returns what a call throws in place of `error`. Errors about a case are left as they are: they name no options, but quote
 * what users wrote.
 */
export function errorInCallerWords(error: unknown): unknown {
  if (!(error instanceof BoardmillError)) return withReasonOfLack(error);
  if (error instanceof CaseError || error instanceof Interrupted) return error;
  const message = error.message.replace(OPTION, (typed: string, option: string) => {
    const name = LIBRARY_NAMES.get(option);
    return name === undefined ? typed : `\`${name}\``;
  });
  if (message === error.message) return error;
  return new BoardmillError(error.kind, message, 'cause' in error ? { cause: error.cause } : undefined);
}

/**
 * Node may fail anywhere if the process lacks files or memory. Other errors, such as the reason of a signal, are left as they
 * are.
 */
function withReasonOfLack(error: unknown): unknown {
  const lack = error instanceof Error ? describeShortageOfSystem(error) : null;
  return lack === null ? error : new BoardmillError('worker', lack, { cause: error });
}
