/** A run is stopped by a signal, before its pipe or its large file has ended, and resumed. */
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import { anyShare, type Style } from '../../support/inputs.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import {
  anyInput,
  anyLargeInput,
  anyStyle,
  CHUNKS,
  type Input,
  LARGE_CHUNKS,
  type Options,
  SMALL_CHUNKS,
} from '../scenario.js';
import type { World } from '../world.js';
import {
  anyTwoRuns,
  codeAfter,
  defineStory,
  expectBeginning,
  expectResumed,
  OUTPUT,
  SIGNALS,
  type Signal,
  shown,
  solveWords,
  type TwoRuns,
} from './story.js';

/** The files that have answers, or a checkpoint, as soon as it is time for the signal. */
const MOMENTS = { answers: `${OUTPUT}.partial`, checkpoint: `${OUTPUT}.checkpoint` } as const;
type Moment = keyof typeof MOMENTS;
const MOMENT_NAMES = Object.keys(MOMENTS) as Moment[];

/** What the input is. Large ones take longer, and are drawn less often. */
const WAYS = ['a pipe', 'a pipe', 'a pipe', 'a large file', 'a large pipe'] as const;
type Way = (typeof WAYS)[number];

interface Plan {
  readonly style: Style;
  readonly way: Way;
  readonly bytes: Uint8Array;
  readonly runs: TwoRuns;
  readonly signal: Signal;
  readonly moment: Moment;
  /** The share of a pipe that has arrived before the signal. */
  readonly share: number;
  readonly verdict: Verdict;
}

const isPiped = (way: Way) => way !== 'a large file';

export const stop = defineStory<Plan>({
  name: 'stop',
  what: 'a run is stopped by a signal and resumed',
  weight: 4,
  features: [...SIGNALS, ...MOMENT_NAMES, ...new Set(WAYS), 'marked'],
  plans: fc
    .record({ style: anyStyle, way: fc.constantFrom(...WAYS) })
    .chain(({ style, way }) => anyPlan(style, way)),
  shows: (plan) => [plan.signal, plan.moment, plan.way, ...(plan.verdict.marked > 0 ? ['marked'] : [])],
  describe: ({ signal, moment, way, style, runs }) =>
    `${signal} after ${moment} of ${way}: ${shown(style, runs[0])}`,
  play,
});

function anyPlan(style: Style, way: Way): fc.Arbitrary<Plan> {
  const isLarge = way !== 'a pipe';
  return fc
    .record({
      input: isLarge
        ? anyLargeInput(style, 'letters')
        : anyInput(style, { minCases: 40, maxCases: 300, mistakes: 'letters' }),
      runs: isLarge
        ? anyTwoRuns(style, LARGE_CHUNKS, [...LARGE_CHUNKS, '1K'])
        : anyTwoRuns(style, SMALL_CHUNKS, CHUNKS),
      signal: fc.constantFrom(...SIGNALS),
      moment: fc.constantFrom(...MOMENT_NAMES),
      // What has arrived of a large pipe must be more than a chunk, or no answer would be written before the signal.
      share: anyShare().map((rest) => (isLarge ? 0.9 + rest / 11 : 0.5 + rest / 2.1)),
    })
    .map(({ input, ...plan }) => ({
      ...plan,
      style,
      way,
      ...chooseBytes(style, way, input, plan.runs[0].look),
    }));
}

/**
 * Returns the bytes that the runs read, and the verdict on them. They have mistakes only if the runs mark these and go on: a
 * wrong letter may leave open where the next case begins, for example in the last row of the input.
 */
function chooseBytes(style: Style, way: Way, { good, bytes }: Input, look: Options['look']) {
  const judged = (text: Uint8Array) => ({
    bytes: text,
    verdict: judge(style, look, isPiped(way) ? '<stdin>' : 'a.in', text),
  });
  const asWritten = look.onError === 'mark' ? judged(bytes) : null;
  return asWritten?.verdict.end === 'reached' ? asWritten : judged(good);
}

async function play(world: World, plan: Plan): Promise<void> {
  const { style, bytes, runs, way, signal, verdict } = plan;
  const isPipe = isPiped(way);
  if (!isPipe) world.put('a.in', bytes);
  const words = (options: Options) => solveWords(style, [isPipe ? '-' : 'a.in'], options, OUTPUT);
  const outcome = await runUntilSignal(world, plan, words(runs[0]));
  expectStopped(world, outcome, plan);
  if (hasEnded(outcome, verdict, signal)) return;
  await expectResumed(world, words(runs[1]), verdict, runs[1], {
    mayBeRefused: signal === 'SIGKILL',
    ...(isPipe ? { stdin: bytes } : {}),
  });
}

/** Gives a run a share of a pipe, if it reads one, and sends the signal when it is time. */
function runUntilSignal(
  world: World,
  { bytes, way, signal, moment, share }: Plan,
  words: readonly string[],
): Promise<Outcome> {
  const beginning = isPiped(way) ? bytes.subarray(0, Math.floor(share * bytes.length)) : null;
  const file = MOMENTS[moment];
  return world.runUntil(words, beginning, signal, () => world.size(file) > 0);
}

/**
 * Whether a run came to its end in spite of the signal, which a run on a file may. A process that has ended its run no longer
 * listens for signals, so that a late one ends it as any process.
 */
const hasEnded = ({ code }: Outcome, { codes }: Verdict, signal: Signal) =>
  codes.includes(Number(code)) || (signal !== 'SIGKILL' && code === signal);

function expectStopped(world: World, outcome: Outcome, plan: Plan): void {
  const {
    signal,
    way,
    runs: [options],
    verdict,
  } = plan;
  const isKilled = signal === 'SIGKILL';
  const codes = [codeAfter(signal), ...(isPiped(way) ? [] : [...verdict.codes, signal])];
  world.expectOutcome(outcome, { codes, stdout: (text) => text === '' });
  if (hasEnded(outcome, verdict, signal)) world.expectFiles(filesAfter(verdict, OUTPUT), options.look.format);
  // SIGKILL may come between any two system calls, even after FILE has got its name.
  else if (!isKilled || isPiped(way)) expectBeginning(world, verdict, options, !isKilled);
}
