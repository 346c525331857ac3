/** `boardmill split`: an input cut into several. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { pluralize } from '../../core/errors.js';
import { fileError, removeIfThere } from '../../core/files.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { assertReplaceable, mayReplace } from '../../engine/output/ledger.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { splitIntoParts } from '../../engine/tools/extract.js';
import { parseCountOption, parseFileOption, parseProblem } from '../arguments/parse-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage } from '../exit.js';
import { INPUT_ENDING } from '../inputs/expand-inputs.js';
import { withInput } from '../inputs/with-input.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', { type: 'string', default: '-', describe: 'a file; none or - is standard input' })
    .options({
      every: { type: 'string', requiresArg: true, demandOption: true, describe: 'number of cases per part' },
      dir: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'folder for part-0001.in, part-0002.in, ...; created if missing',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite parts that split did not write',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'print nothing but errors on standard error',
      },
    })
    .epilogue(
      describeExamples([
        ['boardmill split bt big.in --every 100 --dir parts', 'as many cases a file as the contest allows'],
      ]),
    )
    .epilogue(
      'Each part is a well-formed input. All parts that an earlier split left in the folder are replaced or removed, with the answers to removed parts. A bad case ends the run (exit 3); the parts before it are written.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const every = parseCountOption('--every', args.every, 1) as number;
  const dir = parseFileOption('--dir', args.dir, 'a folder') as string;
  const { problem } = await entry.load();
  await withInput(args.input, problem, async (source) => {
    const folder = await PartFolder.open(dir);
    await assertDistinct({
      reads: [{ path: args.input, role: 'input' }],
      writes: folder.parts.map((name) => ({ path: join(dir, name), role: 'part' })),
    });
    if (!args.force) await folder.refuseForeign();
    const { parts, cases } = await splitIntoParts(
      source,
      problem.inputFormat,
      every,
      async (number, most) => {
        await folder.create();
        return openFreshSink(folder.partPath(number, most), { kind: 'part', force: args.force });
      },
    );
    await folder.removeStale();
    if (!args.quiet) printMessage(`${pluralize(cases, 'case')} in ${pluralize(parts, 'part')}`);
  });
  return EXIT.ok;
}

const PART_INPUT = /^part-\d+\.in$/;
/** A part, or what belongs to one: its answers, and what an interrupted run has left of them. */
const PART_FILE = /^(part-\d+)\./;
const LEAST_DIGITS = 4;

/** The folder that parts are written to, and what an earlier split has left in it. */
class PartFolder {
  readonly #dir: string;
  readonly #names: readonly string[];
  readonly #written = new Set<string>();

  private constructor(dir: string, names: readonly string[]) {
    this.#dir = dir;
    this.#names = names;
  }

  static async open(dir: string): Promise<PartFolder> {
    try {
      return new PartFolder(dir, await readdir(dir));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new PartFolder(dir, []);
      throw fileError('create', dir, error);
    }
  }

  /** Called when there is something to write: an input without a good case leaves no folder. */
  async create(): Promise<void> {
    await mkdir(this.#dir, { recursive: true }).catch((error) => {
      throw fileError('create', this.#dir, error);
    });
  }

  /** Names of the parts that were there before. */
  get parts(): string[] {
    return this.#names.filter((name) => PART_INPUT.test(name));
  }

  /** Where part `number` goes; names sort as their numbers do, up to the number `most`. */
  partPath(number: number, most: number): string {
    const digits = Math.max(LEAST_DIGITS, String(most).length);
    const name = `part-${String(number).padStart(digits, '0')}`;
    this.#written.add(name);
    return join(this.#dir, `${name}${INPUT_ENDING}`);
  }

  /** Before anything is read: parts of two splits in one folder would be taken for one. */
  async refuseForeign(): Promise<void> {
    for (const name of this.parts) await assertReplaceable(join(this.#dir, name), 'part');
  }

  /** Removes parts of an earlier split that this one has not replaced, and their answers; keeps what others wrote. */
  async removeStale(): Promise<void> {
    const stale = this.#names.filter((name) => {
      const part = PART_FILE.exec(name)?.[1];
      return part !== undefined && !this.#written.has(part);
    });
    for (const name of stale) {
      const file = join(this.#dir, name);
      const kind = PART_INPUT.test(name) ? 'part' : 'answers';
      if (await mayReplace(file, kind)) await removeIfThere(file);
      else printMessage(`${file} belongs to no part of this split; it was left as it is`);
    }
  }
}
