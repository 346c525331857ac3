/** A program calls the library, which keeps the promises of the command. */
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Outcome, ROOT } from '../../cli/boardmill.js';
import type { Style } from '../../support/inputs.js';
import { type Look, printRow } from '../answers.js';
import { filesAfter, judge } from '../model.js';
import { anyInput, anyStyle, type Input, type Options } from '../scenario.js';
import type { World } from '../world.js';
import { anyOptionsWithoutStats, defineStory, OUTPUT, shown } from './story.js';

// `require` loads the build without vitest, as a user's program does.
const boardmill: typeof import('../../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

const CALLS = { solveFile: playSolveFile, solveStream: playSolveStream };

interface Plan {
  readonly style: Style;
  readonly input: Input;
  readonly options: Options;
  readonly call: keyof typeof CALLS;
}

export const library = defineStory<Plan>({
  name: 'library',
  what: 'a program calls the library',
  weight: 3,
  features: ['solveFile', 'solveStream'],
  plans: anyStyle.chain((style) =>
    fc.record({
      style: fc.constant(style),
      input: anyInput(style, { maxCases: 100, mistakes: 'some' }),
      options: anyOptionsWithoutStats(style),
      call: fc.constantFrom('solveFile', 'solveStream'),
    }),
  ),
  shows: ({ call }) => [call],
  describe: ({ call, style, options }) => `${call}: ${shown(style, options)}`,
  play: (world, plan) => CALLS[plan.call](world, plan),
});

async function playSolveFile(world: World, { style, input: { bytes }, options }: Plan): Promise<void> {
  const { format, columns } = options.look;
  world.put('a.in', bytes);
  const verdict = judge(style, options.look, world.at('a.in'), bytes);
  const given = { ...libraryOptions(options), format, columns };
  let marked = 0;
  const outcome = await outcomeOfCall(world, `solveFile ${JSON.stringify(given)}`, async () => {
    const stats = await boardmill.solveFile(style.name, world.at('a.in'), world.at(OUTPUT), given);
    marked = stats.failedCases;
  });
  const { codes, end, errors } = verdict;
  const code = outcome.code === 0 && marked > 0 ? 1 : outcome.code;
  world.expectOutcome(
    { ...outcome, code },
    { codes, ...(end === 'fault' ? { errors: errors.slice(-1) } : {}) },
  );
  if (end !== 'unknown') world.expectFiles(filesAfter(verdict, OUTPUT), format);
}

async function playSolveStream(world: World, { style, input: { bytes }, options }: Plan): Promise<void> {
  const look: Look = { ...options.look, format: 'ndjson', columns: [], fileFirst: false };
  const { answers, codes, end } = judge(style, look, '<stream>', bytes);
  world.put('a.in', bytes);
  const given = libraryOptions(options);
  let text = '';
  const outcome = await outcomeOfCall(world, `solveStream ${JSON.stringify(given)}`, async () => {
    const stream = createReadStream(world.at('a.in'), { highWaterMark: 100 });
    for await (const item of boardmill.solveStream(style.name, stream, given))
      text += printItem(style, look, item);
  });
  world.note(`  yielded: ${text}`);
  world.expectOutcome(outcome, { codes: codes.map((code) => (code === 1 ? 0 : code)) });
  const [got, wanted] = [withoutPlaces(text), withoutPlaces(answers)];
  world.expect(
    `solveStream must yield ${answers}`,
    end === 'unknown' ? got.startsWith(wanted) : got === wanted,
  );
}

/** Returns the options of the library that mean the same as those of a command line. */
function libraryOptions({ look: { onError }, how: { jobs, chunk, solver } }: Options) {
  return {
    jobs,
    onError,
    ...(chunk === null ? {} : { chunkBytes: Number.parseInt(chunk, 10) * (chunk.endsWith('K') ? 1024 : 1) }),
    ...(solver === null ? {} : { solver: solver as 'auto' }),
  };
}

/** Calls a function of the library. Returns what it threw, and as the exit code what the command would end with. */
async function outcomeOfCall(world: World, what: string, call: () => Promise<void>): Promise<Outcome> {
  world.note(`library: ${what}`);
  try {
    await call();
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string };
    return { code: kind === 'input' ? 3 : 4, stdout: '', stderr: `boardmill: ${message}\n` };
  }
}

/** Returns what `solveStream` yields as a line of ndjson. */
function printItem(style: Style, look: Look, item: { readonly case: number }): string {
  const error = 'error' in item && item.error;
  if (!error) return `${JSON.stringify(item)}\n`;
  return printRow(style, look, {
    caseNumber: item.case,
    answer: null,
    fault: error as never,
    isFailure: false,
    values: {},
  });
}

const withoutPlaces = (text: string) => text.replace(/"error":\{.*\}\}/g, '"error":{}}');
