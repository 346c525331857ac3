/** `boardmill census`: counts every case of a problem, for boards size by size. */
import type { OpenedProblem } from '../../catalog/open-problem.js';
import { fileKindOf } from '../../core/files/files.js';
import { followLinks } from '../../core/files/identity.js';
import { formatCount } from '../../core/format-count.js';
import { version } from '../../core/version.js';
import { WHOLE_INPUT } from '../../engine/input/shard.js';
import { limitJobs } from '../../engine/limit-jobs.js';
import { LocalPool } from '../../engine/local-pool.js';
import { openFreshSink, streamSink } from '../../engine/output/open-sink.js';
import type { SettingsFingerprint } from '../../engine/output-settings.js';
import { writeAndFinishSink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import { formatSize, isSizeUnrestricted } from '../../problems/census.js';
import type { Problem } from '../../problems/problem.js';
import { CensusPlan } from '../../tools/census/census-plan.js';
import { censusToJson, censusToText } from '../../tools/census/census-report.js';
import {
  type CensusState,
  createCensusState,
  fingerprintOfSizes,
  printCensusState,
} from '../../tools/census/census-state.js';
import { runCensusSlices } from '../../tools/census/run-census.js';
import type { CommandLineValues, CommandSyntax } from '../arguments/option.js';
import { assertContestHasSet, GRAMMAR_OPTIONS, openProblemArgument } from '../arguments/problem-argument.js';
import * as row from '../arguments/rows.js';
import { SHARD_OPTION } from '../arguments/shard-options.js';
import { assertKernelAvailable, SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';
import { CensusFile } from '../census/census-file.js';
import { EXIT_CODE, notePrinter } from '../exit.js';
import { runWithSignals } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { withDispatcher } from '../with-dispatcher.js';

const { progress, quiet, solver } = SOLVING_OPTIONS;

export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT },
  options: {
    rows: row.rangeOption('number of rows of the boards, or a range such as 2..5'),
    cols: row.rangeOption('number of columns of the boards, or a range such as 2..5'),
    set: row.contestSetOption('count only the cases of a module that are in the set NAME of its contest'),
    output: row.outputOption(
      'file for the counts, as lines of JSON, one for each size (default, and for -: tables on standard output)',
    ),
    json: row.flagOption('print the lines of JSON on standard output in place of the tables', {
      excludes: ['output'],
    }),
    resume: row.flagOption(
      'continue an interrupted census with the same arguments from FILE.census, which it left beside FILE',
      { needs: 'output' },
    ),
    force: row.forceOption('; also count again what is up to date, and start an interrupted census over'),
    shard: {
      ...SHARD_OPTION,
      describe:
        'count only the I-th of N shards, given as I/N, such as 3/8; merge joins the files of all shards',
    },
    jobs: row.THREADS_OPTION,
    progress,
    quiet,
    solver,
    ...GRAMMAR_OPTIONS,
  },
  examples: [
    ['boardmill census bt --rows 1..5 --cols 1..5', 'count all boards of up to 5x5 by nimber and by answer'],
    [
      'boardmill census zu --rows 4 --cols 4 -o zu.json',
      'write the counts into a file; --resume continues it',
    ],
    ['boardmill census bt --rows 6 --cols 7 --shard 3/8 -o 6x7.3', 'count the third of eight shards'],
    ['boardmill merge 6x7.* -o 6x7.json', 'join the counts of all shards'],
  ],
  notes:
    'census counts the cases that `generate --profile all` lists. The counts are the same for any number of workers and shards. A module needs no sizes if it has no grid; a grammar has no solver, so its cases cannot be counted.',
} satisfies CommandSyntax;

type CensusArguments = CommandLineValues<typeof syntax>;

export async function run(args: CensusArguments): Promise<number> {
  const opened = await openProblemArgument(args);
  const { problem } = opened;
  assertCountable(problem, args);
  assertContestHasSet(problem, args.set);
  const file = await findStateFile(args);
  const plan = await CensusPlan.create(problem, args.rows, args.cols, args.solver, args.set);
  const fresh = createCensusState(
    problem,
    plan,
    args.shard ?? WHOLE_INPUT,
    await termsOf(opened, args, plan),
  );
  const { output, force } = args;
  const note = notePrinter(args.quiet);
  if (!force && (await file?.areCountsUpToDate(fresh, args.shard !== null))) {
    await file!.removeLeftover(fresh);
    note(`${output} is up to date`);
    return EXIT_CODE.ok;
  }
  noteLargeSizes(plan, note);
  if (output === null || output === '-') {
    const ended = await countWithPool(opened, plan, fresh, args, null);
    const text = args.json ? censusToJson(ended) : censusToText(ended);
    await streamSink(process.stdout).write(Buffer.from(text), null);
    return EXIT_CODE.ok;
  }
  const origin = { terms: fresh.terms, inputBytes: 0, inputHash: '' };
  const sink = await openFreshSink(output, { kind: 'census', force, origin });
  await writeAndFinishSink(sink, async () => {
    const begun = file?.open(fresh, args) ?? fresh;
    const ended = await countWithPool(opened, plan, begun, args, file);
    const text = args.shard === null ? censusToJson(ended) : printCensusState(ended);
    await sink.write(Buffer.from(text), null);
  });
  await file?.remove();
  return EXIT_CODE.ok;
}

/**
 * Returns the file for the state of the census; null if its output is a stream, which nobody can continue or join. Fails with
 * kind `usage` if such a census is to be continued, or is a shard.
 */
async function findStateFile({ output, shard, resume }: CensusArguments): Promise<CensusFile | null> {
  const isStream = output === null || output === '-' || (await fileKindOf(output, 'create')) === 'special';
  if (!isStream) return new CensusFile(followLinks(output));
  if (shard !== null) throw usageError('--shard needs --output FILE: merge joins the files of all shards');
  if (resume) throw usageError('--resume needs --output FILE: there is no state for a stream');
  return null;
}

/** Fails if the problem has no solver, or if a board game is asked without sizes. */
function assertCountable(problem: Problem, { rows, cols, set, solver }: CensusArguments): void {
  const { name, solvers, reference } = problem;
  if (solvers === null)
    throw usageError(
      `census needs a problem with a solver, and ${name} has none: a grammar describes only the input`,
    );
  if (reference.kind === 'built-in' && (rows === null || cols === null))
    throw usageError('census needs the sizes of the boards: --rows A..B --cols A..B');
  if (reference.kind === 'built-in' && set !== null)
    throw usageError('--set is for modules: --rows and --cols say which boards are counted');
  if (solver === 'simd') assertKernelAvailable(problem);
}

/** From this number of cases on, solving them one by one may take so long that the user should know. */
const MANY_CASES = 5e7;

function noteLargeSizes({ sizes }: CensusPlan, note: (message: string) => void): void {
  for (const size of sizes) {
    const { candidates } = size;
    if (candidates === null || candidates < MANY_CASES) continue;
    const what = isSizeUnrestricted(size) ? 'cases' : `boards of ${formatSize(size)}`;
    note(`the ${formatCount(candidates)} ${what} are solved one by one, which may take very long`);
  }
}

/** What must be the same in all parts of a census. */
async function termsOf(
  { problem, identify }: OpenedProblem,
  { rows, cols, set }: CensusArguments,
  plan: CensusPlan,
): Promise<SettingsFingerprint> {
  return {
    version: version(),
    problem: problem.name,
    ...Object.fromEntries(await identify()),
    '--set': set ?? 'none',
    // With another --solver, slices may be other boards.
    ...fingerprintOfSizes(rows, cols, plan),
  };
}

/** Counts what the state leaves to count, and returns the state after that. Saves states in the file, if there is one. */
async function countWithPool(
  { problem }: OpenedProblem,
  plan: CensusPlan,
  begun: CensusState,
  args: CensusArguments,
  file: CensusFile | null,
): Promise<CensusState> {
  const note = notePrinter(args.quiet);
  const settings = { solver: args.solver, job: { kind: 'census' } } as const;
  const dispatcher = LocalPool.of(problem, settings, { jobs: limitJobs(args.jobs, note) });
  const tally = openTally(begun);
  let last = begun;
  return runWithSignals(
    'finishing the boards that are being counted',
    note,
    ({ stop, giveUp }) =>
      withDispatcher(dispatcher, { giveUp, tally, isBarShown: isBarWanted(args) }, async () => {
        const onState = async (state: CensusState) => {
          last = state;
          tally.cases = casesOf(state);
          tally.answeredBytes = state.done;
          await file?.save(state);
        };
        try {
          return await runCensusSlices({ problem, plan, dispatcher, stop, onState }, begun);
        } catch (error) {
          if (last.done > 0) await file?.save(last, true);
          throw error;
        }
      }),
    { unfinished: 'boards are still being counted', missing: 'them' },
  );
}

/** The progress bar shows slices in place of bytes. */
function openTally(begun: CensusState): RunTally {
  const tally = new RunTally();
  tally.inputBytes = begun.slices;
  tally.resumedBytes = tally.answeredBytes = begun.done;
  tally.resumedCases = tally.cases = casesOf(begun);
  return tally;
}

function casesOf({ totals }: CensusState): number {
  return totals.reduce((sum, { cases }) => sum + cases, 0);
}
