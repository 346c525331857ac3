/** Nobody reads the answers to their end: the reader closes the pipe at once, or later. */
import fc from 'fast-check';
import type { Style } from '../../support/inputs.js';
import { judge } from '../model.js';
import { anyInput, anyStyle, type Input, type Options } from '../scenario.js';
import type { World } from '../world.js';
import { anyOptionsWithoutStats, defineStory, shown, solveWords } from './story.js';

interface Plan {
  readonly style: Style;
  readonly input: Input;
  readonly options: Options;
  /** How much is read before the pipe is closed. */
  readonly bytes: number;
}

export const unread = defineStory<Plan>({
  name: 'unread',
  what: 'nobody reads the answers to their end',
  weight: 2,
  features: ['closed at once', 'closed later'],
  plans: anyStyle.chain((style) =>
    fc.record({
      style: fc.constant(style),
      input: anyInput(style, { minCases: 1, maxCases: 200, mistakes: 'none' }),
      options: anyOptionsWithoutStats(style),
      bytes: fc.constantFrom(0, 1, 100),
    }),
  ),
  shows: ({ bytes }) => [bytes === 0 ? 'closed at once' : 'closed later'],
  describe: ({ bytes, style, options }) => `closed after ${bytes} bytes: ${shown(style, options)}`,
  play,
});

async function play(world: World, { style, input: { good }, options, bytes }: Plan): Promise<void> {
  world.put('a.in', good);
  const { answers } = judge(style, options.look, 'a.in', good);
  const outcome = await world.runToClosedPipe(solveWords(style, ['a.in'], options, null), bytes);
  const codes = answers === '' ? [0] : bytes === 0 ? [141] : [0, 141];
  world.expectOutcome(outcome, { codes, errors: [], stdout: (text) => answers.startsWith(text) });
  world.expectFiles({}, options.look.format);
}
