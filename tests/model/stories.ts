/**
 * What may happen around an input, story by story: it is delivered in some way, solved twice, repaired, cut into shards, or
 * its run is disturbed. Each story plays in a folder of its own and compares what boardmill does with what the model says.
 */
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Outcome, ROOT } from '../cli/boardmill.js';
import { anyShare, type Style } from '../support/inputs.js';
import { headingOf, hideWords, printRow } from './answers.js';
import { filesAfter, isWholeCases, judge, type Verdict } from './model.js';
import {
  anyHow,
  anyInput,
  anyLargeInput,
  anyOptions,
  anyStyle,
  type Input,
  LARGE_CHUNKS,
  type Options,
  SMALL_CHUNKS,
  withOtherLetter,
  wordsOf,
} from './scenario.js';
import type { World } from './world.js';

/** A scenario: what it shows, for the coverage of the tests, and how it is played. */
export interface Scenario {
  /** The name of its story. */
  readonly story: string;
  readonly features: readonly string[];
  play(world: World): Promise<void>;
  /** What fast-check prints. The log of the world has the rest. */
  toString(): string;
}

export interface Story {
  /** The name for `--only`. */
  readonly name: string;
  readonly what: string;
  /** How often the story is drawn in long runs. */
  readonly weight: number;
  /** All features that its scenarios can have. Short tests assert that each of them occurs. */
  readonly features: readonly string[];
  readonly scenarios: fc.Arbitrary<Scenario>;
}

const OUTPUT = 'all.ans';
const STATS = 'stats.json';

/** A problem, and whether the input is so large that workers scan parts of it themselves. Large inputs take longer. */
const anyStyleAndSize = fc.record({
  style: anyStyle,
  isLarge: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

const chunksFor = (isLarge: boolean) => (isLarge ? LARGE_CHUNKS : undefined);

const withoutStats = (options: fc.Arbitrary<Options>) => options.map((given) => ({ ...given, stats: false }));

// ---- what all stories compare ----

/** Compares a run on one input with its verdict. `file` is the FILE of `-o FILE`; null if answers go to standard output. */
function expectRun(
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
  const hasStats = stats && (Number(outcome.code) < 2 || cases > 0);
  if (end === 'unknown') return;
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
function expectBeginning(world: World, verdict: Verdict, options: Options, hasCheckpoint: boolean): void {
  const partial = `${OUTPUT}.partial`;
  const text = world.has(partial) ? hideWords(world.read(partial), options.look.format) : '';
  const isRight = hasCheckpoint ? isWholeCases(text, verdict) : verdict.answers.startsWith(text);
  world.expect(`${partial} must be a beginning of the answers`, isRight);
  world.expect(`${OUTPUT} must not be there before the end of its run`, !world.has(OUTPUT));
  if (hasCheckpoint) {
    world.expect(
      'FILE.partial and FILE.checkpoint come together',
      world.has(partial) === world.has(`${OUTPUT}.checkpoint`),
    );
  }
}

function solveWords(
  style: Style,
  inputs: readonly string[],
  options: Options,
  file: string | null,
): string[] {
  return ['solve', style.name, ...inputs, ...wordsOf(options), ...(file === null ? [] : ['-o', file])];
}

function shown(style: Style, options: Options): string {
  return `${style.name} ${wordsOf(options).join(' ')}`;
}

// ---- one run ----

const DELIVERIES = ['argument', 'redirected', 'pipe', 'fifo', 'compressed'] as const;
type Delivery = (typeof DELIVERIES)[number];

/** The name of the input in messages, and the word for it on the command line. */
const NAMES: Readonly<Record<Delivery, { readonly name: string; readonly word: string }>> = {
  argument: { name: 'a.in', word: 'a.in' },
  compressed: { name: 'a.in.gz', word: 'a.in.gz' },
  fifo: { name: 'fifo', word: 'fifo' },
  pipe: { name: '<stdin>', word: '-' },
  redirected: { name: '<stdin>', word: '-' },
};

async function deliver(
  world: World,
  delivery: Delivery,
  args: readonly string[],
  bytes: Uint8Array,
): Promise<Outcome> {
  if (delivery === 'pipe') return world.run(args, bytes);
  world.put(delivery === 'compressed' ? 'a.in.gz' : 'a.in', bytes);
  if (delivery === 'redirected') return world.runShell(`boardmill ${args.join(' ')} < a.in`);
  if (delivery !== 'fifo') return world.run(args);
  const outcome = await world.runShell(
    `mkfifo fifo; { cat a.in > fifo; } > cat.log 2>&1 & boardmill ${args.join(' ')}`,
  );
  for (const name of ['fifo', 'cat.log']) world.forget(name);
  return outcome;
}

const oneRun: Story = {
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
  scenarios: anyStyleAndSize.chain(({ style, isLarge }) =>
    fc
      .record({
        input: isLarge ? anyLargeInput(style, 'some') : anyInput(style, { maxCases: 200, mistakes: 'some' }),
        options: anyOptions(style, anyHow(chunksFor(isLarge))),
        delivery: fc.constantFrom(...DELIVERIES),
        file: fc.constantFrom(null, OUTPUT),
      })
      .map(({ input: { bytes }, options, delivery, file }) => {
        const verdict = judge(style, options.look, NAMES[delivery].name, bytes);
        return {
          story: 'delivery',
          features: [
            delivery,
            file === null ? 'to standard output' : 'to a file',
            options.look.format,
            verdict.end === 'fault' ? 'bad' : verdict.marked > 0 ? 'marked' : 'good',
          ],
          toString: () => `${delivery}: ${shown(style, options)}`,
          async play(world) {
            const args = solveWords(style, [NAMES[delivery].word], options, file);
            expectRun(world, await deliver(world, delivery, args, bytes), verdict, options, file);
          },
        };
      }),
  ),
};

// ---- the library ----

// `require` loads the build without vitest, as a user's program does.
const library: typeof import('../../src/index.js') = createRequire(import.meta.url)(
  join(ROOT, 'dist/src/index.js'),
);

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

const theLibrary: Story = {
  name: 'library',
  what: 'a program calls the library',
  weight: 3,
  features: ['solveFile', 'solveStream'],
  scenarios: anyStyle.chain((style) =>
    fc
      .record({
        input: anyInput(style, { maxCases: 100, mistakes: 'some' }),
        options: withoutStats(anyOptions(style)),
        call: fc.constantFrom('solveFile', 'solveStream'),
      })
      .map(({ input: { bytes }, options, call }) => ({
        story: 'library',
        features: [call],
        toString: () => `${call}: ${shown(style, options)}`,
        play: (world) =>
          (call === 'solveFile' ? playSolveFile : playSolveStream)(world, style, options, bytes),
      })),
  ),
};

async function playSolveFile(world: World, style: Style, options: Options, bytes: Uint8Array): Promise<void> {
  const { format, columns } = options.look;
  world.put('a.in', bytes);
  const verdict = judge(style, options.look, world.at('a.in'), bytes);
  const given = { ...libraryOptions(options), format, columns };
  let marked = 0;
  const outcome = await outcomeOfCall(world, `solveFile ${JSON.stringify(given)}`, async () => {
    const stats = await library.solveFile(style.name, world.at('a.in'), world.at(OUTPUT), given);
    marked = stats.failedCases;
  });
  const { end, errors } = verdict;
  const code = outcome.code === 0 && marked > 0 ? 1 : outcome.code;
  world.expectOutcome(
    { ...outcome, code },
    { codes: verdict.codes, ...(end === 'fault' ? { errors: errors.slice(-1) } : {}) },
  );
  if (end !== 'unknown') world.expectFiles(filesAfter(verdict, OUTPUT), format);
}

async function playSolveStream(
  world: World,
  style: Style,
  options: Options,
  bytes: Uint8Array,
): Promise<void> {
  const look = { ...options.look, format: 'ndjson', columns: [], fileFirst: false } as const;
  const verdict = judge(style, look, '<stream>', bytes);
  world.put('a.in', bytes);
  let text = '';
  const given = libraryOptions(options);
  const outcome = await outcomeOfCall(world, `solveStream ${JSON.stringify(given)}`, async () => {
    const stream = createReadStream(world.at('a.in'), { highWaterMark: 100 });
    for await (const item of library.solveStream(style.name, stream, given)) {
      const error = 'error' in item && item.error;
      text += error
        ? printRow(style, look, { caseNumber: item.case, answer: null, fault: error as never, values: {} })
        : `${JSON.stringify(item)}\n`;
    }
  });
  const codes = verdict.codes.map((code) => (code === 1 ? 0 : code));
  world.expectOutcome(outcome, { codes });
  const isRight =
    verdict.end === 'unknown'
      ? withoutPlaces(text).startsWith(withoutPlaces(verdict.answers))
      : withoutPlaces(text) === withoutPlaces(verdict.answers);
  world.note(`  yielded: ${text}`);
  world.expect(`solveStream must yield ${verdict.answers}`, isRight);
}

const withoutPlaces = (text: string) => text.replace(/"error":\{.*\}\}/g, '"error":{}}');

// ---- the same command again ----

const again: Story = {
  name: 'again',
  what: 'an input is solved, perhaps changed, and solved again',
  weight: 3,
  features: ['unchanged', 'changed', 'scanned by workers'],
  scenarios: anyStyleAndSize.chain(({ style, isLarge }) =>
    fc
      .record({
        input: isLarge ? anyLargeInput(style) : anyInput(style, { maxCases: 60, mistakes: 'none' }),
        options: withoutStats(anyOptions(style, anyHow(chunksFor(isLarge)))),
        how: anyHow(chunksFor(isLarge)),
        change: fc.option(anyShare(), { freq: 2 }),
      })
      .map(({ input: { good }, options, how, change }) => ({
        story: 'again',
        features: [change === null ? 'unchanged' : 'changed', ...(isLarge ? ['scanned by workers'] : [])],
        toString: () => `again, change at ${change}: ${shown(style, options)}`,
        play: (world) => playAgain(world, style, good, change, [options, { ...options, how }]),
      })),
  ),
};

async function playAgain(
  world: World,
  style: Style,
  bytes: Input['good'],
  change: number | null,
  [first, second]: Options[],
): Promise<void> {
  world.put('a.in', bytes);
  expectRun(
    world,
    await world.run(solveWords(style, ['a.in'], first, OUTPUT)),
    judge(style, first.look, 'a.in', bytes),
    first,
    OUTPUT,
  );
  const later = change === null ? bytes : withOtherLetter(style, bytes, change);
  if (change !== null) world.put('a.in', later);
  const outcome = await world.run(solveWords(style, ['a.in'], second, OUTPUT));
  const verdict = judge(style, second.look, 'a.in', later);
  if (verdict.end === 'reached') {
    expectRun(world, outcome, verdict, second, OUTPUT);
    const mustSay = Buffer.compare(later, bytes) === 0 && !second.quiet;
    const says = outcome.stderr.includes('is up to date');
    world.expect('answers are up to date if nothing has changed', says || !mustSay);
    return;
  }
  // The change has made the input invalid. The answers of the first run stay where they are.
  world.expectOutcome(outcome, { codes: verdict.codes });
}

// ---- a bad input that is repaired ----

const repaired: Story = {
  name: 'repair',
  what: 'a bad input is repaired, and its run is resumed',
  weight: 4,
  features: ['started over', 'resumed', 'resumed or refused', 'an answered case was changed, too'],
  scenarios: anyStyle.chain((style) =>
    fc
      .record({
        input: anyInput(style, { maxCases: 120, minCases: 2, mistakes: 'always' }),
        options: withoutStats(anyOptions(style)),
        how: anyHow(),
        edit: fc.option(anyShare()),
      })
      .map(({ input, options, how, edit }) => {
        const look = { ...options.look, onError: 'stop' } as const;
        const judgeOne = (bytes: Uint8Array) => judge(style, look, 'a.in', bytes);
        const bad = judgeOne(input.bytes);
        const edited = edit === null ? input.good : withOtherLetter(style, input.good, edit);
        const isEdited = edited !== input.good && judgeOne(edited).end === 'reached';
        const later = isEdited ? edited : input.good;
        const may = resumption(bad, input.bytes, later);
        const given = { ...options, look };
        return {
          story: 'repair',
          features: [may, ...(isEdited ? ['an answered case was changed, too'] : [])],
          toString: () => `repaired, ${may}: ${shown(style, given)}`,
          play: (world: World) =>
            playRepaired(world, style, [input.bytes, later], [given, { ...given, how }], bad, may),
        };
      }),
  ),
};

/**
 * Says what `--resume` may do after an input was repaired. If nothing has changed before the bad case, it must continue. If
 * something has, it may refuse, or start over at a place before the change.
 */
function resumption({ badStart, cases }: Verdict, bad: Uint8Array, later: Uint8Array): string {
  if (cases === 0) return 'started over';
  const differs = bad.findIndex((byte, at) => later[at] !== byte);
  const same = differs < 0 ? Math.min(bad.length, later.length) : differs;
  return same > badStart ? 'resumed' : 'resumed or refused';
}

async function playRepaired(
  world: World,
  style: Style,
  [before, later]: [Input['bytes'], Input['bytes']],
  [first, second]: [Options, Options],
  bad: Verdict,
  may: string,
): Promise<void> {
  world.put('a.in', before);
  const outcome = await world.run(solveWords(style, ['a.in'], first, OUTPUT));
  expectRun(world, outcome, bad, first, OUTPUT);
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

// ---- folders ----

/** The names of the inputs of a folder, in the order in which a table has them. */
const FOLDER = ['data/a.in', 'data/b.in.gz', 'data/c/d.in', 'data/e.in'];
const ENDINGS = { text: '.ans', ndjson: '.ndjson', csv: '.csv' } as const;

/** Where the answers to the inputs of a folder go. */
const PLACES = ['beside', 'ending', 'folder'] as const;

const folders: Story = {
  name: 'folder',
  what: 'a folder is solved, one input is changed and one is added, and the folder is solved again',
  weight: 8,
  features: [...PLACES, 'all good', 'some bad', 'some refused', 'some resumed', 'scanned by workers'],
  scenarios: anyStyleAndSize.chain(({ style, isLarge }) => folderScenario(style, isLarge)),
};

function folderScenario(style: Style, isLarge: boolean): fc.Arbitrary<Scenario> {
  const small = anyInput(style, { maxCases: 30, mistakes: 'some' });
  const large = anyLargeInput(style);
  return fc
    .record({
      inputs: isLarge
        ? fc.oneof(fc.tuple(large, small), fc.tuple(small, large, small))
        : fc.array(small, { minLength: 2, maxLength: FOLDER.length }),
      options: withoutStats(anyOptions(style, anyHow(chunksFor(isLarge)))),
      how: anyHow(chunksFor(isLarge)),
      place: fc.constantFrom(...PLACES),
      changed: fc.nat(),
      change: anyShare(),
      resume: fc.boolean(),
    })
    .map(({ inputs, options, how, place, changed, change, resume }) => {
      const verdicts = inputs.map(({ bytes }, i) => judge(style, options.look, FOLDER[i], bytes));
      const isGood = verdicts.every(({ end }) => end === 'reached');
      const which = changed % (inputs.length - 1);
      // An unchanged input has left a checkpoint, which must not keep the input that is added from being solved.
      const isLeft =
        verdicts.at(-1)!.end === 'reached' &&
        verdicts.every(({ end }) => end !== 'unknown') &&
        verdicts.slice(0, -1).some(({ end, cases }, i) => end === 'fault' && cases > 0 && i !== which);
      return {
        story: 'folder',
        features: [
          place,
          isGood ? 'all good' : 'some bad',
          ...(isLeft ? [resume ? 'some resumed' : 'some refused'] : []),
          ...(isLarge ? ['scanned by workers'] : []),
        ],
        toString: () => `folder, ${place}, change of ${which} at ${change}: ${shown(style, options)}`,
        play: (world: World) =>
          playFolder(
            world,
            style,
            inputs.map(({ bytes }) => bytes),
            [options, { ...options, how }],
            place,
            which,
            change,
            resume,
          ),
      };
    });
}

async function playFolder(
  world: World,
  style: Style,
  inputs: readonly Input['bytes'][],
  [first, second]: Options[],
  place: (typeof PLACES)[number],
  changed: number,
  change: number,
  resume: boolean,
): Promise<void> {
  const { look } = first;
  const where = { beside: [], ending: ['--ext', '.out'], folder: ['--out-dir', 'answers'] }[place];
  const answersTo = (name: string) =>
    name
      .replace(/\.in(\.gz)?$/, place === 'ending' ? '.out' : ENDINGS[look.format])
      .replace(/^data/, place === 'folder' ? 'answers' : 'data');
  const judgeAll = (all: readonly Uint8Array[]) =>
    all.map((bytes, i) => judge(style, look, FOLDER[i], bytes));
  const [earlier, newcomer] = [inputs.slice(0, -1), inputs.length - 1];
  for (const [i, bytes] of earlier.entries()) world.put(FOLDER[i], bytes);

  const verdicts = judgeAll(earlier);
  const outcome = await world.run([...solveWords(style, ['data'], first, null), ...where]);
  expectFolder(world, outcome, verdicts, first, answersTo, []);

  const later = inputs.with(changed, withOtherLetter(style, inputs[changed], change));
  for (const i of [changed, newcomer]) world.put(FOLDER[i], later[i]);
  const after = judgeAll(later);
  const refused = verdicts.map(
    ({ end, cases }, i) => !resume && i !== changed && end !== 'reached' && cases > 0,
  );
  const repeated = await world.run([
    ...solveWords(style, ['data'], second, null),
    ...where,
    ...(resume ? ['--resume'] : []),
  ]);
  const isSettled = [...verdicts, ...after].every(({ end }) => end !== 'unknown');
  // A change that makes an answered input invalid leaves its old answers beside the new ones that are not complete.
  if (!isSettled || after[changed].end !== 'reached')
    expectOthers(world, repeated, after, changed, look, answersTo);
  else expectFolder(world, repeated, after, second, answersTo, refused);
}

/** Compares the files of a folder, and the gravest exit code of its inputs. */
function expectFolder(
  world: World,
  outcome: Outcome,
  verdicts: readonly Verdict[],
  { look }: Options,
  answersTo: (name: string) => string,
  refused: readonly boolean[],
): void {
  if (verdicts.some(({ end }) => end === 'unknown')) return;
  const gravest = Math.max(...verdicts.map(({ codes }, i) => (refused[i] ? 2 : codes[0])));
  const errors = verdicts.flatMap((verdict, i) => (refused[i] ? [] : verdict.errors));
  const isOpen = refused.includes(true);
  world.expectOutcome(outcome, { codes: [gravest], stdout: (text) => text === '' });
  for (const error of errors)
    world.expect(`a line must report ${error}`, isOpen || outcome.stderr.includes(error));
  const files = verdicts.map((verdict, i) => filesAfter(verdict, answersTo(FOLDER[i])));
  world.expectFiles(Object.assign({}, ...files), look.format);
}

/** Compares the answers to those inputs that are good and were not changed. If an answer is missing, the exit code says so. */
function expectOthers(
  world: World,
  { code }: Outcome,
  verdicts: readonly Verdict[],
  changed: number,
  { format }: Options['look'],
  answersTo: (name: string) => string,
): void {
  const lacksAnswers = verdicts.some(({ end }) => end === 'fault');
  world.expect('a run that lacks an answer must not end with the exit code 0', !lacksAnswers || code !== 0);
  for (const [i, { end, answers }] of verdicts.entries()) {
    if (i === changed || end !== 'reached') continue;
    const name = answersTo(FOLDER[i]);
    world.expect(
      `${name} must have the right answers`,
      world.has(name) && hideWords(world.read(name), format) === answers,
    );
  }
}

// ---- one table of several inputs ----

const table: Story = {
  name: 'table',
  what: 'several inputs make one table',
  weight: 3,
  features: ['a whole table', 'a table up to a bad case'],
  scenarios: anyStyle.chain((style) =>
    fc
      .record({
        inputs: fc.array(anyInput(style, { maxCases: 30, mistakes: 'some' }), {
          minLength: 2,
          maxLength: FOLDER.length,
        }),
        options: withoutStats(anyOptions(style)),
        how: anyHow(),
        format: fc.constantFrom<'csv' | 'ndjson'>('csv', 'ndjson'),
      })
      .map(({ inputs, options, how, format }) => {
        const look = { ...options.look, format, fileFirst: true };
        const bad = judgeTable(
          style,
          look,
          inputs.map(({ bytes }) => bytes),
        );
        const good = judgeTable(
          style,
          look,
          inputs.map((input) => input.good),
        );
        const given = { ...options, look };
        return {
          story: 'table',
          features: [bad.end === 'reached' ? 'a whole table' : 'a table up to a bad case'],
          toString: () => `table: ${shown(style, given)}`,
          play: (world: World) => playTable(world, style, inputs, [given, { ...given, how }], bad, good),
        };
      }),
  ),
};

/** The verdict of a table: the rows of its inputs, up to the first fault that ends a run. */
function judgeTable(style: Style, look: Options['look'], inputs: readonly Uint8Array[]): Verdict {
  const verdicts = inputs.map((bytes, i) => judge(style, look, FOLDER[i], bytes));
  const ending = verdicts.findIndex(({ end }) => end !== 'reached');
  const read = ending < 0 ? verdicts : verdicts.slice(0, ending + 1);
  const sum = (key: 'cases' | 'marked') => read.reduce((total, verdict) => total + verdict[key], 0);
  const heading = headingOf(look);
  return {
    ...read.at(-1)!,
    answers: heading + read.map(({ answers }) => answers.slice(heading.length)).join(''),
    cases: sum('cases'),
    marked: sum('marked'),
    codes: read.at(-1)!.end === 'reached' ? [sum('marked') > 0 ? 1 : 0] : read.at(-1)!.codes,
    errors: read.flatMap(({ errors }) => errors),
  };
}

async function playTable(
  world: World,
  style: Style,
  inputs: readonly Input[],
  [first, second]: Options[],
  bad: Verdict,
  good: Verdict,
): Promise<void> {
  for (const [i, { bytes }] of inputs.entries()) world.put(FOLDER[i], bytes);
  const outcome = await world.run(solveWords(style, ['data'], first, OUTPUT));
  // Inputs are solved at the same time, so a marked case of an input behind the fault may be reported, too.
  world.expectOutcome(outcome, { codes: bad.codes, stdout: (text) => text === '' });
  if (bad.end !== 'unknown') world.expectFiles(filesAfter(bad, OUTPUT), first.look.format);
  if (bad.end === 'reached') return;
  for (const [i, input] of inputs.entries()) world.put(FOLDER[i], input.good);
  const words = solveWords(style, ['data'], second, OUTPUT);
  const resumed = await world.run([...words, '--resume']);
  world.expectOutcome(resumed, { codes: [2, ...good.codes] });
  if (resumed.code === 2) world.expectOutcome(await world.run([...words, '--force']), { codes: good.codes });
  world.expectFiles(filesAfter(good, OUTPUT), first.look.format);
}

// ---- shards ----

const shards: Story = {
  name: 'shards',
  what: 'an input is solved in shards, which are merged',
  weight: 4,
  features: ['merged', 'merged with marked cases', 'not merged', 'shards scanned by workers'],
  scenarios: anyStyleAndSize.chain(({ style, isLarge }) =>
    fc
      .record({
        input: isLarge
          ? anyLargeInput(style)
          : fc.oneof(
              anyInput(style, { maxCases: 100, mistakes: 'some' }),
              anyInput(style, { maxCases: 100, mistakes: 'letters' }),
            ),
        options: withoutStats(anyOptions(style, anyHow(chunksFor(isLarge)))),
        count: fc.integer({ min: 1, max: isLarge ? 3 : 5 }),
        file: fc.constantFrom(null, OUTPUT),
      })
      .map(({ input: { bytes }, options, count, file }) => {
        const verdict = judge(style, options.look, 'a.in', bytes);
        return {
          story: 'shards',
          features: [
            verdict.end !== 'reached'
              ? 'not merged'
              : verdict.marked > 0
                ? 'merged with marked cases'
                : 'merged',
            ...(isLarge ? ['shards scanned by workers'] : []),
          ],
          toString: () => `${count} shards: ${shown(style, options)}`,
          play: (world: World) => playShards(world, style, bytes, options, count, file, verdict),
        };
      }),
  ),
};

async function playShards(
  world: World,
  style: Style,
  bytes: Uint8Array,
  options: Options,
  count: number,
  file: string | null,
  verdict: Verdict,
): Promise<void> {
  world.put('a.in', bytes);
  const names = Array.from({ length: count }, (_, i) => `part.${i + 1}`);
  const codes: Outcome['code'][] = [];
  for (const [i, name] of names.entries()) {
    const words = [...solveWords(style, ['a.in'], options, name), '--shard', `${i + 1}/${count}`];
    codes.push((await world.run(words)).code);
  }
  const merged = await world.run(['merge', ...names, ...(file === null ? [] : ['-o', file])]);
  if (verdict.end === 'unknown') return;
  if (verdict.end === 'fault') {
    world.expect(
      `a shard must fail with code 3: ${codes}`,
      codes.includes(3) && codes.every((code) => code !== 2 && code !== 4),
    );
    world.expectOutcome(merged, { codes: [2], stdout: (text) => text === '' });
    world.expect('no table may be made of shards that failed', !world.has(OUTPUT));
    return;
  }
  world.expect(
    `the shards must end as one run does: ${codes}`,
    Math.max(...codes.map(Number)) === verdict.codes[0],
  );
  const { format } = options.look;
  world.expectOutcome(merged, {
    codes: verdict.codes,
    stdout: (text) => hideWords(text, format) === (file === null ? verdict.answers : ''),
  });
  const joined = hideWords(names.map((name) => world.read(name)).join(''), format);
  world.expect('the parts, one after another, must be the answers of one run', joined === verdict.answers);
  const parts = Object.fromEntries(
    names.flatMap((name) => [name, `${name}.shard`]).map((name) => [name, null]),
  );
  world.expectFiles({ ...parts, ...(file === null ? {} : { [file]: verdict.answers }) }, format);
}

// ---- signals ----

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
type Signal = (typeof SIGNALS)[number];

/** The exit code after a signal; SIGKILL has none. */
const codeOf = (signal: Signal) => (signal === 'SIGKILL' ? signal : 128 + constants.signals[signal]);

/** When the signal is sent: as soon as there are answers, or as soon as there is a checkpoint. */
const MOMENTS = ['answers', 'checkpoint'] as const;

const stopped: Story = {
  name: 'stop',
  what: 'a run is stopped by a signal and resumed',
  weight: 4,
  features: [...SIGNALS, ...MOMENTS, 'a pipe', 'a large file', 'a large pipe', 'marked'],
  scenarios: fc
    .record({
      style: anyStyle,
      way: fc.constantFrom('a pipe', 'a pipe', 'a pipe', 'a large file', 'a large pipe'),
    })
    .chain(({ style, way }) => {
      const isLarge = way !== 'a pipe';
      const hows = anyHow(isLarge ? LARGE_CHUNKS : SMALL_CHUNKS);
      return fc
        .record({
          input: isLarge
            ? anyLargeInput(style, 'letters')
            : anyInput(style, { minCases: 40, maxCases: 300, mistakes: 'letters' }),
          options: withoutStats(anyOptions(style, hows)),
          how: anyHow(isLarge ? [...LARGE_CHUNKS, '1K'] : undefined),
          signal: fc.constantFrom(...SIGNALS),
          moment: fc.constantFrom(...MOMENTS),
          share: anyShare().map((rest) => 0.5 + rest / 2.1),
        })
        .map(({ input, options, how, signal, moment, share }) => ({
          story: 'stop',
          features: [signal, moment, way, ...(isMarked(options, input) ? ['marked'] : [])],
          toString: () => `${signal} after ${moment} of ${way}: ${shown(style, options)}`,
          play: (world: World) =>
            playStopped(
              world,
              style,
              isMarked(options, input) ? input.bytes : input.good,
              [options, { ...options, how }],
              way !== 'a large file',
              signal,
              moment,
              share,
            ),
        }));
    }),
};

/** Whether a run marks the mistakes of an input. Without `mark`, it would end at the first of them. */
const isMarked = ({ look }: Options, { bytes, good }: Input) =>
  look.onError === 'mark' && Buffer.compare(bytes, good) !== 0;

async function playStopped(
  world: World,
  style: Style,
  bytes: Uint8Array,
  [first, second]: Options[],
  isPipe: boolean,
  signal: Signal,
  moment: (typeof MOMENTS)[number],
  share: number,
): Promise<void> {
  const name = isPipe ? '<stdin>' : 'a.in';
  const verdict = judge(style, first.look, name, bytes);
  // A wrong letter may leave open where the next case begins, for example in the last row of the input.
  if (verdict.end !== 'reached') return;
  if (!isPipe) world.put('a.in', bytes);
  const words = (options: Options) => solveWords(style, [isPipe ? '-' : 'a.in'], options, OUTPUT);
  const beginning = isPipe ? bytes.subarray(0, Math.floor(share * bytes.length)) : null;
  const sign = moment === 'answers' ? `${OUTPUT}.partial` : `${OUTPUT}.checkpoint`;
  const outcome = await world.runUntil(
    words(first),
    beginning,
    signal,
    () => world.has(sign) && world.read(sign) !== '',
  );
  world.expectOutcome(outcome, {
    codes: isPipe ? [codeOf(signal)] : [codeOf(signal), ...verdict.codes],
    stdout: (text) => text === '',
  });
  if (verdict.codes.includes(Number(outcome.code))) {
    world.expectFiles(filesAfter(verdict, OUTPUT), first.look.format);
    return;
  }
  // SIGKILL may come between any two system calls, even after FILE has got its name.
  if (signal !== 'SIGKILL' || isPipe) expectBeginning(world, verdict, first, signal !== 'SIGKILL');
  await expectResumed(
    world,
    words(second),
    isPipe ? bytes : undefined,
    verdict,
    second,
    signal === 'SIGKILL',
  );
}

/** Continues a run, and compares the result with that of an undisturbed run. */
async function expectResumed(
  world: World,
  words: readonly string[],
  stdin: Uint8Array | undefined,
  verdict: Verdict,
  options: Options,
  mayBeRefused: boolean,
): Promise<void> {
  const hasCheckpoint = world.has(`${OUTPUT}.checkpoint`);
  const resumed = await world.run([...words, '--resume'], stdin);
  // Answers without a checkpoint may be somebody else's.
  if (mayBeRefused && !hasCheckpoint && resumed.code === 2) {
    world.expectOutcome(await world.run([...words, '--force'], stdin), { codes: verdict.codes });
  } else world.expectOutcome(resumed, { codes: verdict.codes });
  world.expectFiles(filesAfter(verdict, OUTPUT), options.look.format);
}

// ---- outputs that take no more ----

const fullDisk: Story = {
  name: 'full',
  what: 'the disk is full',
  weight: 2,
  features: ['a full standard output', 'a full device', 'a limit on the size of files'],
  scenarios: anyStyle.chain((style) =>
    fc
      .record({
        input: anyInput(style, { minCases: 1, maxCases: 200, mistakes: 'none' }),
        options: withoutStats(anyOptions(style)),
        how: anyHow(),
        what: fc.constantFrom('a full standard output', 'a full device', 'a limit on the size of files'),
      })
      .map(({ input: { good }, options, how, what }) => ({
        story: 'full',
        features: [what],
        toString: () => `${what}: ${shown(style, options)}`,
        play: (world: World) => playFullDisk(world, style, good, [options, { ...options, how }], what),
      })),
  ),
};

/** The unit of `ulimit -f` in sh. */
const BLOCK_BYTES = 512;

async function playFullDisk(
  world: World,
  style: Style,
  bytes: Uint8Array,
  [first, second]: Options[],
  what: string,
): Promise<void> {
  const verdict = judge(style, first.look, 'a.in', bytes);
  world.put('a.in', bytes);
  if (what !== 'a limit on the size of files') {
    const line = solveWords(style, ['a.in'], first, what === 'a full device' ? '/dev/full' : null).join(' ');
    const outcome = await world.runShell(
      `boardmill ${line}${what === 'a full device' ? '' : ' > /dev/full'}`,
    );
    world.expectOutcome(outcome, { codes: [verdict.answers === '' ? 0 : 4], stdout: (text) => text === '' });
    world.expectFiles({}, first.look.format);
    return;
  }
  const words = (options: Options) => solveWords(style, ['a.in'], options, OUTPUT);
  const outcome = await world.runShell(`ulimit -f 2; boardmill ${words(first).join(' ')}`);
  const isTooLarge = verdict.answers.length > 2 * BLOCK_BYTES;
  // The checkpoint is a file, too, and may reach the limit before the answers do.
  world.expectOutcome(outcome, { codes: isTooLarge ? [4] : [0, 4], stdout: (text) => text === '' });
  if (outcome.code === 0) world.expectFiles(filesAfter(verdict, OUTPUT), first.look.format);
  else {
    expectBeginning(world, verdict, first, false);
    await expectResumed(world, words(second), undefined, verdict, second, true);
  }
}

const closedPipe: Story = {
  name: 'unread',
  what: 'nobody reads the answers to their end',
  weight: 2,
  features: ['closed at once', 'closed later'],
  scenarios: anyStyle.chain((style) =>
    fc
      .record({
        input: anyInput(style, { minCases: 1, maxCases: 200, mistakes: 'none' }),
        options: withoutStats(anyOptions(style)),
        bytes: fc.constantFrom(0, 1, 100),
      })
      .map(({ input: { good }, options, bytes }) => ({
        story: 'unread',
        features: [bytes === 0 ? 'closed at once' : 'closed later'],
        toString: () => `closed after ${bytes} bytes: ${shown(style, options)}`,
        play: async (world: World) => {
          world.put('a.in', good);
          const { answers } = judge(style, options.look, 'a.in', good);
          const outcome = await world.runToClosedPipe(solveWords(style, ['a.in'], options, null), bytes);
          const codes = answers === '' ? [0] : bytes === 0 ? [141] : [0, 141];
          world.expectOutcome(outcome, { codes, errors: [], stdout: (text) => answers.startsWith(text) });
          world.expectFiles({}, options.look.format);
        },
      })),
  ),
};

export const STORIES: readonly Story[] = [
  oneRun,
  theLibrary,
  again,
  repaired,
  folders,
  table,
  shards,
  stopped,
  fullDisk,
  closedPipe,
];
