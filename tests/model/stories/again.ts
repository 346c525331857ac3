/** An input is solved, perhaps changed, and solved again: answers that are up to date are not made again, others are. */
import fc from 'fast-check';
import { anyShare, type Style } from '../../support/inputs.js';
import { judge } from '../model.js';
import { anyInput, anyLargeInput, type Input, withOtherLetter } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyStyleAndSize,
  anyTwoRuns,
  chunksFor,
  defineStory,
  expectRun,
  isScannedByWorkers,
  OUTPUT,
  shown,
  solveWords,
  type TwoRuns,
} from './story.js';

interface Plan {
  readonly style: Style;
  readonly isLarge: boolean;
  readonly input: Input;
  readonly runs: TwoRuns;
  /** Where a letter is changed, as a share of the input; null if nothing is. */
  readonly change: number | null;
}

export const again = defineStory<Plan>({
  name: 'again',
  what: 'an input is solved, perhaps changed, and solved again',
  weight: 3,
  features: ['unchanged', 'changed', 'scanned by workers'],
  plans: anyStyleAndSize.chain(({ style, isLarge }) =>
    fc.record({
      style: fc.constant(style),
      isLarge: fc.constant(isLarge),
      input: isLarge ? anyLargeInput(style) : anyInput(style, { maxCases: 60, mistakes: 'none' }),
      runs: anyTwoRuns(style, chunksFor(isLarge)),
      change: fc.option(anyShare(), { freq: 2 }),
    }),
  ),
  shows: ({ change, isLarge, runs }) => [
    change === null ? 'unchanged' : 'changed',
    ...(isScannedByWorkers(isLarge, runs[0]) ? ['scanned by workers'] : []),
  ],
  describe: ({ change, style, runs }) => `again, change at ${change}: ${shown(style, runs[0])}`,
  play,
});

async function play(world: World, plan: Plan): Promise<void> {
  const { style, input, runs, change } = plan;
  const solve = (run: number) => world.run(solveWords(style, ['a.in'], runs[run], OUTPUT));
  const judgeOne = (bytes: Uint8Array) => judge(style, runs[0].look, 'a.in', bytes);
  const before = input.good;
  world.put('a.in', before);
  expectRun(world, await solve(0), judgeOne(before), runs[0], OUTPUT);

  const later = change === null ? before : withOtherLetter(style, before, change);
  if (change !== null) world.put('a.in', later);
  const outcome = await solve(1);
  const verdict = judgeOne(later);
  if (verdict.end !== 'reached') {
    // The change has made the input invalid. The answers of the first run stay where they are.
    world.expectOutcome(outcome, { codes: verdict.codes });
    return;
  }
  expectRun(world, outcome, verdict, runs[1], OUTPUT);
  const mustSay = Buffer.compare(later, before) === 0 && !runs[1].quiet;
  const says = outcome.stderr.includes('is up to date');
  world.expect('answers are up to date if nothing has changed', says || !mustSay);
}
