/** An input is delivered in one of the ways in which boardmill takes inputs, and solved once. */
import fc from 'fast-check';
import type { Outcome } from '../../cli/boardmill.js';
import type { Style } from '../../support/inputs.js';
import { judge, type Verdict } from '../model.js';
import { anyHow, anyInput, anyLargeInput, anyOptions, type Options } from '../scenario.js';
import type { World } from '../world.js';
import {
  anyFile,
  anyStyleAndSize,
  chunksFor,
  defineStory,
  expectRun,
  type OUTPUT,
  shown,
  solveWords,
} from './story.js';

const DELIVERIES = ['argument', 'redirected', 'pipe', 'socket', 'fifo', 'compressed'] as const;
type Delivery = (typeof DELIVERIES)[number];

/** The name of the input in messages, and the word for it on the command line. */
const NAMES: Readonly<Record<Delivery, { readonly name: string; readonly word: string }>> = {
  argument: { name: 'a.in', word: 'a.in' },
  compressed: { name: 'a.in.gz', word: 'a.in.gz' },
  fifo: { name: 'fifo', word: 'fifo' },
  pipe: { name: '<stdin>', word: '-' },
  socket: { name: '<stdin>', word: '-' },
  redirected: { name: '<stdin>', word: '-' },
};

interface Plan {
  readonly style: Style;
  readonly bytes: Uint8Array;
  readonly options: Options;
  readonly delivery: Delivery;
  readonly file: typeof OUTPUT | null;
  readonly verdict: Verdict;
}

export const delivery = defineStory<Plan>({
  name: 'delivery',
  what: 'an input is delivered and solved',
  weight: 8,
  features: [
    ...DELIVERIES,
    'to a file',
    'to standard output',
    'good',
    'bad',
    'marked',
    'text',
    'ndjson',
    'csv',
  ],
  plans: anyStyleAndSize.chain(({ style, isLarge }) => anyPlan(style, isLarge)),
  shows: ({ delivery, file, options, verdict }) => [
    delivery,
    file === null ? 'to standard output' : 'to a file',
    options.look.format,
    verdict.end === 'fault' ? 'bad' : verdict.marked > 0 ? 'marked' : 'good',
  ],
  describe: ({ delivery, style, options }) => `${delivery}: ${shown(style, options)}`,
  play,
});

function anyPlan(style: Style, isLarge: boolean): fc.Arbitrary<Plan> {
  return fc
    .record({
      input: isLarge ? anyLargeInput(style, 'some') : anyInput(style, { maxCases: 200, mistakes: 'some' }),
      options: anyOptions(style, anyHow(chunksFor(isLarge))),
      delivery: fc.constantFrom(...DELIVERIES),
      file: anyFile,
    })
    .map(({ input: { bytes }, ...plan }) => ({
      ...plan,
      style,
      bytes,
      verdict: judge(style, plan.options.look, NAMES[plan.delivery].name, bytes),
    }));
}

async function play(world: World, plan: Plan): Promise<void> {
  const { style, bytes, options, delivery, file, verdict } = plan;
  const args = solveWords(style, [NAMES[delivery].word], options, file);
  expectRun(world, await deliver(world, delivery, args, bytes), verdict, options, file);
}

async function deliver(
  world: World,
  delivery: Delivery,
  args: readonly string[],
  bytes: Uint8Array,
): Promise<Outcome> {
  if (delivery === 'pipe') return world.run(args, bytes);
  if (delivery === 'socket') return world.runOnSocket(args, bytes);
  world.put(delivery === 'compressed' ? 'a.in.gz' : 'a.in', bytes);
  if (delivery === 'redirected') return world.runShell(`boardmill ${args.join(' ')} < a.in`);
  if (delivery === 'fifo') return deliverByFifo(world, args);
  return world.run(args);
}

async function deliverByFifo(world: World, args: readonly string[]): Promise<Outcome> {
  const outcome = await world.runShell(
    `mkfifo fifo; { cat a.in > fifo; } > cat.log 2>&1 & boardmill ${args.join(' ')}`,
  );
  for (const name of ['fifo', 'cat.log']) world.forget(name);
  return outcome;
}
