/** Compares the answers beside the tests, `NAME.ans`, with those that `grade` takes for right. */
import { BoardmillError } from '../../core/errors.js';
import { type AnswerComparator, comparatorThatNamesInput } from '../../engine/comparators.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { answerFileOf } from '../../engine/input/file-names.js';
import { openRegularSource } from '../../engine/input/read.js';
import { stoppablePieces } from '../../engine/input/source.js';
import { TRUSTED_SOLVER_RETRIES } from '../../engine/limits.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput } from '../../engine/run.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import type { Problem } from '../../problems/problem.js';
import { AnswerComparingSink } from '../../tools/compare/compare.js';
import { describeAnswerDifference } from '../../tools/compare/report.js';
import { type PrintNote, printError } from '../exit.js';
import { withRunSource } from '../inputs/with-input.js';

interface TrustedAnswers {
  readonly problem: Problem;
  /** What solves the tests: the problem's solver or a right program. */
  readonly solver: Dispatcher;
  /** The name of the solver in messages. */
  readonly solverName: string;
  readonly comparator: AnswerComparator;
  readonly note: PrintNote;
  readonly stop: AbortSignal;
}

/** Fails with kind `worker` at the first answer beside one of the inputs that differs from that of the solver. */
export async function assertAnswersRight(inputs: readonly string[], trusted: TrustedAnswers): Promise<void> {
  for (const input of inputs) {
    const answerFile = answerFileOf(input);
    if (answerFile !== null) await compareAnswers(input, answerFile, trusted);
  }
}

async function compareAnswers(
  input: string,
  answerFile: string,
  { problem, solver, solverName, comparator, note, stop }: TrustedAnswers,
): Promise<void> {
  const { inputFormat, answerFormat } = problem;
  const answers = await openRegularSource(answerFile);
  const comparison = new AnswerComparingSink(stoppablePieces(answers, stop), {
    inputFormat,
    answerFormat,
    comparator: comparatorThatNamesInput(comparator, input),
    wholeLines: false,
    maxReported: 1,
    async onDifference(difference) {
      const what = describeAnswerDifference(difference, answers.name, { answerFormat, exact: false });
      throw new BoardmillError('worker', `${what.trimEnd()}; the right answers are those of ${solverName}`);
    },
  });
  const settings = PLAIN_SETTINGS;
  const retries = TRUSTED_SOLVER_RETRIES;
  const options = { problem, settings, retries, warn: printError, note, stop };
  try {
    await withRunSource(input, problem, stop, (source) =>
      writeAndFinishSink(comparison, () => solveInput(source, comparison, solver, options, new RunTally())),
    );
  } finally {
    await answers.close();
  }
}
