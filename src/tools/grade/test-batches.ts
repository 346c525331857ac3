/** Reads the tests that are graded, in batches of as many cases as one run of a program gets. */
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import type { Source } from '../../engine/input/source.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { splitAtOffsets } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { GoodCaseReader } from '../cases/extract.js';
import type { CasesAsBytes } from '../stress/shrink.js';

/** Consecutive cases of a test. */
export interface TestBatch {
  /** The path of the test. */
  readonly input: string;
  /** The number of the first case in the test. */
  readonly firstCase: number;
  readonly head: InputHeadOfTask;
  readonly cases: CasesAsBytes;
}

/** Reads a test. Fails with a CaseError of kind `input` at its first invalid case. */
export async function readTestBatches(
  source: Source,
  { inputFormat }: Problem,
  casesPerRun: number,
): Promise<TestBatch[]> {
  const reader = new GoodCaseReader(source, inputFormat);
  const cases: Uint8Array[] = [];
  for await (const { bytes, starts } of reader.readCases())
    cases.push(...splitAtOffsets(bytes.slice(), starts));
  const head = copyHeadToSharedMemory(reader.head);
  const batches: TestBatch[] = [];
  for (let at = 0; at < cases.length; at += casesPerRun)
    batches.push({
      input: source.name,
      firstCase: at + 1,
      head,
      cases: cases.slice(at, at + casesPerRun),
    });
  return batches;
}
