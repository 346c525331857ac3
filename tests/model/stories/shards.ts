/** An input is solved in shards, one after another, and their outputs are merged. */
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import type { Style } from '../../support/inputs.js';
import { hideWords } from '../answers.js';
import { judge, type Verdict } from '../model.js';
import { anyInput, anyLargeInput, type Input, type Options } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyFile,
  anyOptionsWithoutStats,
  anyStyleAndSize,
  chunksFor,
  defineStory,
  OUTPUT,
  shown,
  solveWords,
} from './story.js';

interface Plan {
  readonly style: Style;
  readonly isLarge: boolean;
  readonly bytes: Uint8Array;
  readonly options: Options;
  /** How many shards there are. */
  readonly count: number;
  /** Where the merged answers go. */
  readonly file: typeof OUTPUT | null;
  readonly verdict: Verdict;
}

export const shards = defineStory<Plan>({
  name: 'shards',
  what: 'an input is solved in shards, which are merged',
  weight: 4,
  features: ['merged', 'merged with marked cases', 'not merged', 'a large input'],
  plans: anyStyleAndSize.chain(({ style, isLarge }) => anyPlan(style, isLarge)),
  shows: ({ isLarge, verdict }) => [
    verdict.end !== 'reached' ? 'not merged' : verdict.marked > 0 ? 'merged with marked cases' : 'merged',
    ...(isLarge ? ['a large input'] : []),
  ],
  describe: ({ count, style, options }) => `${count} shards: ${shown(style, options)}`,
  play,
});

function anyPlan(style: Style, isLarge: boolean): fc.Arbitrary<Plan> {
  return fc
    .record({
      input: isLarge ? anyLargeInput(style) : anySmallInput(style),
      options: anyOptionsWithoutStats(style, chunksFor(isLarge)),
      count: fc.integer({ min: 1, max: isLarge ? 3 : 5 }),
      file: anyFile,
    })
    .map(({ input: { bytes }, ...plan }) => {
      const verdict = judge(style, plan.options.look, 'a.in', bytes);
      return { ...plan, style, isLarge, bytes, verdict };
    });
}

function anySmallInput(style: Style): fc.Arbitrary<Input> {
  return fc.oneof(
    anyInput(style, { maxCases: 100, mistakes: 'some' }),
    anyInput(style, { maxCases: 100, mistakes: 'letters' }),
  );
}

async function play(world: World, plan: Plan): Promise<void> {
  const { bytes, count, file, verdict } = plan;
  world.put('a.in', bytes);
  const names = Array.from({ length: count }, (_, i) => `part.${i + 1}`);
  const codes = await solveShards(world, plan, names);
  const merged = await world.run(['merge', ...names, ...(file === null ? [] : ['-o', file])]);
  if (verdict.end === 'fault') expectNotMerged(world, codes, merged);
  if (verdict.end === 'reached') expectMerged(world, plan, names, codes, merged);
}

/** Solves shard after shard. Returns the exit codes. */
async function solveShards(world: World, { style, options }: Plan, names: readonly string[]) {
  const codes: Outcome['code'][] = [];
  for (const [i, name] of names.entries()) {
    const words = solveWords(style, ['a.in'], options, name);
    codes.push((await world.run([...words, '--shard', `${i + 1}/${names.length}`])).code);
  }
  return codes;
}

function expectNotMerged(world: World, codes: readonly Outcome['code'][], merged: Outcome): void {
  world.expect(
    `a shard must fail with code 3: ${codes}`,
    codes.includes(3) && codes.every((code) => code !== 2 && code !== 4),
  );
  world.expectOutcome(merged, { codes: [2], stdout: (text) => text === '' });
  world.expect('no table may be made of shards that failed', !world.has(OUTPUT));
}

function expectMerged(
  world: World,
  { options, file, verdict: { answers, codes } }: Plan,
  names: readonly string[],
  codesOfShards: readonly Outcome['code'][],
  merged: Outcome,
): void {
  const { format } = options.look;
  world.expect(
    `the shards must end as one run does: ${codesOfShards}`,
    Math.max(...codesOfShards.map(Number)) === codes[0],
  );
  world.expectOutcome(merged, {
    codes,
    stdout: (text) => hideWords(text, format) === (file === null ? answers : ''),
  });
  const joined = hideWords(names.map((name) => world.read(name)).join(''), format);
  world.expect('the parts, one after another, must be the answers of one run', joined === answers);
  const parts = names.flatMap((name) => [name, `${name}.shard`]).map((name) => [name, null]);
  world.expectFiles({ ...Object.fromEntries(parts), ...(file === null ? {} : { [file]: answers }) }, format);
}
