/** `boardmill generate --dir DIR`: writes inputs that are one case each, `001.in`, `002.in`, ... */

import { join } from 'node:path';
import { formatCommandLine } from '../../core/command-line.js';
import { makeDurableFolders } from '../../core/files/files.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { assertNotStopped } from '../../core/stop.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { assertReplaceable } from '../../engine/output/ledger.js';
import { openSinkAtAutomaticName } from '../../engine/output/open-sink.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import type { Problem } from '../../problems/problem.js';
import { usageError } from '../arguments/usage-error.js';
import { printMessage } from '../exit.js';

/** The largest number of inputs that `generate --dir` writes. More files are useless, and their names are made in advance. */
const MAX_GENERATED_FILES = 100_000;

/** The options that name the place of the generated inputs. */
export interface GeneratedFilesOptions {
  readonly dir: string | null;
  readonly force: boolean;
  readonly quiet: boolean;
}

/** The smallest number of digits in the name of a file. */
const MIN_FILE_DIGITS = 3;

/** Returns the folder of `--dir`; null without `--dir`. Fails if inputs of the problem can have more than one case. */
export function chooseFolder({ inputFormat, name }: Problem, { dir }: GeneratedFilesOptions): string | null {
  if (dir !== null && inputFormat.ending !== 'single')
    throw usageError(`--dir is for inputs of one case; an input of ${name} takes all cases: use -o FILE`);
  return dir;
}

/** Fails if several inputs would have to go into one file. `given` has the other words of the command. */
export function assertOneInput(
  { inputFormat, name, words }: Problem,
  cases: number,
  given: readonly string[],
): void {
  if (inputFormat.ending !== 'single' || cases === 1) return;
  const command = formatCommandLine(['generate', ...words, '--cases', String(cases), ...given]);
  throw usageError(
    `--cases ${cases}: an input of ${name} is one case; to write ${cases} files: boardmill ${command} --dir DIR`,
  );
}

/** Writes each input to a file of its own. If one of the files must not be replaced, writes nothing. */
export async function writeInputs(
  inputs: AsyncIterable<Uint8Array>,
  count: number,
  folder: string,
  { force, quiet }: GeneratedFilesOptions,
  stop: AbortSignal,
): Promise<void> {
  if (count > MAX_GENERATED_FILES)
    throw usageError(
      `--dir takes at most ${formatCount(MAX_GENERATED_FILES)} inputs, got ${formatCount(count)}`,
    );
  const digits = Math.max(MIN_FILE_DIGITS, String(count).length);
  const pathOf = (number: number) => join(folder, String(number).padStart(digits, '0') + INPUT_ENDING);
  const paths = Array.from({ length: count }, (_, index) => pathOf(index + 1));
  if (!force) for (const path of paths) await assertReplaceable(path, 'generated input');
  await makeDurableFolders(folder);
  let written = 0;
  for await (const input of inputs) {
    assertNotStopped(stop);
    const sink = await openSinkAtAutomaticName(paths[written++], { kind: 'generated input', force });
    await writeAndFinishSink(sink, () => sink.write(input, null));
  }
  if (!quiet) printMessage(`${formatQuantity(written, 'input')} in ${folder}`);
}
