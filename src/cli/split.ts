/** `boardmill split`: an input cut into several. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { BoardmillError, counted, systemReason } from '../core/errors.js';
import { splitEvery } from '../engine/cut.js';
import { removeIfThere } from '../engine/files.js';
import { wereMadeByUs } from '../engine/ledger.js';
import { openFreshSink } from '../engine/write.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
import { complain, EXIT } from './exit.js';
import { parseCountOption, parseProblem, single } from './parse-options.js';
import { withInput } from './with-input.js';

export function options(words: Argv) {
  return words
    .positional('problem', PROBLEM_WORD)
    .positional('input', { type: 'string', default: '-', describe: 'a file; none or - is standard input' })
    .options({
      every: { type: 'string', requiresArg: true, demandOption: true, describe: 'cases a part' },
      dir: {
        type: 'string',
        requiresArg: true,
        demandOption: true,
        describe: 'folder for part-0001.in, part-0002.in, ...; made if missing',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite parts that boardmill did not make',
      },
      quiet: { alias: 'q', type: 'boolean', default: false, describe: 'no summary on standard error' },
    })
    .example('$0 split bt big.in --every 100 --dir parts', 'as many cases a file as the contest allows')
    .epilogue(
      'Each part is a well-formed input. Parts that an earlier split left in the folder are replaced, all of them. At a bad case it ends (exit 3), and the parts before it are there.',
    );
}

export async function run(args: ArgumentsOf<typeof options>): Promise<number> {
  const entry = parseProblem(args.problem);
  const every = parseCountOption('--every', args.every, 1) as number;
  const dir = single('--dir', args.dir) as string;
  const { problem } = await entry.load();
  await withInput(args.input, async (source) => {
    const old = new Set(await partsIn(dir));
    if (!args.force) await refuseForeign(dir, old);
    const { parts, cases } = await splitEvery(source, problem.format, every, (number, most) => {
      const name = partName(number, most);
      old.delete(name);
      return openFreshSink(join(dir, name), { force: args.force });
    });
    await removeStale(dir, old);
    if (!args.quiet) complain(`${counted(cases, 'case')} in ${counted(parts, 'part')}`);
  });
  return EXIT.ok;
}

const PART = /^part-\d+\.in$/;
const LEAST_DIGITS = 4;

/** Names that sort as their numbers do. */
function partName(number: number, most: number): string {
  const digits = Math.max(LEAST_DIGITS, String(most).length);
  return `part-${String(number).padStart(digits, '0')}.in`;
}

async function partsIn(dir: string): Promise<string[]> {
  try {
    await mkdir(dir, { recursive: true });
    return (await readdir(dir)).filter((name) => PART.test(name));
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${dir}: ${systemReason(error)}`, { cause: error });
  }
}

/** Before anything is read: parts of two splits in one folder would be taken for one. */
async function refuseForeign(dir: string, parts: ReadonlySet<string>): Promise<void> {
  for (const name of parts) {
    if (await wereMadeByUs(join(dir, name))) continue;
    const file = join(dir, name);
    throw new BoardmillError('file', `${file} exists and boardmill did not make it; --force overwrites it`);
  }
}

/** Parts of an earlier split that this one had no part to replace with. */
async function removeStale(dir: string, stale: ReadonlySet<string>): Promise<void> {
  for (const name of stale) {
    const file = join(dir, name);
    if (await wereMadeByUs(file)) await removeIfThere(file);
    else complain(`${file} is no part of this split; it was left as it is`);
  }
}
