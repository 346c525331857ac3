/**
 * Tests of the statistics behind `stats`: what it finds in inputs of all kinds of problems, and that it needs bounded memory.
 */
import { describe, expect, test } from 'vitest';
import { openProblem } from '../../../src/catalog/open-problem.js';
import { loadProblem } from '../../../src/catalog/registry.js';
import { ValueCounts } from '../../../src/core/value-counts.js';
import { solveInput } from '../../../src/engine/run.js';
import { RunTally } from '../../../src/engine/tally.js';
import { formats } from '../../../src/formats/language/formats.js';
import { grammarUseOf } from '../../../src/problems/grammar-use.js';
import { defineProblem, type ProblemOptions } from '../../../src/problems/modules/define-problem.js';
import { createModuleProblem } from '../../../src/problems/modules/module-problem.js';
import type { Problem } from '../../../src/problems/problem.js';
import {
  InputStatistics,
  type StatisticsLimits,
  type StatisticsSubject,
} from '../../../src/tools/stats/input-statistics.js';
import { toInputStats } from '../../../src/tools/stats/report.js';
import { StatisticsSink } from '../../../src/tools/stats/statistics-sink.js';
import { nimberLiterally } from '../../oracles/darkraft.js';
import { surveyInProcess } from '../../support/in-process.js';
import { bulkInput, styleOf } from '../../support/inputs.js';
import { boardOf, runOptions, sourceOf } from '../../support/running.js';
import { inPieces } from '../../support/scanning.js';
import { folderForEachTest } from '../../support/temporary-folder.js';

const folder = folderForEachTest();
const LIMITS: StatisticsLimits = { maxKeys: 1000, maxChars: 1e6, maxRememberedCases: 1e5 };

interface SurveyOptions {
  readonly limits?: Partial<StatisticsLimits>;
  readonly chunkBytes?: number;
  readonly answers?: string;
}

function subjectOf(problem: Problem, hasAnswers: boolean): StatisticsSubject {
  const sets = Object.keys(problem.contest?.data.sets ?? {});
  const { numbers } = problem.cases.createMeasure();
  const findsSymmetricCases = problem.cases.symmetries !== undefined;
  return { numbers, sets, findsSymmetricCases, hasAnswers, hasNimbers: problem.hasNimbers === true };
}

/** Counts the cases of an input. The cases are solved if no answers are given and the problem has a solver on this thread. */
async function surveyOf(problem: Problem, input: string, options: SurveyOptions = {}) {
  const { limits, chunkBytes = 64, answers } = options;
  const solves = answers === undefined && problem.solvers !== null;
  const statistics = new InputStatistics(subjectOf(problem, solves || answers !== undefined), {
    ...LIMITS,
    ...limits,
  });
  const pieces = answers === undefined ? null : inPieces(Buffer.from(answers), 7);
  const sink = new StatisticsSink([statistics], problem, pieces);
  const dispatcher = await surveyInProcess(problem, solves);
  await solveInput(sourceOf(input), sink, dispatcher, runOptions({ problem, chunkBytes }), new RunTally());
  await sink.finish();
  return { statistics, sink };
}

const answersIn = ({ answers }: InputStatistics) =>
  answers?.mostFrequent().map(({ shown, cases }) => [shown, cases]);
const sizesIn = ({ sizes }: InputStatistics) => sizes.mostFrequent().map(({ key, cases }) => [key, cases]);

/** Returns the distribution of the nimbers of boards of darkraft, as the oracle finds them. */
function nimberBarsOf(input: string) {
  const counts = new ValueCounts();
  for (const text of input.split(/^(?=\d)/m)) {
    const rows = text.trim().split('\n').slice(1);
    const cells = Uint8Array.from(rows.join(''), (letter) => 'LRX'.indexOf(letter));
    counts.add(nimberLiterally({ rows: rows.length, cols: rows[0].length, cells }));
  }
  return counts.bars(20);
}

const darkraft = (await loadProblem('darkraft')) as Problem;
const riverPawn = (await loadProblem('river-pawn')) as Problem;
const bacterialTactics = (await loadProblem('bacterial-tactics')) as Problem;

describe('the statistics of boards', () => {
  const input = '2 2\nRL\nLR\n1 3\nLXL\n2 2\nRL\nLR\n2 2\nLR\nRL\n3 1\nL\nX\nL\n';

  test('counts sizes, densities, limits, equal boards, sets and answers', async () => {
    const { statistics } = await surveyOf(darkraft, input);
    expect(statistics.cases).toBe(5);
    expect(sizesIn(statistics)).toEqual([
      ['2 2', 3],
      ['1 3', 1],
      ['3 1', 1],
    ]);
    expect(statistics.densities.bars(20)).toEqual([
      { from: 0, to: 0, count: 3 },
      { from: 333, to: 333, count: 2 },
    ]);
    expect([statistics.atMin, statistics.atMax]).toEqual([
      [1, 1, 0],
      [0, 0, 0],
    ]);
    expect(statistics.equalCases.repeated).toBe(1);
    // `LR RL` is a mirror image of `RL LR` in which L and R are not swapped, so it is another game.
    expect(statistics.symmetricCases?.repeated).toBe(2);
    expect(statistics.casesInSets).toEqual([5]);
    expect(answersIn(statistics)).toEqual([
      ['LOSE', 3],
      ['WIN', 2],
    ]);
    expect(statistics.nimbers?.bars(20)).toEqual(nimberBarsOf(input));
  });

  test('makes no variants of boards if nobody asks for cases that are equal up to symmetries', async () => {
    const variantsOf = () => {
      throw new Error('a variant was made');
    };
    const cases = { ...darkraft.cases, symmetries: { ...darkraft.cases.symmetries, variantsOf } };
    const problem = { ...darkraft, cases } as Problem;
    const statistics = new InputStatistics(
      { ...subjectOf(problem, true), findsSymmetricCases: false },
      LIMITS,
    );
    const sink = new StatisticsSink([statistics], problem, null);
    const dispatcher = await surveyInProcess(problem, true, false);
    await solveInput(
      sourceOf(input),
      sink,
      dispatcher,
      runOptions({ problem, chunkBytes: 64 }),
      new RunTally(),
    );
    expect(statistics.equalCases.repeated).toBe(1);
    expect(statistics.symmetricCases).toBeNull();
  });

  test('is the same for all sizes of chunks', async () => {
    const bulk = bulkInput(styleOf('bacterial-tactics'), 300, 4, 5);
    const plain = ({
      statistics: { equalCases, symmetricCases, numbers, ...statistics },
    }: {
      statistics: InputStatistics;
    }) => [
      [statistics.cases, statistics.casesInSets, statistics.atMin, statistics.atMax],
      [equalCases.repeated, symmetricCases?.repeated],
      [numbers.map((counts) => counts.bars(10)), statistics.densities.bars(20)],
      [sizesIn(statistics as InputStatistics), answersIn(statistics as InputStatistics)],
      statistics.nimbers?.bars(20),
    ];
    const [small, large] = await Promise.all(
      [1, 1 << 20].map((chunkBytes) => surveyOf(bacterialTactics, bulk, { chunkBytes })),
    );
    expect(plain(small)).toEqual(plain(large));
  });

  test('agrees with the limits of the sets, also where they are about the answer', async () => {
    const bulk = bulkInput(styleOf('river-pawn'), 60, 5, 9);
    const { statistics } = await surveyOf(riverPawn, bulk);
    const withoutAnswers = await surveyOf(riverPawn, bulk, { answers: '' });
    const cases = bulk
      .split(/^(?=\d+ \d+$)/m)
      .slice(1)
      .map((text) => Buffer.from(text));
    const expected = Object.keys(riverPawn.contest!.data.sets).map((set) => {
      const parser = riverPawn.contest!.createFormat(set).createParser();
      parser.useHead(Buffer.from('0 60'));
      return cases.filter((text) => parser.parse(text, 0, text.length, null) !== null).length;
    });
    expect(cases.length).toBe(60);
    expect(statistics.casesInSets).toEqual(expected);
    expect(expected[0]).toBeGreaterThan(0);
    expect(withoutAnswers.statistics.casesInSets).toEqual(expected);
    expect(withoutAnswers.statistics.missingAnswers).toBe(60);
  });

  test('needs bounded memory, and says what it does not know', async () => {
    const boards = Array.from({ length: 40 }, (_, i) => boardOf(1 + (i % 20)));
    const limits = { maxRememberedCases: 5, maxKeys: 4 };
    const { statistics } = await surveyOf(darkraft, boards.join(''), { limits });
    expect(statistics.equalCases).toMatchObject({ repeated: 5, unknown: 30 });
    expect(statistics.sizes.mostFrequent()).toHaveLength(4);
    expect(statistics.sizes.others).toBe(32);
    const short = await surveyOf(darkraft, boards.join(''), { limits: { maxChars: 11 } });
    expect(short.statistics.sizes.mostFrequent()).toHaveLength(3);
    expect(short.statistics.sizes.others).toBe(34);
  });

  test('counts sizes and answers that were not kept, each for itself', async () => {
    const inputs = Array.from({ length: 40 }, (_, i) => boardOf(1 + (i % 20)));
    const { statistics } = await surveyOf(darkraft, inputs.join(''), { limits: { maxKeys: 1 } });
    const subject = { ...subjectOf(darkraft, true), problem: 'darkraft', answersFrom: 'solver' } as never;
    const { sizes, otherSizes, answers, otherAnswers } = toInputStats(statistics, subject);
    const sum = (counted: readonly { cases: number }[]) => counted.reduce((all, { cases }) => all + cases, 0);
    expect(otherSizes).toBe(40 - sum(sizes));
    expect(otherAnswers).toBe(40 - sum(answers!));
    expect(otherSizes).not.toBe(otherAnswers);
  });

  test('reports an invalid case after the cases before it', async () => {
    const statistics = new InputStatistics(subjectOf(darkraft, true), LIMITS);
    const sink = new StatisticsSink([statistics], darkraft, null);
    const dispatcher = await surveyInProcess(darkraft, true);
    const bad = `${input}1 1\n?\n`;
    const options = runOptions({ problem: darkraft, chunkBytes: 1 << 20 });
    await expect(solveInput(sourceOf(bad), sink, dispatcher, options, new RunTally())).rejects.toMatchObject({
      fault: { line: 17, column: 1, caseNumber: 6 },
    });
    expect(statistics.cases).toBe(5);
  });
});

describe('the answers in a file', () => {
  const input = '4\n1 1\n.\n1 1\n#\n1 2\n..\n2 2\n..\n.#\n';

  test('are found by their labels', async () => {
    const answers = 'Case #1: 2\nCase #1: 7\nCase #3: x\nCase #4:  2\nCase #5: 1\n';
    const { statistics, sink } = await surveyOf(bacterialTactics, input, { answers });
    expect(answersIn(statistics)).toEqual([['2', 2]]);
    expect([statistics.missingAnswers, statistics.malformedAnswers, sink.surplusAnswers]).toEqual([1, 1, 2]);
  });

  test('may be lines whose number depends on the case', async () => {
    const problem = moduleOf({
      name: 'echo',
      input: formats.counted({ n: formats.int(0, 9) }),
      answer: { sum: formats.int(), rows: formats.lines('n') },
    });
    const answers = '5\na\nb\n6\n5\na\nb\n1 surplus\n';
    const { statistics, sink } = await surveyOf(problem, '3\n2\n0\n2\n', { answers });
    expect(answersIn(statistics)).toEqual([
      ['5\na\nb', 2],
      ['6', 1],
    ]);
    expect(sink.surplusAnswers).toBe(1);
  });
});

function moduleOf<Case, Head>(options: ProblemOptions<Case, Head, unknown, unknown>): Problem {
  const { description } = defineProblem(options);
  return createModuleProblem(description, { typed: './own.mjs', url: 'file:///own.mjs' }) as Problem;
}

describe('the statistics of own problems', () => {
  test('measures the fields of a module, and the bounds that they attain', async () => {
    const { counted, int, ints, list, either, grid, table, until, word } = formats;
    const problem = moduleOf({
      name: 'own',
      input: counted(
        {
          n: int(1, 3),
          a: ints('n', -9, 'limit'),
          edges: list('2*n-1', { u: int(1, 'n') }),
          q: int(0, 5),
          queries: list('q', either('type', { 'get put': { at: int(0, 9) }, stop: {} })),
          map: grid('n', '1+q', '.#'),
          t: table(1, 'n', 0, 8),
          s: word(),
          rest: ints(until('\n')),
        },
        { head: { limit: int() } },
      ),
      contest: { sets: { '1': { n: [1, 1] }, '2': { q: [0, 1], u: [1, 2] } } },
    });
    const first = '1\n7\n1\n1\nget 9\n..\n3\nabc\n5 -5\n';
    const second = '3\n-9 0 1\n1\n2\n3\n2\n2\n2\nstop\nput 4\n...\n.#.\n###\n0 1 8\nz\n1\n';
    const { statistics } = await surveyOf(problem, `7\n2\n${first}${second}`);
    const { numbers } = problem.cases.createMeasure();
    const found = numbers.map(({ name, role, min, max }, index) => {
      const { min: low, max: high } = statistics.numbers[index];
      return [name, role, low, high, min, statistics.atMin[index], max, statistics.atMax[index]].join(' ');
    });
    expect(found).toEqual([
      'n size 1 3 1 1 3 1',
      'a elements -9 7 -9 1 limit 1',
      'length of edges size 1 5  0  0',
      'edges.u elements 1 3 1 2 n 2',
      'q size 1 2 0 0 5 0',
      'queries.at elements 4 9 0 0 9 1',
      'columns of map size 2 3  0  0',
      't elements 0 8 0 1 8 1',
      'length of s value 1 3  0  0',
      'length of rest size 1 2  0  0',
      'rest elements -5 5  0  0',
    ]);
    expect(statistics.casesInSets).toEqual([1, 1]);
    expect(statistics.answers).toBeNull();
    expect(statistics.symmetricCases).toBeNull();
  });

  test('finds equal cases in other layouts', async () => {
    const { counted, int, number, bigint } = formats;
    const problem = moduleOf({ name: 'layouts', input: counted({ a: int(), b: number(), c: bigint(0, 7) }) });
    const { statistics } = await surveyOf(problem, '3\n1 1.50 7\n 1\t1.5\r\n7 2 1.5 7');
    expect(statistics.equalCases.repeated).toBe(1);
    expect(statistics.atMax).toEqual([0, 0, 3]);
    expect(sizesIn(statistics)).toEqual([
      ['1 1.5 7', 2],
      ['2 1.5 7', 1],
    ]);
  });

  test('measures the variables of a grammar', async () => {
    folder.write(
      'g.ctd',
      'INT(1,9,t) NEWLINE\nREP(t) INT(1,20,n) SPACE INT(-n,2*n+1,k) NEWLINE\nREP(n) INT(0,9,x) SPACE INT(0,9,y[x]) NEWLINE END END\n',
    );
    const { problem } = await openProblem(folder.at('g.ctd'), grammarUseOf({ multitest: true }));
    const { statistics } = await surveyOf(problem, '3\n1 3\n0 0\n2 -2\n1 1\n2 2\n1 3\n0 0\n');
    const { numbers } = problem.cases.createMeasure();
    expect(numbers.map(({ name, role, min, max }) => [name, role, min, max])).toEqual([
      ['n', 'size', '1', '20'],
      ['k', 'value', '-n', '2*n+1'],
    ]);
    expect([statistics.atMin, statistics.atMax]).toEqual([
      [2, 1],
      [0, 2],
    ]);
    expect(statistics.equalCases.repeated).toBe(1);
    expect(sizesIn(statistics)).toEqual([
      ['1', 2],
      ['2', 1],
    ]);
  });
});
