/** A folder is solved, one of its inputs is changed and one is added, and the folder is solved again. */
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import { anyShare, type Style } from '../../support/inputs.js';
import { hideWords } from '../answers.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import { anyInput, anyLargeInput, type Input, type Options, withOtherLetter } from '../scenario.js';
import type { World } from '../world.js';
import { answersTo, anyPlace, PLACE_NAMES, PLACES, type Place } from './answer-places.js';
import {
  anyStyleAndSize,
  anyTwoRuns,
  chunksFor,
  defineStory,
  FOLDER,
  isScannedByWorkers,
  shown,
  solveWords,
  type TwoRuns,
} from './story.js';

interface Plan {
  readonly style: Style;
  readonly isLarge: boolean;
  /** The last one is added before the second run. */
  readonly inputs: readonly Input[];
  readonly runs: TwoRuns;
  readonly place: Place;
  /** The index of the input that is changed, and where, as a share of its length. */
  readonly changed: number;
  readonly change: number;
  /** Whether the second run has `--resume`. */
  readonly resume: boolean;
}

export const folder = defineStory<Plan>({
  name: 'folder',
  what: 'a folder is solved, one input is changed and one is added, and the folder is solved again',
  weight: 8,
  features: [...PLACE_NAMES, 'all good', 'some bad', 'some refused', 'some resumed', 'scanned by workers'],
  plans: anyStyleAndSize.chain(({ style, isLarge }) => anyPlan(style, isLarge)),
  shows,
  describe: ({ place, changed, change, style, runs }) =>
    `folder, ${place}, change of ${changed} at ${change}: ${shown(style, runs[0])}`,
  play,
});

function anyPlan(style: Style, isLarge: boolean): fc.Arbitrary<Plan> {
  const small = anyInput(style, { maxCases: 30, mistakes: 'some' });
  const large = anyLargeInput(style);
  return fc
    .record({
      style: fc.constant(style),
      isLarge: fc.constant(isLarge),
      inputs: isLarge
        ? fc.oneof(fc.tuple(large, small), fc.tuple(large, small, small))
        : fc.array(small, { minLength: 2, maxLength: FOLDER.length }),
      runs: anyTwoRuns(style, chunksFor(isLarge)),
      place: anyPlace,
      changed: fc.nat(),
      change: anyShare(),
      resume: fc.boolean(),
    })
    .map((plan) => ({ ...plan, changed: plan.changed % (plan.inputs.length - 1) }));
}

function shows(plan: Plan): string[] {
  const { place, isLarge, runs, resume, changed } = plan;
  const verdicts = judgeAll(plan, bytesOf(plan));
  // An unchanged input has left a checkpoint, which must not keep the input that is added from being solved.
  const isLeft =
    verdicts.at(-1)!.end === 'reached' &&
    verdicts.every(({ end }) => end !== 'unknown') &&
    verdicts.slice(0, -1).some((verdict, i) => i !== changed && verdict.end === 'fault' && verdict.cases > 0);
  return [
    place,
    verdicts.every(({ end }) => end === 'reached') ? 'all good' : 'some bad',
    ...(isLeft ? [resume ? 'some resumed' : 'some refused'] : []),
    ...(isScannedByWorkers(isLarge, runs[0]) ? ['scanned by workers'] : []),
  ];
}

async function play(world: World, plan: Plan): Promise<void> {
  const { style, runs, changed, change, resume } = plan;
  const inputs = bytesOf(plan);
  const newcomer = inputs.length - 1;
  const before = inputs.slice(0, newcomer);
  for (const [i, bytes] of before.entries()) world.put(FOLDER[i], bytes);
  const verdicts = judgeAll(plan, before);
  expectFolder(world, await solveFolder(world, plan, runs[0]), plan, verdicts);

  const later = inputs.with(changed, withOtherLetter(style, inputs[changed], change));
  for (const i of [changed, newcomer]) world.put(FOLDER[i], later[i]);
  const after = judgeAll(plan, later);
  const again = await solveFolder(world, plan, runs[1], resume ? ['--resume'] : []);
  const isSettled = [...verdicts, ...after].every(({ end }) => end !== 'unknown');
  // A change that makes an answered input invalid leaves its old answers beside the new ones that are not complete.
  if (!isSettled || after[changed].end !== 'reached') expectOthers(world, again, plan, after);
  else expectFolder(world, again, plan, after, resume ? [] : leftovers(verdicts, changed));
}

const bytesOf = ({ inputs }: Plan) => inputs.map(({ bytes }) => bytes);

function judgeAll({ style, runs }: Plan, inputs: readonly Uint8Array[]): Verdict[] {
  return inputs.map((bytes, i) => judge(style, runs[0].look, FOLDER[i], bytes));
}

function solveFolder(
  world: World,
  { style, place }: Plan,
  options: Options,
  words: readonly string[] = [],
): Promise<Outcome> {
  return world.run([...solveWords(style, ['data'], options, null), ...PLACES[place], ...words]);
}

/** Returns the indices of the inputs that have a checkpoint, and have not been changed since. */
function leftovers(verdicts: readonly Verdict[], changed: number): number[] {
  const isLeft = ({ end, cases }: Verdict, i: number) => i !== changed && end !== 'reached' && cases > 0;
  return [...verdicts.keys()].filter((i) => isLeft(verdicts[i], i));
}

/** Returns the name of the answers to an input of the folder. */
const answersOf = ({ place, runs }: Plan, index: number) =>
  answersTo(FOLDER[index], place, runs[0].look.format);

/** Compares the files of a folder, and the gravest exit code of its inputs. `refused` are indices of inputs. */
function expectFolder(
  world: World,
  outcome: Outcome,
  plan: Plan,
  verdicts: readonly Verdict[],
  refused: readonly number[] = [],
): void {
  if (verdicts.some(({ end }) => end === 'unknown')) return;
  const gravest = Math.max(...verdicts.map(({ codes }, i) => (refused.includes(i) ? 2 : codes[0])));
  world.expectOutcome(outcome, { codes: [gravest], stdout: (text) => text === '' });
  if (refused.length === 0) {
    for (const error of verdicts.flatMap(({ errors }) => errors))
      world.expect(`a line must report ${error}`, outcome.stderr.includes(error));
  }
  const files = verdicts.map((verdict, i) => filesAfter(verdict, answersOf(plan, i)));
  world.expectFiles(Object.assign({}, ...files), plan.runs[0].look.format);
}

/** Compares the answers to those inputs that are good and were not changed. If an answer is missing, the exit code says so. */
function expectOthers(world: World, { code }: Outcome, plan: Plan, verdicts: readonly Verdict[]): void {
  const { format } = plan.runs[0].look;
  const lacksAnswers = verdicts.some(({ end }) => end === 'fault');
  world.expect('a run that lacks an answer must not end with the exit code 0', !lacksAnswers || code !== 0);
  for (const [i, { end, answers }] of verdicts.entries()) {
    if (i === plan.changed || end !== 'reached') continue;
    const name = answersOf(plan, i);
    world.expect(
      `${name} must have the right answers`,
      world.has(name) && hideWords(world.read(name), format) === answers,
    );
  }
}
