/** What a story is, and what several stories need: names, options, command lines, and comparisons with the model. */
import { constants } from 'node:os';
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import type { Style } from '../../support/inputs.js';
import { headingOf, hideWords } from '../answers.js';
import { filesAfter, isWholeCases, type Verdict } from '../model.js';
import { anyHow, anyOptions, anyStyle, LARGE_CHUNKS, type Options, wordsOf } from '../scenario.js';
import type { World } from '../world.js';

/** A scenario: what it shows, for the coverage of the tests, and how it is played. */
export interface Scenario {
  /** The name of its story. */
  readonly story: string;
  readonly features: readonly string[];
  play(world: World): Promise<void>;
  /** What fast-check prints. The log of the world has the rest. */
  toString(): string;
}

interface Title {
  /** The name for `--only`. */
  readonly name: string;
  readonly what: string;
  /** How often the story is drawn in long runs. */
  readonly weight: number;
  /** All features that its scenarios can have. Short tests assert that each of them occurs, unless the story is slow. */
  readonly features: readonly string[];
  /** Whether a scenario takes so long that short tests leave the story out. */
  readonly isSlow?: boolean;
}

export interface Story extends Title {
  readonly scenarios: fc.Arbitrary<Scenario>;
}

/** A story as its file writes it. A plan is everything that is drawn for one scenario. */
interface Script<Plan> extends Title {
  readonly plans: fc.Arbitrary<Plan>;
  /** The features of the story that the scenario of a plan has. */
  readonly shows: (plan: Plan) => readonly string[];
  readonly describe: (plan: Plan) => string;
  readonly play: (world: World, plan: Plan) => Promise<void>;
}

export function defineStory<Plan>({ plans, shows, describe, play, ...title }: Script<Plan>): Story {
  return {
    ...title,
    scenarios: plans.map((plan) => ({
      story: title.name,
      features: shows(plan),
      toString: () => describe(plan),
      play: (world) => play(world, plan),
    })),
  };
}

// ---- names ----

/** The FILE of `-o FILE`. */
export const OUTPUT = 'all.ans';
/** The names of the inputs of a folder, in the order in which a table has them. */
export const FOLDER = ['data/a.in', 'data/b.in.gz', 'data/c/d.in', 'data/e.in'];
const STATS = 'stats.json';

/** The signals with which a story stops a run. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
export type Signal = (typeof SIGNALS)[number];

/** The exit code after a signal; SIGKILL has none. */
export const codeAfter = (signal: Signal) =>
  signal === 'SIGKILL' ? signal : 128 + constants.signals[signal];

// ---- what is drawn ----

/** A problem, and whether the input is so large that workers can scan parts of it themselves. Large inputs take longer. */
export const anyStyleAndSize = fc.record({
  style: anyStyle,
  isLarge: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

/** Whether workers scan a part of the input. For columns that tell of the cases, and for an audit, the coordinator scans it all. */
export const isScannedByWorkers = (isLarge: boolean, { look, how }: Options) =>
  isLarge && look.columns.length === 0 && how.audit === null;

/** The FILE of `-o FILE`, or null for standard output. */
export const anyFile = fc.constantFrom(null, OUTPUT);

export const chunksFor = (isLarge: boolean) => (isLarge ? LARGE_CHUNKS : undefined);

/** Options without `--stats`, whose file a story would have to expect after each of its runs. */
export const anyOptionsWithoutStats = (style: Style, chunks?: Chunks) =>
  anyOptions(style, anyHow(chunks)).map((options) => ({ ...options, stats: false }));

type Chunks = Parameters<typeof anyHow>[0];

/** The options of two runs that must print the same. */
export type TwoRuns = readonly [Options, Options];

export function anyTwoRuns(style: Style, chunks?: Chunks, laterChunks = chunks): fc.Arbitrary<TwoRuns> {
  return fc
    .tuple(anyOptionsWithoutStats(style, chunks), anyHow(laterChunks))
    .map(([first, how]) => [first, { ...first, how }]);
}

/** Returns the options of two runs with another look of the output. */
export function withLook([first, second]: TwoRuns, look: Options['look']): TwoRuns {
  return [
    { ...first, look },
    { ...second, look },
  ];
}

// ---- command lines ----

export function solveWords(
  style: Style,
  inputs: readonly string[],
  options: Options,
  file: string | null,
): string[] {
  return ['solve', style.name, ...inputs, ...wordsOf(options), ...(file === null ? [] : ['-o', file])];
}

/** Returns a style and options as the description of a scenario shows them. */
export function shown(style: Style, options: Options): string {
  return `${style.name} ${wordsOf(options).join(' ')}`;
}

// ---- comparisons ----

/** Compares a run on one input with its verdict. `file` is the FILE of `-o FILE`; null if answers go to standard output. */
export function expectRun(
  world: World,
  outcome: Outcome,
  verdict: Verdict,
  options: Options,
  file: string | null,
): void {
  const { look, stats } = options;
  const { codes, errors, end, cases } = verdict;
  world.expectOutcome(outcome, {
    codes,
    ...(end === 'unknown' ? {} : { errors }),
    stdout: (text) =>
      file === null ? isAnswers(hideWords(text, look.format), verdict, options) : text === '',
  });
  if (end === 'unknown') return;
  const hasStats = stats && (Number(outcome.code) < 2 || cases > 0);
  const files = file === null ? {} : filesAfter(verdict, file);
  world.expectFiles({ ...files, ...(hasStats ? { [STATS]: null } : {}) }, look.format);
  if (hasStats) world.expectStats(verdict);
}

/** Whether a text is the answers of a run. A run that answers no case may leave out the heading of its table. */
function isAnswers(text: string, { answers, end, cases }: Verdict, { look }: Options): boolean {
  if (end === 'unknown') return text.startsWith(answers);
  return text === answers || (text === '' && end === 'fault' && cases === 0 && answers === headingOf(look));
}

/** Compares what a run has left, that was stopped before its end, with what it may leave: a beginning of the answers. */
export function expectBeginning(
  world: World,
  verdict: Verdict,
  options: Options,
  hasCheckpoint: boolean,
): void {
  const partial = `${OUTPUT}.partial`;
  const text = world.has(partial) ? hideWords(world.read(partial), options.look.format) : '';
  const isRight = hasCheckpoint ? isWholeCases(text, verdict) : verdict.answers.startsWith(text);
  world.expect(`${partial} must be a beginning of the answers`, isRight);
  world.expect(`${OUTPUT} must not be there before the end of its run`, !world.has(OUTPUT));
  if (!hasCheckpoint) return;
  world.expect(
    'FILE.partial and FILE.checkpoint come together',
    world.has(partial) === world.has(`${OUTPUT}.checkpoint`),
  );
}

/** Continues a run that was disturbed, and compares the result with that of an undisturbed run. */
export async function expectResumed(
  world: World,
  words: readonly string[],
  verdict: Verdict,
  options: Options,
  { mayBeRefused, stdin }: { readonly mayBeRefused: boolean; readonly stdin?: Uint8Array },
): Promise<void> {
  const hasCheckpoint = world.has(`${OUTPUT}.checkpoint`);
  const resumed = await world.run([...words, '--resume'], stdin);
  // Answers without a checkpoint may be somebody else's.
  const isRefused = mayBeRefused && !hasCheckpoint && resumed.code === 2;
  const outcome = isRefused ? await world.run([...words, '--force'], stdin) : resumed;
  world.expectOutcome(outcome, { codes: verdict.codes });
  world.expectFiles(filesAfter(verdict, OUTPUT), options.look.format);
}
