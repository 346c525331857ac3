/** `boardmill generate`: makes an input. */
import { randomInt } from 'node:crypto';
import type { Argv } from 'yargs';
import { Interrupted } from '../../core/errors.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { openFreshSink } from '../../engine/output/open-sink.js';
import { type BoardRequest, generateInput } from '../../engine/tools/generate.js';
import { PROFILES } from '../../problems/problem.js';
import { PROBLEMS } from '../../problems/registry.js';
import {
  parseCountOption,
  parseOutputOption,
  parseProblem,
  parseRangeOption,
  parseShare,
  parseSingle,
  usageError,
} from '../arguments/parse-options.js';
import { type ArgumentsOf, describeExamples, PROBLEM_WORD } from '../command.js';
import { EXIT, printMessage } from '../exit.js';
import { stopOnSignal } from '../signals.js';

export function options(command: Argv) {
  return command
    .positional('problem', PROBLEM_WORD)
    .options({
      cases: {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'number of cases to generate, such as 250 or 1e6',
      },
      seed: {
        type: 'string',
        requiresArg: true,
        describe:
          'any text; the same seed gives the same bytes on every machine (default: random, and printed)',
      },
      profile: {
        choices: PROFILES,
        default: 'random' as const,
        describe:
          'tiny: every shape up to 4x4; random: all sizes and densities; contest-max: the largest boards of the contest; hard: boards that take long, found by search',
      },
      rows: {
        type: 'string',
        requiresArg: true,
        describe:
          "A..B: range of the number of rows; may exceed the contest's limits (default: set by the profile)",
      },
      cols: { type: 'string', requiresArg: true, describe: 'A..B: the same for columns' },
      density: {
        type: 'string',
        requiresArg: true,
        describe: `share from 0 to 1: ${describeDensities()} (default: mixed)`,
      },
      output: {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'file for the input (default: standard output)',
      },
      force: {
        alias: 'f',
        type: 'boolean',
        default: false,
        describe: 'overwrite a file that generate did not write',
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
        ['boardmill generate bt --cases 100 --seed 7 -o small.in', 'a hundred boards of all sizes'],
        ['boardmill generate zu --cases 10 --seed 7 --profile hard', 'long forced wins'],
        ['boardmill generate darkraft --cases 1000 --seed a --rows 40 --cols 1..40', 'past the contest'],
      ]),
    );
}

/** The meaning of the density in each problem; problems with the same meaning together. */
function describeDensities(): string {
  const meanings = [...new Set(PROBLEMS.map(({ whatDensityCounts }) => whatDensityCounts))];
  return meanings
    .map((meaning) => {
      const names = PROBLEMS.filter(({ whatDensityCounts }) => whatDensityCounts === meaning).map(
        ({ name }) => name,
      );
      return `of ${meaning} (${names.join(', ')})`;
    })
    .join(', ');
}

type GenerateArguments = ArgumentsOf<typeof options>;

export async function run(args: GenerateArguments): Promise<number> {
  const entry = parseProblem(args.problem);
  const cases = parseCountOption('--cases', args.cases, 0) as number;
  const request: BoardRequest = {
    problem: (await entry.load()).problem,
    profile: args.profile as BoardRequest['profile'],
    rows: parseRangeOption('--rows', args.rows, 1) ?? null,
    cols: parseRangeOption('--cols', args.cols, 1) ?? null,
    density: parseDensity(args),
    // Last: what is wrong comes before the seed that would repeat it.
    seed: chooseSeed(args),
  };
  if (cases === 0 && request.problem.inputFormat.requiresCase) {
    throw usageError(`--cases 0: an input of ${request.problem.name} has at least one case`);
  }
  await write(generateInput(request, cases), args);
  return EXIT.ok;
}

/** A drawn seed is told, so that the run can be repeated. */
function chooseSeed(args: GenerateArguments): string {
  const given = parseSingle('--seed', args.seed);
  if (given !== undefined) return given;
  const drawn = String(randomInt(2 ** 32));
  if (!args.quiet) printMessage(`random seed ${drawn} (repeat with --seed ${drawn})`);
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
  const output = parseOutputOption(args.output) ?? '-';
  await assertDistinct({ reads: [], writes: [{ path: output, role: 'output' }] });
  const signals = stopOnSignal();
  const sink = await openFreshSink(output, { kind: 'generated input', force: args.force });
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
