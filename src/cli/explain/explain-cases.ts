/** Explains the cases of an input with a pool of workers, and writes the explanations where the user wants them. */
import { join } from 'node:path';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { makeDurableFolders } from '../../core/files/files.js';
import { LocalPool } from '../../engine/local-pool.js';
import { openSinkAtAutomaticName, streamSink } from '../../engine/output/open-sink.js';
import { withReportFiles } from '../../engine/output/report-file.js';
import { type ExplainedCase, type ExplainJob, PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput } from '../../engine/run.js';
import { type Sink, writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import { usageError } from '../arguments/usage-error.js';
import { printError, printMessage } from '../exit.js';
import { withRunSource } from '../inputs/with-input.js';
import { runWithSignals } from '../signals.js';
import { withDispatcher } from '../with-dispatcher.js';
import { drawingName } from './output-files.js';
import type { CasesPlan, ExplainPlan } from './plan.js';
import { createRecordSink } from './record-sink.js';

export async function explainCases(plan: ExplainPlan): Promise<void> {
  const { output, isSingle, folder } = plan;
  const stdout = output.printed === null ? null : streamSink(process.stdout);
  if (isSingle) return explainIntoFiles(plan, stdout);
  if (folder === null) return runPlan(plan, stdout!);
  await runPlan(
    plan,
    createRecordSink<ExplainedCase>(async (explained) => {
      await stdout?.write(Buffer.from(explained.printed), null);
      await saveDrawing(plan, folder, explained);
    }),
  );
}

/** Writes the page and the drawing of a single case, and prints its explanation if that is wanted. */
async function explainIntoFiles(plan: ExplainPlan, stdout: Sink | null): Promise<void> {
  await withReportFiles(plan.reports, plan.force, async ({ page, drawing }) => {
    const explained = await explainOnlyCase(plan);
    await stdout?.write(Buffer.from(explained.printed), null);
    if (plan.folder !== null) await saveDrawing(plan, plan.folder, explained);
    await page?.write(await makePage(plan, explained));
    await drawing?.write(explained.svg!);
  });
}

/** Returns the page about the single case that the user has chosen. */
export async function pageOfCase(plan: CasesPlan): Promise<string> {
  return makePage(plan, await explainOnlyCase(plan));
}

/** Explains the single case that the user has chosen. Fails with kind `usage` if the input has several cases, or none. */
async function explainOnlyCase(plan: CasesPlan): Promise<ExplainedCase> {
  const cases: ExplainedCase[] = [];
  const sink = createRecordSink<ExplainedCase>(async (explained) => {
    cases.push(explained);
    if (cases.length > 1) throw severalCasesError(plan);
  });
  await runPlan(plan, sink);
  if (cases.length === 0) throw noSuchCaseError(plan, 0);
  return cases[0];
}

async function makePage(
  { problem, input }: CasesPlan,
  { case: caseNumber, board }: ExplainedCase,
): Promise<string> {
  const { renderPlayPage } = await import('../../explain/page-file/render.js');
  const title = `${problem.name}, case ${caseNumber} of ${nameOfInput(input)}`;
  return renderPlayPage({ problem: problem.name, rows: board!, caseNumber, title });
}

/** Writes the drawing of a case to a file in the folder. Creates the folder if it does not exist. */
async function saveDrawing({ force }: ExplainPlan, folder: string, explained: ExplainedCase): Promise<void> {
  await makeDurableFolders(folder);
  const path = join(folder, drawingName(explained.case));
  const sink = await openSinkAtAutomaticName(path, { kind: 'drawing', force });
  await writeAndFinishSink(sink, () => sink.write(Buffer.from(explained.svg!), null));
}

/** Runs the engine over the input up to the last case that the user has chosen. */
async function runPlan(plan: CasesPlan, sink: Sink): Promise<void> {
  const { problem, input, wanted, isSingle, output, jobs, timeoutSeconds } = plan;
  // If the input must have a single case, the run also reads a second one, to find out whether there are several.
  const lastCase = wanted?.to ?? (isSingle ? 2 : undefined);
  const job: ExplainJob = { kind: 'explain', firstCase: wanted?.from ?? 1, output };
  const tally = new RunTally();
  const pool = LocalPool.of(problem, { solver: 'auto', job }, { jobs, timeoutSeconds });
  const options = {
    problem,
    settings: PLAIN_SETTINGS,
    // A proof is much longer than its board, so each chunk has only one case.
    chunkBytes: output.printed?.kind === 'json' && output.printed.hasProof ? 1 : null,
    ...(lastCase === undefined ? {} : { lastCase }),
    warn: printError,
    note: printMessage,
  };
  await runWithSignals('finishing the cases that are being explained', printMessage, ({ stop, giveUp }) =>
    withDispatcher(pool, { giveUp, tally, isBarShown: false }, () =>
      withRunSource(input, problem, stop, (source) =>
        solveInput(source, sink, pool, { ...options, stop }, tally),
      ),
    ),
  );
  if (wanted !== null && tally.cases < wanted.to) throw noSuchCaseError(plan, tally.cases);
}

function noSuchCaseError({ input }: CasesPlan, cases: number): BoardmillError {
  return new BoardmillError('usage', `${nameOfInput(input)} has only ${pluralize(cases, 'case')}`);
}

function severalCasesError({ input, output }: CasesPlan): BoardmillError {
  const what = output.hasBoard
    ? 'a page shows one case'
    : '--svg FILE draws one case (a folder takes several)';
  return usageError(`${what}, and ${nameOfInput(input)} has several: --case K chooses one`);
}

function nameOfInput(input: string): string {
  return input === '-' ? 'standard input' : input;
}
