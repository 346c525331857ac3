/** Several inputs make one table. If one of them is bad, it is repaired, and the run is resumed. */
import fc from 'fast-check';
import type { Style } from '../../support/inputs.js';
import { headingOf, type Look } from '../answers.js';
import { filesAfter, judge, type Verdict } from '../model.js';
import { anyInput, anyStyle, type Input } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyTwoRuns,
  defineStory,
  FOLDER,
  OUTPUT,
  shown,
  solveWords,
  type TwoRuns,
  withLook,
} from './story.js';

interface Plan {
  readonly style: Style;
  readonly inputs: readonly Input[];
  readonly runs: TwoRuns;
  /** The verdict on the table of the inputs as they are first. */
  readonly verdict: Verdict;
}

export const table = defineStory<Plan>({
  name: 'table',
  what: 'several inputs make one table',
  weight: 3,
  features: ['a whole table', 'a table up to a bad case'],
  plans: anyStyle.chain(anyPlan),
  shows: ({ verdict }) => [verdict.end === 'reached' ? 'a whole table' : 'a table up to a bad case'],
  describe: ({ style, runs }) => `table: ${shown(style, runs[0])}`,
  play,
});

function anyPlan(style: Style): fc.Arbitrary<Plan> {
  const input = anyInput(style, { maxCases: 30, mistakes: 'some' });
  return fc
    .record({
      inputs: fc.array(input, { minLength: 2, maxLength: FOLDER.length }),
      runs: anyTwoRuns(style),
      format: fc.constantFrom<'csv' | 'ndjson'>('csv', 'ndjson'),
    })
    .map(({ inputs, runs, format }) => {
      const look = { ...runs[0].look, format, fileFirst: true };
      const bytes = inputs.map((each) => each.bytes);
      return { style, inputs, runs: withLook(runs, look), verdict: judgeTable(style, look, bytes) };
    });
}

/** The verdict of a table: the rows of its inputs, up to the first fault that ends a run. */
function judgeTable(style: Style, look: Look, inputs: readonly Uint8Array[]): Verdict {
  const verdicts = inputs.map((bytes, i) => judge(style, look, FOLDER[i], bytes));
  const ending = verdicts.findIndex(({ end }) => end !== 'reached');
  const read = ending < 0 ? verdicts : verdicts.slice(0, ending + 1);
  const last = read.at(-1)!;
  const sum = (key: 'cases' | 'marked') => read.reduce((total, verdict) => total + verdict[key], 0);
  const heading = headingOf(look);
  return {
    ...last,
    answers: heading + read.map(({ answers }) => answers.slice(heading.length)).join(''),
    cases: sum('cases'),
    marked: sum('marked'),
    codes: last.end === 'reached' ? [sum('marked') > 0 ? 1 : 0] : last.codes,
    errors: read.flatMap(({ errors }) => errors),
  };
}

async function play(world: World, { style, inputs, runs, verdict }: Plan): Promise<void> {
  const [first, second] = runs;
  const { format } = first.look;
  for (const [i, { bytes }] of inputs.entries()) world.put(FOLDER[i], bytes);
  const outcome = await world.run(solveWords(style, ['data'], first, OUTPUT));
  // Inputs are solved at the same time, so a marked case of an input behind the fault may be reported, too.
  world.expectOutcome(outcome, { codes: verdict.codes, stdout: (text) => text === '' });
  if (verdict.end !== 'unknown') world.expectFiles(filesAfter(verdict, OUTPUT), format);
  if (verdict.end === 'reached') return;

  for (const [i, { good }] of inputs.entries()) world.put(FOLDER[i], good);
  const repaired = judgeTable(
    style,
    first.look,
    inputs.map(({ good }) => good),
  );
  const words = solveWords(style, ['data'], second, OUTPUT);
  const resumed = await world.run([...words, '--resume']);
  world.expectOutcome(resumed, { codes: [2, ...repaired.codes] });
  if (resumed.code === 2)
    world.expectOutcome(await world.run([...words, '--force']), { codes: repaired.codes });
  world.expectFiles(filesAfter(repaired, OUTPUT), format);
}
