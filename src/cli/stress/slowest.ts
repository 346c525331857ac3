/** Searches for the case on which a program takes longest (`stress --slowest`). */

import { formatCommandLine } from '../../core/command-line.js';
import { Deadline } from '../../core/deadline.js';
import { BoardmillError, Interrupted, type StopSignal } from '../../core/errors.js';
import { formatCount, formatQuantity } from '../../core/format-count.js';
import { escapeLines, escapeUnprintable } from '../../core/printable.js';
import { assertNotStopped, type GracefulStop } from '../../core/stop.js';
import { ExternalSolver } from '../../engine/exec/external-solver.js';
import { prepareProgram } from '../../engine/exec/sandbox.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { assembleInput } from '../../formats/assemble-input.js';
import { formatSeconds, formatSignificant } from '../../tools/bench/numbers.js';
import { type SlowestCaseSearchResult, searchSlowestCase } from '../../tools/bench/slow-search.js';
import { type CaseWithHead, ProgramStopwatch } from '../../tools/bench/stopwatch.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { LargestSizeTracker } from '../../tools/cases/case-sizes.js';
import { type StressPlan, stressFileStem } from '../../tools/stress/plan.js';
import { assertWritable, saveFile } from '../../tools/stress/regression-cases.js';
import { describeLargestSizes } from '../../tools/stress/report.js';
import { openSlowSearchCases } from '../../tools/stress/slow-cases.js';
import { EXIT_CODE, printMessage } from '../exit.js';
import { isBarWanted } from '../status/progress.js';
import { joinFitting } from '../status/status-text.js';
import { clearStatus, showStatus } from '../status/terminal.js';

function slowFile(plan: StressPlan): string {
  return `${stressFileStem('slowest', plan)}${INPUT_ENDING}`;
}

/** Fails if the file for the slowest case would replace a file that `stress` did not write. */
export async function assertSlowFileReplaceable(plan: StressPlan): Promise<void> {
  await assertWritable(plan, [slowFile(plan)], 'slow case');
}

/** Runs the search, saves the slowest case, reports its time, and returns the exit code. */
export async function runSlowestCaseSearch(
  plan: StressPlan,
  { stop, giveUp }: GracefulStop,
): Promise<number> {
  const deadline = new Deadline(plan.seconds, stop);
  const stopwatch = await openStopwatch(plan, deadline);
  giveUp.addEventListener('abort', () => stopwatch.giveUp());
  const result = await search(plan, stopwatch, deadline);
  const { slowest, crashes, crashReason, rounds } = result;
  const crashed = `the program ${crashReason} on ${formatQuantity(crashes, 'case')}`;
  if (slowest === null) {
    assertNotStopped(stop);
    const early = `the search of ${plan.seconds} s ended before a case was timed; give it more with --time`;
    throw new BoardmillError('worker', crashes === 0 ? early : `${crashed}, and no other case was timed`);
  }
  if (crashes > 0 && !plan.quiet) printMessage(`${crashed}; stress without --slowest finds such cases`);
  const { inputFormat } = plan.problem;
  await saveFile(
    slowFile(plan),
    assembleInput(inputFormat, [slowest.bytes], slowest.head.bytes),
    'slow case',
  );
  process.stdout.write(escapeLines(describe(plan, result, stopwatch.startUpSeconds)));
  if (stop.aborted)
    throw new Interrupted(stop.reason as StopSignal, `stopped after ${formatQuantity(rounds, 'round')}`);
  return EXIT_CODE.ok;
}

async function openStopwatch(
  { problem, argv, sandbox, casesPerRun, timeoutSeconds, jobs }: StressPlan,
  deadline: Deadline,
): Promise<ProgramStopwatch> {
  // Checks that the program can be run, and that a single case can be an input.
  const solver = await ExternalSolver.open({ problem, argv, sandbox, jobs, casesPerRun, timeoutSeconds });
  await solver.close();
  const prepared = await prepareProgram(argv, sandbox);
  return new ProgramStopwatch({ problem, ...prepared, maxCopies: casesPerRun, timeoutSeconds, deadline });
}

async function search(
  plan: StressPlan,
  stopwatch: ProgramStopwatch,
  deadline: Deadline,
): Promise<SlowestCaseSearchResult> {
  const author = new AuthorFunctionPool(plan.problem, 1, plan.timeoutSeconds);
  const isShown = isBarWanted({ quiet: plan.quiet, progress: true });
  const cases = await openSlowSearchCases(plan, author);
  try {
    return await searchSlowestCase({
      problem: plan.problem,
      stopwatch,
      ...cases,
      tiny: await cases.drawTiny(),
      isValid: async ({ head, bytes }) => (await author.findInvalid(head, [bytes]))[0] === null,
      seed: plan.seed,
      rounds: plan.rounds,
      searchSeconds: plan.seconds,
      deadline,
      onRound: (round, seconds) => {
        if (isShown) showStatus((columns) => [formatStatus(round, seconds, columns)]);
      },
    });
  } finally {
    clearStatus();
    stopwatch.close();
    cases.close();
    await author.close();
  }
}

function formatStatus(round: number, seconds: number, width: number): string {
  const slowest = seconds < 0 ? [] : [` | slowest case ${formatSeconds(seconds)}`];
  return joinFitting([` round ${formatCount(round)}`, ...slowest], width);
}

function describe(plan: StressPlan, result: SlowestCaseSearchResult, startUpSeconds: number): string {
  const { slowest, rounds } = result;
  const file = slowFile(plan);
  const size = sizeOf(plan, slowest as CaseWithHead);
  const isStartUpKnown = startUpSeconds > 0;
  return [
    `slowest case: ${describeTimes(result)}`,
    [...size, formatQuantity(rounds, 'round'), `seed ${plan.seed}`].join(', '),
    ...(isStartUpKnown
      ? [`times are medians of several runs, without the start-up of ${formatSeconds(startUpSeconds)}`]
      : []),
    `saved ${file}; repeat with:`,
    `  time ${escapeUnprintable(formatCommandLine(plan.argv))} < ${formatCommandLine([file])}`,
    '',
  ].join('\n');
}

function sizeOf({ problem }: StressPlan, { head, bytes }: CaseWithHead): string[] {
  const sizes = new LargestSizeTracker(problem);
  sizes.add(head, [bytes]);
  const { board } = sizes;
  if (board !== null) return [`board of ${board.rows}x${board.cols}`];
  return describeLargestSizes(sizes).map((text) =>
    text.replace('cases up to', 'case of').replace(' up to ', ' = '),
  );
}

/** Describes how long the slowest case takes, and how many times longer that is than for a random case of the same size. */
function describeTimes({ timing, random }: SlowestCaseSearchResult): string {
  if (timing === null) return 'not timed';
  if ('kind' in timing) return `${timing.reason}${describeRandom(random)}`;
  const { seconds } = timing;
  const base = random === null || 'kind' in random ? null : random;
  const noise = Math.max(timing.noiseSeconds, base?.noiseSeconds ?? 0);
  if (seconds <= noise)
    return `under ${formatSeconds(noise)}, which is too short to be measured; --exec-cases allows more copies of a case in a run`;
  if (base === null) return `${formatSeconds(seconds)}${describeRandom(random)}`;
  const isMeasurable = base.seconds > noise;
  const factor = `${isMeasurable ? '' : 'at least '}${formatSignificant(seconds / Math.max(base.seconds, noise))}`;
  const randomTime = isMeasurable ? formatSeconds(base.seconds) : `under ${formatSeconds(noise)}`;
  return `${formatSeconds(seconds)}, ${factor} times as slow as a random case of that size (${randomTime})`;
}

function describeRandom(random: SlowestCaseSearchResult['random']): string {
  if (random === null) return '';
  const time = 'kind' in random ? random.reason : formatSeconds(random.seconds);
  return ` (a random case of that size: ${time})`;
}
