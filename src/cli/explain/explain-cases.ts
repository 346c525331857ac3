/** Explains the cases of an input with a pool of workers, and puts the explanations where the user wants them. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { fileError } from '../../core/files.js';
import { INSTALLATION } from '../../core/installation.js';
import { LocalPool } from '../../engine/local-pool.js';
import { assertReplaceable } from '../../engine/output/ledger.js';
import { streamSink } from '../../engine/output/open-sink.js';
import { type ExplainSettings, PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { run as runEngine } from '../../engine/run.js';
import type { Sink } from '../../engine/sink.js';
import { Tally } from '../../engine/tally.js';
import { usageError } from '../arguments/parse-options.js';
import { printMessage } from '../exit.js';
import { withRunSource } from '../inputs/run-source.js';
import { openReportFile } from '../report-file.js';
import { stopOnSignal } from '../signals.js';
import type { CasesPlan, ExplainPlan } from './plan.js';
import { recordSink } from './record-sink.js';

const EXPLAIN_WORKER = new URL('workers/explain-chunk.js', INSTALLATION).href;

/** What a worker returns about a case for a drawing or a page. */
interface CaseRecord {
  readonly case: number;
  readonly svg?: string;
  readonly board?: readonly string[];
}

export async function explainCases(plan: ExplainPlan): Promise<void> {
  const { target } = plan;
  if (target.kind === 'stdout') return runPlan(plan, streamSink(process.stdout));
  if (target.kind === 'page' || target.kind === 'drawing') return explainSingleCase(plan, target);
  await assertDrawingsReplaceable(plan, target.path);
  await runPlan(
    plan,
    recordSink<CaseRecord>((record) => saveInFolder(plan, target.path, record)),
  );
}

/** Fails with kind `file` if the folder has a file that is no drawing, under the name of the drawing of a wanted case. */
async function assertDrawingsReplaceable({ wanted, force }: ExplainPlan, folder: string): Promise<void> {
  if (force) return;
  const { from, to } = wanted ?? { from: 1, to: Number.POSITIVE_INFINITY };
  for (const name of await readdir(folder).catch(() => [])) {
    const number = Number(DRAWING_NAME.exec(name)?.[1]);
    if (number >= from && number <= to) await assertReplaceable(join(folder, name), 'drawing');
  }
}

/** The names of the files in a folder of drawings. */
const DRAWING_NAME = /^case-([1-9]\d*)\.svg$/;

/** Writes the page or the drawing of one case to a file. */
async function explainSingleCase(
  plan: ExplainPlan,
  { kind, path }: { readonly kind: 'page' | 'drawing'; readonly path: string },
): Promise<void> {
  const file = await openReportFile(path, kind, plan.force);
  try {
    const record = await explainOnlyCase(plan);
    await file.write(kind === 'drawing' ? record.svg! : await makePage(plan, record));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Returns the page of the only case that the plan is about. */
export async function pageOfCase(plan: CasesPlan): Promise<string> {
  return makePage(plan, await explainOnlyCase(plan));
}

/** Returns the record of the only case that the plan is about. Fails with kind `usage` if there are several, or none. */
async function explainOnlyCase(plan: CasesPlan): Promise<CaseRecord> {
  const records: CaseRecord[] = [];
  const sink = recordSink<CaseRecord>(async (record) => {
    records.push(record);
    if (records.length > 1) throw severalCasesError(plan);
  });
  await runPlan(plan, sink);
  if (records.length === 0) throw noSuchCaseError(plan, 0);
  return records[0];
}

async function makePage(
  { problem, input }: CasesPlan,
  { case: caseNumber, board }: CaseRecord,
): Promise<string> {
  const { renderPlayPage } = await import('../../page-file/render.js');
  const title = `${problem.name}, case ${caseNumber} of ${nameOfInput(input)}`;
  return renderPlayPage({ problem: problem.name, rows: board!, caseNumber, title });
}

/** Writes the drawing of a case to a file in the folder, which is made if it does not exist. */
async function saveInFolder({ force }: ExplainPlan, folder: string, record: CaseRecord): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw fileError('create', folder, error);
  });
  const file = await openReportFile(join(folder, `case-${record.case}.svg`), 'drawing', force);
  await file.write(record.svg!);
}

/** Runs the engine over the input up to the last case that the user wants. */
async function runPlan(plan: CasesPlan, sink: Sink): Promise<void> {
  const { problem, input, wanted, isSingle, output, jobs, timeoutSeconds } = plan;
  // If a single case is wanted, the second one is read too, to find out that there are several.
  const lastCase = wanted?.to ?? (isSingle ? 2 : undefined);
  const settings: ExplainSettings = {
    problem: problem.reference,
    solver: 'auto',
    firstCase: wanted?.from ?? 1,
    output,
  };
  const tally = new Tally();
  const signals = stopOnSignal();
  const pool = new LocalPool(settings, { jobs, timeoutSeconds, workerFile: EXPLAIN_WORKER });
  const options = {
    problem,
    settings: PLAIN_SETTINGS,
    // Proofs are much longer than their boards, so each chunk is a single case.
    chunkBytes: output.kind === 'json' && output.hasProof ? 1 : null,
    ...(lastCase === undefined ? {} : { lastCase }),
    jobs,
    retries: 1,
    warn: printMessage,
    stop: signals.stop,
  };
  try {
    await withRunSource(input, problem, signals.stop, (source) =>
      runEngine(source, sink, pool, options, tally),
    );
  } finally {
    signals.release();
    await pool.close();
  }
  if (wanted !== null && tally.cases < wanted.to) throw noSuchCaseError(plan, tally.cases);
}

function noSuchCaseError({ input }: CasesPlan, cases: number): BoardmillError {
  return new BoardmillError('usage', `${nameOfInput(input)} has only ${pluralize(cases, 'case')}`);
}

function severalCasesError({ input, output }: CasesPlan): BoardmillError {
  const what =
    output.kind === 'board' ? 'a page shows one case' : '--svg FILE draws one case (a folder takes several)';
  return usageError(`${what}, and ${nameOfInput(input)} has several: --case K chooses one`);
}

function nameOfInput(input: string): string {
  return input === '-' ? 'standard input' : input;
}
