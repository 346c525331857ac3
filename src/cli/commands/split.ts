/** `boardmill split`: splits an input into several smaller inputs, which are called parts. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError, makeDurableFolders, removeFileIfThere } from '../../core/files/files.js';
import { formatQuantity } from '../../core/format-count.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { assertReplaceable, mayReplaceFile } from '../../engine/output/ledger.js';
import { openSinkAtAutomaticName } from '../../engine/output/open-sink.js';
import { splitIntoParts } from '../../tools/cases/extract.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { namedOrStandardInput, withInput } from '../inputs/with-input.js';

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, input: row.INPUT_ARGUMENT },
  options: {
    every: row.requiredOption(row.countOption(1, 'number of cases in each part')),
    dir: row.requiredOption(
      row.folderOption(
        'folder for the parts part-0001.in, part-0002.in, ...; split creates the folder if necessary',
      ),
    ),
    force: row.forceOption(),
    quiet: row.QUIET_OPTION,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill split bt big.in --every 100 --dir parts', 'write parts of 100 cases to the folder parts'],
  ],
  notes:
    'Each part is a well-formed input. Parts that an earlier split wrote to the folder are replaced or removed; the answers to removed parts are removed too. An invalid case ends the run with exit code 3; the parts before that case are written.',
} satisfies CommandSyntax;

export async function run(args: CommandLineValues<typeof syntax>): Promise<number> {
  const chosen = await openProblemArgument(args);
  const { problem } = chosen;
  const every = args.every;
  const dir = args.dir;
  const input = namedOrStandardInput(args.input);
  await withInput(input, problem, async (source) => {
    const folder = await PartFolder.open(dir);
    assertDistinctFiles({
      reads: [{ path: input, role: 'input' }],
      writes: folder.existingParts.map((name) => ({ path: join(dir, name), role: 'part' })),
    });
    if (!args.force) await folder.assertPartsReplaceable();
    const { parts, cases } = await splitIntoParts(
      source,
      problem.inputFormat,
      every,
      async (number, largestNumber) => {
        await folder.create();
        return openSinkAtAutomaticName(folder.partPath(number, largestNumber), {
          kind: 'part',
          force: args.force,
        });
      },
    );
    await folder.removeStale();
    if (!args.quiet) printMessage(`${formatQuantity(cases, 'case')} in ${formatQuantity(parts, 'part')}`);
  });
  return EXIT_CODE.ok;
}

/** The name of a part. */
const PART_NAME_PATTERN = /^part-\d+\.in$/;
/** Matches the names of all files that belong to a part: the part itself, its answers, or what an interrupted run has left. */
const PART_FILE_PATTERN = /^(part-\d+)\./;
/** The smallest number of digits in the name of a part. */
const MIN_PART_DIGITS = 4;

/** The folder for the parts, and the files in it that an earlier split has written. */
class PartFolder {
  readonly #dir: string;
  readonly #existingNames: readonly string[];
  readonly #writtenPartNames = new Set<string>();

  private constructor(dir: string, names: readonly string[]) {
    this.#dir = dir;
    this.#existingNames = names;
  }

  static async open(dir: string): Promise<PartFolder> {
    try {
      return new PartFolder(dir, await readdir(dir));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new PartFolder(dir, []);
      throw fileError('create', dir, error);
    }
  }

  /**
   * Creates the folder if it does not exist. Called before the first part, so that an input without valid cases leaves no
   * folder.
   */
  async create(): Promise<void> {
    await makeDurableFolders(this.#dir);
  }

  /** The names of the parts that were in the folder before this split. */
  get existingParts(): string[] {
    return this.#existingNames.filter((name) => PART_NAME_PATTERN.test(name));
  }

  /**
   * Returns the path of a part. All names of parts up to `largestNumber` have the same length, so sorting them keeps their
   * order.
   */
  partPath(number: number, largestNumber: number): string {
    const digits = Math.max(MIN_PART_DIGITS, String(largestNumber).length);
    const name = `part-${String(number).padStart(digits, '0')}`;
    this.#writtenPartNames.add(name);
    return join(this.#dir, `${name}${INPUT_ENDING}`);
  }

  /**
   * Fails if one of the existing parts was not written by `split`. Otherwise the folder would contain parts of two inputs that
   * look like the parts of one input.
   */
  async assertPartsReplaceable(): Promise<void> {
    for (const name of this.existingParts) await assertReplaceable(join(this.#dir, name), 'part');
  }

  /**
   * Removes the parts of an earlier split that this split did not replace, and the answers to these parts. Files that boardmill
   * did not write are not removed.
   */
  async removeStale(): Promise<void> {
    const stale = this.#existingNames.filter((name) => {
      const part = PART_FILE_PATTERN.exec(name)?.[1];
      return part !== undefined && !this.#writtenPartNames.has(part);
    });
    for (const name of stale) {
      const file = join(this.#dir, name);
      const kind = PART_NAME_PATTERN.test(name) ? 'part' : 'answers';
      if (await mayReplaceFile(file, kind)) await removeFileIfThere(file);
      else
        printMessage(
          `${file} belongs to no part of this split, but boardmill did not write it, so it was kept`,
        );
    }
  }
}
