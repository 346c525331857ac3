/** The totals of the programs, the suggested time limit, and the choice of a small input on which programs fail. */
import { describe, expect, test } from 'vitest';
import type { InputHeadOfTask } from '../../../src/engine/messages.js';
import type { Verdict } from '../../../src/engine/verdict.js';
import { formats } from '../../../src/formats/language/formats.js';
import { TreeInputFormat } from '../../../src/formats/tree/tree-format.js';
import { defineProblem } from '../../../src/problems/modules/define-problem.js';
import { DistinguishingCases } from '../../../src/tools/cases/distinguishing-cases.js';
import type { JudgedCase, JudgedRow } from '../../../src/tools/judge/judge.js';
import { JudgeSummary, suggestTimeLimit } from '../../../src/tools/judge/judge-summary.js';
import { AnswerGroups, describeAnswerGroup } from '../../../src/tools/judge/report/answer-groups.js';
import { bytesOf } from '../../support/inputs.js';

const result = (verdict: Verdict, seconds = 0.1): JudgedCase => ({
  verdict,
  seconds,
  cpuSeconds: seconds / 2,
  reason: null,
  expected: 1,
  got: 1,
});

const HEAD: InputHeadOfTask = { number: 1, bytes: null };

function row(caseNumber: number, text: string, results: readonly JudgedCase[], head = HEAD): JudgedRow {
  const expected = { bytes: bytesOf(`${caseNumber}`), start: 0, bodyStart: 0, end: 1 };
  return { caseNumber, bytes: bytesOf(text), head, expected, results };
}

function summaryOf(rows: readonly (readonly JudgedCase[])[]): JudgeSummary {
  const summary = new JudgeSummary(rows[0].map((_, index) => `./${index}`));
  for (const [index, results] of rows.entries()) summary.add('a.in', row(index + 1, 'x', results));
  return summary;
}

test('the totals of a program count its verdicts and find its slowest case', () => {
  const [first, second] = summaryOf([
    [result('AC', 0.2), result('WA')],
    [result('AC', 0.6), result('TLE', 2)],
  ]).programs;
  expect(first).toMatchObject({ counts: { AC: 2, WA: 0, TLE: 0, RTE: 0, MLE: 0 } });
  expect(first.slowest).toEqual({ seconds: 0.6, input: 'a.in', caseNumber: 2 });
  expect([first.seconds, first.cpuSeconds]).toEqual([0.8, 0.4]);
  expect(second.counts).toEqual({ AC: 0, WA: 1, TLE: 1, RTE: 0, MLE: 0 });
});

describe('the suggested time limit', () => {
  test.each([
    { slowest: 0.1, seconds: 1 },
    { slowest: 0.5, seconds: 1 },
    { slowest: 0.51, seconds: 2 },
    { slowest: 2.2, seconds: 5 },
  ])('is twice the slowest right program ($slowest s), in whole seconds', ({ slowest, seconds }) => {
    const limit = suggestTimeLimit(
      summaryOf([[result('AC', 0.01), result('AC', slowest), result('WA', 9)]]),
      10,
    );
    expect(limit).toMatchObject({ seconds, slowestRight: { name: './1' } });
  });

  test('is doubtful if too slow programs were stopped before one and a half times the limit', () => {
    const summary = summaryOf([[result('AC', 0.9), result('TLE', 2)]]);
    expect(suggestTimeLimit(summary, 2)).toMatchObject({ seconds: 2, isSafe: false, neededSeconds: 3 });
    expect(suggestTimeLimit(summary, 3)).toMatchObject({ isSafe: true });
  });

  test('does not exist if no program is right on all cases', () => {
    expect(suggestTimeLimit(summaryOf([[result('AC')], [result('WA')]]), 10)).toBeNull();
  });
});

describe('the small input on which programs fail', () => {
  const { counted, int, single, word } = formats;
  const words = counted({ w: word() }, { head: { h: int(0, 9) } });
  const choose = (rows: readonly JudgedRow[], input: unknown = words) => {
    const cases = new DistinguishingCases();
    for (const each of rows) cases.add(each);
    const { layout } = defineProblem({ name: 'any', input: input as never, solve: () => 0 }).description;
    return cases.choose(new TreeInputFormat(layout));
  };
  const chosenFrom = (rows: readonly JudgedRow[]) =>
    choose(rows)?.cases.map(({ bytes }) => Buffer.from(bytes).toString());
  const fails = (...verdicts: Verdict[]) => verdicts.map((verdict) => result(verdict));

  test('has the case on which most programs fail, and no case that adds none', () => {
    const rows = [
      row(1, 'short', fails('WA', 'AC', 'AC')),
      row(2, 'longest', fails('WA', 'RTE', 'AC')),
      row(3, 'x', fails('AC', 'AC', 'TLE')),
      row(4, 'good', fails('AC', 'AC', 'AC')),
    ];
    expect(chosenFrom(rows)).toEqual(['longest', 'x']);
  });

  test('has the smallest of the cases on which the same programs fail', () => {
    const rows = ['three', 'one', 'two'].map((text, index) => row(index, text, fails('WA')));
    expect(chosenFrom(rows)).toEqual(['one']);
  });

  test('has cases of one head only, of the head with which most programs fail', () => {
    const other = { number: 2, bytes: bytesOf('7') };
    const rows = [
      row(1, 'a', fails('WA', 'AC')),
      row(1, 'bb', fails('WA', 'WA'), other),
      row(2, 'c', fails('AC', 'AC')),
    ];
    expect(chosenFrom(rows)).toEqual(['bb']);
  });

  test('has only cases that are judged with the same options of the programs', () => {
    const cases = new DistinguishingCases();
    const add = (text: string, programs: readonly number[], options: readonly string[]) => {
      const { head, bytes, expected } = row(1, text, []);
      cases.addFailing({ head, bytes, expected, programs: new Set(programs) }, options);
    };
    add('a', [0], ['strict']);
    add('b', [1], []);
    add('cc', [2], ['strict']);
    const { layout } = defineProblem({ name: 'any', input: words, solve: () => 0 }).description;
    const chosen = cases.choose(new TreeInputFormat(layout));
    expect(chosen?.cases.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['a', 'cc']);
  });

  test('has only the best case if an input is one case', () => {
    const rows = [row(1, 'long', fails('WA', 'AC', 'WA')), row(1, 'x', fails('AC', 'WA', 'AC'))];
    const chosen = choose(rows, single({ w: word() }))!;
    expect(Buffer.from(chosen.bytes).toString()).toBe('long\n');
    expect([...chosen.programs]).toEqual([0, 2]);
  });

  test('does not exist if no program fails', () => {
    expect(chosenFrom([row(1, 'a', fails('AC', 'AC'))])).toBeUndefined();
  });
});

test('programs that end early print the same only on the files on which they were run', () => {
  const groups = new AnswerGroups();
  for (const program of ['a', 'b', 'c', 'd', 'right']) {
    groups.add(program, '1.in', 'AC', '1');
    groups.add(program, '2.in', program === 'right' ? 'AC' : 'WA', program === 'right' ? '2' : '7');
    if (program === 'a' || program === 'b') groups.add(program, '3.in', 'WA', '8');
  }
  for (const program of ['e', 'f']) groups.add(program, '1.in', 'WA', '9');
  expect(groups.find().map((group) => describeAnswerGroup(group, 'file', 3))).toEqual([
    'these 2 print the same on all files: a, b',
    'these 2 print the same on the first 2 files, where they ended: c, d',
    'these 2 print the same on the first file, where they ended: e, f',
  ]);
});
