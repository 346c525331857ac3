/** Checks the files that `explain` would write, before it starts. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { assertDistinctFiles, type UsedFile } from '../../engine/output/distinct-files.js';
import { assertReplaceable } from '../../engine/output/ledger.js';
import { filesOfReports } from '../../engine/output/report-file.js';
import type { ExplainPlan } from './plan.js';

/** Returns the name of the drawing of a case in a folder of drawings. */
export function drawingName(caseNumber: number): string {
  return `case-${caseNumber}.svg`;
}

const DRAWING_NAME = /^case-([1-9]\d*)\.svg$/;

/**
 * Fails if a file that the plan would write is its input or another of its files, or is in a folder of drawings and not a
 * drawing that `explain` may replace. This opens no file.
 */
export async function assertFilesUsable(plan: ExplainPlan): Promise<void> {
  const drawings = plan.folder === null ? [] : await drawingsInFolder(plan, plan.folder);
  assertDistinctFiles({
    reads: [{ path: plan.input, role: 'input' }],
    writes: [...filesOfReports(plan.reports), ...drawings],
  });
  if (plan.force) return;
  for (const { path } of drawings) await assertReplaceable(path, 'drawing');
}

/** Returns the entries of the folder that have the names of the drawings to be written. */
async function drawingsInFolder({ wanted }: ExplainPlan, folder: string): Promise<UsedFile[]> {
  const { from, to } = wanted ?? { from: 1, to: Number.POSITIVE_INFINITY };
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.filter(({ name }) => {
    const number = Number(DRAWING_NAME.exec(name)?.[1]);
    return number >= from && number <= to;
  });
  for (const entry of found) {
    if (entry.isDirectory())
      throw new BoardmillError('file', `cannot create ${join(folder, entry.name)}: it is a directory`);
  }
  return found.map(({ name }) => ({ path: join(folder, name), role: 'drawing' }));
}
