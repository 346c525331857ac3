/** `boardmill generate`: makes an input. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { Interrupted } from '../core/errors.js';
import { type BoardRequest, generateInput } from '../engine/generate.js';
import { openFreshSink } from '../engine/write.js';
import { PROFILES } from '../problems/problem.js';
import { type ArgumentsOf, PROBLEM_WORD } from './command.js';
import { complain, EXIT } from './exit.js';
import {
  parseCountOption,
  parseProblem,
  parseRangeOption,
  parseShare,
  single,
  usageError,
} from './parse-options.js';
import { stopOnSignal } from './signals.js';

export function options(command: Argv) {
  return command
    .positional('problem', PROBLEM_WORD)
    .options({
      cases: {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'how many',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe: 'any text: the same seed, the same bytes, on every machine (default: drawn, and told)',
      },
      profile: {
        choices: PROFILES,
        default: 'random' as const,
        describe: 'every shape up to 4x4; all sizes and densities; the largest boards; found by search',
      },
      rows: {
        type: 'string',
        requiresArg: true,
        describe: 'A..B: sizes to draw from, past the contest too (default: as the profile has it)',
      },
      cols: { type: 'string', requiresArg: true, describe: 'the same for columns' },
      density: {
        type: 'string',
        requiresArg: true,
        describe: '0 to 1: radioactive cells, cells with X, blocks that move, obstacles (default: mixed)',
      },
      output: { alias: 'o', type: 'string', requiresArg: true, describe: 'file, - is standard output' },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite a file that boardmill did not make',
      },
      quiet: {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'nothing but errors on standard error',
      },
    })
    .example('$0 generate bt --cases 100 --seed 7 -o small.in', 'a hundred boards of all sizes')
    .example('$0 generate zu --cases 10 --seed 7 --profile hard', 'long forced wins')
    .example('$0 generate darkraft --cases 1000 --seed a --rows 40 --cols 1..40', 'past the contest');
}

type GenerateArguments = ArgumentsOf<typeof options>;

export async function run(args: GenerateArguments): Promise<number> {
  const entry = parseProblem(args.problem);
  const cases = parseCountOption('--cases', args.cases, 1) as number;
  const request: BoardRequest = {
    problem: (await entry.load()).problem,
    seed: chooseSeed(args),
    profile: args.profile as BoardRequest['profile'],
    rows: parseRangeOption('--rows', args.rows, 1) ?? null,
    cols: parseRangeOption('--cols', args.cols, 1) ?? null,
    density: parseDensity(args),
  };
  await write(generateInput(request, cases), args);
  return EXIT.ok;
}

/** A drawn seed is told, so that the run can be repeated. */
function chooseSeed(args: GenerateArguments): string {
  const given = single('--seed', args.seed);
  if (given !== undefined) return given;
  const drawn = String(randomInt(2 ** 32));
  if (!args.quiet) complain(`drew --seed ${drawn}`);
  return drawn;
}

function parseDensity(args: GenerateArguments): number | null {
  const density = parseShare('--density', args.density) ?? null;
  if (density !== null && args.profile === 'hard') {
    throw usageError('--density means nothing to --profile hard: its boards are found by search');
  }
  return density;
}

async function write(pieces: Iterable<Uint8Array>, args: GenerateArguments): Promise<void> {
  const signals = stopOnSignal();
  const sink = await openFreshSink(single('--output', args.output) ?? '-', { force: args.force });
  try {
    for (const piece of pieces) {
      await sink.write(piece, null);
      if (signals.stop.aborted)
        throw new Interrupted(signals.stop.reason, `stopped by ${signals.stop.reason}`);
    }
  } catch (error) {
    await sink.abandon();
    throw error;
  } finally {
    signals.release();
  }
  await sink.finish();
}
