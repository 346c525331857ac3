/** Compares answer files with the right answers. All files share one pool of workers and one checker. */

import { type AnswerComparator, comparatorThatNamesInput } from '../../engine/comparators.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { totalInputBytes } from '../../engine/input/process-files.js';
import { type Source, stoppablePieces } from '../../engine/input/source.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput } from '../../engine/run.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import type { SolveRequest } from '../../library/solve-request.js';
import { type AnswerComparisonOptions, openComparator } from '../../tools/compare/comparator.js';
import { AnswerComparingSink, type AnswerDifference } from '../../tools/compare/compare.js';
import type { CheckedFiles } from '../../tools/compare/report.js';
import { openDispatcher } from '../arguments/solving-options.js';
import { notePrinter, type PrintNote, printError } from '../exit.js';
import { withRunSource } from '../inputs/with-input.js';
import { runWithSignals } from '../signals.js';
import { withDispatcher } from '../with-dispatcher.js';

/** Receives a difference, and the name of the answer file as messages show it. */
type OnDifference = (difference: AnswerDifference, answers: string) => Promise<void>;

/** Compares the answers to one input, and calls `onDifference` for the first differences. */
export type CompareAnswerFiles = (
  pair: CheckedFiles,
  onDifference: OnDifference,
) => Promise<AnswerComparingSink>;

interface ComparerSettings {
  readonly inputs: readonly CheckedFiles[];
  /** The largest number of differences for which `onDifference` is called for one file. */
  readonly max: number;
  readonly exact: boolean;
  readonly quiet: boolean;
  readonly isBarShown: boolean;
  /** Opens the answer file: the one that the user has named, or the one beside an input. */
  readonly openAnswers: (path: string) => Promise<Source>;
}

/** The settings and tools that all comparisons of a run share. */
interface Shared {
  readonly request: SolveRequest;
  readonly settings: ComparerSettings;
  readonly comparator: AnswerComparator;
  readonly dispatcher: Dispatcher;
  readonly tally: RunTally;
  readonly note: PrintNote;
  readonly stop: AbortSignal;
}

/**
 * Opens the workers and the checker, and calls `work` with two arguments: a function that compares files, and a signal that is
 * aborted when the user stops the run. Closes everything when `work` has ended.
 */
export async function withComparer<Result>(
  request: SolveRequest,
  answerOptions: AnswerComparisonOptions,
  settings: ComparerSettings,
  work: (compare: CompareAnswerFiles, stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { problem, jobs, timeoutSeconds } = request;
  const note = notePrinter(settings.quiet);
  return runWithSignals('finishing the cases that are being compared', note, async ({ stop, giveUp }) => {
    const limits = { timeoutSeconds, stop, giveUp };
    const { comparator, close } = await openComparator(problem, answerOptions, jobs, limits);
    try {
      const tally = new RunTally();
      tally.inputBytes = totalInputBytes(settings.inputs);
      const dispatcher = await openDispatcher(request, tally.inputBytes);
      const shared = { request, settings, comparator, dispatcher, tally, note, stop };
      const compare: CompareAnswerFiles = (pair, onDifference) => compareFile(pair, onDifference, shared);
      const frame = { giveUp, tally, isBarShown: settings.isBarShown };
      return await withDispatcher(dispatcher, frame, () => work(compare, stop));
    } finally {
      await close();
    }
  });
}

/** Solves an input and compares the right answers with those in a file. */
async function compareFile(
  pair: CheckedFiles,
  onDifference: OnDifference,
  shared: Shared,
): Promise<AnswerComparingSink> {
  const { request, stop } = shared;
  return withRunSource(pair.input, request.problem, stop, async (input) =>
    compareSources(input, await shared.settings.openAnswers(pair.answers), onDifference, shared),
  );
}

async function compareSources(
  input: Source,
  answers: Source,
  onDifference: OnDifference,
  { request, settings, comparator, dispatcher, tally, note, stop }: Shared,
): Promise<AnswerComparingSink> {
  const { problem, chunkBytes, retries } = request;
  const { inputFormat, answerFormat } = problem;
  const comparison = new AnswerComparingSink(stoppablePieces(answers, stop), {
    inputFormat,
    answerFormat,
    comparator: comparatorThatNamesInput(comparator, input.name),
    wholeLines: settings.exact,
    maxReported: settings.max,
    onDifference: (difference) => onDifference(difference, answers.name),
  });
  const options = { problem, settings: PLAIN_SETTINGS, chunkBytes, retries, warn: printError, note, stop };
  try {
    await writeAndFinishSink(comparison, () => solveInput(input, comparison, dispatcher, options, tally));
    return comparison;
  } finally {
    await answers.close();
  }
}
