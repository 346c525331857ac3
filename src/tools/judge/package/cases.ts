/** Finds out which cases of a data file a submission fails: runs it on each case alone. */
import { join } from 'node:path';
import { writeInternalFile } from '../../../core/files/files.js';
import { assertNotStopped } from '../../../core/stop.js';
import type { Verdict } from '../../../engine/verdict.js';
import type { RunFolders } from './programs/run-program.js';
import type { DataFile } from './read/test-data.js';
import type { RunTimeUsage } from './time-limit.js';

/** One case of a data file, as an input of its own, with the right answer to the case. */
export interface CaseAsInput {
  /** The number of the case in the file, from 1. */
  readonly caseNumber: number;
  readonly input: Uint8Array;
  readonly answer: Uint8Array;
}

/**
 * Cuts a data file into its cases, which are read one after another. Returns null if the file cannot be cut, for example
 * because its answer file does not have an answer for each case.
 */
export type CaseCutter = (file: DataFile) => Promise<AsyncIterable<CaseAsInput> | null>;

/** The verdict on a run of a submission. */
export interface CaseVerdict extends RunTimeUsage {
  readonly verdict: Verdict;
  /** Why the output is wrong or how the run failed; null if there is no such message. */
  readonly message: string | null;
  /** The digest of the tokens of the output; null if the run failed, because how much it has printed may then be chance. */
  readonly outputDigest: string | null;
}

export interface CaseReport extends CaseVerdict {
  readonly caseNumber: number;
  readonly inputBytes: number;
}

/** Judges each case of a data file with `judge`, which gets the case as a data file of its own. */
export async function judgeCases(
  cutCases: CaseCutter,
  file: DataFile,
  runFolders: RunFolders,
  stop: AbortSignal,
  judge: (file: DataFile) => Promise<CaseVerdict>,
): Promise<CaseReport[] | null> {
  const cases = await cutCases(file);
  if (cases === null) return null;
  const reports: CaseReport[] = [];
  for await (const { caseNumber, input, answer } of cases) {
    assertNotStopped(stop);
    const verdict = await runFolders.withFolder((folder) => {
      const [inputPath, answerPath] = [join(folder, 'case.in'), join(folder, 'case.ans')];
      writeInternalFile(inputPath, input);
      writeInternalFile(answerPath, answer);
      return judge({ ...file, name: `${file.name}, case ${caseNumber}`, inputPath, answerPath });
    });
    reports.push({ caseNumber, inputBytes: input.length, ...verdict });
  }
  return reports;
}
