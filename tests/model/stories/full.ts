/** The disk is full, or a file may not grow. */
import fc from 'fast-check';
import type { Style } from '../../support/inputs.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import { anyInput, anyStyle, type Input } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyTwoRuns,
  defineStory,
  expectBeginning,
  expectResumed,
  OUTPUT,
  shown,
  solveWords,
  type TwoRuns,
} from './story.js';

const OBSTACLES = {
  'a full standard output': playFullDevice,
  'a full device': playFullDevice,
  'a limit on the size of files': playLimit,
};
type Obstacle = keyof typeof OBSTACLES;
const OBSTACLE_NAMES = Object.keys(OBSTACLES) as Obstacle[];

interface Plan {
  readonly style: Style;
  readonly input: Input;
  readonly runs: TwoRuns;
  readonly obstacle: Obstacle;
}

export const full = defineStory<Plan>({
  name: 'full',
  what: 'the disk is full',
  weight: 2,
  features: OBSTACLE_NAMES,
  plans: anyStyle.chain((style) =>
    fc.record({
      style: fc.constant(style),
      input: anyInput(style, { minCases: 1, maxCases: 200, mistakes: 'none' }),
      runs: anyTwoRuns(style),
      obstacle: fc.constantFrom(...OBSTACLE_NAMES),
    }),
  ),
  shows: ({ obstacle }) => [obstacle],
  describe: ({ obstacle, style, runs }) => `${obstacle}: ${shown(style, runs[0])}`,
  async play(world, plan) {
    const { style, input, runs, obstacle } = plan;
    world.put('a.in', input.good);
    await OBSTACLES[obstacle](world, plan, judge(style, runs[0].look, 'a.in', input.good));
  },
});

async function playFullDevice(
  world: World,
  { style, runs, obstacle }: Plan,
  verdict: Verdict,
): Promise<void> {
  const isNamed = obstacle === 'a full device';
  const words = solveWords(style, ['a.in'], runs[0], isNamed ? '/dev/full' : null);
  const outcome = await world.runShell(`boardmill ${words.join(' ')}${isNamed ? '' : ' > /dev/full'}`);
  world.expectOutcome(outcome, { codes: [verdict.answers === '' ? 0 : 4], stdout: (text) => text === '' });
  world.expectFiles({}, runs[0].look.format);
}

/** The largest size of files, in blocks, and the size of a block for `ulimit -f` in sh. */
const MAX_BLOCKS = 2;
const BLOCK_BYTES = 512;

async function playLimit(
  world: World,
  { style, runs: [first, second] }: Plan,
  verdict: Verdict,
): Promise<void> {
  const words = solveWords(style, ['a.in'], first, OUTPUT);
  const outcome = await world.runShell(`ulimit -f ${MAX_BLOCKS}; boardmill ${words.join(' ')}`);
  const isTooLarge = verdict.answers.length > MAX_BLOCKS * BLOCK_BYTES;
  // The checkpoint is a file, too, and may reach the limit before the answers do.
  world.expectOutcome(outcome, { codes: isTooLarge ? [4] : [0, 4], stdout: (text) => text === '' });
  if (outcome.code === 0) {
    world.expectFiles(filesAfter(verdict, OUTPUT), first.look.format);
    return;
  }
  expectBeginning(world, verdict, first, false);
  const again = solveWords(style, ['a.in'], second, OUTPUT);
  await expectResumed(world, again, verdict, second, { mayBeRefused: true });
}
