/** The common code of all ways to generate an input: checks, and writing the input. */
import { assertNotStopped } from '../../core/stop.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import type { CaseCountBounds } from '../../formats/tree/case-count.js';
import type { Problem } from '../../problems/problem.js';
import { usageError } from '../arguments/usage-error.js';

/** The options of `generate` for its output. */
export interface GenerateOutputOptions {
  readonly output: string | null;
  readonly force: boolean;
}

/** Fails if an input of the problem cannot have this number of cases. `what` says in messages where the number comes from. */
export function assertCaseCountPossible(
  { name, inputFormat }: Problem,
  cases: number,
  bounds: CaseCountBounds | undefined,
  what: string,
): void {
  if (cases === 0 && inputFormat.ending === 'until-end') {
    throw usageError(`${what}: an input of ${name} must have at least one case`);
  }
  if (cases !== 1 && inputFormat.ending === 'single') {
    throw usageError(`${what}: an input of ${name} is one case`);
  }
  const { min = null, max = null } = bounds ?? {};
  if (cases >= (min ?? 0) && cases <= (max ?? cases)) return;
  const allowed = max === null ? `at least ${min}` : `${min ?? 0} to ${max}`;
  throw usageError(`${what}: an input of ${name} has ${allowed} cases`);
}

/** Writes the generated input piece by piece to `--output`. Stops at the first signal. */
export async function writeInput(
  pieces: AsyncIterable<Uint8Array>,
  args: GenerateOutputOptions,
  stop: AbortSignal,
): Promise<void> {
  const output = args.output ?? '-';
  assertDistinctFiles({ reads: [], writes: [{ path: output, role: 'output' }] });
  const sink = await openFreshSink(output, { kind: 'generated input', force: args.force }, stop);
  await writeAndFinishSink(sink, async () => {
    for await (const piece of pieces) {
      await sink.write(piece, null);
      assertNotStopped(stop);
    }
  });
}
