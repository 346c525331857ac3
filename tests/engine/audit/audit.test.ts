/** Answers that are checked by symmetric twins, in runs whose worker lies now and then. */
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../../src/catalog/registry.js';
import { WrongAnswerError } from '../../../src/core/errors.js';
import { Audit, type AuditDifference } from '../../../src/engine/audit/audit.js';
import { AuditedSink } from '../../../src/engine/audit/audited-sink.js';
import { ChunkFailure, type Dispatcher } from '../../../src/engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../../../src/engine/messages.js';
import type { ChunkSettings } from '../../../src/engine/output-settings.js';
import { GivenUpError } from '../../../src/engine/recover.js';
import { solveInput } from '../../../src/engine/run.js';
import { RunTally } from '../../../src/engine/tally.js';
import { splitAtOffsets } from '../../../src/formats/assemble-input.js';
import { OUTPUT_FORMATS } from '../../../src/problems/output-formats.js';
import { dispatcherOf } from '../../support/dispatchers.js';
import { InProcess } from '../../support/in-process.js';
import { bulkInput, styleOf } from '../../support/inputs.js';
import { Random } from '../../support/random.js';
import { runs, SEED } from '../../support/random-tests.js';
import { MemorySink, runOptions, sourceOf } from '../../support/running.js';

const CASES = 60;
const MAX_SIDE = 4;

interface AuditedRun {
  readonly problemName: string;
  readonly input: string | Uint8Array<ArrayBuffer>;
  readonly settings?: Partial<ChunkSettings>;
  readonly share?: number;
  /** Changes what workers return. */
  readonly lie?: (result: ChunkResult, task: ChunkTask) => ChunkResult;
}

/** Solves an input with an audit in this process. */
async function audit({ problemName, input, settings = {}, share = 1, lie = (result) => result }: AuditedRun) {
  const problem = await loadProblem(problemName);
  const honest = new InProcess(problem);
  const tasks: ChunkTask[] = [];
  const dispatcher: Dispatcher = dispatcherOf(async (task) => {
    tasks.push(task);
    return lie(await honest.solve(task), task);
  });
  const random = new Random(SEED);
  const differences: AuditDifference[] = [];
  const save = async (difference: AuditDifference) => {
    differences.push(difference);
    return 'saved';
  };
  const found = new Audit({ problem, share, random: () => random.below(2 ** 30) / 2 ** 30, save });
  const defaults = runOptions({ problem, chunkBytes: 200 });
  const options = { ...defaults, settings: { ...defaults.settings, ...settings } };
  const answers = new MemorySink();
  const sink = new AuditedSink(answers, found, dispatcher, 'test.in', options.settings);
  const failure = await solveInput(sourceOf(input), sink, dispatcher, options, new RunTally())
    .then(() => sink.settle())
    .catch((error: Error) => error);
  return { found, failure, differences, tasks, text: answers.text };
}

/** Returns the text of each case of a task. */
function textsOf({ bytes, starts }: ChunkTask): string[] {
  return splitAtOffsets(bytes, starts).map((text) => Buffer.from(text).toString('latin1').trim());
}

/** Replaces the digit at the end of the first answer by another one. */
function changeFirstAnswer(result: ChunkResult): ChunkResult {
  const text = Buffer.from(result.output).toString('latin1');
  const changed = text.replace(/\d\n/, (digit) => `${(Number(digit[0]) + 1) % 10}\n`);
  return { ...result, output: new Uint8Array(Buffer.from(changed, 'latin1')) };
}

const WITH_SYMMETRIES = (await Promise.all(PROBLEMS.map(({ name }) => loadProblem(name)))).flatMap(
  ({ name, cases }) => (cases.symmetries === undefined ? [] : [name]),
);

describe.each(WITH_SYMMETRIES)('%s', (problemName) => {
  const input = bulkInput(styleOf(problemName), CASES, MAX_SIDE, SEED);

  test.each(OUTPUT_FORMATS)('right answers in %s are those of their twins', async (outputFormat) => {
    const { found, failure } = await audit({ problemName, input, settings: { outputFormat } });
    expect(failure).toBeUndefined();
    expect(found.stats).toMatchObject({ pairs: CASES, differences: 0 });
  });

  test('a solver meets most twins as other boards', async () => {
    const { tasks } = await audit({ problemName, input });
    const [cases, twins] = [true, false].map((isOfInput) =>
      tasks.filter(({ place }) => (place !== undefined) === isOfInput).flatMap(textsOf),
    );
    expect(twins).toHaveLength(CASES);
    expect(twins.filter((text) => !cases.includes(text)).length).toBeGreaterThan(CASES / 4);
  });
});

describe('a difference', () => {
  const input = bulkInput(styleOf('bacterial-tactics'), CASES, MAX_SIDE, SEED);

  test.each(OUTPUT_FORMATS)('ends the run, and the two boards are saved (%s)', async (outputFormat) => {
    const { failure, differences, found } = await audit({
      problemName: 'bacterial-tactics',
      input,
      settings: { outputFormat },
      lie: (result, task) => (task.place === undefined ? changeFirstAnswer(result) : result),
    });
    expect(failure).toBeInstanceOf(WrongAnswerError);
    expect((failure as Error).message).toMatch(
      /^test\.in: case \d+: its answer ".+" does not fit the answer to its symmetric twin, from which ".+" follows; .*; saved$/,
    );
    expect(differences).toHaveLength(1);
    expect(found.stats).toMatchObject({ bound: null });
    expect(found.stats.differences).toBeGreaterThan(0);
    expect(found.describe()).toBeNull();
  });

  test('is found within 1,500 cases if every hundredth answer is wrong and 30 % are audited', async () => {
    const cases = 1500;
    for (let run = 0; run < runs(3); run++) {
      let answers = 0;
      const { failure } = await audit({
        problemName: 'bacterial-tactics',
        input: bulkInput(styleOf('bacterial-tactics'), cases, 2, SEED + run),
        share: 0.3,
        lie: (result) => {
          answers += result.answeredCases;
          if (answers < 100) return result;
          answers = 0;
          return changeFirstAnswer(result);
        },
      });
      expect(failure, `run ${run} of the seed ${SEED}`).toBeInstanceOf(WrongAnswerError);
    }
  });
});

test('about the share is audited that the user has asked for, and it is not the same part for each seed', async () => {
  const cases = 2000;
  const input = bulkInput(styleOf('bacterial-tactics'), cases, 2, SEED);
  for (const share of [0.05, 0.5]) {
    const { found } = await audit({ problemName: 'bacterial-tactics', input, share });
    const { pairs } = found.stats;
    // Six standard deviations.
    expect(Math.abs(pairs - cases * share)).toBeLessThan(6 * Math.sqrt(cases * share * (1 - share)));
  }
});

test.each(OUTPUT_FORMATS)('marked cases have no answer to audit (%s)', async (outputFormat) => {
  const input = '4\n1 1\n.\n1 1\n?\n1 2\n..\n1 1\n?\n';
  const { found, failure } = await audit({
    problemName: 'bacterial-tactics',
    input,
    settings: { outputFormat, onError: 'mark' },
  });
  expect(failure).toBeUndefined();
  expect(found.stats.pairs).toBe(2);
});

test('columns change nothing', async () => {
  const input = bulkInput(styleOf('bacterial-tactics'), CASES, MAX_SIDE, SEED);
  for (const outputFormat of ['csv', 'ndjson'] as const) {
    for (const fileFirst of [true, false]) {
      const settings: Partial<ChunkSettings> = {
        outputFormat,
        columns: ['file', 'board', 'nimber'],
        fileFirst,
      };
      const { found } = await audit({ problemName: 'bacterial-tactics', input, settings });
      expect(found.stats.pairs).toBe(CASES);
    }
  }
});

test('a twin on which the solver fails says nothing, and the others are compared', async () => {
  const input = bulkInput(styleOf('bacterial-tactics'), CASES, MAX_SIDE, SEED);
  const { found, failure, text } = await audit({
    problemName: 'bacterial-tactics',
    input,
    lie: (result, { place, firstCase }) => {
      if (place !== undefined || firstCase > 1) return result;
      throw new ChunkFailure('crash', 'it died', null);
    },
  });
  expect(failure).toBeUndefined();
  expect(text.split('\n')).toHaveLength(CASES + 1);
  const { pairs, uncompared } = found.stats;
  expect([pairs + uncompared, pairs > 0, uncompared > 0]).toEqual([CASES, true, true]);
  expect(found.describe()).toMatch(/1 twin could not be solved, and so not compared$/);
});

test('a run that is given up while twins are being solved does not pass for an audited one', async () => {
  const input = bulkInput(styleOf('bacterial-tactics'), CASES, MAX_SIDE, SEED);
  const { failure } = await audit({
    problemName: 'bacterial-tactics',
    input,
    lie: (result, { place }) => {
      if (place !== undefined) return result;
      throw new ChunkFailure('given-up', 'the run was stopped', null);
    },
  });
  expect(failure).toBeInstanceOf(GivenUpError);
});

test('no answers, no bound', async () => {
  const { found } = await audit({ problemName: 'bacterial-tactics', input: '0\n' });
  expect(found.stats).toEqual({ pairs: 0, differences: 0, uncompared: 0, bound: null });
  expect(found.describe()).toBe(
    '0 answers were compared with those to symmetric twins, too few to say how rare wrong ones are',
  );
});

test('the bound is that of the rule of three', async () => {
  const problem = await loadProblem('bacterial-tactics');
  const found = new Audit({ problem, share: 1, random: () => 0, save: async () => '' });
  for (let pair = 0; pair < 3000; pair++) found.addPair(true);
  expect(found.stats.bound).toBeCloseTo(3 / 3000, 5);
  expect(found.describe()).toBe(
    'fewer than 1 wrong in 1,001 at 95 %: 3,000 answers were compared with those to symmetric twins',
  );
});
