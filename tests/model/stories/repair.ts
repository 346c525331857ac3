/** An input has mistakes. Somebody repairs it, perhaps changes more, and continues the run. */
import fc from 'fast-check';
import { anyShare, type Style } from '../../support/inputs.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import { anyInput, anyStyle, type Input, withOtherLetter } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyTwoRuns,
  defineStory,
  expectRun,
  OUTPUT,
  shown,
  solveWords,
  type TwoRuns,
  withLook,
} from './story.js';

const RESUMPTIONS = ['started over', 'resumed', 'resumed or refused'] as const;
/** What `--resume` may do. */
type Resumption = (typeof RESUMPTIONS)[number];

interface Plan {
  readonly style: Style;
  readonly before: Uint8Array;
  readonly later: Uint8Array;
  /** Whether more was changed than the mistakes. */
  readonly isEdited: boolean;
  readonly runs: TwoRuns;
  /** The verdict on the input with the mistakes. */
  readonly bad: Verdict;
  readonly may: Resumption;
}

export const repair = defineStory<Plan>({
  name: 'repair',
  what: 'a bad input is repaired, and its run is resumed',
  weight: 4,
  features: [...RESUMPTIONS, 'an answered case was changed, too'],
  plans: anyStyle.chain(anyPlan),
  shows: ({ may, isEdited }) => [may, ...(isEdited ? ['an answered case was changed, too'] : [])],
  describe: ({ may, style, runs }) => `repaired, ${may}: ${shown(style, runs[0])}`,
  play,
});

function anyPlan(style: Style): fc.Arbitrary<Plan> {
  return fc
    .record({
      input: anyInput(style, { maxCases: 120, minCases: 2, mistakes: 'always' }),
      runs: anyTwoRuns(style),
      edit: fc.option(anyShare()),
    })
    .map(({ input, runs, edit }) => planRepair(style, input, runs, edit));
}

function planRepair(style: Style, { bytes, good }: Input, runs: TwoRuns, edit: number | null): Plan {
  const look = { ...runs[0].look, onError: 'stop' } as const;
  const judgeOne = (text: Uint8Array) => judge(style, look, 'a.in', text);
  const bad = judgeOne(bytes);
  const edited = edit === null ? good : withOtherLetter(style, good, edit);
  const isEdited = edited !== good && judgeOne(edited).end === 'reached';
  const later = isEdited ? edited : good;
  const may = resumption(bad, bytes, later);
  return { style, before: bytes, later, isEdited, runs: withLook(runs, look), bad, may };
}

/**
 * Says what `--resume` may do after an input was repaired. If nothing has changed before the bad case, it must continue. If
 * something has, it may refuse, or start over at a place before the change.
 */
function resumption({ badStart, cases }: Verdict, bad: Uint8Array, later: Uint8Array): Resumption {
  if (cases === 0) return 'started over';
  const differs = bad.findIndex((byte, at) => later[at] !== byte);
  const same = differs < 0 ? Math.min(bad.length, later.length) : differs;
  return same > badStart ? 'resumed' : 'resumed or refused';
}

async function play(world: World, { style, before, later, runs, bad, may }: Plan): Promise<void> {
  const [first, second] = runs;
  world.put('a.in', before);
  expectRun(world, await world.run(solveWords(style, ['a.in'], first, OUTPUT)), bad, first, OUTPUT);
  // Two mistakes can make a good input.
  if (bad.end === 'reached') return;
  const words = solveWords(style, ['a.in'], second, OUTPUT);
  if (bad.cases > 0) {
    world.expectOutcome(await world.run(words), { codes: [2] });
    world.expectFiles(filesAfter(bad, OUTPUT), first.look.format);
  }
  world.put('a.in', later);
  const good = judge(style, second.look, 'a.in', later);
  const resumed = await world.run([...words, '--resume']);
  world.expectOutcome(resumed, { codes: [...good.codes, ...(may === 'resumed or refused' ? [2] : [])] });
  if (resumed.code !== 2) world.expectFiles(filesAfter(good, OUTPUT), second.look.format);
  else expectRun(world, await world.run([...words, '--force']), good, second, OUTPUT);
}
