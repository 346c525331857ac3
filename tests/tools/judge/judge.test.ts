/** The verdicts of the judge on what programs have answered, and the two answers that it shows. */
import { describe, expect, test } from 'vitest';
import { TOKEN_COMPARATOR } from '../../../src/engine/comparators.js';
import { copyHeadToSharedMemory } from '../../../src/engine/cut/task-head.js';
import type { CasesWithoutAnswers } from '../../../src/engine/sink.js';
import type { CaseOutcome } from '../../../src/engine/verdict.js';
import type { Problem } from '../../../src/problems/problem.js';
import { MAX_SHOWN_BYTES } from '../../../src/tools/compare/compare.js';
import { type JudgedRow, JudgingSink } from '../../../src/tools/judge/judge.js';
import { bytesOf } from '../../support/inputs.js';
import { boardOf, widthProblem } from '../../support/running.js';

/** What lies before an answer in the output of a program. */
const EARLIER = '1\n2\n';

const TIMES = { seconds: 0.5, cpuSeconds: 0.25 };

function answered(text: string): CaseOutcome {
  const bytes = bytesOf(`${EARLIER}${text}\n`);
  const range = { bytes, from: EARLIER.length, to: EARLIER.length + text.length };
  return { answer: range, failure: null, ...TIMES };
}

function failed(answer: CaseOutcome['answer'] = null): CaseOutcome {
  return { answer, failure: { verdict: 'TLE', reason: 'the program ran too long' }, ...TIMES };
}

/** Returns the cases with boards of these widths, which are the right answers. */
function casesOf(widths: readonly number[]): CasesWithoutAnswers {
  const texts = widths.map(boardOf);
  const ends = texts.map((_, index) => texts.slice(0, index + 1).join('').length);
  const starts = Uint32Array.from([0, ...ends]);
  return {
    bytes: bytesOf(texts.join('')),
    starts,
    count: widths.length,
    firstCase: 1,
    head: copyHeadToSharedMemory(null),
  };
}

/** Judges programs on the chunks of an input. `outcomeOf` returns what a program does on the case with a number. */
async function judge(
  chunks: readonly (readonly number[])[],
  ...programs: ((caseNumber: number) => CaseOutcome)[]
): Promise<JudgedRow[]> {
  const rows: JudgedRow[] = [];
  const sink = new JudgingSink({
    problem: widthProblem as unknown as Problem,
    programs: programs.map((outcomeOf, index) => ({
      name: `./${index}`,
      run: async ({ count }, firstCase) =>
        Array.from({ length: count }, (_, caseIndex) => outcomeOf(firstCase + caseIndex)),
      close: () => {},
    })),
    comparator: TOKEN_COMPARATOR,
    answers: null,
    maxRunning: 1,
    onCase: async (row) => void rows.push(row),
  });
  for (const widths of chunks)
    await sink.write(bytesOf(widths.map((width) => `${width}\n`).join('')), null, casesOf(widths));
  await sink.finish();
  return rows;
}

describe('an outcome', () => {
  const long = 'x'.repeat(MAX_SHOWN_BYTES);

  test.each([
    ['the right answer', answered('7'), { verdict: 'AC', reason: null, got: 7 }],
    ['another answer', answered('8'), { verdict: 'WA', reason: null, got: 8 }],
    ['a malformed answer', answered('seven'), { verdict: 'WA', reason: null, got: 'seven' }],
    ['a long malformed answer', answered(`${long}yz`), { verdict: 'WA', reason: null, got: long }],
    ['no answer', { answer: null, failure: null, ...TIMES }, { verdict: 'WA', reason: null, got: null }],
    ['a failure', failed(), { verdict: 'TLE', reason: 'the program ran too long', got: null }],
    ['the right answer, too late', failed(answered('7').answer), { verdict: 'TLE', got: 7 }],
  ] as const)('that is %s', async (_what, outcome, shown) => {
    const [{ results }] = await judge([[7]], () => outcome);
    expect(results).toEqual([expect.objectContaining({ ...shown, ...TIMES, expected: 7 })]);
  });
});

test('each case is reported once, in order, with its own text and the verdicts of all programs', async () => {
  const widths = [3, 5, 4, 9];
  const rows = await judge(
    [[3], [5, 4], [9]],
    (caseNumber) => answered(`${widths[caseNumber - 1]}`),
    (caseNumber) => answered(caseNumber === 3 ? '4' : '1'),
  );
  expect(
    rows.map(({ caseNumber, bytes, results }) => [
      caseNumber,
      Buffer.from(bytes).toString(),
      results.map(({ verdict }) => verdict).join(' '),
    ]),
  ).toEqual([
    [1, boardOf(3), 'AC WA'],
    [2, boardOf(5), 'AC WA'],
    [3, boardOf(4), 'AC AC'],
    [4, boardOf(9), 'AC WA'],
  ]);
});
